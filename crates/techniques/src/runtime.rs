//! `runtime`: bug finders against the one execution of a closed program. The manual page is `runtime.md`.

mod counts;
mod features;
mod injection;
mod judge;
mod relation;
mod shrink;
mod stations;
mod units;
mod walk;
mod weigh;

pub(crate) use injection::{Injection, KINDS, inject};
pub(crate) use judge::{arriving, is_reported, is_unreported, meets, missed, watching};
pub(crate) use walk::closed_program;

use crate::case::SkippedCase;
use crate::generated;
use crate::knobs::knobs;
use crate::subjects::{supporting, unsupported_data_model};
use crate::{
    Case, Judge, MadeSeed, Opening, Seeds, Stance, Technique, Trial, Trials, every_query, execution,
};
use model::{ALLOWED_MILLISECONDS, AnalyzerInfo, CInput, Language, Random, Relation, SettingError, Settings};
use relation::RuntimeRelation;
use walk::Walk;

const NAME: &str = "runtime";

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Both,
    FalseWarnings,
    Misses,
}

knobs! {
    struct Knobs {
        "size" size: usize = "40", number(generated::SIZES), "approximate number of statements of a generated program";
        "csmith" csmith: usize = "10", number(0..=100), generated::CSMITH_MEANING;
        "rounds" rounds: usize = "2", number(0..=usize::MAX),
            "how often errors are injected into a program; 0 looks only for false warnings";
        "errors" errors: usize = "4", number(1..=usize::MAX), "how many programs with an error are made in a round";
        "oracle" wanted: Wanted = "both",
            words("both" => Wanted::Both, "false-warnings" => Wanted::FalseWarnings, "misses" => Wanted::Misses),
            "which kinds of findings to look for";
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
    manual: include_str!("runtime.md"),
    knobs: Knobs::LIST,
    seeds: Seeds::Made(make_seed),
    cases_in_a_row: 6,
    least_subjects: 1,
    shares: counts::SHARES,
    stance,
    open: &open,
    judge: Judge {
        reads: Relation::is::<RuntimeRelation>,
        judge: &judge::judge,
        deciding_prefix: every_query,
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
    let with_csmith = random.split();
    let program = generated::closed_program(knobs.size, random);
    Ok(generated::or_csmith(program, knobs.csmith, with_csmith))
}

const TRIALS: Trials = Trials {
    twin: Some(trial(&["planted/reports-what-happens.toml"], INJECTED, 2)),
    liars: &[
        trial(&["planted/misses-division.toml"], INJECTED, 4),
        trial(&["planted/warns-of-printf.toml"], WARNINGS_ONLY, 2),
    ],
};
const INJECTED: &[(&str, &str)] = &[("size", "15"), ("csmith", "0")];
const WARNINGS_ONLY: &[(&str, &str)] = &[("size", "15"), ("csmith", "0"), ("rounds", "0")];

const fn trial(
    subjects: &'static [&'static str],
    knobs: &'static [(&'static str, &'static str)],
    cases: u64,
) -> Trial {
    Trial { knobs, witnesses: &["execute-c"], ..Trial::of(subjects, cases) }
}

fn stance(analyzer: &AnalyzerInfo) -> Stance {
    Stance::of(analyzer.warnings().is_some(), execution::executes(analyzer))
}

fn open(opening: Opening<'_>) -> Result<Box<dyn Case>, SettingError> {
    let knobs = Knobs::read(NAME, opening.settings)?;
    let mut random = opening.random;
    let seed = opening.seed;
    let input = CInput { base: seed.text.clone(), data_model: seed.data_model, annotations: Vec::new() };
    let program = match walk::closed_program(&seed.name, &input) {
        Ok(program) => program,
        Err((reason, detail)) => return Ok(Box::new(SkippedCase::new(reason, detail))),
    };
    let role = |subject: &AnalyzerInfo| {
        subject.warnings().filter(|role| role.data_models.contains(&seed.data_model)).cloned()
    };
    let Some((subject, role)) = random.choose(&supporting(opening.lineup, role)).cloned() else {
        return Ok(unsupported_data_model(seed));
    };
    let Some(executor) = walk::executor(opening.lineup, &subject, &input, knobs.execution) else {
        let detail = "execute-c, which needs gcc";
        return Ok(Box::new(SkippedCase::new("no analyzer in the line-up runs programs", detail)));
    };
    Ok(Box::new(Walk::new(input, program, subject, role, executor, knobs, random)))
}
