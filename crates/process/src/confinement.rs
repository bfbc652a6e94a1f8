//! What a program is kept from, and how.

use std::fmt;

/// What a program is kept from. It is part of a command and holds for the whole process tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Confinement {
    /// Nothing but the limits: for analyzers, which the user has chosen and installed.
    #[default]
    None,
    /// The network, the home directories, other people's temporary files, keys, shared memory, all privileges, and
    /// writing anywhere but to the directory of the run, and not more than 512 MB in 20,000 files there, beyond what is there
    /// at the start: for programs under test, which are not trusted, for compilers that read them, and for tools on a
    /// project. The directory must be one of its own, and may change its owner. Files that must be readable have to be there, outside of the home and temporary
    /// directories, or named in the command; the program itself may be anywhere.
    Program,
}

/// How a runner confines programs, best first.
///
/// In every mode but the last the program and all it starts cannot make sockets, so they have no network, hold no
/// privileges, and use neither keys nor shared memory of System V. If juvenal runs as the superuser, they run as a user
/// who owns nothing, unless that user cannot reach the program or what it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfinementMode {
    /// Namespaces for mounts, network, IPC and host names: there is no network interface, home and temporary
    /// directories are empty, shared memory is its own, and everything but the working directory is read-only. With
    /// a namespace for processes, those outside cannot be seen.
    Namespaces,
    /// Landlock rules: files in home and temporary directories cannot be opened, and only the working directory
    /// can be written to. Names and sizes of files, and command lines of other processes, can still be seen.
    Landlock,
    /// Only sockets and privileges are refused: the program can read and write whatever its user can.
    SocketFilter,
    /// Nothing works on this machine: commands that ask for confinement are refused.
    Nothing,
}

impl ConfinementMode {
    /// All modes, best first.
    pub const ALL: [ConfinementMode; 4] = [
        ConfinementMode::Namespaces,
        ConfinementMode::Landlock,
        ConfinementMode::SocketFilter,
        ConfinementMode::Nothing,
    ];

    /// Whether confined programs have no network.
    pub fn hides_network(self) -> bool {
        self != ConfinementMode::Nothing
    }

    /// Whether confined programs cannot read the home directories, and write only to their working directory.
    pub fn hides_files(self) -> bool {
        matches!(self, ConfinementMode::Namespaces | ConfinementMode::Landlock)
    }
}

impl fmt::Display for ConfinementMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ConfinementMode::Namespaces => {
                "namespaces: no network, home directories are hidden, only the run directory can be written"
            }
            ConfinementMode::Landlock => {
                "Landlock and a system call filter: no network, home directories cannot be read, only the run \
                 directory can be written"
            }
            ConfinementMode::SocketFilter => {
                "a system call filter: no network, but files can be read and written as by their user"
            }
            ConfinementMode::Nothing => "nothing: programs under test cannot be confined, and are not run",
        })
    }
}
