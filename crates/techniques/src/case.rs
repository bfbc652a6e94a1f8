//! A case: one walk of a technique on one seed.

use crate::Count;
use model::{Answer, ComparedCheck, Exhibit, Lineup, NamedFile, Profile, Query, Random, Seed, Settings};
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
    /// What the technique takes for true turned out to be false, so nothing that it finds counts. The job ends.
    Fault(String),
    /// The technique cannot use the seed.
    Skip {
        /// One of a few reasons, which are counted and shown.
        reason: String,
        /// The details, shown for the first few.
        detail: String,
    },
}

/// What a case reports in addition to its queries.
#[derive(Debug, Default)]
pub struct Notes {
    /// What was counted, with the words for the parts of a name that are only known in a case.
    counts: BTreeMap<(Count, Vec<String>), u64>,
    /// How often the engines of analyzers knew what follows from a condition.
    pub profile: Profile,
    /// The contradictions that the case met.
    pub exhibits: Vec<Exhibit>,
    /// What the scripts of this step are, for techniques that also ask about seeds.
    pub scripts: Option<MadeScripts>,
    /// Items for `juvenal generate`, each of several files, in place of the inputs that this step asks about.
    pub items: Vec<Vec<NamedFile>>,
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
    pub fn count(&mut self, what: Count) {
        self.add(what, 1);
    }

    /// Counts several occurrences.
    pub fn add(&mut self, what: Count, how_many: u64) {
        *self.counts.entry((what, Vec::new())).or_default() += how_many;
    }

    /// Counts one occurrence under a name with a word for each `*`.
    pub fn count_with(&mut self, what: Count, words: &[&str]) {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        *self.counts.entry((what, words)).or_default() += 1;
    }

    /// The counts by the names that they have in the records of a technique's cases.
    pub fn counts(&self, technique: &str) -> impl Iterator<Item = (String, u64)> {
        self.counts.iter().map(move |((what, words), count)| (what.key(technique, words), *count))
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
