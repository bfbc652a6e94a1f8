//! The relations of `maze`.

use super::plan::Plan;
use model::{Exhibit, RelationData};
use serde::{Deserialize, Serialize};

/// What an answer about a maze must not break.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct MazeRelation {
    /// The law.
    pub law: Law,
    /// The maze that the program was written from.
    pub maze: Plan<String>,
    /// True once the text of the program has been edited, which the maze does not follow.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_edited: bool,
}

/// A relation between the status of a check and what is said of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "law", rename_all = "kebab-case")]
pub(super) enum Law {
    /// A valid program is analyzed.
    Analyzed,
    /// A check that an input reaches is not verified: the accused, and an execution on this input.
    ReachableIsNotVerified {
        /// The number of the check.
        check: u32,
        /// The input.
        inputs: Vec<u64>,
    },
    /// A check that no input reaches is not violated: the accused, and an execution on every input.
    UnreachableIsNotViolated {
        /// The number of the check.
        check: u32,
        /// The number of the check in the program that is executed, which may be a core alone.
        executed: u32,
    },
}

impl RelationData for MazeRelation {
    const SCHEMA: u32 = 1;
}

impl MazeRelation {
    /// The relation of an exhibit.
    pub fn of(exhibit: &Exhibit) -> Option<MazeRelation> {
        exhibit.relation.read()
    }
}
