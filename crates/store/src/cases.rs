//! The cases that were brought to their end.

use crate::{Store, unpack};
use anyhow::Result;
use model::Hash;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is remembered of a finished case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseRecord {
    /// Why nothing was asked, if so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// What exactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The hash of the seed's text, so that another text is noticed later; none if the seed could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Hash>,
    /// Everything the technique and the engine counted.
    pub counts: BTreeMap<String, u64>,
    /// How many routine exhibits of each kind were examined.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub routine: BTreeMap<String, u64>,
}

pub(crate) const PUT_CASE: &str = "INSERT OR REPLACE INTO cases (number, body) VALUES (?1, ?2)";

impl Store {
    /// Every finished case, in order.
    pub fn cases(&self) -> Result<BTreeMap<u64, CaseRecord>> {
        let connection = self.connection();
        let mut statement =
            connection.prepare("SELECT number, body FROM cases").map_err(|error| self.explain(error))?;
        let rows = statement
            .query_map([], |row| Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get::<_, Vec<u8>>(1)?)))
            .map_err(|error| self.explain(error))?;
        rows.map(|row| {
            let (number, body) = row.map_err(|error| self.explain(error))?;
            Ok((number, unpack(&body)?))
        })
        .collect()
    }
}
