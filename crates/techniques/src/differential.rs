//! `differential`: analyzers contradict each other. The manual page is `differential.md`.
//!
//! A seed loses its own assertions ([`stripped`]). What it evaluates unconditionally becomes the [`candidate`]s of new
//! checks; a [`strategy`] chooses among them, and a [`check`] compares what was chosen, mostly with a [`constant`]. How
//! many checks a seed is worth is said by a [`budget`]; all that together is the `synthesis`.

pub mod budget;
pub mod candidate;
pub mod check;
pub mod constant;
pub mod evaluated;
mod features;
mod hoisted;
mod judge;
mod order;
mod shrink;
pub mod strategy;
pub mod stripped;
mod synthesis;
pub mod tree;
mod walk;
mod weigh;

pub use order::{orders, versions};

use crate::skipped_case::SkippedCase;
use crate::{Case, Edit, Opening, Technique};
use budget::Budget;
use model::{
    ALLOWED_MILLISECONDS, AnalyzerInfo, Answer, Approximation, Exhibit, Language, Lineup, Query, Setting,
    SettingError, Settings, Weighed,
};
use std::collections::BTreeSet;
use strategy::Strategy;
use synthesis::Synthesis;
use walk::{Voter, Walk};

/// The technique's name.
const NAME: &str = "differential";

/// The technique.
pub struct Differential;

const BUDGET: Setting = Setting {
    key: "budget",
    default: budget::DEFAULT,
    meaning: "batches of checks per seed: an expression over candidates and statements with + - * / min max",
};
const BATCH: Setting = Setting {
    key: "batch",
    default: "4",
    meaning: "checks in a batch, which is narrowed where analyzers disagree",
};
const STRATEGY: Setting = Setting {
    key: "strategy",
    default: "uniform",
    meaning: "where checks are put: uniform, breadth-biased, depth-biased, random-walk or guided-walk",
};
const DELTA: Setting = Setting {
    key: "delta",
    default: "2",
    meaning: "how many others must disagree with an analyzer where executions leave it open",
};
const MILLISECONDS: Setting =
    Setting { key: "milliseconds", default: "10000", meaning: "wall time for one question, in milliseconds" };
const EXECUTION: Setting = Setting {
    key: "execution",
    default: "2000",
    meaning: "wall time for executing a program, in milliseconds",
};

/// The knobs of a walk, read.
#[derive(Clone, Debug)]
struct Knobs {
    budget: Budget,
    batch: usize,
    strategy: Strategy,
    delta: usize,
    milliseconds: u64,
    execution: u64,
}

/// No larger batches: conditions with more conjuncts are hard to read.
const MOST_CONJUNCTS: usize = 64;

impl Knobs {
    fn read(settings: &Settings) -> Result<Knobs, SettingError> {
        let number = |setting: &Setting, allowed| settings.number(NAME, setting, allowed);
        Ok(Knobs {
            budget: settings.parsed(NAME, &BUDGET, |text| {
                Budget::parse(text).map_err(|error| format!("an expression like the default ({error})"))
            })?,
            batch: number(&BATCH, 1..=MOST_CONJUNCTS)?,
            strategy: settings.parsed(NAME, &STRATEGY, str::parse)?,
            delta: number(&DELTA, 1..=usize::MAX)?,
            milliseconds: number(&MILLISECONDS, ALLOWED_MILLISECONDS)? as u64,
            execution: number(&EXECUTION, ALLOWED_MILLISECONDS)? as u64,
        })
    }
}

impl Technique for Differential {
    fn name(&self) -> &'static str {
        NAME
    }

    fn manual(&self) -> &'static str {
        include_str!("differential.md")
    }

    fn settings(&self) -> &'static [Setting] {
        &[BUDGET, BATCH, STRATEGY, DELTA, MILLISECONDS, EXECUTION]
    }

    fn check_settings(&self, settings: &Settings) -> Result<(), SettingError> {
        Knobs::read(settings).map(drop)
    }

    fn language(&self) -> Language {
        Language::C
    }

    fn takes(&self, member: &AnalyzerInfo) -> bool {
        member.reachability().is_some()
    }

    fn least_subjects(&self) -> usize {
        2
    }

    /// Whoever runs programs is a judge, and whoever drops paths by design is told nothing new.
    fn suspects(&self, member: &AnalyzerInfo) -> bool {
        member.reachability().is_some_and(|role| {
            !role.executes && !matches!(role.approximation, Approximation::Neither | Approximation::Under)
        })
    }

    fn open(&self, opening: Opening<'_>) -> Result<Box<dyn Case>, SettingError> {
        let knobs = Knobs::read(opening.settings)?;
        let synthesis = match Synthesis::new(opening.seed, &knobs.budget, knobs.strategy) {
            Ok(synthesis) => synthesis,
            Err((reason, detail)) => return Ok(Box::new(SkippedCase::new(reason, detail))),
        };
        let voter = |member: &AnalyzerInfo| {
            Some(Voter { member: member.clone(), role: member.reachability().cloned()? })
        };
        let voters = opening.lineup.subjects.iter().filter_map(voter).collect();
        Ok(Box::new(Walk::new(voters, opening.lineup, synthesis, knobs, opening.random)))
    }

    fn broken(&self, exhibit: &Exhibit, answers: &[Answer]) -> bool {
        judge::broken(exhibit, answers)
    }

    /// Executions say whether a smaller program is a fair question, which it nearly always is.
    fn deciding_prefix(&self, exhibit: &Exhibit) -> usize {
        judge::telling(exhibit)
    }

    fn routine(&self, exhibit: &Exhibit) -> Option<String> {
        judge::routine(exhibit)
    }

    fn witness(&self, exhibit: &Exhibit, _answers: &[Answer], lineup: &Lineup) -> Vec<Query> {
        weigh::witness_queries(exhibit, lineup)
    }

    fn weigh(
        &self,
        exhibit: &Exhibit,
        answers: &[Answer],
        lineup: &Lineup,
        asked: &[Query],
        witnesses: &[Answer],
    ) -> Weighed {
        weigh::weigh(exhibit, answers, lineup, asked, witnesses)
    }

    fn passes(&self) -> &'static [&'static str] {
        shrink::PASSES
    }

    fn edits(&self, exhibit: &Exhibit, pass: &str) -> Vec<Edit> {
        shrink::edits(exhibit, pass)
    }

    fn apply(&self, exhibit: &Exhibit, pass: &str, edits: &[Edit]) -> Option<Exhibit> {
        shrink::apply(exhibit, pass, edits)
    }

    fn with_text(&self, exhibit: &Exhibit, text: &str) -> Option<Exhibit> {
        shrink::with_text(exhibit, text)
    }

    fn features(&self, reduced: &Exhibit, _answers: &[Answer]) -> BTreeSet<String> {
        features::features(reduced)
    }
}
