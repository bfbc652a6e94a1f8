//! A private directory for the runs of one juvenal, removed when it ends.

use anyhow::{Context, Result, bail};
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

const PREFIX: &str = "juvenal-run-";
/// This many names are tried; a name can be taken only by a juvenal in another pid namespace.
const MOST_NAMES: u32 = 1000;
static NEXT: AtomicU64 = AtomicU64::new(0);

/// The directory; dropping it removes it.
pub struct RunDirectory {
    path: PathBuf,
    /// The directory itself, held open for its lock, which the system releases however juvenal ends.
    _lock: File,
}

impl RunDirectory {
    /// Makes a new one under the system's temporary directory, and removes those of juvenals that were killed.
    pub fn create() -> Result<RunDirectory> {
        let root = std::env::temp_dir();
        remove_orphans(&root);
        RunDirectory::create_in(&root)
    }

    /// Makes a new one below another directory.
    pub(crate) fn create_in(root: &Path) -> Result<RunDirectory> {
        for _ in 0..MOST_NAMES {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = root.join(format!("{PREFIX}{}-{number}", std::process::id()));
            let made = claim(&path).with_context(|| {
                format!("cannot make the run directory {}; set TMPDIR to a place with room", path.display())
            })?;
            if let Some(lock) = made {
                return Ok(RunDirectory { path, _lock: lock });
            }
        }
        bail!(
            "cannot make a run directory in {}: every name is taken; remove {PREFIX}*, or set TMPDIR",
            root.display()
        )
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file into it and returns the path.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf> {
        let path = self.path.join(name);
        fs::write(&path, bytes)
            .with_context(|| format!("cannot write {}; is the disk full?", path.display()))?;
        Ok(path)
    }
}

impl Drop for RunDirectory {
    fn drop(&mut self) {
        // Nothing can be done about a failure here, and the next start tries again.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Makes a directory and locks it. None if it already exists, or was taken for an orphan before it was locked.
fn claim(path: &Path) -> std::io::Result<Option<File>> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    match fs::create_dir(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(None),
        made => made?,
    }
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    // A file system without locks refuses all of them, so the directory cannot be taken for an orphan either.
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !is_at(&file, path) {
        return Ok(None);
    }
    Ok(Some(file))
}

/// True if the open directory is still the one at this path.
fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(opened), Ok(found)) => opened.dev() == found.dev() && opened.ino() == found.ino(),
        _ => false,
    }
}

/// Removes the directories of juvenals that no longer exist.
///
/// A juvenal in another pid namespace may share the temporary directory, and its process is not visible here: only an
/// unlocked directory is an orphan.
fn remove_orphans(root: &Path) {
    let Ok(entries) = fs::read_dir(root) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner =
            name.to_str().and_then(|name| name.strip_prefix(PREFIX)).and_then(|rest| rest.split('-').next());
        let Some(owner) = owner.and_then(|text| text.parse::<u32>().ok()) else { continue };
        let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !is_directory || Path::new("/proc").join(owner.to_string()).exists() {
            continue;
        }
        // The lock is held until the directory is gone, so it cannot be claimed meanwhile.
        if let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No process has this number, and processes of other pid namespaces have none here.
    const NO_PROCESS: u32 = u32::MAX;

    /// A directory for one test, removed at its end.
    struct Root(PathBuf);

    impl Root {
        fn new(name: &str) -> Root {
            let path = std::env::temp_dir().join(format!("juvenal-test-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Root(path)
        }

        fn make(&self, name: &str) -> PathBuf {
            let path = self.0.join(name);
            fs::create_dir(&path).unwrap();
            fs::write(path.join("script.smt2"), "(check-sat)").unwrap();
            path
        }
    }

    impl Drop for Root {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    #[test]
    fn a_locked_directory_of_an_unseen_owner_is_no_orphan() {
        let root = Root::new("orphans");
        let path = root.0.join(format!("{PREFIX}{NO_PROCESS}-0"));
        let lock = claim(&path).unwrap().unwrap();
        remove_orphans(&root.0);
        assert!(path.exists(), "its owner is alive");
        drop(lock);
        remove_orphans(&root.0);
        assert!(!path.exists(), "its owner is gone");
    }

    #[test]
    fn only_orphans_are_removed() {
        let root = Root::new("others");
        let (own, other) = (std::process::id(), root.make("another-1-0"));
        let rows = [(format!("{PREFIX}{NO_PROCESS}-7"), false), (format!("{PREFIX}{own}-7"), true)];
        for (name, _) in &rows {
            root.make(name);
        }
        remove_orphans(&root.0);
        for (name, stays) in rows {
            assert_eq!(root.0.join(&name).exists(), stays, "{name}");
        }
        assert!(other.exists());
    }

    #[test]
    fn a_directory_that_exists_is_not_shared() {
        let root = Root::new("taken");
        let taken: Vec<PathBuf> =
            (0..50).map(|number| root.make(&format!("{PREFIX}{}-{number}", std::process::id()))).collect();
        let made = RunDirectory::create_in(&root.0).unwrap();
        assert!(made.path().is_dir() && !taken.contains(&made.path().to_owned()));
        let path = made.path().to_owned();
        drop(made);
        assert!(!path.exists() && taken.iter().all(|path| path.exists()));
    }

    #[test]
    fn a_live_directory_is_locked() {
        let root = Root::new("locked");
        let made = RunDirectory::create_in(&root.0).unwrap();
        assert!(matches!(File::open(made.path()).unwrap().try_lock(), Err(TryLockError::WouldBlock)));
    }
}
