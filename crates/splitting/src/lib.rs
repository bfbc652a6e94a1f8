//! How a project is cut into parts that a tool can analyze one by one, and how their results become one.
//!
//! [`DependencyGraph`] says which file needs which. A [`Strategy`] makes [`Part`]s of it, and [`merge`] makes one report of
//! theirs. Everything here is pure: files are numbered in the order of their names, and their texts are given.

mod cut;
mod cycles;
mod files;
mod frontier;
mod halves;
pub mod languages;
mod limit;
mod loss;
mod merge;
#[cfg(test)]
mod merge_tests;
mod neighborhood;
mod part;
mod part_count;
mod parts_file;
mod recut;
mod sarif;
mod strategies;
mod summary;

pub use cut::{Cut, CutSettings, HubsOf};
pub use files::{DependencyGraph, SourceFile};
pub use frontier::{FrontierPoint, pareto_optimal};
pub use halves::halves;
pub use limit::{Measure, SizeLimit};
pub use loss::{CutEdge, Difference, Loss, LossCounts, loss};
pub use merge::{MergeCounts, Merged, PartReport, RuleConflicts, each_once, merge};
pub use neighborhood::{Direction, Neighborhoods};
pub use part::Part;
pub use part_count::limit_for;
pub use parts_file::PartsFile;
pub use recut::recut;
pub use sarif::{ColumnUnit, SarifLog, SarifRun, sarif_log};
pub use strategies::{STRATEGIES, Strategy};
pub use summary::{LeftOut, PartCost, PartOutcome, PartSummary, SplitSummary, UnresolvedDependency};
