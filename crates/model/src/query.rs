//! One input for one analyzer, with its limits.

use crate::{AnalyzerId, Input};
use serde::{Deserialize, Serialize};
use std::fmt;

/// More than the number of times that any query is attempted.
const ATTEMPTS_APART: u32 = 16;

/// One input for one analyzer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    /// The analyzer.
    pub analyzer: AnalyzerId,
    /// The input.
    pub input: Input,
    /// The role of the analyzer that is asked for.
    pub role: Role,
    /// How the analyzer is driven.
    pub mode: Mode,
    /// Options for this query in addition to those of the line-up, for analyzers that take them as arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// True if the process that answers must not have answered anything before.
    pub fresh: bool,
    /// The limits of the run.
    pub limits: Limits,
    /// Counts repetitions: a second attempt is not answered from the record of the first.
    pub attempt: u32,
}

impl Query {
    /// A query under the default limits, for a process that may have answered others before. For a C program it asks
    /// which checks can be violated.
    pub fn new(analyzer: AnalyzerId, input: Input, mode: Mode) -> Query {
        let options = Vec::new();
        let role = input.language().kind().usual_role;
        Query { analyzer, input, role, mode, options, fresh: false, limits: Limits::default(), attempt: 0 }
    }

    /// The same query about another input.
    pub fn with_input(&self, input: Input) -> Query {
        Query { input, ..self.clone() }
    }

    /// The same query for a fresh process. Attempts at queries that are themselves repeated do not collide.
    pub fn fresh(&self, attempt: u32) -> Query {
        Query { fresh: true, attempt: self.attempt * ATTEMPTS_APART + attempt, ..self.clone() }
    }
}

/// The ways in which an analyzer is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// An SMT solver decides a script.
    Smt,
    /// Which checks of a C program can be violated?
    Reachability,
    /// What does the engine know about the checks of a C program when it reaches them?
    Debug,
    /// What does a bug finder warn about in a C program?
    Warnings,
    /// Which rows do the outputs of a Datalog program have?
    Datalog,
}

impl Role {
    /// Every role.
    pub const ALL: [Role; 5] = [Role::Smt, Role::Reachability, Role::Debug, Role::Warnings, Role::Datalog];

    /// Its name, which is the name of its section in descriptions.
    pub fn name(self) -> &'static str {
        match self {
            Role::Smt => "smt",
            Role::Reachability => "reachability",
            Role::Debug => "debug",
            Role::Warnings => "warnings",
            Role::Datalog => "datalog",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How an analyzer is driven. The ways differ in cost and in which bugs show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// One process for each input.
    Process,
    /// One process for many inputs, with `(reset)` before each.
    Reset,
    /// One process for many inputs, each between `(push 1)` and `(pop 1)`.
    Push,
}

impl Mode {
    /// Every mode, cheapest to judge first.
    pub const ALL: [Mode; 3] = [Mode::Process, Mode::Reset, Mode::Push];
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mode::Process => "process",
            Mode::Reset => "reset",
            Mode::Push => "push",
        })
    }
}

/// What one query may cost. Every query carries limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time for the whole run; the backstop for an analyzer's own deterministic limit.
    pub wall_milliseconds: u64,
    /// Memory of the whole process tree.
    pub memory_megabytes: u64,
    /// Standard output and standard error together.
    pub output_kilobytes: u64,
}

impl Limits {
    /// The largest limits of a query that is read from a campaign. Without them, whoever wrote it could make an analyzer
    /// run for ever, or fill the memory.
    pub const LARGEST: Limits =
        Limits { wall_milliseconds: 86_400_000, memory_megabytes: 1 << 16, output_kilobytes: 1 << 16 };

    /// The problem of limits above [`Limits::LARGEST`]; `None` if there is none.
    pub fn problem(&self) -> Option<String> {
        let Limits { wall_milliseconds, memory_megabytes, output_kilobytes } = Limits::LARGEST;
        let rows = [
            ("milliseconds", self.wall_milliseconds, wall_milliseconds),
            ("megabytes of memory", self.memory_megabytes, memory_megabytes),
            ("kilobytes of output", self.output_kilobytes, output_kilobytes),
        ];
        let (what, found, largest) = rows.into_iter().find(|(_, found, largest)| found > largest)?;
        Some(format!("expected at most {largest} {what} for a query, found {found}"))
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { wall_milliseconds: 10_000, memory_megabytes: 2048, output_kilobytes: 4096 }
    }
}
