//! `differential`: analyzers contradict each other on checks that nobody knows the truth of.
//!
//! A seed loses its own assertions ([`stripped`]). What it evaluates unconditionally becomes the [`candidate`]s of new
//! checks; a [`strategy`] chooses among them, and a [`check`] compares what was chosen, mostly with a [`constant`]. How
//! many checks a seed is worth is said by a [`budget`].

pub mod budget;
pub mod candidate;
pub mod check;
pub mod constant;
pub mod evaluated;
pub mod strategy;
pub mod stripped;
pub mod tree;

mod hoisted;
