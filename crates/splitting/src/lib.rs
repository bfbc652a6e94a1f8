//! How a project is cut into parts that a tool can analyze one by one, and how their results become one.
//!
//! [`DependencyGraph`] says which file needs which. A [`Strategy`] makes [`Part`]s of it. Everything here is pure: files are
//! numbered in the order of their names, and their texts are given.

mod cut;
mod cycles;
mod files;
mod limit;
mod neighborhood;
mod part;
mod strategies;

pub use cut::{Cut, CutSettings, HubsOf};
pub use files::{DependencyGraph, SourceFile};
pub use limit::{Measure, SizeLimit};
pub use neighborhood::{Direction, Neighborhoods};
pub use part::Part;
pub use strategies::{STRATEGIES, Strategy};
