//! A private directory for the runs of one juvenal, removed when it ends.

use anyhow::{Context, Result, bail};
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
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
        let root = temporary_directory()?;
        remove_orphans(&root);
        RunDirectory::create_in(&root)
    }

    /// Makes a new one that other users can pass through, but not list: what is in it is private, and confined programs must
    /// reach their part of it.
    pub(crate) fn create_enclosing() -> Result<RunDirectory> {
        let directory = RunDirectory::create()?;
        directory.restrict(0o711)?;
        Ok(directory)
    }

    /// Makes a new one below another directory, for our user and the one that it is handed over to.
    pub(crate) fn create_private_in(root: &Path) -> Result<RunDirectory> {
        let directory = RunDirectory::create_in(root)?;
        directory.restrict(0o700)?;
        Ok(directory)
    }

    fn restrict(&self, mode: u32) -> Result<()> {
        fs::set_permissions(&self.path, fs::Permissions::from_mode(mode))
            .with_context(|| format!("cannot set the permissions of {}", self.path.display()))
    }

    /// Makes a new one below another directory.
    pub(crate) fn create_in(root: &Path) -> Result<RunDirectory> {
        for _ in 0..MOST_NAMES {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = root.join(format!("{PREFIX}{}-{number}", std::process::id()));
            let made = claim(&path).with_context(|| {
                format!(
                    "cannot make the run directory {}; set TMPDIR to a place with room where you may write",
                    path.display()
                )
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
        write_anew(&path, bytes)
            .with_context(|| format!("cannot write {}; is the disk full?", path.display()))?;
        Ok(path)
    }

    /// Removes everything in it, so that the next query of a session finds it empty.
    pub(crate) fn clear(&self) {
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => remove(&entry.path()),
                _ => drop(fs::remove_file(entry.path())),
            }
        }
    }
}

impl Drop for RunDirectory {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Writes a file that was not there: an earlier run may have left a link to another file, or a pipe.
fn write_anew(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let _ = fs::remove_file(path);
    File::create_new(path)?.write_all(bytes)
}

/// Removes a directory with everything in it, also if a program has taken the permissions of directories.
fn remove(directory: &Path) {
    if fs::remove_dir_all(directory).is_err() {
        open_up(directory);
        // Nothing can be done about a failure here, and the next start tries again.
        let _ = fs::remove_dir_all(directory);
    }
}

/// Gives us all rights to a directory and those below it, without following links.
fn open_up(directory: &Path) {
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        let _ = fs::set_permissions(&directory, fs::Permissions::from_mode(0o700));
        let entries = fs::read_dir(&directory).into_iter().flatten().flatten();
        let directories = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        waiting.extend(directories.map(|entry| entry.path()));
    }
}

/// The system's temporary directory. One that does not exist is not created: it is a mistake in `TMPDIR`.
fn temporary_directory() -> Result<PathBuf> {
    let root = match std::env::var_os("TMPDIR") {
        Some(given) if !given.is_empty() => PathBuf::from(given),
        _ => PathBuf::from("/tmp"),
    };
    let what = || format!("TMPDIR: {} cannot be used; set TMPDIR to a directory that exists", root.display());
    if !fs::metadata(&root).with_context(what)?.is_dir() {
        bail!("TMPDIR: {} is not a directory; set TMPDIR to one", root.display());
    }
    // Programs run in directories of their own, where a relative path would point elsewhere.
    std::path::absolute(&root).with_context(what)
}

/// Makes a directory and locks it. None if it already exists, or was taken for an orphan before it was locked.
fn claim(path: &Path) -> std::io::Result<Option<File>> {
    match fs::create_dir(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(None),
        made => made?,
    }
    // Whatever the mask for new files is, programs under test must reach their directory as another user.
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
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

/// The id of our user.
fn own_user() -> Option<u32> {
    fs::metadata("/proc/self").ok().map(|about| about.uid())
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
        let may_remove = entry.metadata().is_ok_and(|about| about.is_dir() && may_remove_of(about.uid()));
        if !may_remove || Path::new("/proc").join(owner.to_string()).exists() {
            continue;
        }
        remove_unlocked(&entry.path());
    }
}

