//! How a project is cut into parts that a tool can analyze one by one, and how their results become one.
//!
//! [`DependencyGraph`] says which file needs which. A [`Strategy`] makes [`Part`]s of it. Everything here is pure: files are
//! numbered in the order of their names, and their texts are given.

mod cut;
mod cycles;
mod files;
mod halves;
mod limit;
mod neighborhood;
mod part;
mod part_count;
mod recut;
mod strategies;

pub use cut::{Cut, CutSettings, HubsOf};
pub use files::{DependencyGraph, SourceFile};
pub use halves::halves;
pub use limit::{Measure, SizeLimit};
pub use neighborhood::{Direction, Neighborhoods};
pub use part::Part;
pub use part_count::limit_for;
pub use recut::recut;
pub use strategies::{STRATEGIES, Strategy};
