//! Warm sessions: one process of a solver answers many scripts.

use super::asker::{kept_output, translate};
use crate::{Engine, Program};
use analyzers::{Ending, Run, SmtRole};
use anyhow::{Context, Result};
use model::{Answer, Query, SmtInput, Verdict};

/// Sessions kept at once by one worker; the one used longest ago goes first.
const KEPT: usize = 6;
/// A session is replaced after so many answers, since solvers keep some memory of each.
const ANSWERS: u32 = 2000;

/// The warm sessions of one worker.
#[derive(Default)]
pub(crate) struct WarmSessions {
    /// The one used last is at the end.
    sessions: Vec<Warm>,
    next_marker: u64,
}

struct Warm {
    key: String,
    session: process::Session,
    answers: u32,
}

impl WarmSessions {
    /// Asks in a warm session, or in one that is new and for this query alone.
    pub fn ask(
        &mut self,
        engine: &Engine,
        query: &Query,
        input: &SmtInput,
        program: &Program,
        role: &SmtRole,
    ) -> Result<Answer> {
        let key = program.invocation().session_key(query, input);
        let mut warm = match self.sessions.iter().position(|warm| warm.key == key) {
            Some(index) if !query.fresh => self.sessions.remove(index),
            _ => open(engine, query, program, key)?,
        };
        self.next_marker += 1;
        let marker = format!("juvenal-{}", self.next_marker);
        let mut request = program.invocation().request(input, query.mode, &marker);
        if warm.answers == 0 {
            request.insert_str(0, &program.invocation().opening(input, query.mode));
        }
        let end = program.invocation().marker_line(&marker);
        let exchange = warm.session.exchange(request.as_bytes(), end.as_bytes(), &query.limits);
        let exchange = exchange.context("cannot end an analyzer")?;
        let ending = exchange.ended.as_ref().map_or(Ending::StillAlive, translate);
        let verdict = analyzers::read(role, &exchange.stdout, &exchange.stderr, ending, input.checks);
        warm.answers += 1;
        // A session that ended, refused a script or printed nonsense is not trusted with another.
        let healthy = exchange.ended.is_none() && matches!(verdict, Verdict::Claim(_) | Verdict::Unknown);
        if healthy && !query.fresh && warm.answers < ANSWERS {
            self.keep(warm);
        }
        let output = kept_output(&exchange.stdout, &exchange.stderr);
        Ok(Answer { verdict, cost: exchange.cost, output })
    }

    fn keep(&mut self, warm: Warm) {
        if self.sessions.len() >= KEPT {
            self.sessions.remove(0);
        }
        self.sessions.push(warm);
    }
}

fn open(engine: &Engine, query: &Query, program: &Program, key: String) -> Result<Warm> {
    let arguments = program
        .invocation()
        .session_arguments(query.mode, &query.limits)
        .with_context(|| format!("{} has no sessions of the mode {}", query.analyzer, query.mode))?;
    let run = Run { arguments, stdin: Vec::new(), file: None };
    let command = engine.command(program, &run)?;
    let session = engine.runner.open(&command, &query.limits).context("cannot start an analyzer")?;
    Ok(Warm { key, session, answers: 0 })
}
