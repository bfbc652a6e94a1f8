//! The files of a campaign: creates, opens and locks its directory.

use crate::folder::{Folder, Permissions};
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// The file that describes a campaign; a directory without it is not a campaign directory.
pub const CAMPAIGN_FILE: &str = "campaign.toml";
/// The database within the directory.
pub(crate) const DATABASE_FILE: &str = "store.db";
const LOCK_FILE: &str = "lock";
/// What is made before the campaign file.
const UNFINISHED: [&str; 4] = [DATABASE_FILE, "store.db-wal", "store.db-shm", "campaign.toml.partial"];
const STATISTICS_FILE: &str = "stats.jsonl";
/// What the machines that the campaign ran on could not promise, one sentence for each line.
const WEAKNESSES_FILE: &str = "weaknesses.txt";
const FINDINGS: &str = "findings";
/// The number of attempts to take a lock, and the pause between two of them.
const LOCK_TRIES: u32 = 50;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// The largest `campaign.toml`: it lists the paths of seeds, which may be many.
const LARGEST_CAMPAIGN_FILE: u64 = 64 << 20;
const LARGEST_WEAKNESSES_FILE: u64 = 64 << 10;

/// A campaign directory.
pub struct CampaignDirectory {
    folder: Folder,
    /// Held open for its lock, which the system releases however juvenal ends.
    _lock: Option<File>,
}

impl CampaignDirectory {
    /// Creates and locks a new directory. Refuses one that is not empty.
    pub(crate) fn create(path: &Path) -> Result<CampaignDirectory> {
        refuse_existing_content(path)?;
        fs::create_dir_all(path.join(FINDINGS)).with_context(|| {
            format!("cannot create the campaign directory {}; choose another with --out", path.display())
        })?;
        let folder = Folder::open(path)?;
        let lock = lock(&folder)?;
        // A juvenal that was killed here had begun nothing yet.
        UNFINISHED.iter().try_for_each(|name| folder.remove(name))?;
        Ok(CampaignDirectory { _lock: Some(lock), folder })
    }

    /// Opens a directory to continue its campaign. No other process can do so until it is dropped.
    pub(crate) fn open_locked(path: &Path) -> Result<CampaignDirectory> {
        let folder = open_campaign(path)?;
        Ok(CampaignDirectory { _lock: Some(lock(&folder)?), folder })
    }

