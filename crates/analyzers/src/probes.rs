//! Questions with known answers, by which `juvenal analyzer check` tests that an analyzer is called and read correctly.
//!
//! Each role has a list of tiny inputs in a file of its own.

pub(crate) mod datalog;
pub(crate) mod debug;
pub(crate) mod reachability;
pub(crate) mod smt;
pub(crate) mod warnings;

use crate::roles::ROLES;
use model::{AnalyzerInfo, Claim, Query};

/// A question with a known answer.
pub struct Probe {
    /// What it tests.
    pub name: String,
    /// The question.
    pub query: Query,
    /// A right answer, as the object of "expected".
    pub expected: String,
    fault: Fault,
}

/// Describes what is wrong with a claim; `None` if it is right.
type Fault = Box<dyn Fn(&Claim) -> Option<String> + Sync>;

impl Probe {
    /// Describes what is wrong with a claim; `None` if it is right.
    pub fn fault(&self, claim: &Claim) -> Option<String> {
        (self.fault)(claim)
    }
}

/// Every probe in every role, mode and data model of an analyzer.
pub fn probes(analyzer: &AnalyzerInfo) -> Vec<Probe> {
    ROLES.iter().flat_map(|kind| (kind.probes)(analyzer)).collect()
}

/// A claim of another kind than the role makes.
fn wrong_kind(expected: &str) -> Option<String> {
    Some(format!("expected {expected}, got an answer of another role"))
}
