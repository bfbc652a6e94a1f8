//! How a project is cut into parts that a tool can analyze one by one, and how their results become one.
//!
//! [`DependencyGraph`] says which file needs which. Everything here is pure: files are numbered in the order of their names,
//! and their texts are given.

mod files;
pub mod languages;
mod part;

pub use files::{DependencyGraph, SourceFile};
pub use part::Part;
