//! Seeds: the files that cases start from, and programs that Csmith makes in their place.

mod csmith;
mod load_seed;
mod prepare_c;
mod seed_files;
mod task;
mod yaml;

pub use csmith::csmith;
pub use load_seed::LARGEST_SEED;
pub use prepare_c::c_compiler;
pub use seed_files::{SeedFiles, SeedProblem};
pub use task::Definition as TaskDefinition;

use crate::RunDirectory;

/// Reads seeds and makes C programs ready for use, which takes a compiler.
pub struct SeedLoader<'a> {
    runner: &'a process::Runner,
    directory: &'a RunDirectory,
}

impl<'a> SeedLoader<'a> {
    /// A loader that runs the compiler with this runner, below this directory.
    pub fn new(runner: &'a process::Runner, directory: &'a RunDirectory) -> SeedLoader<'a> {
        SeedLoader { runner, directory }
    }
}
