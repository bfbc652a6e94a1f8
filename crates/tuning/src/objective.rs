//! What is to be minimized.

use crate::{Outcome, State};
use serde::{Deserialize, Serialize};

/// The loss of a program for which there is no answer. It is above every loss of one with an answer.
pub const WORST_LOSS: f64 = 2.0;

/// What is to be minimized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// What is left open; CPU time breaks ties.
    #[default]
    Unresolved,
    /// CPU time, without leaving more open than the default does.
    Time,
    /// Memory, without leaving more open than the default does.
    Memory,
}

impl Objective {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Objective::Unresolved => "unresolved",
            Objective::Time => "time",
            Objective::Memory => "memory",
        }
    }

    /// The loss of a program, from 0 to [`WORST_LOSS`]. `default` is what came of the analyzer's defaults.
    ///
    /// The paper's cost is (w + r / r_max) / w_total, where w of w_total assertions are left open after the time r of r_max;
    /// the published formula divides only one of the terms. A program without any assertion would divide by zero, so there is
    /// at least one. A program without an answer is a state of its own, not an infinite number: among many programs, one
    /// that runs into the limit must not hide all others.
    pub fn loss(self, outcome: &Outcome, default: &Outcome, limits: &Caps) -> f64 {
        if outcome.state != State::Finished {
            return WORST_LOSS;
        }
        let share = |part: u64, whole: u64| (part as f64 / whole.max(1) as f64).min(1.0);
        let time = share(outcome.cpu_microseconds, limits.cpu_microseconds);
        let keeps_up = !default.is_finished() || outcome.unresolved <= default.unresolved;
        match self {
            Objective::Unresolved => (f64::from(outcome.unresolved) + time) / f64::from(outcome.total.max(1)),
            Objective::Time | Objective::Memory if !keeps_up => WORST_LOSS,
            Objective::Time => time,
            Objective::Memory => share(outcome.peak_memory_bytes, limits.memory_bytes),
        }
    }
}

/// The limits of one trial, by which times and memory become shares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caps {
    /// CPU time of one program.
    pub cpu_microseconds: u64,
    /// Memory of one program.
    pub memory_bytes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(unresolved: u32, cpu: u64, memory: u64) -> Outcome {
        Outcome {
            state: State::Finished,
            unresolved,
            total: 10,
            cpu_microseconds: cpu,
            wall_microseconds: cpu,
            peak_memory_bytes: memory,
        }
    }

    const CAPS: Caps = Caps { cpu_microseconds: 100, memory_bytes: 1000 };

    #[test]
    fn what_is_left_open_decides_and_time_breaks_ties() {
        let loss = |it: &Outcome| Objective::Unresolved.loss(it, &outcome(5, 10, 0), &CAPS);
        assert!(loss(&outcome(3, 100, 0)) < loss(&outcome(5, 1, 0)));
        assert!(loss(&outcome(3, 10, 0)) < loss(&outcome(3, 20, 0)));
        assert!((loss(&outcome(3, 50, 0)) - 0.35).abs() < 1e-9);
        assert!(loss(&outcome(10, 100, 0)) < WORST_LOSS);
        let limit = Outcome { state: State::Limit, ..outcome(0, 100, 0) };
        assert_eq!(loss(&limit), WORST_LOSS);
    }

    #[test]
    fn time_and_memory_count_only_for_those_that_leave_no_more_open() {
        let default = outcome(5, 10, 100);
        assert_eq!(Objective::Time.loss(&outcome(6, 1, 1), &default, &CAPS), WORST_LOSS);
        assert!((Objective::Time.loss(&outcome(5, 20, 1), &default, &CAPS) - 0.2).abs() < 1e-9);
        assert!((Objective::Memory.loss(&outcome(4, 20, 500), &default, &CAPS) - 0.5).abs() < 1e-9);
    }
}
