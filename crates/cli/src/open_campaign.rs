//! Opening an existing campaign: its plan, its store, its analyzers.

use crate::lineup::{self, ResolvedLineup};
use crate::seed_choice::{describe_seeds, find_seeds};
use crate::technique_choice::{choose_techniques, languages_of};
use anyhow::{Context, Result, bail};
use campaign::{Campaign, Plan, Stop, Watcher};
use engine::{Engine, Locator, Resolved, SeedFiles, Specification};
use model::{Exhibit, Lineup};
use std::path::{Path, PathBuf};
use store::Store;
use techniques::Technique;

/// An existing campaign.
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

/// Opens a campaign to work on it, and locks it.
pub fn open(directory: &Path, again: &Again) -> Result<Opened> {
    finish(Store::open(directory)?, again)
}

/// Opens a campaign to run units of it for the process that holds the lock.
pub fn join(directory: &Path, again: &Again) -> Result<Opened> {
    finish(Store::join(directory)?, again)
}

/// Opens a campaign without a lock, to show what it holds.
pub fn open_for_reading(directory: &Path, again: &Again) -> Result<Opened> {
    finish(Store::open_for_reading(directory)?, again)
}

/// The analyzers that an exhibit asks. Locating all analyzers of a campaign takes longer than most queries.
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
    let techniques = choose_techniques(&plan.techniques())?;
    let locator = lineup::locator()?;
    let given = named_again(&locator, again)?;
    let subjects = find_again(&locator, &given, &plan, &plan.lineup.subjects)?;
    // A missing witness weakens the evidence, but is no reason to stop.
    let witnesses = plan
        .lineup
        .witnesses
        .iter()
        .filter_map(|id| find_again(&locator, &given, &plan, std::slice::from_ref(id)).ok())
        .flatten()
        .collect();
    let by_hand = plan.lineup.by_hand.clone();
    let texts_by_hand = again.analyzers.clone();
    let chosen = ResolvedLineup {
        subjects,
        witnesses,
        by_hand,
        texts_by_hand,
        demonstration: plan.hunt().demonstration,
    };
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
        if plan.lineup.by_hand.contains(identity) {
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

/// A campaign with everything that its jobs need.
pub struct Ready {
    pub opened: Opened,
    pub engine: Engine,
    seeds: SeedFiles,
    lineup: Lineup,
}

impl Ready {
    /// The campaign, without reduction.
    pub fn campaign<'a>(&'a self, stop: Stop<'a>, watcher: &'a dyn Watcher) -> Campaign<'a> {
        let plan = &self.opened.plan;
        Campaign {
            engine: &self.engine,
            store: &self.opened.store,
            techniques: self.opened.techniques.clone(),
            lineup: &self.lineup,
            seeds: &self.seeds,
            settings: &plan.settings,
            random_seed: plan.random_seed,
            jobs: plan.jobs,
            reduce_candidates: 0,
            stop,
            watcher,
        }
    }
}

impl Opened {
    /// Finds the seeds and starts the engine.
    pub fn ready(self) -> Result<Ready> {
        let seeds = self.seeds()?;
        self.ready_with(seeds)
    }

    /// The same with seeds that were just found.
    pub fn ready_with(self, seeds: SeedFiles) -> Result<Ready> {
        let engine = Engine::new(self.chosen.all())?;
        Ok(Ready { engine, seeds, lineup: self.chosen.lineup(), opened: self })
    }

    /// The seeds, which must be the same as when the campaign was made.
    fn seeds(&self) -> Result<SeedFiles> {
        let paths: Vec<PathBuf> = self.plan.seeds.paths.iter().map(PathBuf::from).collect();
        let seeds = find_seeds(&paths, &languages_of(&self.techniques))?;
        if describe_seeds(&paths, &seeds).identity != self.plan.seeds.identity {
            bail!(
                "the seeds are not those that the campaign began with ({} then, {} now); restore them, or start a new campaign",
                self.plan.seeds.count,
                seeds.count()
            );
        }
        Ok(seeds)
    }
}
