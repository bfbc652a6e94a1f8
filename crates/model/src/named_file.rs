//! A small text file that belongs to a finding or a run.

use serde::{Deserialize, Serialize};

/// A text file: evidence, an input of a run, or another part of a finding's directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedFile {
    /// Its name, such as `assignment.smt2`.
    pub name: String,
    /// Its text.
    pub text: String,
}
