//! Findings and the bugs they belong to.

use crate::cases::PUT_CASE;
use crate::{CaseRecord, Store, pack, unpack};
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

/// What came of a case.
pub struct CaseResults<'a> {
    /// The case.
    pub number: u64,
    /// What is remembered of it; none if it is not settled.
    pub record: Option<&'a CaseRecord>,
    /// Its findings.
    pub findings: &'a [Finding],
    /// Every bug of the campaign from now on.
    pub bugs: &'a [BugRow],
    /// Findings of earlier cases that belong to another bug now, or whose bug goes by another fingerprint.
    pub moved: &'a [Finding],
}

const PUT_FINDING: &str = "INSERT OR REPLACE INTO findings (number, case_number, body) VALUES (?1, ?2, ?3)";

impl Store {
    /// Writes a finding, new or changed.
    pub fn put_finding(&self, finding: &Finding) -> Result<()> {
        let body = pack(finding)?;
        self.connection()
            .execute(PUT_FINDING, (finding.number, finding.case_number.cast_signed(), body))
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

    /// Records what came of a case, all or nothing.
    ///
    /// Findings of a case without a record are not settled: the case was broken off or waits for one that was. They
    /// are there to be seen, and [`Store::take_back_unsettled`] removes them before the case is walked again.
    ///
    /// A bug that is no more leaves its number behind, so that no other gets it.
    pub fn record_results(&self, results: &CaseResults<'_>) -> Result<()> {
        let changed = results.moved.iter().chain(results.findings);
        let bodies = changed.map(|it| Ok((it, pack(it)?))).collect::<Result<Vec<_>>>()?;
        let record = results.record.map(pack).transpose()?;
        let write = || -> rusqlite::Result<()> {
            let mut connection = self.connection();
            let transaction = connection.transaction()?;
            if record.is_none() {
                transaction.execute_batch(
                    "INSERT INTO settled_bugs SELECT * FROM bugs WHERE NOT EXISTS (SELECT 1 FROM unsettled);
                     INSERT OR IGNORE INTO unsettled VALUES (1);",
                )?;
            }
            for (finding, body) in &bodies {
                transaction
                    .execute(PUT_FINDING, (finding.number, finding.case_number.cast_signed(), body))?;
            }
            transaction.execute("UPDATE bugs SET fingerprint = '', hits = 0", [])?;
            for bug in results.bugs {
                transaction.execute(
                    "INSERT OR REPLACE INTO bugs (number, fingerprint, hits) VALUES (?1, ?2, ?3)",
                    (bug.number, &bug.fingerprint, bug.hits.cast_signed()),
                )?;
            }
            if let Some(record) = &record {
                transaction.execute(PUT_CASE, (results.number.cast_signed(), record))?;
            }
            transaction.commit()
        };
        write().map_err(|error| self.explain(error))
    }

    /// True if the finding's case is recorded. Otherwise the case was broken off, or waits for one that was, and
    /// the finding is taken back when the campaign goes on.
    pub fn is_settled(&self, finding: &Finding) -> Result<bool> {
        self.connection()
            .query_row(
                "SELECT EXISTS (SELECT 1 FROM cases WHERE number = ?1)",
                [finding.case_number.cast_signed()],
                |row| row.get(0),
            )
            .map_err(|error| self.explain(error))
    }

    /// Takes back every finding that is not settled, and the hits that came with them.
    pub fn take_back_unsettled(&self) -> Result<()> {
        let take_back = "BEGIN IMMEDIATE;
            DELETE FROM bugs WHERE EXISTS (SELECT 1 FROM unsettled);
            INSERT INTO bugs SELECT * FROM settled_bugs WHERE EXISTS (SELECT 1 FROM unsettled);
            DELETE FROM findings WHERE case_number NOT IN (SELECT number FROM cases);
            DELETE FROM settled_bugs;
            DELETE FROM unsettled;
            COMMIT;";
        self.connection().execute_batch(take_back).map_err(|error| self.explain(error))
    }

    /// Every bug, by number.
    pub fn bugs(&self) -> Result<Vec<BugRow>> {
        let connection = self.connection();
        let mut statement = connection
            .prepare("SELECT number, fingerprint, hits FROM bugs WHERE hits > 0 ORDER BY number")
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

    /// The largest number that a bug ever had; 0 if there was none.
    pub fn last_bug_number(&self) -> Result<u32> {
        self.connection()
            .query_row("SELECT coalesce(max(number), 0) FROM bugs", [], |row| row.get(0))
            .map_err(|error| self.explain(error))
    }
}
