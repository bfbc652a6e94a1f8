//! Who is under test and who helps to judge.

use analyzers::Catalogue;
use anyhow::{Context, Result};
use engine::{Locator, Resolved, Specification};
use model::Lineup;
use std::sync::Arc;

/// The analyzers of a campaign.
pub struct Chosen {
    /// Under test.
    pub subjects: Vec<Resolved>,
    /// Helping to judge; may hold subjects too, since they judge each other.
    pub witnesses: Vec<Resolved>,
    /// The identities of those that were given by path or description file.
    pub by_hand: Vec<String>,
    /// True if nothing is installed and the built-in liar is hunted to show what happens.
    pub demonstration: bool,
}

impl Chosen {
    /// Resolves what the user asked for; without a wish, the newest version of everything on the machine.
    pub fn resolve(locator: &Locator, analyzers: &[String], witnesses: &[String]) -> Result<Chosen> {
        let here =
            if analyzers.is_empty() || witnesses.is_empty() { everything(locator) } else { Vec::new() };
        let mut subjects = resolve_all(locator, analyzers)?;
        let mut demonstration = false;
        if analyzers.is_empty() {
            subjects = newest_of_each(&here);
            if subjects.is_empty() {
                subjects = resolve_all(locator, &[analyzers::LIAR_SMT.to_owned()])?;
                demonstration = true;
            }
        }
        let mut by_hand = given_by_hand(analyzers, &subjects)?;
        let chosen_witnesses = if witnesses.is_empty() { here } else { resolve_all(locator, witnesses)? };
        if !witnesses.is_empty() {
            by_hand.extend(given_by_hand(witnesses, &chosen_witnesses)?);
        }
        Ok(Chosen { subjects, witnesses: chosen_witnesses, by_hand, demonstration })
    }

    /// What techniques see.
    pub fn lineup(&self) -> Lineup {
        let members = |list: &[Resolved]| list.iter().map(|resolved| resolved.member.clone()).collect();
        Lineup { subjects: members(&self.subjects), witnesses: members(&self.witnesses) }
    }

    /// Everybody, for the engine.
    pub fn everybody(&self) -> Vec<Resolved> {
        self.subjects.iter().chain(&self.witnesses).cloned().collect()
    }
}

/// A locator over the shipped descriptions.
pub fn locator() -> Result<Locator> {
    let catalogue =
        Catalogue::shipped().map_err(anyhow::Error::msg).context("a shipped description is broken")?;
    Locator::new(catalogue)
}

/// Every version of every analyzer on the machine, newest first within a name.
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

/// The identities of those whose text names a path or a file.
fn given_by_hand(texts: &[String], resolved: &[Resolved]) -> Result<Vec<String>> {
    let mut identities = Vec::new();
    for (text, resolved) in texts.iter().zip(resolved) {
        let specification = Specification::parse(text)?;
        if specification.path.is_some() || specification.is_file() {
            identities.push(resolved.member.id.to_string());
        }
    }
    Ok(identities)
}

fn resolve_all(locator: &Locator, texts: &[String]) -> Result<Vec<Resolved>> {
    texts.iter().map(|text| locator.resolve(&Specification::parse(text)?)).collect()
}
