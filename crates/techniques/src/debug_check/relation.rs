//! The relations of `debug_check`.

use super::prepared::Origin;
use model::{Exhibit, RelationData};
use serde::{Deserialize, Serialize};

/// What the evaluations of an engine must not break.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "relation", rename_all = "kebab-case")]
pub enum DebugCheckRelation {
    /// A valid program is analyzed.
    Analyzed,
    /// A condition that holds in an execution is not called false.
    HoldingIsNotFalse {
        /// The rule by which the condition follows.
        rule: String,
        /// Why the condition that it follows from holds.
        origin: Origin,
    },
    /// What follows from a condition is not called false where the engine has assumed the condition.
    FollowingIsNotFalse {
        /// The rule by which the condition follows.
        rule: String,
        /// Why the condition that it follows from holds.
        origin: Origin,
    },
    /// Two forms of one condition are both known or both unknown.
    FormsAreEquallyKnown {
        /// The rule that gives the form which the engine knows.
        known_rule: String,
        /// The rule that gives the form which it does not know.
        unknown_rule: String,
    },
    /// What follows from a condition is known where the engine has assumed the condition.
    FollowingIsKnown {
        /// The rule by which the condition follows.
        rule: String,
        /// Why the condition that it follows from holds.
        origin: Origin,
    },
}

impl RelationData for DebugCheckRelation {
    const SCHEMA: u32 = 1;
}

impl DebugCheckRelation {
    /// The relation of an exhibit.
    pub fn of(exhibit: &Exhibit) -> Option<DebugCheckRelation> {
        exhibit.relation.read()
    }
}
