//! Where the parts of a run are kept for the next one.

use anyhow::{Context, Result};
use splitting::PartsFile;
use std::path::Path;
use store::Store;

const FILE: &str = "parts.json";
/// Far above what a project needs.
const LARGEST: u64 = 256 << 20;

/// The parts of the last run, if there was one.
pub fn read(store: &Store) -> Result<Option<PartsFile>> {
    if !store.directory.has_file(FILE)? {
        return Ok(None);
    }
    let bytes = store.directory.read_file(FILE, LARGEST)?;
    let path = store.directory.path().join(FILE);
    let advice = || format!("{} is damaged; remove it, or cut anew with --recut", path.display());
    PartsFile::parse(&bytes).with_context(advice).map(Some)
}

/// Keeps the parts of this run.
pub fn write(store: &Store, parts: &PartsFile) -> Result<()> {
    let text = parts.text().context("cannot write parts.json")?;
    store.directory.write_file(Path::new(FILE), text.as_bytes())
}
