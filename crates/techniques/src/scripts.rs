//! SMT-LIB scripts made from seeds: what the techniques on solvers share.
//!
//! A seed is taken apart ([`prepared`]), its [`predicates`] become a [`pool`] of formulas, and scripts are made of these.
//! An accusation is checked by the evaluator ([`judge`], [`models`]), put to witnesses ([`weigh`]) and made small
//! ([`shrink`]).

pub mod judge;
pub mod mode;
pub mod models;
mod narrow;
pub mod pool;
pub mod predicates;
pub mod prepared;
mod refuzz;
mod rename;
pub mod shrink;
pub mod weigh;

pub use shrink::ScriptPatch;
