//! Projects: the files below a directory, working copies of them, and tools that run on these copies.
//!
//! Invariant: a tool never writes to the user's own files. It runs on a copy, and what it changes there is noticed and undone.
//!
//! Invariant: what others wrote into a project makes juvenal read nothing outside of it. Links are not followed, only regular
//! files are opened, and there are limits.

mod contents;
mod find_tool;
mod run_tool;
mod tree;
mod working_copy;

pub use contents::{ProjectContents, Relevance};
pub use find_tool::{FoundTool, find_tool, installed_tools};
pub use run_tool::{ToolQuestion, ToolRights, ToolRunner};
pub use tree::{Left, ProjectTree, TreeOptions};
pub use working_copy::{Changes, WorkingCopies, WorkingCopy};

use crate::interruption;
use process::{RunError, is_interrupted};

/// Ends long work on files when the user interrupts juvenal, or when the time is up.
fn stop_if(stop: &dyn Fn() -> bool) -> Result<(), RunError> {
    match stop() || is_interrupted() {
        true => Err(interruption()),
        false => Ok(()),
    }
}
