//! Fuzzing of everything that reads foreign bytes: mutated inputs to every parser and reader.
//!
//! A target is a function of bytes that must return: no panic, no hang, no allocation beyond a stated bound. Inputs are
//! mutations of a small corpus, drawn from [`model::Random`], so an input is known by its target, seed and number. Inputs
//! that once failed stay in `crates/fuzz/regressions` and always run.

mod corpus;
mod dictionaries;
mod mutate;
mod projects;
mod readers;
mod run;
mod targets;

pub use corpus::{corpus, regressions};
pub use run::{Failure, Fuzzed, Fuzzing, fuzz};
pub use targets::{TARGETS, Target};
