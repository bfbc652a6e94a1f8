//! Everything that touches analyzers, seeds and projects on this machine, in four parts.
//!
//! - `ask` puts queries to analyzers: it looks recorded answers up, keeps solvers warm and calls `process`.
//! - `find` locates and installs analyzers.
//! - `seeds` finds and reads the files that cases start from.
//! - `project` copies the files of a project and runs tools on the copies.
//!
//! Invariants: every answer is recorded before it is used; a crash, hang or nonsense of an analyzer is a verdict, never
//! an error; the only commands that run come from descriptions, the user's command line and the search path.

mod ask;
mod door;
mod find;
mod given_file;
mod interruption;
mod project;
mod resolved;
mod run_directory;
mod seeds;
mod unless_stopped;

pub use ask::{Asker, Engine, Journal, ModeTally, Tally, ToolInfo, read_tool_message};
pub use door::{Trust, command, installation_of};
pub use find::{
    Found, Installed, Locator, Specification, analyzer_directory, install, install_hint, on_search_path,
    recipe_options,
};
pub use given_file::{FileProblem, read_given_file};
pub use interruption::{interruption, is_interruption};
pub use process::own_cpu_microseconds;
pub use project::{
    Changes, FoundTool, Left, ProjectContents, ProjectTree, Relevance, ToolQuestion, ToolRights, ToolRunner,
    TreeOptions, WorkingCopies, WorkingCopy, find_tool, installed_tools,
};
pub use resolved::{Backend, LyingProgram, Program, Resolved, Tool};
pub use run_directory::RunDirectory;
pub use seeds::{LARGEST_SEED, SeedFiles, SeedLoader, SeedProblem, TaskDefinition, c_compiler, csmith};
pub use unless_stopped::unless_stopped;
