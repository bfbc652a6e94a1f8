//! What `conjunctive_query` and `precedence_graph` share: programs are rewritten so that the effect on one relation is
//! known, engines are asked about both, and every answer is held against the reference engine and against the other.

mod counts;
mod judge;
mod program;
mod relation;
mod shrink;
mod stepwise;
mod walk;
mod weigh;

use crate::knobs::knobs;
use crate::rewrites::Rewrite;
use crate::{Case, Judge, MadeSeed, Open, Opening, Seeds, Stance, Technique, Trial, Trials, every_query};
use datalog::Type;
use datalog::generate::{Options, generate};
pub(crate) use judge::wrong_rows;
use model::{ALLOWED_MILLISECONDS, AnalyzerInfo, Language, Random, Relation, Seed, SettingError, Settings};
pub(crate) use program::{Outputs, outputs_of};
use relation::DatalogRelation;
pub use shrink::ProgramPart;
use walk::Walk;

/// A technique that rewrites Datalog programs.
pub(crate) struct Rewriting {
    /// The technique's name.
    pub name: &'static str,
    /// The rewrites that it uses.
    pub kinds: &'static [&'static dyn Rewrite],
}

knobs! {
    pub(crate) struct Knobs {
        "variants" variants: usize = "6", number(0..=MOST_STEPS), "rewritten programs for each program";
        "steps" steps: usize = "20", number(1..=MOST_STEPS), "greatest number of rewrites in a row";
        "symbols" symbols: usize = "30", number(0..=100), "percentage of generated programs with columns of texts";
        "negation" negation: usize = "90", number(0..=100), "percentage of generated programs that negate";
        "recursion" recursion: usize = "85", number(0..=100),
            "percentage of generated programs with relations that depend on themselves";
        "arithmetic" arithmetic: usize = "15", number(0..=100), "percentage of generated programs that compute with numbers";
        "aggregates" aggregates: usize = "15", number(0..=100), "percentage of generated programs that count and sum";
        "floats" floats: usize = "3", number(0..=100),
            "percentage of generated programs with columns of unsigned numbers and floats";
        "around" around: usize = "50", number(0..=100),
            "percentage of given programs that get new relations and rules around them";
        "size" size: usize = "5", number(1..=MOST_STEPS), "greatest number of groups of relations with rules";
        "stepwise" stepwise: usize = "25", number(0..=100), "percentage of programs that are also asked for all relations";
        "repeats" repeats: usize = "1", number(0..=MOST_STEPS), "queries to each engine that are asked twice in a case";
        "milliseconds" milliseconds: u64 = "5000", number(ALLOWED_MILLISECONDS), "wall time for one query, in milliseconds";
    }
}

/// No longer sequences, and no more variants: programs grow with each step.
const MOST_STEPS: usize = 1000;

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
        let knobs = Knobs::read(self.name, settings)?;
        let program = generate(&knobs.options(&mut random), &mut random);
        let program =
            Seed { is_generated: true, ..Seed::datalog("a generated program", &program.to_string()) };
        Ok(MadeSeed { program, csmith: None })
    }

    /// Starts a walk.
    pub(crate) fn open(&self, opening: &Opening<'_>) -> Result<Box<dyn Case>, SettingError> {
        Walk::open(self, opening, Knobs::read(self.name, opening.settings)?)
    }
}

/// The parts that both techniques share.
pub(crate) const fn technique(
    name: &'static str,
    manual: &'static str,
    seeds: Seeds,
    open: &'static Open,
) -> Technique {
    Technique {
        name,
        language: Language::DATALOG,
        seed_language: Language::DATALOG,
        manual,
        knobs: Knobs::LIST,
        seeds,
        cases_in_a_row: 8,
        least_subjects: 1,
        shares: counts::SHARES,
        stance,
        open,
        judge: Judge {
            reads: Relation::is::<DatalogRelation>,
            judge: &judge::judge,
            deciding_prefix: every_query,
            hearing: weigh::witness_queries,
            weigh: weigh::weigh,
            features: judge::features,
        },
        passes: shrink::PASSES,
        with_text: None,
        trials: TRIALS,
    }
}

const TRIALS: Trials = Trials {
    twin: Some(trial(&["liar-datalog:lie=none"], 12)),
    liars: &[
        trial(&["liar-datalog:lie=repeated-variable"], 30),
        trial(&["liar-datalog:lie=early-negation"], 30),
    ],
};

const fn trial(subjects: &'static [&'static str], cases: u64) -> Trial {
    Trial { witnesses: &["reference-datalog"], ..Trial::of(subjects, cases) }
}

fn stance(analyzer: &AnalyzerInfo) -> Stance {
    match analyzer.datalog() {
        Some(role) if role.is_reference => Stance::OnRequest,
        Some(_) => Stance::SubjectAndWitness,
        None => Stance::No,
    }
}
