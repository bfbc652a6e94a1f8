//! What is known after a run or an exchange.

use model::{Cost, LimitKind};

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It exited by itself with this code.
    Exited(i32),
    /// It was ended by this signal, which did not come from one of our limits.
    Signaled(i32),
    /// It went over this limit and was killed.
    Limit(LimitKind),
}

/// Everything known after a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How the program ended.
    pub ending: Ending,
    /// What it printed, cut at the output limit.
    pub stdout: Vec<u8>,
    /// What it complained about; counts towards the same output limit.
    pub stderr: Vec<u8>,
    /// What the whole process tree cost.
    pub cost: Cost,
}

/// The answer of a live process to one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// What it printed up to the end marker, without the marker's line.
    pub stdout: Vec<u8>,
    /// What it complained about so far.
    pub stderr: Vec<u8>,
    /// How the process ended, if it is gone: it died in mid-answer or went over a limit.
    pub ended: Option<Ending>,
    /// What the process tree used since the last exchange.
    pub cost: Cost,
}
