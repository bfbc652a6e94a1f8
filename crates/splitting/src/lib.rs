//! How a project is cut into parts that a tool can analyze one by one, and how their results become one.
//!
//! [`DependencyGraph`] says which file needs which. Everything here is pure: files are numbered in the order of their names,
//! and their texts are given.

mod files;
mod frontier;
mod loss;
mod merge;
#[cfg(test)]
mod merge_tests;
mod part;
mod sarif;
mod summary;

pub use files::{DependencyGraph, SourceFile};
pub use frontier::{FrontierPoint, pareto_optimal};
pub use loss::{CutEdge, Difference, Loss, LossCounts, loss};
pub use merge::{MergeCounts, Merged, PartReport, RuleConflicts, each_once, merge};
pub use part::Part;
pub use sarif::{ColumnUnit, SarifLog, SarifRun, sarif_log};
pub use summary::{
    PartCost, PartOutcome, PartSummary, SizeLimit, SizeUnit, SplitSummary, UnresolvedDependency, Way,
};
