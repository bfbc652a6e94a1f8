//! The seeds of a campaign: which there are, and their texts as they were first read.

use crate::{Database, pack};
use anyhow::{Context, Result};
use model::{Hash, Language, Seed};

const KEEP_SEED: &str = "INSERT OR IGNORE INTO seeds (hash, body) VALUES (?1, ?2)";
const POINT_TO_SEED: &str = "INSERT OR IGNORE INTO seed_list (number, hash) VALUES (?1, ?2)";
const GET_SEED: &str =
    "SELECT body FROM seeds JOIN seed_list ON seeds.hash = seed_list.hash WHERE seed_list.number = ?1";
const LIST_SEED: &str = "INSERT OR REPLACE INTO seed_names (number, language, name) VALUES (?1, ?2, ?3)";
const GET_LIST: &str = "SELECT language, name FROM seed_names ORDER BY number";

/// A seed without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedSeed {
    /// The name that messages and reports use.
    pub name: String,
    /// Its language.
    pub language: Language,
}

/// The seeds of a campaign.
///
/// A unit that runs on another machine does not have the files, so it needs nothing but what is here.
pub trait SeedLog: Send + Sync {
    /// Records which seeds the campaign has, in their order.
    fn list_seeds(&self, seeds: &[ListedSeed]) -> Result<()>;

    /// The seeds that were recorded, in their order.
    fn listed_seeds(&self) -> Result<Vec<ListedSeed>>;

    /// The seed with this number, as the first case that used it read it.
    fn seed(&self, number: usize) -> Result<Option<Seed>>;

    /// Stores a seed under its content unless one is stored for this number, and returns the stored one: if two workers
    /// read a seed at the same time, both continue with the text that was stored first.
    fn keep_seed(&self, number: usize, seed: Seed) -> Result<Seed>;
}

impl SeedLog for Database {
    fn list_seeds(&self, seeds: &[ListedSeed]) -> Result<()> {
        self.run(|connection| {
            let transaction = connection.transaction()?;
            let mut statement = transaction.prepare(LIST_SEED)?;
            for (number, seed) in seeds.iter().enumerate() {
                statement.execute((number as i64, seed.language.name(), &seed.name))?;
            }
            drop(statement);
            transaction.commit()
        })
    }

    fn listed_seeds(&self) -> Result<Vec<ListedSeed>> {
        let rows = self.rows(GET_LIST, |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
        let seed = |(language, name): (String, String)| {
            let language = Language::find(&language).with_context(|| {
                format!("the seed {name} is in the language `{language}`, which is unknown")
            })?;
            Ok(ListedSeed { name, language })
        };
        rows.into_iter().map(seed).collect()
    }

    fn seed(&self, number: usize) -> Result<Option<Seed>> {
        self.body(GET_SEED, number as i64)
    }

    fn keep_seed(&self, number: usize, seed: Seed) -> Result<Seed> {
        if self.is_read_only {
            return Ok(self.seed(number)?.unwrap_or(seed));
        }
        let body = pack(&seed)?;
        let hash = Hash::of(&body);
        self.run(|connection| {
            let transaction = connection.transaction()?;
            transaction.execute(KEEP_SEED, (&hash.0[..], body))?;
            transaction.execute(POINT_TO_SEED, (number as i64, &hash.0[..]))?;
            transaction.commit()
        })?;
        self.seed(number)?.context("a seed that was just stored is gone")
    }
}
