//! The relations of `runtime`.

use model::{ErrorKind, Exhibit, RelationData};
use serde::{Deserialize, Serialize};

/// What the warnings of a bug finder must not break.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "relation", rename_all = "kebab-case")]
pub enum RuntimeRelation {
    /// A valid program is analyzed.
    Analyzed,
    /// The bug finder does not warn of an error that does not happen: an execution passes the place of the warning, on
    /// the path of the warning, and ends without an error.
    NoFalseWarning {
        /// The error that is warned of.
        error: ErrorKind,
        /// The byte offsets that the execution passes, in order.
        stations: Vec<u32>,
        /// True if the bug finder shows the path to an error.
        shows_paths: bool,
    },
    /// The bug finder reports an error that an execution meets.
    ErrorIsReported(InjectedError),
}

/// An injected error that is not reported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InjectedError {
    /// The error.
    pub error: ErrorKind,
    /// The byte offset of the preparing statement.
    pub preparing_at: u32,
    /// The byte offset of the failing statement.
    pub failing_at: u32,
    /// The preparing statement.
    pub preparing: String,
    /// The failing statement.
    pub failing: String,
    /// The condition that holds before the failing statement as long as nothing has undone the preparation.
    pub prepared_state: String,
    /// True if the bug finder promises to miss nothing.
    pub is_sound: bool,
    /// What the analyzer's authors say of the errors of this kind that they miss on purpose.
    pub deliberate: Option<String>,
}

impl RelationData for RuntimeRelation {
    const SCHEMA: u32 = 1;
}

impl RuntimeRelation {
    /// The relation of an exhibit.
    pub fn of(exhibit: &Exhibit) -> Option<RuntimeRelation> {
        exhibit.relation.read()
    }

    /// The error that the relation is about.
    pub fn error(&self) -> Option<ErrorKind> {
        match self {
            RuntimeRelation::Analyzed => None,
            RuntimeRelation::NoFalseWarning { error, .. } => Some(*error),
            RuntimeRelation::ErrorIsReported(injected) => Some(injected.error),
        }
    }
}
