//! What `conjunctive_query` and `precedence_graph` share: programs are rewritten so that the effect on one relation is
//! known, engines are asked about both, and every answer is held against the reference engine and against the other.

mod judge;
mod program;
mod shrink;
mod stepwise;
mod walk;
mod weigh;

use crate::rewrites::Rewrite;
use crate::{Case, Edit, MadeSeed, Opening, Technique};
use datalog::Type;
use datalog::generate::{Options, generate};
use model::{
    ALLOWED_MILLISECONDS, AnalyzerInfo, Answer, Exhibit, Language, Lineup, Query, Random, Seed, Setting,
    SettingError, Settings, Weighed,
};
use std::collections::BTreeSet;
use walk::Walk;

/// A technique that rewrites Datalog programs.
pub struct Rewriting {
    /// The technique's name.
    pub name: &'static str,
    /// Its manual page.
    pub manual: &'static str,
    /// The rewrites that it uses.
    pub kinds: &'static [&'static dyn Rewrite],
}

const VARIANTS: Setting =
    Setting { key: "variants", default: "6", meaning: "rewritten programs for each program" };
const STEPS: Setting =
    Setting { key: "steps", default: "20", meaning: "greatest number of rewrites in a row" };
const SYMBOLS: Setting = Setting {
    key: "symbols",
    default: "30",
    meaning: "how many of a hundred generated programs have columns of texts",
};
const NEGATION: Setting =
    Setting { key: "negation", default: "90", meaning: "how many of a hundred generated programs negate" };
const RECURSION: Setting = Setting {
    key: "recursion",
    default: "85",
    meaning: "how many of a hundred generated programs have relations that depend on themselves",
};
const ARITHMETIC: Setting = Setting {
    key: "arithmetic",
    default: "15",
    meaning: "how many of a hundred generated programs compute with numbers",
};
const AGGREGATES: Setting = Setting {
    key: "aggregates",
    default: "15",
    meaning: "how many of a hundred generated programs count and sum",
};
const FLOATS: Setting = Setting {
    key: "floats",
    default: "3",
    meaning: "how many of a hundred generated programs have columns of unsigned numbers and floats",
};
const AROUND: Setting = Setting {
    key: "around",
    default: "50",
    meaning: "how many of a hundred given programs get new relations and rules around them",
};
const SIZE: Setting =
    Setting { key: "size", default: "5", meaning: "greatest number of groups of relations with rules" };
const STEPWISE: Setting = Setting {
    key: "stepwise",
    default: "25",
    meaning: "how many of a hundred programs are also asked for all of their relations",
};
const REPEATS: Setting = Setting {
    key: "repeats",
    default: "1",
    meaning: "questions to each engine that are asked twice in a case",
};
const MILLISECONDS: Setting =
    Setting { key: "milliseconds", default: "5000", meaning: "wall time for one question, in milliseconds" };

/// The knobs of a walk, read.
#[derive(Clone, Debug)]
struct Knobs {
    variants: usize,
    steps: usize,
    symbols: usize,
    negation: usize,
    recursion: usize,
    arithmetic: usize,
    aggregates: usize,
    floats: usize,
    around: usize,
    size: usize,
    stepwise: usize,
    repeats: usize,
    milliseconds: u64,
}

/// No longer sequences, and no more variants: programs grow with each step.
const MOST_STEPS: usize = 1000;

/// The name of programs that were made from nothing.
const GENERATED: &str = "a generated program";

impl Knobs {
    /// What a program may have.
    fn options(&self, random: &mut Random) -> Options {
        let mut types = vec![Type::Signed];
        if random.percent(self.symbols) {
            types.push(Type::Symbol);
        }
        if random.percent(self.floats) {
            types.extend([Type::Unsigned, Type::Float]);
        }
        Options {
            types,
            groups: self.size,
            negation: random.percent(self.negation),
            recursion: random.percent(self.recursion),
            arithmetic: random.percent(self.arithmetic),
            aggregates: random.percent(self.aggregates),
            ..Options::default()
        }
    }
}

impl Rewriting {
    fn knobs(&self, settings: &Settings) -> Result<Knobs, SettingError> {
        let number = |setting: &Setting, allowed| settings.number(self.name, setting, allowed);
        Ok(Knobs {
            variants: number(&VARIANTS, 0..=MOST_STEPS)?,
            steps: number(&STEPS, 1..=MOST_STEPS)?,
            symbols: number(&SYMBOLS, 0..=100)?,
            negation: number(&NEGATION, 0..=100)?,
            recursion: number(&RECURSION, 0..=100)?,
            arithmetic: number(&ARITHMETIC, 0..=100)?,
            aggregates: number(&AGGREGATES, 0..=100)?,
            floats: number(&FLOATS, 0..=100)?,
            around: number(&AROUND, 0..=100)?,
            size: number(&SIZE, 1..=MOST_STEPS)?,
            stepwise: number(&STEPWISE, 0..=100)?,
            repeats: number(&REPEATS, 0..=MOST_STEPS)?,
            milliseconds: number(&MILLISECONDS, ALLOWED_MILLISECONDS)? as u64,
        })
    }
}

impl Technique for Rewriting {
    fn name(&self) -> &'static str {
        self.name
    }

    fn language(&self) -> Language {
        Language::Datalog
    }

    fn manual(&self) -> &'static str {
        self.manual
    }

    fn settings(&self) -> &'static [Setting] {
        &[
            VARIANTS,
            STEPS,
            SYMBOLS,
            NEGATION,
            RECURSION,
            ARITHMETIC,
            AGGREGATES,
            FLOATS,
            AROUND,
            SIZE,
            STEPWISE,
            REPEATS,
            MILLISECONDS,
        ]
    }

    fn check_settings(&self, settings: &Settings) -> Result<(), SettingError> {
        self.knobs(settings).map(drop)
    }

    fn makes_seeds(&self) -> bool {
        true
    }

    fn cases_in_a_row(&self) -> u64 {
        8
    }

    fn make_seed(&self, settings: &Settings, mut random: Random) -> Result<Option<MadeSeed>, SettingError> {
        let knobs = self.knobs(settings)?;
        let program = generate(&knobs.options(&mut random), &mut random);
        let program = Seed::datalog(GENERATED, &program.to_string());
        Ok(Some(MadeSeed { program, csmith: None }))
    }

    fn takes(&self, member: &AnalyzerInfo) -> bool {
        member.datalog().is_some()
    }

    fn suspects(&self, member: &AnalyzerInfo) -> bool {
        member.datalog().is_some_and(|role| !role.is_reference)
    }

    fn open(&self, opening: Opening<'_>) -> Result<Box<dyn Case>, SettingError> {
        let knobs = self.knobs(opening.settings)?;
        Walk::open(self, &opening, knobs)
    }

    fn broken(&self, exhibit: &Exhibit, answers: &[Answer]) -> bool {
        judge::broken(exhibit, answers)
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

    fn features(&self, reduced: &Exhibit, _answers: &[Answer]) -> BTreeSet<String> {
        judge::features(reduced)
    }
}
