//! Campaigns: many numbered cases of some techniques, in one directory, and the jobs that work on them.
//!
//! [`hunt`] walks cases and examines their exhibits; [`compare`] tabulates the answers of all analyzers; [`judge`] walks the
//! recorded cases again without running analyzers; [`generate`] writes inputs; [`example_answer`] finds one answer to show.
//! All of them walk the same [`Cases`]; [`probe`] asks queries that belong to no case. Two jobs have no cases: [`tune`] searches
//! for a configuration, and [`analyze`] runs a tool on the parts of a project. Each is a [`schedule::Job`].
//!
//! Invariant: given the same answers, the records do not depend on the number of workers. Workers finish cases in any
//! order; findings are numbered and grouped in the order of the cases.

#[cfg(test)]
mod as_bytes_tests;
mod cases;
mod commit;
mod compare;
mod example_answer;
mod generate;
mod hunt;
mod judge;
mod plan;
mod probe;
mod sampling;
mod split;
mod tune;
mod turns;

pub use cases::{Cases, ReadyCase};
pub use commit::update_finding;
pub use compare::{Compare, ComparedCase, compare, compare_by};
pub use example_answer::{ExampleAnswer, example_answer};
pub use generate::{Generated, Generation, generate};
pub use hunt::{CaseOutcome, Hunt, hunt, hunt_by};
pub use judge::{Judge, JudgeTotals, judge, judge_by, judge_findings};
pub use plan::{ComparePlan, HuntPlan, LineupPlan, Plan, SeedPlan, SplitPlan, TunePlan, USUAL_CANDIDATES};
pub use probe::probe;
pub use schedule::{Budget, Event, Pool, Progress, Silent, Stop, Watcher};
pub use split::{
    Analyzed, Probe, Reference, SplitOptions, SplitProject, SplitState, analyze, calibrate, frontier,
    limit_for_recall,
};
pub use tune::{Report, Subject, TuneOptions, TuneState, tune};
pub use turns::Turns;

use engine::{Engine, Journal, SeedFiles};
use model::{Lineup, Settings};
use store::Store;
use techniques::Technique;

/// A campaign, ready for any of its jobs.
pub struct Campaign<'a> {
    /// Asks the analyzers.
    pub engine: &'a Engine,
    /// The campaign directory and its database.
    pub store: &'a Store,
    /// The techniques, which take turns.
    pub techniques: Vec<&'a Technique>,
    /// The analyzers under test and the witnesses.
    pub lineup: &'a Lineup,
    /// The seeds; those in the language of a technique take turns with it.
    pub seeds: &'a SeedFiles,
    /// The knobs of the techniques.
    pub settings: &'a Settings,
    /// The number from which all random choices derive.
    pub random_seed: u64,
    /// The number of workers.
    pub jobs: usize,
    /// The number of candidates that the reducer may try for each finding.
    pub reduce_candidates: usize,
    /// When to end.
    pub stop: Stop<'a>,
    /// Receives the events.
    pub watcher: &'a dyn Watcher,
}

impl Campaign<'_> {
    /// The cases of the campaign.
    pub fn cases(&self) -> Cases<'_> {
        Cases {
            engine: self.engine,
            seed_log: Some(&*self.store.seeds),
            techniques: self.techniques.clone(),
            lineup: self.lineup,
            seeds: self.seeds,
            settings: self.settings,
            random_seed: self.random_seed,
        }
    }

    /// The workers of the campaign.
    pub fn pool(&self, journal: Journal) -> Pool<'_> {
        Pool {
            engine: self.engine,
            store: Some(self.store),
            journal,
            workers: self.jobs,
            stop: self.stop,
            watcher: self.watcher,
        }
    }
}
