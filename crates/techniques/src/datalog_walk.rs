//! What `conjunctive_query` and `precedence_graph` share: programs are rewritten so that the effect on one relation is
//! known, engines are asked about both, and every answer is held against the reference engine and against the other.

mod judge;
mod program;
mod shrink;
mod stepwise;
mod walk;
mod weigh;

use crate::rewrites::Rewrite;
use crate::{Case, Judge, MadeSeed, Open, Opening, Seeds, Stance, Technique, every_query};
use datalog::Type;
use datalog::generate::{Options, generate};
use model::{ALLOWED_MILLISECONDS, AnalyzerInfo, Language, Random, Seed, Setting, SettingError, Settings};
pub use shrink::ProgramPart;
use walk::Walk;

/// A technique that rewrites Datalog programs.
pub(crate) struct Rewriting {
    /// The technique's name.
    pub name: &'static str,
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
pub(crate) struct Knobs {
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
    /// A seed made from nothing.
    pub(crate) fn make_seed(
        &self,
        settings: &Settings,
        mut random: Random,
    ) -> Result<MadeSeed, SettingError> {
        let knobs = self.knobs(settings)?;
        let program = generate(&knobs.options(&mut random), &mut random);
        let program = Seed::datalog(GENERATED, &program.to_string());
        Ok(MadeSeed { program, csmith: None })
    }

    /// Starts a walk.
    pub(crate) fn open(&self, opening: &Opening<'_>) -> Result<Box<dyn Case>, SettingError> {
        Walk::open(self, opening, self.knobs(opening.settings)?)
    }

    /// Reads the knobs.
    pub(crate) fn knobs(&self, settings: &Settings) -> Result<Knobs, SettingError> {
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

/// The parts that both techniques share.
pub(crate) const fn technique(
    name: &'static str,
    manual: &'static str,
    check_knobs: fn(&Settings) -> Result<(), SettingError>,
    seeds: Seeds,
    open: &'static Open,
) -> Technique {
    Technique {
        name,
        language: Language::Datalog,
        manual,
        knobs: KNOBS,
        check_knobs,
        seeds,
        cases_in_a_row: 8,
        least_subjects: 1,
        stance,
        open,
        judge: Judge {
            judge: &judge::judge,
            deciding_prefix: every_query,
            hearing: weigh::witness_queries,
            weigh: weigh::weigh,
            features: judge::features,
        },
        passes: shrink::PASSES,
        with_text: None,
    }
}

const KNOBS: &[Setting] = &[
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
];

fn stance(analyzer: &AnalyzerInfo) -> Stance {
    match analyzer.datalog() {
        Some(role) if role.is_reference => Stance::OnRequest,
        Some(_) => Stance::SubjectAndWitness,
        None => Stance::No,
    }
}
