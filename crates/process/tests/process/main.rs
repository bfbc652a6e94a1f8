//! Runs real programs in every mode that this machine supports, and checks that they leave nothing behind.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod compilers;
mod confinement;
mod death;
mod endings;
mod limits;
mod measurement;
mod sessions;
mod stage;
mod starts;
mod survivors;
