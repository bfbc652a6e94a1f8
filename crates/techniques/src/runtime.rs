//! `runtime`: bug finders against the one execution of a closed program. The manual page is `runtime.md`.

mod features;
mod injection;
mod judge;
mod shrink;
mod stations;
mod units;
mod walk;
mod weigh;

use crate::generated::{self, CSMITH};
use crate::skipped_case::SkippedCase;
use crate::{Case, Edit, MadeSeed, Opening, Technique};
use model::{
    ALLOWED_MILLISECONDS, AnalyzerInfo, Answer, CInput, Exhibit, Language, Lineup, Query, Random, Setting,
    SettingError, Settings, WarningsInfo, Weighed,
};
use std::collections::BTreeSet;
use walk::Walk;

/// The technique's name.
const NAME: &str = "runtime";

/// The technique.
pub struct Runtime;

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

impl Technique for Runtime {
    fn name(&self) -> &'static str {
        NAME
    }

    fn manual(&self) -> &'static str {
        include_str!("runtime.md")
    }

    fn settings(&self) -> &'static [Setting] {
        &[SIZE, CSMITH, ROUNDS, ERRORS, ORACLE, MILLISECONDS, EXECUTION]
    }

    fn check_settings(&self, settings: &Settings) -> Result<(), SettingError> {
        Knobs::read(settings).map(drop)
    }

    fn language(&self) -> Language {
        Language::C
    }

    fn makes_seeds(&self) -> bool {
        true
    }

    fn cases_in_a_row(&self) -> u64 {
        6
    }

    fn make_seed(&self, settings: &Settings, mut random: Random) -> Result<Option<MadeSeed>, SettingError> {
        let knobs = Knobs::read(settings)?;
        let with_csmith = random.split();
        let program = generated::closed_program(knobs.size, random);
        Ok(Some(generated::or_csmith(program, knobs.csmith, with_csmith)))
    }

    fn takes(&self, member: &AnalyzerInfo) -> bool {
        member.warnings().is_some()
    }

    fn hears(&self, member: &AnalyzerInfo) -> bool {
        member.reachability().is_some_and(|role| role.executes)
    }

    fn open(&self, opening: Opening<'_>) -> Result<Box<dyn Case>, SettingError> {
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
            return Ok(Box::new(SkippedCase::new(
                "no analyzer under test takes the seed's data model",
                detail,
            )));
        };
        let Some(executor) = walk::executor(opening.lineup, &subject, &input, knobs.execution) else {
            let detail = "execute-c, which needs gcc";
            return Ok(Box::new(SkippedCase::new("nobody in the line-up runs programs", detail)));
        };
        Ok(Box::new(Walk::new(input, program, subject, role, executor, knobs, random)))
    }

    fn broken(&self, exhibit: &Exhibit, answers: &[Answer]) -> bool {
        judge::broken(exhibit, answers)
    }

    fn may_break(&self, exhibit: &Exhibit, answers: &[Answer]) -> bool {
        answers.first().is_none_or(|said| judge::may_break(exhibit, said))
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
        _lineup: &Lineup,
        asked: &[Query],
        witnesses: &[Answer],
    ) -> Weighed {
        weigh::weigh(exhibit, answers, asked, witnesses)
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

    fn features(&self, reduced: &Exhibit, answers: &[Answer]) -> BTreeSet<String> {
        features::features(reduced, answers)
    }
}
