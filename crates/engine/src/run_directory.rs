//! A private directory for the runs of one juvenal, removed when it ends.

use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

const PREFIX: &str = "juvenal-run-";
static NEXT: AtomicU64 = AtomicU64::new(0);

/// The directory; dropping it removes it.
pub struct RunDirectory(PathBuf);

impl RunDirectory {
    /// Makes a new one under the system's temporary directory, and removes those of juvenals that were killed.
    pub fn create() -> Result<RunDirectory> {
        let root = std::env::temp_dir();
        remove_orphans(&root);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = root.join(format!("{PREFIX}{}-{number}", std::process::id()));
        fs::create_dir_all(&path).with_context(|| {
            format!("cannot make the run directory {}; set TMPDIR to a place with room", path.display())
        })?;
        Ok(RunDirectory(path))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file into it and says where.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf> {
        let path = self.0.join(name);
        fs::write(&path, bytes)
            .with_context(|| format!("cannot write {}; is the disk full?", path.display()))?;
        Ok(path)
    }
}

impl Drop for RunDirectory {
    fn drop(&mut self) {
        // Nothing can be done about a failure here, and the next start tries again.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Removes the directories of processes that no longer exist.
fn remove_orphans(root: &Path) {
    let Ok(entries) = fs::read_dir(root) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner =
            name.to_str().and_then(|name| name.strip_prefix(PREFIX)).and_then(|rest| rest.split('-').next());
        let Some(owner) = owner.and_then(|text| text.parse::<u32>().ok()) else { continue };
        if !Path::new("/proc").join(owner.to_string()).exists() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
