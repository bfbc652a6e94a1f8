//! `juvenal hunt`: starts a campaign and hunts for wrong answers.

use crate::analyzer::refuse_bad_choices;
use crate::how_to_continue::how_to_continue;
use crate::knobs::{parse_settings, refuse_idle_settings};
use crate::lineup::{self, ResolvedLineup};
use crate::open_campaign::{Opened, Ready};
use crate::option_values::{at_least_one, cores, free_directory, parse_duration};
use crate::seed_choice::{absolute_paths, describe_seeds, find_seeds};
use crate::status;
use crate::summary::Summary;
use crate::technique_choice::{choose_techniques, seed_languages_of, with_seeds, with_subjects};
use crate::unit::{ByProcess, JobName};
use crate::verdict_words::describe_verdict;
use anyhow::{Context, Result};
use campaign::{Budget, Campaign, Hunt, HuntPlan, Plan, Stop, USUAL_CANDIDATES};
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
    /// Print JSON events, one per line, instead of the status
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
    /// The techniques; by default, all that apply to an analyzer under test
    techniques: Vec<String>,
    /// An analyzer under test: NAME, NAME@VERSION, NAME=PATH, a description ./FILE.toml, or ./FILE.toml=PATH,
    /// each optionally followed by :key=value,…; by default, the newest version of each installed analyzer
    #[arg(long = "analyzer", value_name = "ANALYZER")]
    analyzers: Vec<String>,
    /// An analyzer that helps to judge; by default, all other installed analyzers
    #[arg(long = "witness", value_name = "ANALYZER")]
    witnesses: Vec<String>,
    /// A seed file (.smt2, .c, .i, .dl, .datalog, or a .yml task of SV-COMP) or a directory of seeds; by default, the seeds that
    /// come with juvenal
    #[arg(long, value_name = "PATH")]
    seeds: Vec<PathBuf>,
    /// The number from which all random choices are derived; another number gives another hunt
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How long to hunt, such as 60s, 10m or 2h; 60s if neither this nor --cases is given
    #[arg(long, value_parser = parse_duration)]
    time: Option<Duration>,
    /// The number of cases to run
    #[arg(long, value_parser = at_least_one::<u64>())]
    cases: Option<u64>,
    /// The number of cases that run in parallel; one per core by default
    #[arg(long, value_parser = at_least_one::<usize>())]
    jobs: Option<usize>,
    /// The maximum number of reduction candidates for each finding; with 0, findings are not reduced until
    /// `juvenal reduce` is run
    #[arg(long, value_name = "COUNT", default_value_t = USUAL_CANDIDATES)]
    candidates: usize,
    /// The campaign directory to create; by default juvenal-out, or the next free name
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
    let seeds = find_seeds(&seed_paths, &seed_languages_of(&techniques))?;
    let techniques = with_seeds(techniques, &seeds);
    let locator = lineup::locator()?;
    let chosen = ResolvedLineup::resolve(&locator, &techniques, &arguments.analyzers, &arguments.witnesses)?;
    let were_named = !arguments.techniques.is_empty();
    let techniques = with_subjects(techniques, &chosen, were_named, arguments.analyzers.is_empty())?;
    refuse_idle_settings(&settings, &techniques)?;
    refuse_bad_choices(&chosen.subjects)?;
    let seeds = seeds.only(&seed_languages_of(&techniques));
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
        tune: None,
        split: None,
    };
    let out = arguments.out.clone().unwrap_or_else(free_directory);
    let store = Store::create(&out, &plan.text()?)?;
    let hunt = plan.hunt();
    let ready = Opened { plan, store, chosen, techniques }.ready_with(seeds)?;
    carry_out(&ready, &hunt, &arguments.output)
}

/// Runs a hunt, new or resumed, and prints its result.
pub fn carry_out(ready: &Ready, hunt: &HuntPlan, output: &OutputOptions) -> Result<u8> {
    let stop = process::end_runs_on_interrupt();
    let directory = ready.opened.store.directory.path();
    let watcher = status::watcher(output.json, directory, stop);
    watcher.started(&ready.opened.plan, hunt, &ready.opened.chosen, &ready.engine);
    let stop = Stop { requested: stop, budget: Budget::starting_now(time_of(hunt)?, hunt.cases) };
    let campaign =
        Campaign { reduce_candidates: hunt.candidates, ..ready.campaign(stop, watcher.as_watcher()) };
    let job = Hunt::new(&campaign);
    let texts = &ready.opened.chosen.texts_by_hand;
    let progress = match output.unit_processes {
        true => campaign::hunt_by(&campaign, &ByProcess::new(job, JobName::Hunt, &campaign, texts)),
        false => campaign::hunt_by(&campaign, &job),
    };
    let progress = progress.with_context(|| how_to_continue("resume", ready))?;
    watcher.clear();
    let interrupted = stop.is_requested();
    let example = match progress.has_judged() || interrupted {
        true => None,
        false => campaign::example_answer(&campaign)?,
    };
    let example =
        example.map(|it| format!("on {}, {} {}", it.seed_name, it.analyzer, describe_verdict(&it.verdict)));
    let (store, chosen) = (&ready.opened.store, &ready.opened.chosen);
    let summary = Summary { hunt, store, chosen, progress: &progress, interrupted, example };
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
