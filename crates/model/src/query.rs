//! One input for one analyzer, with its limits.

use crate::{AnalyzerId, Hash, Input};
use serde::{Deserialize, Serialize};
use std::fmt;

/// More attempts than at any one question.
const ATTEMPTS_APART: u32 = 16;

/// One question to one analyzer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    /// Who is asked.
    pub analyzer: AnalyzerId,
    /// What is asked.
    pub input: Input,
    /// In which of its roles the analyzer is asked.
    pub role: Role,
    /// How the analyzer is driven.
    pub mode: Mode,
    /// Options for this question, besides those of the line-up; for analyzers that take them as arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// True if no process that has answered before may answer this.
    pub fresh: bool,
    /// What the run may cost.
    pub limits: Limits,
    /// Counts repeated questions, so that a second attempt is not answered from the first.
    pub attempt: u32,
}

impl Query {
    /// A question under the usual limits, to a process that may have answered others before. Of an analyzer of C
    /// programs it asks which checks can be violated.
    pub fn new(analyzer: AnalyzerId, input: Input, mode: Mode) -> Query {
        let options = Vec::new();
        let role = input.language().kind().usual_role;
        Query { analyzer, input, role, mode, options, fresh: false, limits: Limits::default(), attempt: 0 }
    }

    /// The same question about another input.
    pub fn with_input(&self, input: Input) -> Query {
        Query { input, ..self.clone() }
    }

    /// The same question for a process of its own. Attempts at questions that are repeated themselves stay apart.
    pub fn fresh(&self, attempt: u32) -> Query {
        Query { fresh: true, attempt: self.attempt * ATTEMPTS_APART + attempt, ..self.clone() }
    }

    /// The key of the answers table: everything that may change the answer.
    /// `description` is the hash of the analyzer's description, which decides how output is read.
    pub fn key(&self, description: Hash) -> Hash {
        let limits = [
            self.limits.wall_milliseconds.to_le_bytes(),
            self.limits.memory_megabytes.to_le_bytes(),
            self.limits.output_kilobytes.to_le_bytes(),
        ];
        let fixed: [&[u8]; 8] = [
            self.analyzer.as_str().as_bytes(),
            &description.0,
            &self.input.identity().0,
            &[self.mode as u8, u8::from(self.fresh), self.role as u8],
            &self.attempt.to_le_bytes(),
            &limits[0],
            &limits[1],
            &limits[2],
        ];
        let options = self.options.iter().flat_map(|(key, value)| [key.as_bytes(), value.as_bytes()]);
        Hash::of_parts(fixed.into_iter().chain(options))
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
    /// What does the engine know of the checks of a C program where it comes to them?
    Debug,
    /// What does a bug finder warn of in a C program?
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
    /// Wall time for the whole run; the backstop behind an analyzer's own deterministic limit.
    pub wall_milliseconds: u64,
    /// Memory of the whole process tree.
    pub memory_megabytes: u64,
    /// Standard output and standard error together.
    pub output_kilobytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { wall_milliseconds: 10_000, memory_megabytes: 2048, output_kilobytes: 4096 }
    }
}
