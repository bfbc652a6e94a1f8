//! Assignments, and the models that solvers print.

pub(crate) mod assignment;
pub(crate) mod elements;
pub(crate) mod expression;
pub(crate) mod reader;
pub(crate) mod table;
pub(crate) mod terms;

pub use reader::{Model, ModelError, read_model};
