//! Running an analyzer for one query, in the way that its backend and its role take.

use super::question::{Asked, Reply, run_of};
use super::warm::WarmSessions;
use crate::door::{self, Trust};
use crate::{Backend, Engine, Program, unless_stopped};
use analyzers::{BuiltIn, RunRequest};
use anyhow::{Context, Result};
use model::{Cost, Ending, Input, LimitKind, Mode, Query, Run, Verdict};
use process::{RunError, TimeLimit, is_interrupted};
use std::ffi::OsString;
use std::path::Path;

impl Engine {
    /// Puts one query to its analyzer. An analyzer that computes within this process also ends when `stop` returns true.
    pub(super) fn put(
        &self,
        asked: &Asked<'_>,
        sessions: &mut WarmSessions,
        stop: &dyn Fn() -> bool,
    ) -> Result<Reply> {
        if let Some(verdict) = asked.question.known_verdict() {
            return Ok(Reply::without_run(verdict));
        }
        match &asked.resolved.backend {
            Backend::Program(program) => self.ask_program(asked, program, sessions),
            Backend::ToolInfo(tool) => {
                self.analyze(asked, &|number, limits| self.run_tool(asked, tool, number, limits))
            }
            Backend::CLiar(liar) => {
                self.analyze(asked, &|number, limits| self.run_steps(asked, &liar.program, number, limits))
            }
            Backend::BuiltIn(built_in) => self.ask_built_in(asked, built_in, stop),
        }
    }

    fn ask_program(
        &self,
        asked: &Asked<'_>,
        program: &Program,
        sessions: &mut WarmSessions,
    ) -> Result<Reply> {
        if asked.question.datalog().is_some() {
            let replies = self.compute(asked, &[&asked.question])?;
            return replies.into_iter().next().context("an engine without an answer");
        }
        if asked.query.input.c().is_some() {
            return self.analyze(asked, &|number, limits| self.run_steps(asked, program, number, limits));
        }
        match asked.query.mode {
            Mode::Process => self.run_process(asked, program),
            Mode::Reset | Mode::Push => sessions.ask(self, asked, program),
        }
    }

    fn ask_built_in(&self, asked: &Asked<'_>, built_in: &BuiltIn, stop: &dyn Fn() -> bool) -> Result<Reply> {
        match (built_in, &asked.query.input) {
            (BuiltIn::Smt(liar), _) if liar.needs_process() => self.run_own_program(asked),
            (BuiltIn::Smt(liar), Input::Smt(input)) => {
                let (liar, script) = (liar.clone(), input.text());
                let printed = compute(asked, stop, move || liar.answer(&script).into_bytes())?;
                let run = |printed| Run::new(Ending::Exited(0), printed, Vec::new());
                Ok(printed.map_or_else(out_of_time, |printed| {
                    Reply::of_run(&asked.question, run(printed), Cost::default())
                }))
            }
            (BuiltIn::Datalog(engine), Input::Text(input)) => {
                let (engine, program) = (engine.clone(), input.text.clone());
                let verdict = compute(asked, stop, move || engine.answer(&program))?;
                Ok(verdict.map_or_else(out_of_time, Reply::without_run))
            }
            _ => anyhow::bail!("{} has no section [{}]", asked.query.analyzer, asked.query.role),
        }
    }

    /// One process for one input.
    fn run_process(&self, asked: &Asked<'_>, program: &Program) -> Result<Reply> {
        let run = asked.question.request.runs.first().context("a query without a run")?;
        let directory = self.new_directory()?;
        if let Some((name, bytes)) = &run.file {
            directory.write(name, bytes)?;
        }
        let command = self.command(program, run, directory.path())?;
        let outcome = self.runner.run(&command, &asked.query.limits).context("cannot run an analyzer")?;
        let cost = outcome.cost;
        Ok(Reply::of_run(&asked.question, run_of(outcome), cost))
    }

    /// A built-in liar that dies, hangs or floods runs as a process, so that only the process suffers.
    fn run_own_program(&self, asked: &Asked<'_>) -> Result<Reply> {
        let program = std::env::current_exe().context("cannot find the program of juvenal itself")?;
        let directory = self.new_directory()?;
        let mut command = door::command(Trust::Installed, program, directory.path());
        command.arguments = ["built-in".into(), OsString::from(built_in_specification(asked.query))].to_vec();
        command.stdin = asked.query.input.text().into_bytes();
        let outcome =
            self.runner.run(&command, &asked.query.limits).context("cannot run the built-in liar")?;
        let cost = outcome.cost;
        Ok(Reply::of_run(&asked.question, run_of(outcome), cost))
    }

    /// The command of a run in a directory.
    pub(super) fn command(
        &self,
        program: &Program,
        run: &RunRequest<'_>,
        directory: &Path,
    ) -> Result<process::Command> {
        let mut words = program.command.iter();
        let first = words.next().context("an analyzer without a program")?;
        let mut command = door::command(Trust::Installed, first, directory);
        command.arguments = words.cloned().collect();
        let arguments = run.steps.iter().flat_map(|step| &step.arguments);
        command.arguments.extend(arguments.map(OsString::from));
        command.environment.extend(program.environment.iter().cloned());
        command.stdin = run.stdin.clone();
        Ok(command)
    }
}

/// Computes an answer within this process, like a program under the limits of a query; none if its time is up.
fn compute<T: Send + 'static>(
    asked: &Asked<'_>,
    stop: &dyn Fn() -> bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<Option<T>> {
    let time = TimeLimit::of_milliseconds(asked.query.limits.wall_milliseconds);
    let is_unwanted = || is_interrupted() || stop();
    let computed = unless_stopped(&|| is_unwanted() || time.is_over(), work)?;
    if computed.is_none() && is_unwanted() {
        return Err(RunError::Interrupted { program: asked.query.analyzer.as_str().into() }.into());
    }
    Ok(computed)
}

fn out_of_time() -> Reply {
    Reply::without_run(Verdict::Limit(LimitKind::Time))
}

/// `liar-smt:lie=hang`, without the version, which is our own.
pub(super) fn built_in_specification(query: &Query) -> String {
    let id = query.analyzer.as_str();
    let configuration = id.split_once(':').map_or(String::new(), |(_, rest)| format!(":{rest}"));
    format!("{}{configuration}", query.analyzer.name())
}
