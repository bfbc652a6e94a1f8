//! Recorded answers: the cache and the journal of a campaign.

use crate::{Database, pack, unpack};
use anyhow::Result;
use model::{Answer, Cost, Hash, KillMode, MeasureMode, Transcript, Verdict};
use rusqlite::OptionalExtension;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where answers are recorded.
pub trait AnswerLog: Send + Sync {
    /// The answers under these keys, in order, without their transcripts.
    fn get(&self, keys: &[Hash]) -> Result<Vec<Option<StoredAnswer>>>;

    /// The transcripts under these keys, in order.
    fn transcripts(&self, keys: &[Hash]) -> Result<Vec<Option<Transcript>>>;

    /// Records answers, all or none. Once this returns, they survive the death of juvenal. The first answer to a query stays:
    /// if one is recorded already, it is returned, and the caller must use it instead of its own.
    fn put(&self, answers: &[(Hash, StoredAnswer)]) -> Result<BTreeMap<Hash, StoredAnswer>>;

    /// Replaces recorded answers, such as those that another reader found in their transcripts. A transcript stays unless a
    /// new one comes with the answer.
    fn replace(&self, answers: &[(Hash, StoredAnswer)]) -> Result<()>;

    /// The number of recorded answers.
    fn count(&self) -> Result<u64>;
}

/// A recorded answer.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredAnswer {
    /// The answer, without its output.
    pub answer: Answer,
    /// The hash of the reader that produced the verdict.
    pub reader: Hash,
    /// What the reader read.
    pub transcript: Option<Transcript>,
}

/// A row without field names, since there are millions of them.
#[derive(Serialize, Deserialize)]
struct Row(Verdict, [u64; 3], KillMode, MeasureMode);

impl AnswerLog for Database {
    fn get(&self, keys: &[Hash]) -> Result<Vec<Option<StoredAnswer>>> {
        let rows: Vec<Option<(Vec<u8>, Vec<u8>)>> = self.run(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT reader, body FROM answers WHERE key = ?1")?;
            let mut row = |key: &Hash| {
                statement.query_row([&key.0[..]], |row| Ok((row.get(0)?, row.get(1)?))).optional()
            };
            keys.iter().map(&mut row).collect()
        })?;
        let stored = |(reader, body): (Vec<u8>, Vec<u8>)| -> Result<StoredAnswer> {
            let answer = unpack::<Row>(&body)?.into_answer();
            // An unknown reader never equals today's, so the transcript is read again.
            let reader = Hash(reader.try_into().unwrap_or_default());
            Ok(StoredAnswer { answer, reader, transcript: None })
        };
        rows.into_iter().map(|row| row.map(stored).transpose()).collect()
    }

    fn transcripts(&self, keys: &[Hash]) -> Result<Vec<Option<Transcript>>> {
        let bodies: Vec<Option<Vec<u8>>> = self.run(|connection| {
            let mut statement = connection.prepare_cached("SELECT body FROM transcripts WHERE key = ?1")?;
            let mut body = |key: &Hash| statement.query_row([&key.0[..]], |row| row.get(0)).optional();
            keys.iter().map(&mut body).collect()
        })?;
        bodies.into_iter().map(|body| body.map(|body| unpack(&body)).transpose()).collect()
    }

    fn put(&self, answers: &[(Hash, StoredAnswer)]) -> Result<BTreeMap<Hash, StoredAnswer>> {
        let mut rows = Vec::with_capacity(answers.len());
        for (key, stored) in answers {
            let transcript = stored.transcript.as_ref().map(pack).transpose()?;
            rows.push((key, stored.reader, pack(&Row::from_answer(&stored.answer))?, transcript));
        }
        let mut late = Vec::new();
        self.run(|connection| {
            let transaction = connection.transaction()?;
            {
                let mut answer = transaction.prepare_cached(
                    "INSERT OR IGNORE INTO answers (key, reader, body) VALUES (?1, ?2, ?3)",
                )?;
                let mut transcript = transaction
                    .prepare_cached("INSERT OR REPLACE INTO transcripts (key, body) VALUES (?1, ?2)")?;
                for (key, reader, body, printed) in &rows {
                    let is_first = answer.execute((&key.0[..], &reader.0[..], body))? > 0;
                    match printed {
                        Some(printed) if is_first => drop(transcript.execute((&key.0[..], printed))?),
                        _ if !is_first => late.push(**key),
                        _ => {}
                    }
                }
            }
            transaction.commit()
        })?;
        let earlier = self.get(&late)?;
        Ok(late.into_iter().zip(earlier).filter_map(|(key, stored)| Some((key, stored?))).collect())
    }

    fn replace(&self, answers: &[(Hash, StoredAnswer)]) -> Result<()> {
        let mut rows = Vec::with_capacity(answers.len());
        for (key, stored) in answers {
            let transcript = stored.transcript.as_ref().map(pack).transpose()?;
            rows.push((key, stored.reader, pack(&Row::from_answer(&stored.answer))?, transcript));
        }
        self.run(|connection| {
            let transaction = connection.transaction()?;
            {
                let mut update =
                    transaction.prepare_cached("UPDATE answers SET reader = ?2, body = ?3 WHERE key = ?1")?;
                let mut transcript = transaction
                    .prepare_cached("INSERT OR REPLACE INTO transcripts (key, body) VALUES (?1, ?2)")?;
                for (key, reader, body, printed) in &rows {
                    let is_known = update.execute((&key.0[..], &reader.0[..], body))? > 0;
                    if let Some(printed) = printed.as_ref().filter(|_| is_known) {
                        transcript.execute((&key.0[..], printed))?;
                    }
                }
            }
            transaction.commit()
        })
    }

    fn count(&self) -> Result<u64> {
        let count: i64 = self
            .run(|connection| connection.query_row("SELECT count(*) FROM answers", [], |row| row.get(0)))?;
        Ok(count.unsigned_abs())
    }
}

impl Row {
    fn from_answer(answer: &Answer) -> Row {
        let cost = &answer.cost;
        let numbers = [cost.wall_microseconds, cost.cpu_microseconds, cost.peak_memory_bytes];
        Row(answer.verdict.clone(), numbers, cost.kill, cost.measure)
    }

    fn into_answer(self) -> Answer {
        let Row(verdict, [wall_microseconds, cpu_microseconds, peak_memory_bytes], kill, measure) = self;
        let cost = Cost { wall_microseconds, cpu_microseconds, peak_memory_bytes, kill, measure };
        Answer { verdict, cost, output: Vec::new() }
    }
}
