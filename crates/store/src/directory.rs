//! Making, opening and locking a campaign directory.

use anyhow::{Context, Result, bail};
use rusqlite::Connection;
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The number of this on-disk format. A store with a larger one was written by a newer juvenal.
pub const FORMAT_VERSION: i64 = 1;
/// The file that says what a campaign is; a directory without it is not ours.
pub const CAMPAIGN_FILE: &str = "campaign.toml";
const DATABASE_FILE: &str = "store.db";
const LOCK_FILE: &str = "lock";
/// How often a lock is tried, and the pause between.
const LOCK_TRIES: u32 = 50;
const LOCK_PAUSE: Duration = Duration::from_millis(10);
const STATISTICS_FILE: &str = "stats.jsonl";

const SCHEMA: &str = "
CREATE TABLE answers (key BLOB PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE cases (number INTEGER PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE findings (number INTEGER PRIMARY KEY, case_number INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE bugs (number INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL, hits INTEGER NOT NULL);
CREATE TABLE unsettled (marker INTEGER PRIMARY KEY);
CREATE TABLE settled_bugs (number INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL, hits INTEGER NOT NULL);
";

/// An open campaign directory.
pub struct Store {
    directory: PathBuf,
    connection: Mutex<Connection>,
    /// Held open for its lock, which the system releases when juvenal ends in whatever way.
    _lock: Option<File>,
}

impl Store {
    /// Makes a new campaign directory. Refuses one that already holds something.
    pub fn create(directory: &Path, campaign: &str) -> Result<Store> {
        refuse_what_is_there(directory)?;
        fs::create_dir_all(directory.join("findings")).with_context(|| {
            format!("cannot make the campaign directory {}; choose another with --out", directory.display())
        })?;
        let lock = Some(lock(directory)?);
        let connection = connect(directory)?;
        connection.execute_batch(SCHEMA).map_err(|error| explain(error, directory))?;
        connection
            .pragma_update(None, "user_version", FORMAT_VERSION)
            .map_err(|error| explain(error, directory))?;
        // The campaign file is written last and whole: a directory that has it can be resumed.
        let store =
            Store { directory: directory.to_owned(), connection: Mutex::new(connection), _lock: lock };
        store.write_file(Path::new(CAMPAIGN_FILE), campaign.as_bytes())?;
        Ok(store)
    }

    /// Opens a campaign directory to go on with it. Nobody else may use it meanwhile.
    pub fn open(directory: &Path) -> Result<Store> {
        require_campaign(directory)?;
        let lock = Some(lock(directory)?);
        Store::open_with(directory, lock)
    }

    /// Opens a campaign directory to look at it, also while a campaign is running.
    pub fn open_for_reading(directory: &Path) -> Result<Store> {
        require_campaign(directory)?;
        Store::open_with(directory, None)
    }

    fn open_with(directory: &Path, lock: Option<File>) -> Result<Store> {
        let connection = connect(directory)?;
        let version: i64 = connection
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .map_err(|error| explain(error, directory))?;
        if version > FORMAT_VERSION {
            bail!(
                "{} was written by a newer juvenal (format {version}, this one knows {FORMAT_VERSION}); \
                 use that version, or start a new campaign with another --out",
                directory.display()
            );
        }
        if version != FORMAT_VERSION {
            bail!("{} holds no complete campaign; start a new one with another --out", directory.display());
        }
        Ok(Store { directory: directory.to_owned(), connection: Mutex::new(connection), _lock: lock })
    }

    /// The directory itself.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The text of the campaign file.
    pub fn campaign(&self) -> Result<String> {
        let path = self.directory.join(CAMPAIGN_FILE);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    }

    /// Writes the campaign file anew.
    pub fn write_campaign(&self, campaign: &str) -> Result<()> {
        self.write_file(Path::new(CAMPAIGN_FILE), campaign.as_bytes())
    }

    /// Writes a file of the campaign directory so that a reader sees all of it or nothing.
    pub fn write_file(&self, relative: &Path, bytes: &[u8]) -> Result<()> {
        let path = self.directory.join(relative);
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
        let directory = self.directory.display();
        format!("cannot write {}; make room or mend it, then `juvenal resume {directory}`", path.display())
    }

    /// Removes the directories of findings that are no more.
    pub fn keep_finding_directories(&self, names: &BTreeSet<String>) -> Result<()> {
        let root = self.directory.join("findings");
        let Ok(entries) = fs::read_dir(&root) else { return Ok(()) };
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
        let path = self.directory.join(STATISTICS_FILE);
        let mut file = File::options()
            .create(true)
            .append(true)
            .open(&path)
            .with_context(|| self.cannot_write(&path))?;
        writeln!(file, "{line}").with_context(|| self.cannot_write(&path))
    }

    /// The connection. A worker that panicked cannot have left a half-done transaction: dropping one rolls it back.
    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says what a database error means for the user.
    pub(crate) fn explain(&self, error: rusqlite::Error) -> anyhow::Error {
        explain(error, &self.directory)
    }
}

#[cfg(unix)]
fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

fn refuse_what_is_there(directory: &Path) -> Result<()> {
    let shown = directory.display();
    if directory.join(CAMPAIGN_FILE).exists() {
        bail!(
            "{shown} already holds a campaign; go on with it by `juvenal resume {shown}`, or by `juvenal compare {shown}` if it is a comparison, or choose another --out"
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
            "the campaign in {shown} has lost its {DATABASE_FILE}; put it back, or start a new campaign with \
             another --out (its findings directory may still be readable)"
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

fn connect(directory: &Path) -> Result<Connection> {
    let path = directory.join(DATABASE_FILE);
    let open = || -> rusqlite::Result<Connection> {
        let connection = Connection::open(&path)?;
        connection.busy_timeout(std::time::Duration::from_secs(10))?;
        // Write-ahead log: a commit survives the death of the process; only a power cut may cost the newest ones.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        // A store from elsewhere may carry triggers and views; it must not make us run them.
        connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
        connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
        Ok(connection)
    };
    open().map_err(|error| explain(error, directory))
}

fn explain(error: rusqlite::Error, directory: &Path) -> anyhow::Error {
    use rusqlite::ErrorCode;
    let shown = directory.display();
    let damaged = matches!(
        error,
        rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
    );
    let advice = match error.sqlite_error_code() {
        _ if damaged => {
            format!("the store in {shown} is damaged; its findings directory may still be readable")
        }
        Some(ErrorCode::DiskFull) => {
            format!(
                "the disk that holds {shown} is full; what was saved is safe: make room, then `juvenal resume {shown}`"
            )
        }
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            format!("cannot write the store in {shown}; check its permissions")
        }
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            format!("the store in {shown} is damaged; its findings directory may still be readable")
        }
        _ => format!("the store in {shown} failed"),
    };
    anyhow::Error::new(error).context(advice)
}
