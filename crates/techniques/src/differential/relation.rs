//! The relations of `differential`.

use crate::checks::Unsettled;
use model::{Exhibit, RelationData};
use serde::{Deserialize, Serialize};

/// What the answers to one check must not break.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "relation", rename_all = "kebab-case")]
pub enum DifferentialRelation {
    /// A valid program is analyzed.
    Analyzed,
    /// No execution violates a verified check: the accused and an execution.
    NoVerifiedCheckFails {
        /// False if the accused drops paths by design, so its verdicts are not binding.
        is_held: bool,
    },
    /// A check that no input violates is verified: the accused and an execution on every input.
    NeverViolatedIsVerified {
        /// What an unknown check of the accused counts as.
        unsettled: Unsettled,
    },
    /// The accused agrees with other analyzers.
    Agrees {
        /// How it differs from them.
        deviation: Deviation,
        /// What an unknown check of the accused counts as.
        accused: Unsettled,
        /// The same for each of the others. Their queries follow that of the accused; executions come last.
        others: Vec<Unsettled>,
    },
}

/// How an analyzer differs from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deviation {
    /// It verifies what others find unsafe.
    AloneSafe,
    /// It does not verify what others verify.
    AloneUnsafe,
    /// It is at least as precise a configuration as another, and verifies less.
    MorePrecise,
    /// It is a newer version than another, and verifies less.
    Newer,
}

impl RelationData for DifferentialRelation {
    const SCHEMA: u32 = 1;
}

impl DifferentialRelation {
    /// The relation of an exhibit.
    pub fn of(exhibit: &Exhibit) -> Option<DifferentialRelation> {
        exhibit.relation.read()
    }

    /// How many of the first queries are those of analyzers; executions follow them.
    pub fn analyzers(&self) -> usize {
        match self {
            DifferentialRelation::Agrees { others, .. } => 1 + others.len(),
            DifferentialRelation::Analyzed
            | DifferentialRelation::NoVerifiedCheckFails { .. }
            | DifferentialRelation::NeverViolatedIsVerified { .. } => 1,
        }
    }

    /// A few words for sampling keys and features.
    pub fn words(&self) -> &'static str {
        match self {
            DifferentialRelation::Analyzed => "analyzed",
            DifferentialRelation::NoVerifiedCheckFails { .. } => "executed",
            DifferentialRelation::NeverViolatedIsVerified { .. } => "every input run",
            DifferentialRelation::Agrees { deviation, .. } => match deviation {
                Deviation::AloneSafe => "others find it unsafe",
                Deviation::AloneUnsafe => "others verify it",
                Deviation::MorePrecise => "less precise one verifies it",
                Deviation::Newer => "older version verifies it",
            },
        }
    }
}
