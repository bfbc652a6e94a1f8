//! The confinement of one program, prepared before its process is made.

use crate::command::Command;
use crate::confinement::{Confinement, ConfinementMode};
use crate::hidden::Hidden;
use crate::landlock::{Readable, Ruleset};
use crate::run_error::RunError;
use crate::stranger::{hand_over, is_open_to_strangers};
use crate::view::{MAXIMUM_READABLE, View};
use std::ffi::{CStr, OsStr};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Where a trial runs. The root directory contains the hidden directories, so this is another one that always exists.
pub(crate) const TRIAL_DIRECTORY: &str = "/proc";

/// What a runner needs to confine programs, found once.
pub(crate) struct Confiner {
    mode: ConfinementMode,
    identity: Identity,
    hidden: Hidden,
    /// Empty unless Landlock is used.
    readable: Readable,
}

/// The confinement of one program.
pub(crate) enum Barrier {
    /// No confinement: the program has all rights of its user.
    None,
    /// New namespaces with this file system.
    Namespaces(View, Identity),
    /// Rules for files.
    Landlock(Ruleset, Identity),
    /// No sockets.
    SocketFilter(Identity),
}

/// Which user a confined program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Identity {
    /// The user of juvenal.
    Kept,
    /// A user who owns nothing. Without it, programs that the superuser confines could read whatever only the
    /// superuser may, since these files belong to their user.
    Stranger,
}

/// The files and directories that a confined program cannot do without.
pub(crate) struct Needs {
    /// The real path of the directory that it may write to.
    pub(crate) directory: PathBuf,
    /// The real path of the working directory, which is in there.
    pub(crate) working_directory: PathBuf,
    pub(crate) program: PathBuf,
    pub(crate) readable: Vec<PathBuf>,
}

impl Identity {
    /// The user and the group that own nothing on every system.
    pub(crate) const STRANGER: u32 = crate::stranger::STRANGER;
}

impl Barrier {
    /// Who the program is; none if it is not confined.
    pub(crate) fn identity(&self) -> Option<Identity> {
        match self {
            Barrier::None => None,
            Barrier::Namespaces(_, identity)
            | Barrier::Landlock(_, identity)
            | Barrier::SocketFilter(identity) => Some(*identity),
        }
    }
}

impl Confiner {
    /// Prepares for this mode. Only a trial shows whether it works.
    pub(crate) fn new(mode: ConfinementMode, identity: Identity) -> Confiner {
        let hidden = Hidden::find();
        let readable =
            if mode == ConfinementMode::Landlock { Readable::find(&hidden) } else { Readable::default() };
        Confiner { mode, identity, hidden, readable }
    }

    /// How programs are confined.
    pub(crate) fn mode(&self) -> ConfinementMode {
        self.mode
    }

    /// Prepares the barrier of a command whose program is at this path.
    pub(crate) fn prepare(&self, command: &Command, program: &CStr) -> Result<Barrier, RunError> {
        if command.confinement == Confinement::None {
            return Ok(Barrier::None);
        }
        let needs = Needs {
            directory: self.own_directory(command)?,
            working_directory: real(&command.directory)?,
            program: Path::new(OsStr::from_bytes(program.to_bytes())).to_owned(),
            readable: command.readable.iter().flat_map(|path| self.narrowed(path)).collect(),
        };
        let identity = self.identity_for(&needs);
        let zero_byte = || RunError::ZeroByte { program: command.program.clone() };
        match self.mode {
            ConfinementMode::Namespaces => View::new(&self.hidden, &needs)
                .map(|view| Barrier::Namespaces(view, identity))
                .ok_or_else(zero_byte),
            ConfinementMode::Landlock => Ruleset::new(&self.readable, &needs)
                .map(|ruleset| Barrier::Landlock(ruleset, identity))
                .map_err(|error| RunError::system(command, "making the rules for its files", error)),
            ConfinementMode::SocketFilter => Ok(Barrier::SocketFilter(identity)),
            ConfinementMode::Nothing => Err(RunError::CannotConfine { program: command.program.clone() }),
        }
    }

    /// Gives the directory of the run to the user that the program is going to be.
    pub(crate) fn hand_over(&self, command: &Command, barrier: &Barrier) -> Result<(), RunError> {
        let is_trial = command.directory == Path::new(TRIAL_DIRECTORY);
        if is_trial || barrier.identity() != Some(Identity::Stranger) {
            return Ok(());
        }
        hand_over(command.own_directory(), Identity::STRANGER)
            .map_err(|error| RunError::system(command, "giving it its working directory", error))
    }

    /// Who the program can be: a stranger must be able to reach what it needs.
    fn identity_for(&self, needs: &Needs) -> Identity {
        // In a view of its own, the directories that lead to what is kept are new, and open.
        let is_remade =
            |path: &Path| self.mode == ConfinementMode::Namespaces && self.hidden.holding(path).is_some();
        let is_open = |path: &Path, search: bool| is_open_to_strangers(path, search, &is_remade);
        let reaches_all = is_open(&needs.directory, false)
            && (needs.program.starts_with(&needs.directory) || is_open(&needs.program, true))
            && needs.readable.iter().all(|path| is_open(path, true));
        if reaches_all { self.identity } else { Identity::Kept }
    }

    /// The real path of the directory of the run, which must not contain a hidden directory.
    fn own_directory(&self, command: &Command) -> Result<PathBuf, RunError> {
        let directory = real(command.own_directory())?;
        match self.hidden.inside(&directory) {
            Some(hidden) => Err(RunError::DirectoryTooWide { directory, hidden: hidden.to_owned() }),
            None => Ok(directory),
        }
    }

    /// A readable path; of a directory that contains a hidden one, the plain files in it.
    fn narrowed(&self, path: &Path) -> Vec<PathBuf> {
        let Ok(path) = std::path::absolute(path) else { return Vec::new() };
        let contains_hidden = path.canonicalize().is_ok_and(|real| self.hidden.inside(&real).is_some());
        if !contains_hidden {
            return vec![path];
        }
        let entries = fs::read_dir(&path).into_iter().flatten().flatten();
        let is_plain = |entry: &fs::DirEntry| {
            entry.file_type().is_ok_and(|kind| kind.is_file())
                && !entry.file_name().as_bytes().starts_with(b".")
        };
        let mut files: Vec<PathBuf> = entries.filter(is_plain).map(|entry| entry.path()).collect();
        files.sort();
        files.truncate(MAXIMUM_READABLE);
        files
    }
}

fn real(directory: &Path) -> Result<PathBuf, RunError> {
    directory
        .canonicalize()
        .map_err(|error| RunError::DirectoryMissing { directory: directory.to_owned(), error })
}
