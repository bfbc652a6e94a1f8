//! The records of finished cases.

use model::Hash;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is remembered of a finished case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseRecord {
    /// Why the case was skipped, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// The particulars of the skip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The content hash of the seed; none if the seed could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Hash>,
    /// Everything that the technique and the engine counted.
    pub counts: BTreeMap<String, u64>,
    /// The number of sampled exhibits that were examined, by sample key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sampled: BTreeMap<String, u64>,
}

impl CaseRecord {
    /// Counts some of a kind.
    pub fn count(&mut self, name: &str, how_many: u64) {
        *self.counts.entry(name.to_owned()).or_default() += how_many;
    }

    /// Notes that the case was skipped, and why.
    pub fn skip(&mut self, reason: &str, detail: &str) {
        self.skipped = Some(reason.to_owned());
        self.detail = Some(detail.to_owned());
    }
}
