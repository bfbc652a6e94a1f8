//! Opening a campaign that exists: its plan, its store, its analyzers.

use crate::hunt::{choose_techniques, describe_seeds, find_seeds, languages_of};
use crate::lineup::{self, ResolvedLineup};
use anyhow::{Context, Result, bail};
use campaign::Plan;
use engine::{Locator, Resolved, SeedFiles, Specification};
use model::Exhibit;
use std::path::{Path, PathBuf};
use store::Store;
use techniques::Technique;

/// A campaign that exists, with everything needed to go on with it.
pub struct Opened {
    pub plan: Plan,
    pub store: Store,
    pub chosen: ResolvedLineup,
    pub techniques: Vec<&'static Technique>,
}

/// Analyzers that the user names again, because a campaign directory must not bring commands along.
#[derive(clap::Args)]
pub struct Again {
    /// An analyzer of the campaign that was given by path or description file: name it again the same way
    #[arg(long = "analyzer", value_name = "ANALYZER")]
    pub analyzers: Vec<String>,
}

/// Opens a campaign for work; nobody else may use it meanwhile.
pub fn open(directory: &Path, again: &Again) -> Result<Opened> {
    finish(Store::open(directory)?, again)
}

/// Opens a campaign without a lock, to ask about what it holds.
pub fn open_for_reading(directory: &Path, again: &Again) -> Result<Opened> {
    finish(Store::open_for_reading(directory)?, again)
}

/// The analyzers that an exhibit asks, and no others: to look for all of a campaign takes longer than most questions.
pub fn analyzers_asked(store: &Store, again: &Again, exhibit: &Exhibit) -> Result<Vec<Resolved>> {
    let plan = Plan::parse(&store.directory.campaign()?)?;
    let locator = lineup::locator()?;
    let given = named_again(&locator, again)?;
    let mut identities: Vec<String> =
        exhibit.queries.iter().map(|query| query.analyzer.to_string()).collect();
    identities.sort_unstable();
    identities.dedup();
    find_again(&locator, &given, &plan, &identities)
}

fn named_again(locator: &Locator, again: &Again) -> Result<Vec<Resolved>> {
    again.analyzers.iter().map(|text| locator.resolve(&Specification::parse(text)?)).collect()
}

fn finish(store: Store, again: &Again) -> Result<Opened> {
    let plan = Plan::parse(&store.directory.campaign()?)?;
    let techniques = choose_techniques(&plan.techniques)?;
    let locator = lineup::locator()?;
    let given = named_again(&locator, again)?;
    let subjects = find_again(&locator, &given, &plan, &plan.subjects)?;
    // A witness that has gone away since weakens the evidence, but is no reason to stop.
    let witnesses = plan
        .witnesses
        .iter()
        .filter_map(|id| find_again(&locator, &given, &plan, std::slice::from_ref(id)).ok())
        .flatten()
        .collect();
    let by_hand = plan.by_hand.clone();
    let texts_by_hand = again.analyzers.clone();
    let chosen =
        ResolvedLineup { subjects, witnesses, by_hand, texts_by_hand, demonstration: plan.demonstration };
    Ok(Opened { plan, store, chosen, techniques })
}

/// The analyzers with these identities, from the machine or from what was named again.
fn find_again(
    locator: &Locator,
    given: &[Resolved],
    plan: &Plan,
    identities: &[String],
) -> Result<Vec<Resolved>> {
    let find = |identity: &String| {
        if let Some(resolved) = given.iter().find(|resolved| resolved.member.id.as_str() == identity) {
            return Ok(resolved.clone());
        }
        if plan.by_hand.contains(identity) {
            bail!(
                "the campaign's analyzer {identity} was given by path or by file; name it again with --analyzer"
            );
        }
        let specification = Specification::parse(&without_own_version(identity))?;
        let resolved = locator.resolve(&specification).with_context(|| {
            format!("the campaign's analyzer {identity} is not here; if it was given by path, name it again with --analyzer")
        })?;
        if resolved.member.id.as_str() != identity {
            bail!("the campaign was run with {identity}, and {} is here now", resolved.member.id);
        }
        Ok(resolved)
    };
    identities.iter().map(find).collect()
}

/// Built-in analyzers have the version of juvenal itself and are not looked up by version.
fn without_own_version(identity: &str) -> String {
    let (name, configuration) = match identity.split_once(':') {
        Some((name, configuration)) => (name, format!(":{configuration}")),
        None => (identity, String::new()),
    };
    match analyzers::built_in_page(name.split('@').next().unwrap_or(name)) {
        Some(page) if page.name != analyzers::LIAR_C => format!("{}{configuration}", page.name),
        _ => identity.to_owned(),
    }
}

impl Opened {
    /// The seeds, which must be the same as when the campaign was made.
    pub fn seeds(&self) -> Result<SeedFiles> {
        let paths: Vec<PathBuf> = self.plan.seeds.paths.iter().map(PathBuf::from).collect();
        let seeds = find_seeds(&paths, &languages_of(&self.techniques))?;
        if describe_seeds(&paths, &seeds).identity != self.plan.seeds.identity {
            bail!(
                "there are other seeds now than when the campaign began ({} then, {} now); put them back, or start a new campaign",
                self.plan.seeds.count,
                seeds.count()
            );
        }
        Ok(seeds)
    }
}
