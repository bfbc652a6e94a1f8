//! Running an analyzer of C programs: its files, then its steps, in a directory of their own.

use super::preparation::{Preparation, write_support_files};
use super::question::{Asked, Reply, run_of};
use super::read_output::read_output;
use crate::door::{self, Trust};
use crate::{Engine, Program, RunDirectory};
use analyzers::{CRole, FilledStep};
use anyhow::{Context, Result};
use model::{Cost, Ending, LimitKind, Limits, Query, Run, Transcript, Verdict};
use std::ffi::OsString;
use std::path::Path;

/// The result of one run.
pub(super) struct Ran {
    pub(super) run: Run,
    pub(super) cost: Cost,
    /// Set if the verdict does not follow from the output.
    pub(super) verdict: Option<Verdict>,
}

impl Engine {
    /// Puts one C program to an analyzer, in as many runs as the request has. `run` makes the run of this number within
    /// these limits. The first run without a claim is the last.
    pub(super) fn analyze(
        &self,
        asked: &Asked<'_>,
        run: &dyn Fn(usize, &Limits) -> Result<Ran>,
    ) -> Result<Reply> {
        let question = &asked.question;
        let (mut runs, mut verdicts, mut cost) = (Vec::new(), Vec::new(), Cost::default());
        let mut can_be_read_again = true;
        for number in 0..question.request.runs.len() {
            let ran = match left(&asked.query.limits, cost) {
                Some(limits) => run(number, &limits)?,
                None => out_of_time(),
            };
            cost = cost.and(ran.cost);
            can_be_read_again &= ran.verdict.is_none();
            let verdict = ran.verdict.unwrap_or_else(|| question.read_run(number, &ran.run));
            let is_last = !matches!(verdict, Verdict::Claim(_));
            runs.push(ran.run);
            verdicts.push(verdict);
            if is_last {
                break;
            }
        }
        let verdict = question.together(verdicts);
        Ok(Reply {
            verdict,
            cost,
            transcript: Some(Transcript { can_be_read_again, ..Transcript::of(runs) }),
        })
    }

    /// Runs the analyzer's steps on one program.
    pub(super) fn run_steps(
        &self,
        asked: &Asked<'_>,
        program: &Program,
        number: usize,
        limits: &Limits,
    ) -> Result<Ran> {
        let role = c_role(asked, program)?;
        let steps = asked.question.steps_within(number, limits);
        let (once, each) = steps.split_at(steps.iter().take_while(|step| step.once).count());
        let directory = self.new_directory()?;
        let mut cost = Cost::default();
        if !once.is_empty() {
            match self.prepare(asked.query, program, role, once)? {
                Preparation::Ready(prepared, spent) => {
                    prepared.copy_into(directory.path())?;
                    cost = spent;
                }
                Preparation::Failed(outcome) => {
                    let cost = outcome.cost;
                    return Ok(Ran::new(Run { preparing: true, ..run_of(*outcome) }, cost));
                }
            }
        }
        write_program(&directory, asked, number)?;
        write_support_files(&directory, role)?;
        let ran = self.run_each(asked.query, program, role, each, limits, &directory)?;
        Ok(Ran { cost: cost.and(ran.cost), ..ran })
    }

    /// Runs the steps until one fails or the last one has ended.
    fn run_each(
        &self,
        query: &Query,
        program: &Program,
        role: CRole<'_>,
        steps: &[FilledStep],
        limits: &Limits,
        directory: &RunDirectory,
    ) -> Result<Ran> {
        let last = steps.len().saturating_sub(1);
        let mut cost = Cost::default();
        // What is done once for all queries takes nothing from the time of this one.
        let mut left = limits.wall_milliseconds;
        for (number, step) in steps.iter().enumerate() {
            let limits = Limits { wall_milliseconds: left.max(1), ..*limits };
            let command = step_command(program, role, step, directory.path());
            let outcome = self.runner.run(&command, &limits).context("cannot run an analyzer")?;
            cost = cost.and(outcome.cost);
            left = left.saturating_sub(outcome.cost.wall_microseconds / 1000);
            let failed = outcome.ending != Ending::Exited(0);
            if number == last || failed {
                let file = role.output_file().and_then(|name| read_output(&directory.path().join(name)));
                return Ok(Ran::new(Run { file, preparing: number < last, ..run_of(outcome) }, cost));
            }
        }
        anyhow::bail!("the description of {} has no steps", query.analyzer)
    }
}

/// The section that the query is about.
pub(super) fn c_role<'a>(asked: &Asked<'_>, program: &'a Program) -> Result<CRole<'a>> {
    program.description.c_role(asked.query.role).context("a query without a role")
}

impl Ran {
    pub(super) fn new(run: Run, cost: Cost) -> Ran {
        Ran { run, cost, verdict: None }
    }
}

/// What is left of the time for all runs together; none if nothing is left.
fn left(limits: &Limits, spent: Cost) -> Option<Limits> {
    let left = limits.wall_milliseconds.checked_sub(spent.wall_microseconds / 1000)?;
    (left > 0).then_some(Limits { wall_milliseconds: left, ..*limits })
}

/// A run that was not started because earlier ones used up the time.
fn out_of_time() -> Ran {
    Ran::new(Run::new(Ending::Limit(LimitKind::Time), Vec::new(), Vec::new()), Cost::default())
}

/// Writes the rendered program of one run.
pub(super) fn write_program(directory: &RunDirectory, asked: &Asked<'_>, number: usize) -> Result<()> {
    if let Some((name, bytes)) = asked.question.request.runs.get(number).and_then(|run| run.file.as_ref()) {
        directory.write(name, bytes)?;
    }
    Ok(())
}

pub(super) fn step_command(
    program: &Program,
    role: CRole<'_>,
    step: &FilledStep,
    directory: &Path,
) -> process::Command {
    let own = program.command.first().cloned().unwrap_or_default();
    // A program that an earlier step made stands in the directory of the run.
    let first = match &step.program {
        Some(name) if name.starts_with("./") => directory.join(name).into_os_string(),
        Some(name) => OsString::from(name),
        None => own,
    };
    let readable = program.readable();
    // A compiler reads what the program says, and what it makes is the program; some analyzers call its functions.
    let is_trusted = step.program.is_none() && !step.confined && !role.runs_programs();
    let trust = if is_trusted { Trust::Installed } else { Trust::UnderTest(&readable) };
    let mut command = door::command(trust, first, directory);
    if step.program.is_none() {
        command.arguments = program.command.iter().skip(1).cloned().collect();
    }
    command.arguments.extend(step.arguments.iter().map(OsString::from));
    command.environment.extend(program.environment.iter().cloned());
    command
}
