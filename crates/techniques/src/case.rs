//! A case: one walk of a technique on one seed.

use model::{Answer, ComparedCheck, Exhibit, Lineup, Query, Random, Seed, Settings};
use std::collections::BTreeMap;

/// Everything that a case starts from.
pub struct Opening<'a> {
    /// The seed of this case.
    pub seed: &'a Seed,
    /// The analyzers under test and the witnesses.
    pub lineup: &'a Lineup,
    /// The knobs as the user set them.
    pub settings: &'a Settings,
    /// The only source of randomness.
    pub random: Random,
}

/// One walk on one seed.
pub trait Case: Send {
    /// Says what to ask next, given the answers to the last step (none at first). The same answers give the same
    /// steps.
    fn next(&mut self, answers: &[Answer], notes: &mut Notes) -> Step;
}

/// What a case wants.
pub enum Step {
    /// Ask these and come back with the answers, in order.
    Ask(Vec<Query>),
    /// The walk has ended.
    Done,
    /// The technique cannot use the seed.
    Skip {
        /// One of a few reasons, which are counted and shown.
        reason: String,
        /// The details, shown for the first few.
        detail: String,
    },
}

/// What a case reports besides its queries.
#[derive(Debug, Default)]
pub struct Notes {
    /// Counts by name: validity, vacuity and whatever else the technique wants to show.
    pub counts: BTreeMap<String, u64>,
    /// The contradictions that the case met.
    pub exhibits: Vec<Exhibit>,
    /// What the scripts of this step are, for techniques that also ask about seeds.
    pub scripts: Option<MadeScripts>,
    /// What each analyzer answered for one check, where the technique asks several of them the same.
    pub compared: Vec<ComparedCheck>,
}

/// What is known about SMT-LIB scripts that a technique has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MadeScripts {
    /// They are satisfiable by construction.
    Satisfiable,
    /// Nothing.
    Open,
}

impl Notes {
    /// Counts one occurrence.
    pub fn count(&mut self, what: &str) {
        self.add(what, 1);
    }

    /// Counts several occurrences.
    pub fn add(&mut self, what: &str, how_many: u64) {
        match self.counts.get_mut(what) {
            Some(count) => *count += how_many,
            None => drop(self.counts.insert(what.to_owned(), how_many)),
        }
    }
}

/// A case that only reports why its seed cannot be used.
pub(crate) struct SkippedCase {
    reason: String,
    detail: String,
}

impl SkippedCase {
    /// The reason is one of a few; the detail is specific to the seed.
    pub(crate) fn new(reason: impl Into<String>, detail: impl Into<String>) -> SkippedCase {
        SkippedCase { reason: reason.into(), detail: detail.into() }
    }
}

impl Case for SkippedCase {
    fn next(&mut self, _answers: &[Answer], _notes: &mut Notes) -> Step {
        Step::Skip { reason: self.reason.clone(), detail: self.detail.clone() }
    }
}
