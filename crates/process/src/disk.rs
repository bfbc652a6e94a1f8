//! Watches how much a confined program writes to its directory.
//!
//! There is no quota that every user can set on every file system, so juvenal looks. A program that writes between
//! two looks can exceed the bound by what the disk takes in that time.

use crate::sampler::descendants;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The most bytes that a run may add, and that one of its files may have.
pub(crate) const MAXIMUM_BYTES: u64 = 512 << 20;
/// The most files and directories that a run may add.
const MAXIMUM_FILES: usize = 20_000;
const INTERVAL: Duration = Duration::from_millis(50);
/// The unit in which the system counts what a file takes.
const BLOCK_BYTES: u64 = 512;

/// Watches the directory of one run.
pub(crate) struct DiskWatch {
    directory: PathBuf,
    device: u64,
    next: Instant,
    most_bytes: u64,
    most_files: usize,
}

/// What has been found so far.
#[derive(Default)]
struct Usage {
    bytes: u64,
    files: usize,
    /// Something could not be counted, which a program can only have done on purpose.
    is_unknown: bool,
    /// The files that have been counted.
    seen: BTreeSet<u64>,
}

impl DiskWatch {
    /// Watches a directory. What it holds before the run, such as a copy of a project, is not the program's.
    pub(crate) fn new(directory: &Path, now: Instant) -> DiskWatch {
        let device = fs::metadata(directory).map_or(0, |found| found.dev());
        let mut watch = DiskWatch {
            directory: directory.to_owned(),
            device,
            next: now + INTERVAL,
            most_bytes: u64::MAX,
            most_files: usize::MAX,
        };
        let before = watch.usage();
        watch.most_bytes = before.bytes.saturating_add(MAXIMUM_BYTES);
        watch.most_files = before.files.saturating_add(MAXIMUM_FILES);
        watch
    }

    /// When to look next.
    pub(crate) fn next(&self) -> Instant {
        self.next
    }

    /// Returns true if the tree below this guardian has written too much. It measures only if enough time has passed.
    #[allow(clippy::disallowed_methods, reason = "this crate measures time")]
    pub(crate) fn finds_too_much(&mut self, guardian: i32, now: Instant) -> bool {
        if now < self.next {
            return false;
        }
        let start = Instant::now();
        let mut usage = self.usage();
        for process in descendants(guardian) {
            self.add_removed_files(process, &mut usage);
        }
        let end = Instant::now();
        self.next = end + INTERVAL.max((end - start) * 10);
        self.is_too_much(&usage)
    }

    /// Whether too much is left after the end of the tree.
    pub(crate) fn is_full(&self) -> bool {
        self.is_too_much(&self.usage())
    }

    /// What the directory and everything in it takes.
    fn usage(&self) -> Usage {
        let mut usage = Usage::default();
        let mut pending = vec![self.directory.clone()];
        while let Some(directory) = pending.pop() {
            let entries = match fs::read_dir(&directory) {
                Ok(entries) => entries,
                // It was removed meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                // Its path is too long, or it is closed to its own user.
                Err(_) => {
                    usage.is_unknown = true;
                    return usage;
                }
            };
            for entry in entries.flatten() {
                let Ok(found) = entry.metadata() else { continue };
                usage.add(&found);
                if found.is_dir() {
                    pending.push(entry.path());
                }
                if self.is_too_much(&usage) {
                    return usage;
                }
            }
        }
        usage
    }

    fn is_too_much(&self, usage: &Usage) -> bool {
        usage.is_unknown || usage.bytes >= self.most_bytes || usage.files > self.most_files
    }

    /// Adds files that have no name any more, which take room until the program closes them.
    fn add_removed_files(&self, process: i32, usage: &mut Usage) {
        let Ok(entries) = fs::read_dir(format!("/proc/{process}/fd")) else { return };
        for entry in entries.flatten() {
            let Ok(found) = fs::metadata(entry.path()) else { continue };
            if found.is_file() && found.nlink() == 0 && found.dev() == self.device {
                usage.add(&found);
            }
        }
    }
}

impl Usage {
    fn add(&mut self, found: &fs::Metadata) {
        if self.seen.insert(found.ino()) {
            self.bytes = self.bytes.saturating_add(found.blocks().saturating_mul(BLOCK_BYTES));
            self.files += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods, reason = "this crate measures time")]
    fn files_are_counted_once_and_directories_too() {
        let place = tempfile::tempdir().unwrap();
        let inside = place.path().join("directory");
        fs::create_dir(&inside).unwrap();
        fs::write(inside.join("file"), vec![1; 100_000]).unwrap();
        fs::hard_link(inside.join("file"), inside.join("again")).unwrap();
        std::os::unix::fs::symlink("/", inside.join("link")).unwrap();
        let watch = DiskWatch::new(place.path(), Instant::now());
        let usage = watch.usage();
        assert_eq!(usage.files, 3);
        assert!((100_000..200_000).contains(&usage.bytes), "{}", usage.bytes);
        assert!(!watch.is_too_much(&usage));
    }

    /// A copy of a project may be larger than what a run may write.
    #[test]
    #[allow(clippy::disallowed_methods, reason = "this crate measures time")]
    fn what_was_there_before_the_run_does_not_count() {
        let place = tempfile::tempdir().unwrap();
        let write = |name: String| fs::write(place.path().join(name), "").unwrap();
        (0..=MAXIMUM_FILES).for_each(|number| write(format!("before-{number}")));
        let watch = DiskWatch::new(place.path(), Instant::now());
        assert!(!watch.is_full());
        (0..=MAXIMUM_FILES).for_each(|number| write(format!("after-{number}")));
        assert!(watch.is_full());
    }
}
