//! The records of finished cases.

use model::{Hash, Profile};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The record of a finished case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseRecord {
    /// Why the case was skipped, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// Details of why it was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The content hash of the seed; `None` if the seed could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Hash>,
    /// Everything that the technique and the engine counted.
    pub counts: BTreeMap<String, u64>,
    /// How often the engines of analyzers knew what follows from a condition.
    #[serde(default, skip_serializing_if = "Profile::is_empty")]
    pub profile: Profile,
    /// The number of sampled exhibits that were examined, by sample key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sampled: BTreeMap<String, u64>,
}

impl CaseRecord {
    /// Adds to a counter.
    pub fn count(&mut self, name: &str, how_many: u64) {
        *self.counts.entry(name.to_owned()).or_default() += how_many;
    }

    /// Notes that the case was skipped, and why.
    pub fn skip(&mut self, reason: &str, detail: &str) {
        self.skipped = Some(reason.to_owned());
        self.detail = Some(detail.to_owned());
    }
}
