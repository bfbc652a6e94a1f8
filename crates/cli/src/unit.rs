//! `juvenal unit DIR NUMBER`: runs one unit of a hunt in a process of its own.
//!
//! The process gets the plan, the store and the number of the unit, and prints the outcome. The process that holds the
//! campaign's lock records it. This is how units will run on other machines.

use crate::open_campaign::{Again, join};
use anyhow::{Context, Result, bail};
use campaign::{Budget, Campaign, CaseOutcome, Event, Stop, Watcher, run_unit};
use model::Limits;
use schedule::{Job, Worker};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// A unit has no deadline of its own: each of its queries has one.
const LIMITS: Limits =
    Limits { wall_milliseconds: 86_400_000, memory_megabytes: 1 << 20, output_kilobytes: 1 << 20 };

#[derive(clap::Args)]
pub struct Arguments {
    /// The campaign directory
    directory: PathBuf,
    /// The number of the unit
    number: u64,
    /// Examine so many sampled exhibits of each kind, as a JSON object
    #[arg(long, value_name = "JSON")]
    sampled: Option<String>,
    #[command(flatten)]
    again: Again,
}

/// A watcher that ignores everything.
pub struct Silent;

impl Watcher for Silent {
    fn event(&self, _event: &Event<'_>) {}
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    let sampled: Option<BTreeMap<String, u64>> = match &arguments.sampled {
        Some(text) => Some(serde_json::from_str(text).context("--sampled: expected a JSON object")?),
        None => None,
    };
    let ready = join(&arguments.directory, &arguments.again)?.ready()?;
    let requested = AtomicBool::new(false);
    let stop = Stop { requested: &requested, budget: Budget::starting_now(None, None) };
    let reduce_candidates = ready.opened.plan.hunt().candidates;
    let campaign = Campaign { reduce_candidates, ..ready.campaign(stop, &Silent) };
    let outcome = run_unit(&campaign, arguments.number, sampled.as_ref())?;
    println!("{}", serde_json::to_string(&outcome)?);
    Ok(0)
}

/// A hunt whose units run in processes of their own.
pub struct ByProcess {
    runner: process::Runner,
    directory: PathBuf,
    /// How analyzers that were given by path must be named again.
    analyzers: Vec<String>,
}

impl ByProcess {
    /// The hunt of a campaign directory.
    pub fn new(directory: &Path, analyzers: &[String]) -> ByProcess {
        ByProcess {
            runner: process::Runner::probe(),
            directory: directory.to_owned(),
            analyzers: analyzers.to_vec(),
        }
    }

    fn outcome(&self, unit: u64, more: &[String]) -> Result<CaseOutcome> {
        let program = std::env::current_exe().context("cannot find the program of juvenal itself")?;
        let mut command = process::Command::new(program, std::env::current_dir()?);
        command.environment = std::env::vars_os().collect();
        let directory = self.directory.clone().into_os_string();
        command.arguments = vec!["unit".into(), directory, OsString::from(unit.to_string())];
        command.arguments.extend(more.iter().map(OsString::from));
        for analyzer in &self.analyzers {
            command.arguments.extend(["--analyzer".into(), OsString::from(analyzer)]);
        }
        let outcome = self.runner.run(&command, &LIMITS).context("cannot run a unit")?;
        if outcome.ending != process::Ending::Exited(0) {
            bail!("unit {unit} failed: {}", String::from_utf8_lossy(&outcome.stderr).trim());
        }
        serde_json::from_slice(&outcome.stdout).with_context(|| format!("unit {unit} printed no outcome"))
    }
}

impl Job for ByProcess {
    type Outcome = CaseOutcome;

    fn run(&self, unit: u64, _worker: &mut Worker<'_>) -> Result<CaseOutcome> {
        self.outcome(unit, &[])
    }

    fn finish(&self, unit: u64, outcome: CaseOutcome, _worker: &mut Worker<'_>) -> Result<CaseOutcome> {
        let sampled = serde_json::to_string(&outcome.sampled_keys())?;
        self.outcome(unit, &["--sampled".to_owned(), sampled])
    }
}
