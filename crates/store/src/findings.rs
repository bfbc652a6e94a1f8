//! Findings and the bugs they belong to.

use crate::{Store, pack, unpack};
use anyhow::Result;
use model::Finding;
use rusqlite::OptionalExtension;

/// One bug: how often it was hit and by which fingerprint it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BugRow {
    /// Its number within the campaign, from 1.
    pub number: u32,
    /// What its findings have in common.
    pub fingerprint: String,
    /// All hits, also those whose finding was not kept.
    pub hits: u64,
}

impl Store {
    /// Writes a finding, new or changed.
    pub fn put_finding(&self, finding: &Finding) -> Result<()> {
        let body = pack(finding)?;
        self.connection()
            .execute(
                "INSERT OR REPLACE INTO findings (number, bug, body) VALUES (?1, ?2, ?3)",
                (finding.number, finding.bug, body),
            )
            .map_err(|error| self.explain(error))?;
        Ok(())
    }

    /// One finding.
    pub fn finding(&self, number: u32) -> Result<Option<Finding>> {
        let body: Option<Vec<u8>> = self
            .connection()
            .query_row("SELECT body FROM findings WHERE number = ?1", [number], |row| row.get(0))
            .optional()
            .map_err(|error| self.explain(error))?;
        body.map(|body| unpack(&body)).transpose()
    }

    /// Every finding, by number.
    pub fn findings(&self) -> Result<Vec<Finding>> {
        let connection = self.connection();
        let mut statement = connection
            .prepare("SELECT body FROM findings ORDER BY number")
            .map_err(|error| self.explain(error))?;
        let rows =
            statement.query_map([], |row| row.get::<_, Vec<u8>>(0)).map_err(|error| self.explain(error))?;
        rows.map(|row| unpack(&row.map_err(|error| self.explain(error))?)).collect()
    }

    /// Writes a bug, new or changed.
    pub fn put_bug(&self, bug: &BugRow) -> Result<()> {
        self.connection()
            .execute(
                "INSERT OR REPLACE INTO bugs (number, fingerprint, hits) VALUES (?1, ?2, ?3)",
                (bug.number, &bug.fingerprint, bug.hits.cast_signed()),
            )
            .map_err(|error| self.explain(error))?;
        Ok(())
    }

    /// Every bug, by number.
    pub fn bugs(&self) -> Result<Vec<BugRow>> {
        let connection = self.connection();
        let mut statement = connection
            .prepare("SELECT number, fingerprint, hits FROM bugs ORDER BY number")
            .map_err(|error| self.explain(error))?;
        let rows = statement
            .query_map([], |row| {
                Ok(BugRow {
                    number: row.get(0)?,
                    fingerprint: row.get(1)?,
                    hits: row.get::<_, i64>(2)?.cast_unsigned(),
                })
            })
            .map_err(|error| self.explain(error))?;
        rows.map(|row| row.map_err(|error| self.explain(error))).collect()
    }
}
