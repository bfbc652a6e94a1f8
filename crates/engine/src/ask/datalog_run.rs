//! Running a Datalog engine: programs in its language, in a file of a directory of their own.

use super::question::{Asked, Reply, run_of};
use crate::door::{self, Trust};
use crate::{Backend, Engine, Program};
use analyzers::{DatalogRole, Question};
use anyhow::{Context, Result, bail};
use datalog::Dialect;
use model::{Cost, Query, Run, Verdict};
use std::ffi::OsString;
use std::path::Path;

impl Engine {
    /// Puts programs to an engine, in one run if it takes several. The first query decides on the options and the limits
    /// of all.
    pub(super) fn compute(&self, first: &Asked<'_>, questions: &[&Question<'_>]) -> Result<Vec<Reply>> {
        let Backend::Program(program) = &first.resolved.backend else {
            bail!("{} is no program", first.query.analyzer)
        };
        let (role, language, _) = first.question.datalog().context("a query without a program")?;
        self.compute_halving(&Call { query: first.query, program, role, language }, questions)
    }

    /// One run for all; if it fails as a whole, one for each half, until the program that is to blame is alone.
    fn compute_halving(&self, call: &Call<'_>, questions: &[&Question<'_>]) -> Result<Vec<Reply>> {
        let programs: Vec<&datalog::Program> =
            questions.iter().filter_map(|question| Some(question.datalog()?.2)).collect();
        let Some(request) = questions.first().and_then(|first| first.request.runs.first()) else {
            return Ok(Vec::new());
        };
        let (name, alone) = request.file.as_ref().context("a query without a file")?;
        if let [question] = questions {
            let outcome = self.run_engine(call, name, alone, &request.stdin, 1)?;
            let cost = outcome.cost;
            return Ok(vec![Reply::of_run(question, run_of(outcome), cost)]);
        }
        let Ok(text) = call.language.render_many(&programs) else {
            return self.compute_halves(call, questions, Cost::default());
        };
        let outcome = self.run_engine(call, name, text.as_bytes(), &[], programs.len())?;
        let cost = share(outcome.cost, programs.len() as u64);
        match call.split(questions, run_of(outcome), cost) {
            Some(replies) => Ok(replies),
            None => self.compute_halves(call, questions, cost),
        }
    }

    /// The answers of both halves, each with its share of the cost until now.
    fn compute_halves(
        &self,
        call: &Call<'_>,
        questions: &[&Question<'_>],
        spent: Cost,
    ) -> Result<Vec<Reply>> {
        let (left, right) = questions.split_at(questions.len() / 2);
        let mut replies = self.compute_halving(call, left)?;
        replies.extend(self.compute_halving(call, right)?);
        for reply in &mut replies {
            reply.cost.wall_microseconds += spent.wall_microseconds;
            reply.cost.cpu_microseconds += spent.cpu_microseconds;
        }
        Ok(replies)
    }

    fn run_engine(
        &self,
        call: &Call<'_>,
        file: &str,
        text: &[u8],
        stdin: &[u8],
        programs: usize,
    ) -> Result<process::Outcome> {
        let directory = self.new_directory()?;
        directory.write(file, text)?;
        let limits = call.role.run_limits(&call.query.limits, programs);
        let words = &call.program.command;
        // Most engines compile a program or run it in an interpreter of another language.
        let readable = call.program.readable();
        let first = words.first().cloned().unwrap_or_default();
        let mut command = door::command(Trust::UnderTest(&readable), first, directory.path());
        command.arguments = words.iter().skip(1).cloned().collect();
        let arguments = call.program.invocation().datalog_arguments(call.role, call.query, file, &limits);
        command.arguments.extend(arguments.iter().map(OsString::from));
        command.environment.extend(call.program.environment.iter().cloned());
        command.stdin = stdin.to_vec();
        let outcome = self.runner.run(&command, &limits).context("cannot run a Datalog engine")?;
        let cleaned = |printed| without_directory(printed, directory.path());
        let (stdout, stderr) = (cleaned(outcome.stdout), cleaned(outcome.stderr));
        Ok(process::Outcome { stdout, stderr, ..outcome })
    }
}

/// The engine and how it is asked.
struct Call<'a> {
    query: &'a Query,
    program: &'a Program,
    role: &'a DatalogRole,
    language: Dialect,
}

impl Call<'_> {
    /// What a run of several programs says about each; none if it says nothing about some of them.
    fn split(&self, questions: &[&Question<'_>], run: Run, cost: Cost) -> Option<Vec<Reply>> {
        let parts = self.role.split(self.language, questions.len(), &run)?;
        let replies = questions.iter().zip(parts).map(|(question, part)| Reply::of_run(question, part, cost));
        let replies: Vec<Reply> = replies.collect();
        let is_claim = |reply: &Reply| matches!(reply.verdict, Verdict::Claim(_));
        replies.iter().all(is_claim).then_some(replies)
    }
}

/// What was printed, without the directory of the run, which is a different one each time.
fn without_directory(printed: Vec<u8>, directory: &Path) -> Vec<u8> {
    let directory = format!("{}/", directory.display());
    match String::from_utf8(printed) {
        Ok(text) => text.replace(&directory, "").into_bytes(),
        Err(error) => error.into_bytes(),
    }
}

/// The cost of one of several programs that were run together. They shared the memory.
fn share(cost: Cost, programs: u64) -> Cost {
    Cost {
        wall_microseconds: cost.wall_microseconds / programs,
        cpu_microseconds: cost.cpu_microseconds / programs,
        ..cost
    }
}
