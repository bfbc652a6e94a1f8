//! What came back from an analyzer.

use crate::{ProjectReport, Warning};
use serde::{Deserialize, Serialize};

/// The verdict of one run and what it cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The claim, or why there is none.
    pub verdict: Verdict,
    /// What the run cost.
    pub cost: Cost,
    /// What the analyzer printed. Empty unless the caller of the engine asks for outputs.
    #[serde(skip)]
    pub output: Vec<u8>,
}

impl Answer {
    /// The claims on each check of an SMT-LIB script; empty if there is no claim.
    pub fn smt_checks(&self) -> &[SmtCheck] {
        match &self.verdict {
            Verdict::Claim(Claim::Smt(checks)) => checks,
            _ => &[],
        }
    }

    /// The claims about the checks of a C program; none if there is no such claim.
    pub fn checks(&self) -> Option<&ChecksClaim> {
        match &self.verdict {
            Verdict::Claim(Claim::Checks(claim)) => Some(claim),
            _ => None,
        }
    }
}

impl Answer {
    /// The warnings of a bug finder; none if there is no such claim.
    pub fn warnings(&self) -> Option<&[Warning]> {
        match &self.verdict {
            Verdict::Claim(Claim::Warnings(warnings)) => Some(warnings),
            _ => None,
        }
    }
}

impl Answer {
    /// The rows of an output of a Datalog program; none if there is no such claim.
    pub fn rows(&self, relation: &str) -> Option<&[Vec<String>]> {
        match &self.verdict {
            Verdict::Claim(Claim::Rows(outputs)) => {
                outputs.iter().find(|output| output.relation == relation).map(|output| output.rows.as_slice())
            }
            _ => None,
        }
    }
}

impl ChecksClaim {
    /// The status of one check.
    pub fn status(&self, check: u32) -> Option<CheckStatus> {
        self.checks.iter().find(|claim| claim.check == check).map(|claim| claim.status)
    }
}

/// How a run is to be understood. None of these is an error of ours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The analyzer committed itself.
    Claim(Claim),
    /// The analyzer says that it does not know.
    Unknown,
    /// The run was ended by one of our limits or by the analyzer's own.
    Limit(LimitKind),
    /// The analyzer died or reported an internal failure; the text identifies the place.
    Crash(String),
    /// The analyzer refused the input; the text is its message.
    Rejected(String),
    /// No rule of the description matches what was printed.
    Unreadable(String),
}

impl Verdict {
    /// One word for tables and counts.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Claim(_) => "claim",
            Verdict::Unknown => "unknown",
            Verdict::Limit(_) => "limit",
            Verdict::Crash(_) => "crash",
            Verdict::Rejected(_) => "rejected",
            Verdict::Unreadable(_) => "unreadable",
        }
    }
}

/// Which limit ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LimitKind {
    /// Wall time.
    Time,
    /// Memory of the process tree.
    Memory,
    /// Bytes printed.
    Output,
    /// The analyzer's own deterministic resource limit.
    Resource,
}

/// What an analyzer committed itself to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// One entry for each check, in order, up to the first error that casts doubt on what follows.
    Smt(Vec<SmtCheck>),
    /// The status of every check of a C program.
    Checks(ChecksClaim),
    /// What a bug finder warns of, in the order of its output.
    Warnings(Vec<Warning>),
    /// The rows of the outputs of a Datalog program.
    Rows(Vec<OutputRows>),
    /// What a tool reports about the files of a project.
    Report(ProjectReport),
}

/// The rows of one output of a Datalog program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputRows {
    /// The relation.
    pub relation: String,
    /// Its rows, sorted, each once. Values are written as in the program.
    pub rows: Vec<Vec<String>>,
}

/// What an analyzer claims about the checks of a C program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChecksClaim {
    /// One entry for each check of the program, by number.
    pub checks: Vec<CheckClaim>,
    /// Undefined behaviour that an execution met, with its inputs, or that the analyzer warns of and executions
    /// cannot show, such as reading a variable without a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
}

/// The claim about one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckClaim {
    /// The check's number.
    pub check: u32,
    /// The claimed status.
    pub status: CheckStatus,
    /// The inputs of an execution that violates it, where one was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<String>,
    /// The values that executions noted where it stands, where it asks for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<String>,
}

impl CheckClaim {
    /// A status alone.
    pub fn new(check: u32, status: CheckStatus) -> CheckClaim {
        CheckClaim { check, status, inputs: None, values: None }
    }
}

/// The status of one check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckStatus {
    /// No execution violates it.
    Verified,
    /// Some execution violates it.
    Violated,
    /// An alarm that the analyzer cannot settle, or nothing at all.
    Unknown,
}

/// The answer to one `check-sat`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmtCheck {
    /// The word printed.
    pub status: SmtStatus,
    /// The answer to a `get-model` or `get-value` right after it, as printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// The word an SMT solver answers with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SmtStatus {
    /// Satisfiable.
    Sat,
    /// Unsatisfiable.
    Unsat,
    /// Neither was found.
    Unknown,
}

/// What one run cost, and how that was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Wall time in microseconds.
    pub wall_microseconds: u64,
    /// CPU time of the whole process tree in microseconds.
    pub cpu_microseconds: u64,
    /// Peak memory of the whole process tree; 0 where it was not measured.
    pub peak_memory_bytes: u64,
    /// How the process tree is killed.
    pub kill: KillMode,
    /// How CPU time and memory were measured.
    pub measure: MeasureMode,
}

impl Cost {
    /// The cost of this run and of a later one. Their peaks of memory do not add up.
    pub fn and(self, later: Cost) -> Cost {
        Cost {
            wall_microseconds: self.wall_microseconds + later.wall_microseconds,
            cpu_microseconds: self.cpu_microseconds + later.cpu_microseconds,
            peak_memory_bytes: self.peak_memory_bytes.max(later.peak_memory_bytes),
            ..later
        }
    }
}

/// How a run is ended so that no process survives it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KillMode {
    /// The answer came from inside juvenal.
    #[default]
    BuiltIn,
    /// A process-id namespace whose init dies with the run.
    Namespace,
    /// A guardian process that is the subreaper of the run and kills all its descendants.
    Subreaper,
}

/// How CPU time and memory of a process tree were measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MeasureMode {
    /// The answer came from inside juvenal.
    #[default]
    BuiltIn,
    /// Control groups, version 2.
    CgroupV2,
    /// Control groups, version 1.
    CgroupV1,
    /// Samples of /proc: a lower bound.
    Sampling,
}
