//! Finding and installing analyzers.

mod install;
mod install_crate;
mod locate;
mod named_again;
mod program_files;
mod program_hash;
mod specification;
mod tool_info;

pub use install::{Installed, install};
pub use locate::{Found, Locator, analyzer_directory, install_hint, on_search_path};
pub(crate) use program_files::Inspector;
pub(crate) use program_hash::{add_files, add_tree, program_hash};
pub use specification::{Specification, recipe_options};
