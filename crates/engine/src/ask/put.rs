//! Running an analyzer for one query, in the way that its backend and its role take.

use super::question::{Asked, Reply, run_of};
use super::warm::WarmSessions;
use crate::{Backend, Engine, Program};
use analyzers::{BuiltIn, RunRequest, SmtLiar};
use anyhow::{Context, Result};
use model::{Cost, Ending, Input, Mode, Query, Run};
use std::ffi::OsString;

impl Engine {
    /// Puts one query to its analyzer.
    pub(super) fn put(&self, asked: &Asked<'_>, sessions: &mut WarmSessions) -> Result<Reply> {
        if let Some(verdict) = asked.question.known_verdict() {
            return Ok(Reply::without_run(verdict));
        }
        match (&asked.query.input, &asked.resolved.backend) {
            (input, Backend::BuiltIn(built_in)) => self.ask_built_in(asked, input, built_in),
            (Input::Smt(_), Backend::Program(program)) if asked.query.mode == Mode::Process => {
                self.run_process(asked, program)
            }
            (Input::Smt(_), Backend::Program(program)) => sessions.ask(self, asked, program),
            (Input::C(_), Backend::Program(program)) => self.analyze(asked, program),
            (Input::Datalog(_), Backend::Program(_)) => {
                let replies = self.compute(asked, &[&asked.question])?;
                replies.into_iter().next().context("an engine without an answer")
            }
        }
    }

    fn ask_built_in(&self, asked: &Asked<'_>, input: &Input, built_in: &BuiltIn) -> Result<Reply> {
        match (built_in, input) {
            (BuiltIn::Smt(liar), _) if liar.needs_process() => self.run_own_program(asked),
            (BuiltIn::Smt(liar), Input::Smt(input)) => Ok(answer_inside(asked, liar, &input.text())),
            (BuiltIn::Datalog(engine), Input::Datalog(input)) => {
                Ok(Reply::without_run(engine.answer(&input.text)))
            }
            _ => anyhow::bail!("{} has no section [{}]", asked.query.analyzer, asked.query.role),
        }
    }

    /// One process for one script.
    fn run_process(&self, asked: &Asked<'_>, program: &Program) -> Result<Reply> {
        let run = asked.question.request.runs.first().context("a query without a run")?;
        let command = self.command(program, run)?;
        let outcome = self.runner.run(&command, &asked.query.limits).context("cannot run an analyzer")?;
        let cost = outcome.cost;
        Ok(Reply::of_run(&asked.question, run_of(outcome), cost))
    }

    /// A built-in liar that dies, hangs or floods runs as a process, so that only the process suffers.
    fn run_own_program(&self, asked: &Asked<'_>) -> Result<Reply> {
        let program = std::env::current_exe().context("cannot find the program of juvenal itself")?;
        let mut command = process::Command::new(program, self.run_root());
        command.arguments = ["built-in".into(), OsString::from(built_in_specification(asked.query))].to_vec();
        command.stdin = asked.query.input.text().into_bytes();
        let outcome =
            self.runner.run(&command, &asked.query.limits).context("cannot run the built-in liar")?;
        let cost = outcome.cost;
        Ok(Reply::of_run(&asked.question, run_of(outcome), cost))
    }

    /// The command of a run in the directory of the engine.
    pub(super) fn command(&self, program: &Program, run: &RunRequest<'_>) -> Result<process::Command> {
        let mut words = program.command.iter();
        let first = words.next().context("an analyzer without a program")?;
        let mut command = process::Command::new(first, self.run_root());
        command.arguments = words.cloned().collect();
        for argument in run.steps.iter().flat_map(|step| &step.arguments) {
            command.arguments.push(self.fill_in(argument, run)?);
        }
        command.environment.extend(program.environment.iter().cloned());
        command.stdin = run.stdin.clone();
        Ok(command)
    }

    /// An analyzer that takes no standard input gets its script as a file of the run directory. Workers share the
    /// directory, so each has a name of its own for it.
    fn fill_in(&self, argument: &str, run: &RunRequest<'_>) -> Result<OsString> {
        match &run.file {
            Some((name, bytes)) if argument == name => {
                let thread = format!("{:?}", std::thread::current().id());
                let unique: String = thread.chars().filter(char::is_ascii_digit).collect();
                Ok(self.directory.write(&format!("{unique}-{name}"), bytes)?.into_os_string())
            }
            _ => Ok(argument.into()),
        }
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
