//! What is to be minimized.

use crate::{Outcome, State};
use serde::{Deserialize, Serialize};

/// The loss of a program for which there is no answer. It is above every loss of one with an answer.
pub const WORST_LOSS: f64 = 2.0;

/// What a program loses: what is left open decides, and costs break ties.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// The share that is left open; [`WORST_LOSS`] without an answer.
    pub open: f64,
    /// The share of the time or memory that is taken, which is noisy.
    pub cost: f64,
    /// A difference of the costs that is noise, however small they are.
    pub noise: f64,
}

impl Loss {
    /// Both together.
    pub fn whole(self) -> f64 {
        self.open + self.cost
    }

    /// The mean of several losses; none of no loss.
    pub fn mean(losses: impl Iterator<Item = Loss>) -> Option<Loss> {
        let add = |(count, sum): (usize, Loss), it: Loss| {
            let sum =
                Loss { open: sum.open + it.open, cost: sum.cost + it.cost, noise: sum.noise + it.noise };
            (count + 1, sum)
        };
        let (count, sum) = losses.fold((0, Loss::default()), add);
        let part = |sum: f64| sum / count as f64;
        (count > 0).then(|| Loss { open: part(sum.open), cost: part(sum.cost), noise: part(sum.noise) })
    }

    /// True if both leave the same open.
    pub fn is_as_open_as(self, other: Loss) -> bool {
        (self.open - other.open).abs() <= ROUNDING
    }

    /// True if nothing more is left open, and the cost is not higher beyond noise.
    pub fn is_as_good_as(self, other: Loss) -> bool {
        self.open <= other.open + ROUNDING && self.cost <= other.cost + other.uncertainty()
    }

    /// A difference from this loss that costs alone explain.
    pub fn uncertainty(self) -> f64 {
        self.cost * NOISE + self.noise
    }
}

/// Sums of shares differ by so much.
const ROUNDING: f64 = 1e-9;
/// Times and memory of the same run differ by this share on a busy machine.
const NOISE: f64 = 0.05;
/// Those of short runs differ by so much, whatever the limits are.
const TIME_NOISE_MICROSECONDS: u64 = 10_000;
const MEMORY_NOISE_BYTES: u64 = 1 << 20;

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
    /// Every objective.
    pub const ALL: [Objective; 3] = [Objective::Unresolved, Objective::Time, Objective::Memory];

    /// What it means, for the help.
    pub fn summary(self) -> &'static str {
        match self {
            Objective::Unresolved => "What is left open; time breaks ties",
            Objective::Time => "Time, without leaving more open than the default",
            Objective::Memory => "Memory, without leaving more open than the default",
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Objective::Unresolved => "unresolved",
            Objective::Time => "time",
            Objective::Memory => "memory",
        }
    }

    /// The loss of a program. `default` is the outcome of the analyzer's defaults.
    ///
    /// The paper's cost is (w + r / r_max) / w_total, where w of w_total assertions are left open after the time r of r_max;
    /// the published formula divides only one of the terms. A program without any assertion would divide by zero, so there is
    /// at least one. The total is that of the default, or raising more alarms could be better. A program without an
    /// answer is a state of its own, not an infinite number: among many programs, one that runs into the limit must not hide
    /// all others.
    pub fn loss(self, outcome: &Outcome, default: &Outcome, limits: &Caps) -> Loss {
        const WITHOUT_ANSWER: Loss = Loss { open: WORST_LOSS, cost: 0.0, noise: 0.0 };
        if outcome.state != State::Finished {
            return WITHOUT_ANSWER;
        }
        let time = share(outcome.cpu_microseconds, limits.cpu_microseconds);
        let time_noise = share(TIME_NOISE_MICROSECONDS, limits.cpu_microseconds);
        let keeps_up = !default.is_finished() || outcome.unresolved <= default.unresolved;
        match self {
            Objective::Unresolved => {
                let of = |amount: f64| open_share(f64::from(outcome.unresolved) + amount, default);
                let open = of(0.0);
                Loss { open, cost: of(time) - open, noise: of(time_noise) - open }
            }
            Objective::Time | Objective::Memory if !keeps_up => WITHOUT_ANSWER,
            Objective::Time => Loss { open: 0.0, cost: time, noise: time_noise },
            Objective::Memory => Loss {
                open: 0.0,
                cost: share(outcome.peak_memory_bytes, limits.memory_bytes),
                noise: share(MEMORY_NOISE_BYTES, limits.memory_bytes),
            },
        }
    }
}

