//! `juvenal unit DIR NUMBER`: runs one unit of a job in a process of its own.
//!
//! The process gets the plan, the store and the number of the unit, and prints the outcome. The process that holds the
//! campaign's lock records it.

use crate::open_campaign::{Again, join};
use crate::screen;
use anyhow::{Context, Result, bail};
use campaign::{Budget, Campaign, Cases, Compare, Hunt, Plan, Progress, Silent, Stop};
use clap::ValueEnum;
use engine::{Journal, Trust};
use model::Limits;
use schedule::{Job, Readiness, UnitResult, Worker};
use std::ffi::OsString;
use std::io::{Write, stdin};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A unit has no deadline of its own: each of its queries has one.
const LIMITS: Limits =
    Limits { wall_milliseconds: 86_400_000, memory_megabytes: 1 << 20, output_kilobytes: 1 << 20 };

/// A job whose units can run in processes of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum JobName {
    /// `juvenal hunt` and `juvenal resume`
    Hunt,
    /// `juvenal compare`
    Compare,
}

#[derive(clap::Args)]
pub struct Arguments {
    /// The campaign directory
    directory: PathBuf,
    /// The number of the unit
    number: u64,
    /// The job; by default, the one that the campaign was made for
    #[arg(long, value_enum)]
    job: Option<JobName>,
    /// Finish the outcome on standard input instead of running the unit from its beginning
    #[arg(long)]
    finish: bool,
    /// The remaining time, in seconds
    #[arg(long)]
    seconds: Option<f64>,
    #[command(flatten)]
    again: Again,
}

pub fn run(arguments: &Arguments) -> Result<u8> {
    let ready = join(&arguments.directory, &arguments.again)?.ready_with_recorded_seeds()?;
    let plan = &ready.opened.plan;
    let made_for = job_of(plan)?;
    let time =
        arguments.seconds.map(Duration::try_from_secs_f64).transpose().context("--seconds: not a time")?;
    let requested = AtomicBool::new(false);
    let stop = Stop { requested: &requested, budget: Budget::starting_now(time, None) };
    let reduce_candidates = plan.hunt().candidates;
    let campaign = Campaign { reduce_candidates, ..ready.campaign(stop, &Silent) };
    match arguments.job.unwrap_or(made_for) {
        // A comparison can be hunted on the same cases, but a hunt has none to compare.
        JobName::Compare if plan.compare.is_none() => bail!(
            "{} is the directory of a hunt, which has no units of `compare`; leave out --job, or name the directory of a \
             comparison",
            arguments.directory.display()
        ),
        JobName::Hunt => put(arguments, &campaign, &Hunt::new(&campaign)),
        JobName::Compare => put(arguments, &campaign, &Compare::new(&campaign)?),
    }
}

/// The job that a campaign was made for.
fn job_of(plan: &Plan) -> Result<JobName> {
    match (&plan.hunt, &plan.compare, &plan.tune) {
        (Some(_), ..) => Ok(JobName::Hunt),
        (None, Some(_), _) => Ok(JobName::Compare),
        (None, None, Some(_)) => {
            bail!(
                "units of `tune` cannot run alone, because the search decides what they try; continue it with `tune DIR`"
            )
        }
        (None, None, None) => bail!("campaign.toml names no job"),
    }
}

/// Runs or finishes the unit, and prints its outcome.
fn put(arguments: &Arguments, campaign: &Campaign<'_>, job: &impl Job) -> Result<u8> {
    let unfinished = match arguments.finish {
        true => Some(serde_json::from_reader(stdin().lock()).context("standard input holds no outcome")?),
        false => None,
    };
    let result = campaign.pool(Journal::ReadAndWrite).run_unit(job, arguments.number, unfinished)?;
    screen::json().write_all(format!("{}\n", serde_json::to_string(&result)?).as_bytes())?;
    Ok(0)
}

/// A job whose units run in processes of their own.
pub struct ByProcess<'a, J> {
    /// Runs the units that cannot run elsewhere: their seed is unusable, or the user interrupts.
    job: J,
    name: JobName,
    runner: process::Runner,
    cases: Cases<'a>,
    campaign: &'a Campaign<'a>,
    /// The arguments that name analyzers given by path again.
    analyzers: &'a [String],
}

impl<'a, J: Job> ByProcess<'a, J> {
    /// A job of a campaign.
    pub fn new(job: J, name: JobName, campaign: &'a Campaign<'a>, analyzers: &'a [String]) -> Self {
        let cases = campaign.cases();
        ByProcess { job, name, runner: process::Runner::probe(), cases, campaign, analyzers }
    }

    fn arguments(&self, unit: u64, stop: Stop<'_>) -> Result<Vec<OsString>> {
        let job = self.name.to_possible_value().context("a job without a name")?;
        let directory = self.campaign.store.directory.path();
        let number = OsString::from(unit.to_string());
        let mut arguments =
            vec!["unit".into(), directory.into(), number, "--job".into(), job.get_name().into()];
        if let Some(left) = stop.budget.left() {
            arguments.extend(["--seconds".into(), OsString::from(left.as_secs_f64().to_string())]);
        }
        for analyzer in self.analyzers {
            arguments.extend(["--analyzer".into(), OsString::from(analyzer)]);
        }
        Ok(arguments)
    }

    /// Runs a unit, or finishes its outcome; `None` if the user interrupts.
    fn outcome(
        &self,
        unit: u64,
        unfinished: Option<&J::Outcome>,
        worker: &Worker<'_>,
    ) -> Result<Option<J::Outcome>> {
        let program = std::env::current_exe().context("cannot find the program of juvenal itself")?;
        let mut command = engine::command(Trust::Installed, program, std::env::current_dir()?);
        command.environment = std::env::vars_os().collect();
        command.arguments = self.arguments(unit, worker.stop)?;
        if let Some(outcome) = unfinished {
            command.arguments.push("--finish".into());
            command.stdin = serde_json::to_vec(outcome)?;
        }
        let run = self.runner.run_until(&command, &LIMITS, &|| worker.stop.is_requested());
        let run = run.context("cannot run a unit")?;
        if run.ending != process::Ending::Exited(0) {
            if worker.stop.is_requested() {
                return Ok(None);
            }
            bail!("unit {unit} failed: {}", String::from_utf8_lossy(&run.stderr).trim());
        }
        let result: UnitResult<J::Outcome> =
            serde_json::from_slice(&run.stdout).with_context(|| format!("unit {unit} printed no outcome"))?;
        worker.progress.lock().tally.add(&result.tally);
        Ok(Some(result.outcome))
    }
}

impl<J: Job> Job for ByProcess<'_, J> {
    type Outcome = J::Outcome;

    fn run(&self, unit: u64, worker: &mut Worker<'_>) -> Result<J::Outcome> {
        // This stores the text of the seed, which the other process may not be able to read.
        let is_usable = matches!(self.cases.prepare(unit), Ok(Ok(_)));
        match if is_usable { self.outcome(unit, None, worker)? } else { None } {
            Some(outcome) => Ok(outcome),
            None => self.job.run(unit, worker),
        }
    }

    fn finish(&self, unit: u64, outcome: J::Outcome, worker: &mut Worker<'_>) -> Result<J::Outcome> {
        let is_over = worker.stop.is_over();
        match if is_over { None } else { self.outcome(unit, Some(&outcome), worker)? } {
            Some(finished) => Ok(finished),
            None => self.job.finish(unit, outcome, worker),
        }
    }

    fn readiness(&self, unit: u64, progress: &Progress) -> Readiness {
        self.job.readiness(unit, progress)
    }
}
