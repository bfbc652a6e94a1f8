//! The results of runs and exchanges.

use model::{Cost, LimitKind};

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It exited by itself with this code.
    Exited(i32),
    /// It was ended by this signal, and not because of a limit.
    Signaled(i32),
    /// It exceeded this limit and was killed.
    Limit(LimitKind),
}

/// Everything known after a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How the program ended.
    pub ending: Ending,
    /// What it printed, cut at the output limit.
    pub stdout: Vec<u8>,
    /// What it printed on standard error, which counts towards the same output limit.
    pub stderr: Vec<u8>,
    /// What the whole process tree cost.
    pub cost: Cost,
}

/// The answer of a live process to one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// What it printed up to the end marker, without the marker's line.
    pub stdout: Vec<u8>,
    /// What it printed on standard error so far.
    pub stderr: Vec<u8>,
    /// How the process ended, if it did: in mid-answer, or at a limit.
    pub ended: Option<Ending>,
    /// What the process tree used since the last exchange.
    pub cost: Cost,
}
