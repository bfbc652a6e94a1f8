//! The SQLite database of a campaign.

use crate::directory::DATABASE_FILE;
use anyhow::{Result, bail};
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The number of the on-disk format.
pub const FORMAT_VERSION: i64 = 2;
/// How long a statement waits for another process to finish writing.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Transcripts stand apart from the answers, which are looked up far more often.
///
/// Findings of cases that did not finish are visible but provisional. While there are any, `unsettled` holds one row and
/// `settled_bugs` holds the bugs as they were before the first of them, so that the provisional findings can be removed
/// without a trace when the campaign continues.
const SCHEMA: &str = "
CREATE TABLE answers (key BLOB PRIMARY KEY, reader BLOB NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE transcripts (key BLOB PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE seeds (place INTEGER PRIMARY KEY, body BLOB NOT NULL);
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
    /// Makes the database of a new campaign.
    pub(crate) fn create(directory: &Path) -> Result<Database> {
        let database = Database::connect(directory, connect_for_writing)?;
        database.run(|connection| {
            connection.execute_batch(SCHEMA)?;
            connection.pragma_update(None, "user_version", FORMAT_VERSION)
        })?;
        Ok(database)
    }

    /// Opens an existing database for reading and writing.
    pub(crate) fn open(directory: &Path) -> Result<Database> {
        Database::connect(directory, connect_for_writing)?.require_format()
    }

    /// Opens an existing database without changing a byte of it.
    pub(crate) fn open_for_reading(directory: &Path) -> Result<Database> {
        let database = Database::connect(directory, connect_for_reading)?.require_format()?;
        Ok(Database { is_read_only: true, ..database })
    }

    fn connect(
        directory: &Path,
        connect: impl FnOnce(&Path) -> rusqlite::Result<Connection>,
    ) -> Result<Database> {
        let connection =
            connect(&directory.join(DATABASE_FILE)).map_err(|error| explain(error, directory))?;
        Ok(Database {
            directory: directory.to_owned(),
            connection: Mutex::new(connection),
            is_read_only: false,
        })
    }

    fn require_format(self) -> Result<Database> {
        let version: i64 =
            self.run(|connection| connection.pragma_query_value(None, "user_version", |row| row.get(0)))?;
        let shown = self.directory.display();
        match version {
            FORMAT_VERSION => Ok(self),
            0 => bail!("{shown} holds no complete campaign; start a new one with another --out"),
            newer if newer > FORMAT_VERSION => bail!(
                "{shown} was written by a newer juvenal (format {newer}; this one knows {FORMAT_VERSION}); \
                 use that version, or start a new campaign with another --out"
            ),
            older => bail!(
                "{shown} was written by an older juvenal (format {older}; this one knows {FORMAT_VERSION}); its reports \
                 in {shown}/findings can be read as they are; use that version to continue it, or start a new \
                 campaign with another --out"
            ),
        }
    }

    /// Runs statements, and turns their failure into advice.
    pub(crate) fn run<T>(
        &self,
        statements: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        statements(&mut self.connection()).map_err(|error| explain(error, &self.directory))
    }

    /// The connection. A worker that panicked cannot have left a half-done transaction: dropping one rolls it back.
    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn connect_for_writing(path: &Path) -> rusqlite::Result<Connection> {
    let connection = distrusting(Connection::open(path)?)?;
    // Write-ahead log: a commit survives the death of the process; only a power cut may cost the newest ones.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    Ok(connection)
}

/// SQLite needs a file beside the database to read a write-ahead log, even a finished one. Where that file cannot be made,
/// no other process can be writing either, and the database is read as it is.
fn connect_for_reading(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
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

/// A database from elsewhere may carry triggers and views; they must not run.
fn distrusting(connection: Connection) -> rusqlite::Result<Connection> {
    use rusqlite::config::DbConfig;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
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
