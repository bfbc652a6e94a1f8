//! The parts that a project is cut into.

use serde::{Deserialize, Serialize};

/// The files that a tool analyzes in one run.
///
/// Parts may overlap: a part holds files that it *owns*, and others that these depend on. Every file of a project is owned
/// by exactly one part, and what a tool reports about a file counts where the file is owned.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Part {
    /// All its files, by number, in order.
    pub files: Vec<u32>,
    /// Those that it owns, in order.
    pub owned: Vec<u32>,
}

impl Part {
    /// A part of these files that owns those.
    pub fn new(mut files: Vec<u32>, mut owned: Vec<u32>) -> Part {
        owned.sort_unstable();
        owned.dedup();
        files.extend(&owned);
        files.sort_unstable();
        files.dedup();
        Part { files, owned }
    }

    /// A part that owns all its files.
    pub fn owning(files: Vec<u32>) -> Part {
        Part::new(Vec::new(), files)
    }

    /// True if it has this file.
    pub fn contains(&self, file: u32) -> bool {
        self.files.binary_search(&file).is_ok()
    }

    /// True if it owns this file.
    pub fn owns(&self, file: u32) -> bool {
        self.owned.binary_search(&file).is_ok()
    }
}
