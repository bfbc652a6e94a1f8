//! What one configuration of an analyzer settles on one program, with evidence: the material of `juvenal tune`.
//!
//! A [`Task`] is a program and what is to be settled about it. It says what to ask an analyzer with some options, what the
//! answers settle, and which of them are wrong. Like techniques, tasks never run anything.

mod alarms;
mod checks;
mod errors;
mod functions;
mod rows;
mod scripts;

pub use alarms::AlarmTask;
pub use checks::CheckTask;
pub use errors::ErrorTask;
pub use rows::RowTask;
pub use scripts::{ScriptTask, script_option};

use crate::datalog_walk::Outputs;
use model::{AnalyzerInfo, Answer, Exhibit, Limits, Query, SmtStatus, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A program, and what is to be settled about it.
pub trait Task: Send + Sync {
    /// What to ask other analyzers before anything is compared, such as executions that show which checks fail. It is asked
    /// again after [`Task::learn`], until there is nothing left to ask.
    fn evidence(&self) -> Vec<Query>;

    /// Takes the answers to the evidence. An error says why the program cannot be used.
    fn learn(&mut self, asked: &[Query], answers: &[Answer]) -> Result<(), Unusable>;

    /// Takes what the analyzer settles with its defaults, by which the share of what is open is counted. An error says why
    /// the program cannot be used.
    fn note_default(&mut self, _settled: &Settled) -> Result<(), Unusable> {
        Ok(())
    }

    /// What to ask an analyzer with some options. What earlier ingredients of a recipe settled may be assumed.
    fn queries(&self, ingredient: &Asked<'_>, settled: &Settled) -> Vec<Query>;

    /// Adds what the answers settle. An error says why there is no answer.
    fn settle(&self, queries: &[Query], answers: &[Answer], settled: &mut Settled) -> Result<(), Failure>;

    /// The answers that are wrong, each with what shows it.
    fn accuse(&self, ingredient: &Asked<'_>, queries: &[Query], answers: &[Answer]) -> Vec<Exhibit>;

    /// What to ask in addition before a configuration is accepted, if the usual queries show no wrong claims.
    fn audit(&self, _ingredient: &Asked<'_>) -> Vec<Query> {
        Vec::new()
    }

    /// How much is left open.
    fn open(&self, settled: &Settled) -> Open;
}

/// How much of a program is left open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Open {
    /// How much.
    pub unresolved: u32,
    /// Of how much.
    pub total: u32,
    /// True if evidence can refute what is claimed about the program, without an audit.
    pub has_evidence: bool,
    /// The same for each function, in the order of their names; empty if nothing belongs to a function, or functions are
    /// not known.
    pub by_function: BTreeMap<String, OpenPart>,
}

/// How much of a function is left open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenPart {
    /// How much.
    pub unresolved: u32,
    /// Of how much.
    pub total: u32,
}

/// An analyzer with options and limits.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The analyzer.
    pub analyzer: &'a AnalyzerInfo,
    /// The options in addition to its defaults.
    pub options: &'a [(String, String)],
    /// The limits of each query.
    pub limits: Limits,
}

/// What the ingredients of a recipe have settled so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// Checks that are verified.
    pub verified: BTreeSet<u32>,
    /// Alarms that every ingredient raises; none before the first.
    pub alarms: Option<BTreeSet<Alarm>>,
    /// Errors that are found, by number.
    pub found: BTreeSet<u32>,
    /// Warnings of what cannot happen.
    pub false_warnings: u32,
    /// True if a script or a program has its answer.
    pub is_answered: bool,
    /// An assignment that makes every assertion of a script true.
    pub assignment: Option<String>,
    /// What a solver says about a script.
    pub status: Option<SmtStatus>,
    /// The rows that an engine computes.
    pub rows: Option<Outputs>,
}

/// What an analyzer cannot exclude: a line, and the kind and the text of the alarm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Alarm {
    /// The line, from 1.
    pub line: u32,
    /// The kind, as the analyzer names it.
    pub checker: String,
    /// What the analyzer says.
    pub message: String,
}

/// Why a program cannot be used: a few words, and the details.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// The words, by which programs are counted.
    pub reason: String,
    /// The details.
    pub detail: String,
}

impl Unusable {
    pub(crate) fn new(reason: impl Into<String>, detail: impl Into<String>) -> Unusable {
        Unusable { reason: reason.into(), detail: detail.into() }
    }
}

/// Why a query has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A limit was reached.
    Limit,
    /// Something else, in words.
    Failed(String),
}

/// The failure that a verdict is; none for a claim and for an analyzer that does not know.
fn failure(verdict: &Verdict) -> Option<Failure> {
    match verdict {
        Verdict::Claim(_) | Verdict::Unknown => None,
        Verdict::Limit(_) => Some(Failure::Limit),
        Verdict::Crash(what) => Some(Failure::Failed(format!("crash: {what}"))),
        Verdict::Rejected(message) => Some(Failure::Failed(format!("refused: {message}"))),
        Verdict::Unreadable(reason) => Some(Failure::Failed(format!("unreadable: {reason}"))),
    }
}