/// Whether directories of a user may be ours. Where we are root, confined programs are another user, who gets the
/// directory of the run. What belongs to anyone else is not touched.
fn may_remove_of(user: u32) -> bool {
    let own = own_user();
    own == Some(user) || (own == Some(0) && user == process::STRANGER)
}

/// Removes a directory that nobody holds.
///
/// Its owner may put a link in its place at any time, so nothing here follows one: the directory is opened without, and
/// the standard library removes what is in it relative to open directories.
fn remove_unlocked(path: &Path) {
    let flags = libc::O_NOFOLLOW | libc::O_DIRECTORY;
    let Ok(file) = File::options().read(true).custom_flags(flags).open(path) else { return };
    // The lock is held until the directory is gone, so it cannot be claimed meanwhile.
    if file.try_lock().is_err() {
        return;
    }
    if file.metadata().is_ok_and(|about| Some(about.uid()) == own_user()) {
        remove(path);
    } else {
        // Root needs no rights to what is in it, and must not change those of what a link may point to.
        let _ = fs::remove_dir_all(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{lchown, symlink};
    use test_support::skip_without;

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

    /// As root, confined programs own the directory of their run.
    #[test]
    fn what_a_confined_program_of_a_killed_juvenal_left_is_removed() {
        if own_user() != Some(0) {
            return skip_without("root", "only root gives directories to another user");
        }
        let root = Root::new("handed-over");
        let give = |path: &Path| lchown(path, Some(process::STRANGER), Some(process::STRANGER)).unwrap();
        let outside = root.make("outside");
        let left = root.make(&format!("{PREFIX}{NO_PROCESS}-0"));
        let closed = left.join("closed");
        fs::create_dir(&closed).unwrap();
        symlink(&outside, closed.join("link")).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
        [&closed, &left].into_iter().for_each(|path| give(path));
        let link = root.0.join(format!("{PREFIX}{NO_PROCESS}-1"));
        symlink(&outside, &link).unwrap();
        give(&link);
        let held = root.make(&format!("{PREFIX}{NO_PROCESS}-2"));
        give(&held);
        let lock = File::open(&held).unwrap();
        lock.try_lock().unwrap();
        let other = root.make(&format!("{PREFIX}{NO_PROCESS}-3"));
        lchown(&other, Some(1), Some(1)).unwrap();
        remove_orphans(&root.0);
        assert!(!left.exists(), "its owner is gone");
        assert!(outside.join("script.smt2").exists() && link.is_symlink(), "links are not followed");
        assert!(held.exists() && other.exists(), "others may use these");
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
    fn links_that_a_program_left_are_not_followed() {
        let root = Root::new("links");
        let made = RunDirectory::create_in(&root.0).unwrap();
        let outside = root.0.join("outside");
        fs::write(&outside, "mine").unwrap();
        std::os::unix::fs::symlink(&outside, made.path().join("output.log")).unwrap();
        made.write("output.log", b"output").unwrap();
        assert_eq!(fs::read(&outside).unwrap(), b"mine");
        assert_eq!(fs::read(made.path().join("output.log")).unwrap(), b"output");
    }

    #[test]
    fn what_a_program_left_is_removed() {
        let root = Root::new("left");
        let made = RunDirectory::create_in(&root.0).unwrap();
        let fill = || {
            fs::create_dir_all(made.path().join("closed/inside")).unwrap();
            fs::write(made.path().join("closed/inside/file"), "x").unwrap();
            fs::write(made.path().join("file"), "x").unwrap();
            std::os::unix::fs::symlink("/", made.path().join("link")).unwrap();
            for name in ["closed/inside", "closed"] {
                fs::set_permissions(made.path().join(name), fs::Permissions::from_mode(0o000)).unwrap();
            }
        };
        fill();
        made.clear();
        assert_eq!(fs::read_dir(made.path()).unwrap().count(), 0);
        fill();
        let path = made.path().to_owned();
        drop(made);
        assert!(!path.exists());
    }

    #[test]
    fn a_live_directory_is_locked() {
        let root = Root::new("locked");
        let made = RunDirectory::create_in(&root.0).unwrap();
        assert!(matches!(File::open(made.path()).unwrap().try_lock(), Err(TryLockError::WouldBlock)));
    }
}
