//! Projects: the files below a directory, working copies of them, and tools that run on these copies.
//!
//! Invariant: a tool never sees the user's own files. It runs on a copy, and what it changes there is noticed and undone.

mod contents;
mod find_tool;
mod packages;
mod read_report;
mod run_tool;
mod tool_hash;
mod tree;
mod working_copy;

pub use contents::{ProjectContents, Relevance};
pub use find_tool::{FoundTool, find_tool, installed_tools};
pub use run_tool::{ToolQuestion, ToolRunner};
pub use tree::{Left, ProjectTree, TreeOptions};
pub use working_copy::{Changes, WorkingCopies, WorkingCopy};

use process::{RunError, is_interrupted};

/// Ends long work on files when the user interrupts juvenal.
fn stop_if_interrupted() -> Result<(), RunError> {
    match is_interrupted() {
        true => Err(RunError::Interrupted { program: "juvenal".into() }),
        false => Ok(()),
    }
}
