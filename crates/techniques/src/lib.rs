//! Techniques: ways to catch analyzers giving answers that cannot all be right.
//!
//! A technique never runs anything. It looks at what has been answered so far and says what to ask next; when
//! answers contradict each other or the truth it puts up an exhibit.
//!
//! Invariant: everything here is pure. No files, no processes, no clock; all randomness comes from the case.

mod checks;
pub mod conjunctive_query;
mod datalog_walk;
pub mod debug_check;
pub mod differential;
mod drawn_options;
pub mod execution;
mod failures;
mod generated;
mod integers;
pub mod interrogation;
mod keywords_in;
pub mod precedence_graph;
mod reduction;
pub mod rewrites;
pub mod runtime;
pub mod satisfiable;
mod scripts;
mod skipped_case;
pub mod solver_differential;

pub use reduction::INITIALIZE;

use model::{
    AnalyzerInfo, Answer, ComparedCheck, Exhibit, Language, Lineup, Query, Random, Seed, Setting,
    SettingError, Settings, Weighed,
};
use std::collections::{BTreeMap, BTreeSet};

/// Every technique that `juvenal hunt` knows, in the order of their turns: those with short cases first.
pub fn all() -> &'static [&'static dyn Technique] {
    &[
        &debug_check::DebugCheck,
        &runtime::Runtime,
        &satisfiable::Satisfiable,
        &solver_differential::SolverDifferential,
        &differential::Differential,
        &interrogation::Interrogation,
        precedence_graph::TECHNIQUE,
        conjunctive_query::TECHNIQUE,
    ]
}

/// The technique of this name among those given.
pub fn find<'a>(techniques: &[&'a dyn Technique], name: &str) -> Option<&'a dyn Technique> {
    techniques.iter().copied().find(|technique| technique.name() == name)
}

/// A seed made from nothing.
#[derive(Clone, Debug)]
pub struct MadeSeed {
    /// The program.
    pub program: Seed,
    /// The number of a program of Csmith that takes its place where Csmith is installed.
    pub csmith: Option<u32>,
}

/// A way to produce exhibits, and the judge of its own exhibits.
pub trait Technique: Sync {
    /// The name that users type.
    fn name(&self) -> &'static str;

    /// The language of its inputs, and of the seeds that it is given.
    fn language(&self) -> Language;

    /// The manual page, in Markdown.
    fn manual(&self) -> &'static str;

    /// The knobs, with their defaults.
    fn settings(&self) -> &'static [Setting];

    /// Refuses knobs with values that they cannot have, before a campaign begins.
    fn check_settings(&self, settings: &Settings) -> Result<(), SettingError>;

    /// True if the technique makes its own seeds where the user gives none.
    fn makes_seeds(&self) -> bool {
        false
    }

    /// How many cases make up one turn of the technique where several techniques share a campaign. A technique with
    /// short cases takes several in a row.
    fn cases_in_a_row(&self) -> u64 {
        1
    }

    /// A seed made from nothing; none if the technique makes none.
    fn make_seed(&self, _settings: &Settings, _random: Random) -> Result<Option<MadeSeed>, SettingError> {
        Ok(None)
    }

    /// True if the technique can put questions to this analyzer.
    fn takes(&self, member: &AnalyzerInfo) -> bool;

    /// True if this analyzer can help to judge.
    fn hears(&self, member: &AnalyzerInfo) -> bool {
        self.takes(member)
    }

    /// True if this analyzer is put under test by this technique without being asked for.
    fn suspects(&self, member: &AnalyzerInfo) -> bool {
        self.takes(member)
    }

    /// How many analyzers must be under test for the technique to have something to say.
    fn least_subjects(&self) -> usize {
        1
    }

