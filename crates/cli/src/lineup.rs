//! Which analyzers are under test and which help to judge.

use analyzers::Catalogue;
use anyhow::{Context, Result, bail};
use campaign::LineupPlan;
use engine::{Locator, Resolved, Specification};
use model::{Hash, Lineup};
use std::sync::Arc;
use techniques::Technique;

/// The analyzers of a campaign.
pub struct ResolvedLineup {
    /// Under test.
    pub subjects: Vec<Resolved>,
    /// Helping to judge; may hold subjects too, since they judge each other.
    pub witnesses: Vec<Resolved>,
    /// The identities of those that were given by path, by description file or with risky options.
    pub by_hand: Vec<String>,
    /// How the user named those; `resume` needs these arguments again.
    pub texts_by_hand: Vec<String>,
    /// True if nothing is installed and the built-in liar is hunted to show what happens.
    pub demonstration: bool,
}

impl ResolvedLineup {
    /// The line-up for `campaign.toml`.
    pub fn plan(&self) -> LineupPlan {
        LineupPlan {
            subjects: identities(&self.subjects),
            witnesses: identities(&self.witnesses),
            by_hand: self.by_hand.clone(),
        }
    }

    /// Resolves the analyzers that the user named. By default, the newest version of each installed analyzer that the
    /// techniques can test is a subject.
    pub fn resolve(
        locator: &Locator,
        techniques: &[&'static Technique],
        analyzers: &[String],
        witnesses: &[String],
    ) -> Result<ResolvedLineup> {
        let is_taken = |it: &Resolved| {
            techniques.iter().any(|technique| technique.stance_towards(&it.member).can_be_subject())
        };
        let can_judge = |it: &Resolved| {
            techniques.iter().any(|technique| technique.stance_towards(&it.member).can_be_witness())
        };
        let here =
            if analyzers.is_empty() || witnesses.is_empty() { everything(locator) } else { Vec::new() };
        let mut subjects = resolve_all(locator, analyzers)?;
        if let Some(other) = subjects.iter().find(|subject| !is_taken(subject)) {
            let names: Vec<&str> = techniques.iter().map(|technique| technique.name).collect();
            bail!("{} cannot be tested with {}", other.member.id, names.join(", "));
        }
        let mut demonstration = false;
        if analyzers.is_empty() {
            subjects = newest_of_each(&here);
            subjects.retain(is_taken);
            subjects.retain(|it| {
                techniques.iter().any(|technique| technique.stance_towards(&it.member).is_default_subject())
            });
            if subjects.is_empty() {
                subjects = resolve_all(locator, &[analyzers::LIAR_SMT.to_owned()])?;
                demonstration = true;
            }
        }
        let mut chosen = ResolvedLineup {
            subjects: Vec::new(),
            witnesses: Vec::new(),
            by_hand: Vec::new(),
            texts_by_hand: Vec::new(),
            demonstration,
        };
        chosen.note_by_hand(locator, analyzers, &subjects)?;
        chosen.subjects = once_each(subjects)?;
        chosen.witnesses = if witnesses.is_empty() {
            beside(&chosen.subjects, here.into_iter().filter(can_judge).collect())?
        } else {
            let helping = resolve_all(locator, witnesses)?;
            chosen.note_by_hand(locator, witnesses, &helping)?;
            once_each(helping)?
        };
        once_each(chosen.all())?;
        Ok(chosen)
    }

    /// Notes the analyzers that the user must name again to continue.
    fn note_by_hand(&mut self, locator: &Locator, texts: &[String], resolved: &[Resolved]) -> Result<()> {
        for (text, resolved) in texts.iter().zip(resolved) {
            if locator.why_name_again(&Specification::given(text)?)?.is_some() {
                let identity = resolved.member.id.to_string();
                if !self.by_hand.contains(&identity) {
                    self.by_hand.push(identity);
                    self.texts_by_hand.push(text.clone());
                }
            }
        }
        Ok(())
    }

    /// The line-up as techniques see it.
    pub fn lineup(&self) -> Lineup {
        let members = |list: &[Resolved]| list.iter().map(|resolved| resolved.member.clone()).collect();
        Lineup { subjects: members(&self.subjects), witnesses: members(&self.witnesses) }
    }

    /// All analyzers, for the engine.
    pub fn all(&self) -> Vec<Resolved> {
        self.subjects.iter().chain(&self.witnesses).cloned().collect()
    }
}

/// A locator over the shipped descriptions.
pub fn locator() -> Result<Locator> {
    let catalogue =
        Catalogue::shipped().map_err(anyhow::Error::msg).context("a shipped description is broken")?;
    Locator::new(catalogue)
}

/// Every installed version of every analyzer, the newest first for each name.
pub fn everything(locator: &Locator) -> Vec<Resolved> {
    let mut all = Vec::new();
    for description in locator.catalogue().descriptions() {
        let description = Arc::new(description.clone());
        for found in locator.installed(&description) {
            all.push(locator.finish(&description, found, &[]));
        }
    }
    all
}

fn newest_of_each(here: &[Resolved]) -> Vec<Resolved> {
    let mut newest: Vec<Resolved> = Vec::new();
    for resolved in here {
        if newest.iter().all(|known| known.member.id.name() != resolved.member.id.name()) {
            newest.push(resolved.clone());
        }
    }
    newest
}

/// Removes duplicates, and refuses different analyzers with the same identity.
fn once_each(list: Vec<Resolved>) -> Result<Vec<Resolved>> {
    let mut kept: Vec<Resolved> = Vec::new();
    for resolved in list {
        match kept.iter().find(|known| known.member.id == resolved.member.id) {
            None => kept.push(resolved),
            Some(known) if description_of(known) != description_of(&resolved) => bail!(
                "two analyzers of the line-up are called {} and have different descriptions; \
                 choose another name in the description file",
                known.member.id
            ),
            Some(known) if known.origin != resolved.origin => bail!(
                "two programs have the identity {}: {} and {}; \
                 hunt them one after the other, or give one a description file with another name",
                known.member.id,
                known.origin,
                resolved.origin
            ),
            Some(_) => {}
        }
    }
    Ok(kept)
}

/// All installed analyzers, except that a program given by path replaces an installed one of the same version.
fn beside(subjects: &[Resolved], here: Vec<Resolved>) -> Result<Vec<Resolved>> {
    let stand_in = |resolved: Resolved| {
        let same = |subject: &&Resolved| {
            subject.member.id == resolved.member.id && description_of(subject) == description_of(&resolved)
        };
        subjects.iter().find(same).cloned().unwrap_or(resolved)
    };
    once_each(here.into_iter().map(stand_in).collect())
}

/// The identity of an analyzer's description, which does not depend on the program.
fn description_of(resolved: &Resolved) -> Hash {
    resolved.backend.description().identity()
}

fn resolve_all(locator: &Locator, texts: &[String]) -> Result<Vec<Resolved>> {
    texts.iter().map(|text| resolve_given(locator, text)).collect()
}

/// The analyzer that the user names.
pub fn resolve_given(locator: &Locator, text: &str) -> Result<Resolved> {
    locator.resolve(&Specification::given(text)?)
}

/// The identities of some analyzers.
pub fn identities(resolved: &[Resolved]) -> Vec<String> {
    resolved.iter().map(|it| it.member.id.to_string()).collect()
}
