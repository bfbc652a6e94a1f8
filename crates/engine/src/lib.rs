//! Everything that touches analyzers and seeds on this machine, in three parts.
//!
//! - `ask` puts queries to analyzers: it looks recorded answers up, keeps solvers warm and calls `process`.
//! - `find` locates and installs analyzers.
//! - `seeds` finds and reads the files that cases start from.
//!
//! Invariants: every answer is recorded before it is used; a crash, hang or nonsense of an analyzer is a verdict, never
//! an error; the only commands that run come from descriptions, the user's command line and the search path.

mod ask;
mod find;
mod resolved;
mod run_directory;
mod seeds;

pub use ask::{Asker, Engine, Journal, ModeTally, Tally, ToolInfo};
pub use find::{
    Found, Installed, Locator, Specification, analyzer_directory, install, install_hint, on_search_path,
};
pub use process::own_cpu_microseconds;
pub use resolved::{Backend, Program, Resolved};
pub use run_directory::RunDirectory;
pub use seeds::{SeedFiles, SeedLoader, SeedProblem, c_compiler, csmith};
