//! `juvenal hunt`: the main job.

use crate::analyzer::refuse_bad_choices;
use crate::knobs::{parse_settings, refuse_idle_settings};
use crate::lineup::{self, ResolvedLineup};
use crate::open_campaign::{Opened, Ready};
use crate::option_values::{at_least_one, cores, free_directory, parse_duration};
use crate::seed_choice::{absolute_paths, describe_seeds, find_seeds};
use crate::status;
use crate::summary::Summary;
use crate::technique_choice::{choose_techniques, languages_of, with_seeds, with_takers};
use crate::unit::ByProcess;
use crate::verdict_words::describe_verdict;
use anyhow::{Context, Result};
use campaign::{Budget, Campaign, HuntPlan, Plan, Stop, USUAL_CANDIDATES};
use clap::ValueEnum;
use std::path::PathBuf;
use std::time::Duration;
use store::Store;

/// What makes a hunt exit with 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Soundness findings only
    Soundness,
    /// Any finding
    Any,
    /// Nothing
    Never,
}

/// What a hunt prints, and its exit code.
#[derive(clap::Args)]
pub struct OutputOptions {
    /// Print one JSON event a line instead of the status
    #[arg(long)]
    pub json: bool,
    /// Which findings make the exit code 1
    #[arg(long, value_enum, default_value = "any")]
    pub fail_on: FailOn,
    /// Run every case in a process of its own
    #[arg(long, hide = true)]
    pub unit_processes: bool,
}

#[derive(clap::Args)]
pub struct Arguments {
    /// The techniques; all that have something to ask an analyzer under test if none is given
    techniques: Vec<String>,
    /// An analyzer under test: NAME, NAME@VERSION, NAME=PATH, a description ./FILE.toml, or ./FILE.toml=PATH,
    /// each optionally followed by :key=value,…; the newest version of each on the machine if none is given
    #[arg(long = "analyzer", value_name = "ANALYZER")]
    analyzers: Vec<String>,
    /// An analyzer that helps to judge; all others on the machine if none is given
    #[arg(long = "witness", value_name = "ANALYZER")]
    witnesses: Vec<String>,
    /// A seed file (.smt2, .c, .i, .dl, or a .yml task of SV-COMP) or a directory of seeds; those that come with
    /// juvenal if none is given
    #[arg(long, value_name = "PATH")]
    seeds: Vec<PathBuf>,
    /// The number from which everything random comes; another number is another hunt
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How long to hunt, such as 60s, 10m, 2h; 60s if neither this nor --cases is given
    #[arg(long, value_parser = parse_duration)]
    time: Option<Duration>,
    /// How many cases to run
    #[arg(long)]
    cases: Option<u64>,
    /// How many cases run at once; one for each core if not given
    #[arg(long, value_parser = at_least_one())]
    jobs: Option<usize>,
    /// How many smaller candidates are tried for each finding; 0 leaves findings as they were found, and
    /// `juvenal reduce` shrinks them later
    #[arg(long, value_name = "COUNT", default_value_t = USUAL_CANDIDATES)]
    candidates: usize,
    /// The campaign directory; juvenal-out, or the next free name, if not given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// A knob of a technique, TECHNIQUE.KEY=VALUE; `juvenal explain TECHNIQUE` lists them
    #[arg(long = "set", value_name = "KNOB")]
    settings: Vec<String>,
    #[command(flatten)]
    output: OutputOptions,
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    let settings = parse_settings(&arguments.settings)?;
    let techniques = choose_techniques(&arguments.techniques)?;
    for technique in &techniques {
        technique.check_knobs(&settings)?;
    }
    let seed_paths = absolute_paths(&arguments.seeds)?;
    let seeds = find_seeds(&seed_paths, &languages_of(&techniques))?;
    let techniques = with_seeds(techniques, &seeds);
    let locator = lineup::locator()?;
    let chosen = ResolvedLineup::resolve(&locator, &techniques, &arguments.analyzers, &arguments.witnesses)?;
    let were_named = !arguments.techniques.is_empty();
    let techniques = with_takers(techniques, &chosen, were_named, arguments.analyzers.is_empty())?;
    refuse_idle_settings(&settings, &techniques)?;
    refuse_bad_choices(&chosen.subjects)?;
    let seeds = seeds.only(&languages_of(&techniques));
    let time = match (arguments.time, arguments.cases) {
        (None, None) => Some(Duration::from_secs(60)),
        (time, _) => time,
    };
    let plan = Plan {
        juvenal: env!("CARGO_PKG_VERSION").to_owned(),
        random_seed: arguments.seed,
        jobs: arguments.jobs.unwrap_or_else(cores),
        lineup: chosen.plan(),
        seeds: describe_seeds(&seed_paths, &seeds),
        settings,
        hunt: Some(HuntPlan {
            techniques: techniques.iter().map(|technique| technique.name.to_owned()).collect(),
            demonstration: chosen.demonstration,
            seconds: time.map(|time| time.as_secs_f64()),
            cases: arguments.cases,
            candidates: arguments.candidates,
        }),
        compare: None,
    };
    let out = arguments.out.clone().unwrap_or_else(free_directory);
    let store = Store::create(&out, &plan.text()?)?;
    let hunt = plan.hunt();
    let ready = Opened { plan, store, chosen, techniques }.ready_with(seeds)?;
    carry_out(&ready, &hunt, &arguments.output)
}

/// Runs a hunt, new or resumed, and prints its result.
pub fn carry_out(ready: &Ready, hunt: &HuntPlan, output: &OutputOptions) -> Result<u8> {
    let stop = process::stop_on_interrupt();
    let directory = ready.opened.store.directory.path();
    let watcher = status::watcher(output.json, directory, stop);
    watcher.started(&ready.opened.plan, hunt, &ready.opened.chosen, &ready.engine.isolation());
    let stop = Stop { requested: stop, budget: Budget::starting_now(time_of(hunt)?, hunt.cases) };
    let campaign =
        Campaign { reduce_candidates: hunt.candidates, ..ready.campaign(stop, watcher.as_watcher()) };
    let progress = match output.unit_processes {
        true => campaign::hunt_by(&campaign, &ByProcess::new(&campaign, &ready.opened.chosen.texts_by_hand))?,
        false => campaign::hunt(&campaign)?,
    };
    watcher.clear();
    let interrupted = stop.is_requested();
    let sample = match progress.has_judged() {
        true => None,
        false => campaign::sample(&campaign)?,
    };
    let sample =
        sample.map(|it| format!("on {}, {} {}", it.seed_name, it.analyzer, describe_verdict(&it.verdict)));
    let (store, chosen) = (&ready.opened.store, &ready.opened.chosen);
    let summary = Summary { hunt, store, chosen, progress: &progress, interrupted, sample };
    if output.json {
        summary.print_json()?
    } else {
        summary.print()?
    }
    Ok(summary.exit_code(output.fail_on))
}

fn time_of(hunt: &HuntPlan) -> Result<Option<Duration>> {
    let read = |seconds| {
        Duration::try_from_secs_f64(seconds).context("the time in campaign.toml is not a valid time")
    };
    hunt.seconds.map(read).transpose()
}
