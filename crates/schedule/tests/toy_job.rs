//! Jobs that exist for these tests alone. They show what a job needs, and what the pool promises to it.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use anyhow::{Result, bail};
use engine::{Engine, Journal};
use schedule::{Budget, Event, InOrder, Job, Pool, Progress, Readiness, Recorder, Stop, Watcher, Worker};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

struct Silent;

impl Watcher for Silent {
    fn event(&self, _event: &Event<'_>) {}
}

/// Runs a job on a pool of its own.
fn run<J: Job>(
    job: &J,
    recorder: &mut dyn Recorder<J::Outcome>,
    workers: usize,
    units: Option<u64>,
) -> Result<Progress> {
    let engine = Engine::new(Vec::new())?;
    let requested = AtomicBool::new(false);
    let stop = Stop { requested: &requested, budget: Budget::starting_now(None, units) };
    let pool = Pool { engine: &engine, store: None, journal: Journal::Off, workers, stop, watcher: &Silent };
    pool.run(job, recorder, Progress::default())
}

/// The whole of a job: the square of each number.
struct Squares;

impl Job for Squares {
    type Outcome = u64;

    fn run(&self, unit: u64, _worker: &mut Worker<'_>) -> Result<u64> {
        Ok(unit * unit)
    }
}

#[test]
fn outcomes_are_recorded_in_the_order_of_the_units_by_any_number_of_workers() {
    for workers in [1, 4] {
        let mut squares = Vec::new();
        let mut recorder = InOrder::new(|_, square: u64, _: &mut Progress| {
            squares.push(square);
            Ok(ControlFlow::Continue(()))
        });
        run(&Squares, &mut recorder, workers, Some(50)).unwrap();
        assert_eq!(squares, (0..50).map(|unit| unit * unit).collect::<Vec<u64>>());
    }
}

#[test]
fn a_recorder_that_has_enough_ends_the_job() {
    let mut last = 0;
    let mut recorder = InOrder::new(|unit, square: u64, _: &mut Progress| {
        last = unit;
        Ok(if square >= 100 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    });
    run(&Squares, &mut recorder, 3, None).unwrap();
    assert_eq!(last, 10);
}

/// Fails at unit 7, and has nothing to do from unit 20 on.
struct Limited {
    fails: bool,
}

impl Job for Limited {
    type Outcome = u64;

    fn run(&self, unit: u64, _worker: &mut Worker<'_>) -> Result<u64> {
        if self.fails && unit == 7 {
            bail!("unit 7 is bad");
        }
        Ok(unit)
    }

    fn readiness(&self, unit: u64, progress: &Progress) -> Readiness {
        match (unit < 20, progress.cases >= 20) {
            (true, _) => Readiness::Ready,
            (false, true) => Readiness::NoMore,
            (false, false) => Readiness::Wait,
        }
    }
}

#[test]
fn a_failure_of_ours_ends_the_job_and_is_reported() {
    let mut recorder = InOrder::new(|_, _: u64, _: &mut Progress| Ok(ControlFlow::Continue(())));
    let error = run(&Limited { fails: true }, &mut recorder, 2, Some(20)).unwrap_err();
    assert_eq!(error.to_string(), "unit 7 is bad");
}

#[test]
fn a_job_can_wait_for_its_first_units_and_then_end() {
    let mut units = 0;
    let mut recorder = InOrder::new(|_, _: u64, progress: &mut Progress| {
        units += 1;
        progress.cases += 1;
        Ok(ControlFlow::Continue(()))
    });
    run(&Limited { fails: false }, &mut recorder, 3, None).unwrap();
    assert_eq!(units, 20);
}

/// Hands every odd unit back to be finished, and keeps what was finished.
#[derive(Default)]
struct TwoStages {
    waiting: BTreeMap<u64, u64>,
    kept: BTreeMap<u64, u64>,
    is_closed: bool,
}

impl Recorder<u64> for TwoStages {
    fn is_recorded(&self, unit: u64) -> bool {
        unit == 4
    }

    fn receive(&mut self, unit: u64, outcome: u64, _progress: &mut Progress) -> Result<()> {
        let list = if unit % 2 == 1 { &mut self.waiting } else { &mut self.kept };
        list.insert(unit, outcome);
        Ok(())
    }

    fn take_unfinished(&mut self, _is_over: bool) -> Option<(u64, u64)> {
        self.waiting.pop_first()
    }

    fn receive_finished(&mut self, unit: u64, outcome: u64, _progress: &mut Progress) -> Result<()> {
        self.kept.insert(unit, outcome);
        Ok(())
    }

    fn close(&mut self, _progress: &mut Progress) -> Result<()> {
        self.is_closed = true;
        Ok(())
    }
}

struct FinishedLater;

impl Job for FinishedLater {
    type Outcome = u64;

    fn run(&self, unit: u64, _worker: &mut Worker<'_>) -> Result<u64> {
        Ok(unit)
    }

    fn finish(&self, _unit: u64, outcome: u64, _worker: &mut Worker<'_>) -> Result<u64> {
        Ok(outcome + 100)
    }
}

#[test]
fn what_a_recorder_hands_back_is_finished_and_what_is_recorded_does_not_run_again() {
    let mut recorder = TwoStages::default();
    run(&FinishedLater, &mut recorder, 2, Some(6)).unwrap();
    assert_eq!(recorder.kept, BTreeMap::from([(0, 0), (1, 101), (2, 2), (3, 103), (5, 105)]));
    assert!(recorder.is_closed && recorder.waiting.is_empty());
}
