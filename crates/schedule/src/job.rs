//! What a job is, and how its outcomes are recorded.

use crate::{Progress, Worker};
use anyhow::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Work that is cut into numbered units, from 0.
pub trait Job: Sync {
    /// What a unit produces. It can be sent between processes.
    type Outcome: Serialize + DeserializeOwned + Send;

    /// Runs a unit: a function of the plan, the recorded answers and the number.
    fn run(&self, unit: u64, worker: &mut Worker<'_>) -> Result<Self::Outcome>;

    /// Completes an outcome that [`Recorder::take_unfinished`] returned.
    fn finish(&self, _unit: u64, outcome: Self::Outcome, _worker: &mut Worker<'_>) -> Result<Self::Outcome> {
        Ok(outcome)
    }

    /// Called before a unit begins: the results so far may make further units pointless.
    fn readiness(&self, _unit: u64, _progress: &Progress) -> Readiness {
        Readiness::Ready
    }
}

/// Whether a unit should run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// It should.
    Ready,
    /// That depends on units that are still running.
    Wait,
    /// Neither it nor any later unit should.
    NoMore,
}

/// Takes the outcomes of units, in any order, and records them in the order of the units.
pub trait Recorder<Outcome>: Send {
    /// True if the unit was recorded by an earlier run.
    fn is_recorded(&self, _unit: u64) -> bool {
        false
    }

    /// Takes an outcome that [`Job::run`] returned.
    fn receive(&mut self, unit: u64, outcome: Outcome, progress: &mut Progress) -> Result<()>;

    /// The next outcome that [`Job::finish`] must complete, if any. Once the job `is_over`, the outcome may be provisional:
    /// it is shown, and a later run computes it again.
    fn take_unfinished(&mut self, _is_over: bool) -> Option<(u64, Outcome)> {
        None
    }

    /// Takes an outcome that [`Job::finish`] returned.
    fn receive_finished(&mut self, unit: u64, outcome: Outcome, progress: &mut Progress) -> Result<()> {
        self.receive(unit, outcome, progress)
    }

    /// True if no further unit is needed.
    fn is_full(&self) -> bool {
        false
    }

    /// Called once, after the last worker has ended.
    fn close(&mut self, _progress: &mut Progress) -> Result<()> {
        Ok(())
    }

    /// Adds what only the recorder knows to the figures.
    fn describe(&self, _progress: &mut Progress) {}
}
