//! The SQLite database of a campaign.

use crate::Folder;
use crate::directory::DATABASE_FILE;
use anyhow::{Context, Result, bail};
use parking_lot::{Mutex, MutexGuard};
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The version of the on-disk format.
pub const FORMAT_VERSION: i64 = 4;
/// The write-ahead log of SQLite, its index, and the rollback journal that juvenal never uses.
const LOG_FILE: &str = "store.db-wal";
const INDEX_FILE: &str = "store.db-shm";
const ROLLBACK_FILE: &str = "store.db-journal";
/// Links are not followed; connections are not shared without a lock.
const SAFE_FLAGS: OpenFlags = OpenFlags::SQLITE_OPEN_NO_MUTEX.union(OpenFlags::SQLITE_OPEN_NOFOLLOW);
/// How long a statement waits for another process to finish writing.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Transcripts have a table of their own, because answers are looked up far more often.
///
/// Findings of cases that did not finish are visible but provisional. While there are any, `unsettled` holds one row and
/// `settled_bugs` holds the bugs as they were before the first of them. Provisional findings are removed when the campaign
/// continues, and leave no trace.
const SCHEMA: &str = "
CREATE TABLE answers (key BLOB PRIMARY KEY, reader BLOB NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE transcripts (key BLOB PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE seeds (hash BLOB PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE seed_list (number INTEGER PRIMARY KEY, hash BLOB NOT NULL);
CREATE TABLE seed_names (number INTEGER PRIMARY KEY, language TEXT NOT NULL, name TEXT NOT NULL);
CREATE TABLE cases (number INTEGER PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE findings (number INTEGER PRIMARY KEY, case_number INTEGER NOT NULL, body BLOB NOT NULL);
CREATE TABLE bugs (number INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL, hits INTEGER NOT NULL);
CREATE TABLE unsettled (marker INTEGER PRIMARY KEY);
CREATE TABLE settled_bugs (number INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL, hits INTEGER NOT NULL);
";

/// An open database.
pub struct Database {
    /// The campaign directory, for messages.
    directory: PathBuf,
    connection: Mutex<Connection>,
    /// True if nothing may be written.
    pub(crate) is_read_only: bool,
}

impl Database {
    /// Creates the database of a new campaign.
    pub(crate) fn create(folder: &Folder) -> Result<Database> {
        let database = Database::connect(folder, connect_for_writing)?;
        database.run(|connection| {
            connection.execute_batch(SCHEMA)?;
            connection.pragma_update(None, "user_version", FORMAT_VERSION)
        })?;
        Ok(database)
    }

    /// Opens an existing database for reading and writing.
    pub(crate) fn open(folder: &Folder) -> Result<Database> {
        // SQLite writes these in place, so another name of theirs would be written as well.
        [DATABASE_FILE, LOG_FILE].iter().try_for_each(|name| folder.refuse_second_name(name))?;
        Database::connect(folder, connect_for_writing)?.require_format()?.require_schema()
    }

    /// Opens an existing database without changing a byte of it.
    pub(crate) fn open_for_reading(folder: &Folder) -> Result<Database> {
        let database = Database::connect(folder, connect_for_reading)?.require_format()?.require_schema()?;
        Ok(Database { is_read_only: true, ..database })
    }

    /// SQLite knows only paths, so the path must lead to the open directory, and links on the way are resolved here: a
    /// link in the place of the database is refused.
    fn connect(
        folder: &Folder,
        connect: impl FnOnce(&Path) -> rusqlite::Result<Connection>,
    ) -> Result<Database> {
        let directory = folder.path();
        refuse_foreign_files(folder)?;
        let resolved = std::fs::canonicalize(directory)
            .with_context(|| format!("cannot find {}", directory.display()))?;
        if !folder.is_at(&resolved) {
            bail!("{} was moved while it was opened; try again", directory.display());
        }
        let connection = connect(&resolved.join(DATABASE_FILE)).map_err(|error| explain(error, directory))?;
        Ok(Database {
            directory: directory.to_owned(),
            connection: Mutex::new(connection),
            is_read_only: false,
        })
    }

    /// Refuses tables, indexes, views and triggers that juvenal does not make: SQLite would act on them.
    fn require_schema(self) -> Result<Database> {
        let found = self.run(|connection| {
            let mut statement = connection.prepare("SELECT name, coalesce(sql, '') FROM sqlite_schema")?;
            let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
            statement.query_map([], row)?.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        let own: Vec<&str> = SCHEMA.split(';').map(str::trim).filter(|it| !it.is_empty()).collect();
        let shown = self.directory.display();
        if let Some((name, _)) = found.iter().find(|(_, text)| !own.contains(&text.as_str())) {
            bail!(
                "the store in {shown} is damaged or was changed: it holds `{}`, which juvenal does not make; its \
                 findings directory may still be readable",
                name.escape_debug()
            );
        }
        if found.len() != own.len() {
            bail!(
                "the store in {shown} is damaged: it has {} of {} tables; its findings directory may still be readable",
                found.len(),
                own.len()
            );
        }
        Ok(self)
    }

    fn require_format(self) -> Result<Database> {
        let version: i64 =
            self.run(|connection| connection.pragma_query_value(None, "user_version", |row| row.get(0)))?;
        let shown = self.directory.display();
        match version {
            FORMAT_VERSION => Ok(self),
            0 => bail!("{shown} holds no complete campaign; start a new one with another --out"),
            newer if newer > FORMAT_VERSION => bail!(
                "{shown} was written by a newer juvenal (format {newer}; this version reads format {FORMAT_VERSION}); \
                 use that version, or start a new campaign with another --out"
            ),
            older => bail!(
                "{shown} was written by an older juvenal (format {older}; this version reads format {FORMAT_VERSION}); its reports \
                 in {shown}/findings can be read as they are; use that version to continue it, or start a new \
                 campaign with another --out"
            ),
        }
    }

    /// Runs statements; errors say what the user can do.
    pub(crate) fn run<T>(
        &self,
        statements: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        statements(&mut self.connection()).map_err(|error| explain(error, &self.directory))
    }

    /// The connection. A worker that panicked cannot have left a half-done transaction: dropping one rolls it back.
    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock()
    }
}

/// Refuses what SQLite would follow, wait for or obey.
fn refuse_foreign_files(folder: &Folder) -> Result<()> {
    for name in [DATABASE_FILE, LOG_FILE] {
        folder.has_file(name)?;
    }
    // The index is written even by those who only read.
    folder.refuse_second_name(INDEX_FILE)?;
    // A rollback journal names another file, which SQLite removes. Juvenal uses a write-ahead log instead.
    if folder.has_file(ROLLBACK_FILE)? {
        bail!(
            "{} is not a file of juvenal, and SQLite would obey it; remove it",
            folder.path().join(ROLLBACK_FILE).display()
        );
    }
    Ok(())
}

fn connect_for_writing(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | SAFE_FLAGS;
    let connection = distrusting(Connection::open_with_flags(path, flags)?)?;
    // Write-ahead log: a commit survives the death of the process; only a power cut may cost the newest ones.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    Ok(connection)
}

/// SQLite needs a file beside the database to read a write-ahead log, even a finished one. Where that file cannot be made,
/// no other process can be writing either, and the database is read as it is.
fn connect_for_reading(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | SAFE_FLAGS;
    let connection = distrusting(Connection::open_with_flags(path, flags)?)?;
    let is_readable = connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0));
    match is_readable {
        Err(error) if error.sqlite_error_code() == Some(rusqlite::ErrorCode::CannotOpen) => {
            let flags = flags | OpenFlags::SQLITE_OPEN_URI;
            distrusting(Connection::open_with_flags(immutable_uri(path), flags)?)
        }
        _ => Ok(connection),
    }
}

fn immutable_uri(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    let mut uri = "file:".to_owned();
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                uri.push(char::from(*byte))
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri + "?immutable=1"
}

/// A database from elsewhere may carry triggers, views and functions in its schema; they must not run.
fn distrusting(connection: Connection) -> rusqlite::Result<Connection> {
    use rusqlite::config::DbConfig;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    Ok(connection)
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
                "the disk that holds {shown} is full; what was saved is safe: make room there, then continue"
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
