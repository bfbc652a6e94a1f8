//! The records of finished cases.

use model::{Hash, Profile};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Why a case was skipped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SkipReason {
    /// juvenal itself failed. The seed may be fine.
    OwnFault,
    /// The claim that the case was about was not made again.
    NotReproduced,
    /// The seed cannot be used, for this reason.
    Unusable(String),
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SkipReason::OwnFault => "juvenal itself failed; please report it",
            SkipReason::NotReproduced => "the claim was not made again",
            SkipReason::Unusable(reason) => reason,
        })
    }
}

/// What every walk counts, whatever its technique.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WalkCounts {
    /// Queries that the walk asked.
    pub queries: u64,
    /// Answers with a claim.
    pub claims: u64,
    /// Exhibits that were not examined, because similar ones were.
    pub not_examined: u64,
    /// Exhibits that could not be confirmed.
    pub fleeting: u64,
}

impl WalkCounts {
    /// Adds the counts of another walk.
    pub fn add(&mut self, other: &WalkCounts) {
        self.queries += other.queries;
        self.claims += other.claims;
        self.not_examined += other.not_examined;
        self.fleeting += other.fleeting;
    }

    /// The counts that are not zero, with their names in reports.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let WalkCounts { queries, claims, not_examined, fleeting } = *self;
        let all = [
            ("queries of walks", queries),
            ("answers with a claim", claims),
            ("exhibits not examined", not_examined),
            ("fleeting exhibits", fleeting),
        ];
        all.into_iter().filter(|(_, count)| *count > 0)
    }
}

/// The record of a finished case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseRecord {
    /// Why the case was skipped, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<SkipReason>,
    /// Details of why it was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The content hash of the seed; `None` if the seed could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Hash>,
    /// What the walk counted.
    #[serde(default)]
    pub walk: WalkCounts,
    /// What the technique counted.
    pub counts: BTreeMap<String, u64>,
    /// How often the engines of analyzers knew what follows from a condition.
    #[serde(default, skip_serializing_if = "Profile::is_empty")]
    pub profile: Profile,
    /// The number of sampled exhibits that were examined, by sample key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sampled: BTreeMap<String, u64>,
}

impl CaseRecord {
    /// Adds to a counter of the technique.
    pub fn count(&mut self, name: &str, how_many: u64) {
        *self.counts.entry(name.to_owned()).or_default() += how_many;
    }

    /// Notes that the case was skipped, and why.
    pub fn skip(&mut self, reason: SkipReason, detail: String) {
        self.skipped = Some(reason);
        self.detail = Some(detail);
    }
}
