//! The files of a campaign: making, opening and locking its directory.

use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The file that describes a campaign; a directory without it is not ours.
pub const CAMPAIGN_FILE: &str = "campaign.toml";
/// The database within the directory.
pub(crate) const DATABASE_FILE: &str = "store.db";
const LOCK_FILE: &str = "lock";
const STATISTICS_FILE: &str = "stats.jsonl";
const FINDINGS: &str = "findings";
/// The number of attempts to take a lock, and the pause between two of them.
const LOCK_TRIES: u32 = 50;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// A campaign directory.
pub struct CampaignDirectory {
    path: PathBuf,
    /// Held open for its lock, which the system releases when juvenal ends for any reason.
    _lock: Option<File>,
}

impl CampaignDirectory {
    /// Makes and locks a new directory. Refuses one that already holds something.
    pub(crate) fn create(path: &Path) -> Result<CampaignDirectory> {
        refuse_existing_content(path)?;
        fs::create_dir_all(path.join(FINDINGS)).with_context(|| {
            format!("cannot make the campaign directory {}; choose another with --out", path.display())
        })?;
        Ok(CampaignDirectory { path: path.to_owned(), _lock: Some(lock(path)?) })
    }

    /// Opens a directory to continue its campaign. No other process can do so until it is dropped.
    pub(crate) fn open_locked(path: &Path) -> Result<CampaignDirectory> {
        require_campaign(path)?;
        Ok(CampaignDirectory { path: path.to_owned(), _lock: Some(lock(path)?) })
    }

    /// Opens a directory without its lock.
    pub(crate) fn open_unlocked(path: &Path) -> Result<CampaignDirectory> {
        require_campaign(path)?;
        Ok(CampaignDirectory { path: path.to_owned(), _lock: None })
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The text of the campaign file.
    pub fn campaign(&self) -> Result<String> {
        let path = self.path.join(CAMPAIGN_FILE);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    }

    /// Replaces the campaign file.
    pub fn write_campaign(&self, campaign: &str) -> Result<()> {
        self.write_file(Path::new(CAMPAIGN_FILE), campaign.as_bytes())
    }

    /// Writes a file atomically: a reader sees all of it or nothing.
    pub fn write_file(&self, relative: &Path, bytes: &[u8]) -> Result<()> {
        let path = self.path.join(relative);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).with_context(|| self.cannot_write(parent))?;
        }
        let partial = path.with_extension("partial");
        let is_script = path.extension().is_some_and(|ending| ending == "sh");
        fs::write(&partial, bytes)
            .and_then(|()| if is_script { make_executable(&partial) } else { Ok(()) })
            .and_then(|()| fs::rename(&partial, &path))
            .with_context(|| self.cannot_write(&path))
    }

    fn cannot_write(&self, path: &Path) -> String {
        let directory = self.path.display();
        format!(
            "cannot write {}; make room or fix its permissions, then `juvenal resume {directory}`",
            path.display()
        )
    }

    /// Removes the directories of findings other than these.
    pub fn keep_finding_directories(&self, names: &BTreeSet<String>) -> Result<()> {
        let Ok(entries) = fs::read_dir(self.path.join(FINDINGS)) else { return Ok(()) };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_ours = name.starts_with('F') && name[1..].starts_with(|c: char| c.is_ascii_digit());
            if is_ours && !names.contains(&name) {
                fs::remove_dir_all(entry.path()).with_context(|| self.cannot_write(&entry.path()))?;
            }
        }
        Ok(())
    }

    /// Appends one line to the statistics.
    pub fn append_statistics(&self, line: &str) -> Result<()> {
        let path = self.path.join(STATISTICS_FILE);
        let mut file = File::options()
            .create(true)
            .append(true)
            .open(&path)
            .with_context(|| self.cannot_write(&path))?;
        writeln!(file, "{line}").with_context(|| self.cannot_write(&path))
    }
}

#[cfg(unix)]
fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

fn refuse_existing_content(directory: &Path) -> Result<()> {
    let shown = directory.display();
    if directory.join(CAMPAIGN_FILE).exists() {
        bail!(
            "{shown} already holds a campaign; continue it with `juvenal resume {shown}` (or `juvenal compare {shown}` for a comparison), or choose another --out"
        );
    }
    let is_empty = match fs::read_dir(directory) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(error) => {
            return Err(error).with_context(|| {
                format!("cannot use {shown} as a campaign directory; choose another --out")
            });
        }
    };
    if !is_empty {
        bail!("{shown} is not empty and holds no campaign of ours; choose another --out");
    }
    Ok(())
}

fn require_campaign(directory: &Path) -> Result<()> {
    let shown = directory.display();
    if !directory.join(CAMPAIGN_FILE).is_file() {
        bail!(
            "{shown} holds no campaign (no {CAMPAIGN_FILE}); give the directory that `juvenal hunt` or `juvenal compare` printed"
        );
    }
    if !directory.join(DATABASE_FILE).is_file() {
        bail!(
            "the campaign in {shown} has lost its {DATABASE_FILE}; restore it, or start a new campaign with \
             another --out (the findings directory may still be readable)"
        );
    }
    Ok(())
}

fn lock(directory: &Path) -> Result<File> {
    let path = directory.join(LOCK_FILE);
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .with_context(|| format!("cannot write in {}; choose another --out", directory.display()))?;
    let mut tries = 0;
    loop {
        tries += 1;
        match file.try_lock() {
            Ok(()) => return Ok(file),
            // A process that is being started holds what its parent held until it becomes another program.
            Err(TryLockError::WouldBlock) if tries < LOCK_TRIES => thread::sleep(LOCK_PAUSE),
            Err(TryLockError::WouldBlock) => {
                bail!("{} is in use by another juvenal; wait for it or stop it", directory.display())
            }
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", path.display()));
            }
        }
    }
}
