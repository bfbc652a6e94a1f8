//! The file system of a confined program, as the strings that the system calls take.

use crate::barrier::Needs;
use crate::hidden::Hidden;
use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The devices that programs need. Confined programs cannot open others, not even as the superuser.
pub(crate) const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// The maximum number of files and directories in hidden places that a command can make readable.
pub(crate) const MAXIMUM_READABLE: usize = 64;

/// The maximum number of trees that stay visible: the devices, what is readable, the working directory, the program.
pub(crate) const MAXIMUM_KEPT_TREES: usize = DEVICES.len() + MAXIMUM_READABLE + 2;

/// The file system of a confined program. Everything that is not named here is visible, but read-only.
pub(crate) struct View {
    /// These become empty directories.
    pub(crate) hidden: Vec<Hiding>,
    /// What must be made inside the empty directories to hold what is kept, in order.
    pub(crate) made: Vec<Made>,
    /// What is put back where it was.
    pub(crate) kept: Vec<Kept>,
    /// The real path of the working directory.
    pub(crate) directory: CString,
}

/// A directory that an empty one takes the place of.
pub(crate) struct Hiding {
    pub(crate) path: CString,
    /// True if the empty directory is for the shared memory of the program, which may write to it.
    pub(crate) is_shared_memory: bool,
}

/// A directory or an empty file to make.
pub(crate) struct Made {
    pub(crate) path: CString,
    pub(crate) is_directory: bool,
}

/// A file, or a directory with everything in it, that stays visible.
pub(crate) struct Kept {
    /// Where it is now.
    pub(crate) source: CString,
    /// Where it will be.
    pub(crate) target: CString,
    pub(crate) kind: KeptKind,
}

/// How something stays visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeptKind {
    /// It need not be there.
    Device,
    Writable,
    ReadOnly,
}

impl View {
    /// The view for a program. None if a path has a zero byte.
    pub(crate) fn new(hidden: &Hidden, needs: &Needs) -> Option<View> {
        let hide = |place: &PathBuf| {
            Some(Hiding { path: encode(place)?, is_shared_memory: hidden.is_shared_memory(place) })
        };
        let mut view = View {
            hidden: hidden.places().iter().map(hide).collect::<Option<_>>()?,
            made: Vec::new(),
            kept: Vec::new(),
            directory: encode(&needs.working_directory)?,
        };
        for device in DEVICES {
            view.keep(hidden, Path::new(device), Path::new(device), KeptKind::Device)?;
        }
        let readable = readable_targets(hidden, needs);
        for target in &readable {
            view.keep(hidden, target, target, KeptKind::ReadOnly)?;
        }
        view.keep(hidden, &needs.directory, &needs.directory, KeptKind::Writable)?;
        let target = hidden_paths_of(hidden, &needs.program).into_iter().next();
        let is_there = |path: &PathBuf| {
            path.starts_with(&needs.directory) || readable.iter().any(|outer| path.starts_with(outer))
        };
        if let Some(target) = target.filter(|path| !is_there(path)) {
            view.keep(hidden, &needs.program, &target, KeptKind::ReadOnly)?;
        }
        Some(view)
    }

    fn keep(&mut self, hidden: &Hidden, source: &Path, target: &Path, kind: KeptKind) -> Option<()> {
        if let Some(place) = hidden.holding(target) {
            let mut missing: Vec<&Path> = target.ancestors().take_while(|path| *path != place).collect();
            missing.reverse();
            for path in missing {
                let is_directory = path != target || source.is_dir();
                self.made.push(Made { path: encode(path)?, is_directory });
            }
        }
        self.kept.push(Kept { source: encode(source)?, target: encode(target)?, kind });
        Some(())
    }
}

/// Where the readable files and directories are put back, none inside another: that is back with the other, and it may be a
/// link, which nothing can be put on.
fn readable_targets(hidden: &Hidden, needs: &Needs) -> Vec<PathBuf> {
    let paths = needs.readable.iter().flat_map(|path| hidden_paths_of(hidden, path));
    let mut targets: Vec<PathBuf> = paths.filter(|path| !path.starts_with(&needs.directory)).collect();
    targets.sort();
    // Paths are compared by their parts, so what is inside a directory comes right after it.
    targets.dedup_by(|inner, outer| inner.starts_with(&*outer));
    targets.truncate(MAXIMUM_READABLE);
    targets
}

/// The places of a file inside hidden directories: its path, the target of its symbolic links, both or none.
fn hidden_paths_of(hidden: &Hidden, path: &Path) -> Vec<PathBuf> {
    let Ok(real) = path.canonicalize() else { return Vec::new() };
    [path.to_owned(), real].into_iter().filter(|path| hidden.holding(path).is_some()).collect()
}

fn encode(path: impl AsRef<OsStr>) -> Option<CString> {
    CString::new(path.as_ref().as_bytes()).ok()
}
