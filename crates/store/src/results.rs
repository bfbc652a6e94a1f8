//! The ledger in SQLite.

use crate::{BugRow, CaseRecord, CaseResults, Database, Ledger, pack, unpack};
use anyhow::{Context, Result};
use model::Finding;
use rusqlite::{Connection, OptionalExtension, Row};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

const PUT_FINDING: &str = "INSERT OR REPLACE INTO findings (number, case_number, body) VALUES (?1, ?2, ?3)";
const PUT_CASE: &str = "INSERT OR REPLACE INTO cases (number, body) VALUES (?1, ?2)";
const PUT_BUG: &str = "INSERT OR REPLACE INTO bugs (number, fingerprint, hits) VALUES (?1, ?2, ?3)";
const MARK_PROVISIONAL: &str = "
    INSERT INTO settled_bugs SELECT * FROM bugs WHERE NOT EXISTS (SELECT 1 FROM unsettled);
    INSERT OR IGNORE INTO unsettled VALUES (1);";
const REMOVE_PROVISIONAL: &str = "BEGIN IMMEDIATE;
    DELETE FROM bugs WHERE EXISTS (SELECT 1 FROM unsettled);
    INSERT INTO bugs SELECT * FROM settled_bugs WHERE EXISTS (SELECT 1 FROM unsettled);
    DELETE FROM findings WHERE case_number NOT IN (SELECT number FROM cases);
    DELETE FROM settled_bugs;
    DELETE FROM unsettled;
    COMMIT;";

impl Ledger for Database {
    fn cases(&self) -> Result<BTreeMap<u64, CaseRecord>> {
        let rows = self.rows("SELECT number, body FROM cases", |row| {
            Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get::<_, Vec<u8>>(1)?))
        })?;
        rows.into_iter().map(|(number, body)| Ok((number, unpack(&body)?))).collect()
    }

    fn record_results(&self, results: &CaseResults<'_>) -> Result<()> {
        let changed = results.moved.iter().chain(results.findings);
        let bodies = changed.map(|it| Ok((it, pack(it)?))).collect::<Result<Vec<_>>>()?;
        let record = results.record.map(pack).transpose()?;
        let fingerprints = results.bugs.iter().map(|bug| serde_json::to_string(&bug.fingerprint));
        let fingerprints = fingerprints.collect::<Result<Vec<String>, _>>()?;
        self.run(|connection| {
            let transaction = connection.transaction()?;
            if record.is_none() {
                transaction.execute_batch(MARK_PROVISIONAL)?;
            }
            for (finding, body) in &bodies {
                put_finding(&transaction, finding, body)?;
            }
            // A bug that was merged into another keeps its row, so no later bug gets its number.
            transaction.execute("UPDATE bugs SET fingerprint = '', hits = 0", [])?;
            for (bug, fingerprint) in results.bugs.iter().zip(&fingerprints) {
                transaction.execute(PUT_BUG, (bug.number, fingerprint, bug.hits.cast_signed()))?;
            }
            if let Some(record) = &record {
                transaction.execute(PUT_CASE, (results.number.cast_signed(), record))?;
            }
            transaction.commit()
        })
    }

    fn findings(&self) -> Result<Vec<Finding>> {
        let bodies =
            self.rows("SELECT body FROM findings ORDER BY number", |row| row.get::<_, Vec<u8>>(0))?;
        bodies.iter().map(|body| unpack(body)).collect()
    }

    fn bugs(&self) -> Result<Vec<BugRow>> {
        let rows = self
            .rows("SELECT number, fingerprint, hits FROM bugs WHERE hits > 0 ORDER BY number", |row| {
                Ok((row.get(0)?, row.get::<_, String>(1)?, row.get::<_, i64>(2)?.cast_unsigned()))
            })?;
        let bug = |(number, fingerprint, hits): (u32, String, u64)| {
            let fingerprint = serde_json::from_str(&fingerprint)
                .with_context(|| format!("the fingerprint of bug {number} cannot be read"))?;
            Ok(BugRow { number, fingerprint, hits })
        };
        rows.into_iter().map(bug).collect()
    }

    fn last_bug_number(&self) -> Result<u32> {
        self.run(|connection| {
            connection.query_row("SELECT coalesce(max(number), 0) FROM bugs", [], |row| row.get(0))
        })
    }

    fn remove_provisional(&self) -> Result<()> {
        self.run(|connection| connection.execute_batch(REMOVE_PROVISIONAL))
    }

    fn replace_finding(&self, finding: &Finding) -> Result<()> {
        let body = pack(finding)?;
        self.run(|connection| put_finding(connection, finding, &body))
    }

    fn is_settled(&self, finding: &Finding) -> Result<bool> {
        const IS_RECORDED: &str = "SELECT EXISTS (SELECT 1 FROM cases WHERE number = ?1)";
        let number = finding.case_number.cast_signed();
        self.run(|connection| connection.query_row(IS_RECORDED, [number], |row| row.get(0)))
    }
}

impl Database {
    pub(crate) fn body<T: DeserializeOwned>(&self, query: &str, number: i64) -> Result<Option<T>> {
        let body: Option<Vec<u8>> = self.run(|connection| {
            connection.prepare_cached(query)?.query_row([number], |row| row.get(0)).optional()
        })?;
        body.map(|body| unpack(&body)).transpose()
    }

    pub(crate) fn rows<T>(
        &self,
        query: &str,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        self.run(|connection| connection.prepare(query)?.query_map([], |row| read(row))?.collect())
    }
}

fn put_finding(connection: &Connection, finding: &Finding, body: &[u8]) -> rusqlite::Result<()> {
    connection.execute(PUT_FINDING, (finding.number, finding.case_number.cast_signed(), body)).map(drop)
}
