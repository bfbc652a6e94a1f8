//! The answers table: cache and journal at once.

use crate::{Database, pack, unpack};
use anyhow::Result;
use model::{Answer, Cost, Hash, KillMode, MeasureMode, Verdict};
use rusqlite::OptionalExtension;
use serde::{Deserialize, Serialize};

/// A row without field names, since there are millions of them.
#[derive(Serialize, Deserialize)]
struct Row(Verdict, [u64; 3], KillMode, MeasureMode, #[serde(default)] String);

impl Database {
    /// The recorded answer under a key.
    pub fn answer(&self, key: Hash) -> Result<Option<Answer>> {
        let connection = self.connection();
        let body: Option<Vec<u8>> = connection
            .prepare_cached("SELECT body FROM answers WHERE key = ?1")
            .and_then(|mut statement| statement.query_row([&key.0[..]], |row| row.get(0)).optional())
            .map_err(|error| self.explain(error))?;
        body.map(|body| unpack::<Row>(&body).map(Row::into_answer)).transpose()
    }

    /// Records answers, all or none. They survive the death of juvenal from the moment this returns.
    pub fn record_answers(&self, answers: &[(Hash, Answer)]) -> Result<()> {
        let rows = answers.iter().map(|(key, answer)| Ok((key, pack(&Row::from_answer(answer))?)));
        let rows = rows.collect::<Result<Vec<_>>>()?;
        let write = || -> rusqlite::Result<()> {
            let mut connection = self.connection();
            let transaction = connection.transaction()?;
            {
                let mut statement = transaction
                    .prepare_cached("INSERT OR REPLACE INTO answers (key, body) VALUES (?1, ?2)")?;
                for (key, body) in &rows {
                    statement.execute((&key.0[..], body))?;
                }
            }
            transaction.commit()
        };
        write().map_err(|error| self.explain(error))
    }

    /// How many answers are recorded.
    pub fn answer_count(&self) -> Result<u64> {
        self.connection()
            .query_row("SELECT count(*) FROM answers", [], |row| row.get::<_, i64>(0))
            .map(|count| count.unsigned_abs())
            .map_err(|error| self.explain(error))
    }
}

impl Row {
    fn from_answer(answer: &Answer) -> Row {
        let cost = &answer.cost;
        Row(
            answer.verdict.clone(),
            [cost.wall_microseconds, cost.cpu_microseconds, cost.peak_memory_bytes],
            cost.kill,
            cost.measure,
            String::from_utf8_lossy(&answer.output).into_owned(),
        )
    }

    fn into_answer(self) -> Answer {
        let Row(verdict, [wall_microseconds, cpu_microseconds, peak_memory_bytes], kill, measure, output) =
            self;
        let cost = Cost { wall_microseconds, cpu_microseconds, peak_memory_bytes, kill, measure };
        Answer { verdict, cost, output: output.into_bytes() }
    }
}
