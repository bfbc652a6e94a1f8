//! Units that run outside of the pool's own loop: in another process, or on another machine.

use crate::{Job, Pool, Progress, Readiness, Worker};
use anyhow::Result;
use engine::Tally;
use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What a unit produced, and the queries that it took.
#[derive(Serialize, Deserialize)]
pub struct UnitResult<Outcome> {
    /// The outcome, for the recorder of the job.
    pub outcome: Outcome,
    /// The queries of the unit.
    pub tally: Tally,
}

impl Pool<'_> {
    /// Runs one unit, or finishes the outcome of one that [`crate::Recorder::take_unfinished`] returned.
    pub fn run_unit<J: Job>(
        &self,
        job: &J,
        unit: u64,
        unfinished: Option<J::Outcome>,
    ) -> Result<UnitResult<J::Outcome>> {
        let progress = Mutex::default();
        let mut worker = self.worker(&progress);
        let outcome = match unfinished {
            Some(outcome) => job.finish(unit, outcome, &mut worker)?,
            None => job.run(unit, &mut worker)?,
        };
        worker.report_tally();
        Ok(UnitResult { outcome, tally: progress.into_inner().tally })
    }
}

/// A job whose outcomes are sent as bytes, as they are between machines. Tests run every job in this way.
pub struct AsBytes<J>(pub J);

impl<J: Job> Job for AsBytes<J> {
    type Outcome = J::Outcome;

    fn run(&self, unit: u64, worker: &mut Worker<'_>) -> Result<J::Outcome> {
        sent(&self.0.run(unit, worker)?)
    }

    fn finish(&self, unit: u64, outcome: J::Outcome, worker: &mut Worker<'_>) -> Result<J::Outcome> {
        sent(&self.0.finish(unit, sent(&outcome)?, worker)?)
    }

    fn readiness(&self, unit: u64, progress: &Progress) -> Readiness {
        self.0.readiness(unit, progress)
    }
}

fn sent<T: Serialize + DeserializeOwned>(outcome: &T) -> Result<T> {
    Ok(serde_json::from_slice(&serde_json::to_vec(outcome)?)?)
}
