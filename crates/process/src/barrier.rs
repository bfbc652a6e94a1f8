//! The confinement of one program, prepared before its process is made.

use crate::command::Command;
use crate::confinement::{Confinement, ConfinementMode};
use crate::hidden::Hidden;
use crate::landlock::{Readable, Ruleset};
use crate::run_error::RunError;
use crate::view::View;
use std::ffi::{CStr, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What a runner needs to confine programs, found once.
pub(crate) struct Confiner {
    mode: ConfinementMode,
    hidden: Hidden,
    /// Empty unless Landlock is used.
    readable: Readable,
}

/// The confinement of one program.
pub(crate) enum Barrier {
    /// It may do what its user may.
    None,
    /// New namespaces with this file system.
    Namespaces(View),
    /// Rules for files.
    Landlock(Ruleset),
    /// No sockets.
    SocketFilter,
}

impl Confiner {
    /// Prepares for this mode. Only a trial shows whether it works.
    pub(crate) fn new(mode: ConfinementMode) -> Confiner {
        let hidden = Hidden::find();
        let readable =
            if mode == ConfinementMode::Landlock { Readable::find(&hidden) } else { Readable::default() };
        Confiner { mode, hidden, readable }
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
        let program = Path::new(OsStr::from_bytes(program.to_bytes()));
        let directory = self.own_directory(command)?;
        let zero_byte = || RunError::ZeroByte { program: command.program.clone() };
        match self.mode {
            ConfinementMode::Namespaces => {
                View::new(&self.hidden, &directory, program).map(Barrier::Namespaces).ok_or_else(zero_byte)
            }
            ConfinementMode::Landlock => Ruleset::new(&self.readable, &directory, program)
                .map(Barrier::Landlock)
                .map_err(|error| RunError::system(command, "making the rules for its files", error)),
            ConfinementMode::SocketFilter => Ok(Barrier::SocketFilter),
            ConfinementMode::Nothing => Err(RunError::CannotConfine { program: command.program.clone() }),
        }
    }

    /// The real path of the working directory, which must not contain a hidden directory.
    fn own_directory(&self, command: &Command) -> Result<PathBuf, RunError> {
        let directory = command
            .directory
            .canonicalize()
            .map_err(|error| RunError::DirectoryMissing { directory: command.directory.clone(), error })?;
        match self.hidden.inside(&directory) {
            Some(hidden) => Err(RunError::DirectoryTooWide { directory, hidden: hidden.to_owned() }),
            None => Ok(directory),
        }
    }
}
