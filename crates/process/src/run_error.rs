//! Why a program could not be run.

use crate::command::Command;
use crate::guardian::Stage;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a program could not be run. This is a failure of juvenal or the machine; whatever a program does is an outcome.
#[derive(Debug)]
pub enum RunError {
    /// The file does not exist, or is in no directory of `PATH`.
    ProgramMissing {
        /// The program.
        program: PathBuf,
    },
    /// The file exists, but the interpreter or loader that it names does not.
    InterpreterMissing {
        /// The program.
        program: PathBuf,
    },
    /// The file exists but cannot be executed.
    NotExecutable {
        /// The program.
        program: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The working directory does not exist or cannot be entered.
    DirectoryMissing {
        /// The directory.
        directory: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The system has no room for another process.
    OutOfProcesses {
        /// The program.
        program: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// A path, an argument or an environment variable contains a zero byte.
    ZeroByte {
        /// The program.
        program: PathBuf,
    },
    /// Arguments and environment are longer than the system allows.
    ArgumentsTooLong {
        /// The program.
        program: PathBuf,
    },
    /// The command asks for confinement, and this machine has no means for it.
    CannotConfine {
        /// The program.
        program: PathBuf,
    },
    /// The working directory of a confined program contains a directory that must be hidden from it.
    DirectoryTooWide {
        /// The directory.
        directory: PathBuf,
        /// The hidden directory inside it.
        hidden: PathBuf,
    },
    /// Processes were killed and have not ended.
    Survivors {
        /// The program that started them.
        program: PathBuf,
        /// Their process ids.
        processes: Vec<i32>,
    },
    /// The user interrupted juvenal, which ended the program.
    Interrupted {
        /// The program.
        program: PathBuf,
    },
    /// An unexpected failure of a system call.
    System {
        /// The program.
        program: PathBuf,
        /// What juvenal was doing.
        doing: &'static str,
        /// The error of the system.
        error: io::Error,
    },
}

impl RunError {
    /// The error of a system call on the way.
    pub(crate) fn system(command: &Command, doing: &'static str, error: io::Error) -> RunError {
        RunError::System { program: command.program.clone(), doing, error }
    }

    /// The error of a new process that failed at this stage.
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
                "the program {program:?} exists, but the interpreter or loader that it names does not; \
                 check its first line, or the output of `file` and `ldd`"
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
                "the system cannot create another process for {program:?} ({error}); use fewer workers \
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
                "this machine cannot keep {program:?} from the network and private files; allow user namespaces or system call filters (seccomp), also in the \
                 container that juvenal runs in"
            ),
            RunError::DirectoryTooWide { directory, hidden } => write!(
                f,
                "the working directory {directory:?} contains {hidden:?}, which is to be hidden from the \
                 program; choose a directory that is used for nothing else"
            ),
            RunError::Survivors { program, processes } => write!(
                f,
                "processes started by {program:?} survive SIGKILL: {}; they are blocked in the kernel, for instance \
                 by a disk that does not answer (`ps -o pid,stat,wchan -p PROCESS` shows it)",
                list(processes)
            ),
            RunError::Interrupted { program } => {
                write!(f, "{program:?} was ended, because juvenal was interrupted")
            }
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
