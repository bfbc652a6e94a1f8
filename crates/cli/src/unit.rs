//! `juvenal unit DIR NUMBER`: runs one unit of a hunt in a process of its own.
//!
//! The process gets the plan, the store and the number of the unit, and prints the outcome. The process that holds the
//! campaign's lock records it.

use crate::open_campaign::{Again, join};
use crate::screen;
use anyhow::{Context, Result, bail};
use campaign::{Budget, Campaign, CaseOutcome, Cases, Progress, Silent, Stop, hunt_readiness, run_unit};
use engine::{Trust, is_interruption};
use model::Limits;
use schedule::{Job, Readiness, Worker};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A unit has no deadline of its own: each of its queries has one.
const LIMITS: Limits =
    Limits { wall_milliseconds: 86_400_000, memory_megabytes: 1 << 20, output_kilobytes: 1 << 20 };

#[derive(clap::Args)]
pub struct Arguments {
    /// The campaign directory
    directory: PathBuf,
    /// The number of the unit
    number: u64,
    /// How many sampled exhibits of each kind to examine, as a JSON object
    #[arg(long, value_name = "JSON")]
    sampled: Option<String>,
    /// The remaining time, in seconds
    #[arg(long)]
    seconds: Option<f64>,
    #[command(flatten)]
    again: Again,
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    let sampled: Option<BTreeMap<String, u64>> = match &arguments.sampled {
        Some(text) => Some(serde_json::from_str(text).context("--sampled: expected a JSON object")?),
        None => None,
    };
    let ready = join(&arguments.directory, &arguments.again)?.ready_with_recorded_seeds()?;
    let time =
        arguments.seconds.map(Duration::try_from_secs_f64).transpose().context("--seconds: not a time")?;
    let requested = AtomicBool::new(false);
    let stop = Stop { requested: &requested, budget: Budget::starting_now(time, None) };
    let reduce_candidates = ready.opened.plan.hunt().candidates;
    let campaign = Campaign { reduce_candidates, ..ready.campaign(stop, &Silent) };
    let outcome = run_unit(&campaign, arguments.number, sampled.as_ref())?;
    screen::json().write_all(format!("{}\n", serde_json::to_string(&outcome)?).as_bytes())?;
    Ok(0)
}

/// A hunt whose units run in processes of their own.
pub struct ByProcess<'a> {
    runner: process::Runner,
    cases: Cases<'a>,
    directory: &'a Path,
    /// The arguments that name analyzers given by path again.
    analyzers: &'a [String],
}

impl<'a> ByProcess<'a> {
    /// The hunt of a campaign.
    pub fn new(campaign: &'a Campaign<'a>, analyzers: &'a [String]) -> ByProcess<'a> {
        let directory = campaign.store.directory.path();
        ByProcess { runner: process::Runner::probe(), cases: campaign.cases(), directory, analyzers }
    }

    fn outcome(&self, unit: u64, more: &[String], stop: Stop<'_>) -> Result<CaseOutcome> {
        let program = std::env::current_exe().context("cannot find the program of juvenal itself")?;
        let mut command = engine::command(Trust::Installed, program, std::env::current_dir()?);
        command.environment = std::env::vars_os().collect();
        command.arguments = vec!["unit".into(), self.directory.into(), OsString::from(unit.to_string())];
        command.arguments.extend(more.iter().map(OsString::from));
        if let Some(left) = stop.budget.left() {
            command.arguments.extend(["--seconds".into(), OsString::from(left.as_secs_f64().to_string())]);
        }
        for analyzer in self.analyzers {
            command.arguments.extend(["--analyzer".into(), OsString::from(analyzer)]);
        }
        let outcome =
            self.runner.run_until(&command, &LIMITS, &|| stop.is_requested()).context("cannot run a unit")?;
        match outcome.ending {
            process::Ending::Exited(0) => serde_json::from_slice(&outcome.stdout)
                .with_context(|| format!("unit {unit} printed no outcome")),
            _ if stop.is_requested() => Ok(CaseOutcome::interrupted()),
            _ => bail!("unit {unit} failed: {}", String::from_utf8_lossy(&outcome.stderr).trim()),
        }
    }
}

impl Job for ByProcess<'_> {
    type Outcome = CaseOutcome;

    fn run(&self, unit: u64, worker: &mut Worker<'_>) -> Result<CaseOutcome> {
        // This stores the text of the seed, which the other process may not be able to read.
        match self.cases.prepare(unit) {
            Ok(Ok(_)) => self.outcome(unit, &[], worker.stop),
            Ok(Err(problem)) => Ok(CaseOutcome::skipped(&problem)),
            Err(error) if is_interruption(&error) => Ok(CaseOutcome::interrupted()),
            Err(error) => Err(error),
        }
    }

    fn finish(&self, unit: u64, outcome: CaseOutcome, worker: &mut Worker<'_>) -> Result<CaseOutcome> {
        if worker.stop.is_over() {
            return Ok(outcome.made_provisional());
        }
        let sampled = serde_json::to_string(&outcome.sampled_keys())?;
        let finished = self.outcome(unit, &["--sampled".to_owned(), sampled], worker.stop)?;
        Ok(if outcome.is_provisional() { finished.made_provisional() } else { finished })
    }

    fn readiness(&self, unit: u64, progress: &Progress) -> Readiness {
        hunt_readiness(&self.cases, unit, progress)
    }
}
