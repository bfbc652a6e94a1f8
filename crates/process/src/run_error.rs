//! Why a program could not be started.

use crate::command::Command;
use crate::guardian::Stage;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a program could not be started: we failed, and the program has said nothing.
#[derive(Debug)]
pub enum RunError {
    /// There is no such file, or it is in no directory of PATH.
    ProgramMissing {
        /// What was to be run.
        program: PathBuf,
    },
    /// The file is there, but the interpreter or loader that it names is not.
    InterpreterMissing {
        /// What was to be run.
        program: PathBuf,
    },
    /// The file is there but cannot be executed.
    NotExecutable {
        /// What was to be run.
        program: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The working directory is not there or cannot be entered.
    DirectoryMissing {
        /// Where the program was to run.
        directory: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The system has no room for another process.
    OutOfProcesses {
        /// What was to be run.
        program: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A path, an argument or an environment variable contains a zero byte.
    ZeroByte {
        /// What was to be run.
        program: PathBuf,
    },
    /// Arguments and environment are longer than the system allows.
    ArgumentsTooLong {
        /// What was to be run.
        program: PathBuf,
    },
    /// The command asks for confinement, and this machine offers no means for it.
    CannotConfine {
        /// What was to be run.
        program: PathBuf,
    },
    /// The working directory of a confined program contains what must be hidden from it.
    DirectoryTooWide {
        /// Where the program was to run.
        directory: PathBuf,
        /// What is in it.
        hidden: PathBuf,
    },
    /// Processes were killed and have not ended.
    Survivors {
        /// The program that started them.
        program: PathBuf,
        /// Their process ids.
        processes: Vec<i32>,
    },
    /// A system call failed that should not.
    System {
        /// What was to be run.
        program: PathBuf,
        /// What we were doing.
        doing: &'static str,
        /// What the system said.
        error: io::Error,
    },
}

impl RunError {
    /// An error of a system call made on the way.
    pub(crate) fn system(command: &Command, doing: &'static str, error: io::Error) -> RunError {
        RunError::System { program: command.program.clone(), doing, error }
    }

    /// What it means that the new process failed at this stage.
    pub(crate) fn at_stage(command: &Command, stage: Stage, error: io::Error) -> RunError {
        let program = command.program.clone();
        match (stage, error.raw_os_error()) {
            (Stage::Directory, _) => {
                RunError::DirectoryMissing { directory: command.directory.clone(), error }
            }
            (Stage::Clone, Some(libc::EAGAIN | libc::ENOMEM | libc::ENOSPC)) => {
                RunError::OutOfProcesses { program, error }
            }
            (Stage::Execute, Some(libc::ENOENT | libc::ENOTDIR)) if program.exists() => {
                RunError::InterpreterMissing { program }
            }
            (Stage::Execute, Some(libc::ENOENT | libc::ENOTDIR)) => RunError::ProgramMissing { program },
            (Stage::Execute, Some(libc::E2BIG)) => RunError::ArgumentsTooLong { program },
            (Stage::Execute, Some(libc::ENOMEM | libc::EAGAIN)) => {
                RunError::OutOfProcesses { program, error }
            }
            (Stage::Execute, _) => RunError::NotExecutable { program, error },
            (stage, _) => RunError::System { program, doing: stage.doing(), error },
        }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::ProgramMissing { program } => write!(
                f,
                "the program {program:?} was not found; install it, or give the full path of the program"
            ),
            RunError::InterpreterMissing { program } => write!(
                f,
                "the program {program:?} is there, but the interpreter or loader that it names is not; \
                 look at its first line, or at what `file` and `ldd` say about it"
            ),
            RunError::NotExecutable { program, error } => write!(
                f,
                "the program {program:?} cannot be executed ({error}); check that it is a file for this \
                 machine and that its execute permission is set (`chmod +x`)"
            ),
            RunError::DirectoryMissing { directory, error } => write!(
                f,
                "the working directory {directory:?} cannot be entered ({error}); check that it exists and \
                 that you may enter it"
            ),
            RunError::OutOfProcesses { program, error } => write!(
                f,
                "the system has no room for a process to run {program:?} ({error}); use fewer workers \
                 (`--jobs`), or raise the limit on processes (`ulimit -u`)"
            ),
            RunError::ZeroByte { program } => write!(
                f,
                "the command for {program:?} contains a zero byte in a path, an argument or the \
                 environment, which no program can be given; remove it"
            ),
            RunError::ArgumentsTooLong { program } => write!(
                f,
                "the arguments and environment for {program:?} are longer than the system allows; put the \
                 long ones into a file"
            ),
            RunError::CannotConfine { program } => write!(
                f,
                "{program:?} must not reach the network or private files, and this machine has no means to \
                 keep it from them; allow user namespaces or system call filters (seccomp), also in the \
                 container that juvenal runs in"
            ),
            RunError::DirectoryTooWide { directory, hidden } => write!(
                f,
                "the working directory {directory:?} contains {hidden:?}, which is to be hidden from the \
                 program; choose a directory that is used for nothing else"
            ),
            RunError::Survivors { program, processes } => write!(
                f,
                "processes that {program:?} started do not end although they were killed: {}; they wait inside the \
                 system, as for a disk that does not answer (`ps -o pid,stat,wchan -p PROCESS` shows it)",
                list(processes)
            ),
            RunError::System { program, doing, error } => write!(
                f,
                "running {program:?} failed while {doing} ({error}); check the limits on open files and \
                 processes (`ulimit -a`)"
            ),
        }
    }
}

fn list(processes: &[i32]) -> String {
    processes.iter().map(i32::to_string).collect::<Vec<_>>().join(", ")
}

impl std::error::Error for RunError {}
