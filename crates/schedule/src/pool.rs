//! The pool of workers that runs every job.

use crate::{Event, Job, Progress, Readiness, Recorder, Stop, Watcher};
use anyhow::{Error, Result, anyhow};
use engine::{Asker, Engine, Journal};
use parking_lot::Mutex;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;
use store::{SkipReason, Store};

/// The interval between two updates of the status.
const STATUS_INTERVAL: Duration = Duration::from_millis(500);
/// The number of status updates per line of the statistics.
const STATISTICS_EVERY: u64 = 10;
/// The polling interval of a worker that waits for others.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Workers under one budget.
pub struct Pool<'a> {
    /// Asks the analyzers.
    pub engine: &'a Engine,
    /// The store for answers, if there is one.
    pub store: Option<&'a Store>,
    /// How the store is used.
    pub journal: Journal,
    /// The number of workers; at least one runs.
    pub workers: usize,
    /// When to end.
    pub stop: Stop<'a>,
    /// Receives the events.
    pub watcher: &'a dyn Watcher,
}

impl Pool<'_> {
    /// A worker outside of the pool's own loop.
    pub fn worker<'a>(&'a self, progress: &'a Mutex<Progress>) -> Worker<'a> {
        let log = self.store.map(|store| &*store.answers);
        let asker = Asker::new(self.engine, log, self.journal);
        Worker { asker, stop: self.stop, progress }
    }

    /// Runs a job until its units or the budget are used up, and returns the final figures. `progress` holds the
    /// figures of earlier runs.
    pub fn run<J: Job>(
        &self,
        job: &J,
        recorder: &mut dyn Recorder<J::Outcome>,
        progress: Progress,
    ) -> Result<Progress> {
        let shared = Shared {
            pool: self,
            job,
            next_unit: AtomicU64::new(0),
            progress: Mutex::new(progress),
            recorder: Mutex::new(recorder),
            failure: Mutex::new(None),
        };
        let (running, ended) = mpsc::channel();
        thread::scope(|scope| {
            for number in 0..self.workers.max(1) {
                let running = running.clone();
                let started = thread::Builder::new().spawn_scoped(scope, || shared.work(running));
                if let Err(error) = started {
                    // Fewer workers do the same work.
                    if number == 0 {
                        shared.fail(Error::new(error).context("cannot start a thread"));
                    }
                    break;
                }
            }
            drop(running);
            shared.watch(&ended);
        });
        if let Some(error) = shared.failure.into_inner() {
            return Err(error);
        }
        let mut progress = shared.progress.into_inner();
        let recorder = shared.recorder.into_inner();
        recorder.close(&mut progress)?;
        recorder.describe(&mut progress);
        self.stop.budget.describe(&mut progress);
        Ok(progress)
    }
}

/// The context of one worker.
pub struct Worker<'a> {
    /// Asks on behalf of this worker.
    pub asker: Asker<'a>,
    /// When to end.
    pub stop: Stop<'a>,
    /// The figures of the job.
    pub progress: &'a Mutex<Progress>,
}

impl Worker<'_> {
    /// Adds the queries since the last call to the figures. Returns the number of answers that should have been
    /// recorded but were not.
    pub fn report_tally(&mut self) -> u64 {
        let tally = self.asker.take_tally();
        self.progress.lock().tally.add(&tally);
        tally.missing
    }
}

/// What the workers of a running job share.
struct Shared<'a, J: Job> {
    pool: &'a Pool<'a>,
    job: &'a J,
    next_unit: AtomicU64,
    progress: Mutex<Progress>,
    recorder: Mutex<&'a mut dyn Recorder<J::Outcome>>,
    failure: Mutex<Option<anyhow::Error>>,
}

impl<J: Job> Shared<'_, J> {
    /// Runs one worker, which takes one unit after another until none is left. The first internal error ends the job.
    /// Dropping `_running` tells the watching thread that the worker has ended, however it ended.
    fn work(&self, _running: Sender<()>) {
        let pool = self.pool;
        let mut worker = pool.worker(&self.progress);
        loop {
            let is_over = pool.stop.is_over();
            // A panic outside of a walk ends the job with an error instead of silently ending the worker.
            let worked = catch_unwind(AssertUnwindSafe(|| self.work_once(is_over, &mut worker)));
            let has_more = match worked.unwrap_or_else(|_| Err(anyhow!("{}", SkipReason::OwnFault))) {
                Ok(has_more) => has_more,
                Err(error) => {
                    self.fail(error);
                    true
                }
            };
            // Once the job is over, a worker finishes one outcome at most, also after a failure.
            if is_over || !has_more {
                return;
            }
        }
    }

    /// Does one piece of work; false if none is left. Unfinished outcomes come before new units.
    fn work_once(&self, is_over: bool, worker: &mut Worker<'_>) -> Result<bool> {
        // The recorder must be free again before the work begins.
        let unfinished = self.recorder.lock().take_unfinished(is_over);
        if let Some((unit, outcome)) = unfinished {
            let outcome = self.job.finish(unit, outcome, worker)?;
            self.recorder.lock().receive_finished(unit, outcome, &mut self.progress.lock())?;
            return Ok(true);
        }
        let Some(unit) = self.take_unit() else { return Ok(false) };
        let outcome = self.job.run(unit, worker)?;
        self.recorder.lock().receive(unit, outcome, &mut self.progress.lock())?;
        Ok(true)
    }

    fn take_unit(&self) -> Option<u64> {
        loop {
            if self.pool.stop.is_over() || self.recorder.lock().is_full() {
                return None;
            }
            let unit = self.next_unit.fetch_add(1, Ordering::SeqCst);
            if self.pool.stop.budget.units.is_some_and(|units| unit >= units) || !self.is_ready(unit) {
                return None;
            }
            if !self.recorder.lock().is_recorded(unit) {
                return Some(unit);
            }
        }
    }

    /// Waits until the job knows whether the unit should run.
    fn is_ready(&self, unit: u64) -> bool {
        loop {
            let readiness = self.job.readiness(unit, &self.progress.lock());
            match readiness {
                Readiness::Ready => return true,
                Readiness::NoMore => return false,
                Readiness::Wait if self.pool.stop.is_over() => return true,
                Readiness::Wait => thread::sleep(POLL_INTERVAL),
            }
        }
    }

    fn fail(&self, error: anyhow::Error) {
        self.failure.lock().get_or_insert(error);
        self.pool.stop.request();
    }

    /// Reports the figures while workers run.
    fn watch(&self, ended: &Receiver<()>) {
        for update in 1u64.. {
            if ended.recv_timeout(STATUS_INTERVAL) == Err(RecvTimeoutError::Disconnected) {
                return;
            }
            let mut progress = self.progress.lock().clone();
            self.recorder.lock().describe(&mut progress);
            progress.answers = progress.answers_before + progress.tally.asked;
            self.pool.stop.budget.describe(&mut progress);
            self.pool.watcher.event(&Event::Status(&progress));
            let statistics = self.pool.store.filter(|_| {
                self.pool.journal == Journal::ReadAndWrite && update.is_multiple_of(STATISTICS_EVERY)
            });
            if let Some(store) = statistics
                && let Err(error) = store.directory.append_statistics(&progress.statistics_line())
            {
                self.fail(error);
            }
        }
    }
}
