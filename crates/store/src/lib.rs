//! One campaign directory: a SQLite file with cases, answers and findings, and the lock that guards it.
//!
//! The answers table is cache and journal at once. Everything that a campaign has learned is on disk as soon as
//! a call returns: killing juvenal loses at most the queries in flight.
//!
//! Invariant: a directory is locked while in use, never overwritten, and nothing stored in it is ever executed.

mod answers;
mod cases;
mod database;
mod directory;
mod findings;
mod ledger;
mod memory_log;
mod results;

pub use answers::{AnswerLog, StoredAnswer};
pub use cases::CaseRecord;
pub use database::{Database, FORMAT_VERSION};
pub use directory::{CAMPAIGN_FILE, CampaignDirectory};
pub use findings::{BugRow, CaseResults};
pub use ledger::Ledger;
pub use memory_log::MemoryLog;

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// An open campaign.
pub struct Store {
    /// Its files.
    pub directory: CampaignDirectory,
    /// Its answers and results.
    pub database: Database,
}

impl Store {
    /// Makes a new campaign directory. Refuses one that already holds something.
    pub fn create(path: &Path, campaign: &str) -> Result<Store> {
        let directory = CampaignDirectory::create(path)?;
        let database = Database::create(path)?;
        // The campaign file is written last and whole: a directory that has it can be resumed.
        directory.write_campaign(campaign)?;
        Ok(Store { directory, database })
    }

    /// Opens a campaign to continue it. No other process can do so until the store is dropped.
    pub fn open(path: &Path) -> Result<Store> {
        let directory = CampaignDirectory::open_locked(path)?;
        Ok(Store { directory, database: Database::open(path)? })
    }

    /// Opens a campaign to run single units of it for the process that holds the lock.
    pub fn join(path: &Path) -> Result<Store> {
        let directory = CampaignDirectory::open_unlocked(path)?;
        Ok(Store { directory, database: Database::open(path)? })
    }

    /// Opens a campaign to read it, even while it is running. Nothing is written.
    pub fn open_for_reading(path: &Path) -> Result<Store> {
        let directory = CampaignDirectory::open_unlocked(path)?;
        Ok(Store { directory, database: Database::open_for_reading(path)? })
    }
}

/// Bodies above this size are compressed; below, the header of a compressed frame costs more than it saves.
const COMPRESS_ABOVE: usize = 512;
/// No body may unpack to more than this: a store from elsewhere must not fill the memory.
const LARGEST_BODY: usize = 256 << 20;

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
fn unpack<T: DeserializeOwned>(body: &[u8]) -> Result<T> {
    match body.split_first() {
        Some((0, json)) => serde_json::from_slice(json).context("a row of the store is damaged"),
        Some((1, packed)) => {
            let json = zstd::bulk::decompress(packed, LARGEST_BODY)
                .context("a compressed row of the store is damaged")?;
            serde_json::from_slice(&json).context("a row of the store is damaged")
        }
        _ => anyhow::bail!("a row of the store has an unknown encoding"),
    }
}
