//! `debug_check`: what the engine of an analyzer must know where a condition has just been seen to hold. The manual
//! page is `debug_check.md`.
//!
//! [`prepared`] finds the points of a program where something is known and the conditions that follow from it. The
//! rules that derive them work on abstract comparisons, so that tests can try every value of small types on the very
//! code that makes the text.

mod context;
mod counts;
mod fact;
mod features;
mod form;
mod judge;
mod known_point;
mod memory;
mod operand;
pub mod prepared;
mod rule;
mod shape;
mod shrink;
mod walk;
mod weigh;

pub(crate) mod executed_tests;
mod full_width_tests;
mod relation;
mod scaled_tests;

use crate::case::SkippedCase;
use crate::generated;
use crate::knobs::knobs;
use crate::subjects::{supporting, unsupported_data_model};
use crate::{Case, Judge, MadeSeed, Opening, Seeds, Stance, Technique, Trial, Trials, execution};
use model::{
    ALLOWED_MILLISECONDS, AnalyzerInfo, CInput, Input, Language, Limits, Mode, Query, Random, Relation,
    SettingError, Settings,
};
use relation::DebugCheckRelation;
use walk::Walk;

const NAME: &str = "debug_check";

knobs! {
    struct Knobs {
        "size" size: usize = "60", number(generated::SIZES), "approximate number of statements of a generated program";
        "csmith" csmith: usize = "10", number(0..=100), generated::CSMITH_MEANING;
        "checks" checks: usize = "100", number(1..=usize::MAX), "greatest number of conditions put to the engine at once";
        "rounds" rounds: usize = "2", number(1..=usize::MAX), "queries per program";
        "unknown" reports_unknown: bool = "counted", words("counted" => false, "reported" => true),
            "whether implied conditions that the engine does not know are counted or reported";
        "milliseconds" milliseconds: u64 = "10000", number(ALLOWED_MILLISECONDS), "wall time for one query, in milliseconds";
        "execution" execution: u64 = "3000", number(ALLOWED_MILLISECONDS),
            "wall time for executing a program, in milliseconds";
    }
}

/// The entry of the list of techniques.
pub static TECHNIQUE: Technique = Technique {
    name: NAME,
    language: Language::C,
    seed_language: Language::C,
    manual: include_str!("debug_check.md"),
    knobs: Knobs::LIST,
    seeds: Seeds::Made(make_seed),
    cases_in_a_row: 6,
    least_subjects: 1,
    shares: counts::SHARES,
    stance,
    open: &open,
    judge: Judge {
        reads: Relation::is::<DebugCheckRelation>,
        judge: &judge::judge,
        deciding_prefix: judge::deciding_prefix,
        hearing: weigh::witness_queries,
        weigh: weigh::weigh,
        features: features::features,
    },
    passes: shrink::PASSES,
    with_text: Some(shrink::with_text),
    trials: TRIALS,
};

fn make_seed(settings: &Settings, mut random: Random) -> Result<MadeSeed, SettingError> {
    let knobs = Knobs::read(NAME, settings)?;
    // Without inputs an engine knows nearly everything, and knows it by computing.
    let with_csmith = random.split();
    let program = match random.percent(75) {
        true => generated::program_with_inputs(knobs.size, random),
        false => generated::closed_program(knobs.size, random),
    };
    Ok(generated::or_csmith(program, knobs.csmith, with_csmith))
}

const TRIALS: Trials = Trials {
    twin: Some(Trial { cases: 6, ..trial(&["planted/knows-everything.toml"]) }),
    liars: &[trial(&["planted/denies-everything.toml"])],
};

const fn trial(subjects: &'static [&'static str]) -> Trial {
    let knobs = &[("size", "6"), ("checks", "8"), ("rounds", "1"), ("csmith", "0")];
    Trial { knobs, witnesses: &["execute-c"], ..Trial::of(subjects, 2) }
}

fn stance(analyzer: &AnalyzerInfo) -> Stance {
    Stance::of(analyzer.debug().is_some(), execution::executes(analyzer))
}

fn open(opening: Opening<'_>) -> Result<Box<dyn Case>, SettingError> {
    let knobs = Knobs::read(NAME, opening.settings)?;
    let mut random = opening.random;
    let seed = opening.seed;
    let prepared = match prepared::prepare(&seed.name, &seed.text, seed.data_model) {
        Ok(prepared) => prepared,
        Err((reason, detail)) => return Ok(Box::new(SkippedCase::new(reason, detail))),
    };
    let role = |subject: &AnalyzerInfo| {
        subject.debug().filter(|role| role.data_models.contains(&seed.data_model)).cloned()
    };
    let Some(chosen) = random.choose(&supporting(opening.lineup, role)).cloned() else {
        return Ok(unsupported_data_model(seed));
    };
    let executor = execution::executor(opening.lineup, Some(&chosen.0), seed.data_model).map(|member| {
        let input = CInput { base: seed.text.clone(), data_model: seed.data_model, annotations: Vec::new() };
        Query {
            limits: Limits { wall_milliseconds: knobs.execution, ..Limits::default() },
            ..Query::new(member.id.clone(), Input::C(input), Mode::Process)
        }
    });
    Ok(Box::new(Walk::new(prepared, seed.data_model, chosen, executor, knobs, random)))
}
