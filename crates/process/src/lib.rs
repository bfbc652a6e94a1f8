//! Runs commands under limits on a whole process tree, measures them, and leaves no process behind.
//!
//! Between juvenal and the program stands a *guardian*: a small process that is the init of a new process-id
//! namespace, or else the subreaper of everything the program starts.
//! The guardian ends the whole tree when the program ends, when a limit is reached, and when juvenal dies.
//!
//! Programs from untrusted sources are *confined*: [`Confinement`] defines from what, [`ConfinementMode`] how.
//!
//! Invariant: this is the only crate that spawns.
//! Invariant: a [`RunError`] is a failure of juvenal or the machine; whatever the program does is an [`Outcome`].

mod barrier;
mod command;
mod confinement;
mod disk;
mod file_limit;
mod group;
mod guardian;
mod hidden;
mod hierarchy;
mod interrupt;
mod landlock;
mod leftovers;
mod meter;
mod outcome;
mod own_cpu;
mod run_error;
mod runner;
mod sampler;
mod session;
mod signal_scope;
mod stranger;
mod system;
mod time_limit;
mod transfer;
mod tree;
mod view;

pub use command::Command;
pub use confinement::{Confinement, ConfinementMode};
pub use file_limit::{largest_file, survive_full_files};
pub use interrupt::{end_runs_on_interrupt, is_interrupted, stop_on_interrupt};
pub use leftovers::remove_leftovers;
pub use model::Ending;
pub use outcome::{Exchange, Outcome};
pub use own_cpu::own_cpu_microseconds;
pub use run_error::RunError;
pub use runner::Runner;
pub use session::Session;
pub use stranger::STRANGER;
pub use time_limit::TimeLimit;
