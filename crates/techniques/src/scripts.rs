//! SMT-LIB scripts made from seeds: the common parts of the techniques for solvers.
//!
//! A seed is decomposed ([`prepared`]), its [`predicates`] become a [`pool`] of formulas, and scripts are made of these.
//! The evaluator checks an accusation ([`judge`], [`models`]), witnesses are asked about it ([`weigh`]), and its script is
//! reduced ([`shrink`]).

pub mod judge;
pub mod mode;
pub mod models;
mod narrow;
pub mod pool;
pub mod predicates;
pub mod prepared;
mod refuzz;
pub mod relation;
mod rename;
pub mod shrink;
pub mod weigh;

pub use shrink::ScriptPatch;
