//! One campaign directory: a SQLite file with cases, answers and findings, and the lock that guards it.
//!
//! The answers table is cache and journal at once. Everything that a campaign has learnt is on disk as soon as
//! a call returns: killing juvenal loses at most the queries in flight.
//!
//! Invariant: a directory is locked while in use, never overwritten, and nothing stored in it is ever executed.

mod answers;
mod cases;
mod directory;
mod findings;

pub use cases::CaseRecord;
pub use directory::{CAMPAIGN_FILE, FORMAT_VERSION, Store};
pub use findings::{BugRow, CaseResults};

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

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