    /// Opens a directory without its lock.
    pub(crate) fn open_unlocked(path: &Path) -> Result<CampaignDirectory> {
        Ok(CampaignDirectory { folder: open_campaign(path)?, _lock: None })
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Its handle.
    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The text of the campaign file.
    pub fn campaign(&self) -> Result<String> {
        let text = self.folder.read(CAMPAIGN_FILE, LARGEST_CAMPAIGN_FILE)?;
        String::from_utf8(text)
            .with_context(|| format!("cannot read {}", self.path().join(CAMPAIGN_FILE).display()))
    }

    /// Replaces the campaign file.
    pub fn write_campaign(&self, campaign: &str) -> Result<()> {
        self.write_file(Path::new(CAMPAIGN_FILE), campaign.as_bytes())
    }

    /// True if there is a file of this name.
    pub fn has_file(&self, name: &str) -> Result<bool> {
        self.folder.has_file(name)
    }

    /// Reads a file of at most this many bytes.
    pub fn read_file(&self, name: &str, most: u64) -> Result<Vec<u8>> {
        self.folder.read(name, most)
    }

    /// Writes a file atomically: a reader sees all of it or nothing.
    pub fn write_file(&self, relative: &Path, bytes: &[u8]) -> Result<()> {
        let is_script = relative.extension().is_some_and(|ending| ending == "sh");
        let permissions = if is_script { Permissions::Executable } else { Permissions::Plain };
        self.folder.write(relative, bytes, permissions).map_err(|error| self.explain(error, relative))
    }

    /// Removes the directories of findings other than these.
    pub fn keep_finding_directories(&self, names: &BTreeSet<String>) -> Result<()> {
        let findings = self.folder.made_subfolder(FINDINGS)?;
        for name in findings.names()? {
            let is_ours = name.starts_with('F') && name[1..].starts_with(|c: char| c.is_ascii_digit());
            if is_ours && !names.contains(&name) {
                let path = Path::new(FINDINGS).join(&name);
                findings.remove(&name).map_err(|error| self.explain(error, &path))?;
            }
        }
        Ok(())
    }

    /// Appends one line to the statistics.
    pub fn append_statistics(&self, line: &str) -> Result<()> {
        self.folder
            .append(STATISTICS_FILE, format!("{line}\n").as_bytes())
            .map_err(|error| self.explain(error, Path::new(STATISTICS_FILE)))
    }

    /// What the machines that the campaign ran on could not promise.
    pub fn weaknesses(&self) -> Result<Vec<String>> {
        if !self.folder.has_file(WEAKNESSES_FILE)? {
            return Ok(Vec::new());
        }
        let bytes = self.folder.read(WEAKNESSES_FILE, LARGEST_WEAKNESSES_FILE)?;
        Ok(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
    }

    /// Adds to what the machines could not promise.
    pub fn add_weaknesses(&self, weaknesses: &[String]) -> Result<()> {
        let known = self.weaknesses()?;
        let new: Vec<&String> = weaknesses.iter().filter(|sentence| !known.contains(sentence)).collect();
        if new.is_empty() {
            return Ok(());
        }
        let text: String = known.iter().chain(new).map(|sentence| format!("{sentence}\n")).collect();
        self.write_file(Path::new(WEAKNESSES_FILE), text.as_bytes())
    }

    /// Says what the user can do where a file could not be written. Callers know the command that continues.
    fn explain(&self, error: anyhow::Error, relative: &Path) -> anyhow::Error {
        let is_from_system =
            error.chain().any(|cause| cause.is::<rustix::io::Errno>() || cause.is::<std::io::Error>());
        let advice =
            if is_from_system { "make room or fix its permissions" } else { "remove what is in its place" };
        let path = self.path().join(relative);
        error.context(format!("cannot write {}; {advice}, then continue", path.display()))
    }
}

fn refuse_existing_content(directory: &Path) -> Result<()> {
    let shown = directory.display();
    if directory.join(CAMPAIGN_FILE).exists() {
        bail!(
            "{shown} already holds a campaign; continue it with `juvenal resume {shown}` (or `juvenal compare {shown}` for a comparison), or choose another --out"
        );
    }
    let is_empty = match fs::read_dir(directory) {
        Ok(entries) => is_empty_or_unfinished(directory, entries),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(error) => {
            return Err(error).with_context(|| {
                format!("cannot use {shown} as a campaign directory; choose another --out")
            });
        }
    };
    if !is_empty {
        bail!("{shown} is not empty and is not a campaign; choose another --out");
    }
    Ok(())
}

/// True if there is nothing, or only what a juvenal leaves that is killed before it writes the campaign file, which comes last.
fn is_empty_or_unfinished(directory: &Path, entries: fs::ReadDir) -> bool {
    let names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    let is_ours = |name: &std::ffi::OsString| {
        name == LOCK_FILE || name == FINDINGS || UNFINISHED.iter().any(|unfinished| name == unfinished)
    };
    let has_findings =
        || fs::read_dir(directory.join(FINDINGS)).is_ok_and(|mut found| found.next().is_some());
    let has = |wanted: &str| names.iter().any(|name| name == wanted);
    names.is_empty()
        || (has(LOCK_FILE) && has(FINDINGS) && names.iter().all(is_ours) && !has_findings())
        || (names.len() == 1 && has(FINDINGS) && !has_findings())
}

fn open_campaign(directory: &Path) -> Result<Folder> {
    let shown = directory.display();
    let folder = if directory.is_dir() { Some(Folder::open(directory)?) } else { None };
    let Some(folder) = folder.filter(|folder| !matches!(folder.has_file(CAMPAIGN_FILE), Ok(false))) else {
        bail!(
            "{shown} holds no campaign (no {CAMPAIGN_FILE}); give the directory that `juvenal hunt` or `juvenal compare` printed"
        );
    };
    folder.has_file(CAMPAIGN_FILE)?;
    if !folder.has_file(DATABASE_FILE)? {
        bail!(
            "the campaign in {shown} has lost its {DATABASE_FILE}; restore it, or start a new campaign with \
             another --out (the findings directory may still be readable)"
        );
    }
    Ok(folder)
}

fn lock(folder: &Folder) -> Result<File> {
    let directory = folder.path();
    let file = folder
        .open_lock(LOCK_FILE)
        .with_context(|| format!("cannot write in {}; choose another --out", directory.display()))?;
    let mut tries = 0;
    loop {
        tries += 1;
        match file.try_lock() {
            Ok(()) => return Ok(file),
            // A child process holds the locks of its parent from `fork` until `exec`.
            Err(TryLockError::WouldBlock) if tries < LOCK_TRIES => thread::sleep(LOCK_PAUSE),
            Err(TryLockError::WouldBlock) => {
                bail!("{} is in use by another juvenal; wait for it or stop it", directory.display())
            }
            Err(TryLockError::Error(error)) => {
                return Err(error)
                    .with_context(|| format!("cannot lock {}", directory.join(LOCK_FILE).display()));
            }
        }
    }
}
