//! The only loop: many numbered cases under one budget, in one directory, by several workers.
//!
//! A case is a deterministic function of (seed file, campaign seed, case number, settings, answers so far), so
//! going on after a crash is running the unfinished cases again on the recorded answers.
//!
//! Invariant: given the same answers, what is recorded does not depend on the number of workers. Workers finish
//! cases in any order; findings are numbered and grouped in the order of the cases.

mod budget;
mod case;
mod commit;
mod comparison;
mod judge;
mod known_seeds;
mod plan;
mod progress;
mod rota;
mod routine;

pub use budget::Budget;
pub use commit::update_finding;
pub use comparison::compare;
pub use judge::{Judged, judge};
pub use plan::{Plan, SeedPlan, USUAL_CANDIDATES};
pub use progress::{Event, Progress, Watcher};
pub use rota::Rota;

use anyhow::Result;
use case::{CaseOutcome, Worker};
use commit::Committer;
use engine::{Asker, Engine, Journal, SeedFiles, SeedProblem};
use known_seeds::KnownSeeds;
use model::{Lineup, Random, Seed, Settings};
use routine::RoutineDesk;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use store::{Ledger, Store};
use techniques::{Case, Opening, Seeds, Technique};

/// How often it is looked whether the workers have ended.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// The status is refreshed at every so many glances.
const STATUS_EVERY: u64 = 10;
/// The status is appended to the statistics at every so many glances.
const STATISTICS_EVERY: u64 = 100;

/// A campaign, ready to run.
pub struct Campaign<'a> {
    /// Asks the analyzers.
    pub engine: &'a Engine,
    /// Where everything is kept.
    pub store: &'a Store,
    /// The techniques, which take turns.
    pub techniques: Vec<&'a Technique>,
    /// Who is under test and who can help.
    pub lineup: &'a Lineup,
    /// The seeds; those in the language of a technique take turns with it.
    pub seeds: &'a SeedFiles,
    /// The knobs of the techniques.
    pub settings: &'a Settings,
    /// The number from which everything random comes.
    pub random_seed: u64,
    /// How many cases run at once.
    pub jobs: usize,
    /// How many candidates the reducer may ask for each finding.
    pub reduce_candidates: usize,
    /// When to stop.
    pub budget: Budget,
    /// Set from outside to finish the running queries and stop.
    pub stop: &'a AtomicBool,
    /// Who is told.
    pub watcher: &'a dyn Watcher,
}

impl Campaign<'_> {
    /// Runs until the budget is used up or somebody says stop. What was recorded before counts.
    pub fn run(&self) -> Result<Progress> {
        let finished = self.store.database.cases()?;
        let committer = Mutex::new(Committer::new(self.store, &finished)?);
        let shared = Shared {
            campaign: self,
            next_case: AtomicU64::new(0),
            seeds: KnownSeeds::new(self, &finished),
            finished: finished.keys().copied().collect(),
            progress: Mutex::new(Progress::resumed(&finished, self.store.database.answer_count()?)),
            desk: Mutex::new(RoutineDesk::new(self.rota(), &finished)),
            committer,
            failure: Mutex::new(None),
        };
        let running = AtomicU64::new(self.jobs.max(1) as u64);
        thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                scope.spawn(|| {
                    let _leaving = Leaving(&running);
                    shared.work();
                });
            }
            shared.watch(&running);
        });
        if let Some(error) = shared.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let mut committer = shared.committer.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut progress = shared.progress.into_inner().unwrap_or_else(PoisonError::into_inner);
        let desk = shared.desk.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (number, outcome) in desk.rest() {
            committer.finish(number, outcome, self.watcher)?;
        }
        progress.broken_off = committer.show_the_rest(self.watcher)?;
        progress.answers = self.store.database.answer_count()?;
        progress.count_again(&self.store.database.cases()?);
        committer.describe(&mut progress);
        self.budget.describe(&mut progress);
        self.store.directory.append_statistics(&progress.statistics_line())?;
        Ok(progress)
    }

    /// The technique of a case and the place of its seed: techniques take turns, and so do the seeds of each. There is
    /// no place where the technique makes its own seeds.
    fn turn(&self, number: u64) -> (&Technique, Option<usize>) {
        let (place, before) = self.rota().place(number);
        let technique = self.techniques[place];
        (technique, place_of_seed(self.seeds, technique, before))
    }

    fn rota(&self) -> Rota {
        Rota::new(&self.techniques)
    }

    /// The technique of a case and its seed, read or made.
    fn parts_of(&self, number: u64) -> Result<(&Technique, Result<Seed, SeedProblem>)> {
        let (technique, place) = self.turn(number);
        let random = Random::for_case(self.random_seed, number);
        let seed = seed_of(self.engine, self.seeds, technique, place, self.settings, random)?;
        Ok((technique, seed))
    }

    /// So many cases bring every seed to every technique of its language at least once.
    fn round(&self) -> u64 {
        let seeds = self.techniques.iter().map(|technique| self.seeds.count_of(technique.language) as u64);
        self.rota().cases_for(seeds)
    }

    /// Starts the walk of a case.
    fn open(&self, number: u64, technique: &Technique, seed: &Seed) -> Result<Box<dyn Case>> {
        Ok((technique.open)(Opening {
            seed,
            lineup: self.lineup,
            settings: self.settings,
            random: Random::for_case(self.random_seed, number),
        })?)
    }

    fn is_over(&self) -> bool {
        self.is_stopped() || self.budget.time_is_up()
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }
}

