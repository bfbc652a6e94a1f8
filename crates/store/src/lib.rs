//! One campaign directory: a SQLite file with cases, answers and findings, and the lock that guards it.
//!
//! The answers table is cache and journal at once. Everything that a campaign has learned is on disk as soon as
//! a call returns: killing juvenal loses at most the queries in flight.
//!
//! Invariant: a directory is locked while in use, never overwritten, and nothing stored in it is ever executed. It is data
//! that may come from anyone: see [`Folder`] for its files, and `database.rs` for what SQLite must not do.

mod answers;
mod cases;
mod database;
mod directory;
mod findings;
mod folder;
mod ledger;
mod memory_log;
mod results;
mod seed_log;

pub use answers::{AnswerLog, StoredAnswer};
pub use cases::{CaseRecord, SkipReason, WalkCounts};
use database::Database;
pub use database::FORMAT_VERSION;
pub use directory::{CAMPAIGN_FILE, CampaignDirectory};
pub use findings::{BugRow, CaseResults};
pub use folder::{Folder, Permissions};
pub use ledger::Ledger;
pub use memory_log::MemoryLog;
pub use seed_log::{ListedSeed, SeedLog};

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// An open campaign.
pub struct Store {
    /// Its files.
    pub directory: CampaignDirectory,
    /// Its answers.
    pub answers: Arc<dyn AnswerLog>,
    /// Its results.
    pub ledger: Arc<dyn Ledger>,
    /// Its seeds.
    pub seeds: Arc<dyn SeedLog>,
}

impl Store {
    /// Creates a new campaign directory. Refuses one that is not empty.
    pub fn create(path: &Path, campaign: &str) -> Result<Store> {
        let directory = CampaignDirectory::create(path)?;
        let database = Database::create(directory.folder())?;
        // The campaign file is written last and whole: a directory that has it can be resumed.
        directory.write_campaign(campaign)?;
        Ok(Store::of(directory, database))
    }

    fn of(directory: CampaignDirectory, database: Database) -> Store {
        let database = Arc::new(database);
        Store { directory, answers: database.clone(), ledger: database.clone(), seeds: database }
    }

    /// Opens a campaign to continue it. No other process can do so until the store is dropped.
    pub fn open(path: &Path) -> Result<Store> {
        let directory = CampaignDirectory::open_locked(path)?;
        let database = Database::open(directory.folder())?;
        Ok(Store::of(directory, database))
    }

    /// Opens a campaign to run single units of it for the process that holds the lock.
    pub fn join(path: &Path) -> Result<Store> {
        let directory = CampaignDirectory::open_unlocked(path)?;
        let database = Database::open(directory.folder())?;
        Ok(Store::of(directory, database))
    }

    /// Opens a campaign to read it, even while it is running. Nothing is written.
    pub fn open_for_reading(path: &Path) -> Result<Store> {
        let directory = CampaignDirectory::open_unlocked(path)?;
        let database = Database::open_for_reading(directory.folder())?;
        Ok(Store::of(directory, database))
    }
}

/// Bodies above this size are compressed; below, the header of a compressed frame costs more than it saves.
const COMPRESS_ABOVE: usize = 512;
/// No body may unpack to more than this: a store from another machine must not exhaust the memory.
const LARGEST_BODY: u64 = 256 << 20;
/// The binary logarithm of the most memory that a frame may ask for; ours ask for less.
const LARGEST_WINDOW: u32 = 24;

/// Turns a value into a stored body: one byte that says whether the rest is compressed, then JSON.
fn pack(value: &impl Serialize) -> Result<Vec<u8>> {
    let json = serde_json::to_vec(value).context("cannot encode a row of the store")?;
    if json.len() <= COMPRESS_ABOVE {
        return Ok([&[0], json.as_slice()].concat());
    }
    let packed = zstd::bulk::compress(&json, 3).context("cannot compress a row of the store")?;
    Ok([&[1], packed.as_slice()].concat())
}

/// Reads a stored body back.
pub fn unpack<T: DeserializeOwned>(body: &[u8]) -> Result<T> {
    match body.split_first() {
        Some((0, json)) => serde_json::from_slice(json).context("a row of the store is damaged"),
        Some((1, packed)) => {
            let json = decompress(packed).context("a compressed row of the store is damaged")?;
            serde_json::from_slice(&json).context("a row of the store is damaged")
        }
        _ => anyhow::bail!("a row of the store has an unknown encoding"),
    }
}

/// Takes memory for what is there, not for what the header of the frame claims.
fn decompress(packed: &[u8]) -> Result<Vec<u8>> {
    let mut decoder = zstd::stream::read::Decoder::new(packed)?;
    decoder.window_log_max(LARGEST_WINDOW)?;
    let mut json = Vec::new();
    decoder.take(LARGEST_BODY + 1).read_to_end(&mut json)?;
    anyhow::ensure!(json.len() as u64 <= LARGEST_BODY, "it is larger than {LARGEST_BODY} bytes");
    Ok(json)
}
