//! Running an analyzer for one query, in the way that its backend and its role take.

use super::question::{Asked, Reply, run_of};
use super::warm::WarmSessions;
use crate::door::{self, Trust};
use crate::{Backend, Engine, Program};
use analyzers::{BuiltIn, RunRequest, SmtLiar};
use anyhow::{Context, Result};
use model::{Cost, Ending, Input, Mode, Query, Run};
use std::ffi::OsString;
use std::path::Path;

impl Engine {
    /// Puts one query to its analyzer.
    pub(super) fn put(&self, asked: &Asked<'_>, sessions: &mut WarmSessions) -> Result<Reply> {
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
            Backend::BuiltIn(built_in) => self.ask_built_in(asked, built_in),
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

    fn ask_built_in(&self, asked: &Asked<'_>, built_in: &BuiltIn) -> Result<Reply> {
        match (built_in, &asked.query.input) {
            (BuiltIn::Smt(liar), _) if liar.needs_process() => self.run_own_program(asked),
            (BuiltIn::Smt(liar), Input::Smt(input)) => Ok(answer_inside(asked, liar, &input.text())),
            (BuiltIn::Datalog(engine), Input::Text(input)) => {
                Ok(Reply::without_run(engine.answer(&input.text)))
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

fn answer_inside(asked: &Asked<'_>, liar: &SmtLiar, script: &str) -> Reply {
    let printed = liar.answer(script).into_bytes();
    Reply::of_run(&asked.question, Run::new(Ending::Exited(0), printed, Vec::new()), Cost::default())
}

/// `liar-smt:lie=hang`, without the version, which is our own.
pub(super) fn built_in_specification(query: &Query) -> String {
    let id = query.analyzer.as_str();
    let configuration = id.split_once(':').map_or(String::new(), |(_, rest)| format!(":{rest}"));
    format!("{}{configuration}", query.analyzer.name())
}
