//! Warm sessions: one process of a solver answers many scripts.

use super::question::{Asked, Reply};
use crate::{Engine, Program, RunDirectory};
use analyzers::{Invocation, RunRequest, SessionRequest};
use anyhow::{Context, Result};
use model::{Ending, Query, Run, Verdict};

/// One worker keeps this many sessions; the least recently used one goes first.
const KEPT: usize = 6;
/// A session is replaced after this many answers, since solvers keep some memory of each.
const ANSWERS: u32 = 2000;

/// The warm sessions of one worker.
#[derive(Default)]
pub(super) struct WarmSessions {
    /// The most recently used one is at the end.
    sessions: Vec<Warm>,
    next_marker: u64,
}

struct Warm {
    name: String,
    session: process::Session,
    answers: u32,
    /// Where the session runs; removed after it.
    directory: RunDirectory,
}

impl WarmSessions {
    /// Asks in a warm session, or in a new one that answers this query alone.
    pub(super) fn ask(&mut self, engine: &Engine, asked: &Asked<'_>, program: &Program) -> Result<Reply> {
        let query = asked.query;
        let run = asked.question.request.runs.first().context("a query without a run")?;
        let request = run
            .session
            .as_ref()
            .with_context(|| format!("{} has no sessions of the mode {}", query.analyzer, query.mode))?;
        let mut warm = match self.sessions.iter().position(|warm| warm.name == request.name) {
            Some(index) if !query.fresh => self.sessions.remove(index),
            _ => open(engine, query, program, run, request)?,
        };
        self.next_marker += 1;
        let marker = format!("juvenal-{}", self.next_marker);
        let text = session_input(run, request, warm.answers == 0, &marker);
        let end = program.invocation().marker_line(&marker);
        let exchange = warm.session.exchange(&text, end.as_bytes(), &query.limits);
        let exchange = exchange.context("cannot end an analyzer")?;
        let (ending, cost) = (exchange.ending, exchange.cost);
        let reply = Reply::of_run(&asked.question, Run::new(ending, exchange.stdout, exchange.stderr), cost);
        warm.answers += 1;
        warm.directory.clear();
        // A session that ended, refused a script or printed nonsense is not trusted with another.
        let healthy =
            ending == Ending::StillAlive && matches!(reply.verdict, Verdict::Claim(_) | Verdict::Unknown);
        if healthy && !query.fresh && warm.answers < ANSWERS {
            self.keep(warm);
        }
        Ok(reply)
    }

    fn keep(&mut self, warm: Warm) {
        if self.sessions.len() >= KEPT {
            self.sessions.remove(0);
        }
        self.sessions.push(warm);
    }
}

fn session_input(run: &RunRequest<'_>, request: &SessionRequest, is_new: bool, marker: &str) -> Vec<u8> {
    let opening = if is_new { request.opening.as_bytes() } else { &[] };
    [opening, &run.stdin, Invocation::echo(marker).as_bytes()].concat()
}

fn open(
    engine: &Engine,
    query: &Query,
    program: &Program,
    run: &RunRequest<'_>,
    request: &SessionRequest,
) -> Result<Warm> {
    let directory = engine.new_directory()?;
    let command = engine.command(program, run, directory.path())?;
    let session = engine.runner.open(&command, &query.limits).context("cannot start an analyzer")?;
    Ok(Warm { name: request.name.clone(), session, answers: 0, directory })
}