/// The place of the seed whose turn it is; none if the technique makes its own, as it may where the user gave none.
pub fn place_of_seed(seeds: &SeedFiles, technique: &Technique, turn: u64) -> Option<usize> {
    let makes_its_own = technique.makes_seeds() && seeds.are_shipped();
    seeds.at_turn(technique.language, turn).filter(|_| !makes_its_own)
}

/// The seed at a place, or one that the technique makes with the random choices of the case.
pub fn seed_of(
    engine: &Engine,
    seeds: &SeedFiles,
    technique: &Technique,
    place: Option<usize>,
    settings: &Settings,
    mut random: Random,
) -> Result<Result<Seed, SeedProblem>> {
    if let Some(place) = place {
        return engine.seed_loader().load(seeds, place);
    }
    let problem = || SeedProblem {
        reason: "there is no seed in the language of the technique",
        detail: technique.name.to_owned(),
    };
    let Seeds::Made(make_seed) = technique.seeds else { return Ok(Err(problem())) };
    let made = make_seed(settings, random.split())?;
    let from_csmith =
        made.csmith.map(|number| engine.seed_loader().csmith_program(number)).transpose()?.flatten();
    Ok(from_csmith.unwrap_or(Ok(made.program)))
}

/// Counts a worker out when it ends, in whatever way.
struct Leaving<'a>(&'a AtomicU64);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// What the workers of a running campaign share.
struct Shared<'a> {
    campaign: &'a Campaign<'a>,
    next_case: AtomicU64,
    seeds: KnownSeeds,
    finished: BTreeSet<u64>,
    progress: Mutex<Progress>,
    desk: Mutex<RoutineDesk>,
    committer: Mutex<Committer<'a>>,
    failure: Mutex<Option<anyhow::Error>>,
}

impl Shared<'_> {
    /// One worker: takes the next case until nothing is left to do. The first failure of ours ends the campaign.
    fn work(&self) {
        let mut asker = Asker::new(self.campaign.engine, Some(self.campaign.store), Journal::ReadAndWrite);
        let worker = Worker { campaign: self.campaign, seeds: &self.seeds, progress: &self.progress };
        loop {
            let is_over = self.campaign.is_over();
            // The desk is free again before the examination begins.
            let chosen = match is_over {
                true => self.desk().take_for_show(),
                false => self.desk().take_chosen(),
            };
            let advance = match chosen {
                Some((number, outcome)) => worker
                    .examine_routine(number, outcome, &mut asker)
                    .and_then(|outcome| self.commit(number, outcome)),
                None => match self.take_case() {
                    Some(number) => {
                        worker.run_case(number, &mut asker).and_then(|outcome| self.pass_on(number, outcome))
                    }
                    None => return,
                },
            };
            if let Err(error) = advance {
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                self.campaign.stop.store(true, Ordering::SeqCst);
            }
            if is_over {
                return;
            }
        }
    }

    fn desk(&self) -> MutexGuard<'_, RoutineDesk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a walked case on the desk, and records what leaves it.
    fn pass_on(&self, number: u64, outcome: CaseOutcome) -> Result<()> {
        let (ready, dropped) = self.desk().receive(number, outcome);
        self.progress.lock().unwrap_or_else(PoisonError::into_inner).not_examined += dropped;
        ready.into_iter().try_for_each(|(number, outcome)| self.commit(number, outcome))
    }

    fn commit(&self, number: u64, outcome: CaseOutcome) -> Result<()> {
        let mut committer = self.committer.lock().unwrap_or_else(PoisonError::into_inner);
        committer.finish(number, outcome, self.campaign.watcher)
    }

    fn take_case(&self) -> Option<u64> {
        loop {
            if self.campaign.is_over() {
                return None;
            }
            let number = self.next_case.fetch_add(1, Ordering::SeqCst);
            if self.campaign.budget.cases.is_some_and(|cases| number >= cases) {
                return None;
            }
            if self.no_seed_is_of_use(number) {
                return None;
            }
            if !self.finished.contains(&number) {
                return Some(number);
            }
        }
    }

    /// True if every seed had its turn and none could be used, since another round would be the same again.
    /// Waits for the rest of the first round, so that the end does not depend on the number of workers.
    fn no_seed_is_of_use(&self, number: u64) -> bool {
        let round = self.campaign.round();
        while number >= round && !self.campaign.is_over() {
            let progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
            let asked = progress.tally.asked + progress.tally.recalled > 0;
            if asked || !progress.is_of_no_use() {
                return false;
            }
            if progress.cases >= round {
                return true;
            }
            drop(progress);
            thread::sleep(POLL_INTERVAL);
        }
        false
    }

    /// Tells the watcher how it goes while workers run.
    fn watch(&self, running: &AtomicU64) {
        let mut glances = 0u64;
        while running.load(Ordering::SeqCst) > 0 {
            thread::sleep(POLL_INTERVAL);
            glances += 1;
            if !glances.is_multiple_of(STATUS_EVERY) {
                continue;
            }
            let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner).clone();
            progress.answers = progress.answers_before + progress.tally.asked;
            self.committer.lock().unwrap_or_else(PoisonError::into_inner).describe(&mut progress);
            self.campaign.budget.describe(&mut progress);
            self.campaign.watcher.event(&Event::Status(&progress));
            let due = glances.is_multiple_of(STATISTICS_EVERY);
            if due
                && let Err(error) =
                    self.campaign.store.directory.append_statistics(&progress.statistics_line())
            {
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                self.campaign.stop.store(true, Ordering::SeqCst);
            }
        }
    }
}
