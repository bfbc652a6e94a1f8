//! Opens an existing campaign: its plan, its store and its analyzers.

use crate::lineup::{self, ResolvedLineup};
use crate::option_values::cores;
use crate::seed_choice::{describe_seeds, find_seeds};
use crate::technique_choice::{choose_techniques, languages_of};
use crate::{screen, shell};
use anyhow::{Context, Result, bail};
use campaign::{Campaign, Plan, Stop, Watcher};
use engine::{Engine, Locator, Resolved, SeedFiles, Specification};
use model::{Exhibit, Finding, Lineup, shown_name};
use std::io::Write;
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

/// Analyzers that the user names again, because no command is ever taken from a campaign directory.
#[derive(clap::Args)]
pub struct Again {
    /// An analyzer of the campaign that was given by path, by description file or with options that may run programs or
    /// touch files, named in the same way again
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
    refuse_risky_names(&locator, &given, &identities)?;
    find_again(&locator, &given, &plan, &identities)
}

/// Refuses a finding whose inputs make analyzers touch files, or whose limits are none.
pub fn refuse_file_access(finding: &Finding) -> Result<()> {
    let exhibits = [&finding.exhibit, &finding.reduced];
    if let Some(problem) = exhibits.iter().flat_map(|it| &it.queries).find_map(|query| query.limits.problem())
    {
        bail!("{} cannot be used: {problem}", finding.name());
    }
    match exhibits.iter().flat_map(|it| &it.queries).find_map(|query| analyzers::file_access(&query.input)) {
        Some(problem) => bail!("{} cannot be used: {problem}", finding.name()),
        None => Ok(()),
    }
}

fn named_again(locator: &Locator, again: &Again) -> Result<Vec<Resolved>> {
    again.analyzers.iter().map(|text| lineup::resolve_given(locator, text)).collect()
}

/// The number of workers of a plan, on this machine. It does not change the outcome, so the plan of another machine is no
/// reason to start more.
fn workers(planned: usize) -> Result<usize> {
    let cores = cores();
    if planned > cores {
        let note = format!("campaign.toml asks for {planned} workers; without --jobs, there is one per core");
        writeln!(screen::errors(), "note: {note}")?;
    }
    Ok(planned.min(cores))
}

fn finish(store: Store, again: &Again) -> Result<Opened> {
    let mut plan = Plan::parse(&store.directory.campaign()?)?;
    if let Some(split) = &plan.split {
        bail!(
            "{} holds the results of `juvenal split` with the tool {}; run it again with the tool and the project that you \
             chose, as in `{} split --tool TOOL --root DIR --out {}`",
            store.directory.path().display(),
            shown_name(&split.tool),
            shell::juvenal(),
            shell::word(&store.directory.path().display().to_string())
        );
    }
    plan.jobs = workers(plan.jobs)?;
    let techniques = choose_techniques(&plan.techniques())?;
    for technique in &techniques {
        technique.check_knobs(&plan.settings).context("campaign.toml has a setting that cannot be")?;
    }
    let locator = lineup::locator()?;
    let given = named_again(&locator, again)?;
    refuse_risky_names(&locator, &given, &plan.lineup.subjects)?;
    refuse_risky_names(&locator, &given, &plan.lineup.witnesses)?;
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

/// Refuses a campaign that names an analyzer in a way that only the user may, before anything is run.
fn refuse_risky_names(locator: &Locator, given: &[Resolved], identities: &[String]) -> Result<()> {
    for identity in identities {
        if given.iter().any(|resolved| resolved.member.id.as_str() == identity) {
            continue;
        }
        let specification = Specification::parse(&without_own_version(identity)).map_err(|problem| {
            problem.context(format!("campaign.toml names no analyzer with `{}`", identity.escape_debug()))
        })?;
        // An unknown analyzer is reported where it is looked for, and a missing witness is no failure.
        if let Ok(Some(reason)) = locator.why_name_again(&specification) {
            let shown = shown_name(identity);
            bail!("the campaign's analyzer {shown} {reason}; if you trust it, name it again with --analyzer");
        }
    }
    Ok(())
}

/// Finds the analyzers with these identities among the installed ones and those that were named again.
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
                "the campaign's analyzer {} was given by path or by description file; name it again with --analyzer",
                shown_name(identity)
            );
        }
        let specification = Specification::parse(&without_own_version(identity))?;
        let resolved = locator.resolve(&specification).with_context(|| {
            format!("the campaign's analyzer {identity} is not installed; if it was given by path, name it again with --analyzer")
        })?;
        if resolved.member.id.as_str() != identity {
            bail!("the campaign was run with {identity}, but {} is installed now", resolved.member.id);
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

    /// Starts the engine with the seeds as they are recorded: the files may be on another machine.
    pub fn ready_with_recorded_seeds(self) -> Result<Ready> {
        let seeds = match self.plan.seeds.paths.is_empty() {
            true => self.seeds()?,
            false => SeedFiles::recorded(self.store.seeds.listed_seeds()?),
        };
        self.ready_with(seeds)
    }

    /// Starts the engine, with seeds that were just found, and lists them in the store for units that run elsewhere. This
    /// is done whenever the list is missing, since juvenal may have been killed before it was written.
    pub fn ready_with(self, seeds: SeedFiles) -> Result<Ready> {
        if self.store.seeds.listed_seeds()?.is_empty() {
            self.store.seeds.list_seeds(&seeds.list())?;
        }
        let engine = Engine::new(self.chosen.all())?;
        let weaknesses = engine.weaknesses();
        self.store.directory.add_weaknesses(&weaknesses)?;
        for weakness in weaknesses {
            writeln!(screen::errors(), "note: {weakness}")?;
        }
        Ok(Ready { engine, seeds, lineup: self.chosen.lineup(), opened: self })
    }

    /// Finds the seeds, which must be those that the campaign was created with.
    fn seeds(&self) -> Result<SeedFiles> {
        let paths: Vec<PathBuf> = self.plan.seeds.paths.iter().map(PathBuf::from).collect();
        let seeds = find_seeds(&paths, &languages_of(&self.techniques))?;
        if describe_seeds(&paths, &seeds).identity != self.plan.seeds.identity {
            bail!(
                "the seeds have changed since the campaign began ({} then, {} now); restore them, or start a new campaign",
                self.plan.seeds.count,
                seeds.count()
            );
        }
        Ok(seeds)
    }
}
