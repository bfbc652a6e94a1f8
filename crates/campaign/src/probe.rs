//! The job of `juvenal analyzer check`: ask questions whose answers are known.

use anyhow::{Context, Result};
use engine::{Engine, Journal};
use model::{Answer, Mode, Query};
use schedule::{Budget, InOrder, Job, Pool, Progress, Silent, Stop, Worker};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// Asks each query once, without recording anything, and passes the answers on together with the numbers of their
/// queries. All queries of a mode are a unit: what one script leaves in a session must be met by the next.
pub fn probe(
    engine: &Engine,
    queries: &[Query],
    workers: usize,
    take: &mut (dyn FnMut(usize, Answer) -> Result<()> + Send),
) -> Result<()> {
    let units = units_of(queries);
    probe_by(engine, &units, workers, &Probing { queries, units: &units }, take)
}

/// Like [`probe`], with a job that runs its units elsewhere.
pub(crate) fn probe_by(
    engine: &Engine,
    units: &[Vec<usize>],
    workers: usize,
    job: &impl Job<Outcome = Vec<Answer>>,
    take: &mut (dyn FnMut(usize, Answer) -> Result<()> + Send),
) -> Result<()> {
    let mut recorder = InOrder::new(|unit, answers: Vec<Answer>, _: &mut Progress| {
        let numbers = units.get(unit as usize).into_iter().flatten();
        numbers.zip(answers).try_for_each(|(number, answer)| take(*number, answer))?;
        Ok(ControlFlow::Continue(()))
    });
    let budget = Budget::starting_now(None, Some(units.len() as u64));
    let pool = Pool {
        engine,
        store: None,
        journal: Journal::Off,
        workers,
        stop: Stop { requested: &AtomicBool::new(false), budget },
        watcher: &Silent,
    };
    pool.run(job, &mut recorder, Progress::default())?;
    Ok(())
}

/// The numbers of the queries of each mode.
pub(crate) fn units_of(queries: &[Query]) -> Vec<Vec<usize>> {
    let mut units: Vec<(Mode, Vec<usize>)> = Vec::new();
    for (number, query) in queries.iter().enumerate() {
        match units.iter_mut().find(|(mode, _)| *mode == query.mode) {
            Some((_, numbers)) => numbers.push(number),
            None => units.push((query.mode, vec![number])),
        }
    }
    units.into_iter().map(|(_, numbers)| numbers).collect()
}

/// The questions as a job.
pub(crate) struct Probing<'a> {
    pub queries: &'a [Query],
    pub units: &'a [Vec<usize>],
}

impl Job for Probing<'_> {
    type Outcome = Vec<Answer>;

    fn run(&self, unit: u64, worker: &mut Worker<'_>) -> Result<Vec<Answer>> {
        let numbers = usize::try_from(unit).ok().and_then(|unit| self.units.get(unit));
        let numbers = numbers.with_context(|| format!("there is no unit {unit}"))?;
        let queries: Vec<Query> = numbers.iter().map(|number| self.queries[*number].clone()).collect();
        worker.asker.ask(&queries)
    }
}
