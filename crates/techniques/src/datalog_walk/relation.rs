//! The relations of the techniques for Datalog engines.

use crate::rewrites::Effect;
use model::{Exhibit, RelationData};
use serde::{Deserialize, Serialize};

/// What the answers of an engine must not break.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "relation", rename_all = "kebab-case")]
pub enum DatalogRelation {
    /// A valid program is computed.
    Analyzed,
    /// An output has the rows that follow from the program.
    HasFollowingRows {
        /// The output.
        compared: String,
    },
    /// The rules, applied once to the rows of an answer, give these rows.
    IsFixedPoint {
        /// The relation whose rows are compared.
        compared: String,
    },
    /// The same program has the same rows when the engine is asked again.
    IsDeterministic {
        /// The relation whose rows are compared.
        compared: String,
    },
    /// The rows of a rewritten program differ from those of the program only as the rewrites allow.
    Rewritten {
        /// How the rows may differ.
        effect: Effect,
        /// The relation whose rows are compared.
        compared: String,
    },
}

impl RelationData for DatalogRelation {
    const SCHEMA: u32 = 1;
}

impl DatalogRelation {
    /// The relation of an exhibit.
    pub fn of(exhibit: &Exhibit) -> Option<DatalogRelation> {
        exhibit.relation.read()
    }

    /// The name of the compared relation; empty for a crash or a refusal, which is about no relation in particular.
    pub fn compared(&self) -> &str {
        match self {
            DatalogRelation::Analyzed => "",
            DatalogRelation::HasFollowingRows { compared }
            | DatalogRelation::IsFixedPoint { compared }
            | DatalogRelation::IsDeterministic { compared }
            | DatalogRelation::Rewritten { compared, .. } => compared,
        }
    }

    /// A few words for sampling keys.
    pub fn words(&self) -> &'static str {
        match self {
            DatalogRelation::Analyzed => "a valid program is computed",
            DatalogRelation::HasFollowingRows { .. } => "an output has the rows that follow",
            DatalogRelation::IsFixedPoint { .. } => "the rows of an answer follow from each other",
            DatalogRelation::IsDeterministic { .. } => "the same program has the same rows when asked again",
            DatalogRelation::Rewritten { effect: Effect::Same, .. } => {
                "the rewritten program has the same rows"
            }
            DatalogRelation::Rewritten { effect: Effect::Fewer, .. } => {
                "the rewritten program has no further rows"
            }
            DatalogRelation::Rewritten { effect: Effect::More, .. } => "the rewritten program has all rows",
        }
    }
}
