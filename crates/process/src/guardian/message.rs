//! The messages of a guardian to juvenal. Encoding does not allocate, because a guardian must not.

use std::io;

/// Where a start can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Stage {
    /// Making one of the two processes.
    Clone = 1,
    /// Keeping our user and group in the new user namespace.
    UserMap = 2,
    /// Becoming a guardian.
    Guard = 3,
    /// Entering the control groups.
    Join = 4,
    /// Entering the working directory.
    Directory = 5,
    /// Connecting standard input, output and error.
    Streams = 6,
    /// Executing the program.
    Execute = 7,
    /// Changing what the program can see.
    View = 8,
    /// Taking its rights from the program.
    Renounce = 9,
    /// Keeping the signals of the program inside its tree.
    Signals = 10,
}

impl Stage {
    const ALL: [Stage; 10] = [
        Stage::Clone,
        Stage::UserMap,
        Stage::Guard,
        Stage::Join,
        Stage::Directory,
        Stage::Streams,
        Stage::Execute,
        Stage::View,
        Stage::Renounce,
        Stage::Signals,
    ];

    /// What juvenal was doing, for messages.
    pub(crate) fn doing(self) -> &'static str {
        match self {
            Stage::Clone => "making a process for it",
            Stage::UserMap => "mapping the user into a new user namespace",
            Stage::Guard => "setting up the process that guards it",
            Stage::Join => "moving it into its control group",
            Stage::Directory => "entering its working directory",
            Stage::Streams => "connecting its standard input and output",
            Stage::Execute => "executing it",
            Stage::View => "hiding the home directories and the network from it",
            Stage::Renounce => "taking its right to use the network and other privileges",
            Stage::Signals => "keeping its signals away from juvenal",
        }
    }
}

/// Reads the message of a start that failed.
pub(crate) fn read_failure(message: &[u8]) -> Option<(Stage, io::Error)> {
    let (stage, error) = (integer(message, 0)?, integer(message, 4)?);
    let stage = Stage::ALL.into_iter().find(|candidate| *candidate as i32 == stage)?;
    Some((stage, io::Error::from_raw_os_error(error)))
}

/// The message of a start that failed.
pub(super) fn encode_failure(stage: Stage, error: i32) -> [u8; 8] {
    let mut message = [0; 8];
    message[0..4].copy_from_slice(&(stage as i32).to_ne_bytes());
    message[4..8].copy_from_slice(&error.to_ne_bytes());
    message
}

/// The last message of a guardian: everything has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    /// The wait status of the program; none if it was killed because the lifetime pipe was closed.
    pub(crate) status: Option<i32>,
    /// CPU time of all processes that were reaped.
    pub(crate) cpu_microseconds: u64,
    /// Peak memory of the largest process; 0 if not known.
    pub(crate) peak_bytes: u64,
}

impl Report {
    /// Bytes of a report in the status pipe.
    pub(crate) const BYTES: usize = 24;

    /// The report as it goes through the status pipe.
    pub(super) fn encode(&self) -> [u8; Report::BYTES] {
        let mut message = [0; Report::BYTES];
        message[0..4].copy_from_slice(&i32::from(self.status.is_some()).to_ne_bytes());
        message[4..8].copy_from_slice(&self.status.unwrap_or(0).to_ne_bytes());
        message[8..16].copy_from_slice(&self.cpu_microseconds.to_ne_bytes());
        message[16..24].copy_from_slice(&self.peak_bytes.to_ne_bytes());
        message
    }

    /// Reads a report from the status pipe.
    pub(crate) fn read(message: &[u8]) -> Option<Report> {
        let ended = integer(message, 0)? != 0;
        let status = integer(message, 4)?;
        Some(Report {
            status: ended.then_some(status),
            cpu_microseconds: u64::from_ne_bytes(message.get(8..16)?.try_into().ok()?),
            peak_bytes: u64::from_ne_bytes(message.get(16..24)?.try_into().ok()?),
        })
    }
}

fn integer(message: &[u8], start: usize) -> Option<i32> {
    Some(i32::from_ne_bytes(message.get(start..start + 4)?.try_into().ok()?))
}
