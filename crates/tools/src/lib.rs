//! Tools as data: what `juvenal split` runs on the parts of a project, and how what they print is read.
//!
//! A [`Tool`] is one file of `tools/`, compiled in; users add their own as text. [`Tool::request`] says which commands to run
//! for which files, and [`Tool::read`] makes one report of what these commands printed.
//!
//! Invariant: this crate is pure. It opens no file, starts no process and reads no clock.

mod catalogue;
mod compile_commands;
mod directories;
mod format;
mod location;
mod output;
mod reading;
mod request;
mod source_language;
mod tool;
mod validation;

pub use catalogue::Toolbox;
pub use compile_commands::CompileCommands;
pub use directories::{Directories, is_outside, path_of_uri};
pub use location::Location;
pub use output::{FailingResult, JsonFailures, JsonFields, Output, ReportFormat, RowKind, Stream, TextRow};
pub use reading::Outcome;
pub use request::{Argument, Given, ToolCommand, ToolRequest};
pub use source_language::SourceLanguage;
pub use tool::{
    Dependencies, Named, Packages, Programs, ProjectConfiguration, Tool, ToolStep, VersionQuestion,
    WrittenFile,
};
