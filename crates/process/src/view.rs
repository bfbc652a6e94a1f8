//! The file system of a confined program, as the strings that the system calls take.

use crate::hidden::Hidden;
use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The devices that programs need. Confined programs cannot open others, not even as the superuser.
pub(crate) const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// The most trees that stay as they are: the devices, the working directory, the program.
pub(crate) const MAXIMUM_KEPT_TREES: usize = DEVICES.len() + 2;

/// The file system of a confined program. Everything that is not named here is there, but read-only.
pub(crate) struct View {
    /// These become empty directories.
    pub(crate) hidden: Vec<CString>,
    /// What must be made inside the empty directories to hold what is kept, in order.
    pub(crate) made: Vec<Made>,
    /// What is put back where it was.
    pub(crate) kept: Vec<Kept>,
    /// The real path of the working directory.
    pub(crate) directory: CString,
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
    /// The view for a program in a working directory, which is a real path. None if a path has a zero byte.
    pub(crate) fn new(hidden: &Hidden, directory: &Path, program: &Path) -> Option<View> {
        let mut view = View {
            hidden: hidden.places().iter().map(encode).collect::<Option<_>>()?,
            made: Vec::new(),
            kept: Vec::new(),
            directory: encode(directory)?,
        };
        for device in DEVICES {
            view.keep(hidden, Path::new(device), Path::new(device), KeptKind::Device)?;
        }
        view.keep(hidden, directory, directory, KeptKind::Writable)?;
        if let Some(target) = hidden_path_of(hidden, program).filter(|path| !path.starts_with(directory)) {
            view.keep(hidden, program, &target, KeptKind::ReadOnly)?;
        }
        Some(view)
    }

    fn keep(&mut self, hidden: &Hidden, source: &Path, target: &Path, kind: KeptKind) -> Option<()> {
        if let Some(place) = hidden.holding(target) {
            let mut missing: Vec<&Path> = target.ancestors().take_while(|path| *path != place).collect();
            missing.reverse();
            for path in missing {
                let is_directory = path != target || kind == KeptKind::Writable;
                self.made.push(Made { path: encode(path)?, is_directory });
            }
        }
        self.kept.push(Kept { source: encode(source)?, target: encode(target)?, kind });
        Some(())
    }
}

/// The place of a program inside a hidden directory, if its path or the target of its symbolic links is in one.
fn hidden_path_of(hidden: &Hidden, program: &Path) -> Option<PathBuf> {
    let real = program.canonicalize().ok()?;
    [program.to_owned(), real].into_iter().find(|path| hidden.holding(path).is_some())
}

fn encode(path: impl AsRef<OsStr>) -> Option<CString> {
    CString::new(path.as_ref().as_bytes()).ok()
}
