//! What was done to a project and what came of it: the input of all tables and pages about it.

use crate::{FrontierPoint, Loss, Merged, SizeLimit};
use model::{Cost, Way};
use serde::{Deserialize, Serialize};

/// Everything that is shown about a project that was analyzed in parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct SplitSummary {
    /// The name of the tool.
    pub tool: String,
    /// Its version; empty if it does not tell.
    pub version: String,
    /// The project as the user names it.
    pub root: String,
    /// How files are given to the tool.
    pub way: Way,
    /// How the project was cut.
    pub strategy: String,
    /// The most that a part may hold; none if there is no limit.
    pub limit: Option<SizeLimit>,
    /// How far the dependencies of a file reach that come into its part; none if parts have nothing but the files that they own.
    pub radius: Option<u32>,
    /// The number of files in the project.
    pub files: u64,
    /// The parts, in their order.
    pub parts: Vec<PartSummary>,
    /// The dependencies that could not be resolved.
    pub unresolved: Vec<UnresolvedDependency>,
    /// The results.
    pub merged: Merged,
    /// What a run on the whole costs, if there was one.
    pub whole: Option<PartCost>,
    /// What the cut costs, if it was measured.
    pub loss: Option<Loss>,
    /// The number of files that the loss is about, if it was measured on a sample of them instead of on the whole.
    pub sampled: Option<u64>,
    /// Files that are larger than a part may be. Each of them is a part alone.
    pub oversized: Vec<String>,
    /// What is below the root and was left out, with the reasons.
    pub left_out: Vec<LeftOut>,
    /// Other cuts that were measured.
    pub frontier: Vec<FrontierPoint>,
    /// What the machines that the tool ran on could not promise about security, each in a sentence.
    pub weaknesses: Vec<String>,
}

/// One part, and its run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct PartSummary {
    /// Its number.
    pub number: u32,
    /// The number of its files.
    pub files: u64,
    /// The number of files that it owns.
    pub owned: u64,
    /// The lines of its files.
    pub lines: u64,
    /// The bytes of its files.
    pub bytes: u64,
    /// What its run cost.
    pub cost: PartCost,
    /// How its run ended.
    pub outcome: PartOutcome,
    /// The number of results that the tool reported.
    pub results: u64,
    /// The number of failures that the tool reported.
    pub failures: u64,
    /// True if an earlier run had recorded its report.
    pub is_recorded: bool,
}

/// What a run cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct PartCost {
    /// Its time.
    pub wall_microseconds: u64,
    /// Its CPU time.
    pub cpu_microseconds: u64,
    /// Its peak of memory.
    pub peak_memory_bytes: u64,
}

/// How the run of a part ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartOutcome {
    /// Well.
    #[default]
    Ok,
    /// At this limit.
    Limit(String),
    /// With a crash, described so.
    Crash(String),
    /// Without a result that can be read, for this reason.
    Failed(String),
    /// It failed and was split into this many parts, which follow.
    SplitAgain(u32),
}

impl From<Cost> for PartCost {
    fn from(cost: Cost) -> PartCost {
        PartCost {
            wall_microseconds: cost.wall_microseconds,
            cpu_microseconds: cost.cpu_microseconds,
            peak_memory_bytes: cost.peak_memory_bytes,
        }
    }
}

impl PartOutcome {
    /// True if the results of the part are lost.
    pub fn is_failure(&self) -> bool {
        matches!(self, PartOutcome::Limit(_) | PartOutcome::Crash(_) | PartOutcome::Failed(_))
    }
}

/// Something below the root that is not analyzed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LeftOut {
    /// Its path from the root.
    pub path: String,
    /// Why it is left out.
    pub reason: String,
}

/// A dependency of a file that leads nowhere in the project.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UnresolvedDependency {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The dependency as it is written there.
    pub text: String,
}
