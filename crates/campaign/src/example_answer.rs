//! Finds an example of a recorded answer, to show why a campaign judged nothing.

use crate::{Campaign, Cases};
use anyhow::Result;
use engine::Journal;
use model::{AnalyzerId, Answer, Query, Verdict};
use schedule::{Budget, InOrder, Job, Progress, Silent, Walker, Worker, drive};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::time::Duration;
use techniques::Notes;

/// The maximum number of cases to try until one has a recorded answer.
const CASES: u64 = 50;
/// The time that an example is worth; a case with a hostile seed may never end.
const TIME: Duration = Duration::from_secs(2);
/// The maximum number of steps that a case may take before its first query.
const STEPS: u32 = 3;

/// An answer to the first query of a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExampleAnswer {
    /// The name of the seed.
    pub seed_name: String,
    /// The analyzer that answered.
    pub analyzer: AnalyzerId,
    /// Its verdict.
    pub verdict: Verdict,
}

/// Returns the first recorded answer to the first query of a case; `None` if no such answer is recorded.
pub fn example_answer(campaign: &Campaign<'_>) -> Result<Option<ExampleAnswer>> {
    example_answer_by(campaign, &FindExample { cases: campaign.cases() })
}

/// Like [`example_answer`], with a job that runs its units elsewhere.
pub(crate) fn example_answer_by(
    campaign: &Campaign<'_>,
    job: &impl Job<Outcome = Option<ExampleAnswer>>,
) -> Result<Option<ExampleAnswer>> {
    let mut found = None;
    let mut recorder = InOrder::new(|_, example: Option<ExampleAnswer>, _: &mut Progress| {
        found = example;
        Ok(if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    });
    let mut pool = campaign.pool(Journal::ReadOnly);
    pool.workers = 1;
    pool.watcher = &Silent;
    // The campaign's own time may be up by now.
    pool.stop.budget = Budget::starting_now(Some(TIME), Some(CASES));
    pool.run(job, &mut recorder, Progress::default())?;
    Ok(found)
}

/// The search as a job; a unit is a case.
pub(crate) struct FindExample<'a> {
    pub cases: Cases<'a>,
}

impl Job for FindExample<'_> {
    type Outcome = Option<ExampleAnswer>;

    fn run(&self, unit: u64, worker: &mut Worker<'_>) -> Result<Option<ExampleAnswer>> {
        let Ok(ready) = self.cases.prepare(unit)? else { return Ok(None) };
        let mut walk = ExampleWalk { worker, steps: 0, example: None };
        drive(self.cases.opener(unit, &ready), &mut walk)?;
        let named =
            |(analyzer, verdict)| ExampleAnswer { seed_name: ready.seed.name.to_string(), analyzer, verdict };
        Ok(walk.example.map(named))
    }
}

struct ExampleWalk<'w, 'p> {
    worker: &'w mut Worker<'p>,
    steps: u32,
    example: Option<(AnalyzerId, Verdict)>,
}

impl Walker for ExampleWalk<'_, '_> {
    fn see(&mut self, _notes: Notes) -> Result<ControlFlow<()>> {
        self.steps += 1;
        Ok(if self.steps > STEPS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn ask(&mut self, queries: &[Query]) -> Result<Option<Vec<Answer>>> {
        let Some(query) = queries.first() else { return Ok(Some(Vec::new())) };
        let answers = self.worker.asker.ask(std::slice::from_ref(query))?;
        if let (0, Some(answer)) = (self.worker.asker.take_tally().missing, answers.into_iter().next()) {
            self.example = Some((query.analyzer.clone(), answer.verdict));
        }
        Ok(None)
    }

    fn is_over(&self) -> bool {
        self.worker.stop.is_over()
    }
}