/// A part of a limit.
fn share(part: u64, whole: u64) -> f64 {
    (part as f64 / whole.max(1) as f64).min(1.0)
}

/// The share of a program that is left open. Where the default gives no answer, the number of its alarms is unknown, and there
/// is no greatest number: the share then approaches 1, so that fewer alarms are still better.
fn open_share(unresolved: f64, default: &Outcome) -> f64 {
    let total = f64::from(default.total.max(1));
    match default.is_finished() {
        true => (unresolved / total).min(WORST_LOSS - 0.5),
        false => unresolved / (total + unresolved),
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
        let loss = |it: &Outcome| Objective::Unresolved.loss(it, &outcome(5, 10, 0), &CAPS).whole();
        assert!(loss(&outcome(3, 100, 0)) < loss(&outcome(5, 1, 0)));
        assert!(loss(&outcome(3, 10, 0)) < loss(&outcome(3, 20, 0)));
        assert!((loss(&outcome(3, 50, 0)) - 0.35).abs() < 1e-9);
        assert!(loss(&outcome(10, 100, 0)) < WORST_LOSS);
        let limit = Outcome { state: State::Limit, ..outcome(0, 100, 0) };
        assert_eq!(loss(&limit), WORST_LOSS);
    }

    #[test]
    fn more_alarms_are_never_better() {
        let alarms = |count| Outcome { total: count, ..outcome(count, 50, 0) };
        let loss = |it: &Outcome| Objective::Unresolved.loss(it, &alarms(2), &CAPS).whole();
        assert!(loss(&alarms(1)) < loss(&alarms(2)) && loss(&alarms(2)) < loss(&alarms(3)));
        assert!(loss(&alarms(20)) < WORST_LOSS);
    }

    #[test]
    fn time_and_memory_count_only_for_those_that_leave_no_more_open() {
        let default = outcome(5, 10, 100);
        let loss = |objective: Objective, it| objective.loss(&it, &default, &CAPS).whole();
        assert_eq!(loss(Objective::Time, outcome(6, 1, 1)), WORST_LOSS);
        assert!((loss(Objective::Time, outcome(5, 20, 1)) - 0.2).abs() < 1e-9);
        assert!((loss(Objective::Memory, outcome(4, 20, 500)) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_little_more_time_is_as_good_and_one_open_check_more_is_not() {
        let loss = |open, cost| Loss { open, cost, noise: 0.0 };
        assert!(loss(0.5, 0.102).is_as_good_as(loss(0.5, 0.1)));
        assert!(!loss(0.5, 0.12).is_as_good_as(loss(0.5, 0.1)));
        assert!(!loss(0.501, 0.0).is_as_good_as(loss(0.5, 0.1)));
    }

    #[test]
    fn differences_of_time_are_told_apart_whatever_the_limit_is() {
        for seconds in [1, 60, 3600] {
            let caps = Caps { cpu_microseconds: seconds * 1_000_000, memory_bytes: 1 };
            let loss = |milliseconds: u64| {
                let outcome = outcome(0, 1000 * milliseconds, 0);
                Objective::Time.loss(&outcome, &outcome, &caps)
            };
            assert!(loss(10).is_as_good_as(loss(50)) && !loss(50).is_as_good_as(loss(10)), "{seconds}");
            assert!(loss(15).is_as_good_as(loss(10)), "{seconds}");
        }
    }

    #[test]
    fn fewer_alarms_are_better_where_the_default_gives_no_answer() {
        let default = Outcome { state: State::Limit, total: 1, ..outcome(0, 100, 0) };
        let loss = |alarms, cpu| {
            let it = Outcome { total: alarms, ..outcome(alarms, cpu, 0) };
            Objective::Unresolved.loss(&it, &default, &CAPS).whole()
        };
        assert!(loss(2, 90) < loss(20, 10) && loss(20, 90) < loss(200, 10));
        assert!(loss(2, 10) < loss(2, 90) && loss(2, 100) <= loss(3, 0));
        assert!(loss(1_000_000, 100) < WORST_LOSS);
    }
}
