//! `satisfiable`: SMT instances that are true by construction. The manual page is `satisfiable.md`.

mod instance;
mod walk;

use crate::case::SkippedCase;
use crate::scripts::mode::{MODE_NAMES, ModeChoice};
use crate::scripts::prepared::{Prepared, Unusable};
use crate::scripts::{judge, shrink, weigh};
use crate::{Case, Judge, Opening, Seeds, Stance, Technique, every_query};
use model::{ALLOWED_MILLISECONDS, AnalyzerInfo, Language, Setting, SettingError, Settings, SmtInfo};

const NAME: &str = "satisfiable";

const DEPTH: Setting =
    Setting { key: "depth", default: "64", meaning: "greatest depth of connectives and of sub-terms taken" };
const ASSERTIONS: Setting =
    Setting { key: "assertions", default: "64", meaning: "greatest number of assertions of an instance" };
const LENGTH: Setting = Setting {
    key: "length",
    default: "2000",
    meaning: "greatest number of characters of a constructed formula",
};
const CONSTRUCTED: Setting = Setting {
    key: "constructed",
    default: "auto",
    meaning: "formulas constructed per assignment: a number, or auto for 200 to 1500 by the size of the pool",
};
const INSTANCES: Setting = Setting {
    key: "instances",
    default: "auto",
    meaning: "instances per case: a number, or auto for 300 to 1000 by the size of the pool",
};
const ASSIGNMENTS: Setting = Setting { key: "assignments", default: "4", meaning: "assignments per case" };
const MODELS: Setting =
    Setting { key: "models", default: "20", meaning: "percentage of batches that ask for models" };
const MODE: Setting = Setting {
    key: "mode",
    default: "mixed",
    meaning: "how solvers are driven: mixed, process, reset or push",
};
const CONNECTIVES: Setting = Setting {
    key: "connectives",
    default: "all",
    meaning: "all, or paper for AND and NOT alone as in the STORM paper",
};
const TACTICS: Setting =
    Setting { key: "tactics", default: "on", meaning: "on or off: draw tactics and options" };
const INCREMENTAL: Setting =
    Setting { key: "incremental", default: "on", meaning: "on or off: draw scopes and assumptions" };
const SEARCH: Setting = Setting {
    key: "search",
    default: "300",
    meaning: "steps of the local search for a model of a seed that the solver calls unsatisfiable, and for \
              assignments that give a predicate a value it did not have yet",
};
const MILLISECONDS: Setting =
    Setting { key: "milliseconds", default: "5000", meaning: "wall time for one query, in milliseconds" };

/// The knobs of a walk, read.
#[derive(Clone, Debug)]
struct Knobs {
    depth: u32,
    assertions: usize,
    length: usize,
    constructed: Option<usize>,
    instances: Option<usize>,
    assignments: usize,
    models: usize,
    mode: ModeChoice,
    paper: bool,
    tactics: bool,
    incremental: bool,
    search: usize,
    milliseconds: u64,
}

/// No seed nests deeper.
const MOST_DEPTH: usize = 1_000_000;

impl Knobs {
    fn read(settings: &Settings) -> Result<Knobs, SettingError> {
        let number = |setting: &Setting, allowed| settings.number(NAME, setting, allowed);
        let optional = |setting: &Setting, least| match settings.text(NAME, setting) {
            "auto" => Ok(None),
            _ => number(setting, least..=usize::MAX).map(Some),
        };
        Ok(Knobs {
            depth: number(&DEPTH, 0..=MOST_DEPTH)? as u32,
            assertions: number(&ASSERTIONS, 1..=usize::MAX)?,
            length: number(&LENGTH, 1..=usize::MAX)?,
            constructed: optional(&CONSTRUCTED, 0)?,
            instances: optional(&INSTANCES, 1)?,
            assignments: number(&ASSIGNMENTS, 1..=usize::MAX)?,
            models: number(&MODELS, 0..=100)?,
            mode: ModeChoice::named(settings.choice(NAME, &MODE, MODE_NAMES)?),
            paper: settings.choice(NAME, &CONNECTIVES, &["all", "paper"])? == "paper",
            tactics: settings.choice(NAME, &TACTICS, &["on", "off"])? == "on",
            incremental: settings.choice(NAME, &INCREMENTAL, &["on", "off"])? == "on",
            search: number(&SEARCH, 0..=usize::MAX)?,
            milliseconds: number(&MILLISECONDS, ALLOWED_MILLISECONDS)? as u64,
        })
    }
}

/// The entry of the list of techniques.
pub static TECHNIQUE: Technique = Technique {
    name: NAME,
    language: Language::Smt,
    manual: include_str!("satisfiable.md"),
    knobs: &[
        DEPTH,
        ASSERTIONS,
        LENGTH,
        CONSTRUCTED,
        INSTANCES,
        ASSIGNMENTS,
        MODELS,
        MODE,
        CONNECTIVES,
        TACTICS,
        INCREMENTAL,
        SEARCH,
        MILLISECONDS,
    ],
    check_knobs: |settings| Knobs::read(settings).map(drop),
    seeds: Seeds::Given,
    cases_in_a_row: 1,
    least_subjects: 1,
    stance,
    open: &open,
    judge: Judge {
        judge: &judge::judge,
        deciding_prefix: every_query,
        hearing: weigh::witness_queries,
        weigh: weigh::weigh,
        features: judge::features,
    },
    passes: shrink::PASSES,
    with_text: None,
};

fn stance(analyzer: &AnalyzerInfo) -> Stance {
    if analyzer.smt().is_some() { Stance::SubjectAndWitness } else { Stance::No }
}

fn open(opening: Opening<'_>) -> Result<Box<dyn Case>, SettingError> {
    let knobs = Knobs::read(opening.settings)?;
    let mut random = opening.random;
    let prepared = match Prepared::new(&opening.seed.name, &opening.seed.text) {
        Ok(prepared) => prepared,
        Err(Unusable { reason, detail }) => return Ok(Box::new(SkippedCase::new(reason, detail))),
    };
    let taker = |subject: &AnalyzerInfo| {
        let abilities = subject.smt().cloned().filter(|abilities| prepared.is_taken_by(abilities))?;
        Some((subject.clone(), abilities))
    };
    let takers: Vec<(AnalyzerInfo, SmtInfo)> = opening.lineup.subjects.iter().filter_map(taker).collect();
    match random.choose(&takers).cloned() {
        Some((subject, abilities)) => {
            Ok(Box::new(walk::Walk::new(prepared, subject, abilities, knobs, random)))
        }
        None => {
            let theories: Vec<&str> = prepared.theories.iter().copied().collect();
            let detail = format!("{}: needs {}", opening.seed.name, theories.join(", "));
            Ok(Box::new(SkippedCase::new("no analyzer under test takes the seed's theories", detail)))
        }
    }
}