    /// Starts a walk. The same opening and the same answers give the same walk.
    fn open(&self, opening: Opening<'_>) -> Result<Box<dyn Case>, SettingError>;

    /// The judge: do these answers break the exhibit's relation? Called by confirm, replay, reduce and judge.
    fn broken(&self, exhibit: &Exhibit, answers: &[Answer]) -> bool;

    /// False if the relation cannot be broken any more, whatever the answers to the other queries will be.
    fn may_break(&self, _exhibit: &Exhibit, _answers: &[Answer]) -> bool {
        true
    }

    /// How many of the first queries of an exhibit nearly always decide whether a smaller one is good. The reducer asks
    /// the others at the end of each pass.
    fn deciding_prefix(&self, exhibit: &Exhibit) -> usize {
        exhibit.queries.len()
    }

    /// A word for what an exhibit shows, if so many show the same that a campaign examines the first few of each word
    /// alone; none if each deserves a look.
    fn routine(&self, _exhibit: &Exhibit) -> Option<String> {
        None
    }

    /// What to ask the witnesses about an exhibit that these answers have confirmed.
    fn witness(&self, exhibit: &Exhibit, answers: &[Answer], lineup: &Lineup) -> Vec<Query>;

    /// What the witnesses' answers make of it, given the answers that broke the relation.
    fn weigh(
        &self,
        exhibit: &Exhibit,
        answers: &[Answer],
        lineup: &Lineup,
        asked: &[Query],
        witnesses: &[Answer],
    ) -> Weighed;

    /// The names of the reduction passes, in the order in which they are tried.
    fn passes(&self) -> &'static [&'static str];

    /// The edits of one pass that might leave a smaller exhibit with the same relation. The reducer searches.
    fn edits(&self, exhibit: &Exhibit, pass: &str) -> Vec<Edit>;

    /// Applies edits of one pass to the exhibit they were listed for; none if the result would not be valid.
    fn apply(&self, exhibit: &Exhibit, pass: &str, edits: &[Edit]) -> Option<Exhibit>;

    /// The exhibit with another text of its program, as an outside reducer proposes it; none if the result would not be
    /// valid.
    fn with_text(&self, _exhibit: &Exhibit, _text: &str) -> Option<Exhibit> {
        None
    }

    /// What a reduced exhibit is made of. Findings with the same features have the same cause.
    fn features(&self, reduced: &Exhibit, answers: &[Answer]) -> BTreeSet<String>;
}

/// Everything a case starts from.
pub struct Opening<'a> {
    /// The seed of this case.
    pub seed: &'a Seed,
    /// Who is under test and who can help.
    pub lineup: &'a Lineup,
    /// The knobs as the user set them.
    pub settings: &'a Settings,
    /// The only source of randomness.
    pub random: Random,
}

/// One walk on one seed.
pub trait Case: Send {
    /// Says what to ask next, given the answers to what it asked last (none at first). Same answers, same steps.
    fn next(&mut self, answers: &[Answer], notes: &mut Notes) -> Step;
}

/// What a case wants.
pub enum Step {
    /// Ask these and come back with the answers, in order.
    Ask(Vec<Query>),
    /// The walk has ended.
    Done,
    /// The seed is of no use to this technique.
    Skip {
        /// One of a few reasons, counted and shown.
        reason: String,
        /// What exactly, for the first few.
        detail: String,
    },
}

/// What leaves a case besides its questions.
#[derive(Debug, Default)]
pub struct Notes {
    /// Counts by name: validity, vacuity, whatever the technique wants shown.
    pub counts: BTreeMap<String, u64>,
    /// The contradictions met.
    pub exhibits: Vec<Exhibit>,
    /// What everybody said of one check, where the technique asks several the same.
    pub compared: Vec<ComparedCheck>,
}

impl Notes {
    /// Counts one of a kind.
    pub fn count(&mut self, what: &str) {
        self.add(what, 1);
    }

    /// Counts several of a kind.
    pub fn add(&mut self, what: &str, how_many: u64) {
        match self.counts.get_mut(what) {
            Some(count) => *count += how_many,
            None => drop(self.counts.insert(what.to_owned(), how_many)),
        }
    }
}

/// One proposal of a reduction pass: a place and what to put there, in the technique's own terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The place.
    pub place: usize,
    /// Which of several replacements for that place; 0 where there is only one.
    pub choice: usize,
}
