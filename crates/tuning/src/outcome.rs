//! The outcome of trying a recipe on a program.

use serde::{Deserialize, Serialize};

/// The outcome of trying a recipe on a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended.
    pub state: State,
    /// What is left open: checks that are not verified, alarms, or scripts without an answer.
    pub unresolved: u32,
    /// How many there are.
    pub total: u32,
    /// CPU time of all ingredients.
    pub cpu_microseconds: u64,
    /// Wall time of all ingredients.
    pub wall_microseconds: u64,
    /// The most memory that an ingredient took.
    pub peak_memory_bytes: u64,
}

/// How trying a recipe on a program ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Every ingredient gave an answer.
    Finished,
    /// An ingredient ran into a limit.
    Limit,
    /// An ingredient crashed, refused the program or printed what cannot be read; the text says which.
    Failed(String),
    /// It claims what is not true.
    Refuted(String),
}

impl Outcome {
    /// True if there is an answer to compare.
    pub fn is_finished(&self) -> bool {
        self.state == State::Finished
    }

    /// True if it claims what is not true.
    pub fn is_refuted(&self) -> bool {
        matches!(self.state, State::Refuted(_))
    }
}
