//! `runtime`: bug finders against the one execution of a closed program. The manual page is `runtime.md`.

mod features;
mod injection;
mod judge;
mod shrink;
mod stations;
mod units;
mod walk;
mod weigh;

use crate::case::SkippedCase;
use crate::generated::{self, CSMITH};
use crate::{Case, Judge, MadeSeed, Opening, Seeds, Stance, Technique, every_query, execution};
use model::{
    ALLOWED_MILLISECONDS, AnalyzerInfo, CInput, Language, Random, Setting, SettingError, Settings,
    WarningsInfo,
};
use walk::Walk;

const NAME: &str = "runtime";

const SIZE: Setting =
    Setting { key: "size", default: "40", meaning: "how many statements a generated program has, about" };
const ROUNDS: Setting = Setting {
    key: "rounds",
    default: "2",
    meaning: "how often errors are put into a program; 0 looks at false warnings alone",
};
const ERRORS: Setting =
    Setting { key: "errors", default: "4", meaning: "how many programs with an error are made in a round" };
const ORACLE: Setting =
    Setting { key: "oracle", default: "both", meaning: "both, false-warnings or misses: what is looked for" };
const MILLISECONDS: Setting =
    Setting { key: "milliseconds", default: "10000", meaning: "wall time for one question, in milliseconds" };
const EXECUTION: Setting = Setting {
    key: "execution",
    default: "3000",
    meaning: "wall time for executing a program, in milliseconds",
};

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Both,
    FalseWarnings,
    Misses,
}

/// The knobs of a walk, read.
#[derive(Clone, Debug)]
struct Knobs {
    size: usize,
    csmith: usize,
    rounds: usize,
    errors: usize,
    wanted: Wanted,
    milliseconds: u64,
    execution: u64,
}

impl Knobs {
    fn read(settings: &Settings) -> Result<Knobs, SettingError> {
        let number = |setting: &Setting, allowed| settings.number(NAME, setting, allowed);
        Ok(Knobs {
            size: number(&SIZE, generated::SIZES)?,
            csmith: number(&CSMITH, 0..=100)?,
            rounds: number(&ROUNDS, 0..=usize::MAX)?,
            errors: number(&ERRORS, 1..=usize::MAX)?,
            wanted: match settings.choice(NAME, &ORACLE, &["both", "false-warnings", "misses"])? {
                "false-warnings" => Wanted::FalseWarnings,
                "misses" => Wanted::Misses,
                _ => Wanted::Both,
            },
            milliseconds: number(&MILLISECONDS, ALLOWED_MILLISECONDS)? as u64,
            execution: number(&EXECUTION, ALLOWED_MILLISECONDS)? as u64,
        })
    }
}

/// The entry of the list of techniques.
pub static TECHNIQUE: Technique = Technique {
    name: NAME,
    language: Language::C,
    manual: include_str!("runtime.md"),
    knobs: &[SIZE, CSMITH, ROUNDS, ERRORS, ORACLE, MILLISECONDS, EXECUTION],
    check_knobs: |settings| Knobs::read(settings).map(drop),
    seeds: Seeds::Made(make_seed),
    cases_in_a_row: 6,
    least_subjects: 1,
    stance,
    open: &open,
    judge: Judge {
        judge: &judge::judge,
        deciding_prefix: every_query,
        hearing: weigh::witness_queries,
        weigh: weigh::weigh,
        features: features::features,
    },
    passes: shrink::PASSES,
    with_text: Some(shrink::with_text),
};

fn make_seed(settings: &Settings, mut random: Random) -> Result<MadeSeed, SettingError> {
    let knobs = Knobs::read(settings)?;
    let with_csmith = random.split();
    let program = generated::closed_program(knobs.size, random);
    Ok(generated::or_csmith(program, knobs.csmith, with_csmith))
}

fn stance(analyzer: &AnalyzerInfo) -> Stance {
    match (analyzer.warnings().is_some(), execution::executes(analyzer)) {
        (true, true) => Stance::SubjectAndWitness,
        (true, false) => Stance::Subject,
        (false, true) => Stance::Witness,
        (false, false) => Stance::No,
    }
}

fn open(opening: Opening<'_>) -> Result<Box<dyn Case>, SettingError> {
    let knobs = Knobs::read(opening.settings)?;
    let mut random = opening.random;
    let seed = opening.seed;
    let input = CInput { base: seed.text.clone(), data_model: seed.data_model, annotations: Vec::new() };
    let program = match walk::closed_program(&seed.name, &input) {
        Ok(program) => program,
        Err((reason, detail)) => return Ok(Box::new(SkippedCase::new(reason, detail))),
    };
    let taker = |subject: &AnalyzerInfo| {
        let role = subject.warnings().cloned()?;
        role.data_models.contains(&seed.data_model).then(|| (subject.clone(), role))
    };
    let takers: Vec<(AnalyzerInfo, WarningsInfo)> =
        opening.lineup.subjects.iter().filter_map(taker).collect();
    let Some((subject, role)) = random.choose(&takers).cloned() else {
        let detail = format!("{}: {}", seed.name, seed.data_model);
        return Ok(Box::new(SkippedCase::new("no analyzer under test takes the seed's data model", detail)));
    };
    let Some(executor) = walk::executor(opening.lineup, &subject, &input, knobs.execution) else {
        let detail = "execute-c, which needs gcc";
        return Ok(Box::new(SkippedCase::new("nobody in the line-up runs programs", detail)));
    };
    Ok(Box::new(Walk::new(input, program, subject, role, executor, knobs, random)))
}
