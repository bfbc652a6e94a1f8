//! The results of runs and exchanges.

use model::{Cost, Ending};

/// Everything known after a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How the program ended.
    pub ending: Ending,
    /// Standard output, truncated at the output limit.
    pub stdout: Vec<u8>,
    /// Standard error, which counts towards the same output limit.
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
    /// How the process ended, in mid-answer or at a limit; [`Ending::StillAlive`] if it waits for more.
    pub ending: Ending,
    /// What the process tree used since the last exchange.
    pub cost: Cost,
}
