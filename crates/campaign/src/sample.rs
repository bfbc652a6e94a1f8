//! Looks for one recorded answer, to show why a campaign judged nothing.

use crate::{Campaign, Cases};
use anyhow::Result;
use engine::Journal;
use model::{AnalyzerId, Answer, Query, Verdict};
use schedule::{InOrder, Job, Progress, Silent, Walker, Worker, drive};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use techniques::Notes;

/// The number of cases to try until one has a recorded answer.
const CASES: u64 = 50;
/// The number of steps that a case may take before its first query.
const STEPS: u32 = 3;

/// What an analyzer answered to the first query of a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sampled {
    /// The name of the seed.
    pub seed_name: String,
    /// The analyzer.
    pub analyzer: AnalyzerId,
    /// What it answered.
    pub verdict: Verdict,
}

/// The first recorded answer to the first query of a case; none if no such answer is recorded.
pub fn sample(campaign: &Campaign<'_>) -> Result<Option<Sampled>> {
    let mut found = None;
    let mut recorder = InOrder::new(|_, sampled: Option<Sampled>, _: &mut Progress| {
        found = sampled;
        Ok(if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    });
    let mut pool = campaign.pool(Journal::ReadOnly);
    pool.workers = 1;
    pool.watcher = &Silent;
    // The campaign's own time is up by now.
    pool.stop.budget.time = None;
    pool.stop.budget.units = Some(CASES);
    pool.run(&Sample { cases: campaign.cases() }, &mut recorder, Progress::default())?;
    Ok(found)
}

struct Sample<'a> {
    cases: Cases<'a>,
}

impl Job for Sample<'_> {
    type Outcome = Option<Sampled>;

    fn run(&self, unit: u64, worker: &mut Worker<'_>) -> Result<Option<Sampled>> {
        let Ok(ready) = self.cases.prepare(unit)? else { return Ok(None) };
        let mut walk = SampleWalk { worker, steps: 0, sampled: None };
        drive(|| self.cases.open(unit, &ready), &mut walk)?;
        let named =
            |(analyzer, verdict)| Sampled { seed_name: ready.seed.name.to_string(), analyzer, verdict };
        Ok(walk.sampled.map(named))
    }
}

struct SampleWalk<'w, 'p> {
    worker: &'w mut Worker<'p>,
    steps: u32,
    sampled: Option<(AnalyzerId, Verdict)>,
}

impl Walker for SampleWalk<'_, '_> {
    fn see(&mut self, _notes: Notes) -> Result<ControlFlow<()>> {
        self.steps += 1;
        Ok(if self.steps > STEPS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn ask(&mut self, queries: &[Query]) -> Result<Option<Vec<Answer>>> {
        let Some(query) = queries.first() else { return Ok(Some(Vec::new())) };
        let answers = self.worker.asker.ask(std::slice::from_ref(query))?;
        if let (0, Some(answer)) = (self.worker.asker.take_tally().missing, answers.into_iter().next()) {
            self.sampled = Some((query.analyzer.clone(), answer.verdict));
        }
        Ok(None)
    }
}
