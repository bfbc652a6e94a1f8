//! What description files of analyzers and of tools have in common: how they are parsed and checked, patterns,
//! placeholders, and which code reads the outputs that they describe.
//!
//! Invariant: this crate is pure. It opens no file, starts no process and reads no clock.

mod did_you_mean;
mod error;
mod fault;
mod pattern;
mod placeholder;
mod unknown_name;

pub use did_you_mean::nearest;
pub use error::DescriptionError;
pub use fault::{Fault, check_name, check_texts, fault, parse};
pub use pattern::Pattern;
pub use placeholder::{fill, first_unknown};
pub use unknown_name::UnknownName;

/// The hash of the code that reads what analyzers print. Another one means that recorded transcripts are read again.
pub const ANALYZER_READERS: &str = env!("JUVENAL_ANALYZER_READERS");
/// The hash of the code that reads what tools print.
pub const TOOL_READERS: &str = env!("JUVENAL_TOOL_READERS");
