//! `solver_differential`: SMT solvers contradict each other. The manual page is `solver_differential.md`.

mod judge;
mod made;
mod walk;
mod weigh;

use crate::case::SkippedCase;
use crate::scripts::mode::{MODE_NAMES, ModeChoice};
use crate::scripts::prepared::{Prepared, Unusable};
use crate::scripts::{judge as relations, shrink};
use crate::{Case, Judge, Opening, Seeds, Stance, Technique, every_query};
use model::{ALLOWED_MILLISECONDS, AnalyzerInfo, Language, Setting, SettingError, Settings};
use walk::{Voter, Walk};

const NAME: &str = "solver_differential";

const SCRIPTS: Setting = Setting { key: "scripts", default: "48", meaning: "scripts made of a seed" };
const ASSERTIONS: Setting =
    Setting { key: "assertions", default: "32", meaning: "greatest number of assertions of a script" };
const DEPTH: Setting =
    Setting { key: "depth", default: "64", meaning: "greatest depth of connectives and of sub-terms taken" };
const LENGTH: Setting = Setting {
    key: "length",
    default: "1000",
    meaning: "greatest number of characters of a constructed formula",
};
const MODE: Setting = Setting {
    key: "mode",
    default: "mixed",
    meaning: "how solvers are driven: mixed, process, reset or push",
};
const SEARCH: Setting = Setting {
    key: "search",
    default: "300",
    meaning: "steps of the local search for a model where solvers disagree and none shows one",
};
const MILLISECONDS: Setting =
    Setting { key: "milliseconds", default: "2000", meaning: "wall time for one query, in milliseconds" };

/// The knobs of a walk, read.
#[derive(Clone, Debug)]
struct Knobs {
    scripts: usize,
    assertions: usize,
    depth: u32,
    length: usize,
    mode: ModeChoice,
    search: usize,
    milliseconds: u64,
}

/// No seed nests deeper.
const MOST_DEPTH: usize = 1_000_000;
/// No longer searches: each step evaluates a script.
const MOST_STEPS: usize = 1_000_000;

impl Knobs {
    fn read(settings: &Settings) -> Result<Knobs, SettingError> {
        let number = |setting: &Setting, allowed| settings.number(NAME, setting, allowed);
        Ok(Knobs {
            scripts: number(&SCRIPTS, 1..=usize::MAX)?,
            assertions: number(&ASSERTIONS, 1..=usize::MAX)?,
            depth: number(&DEPTH, 0..=MOST_DEPTH)? as u32,
            length: number(&LENGTH, 1..=usize::MAX)?,
            mode: ModeChoice::named(settings.choice(NAME, &MODE, MODE_NAMES)?),
            search: number(&SEARCH, 0..=MOST_STEPS)?,
            milliseconds: number(&MILLISECONDS, ALLOWED_MILLISECONDS)? as u64,
        })
    }
}

/// The entry of the list of techniques.
pub static TECHNIQUE: Technique = Technique {
    name: NAME,
    language: Language::Smt,
    manual: include_str!("solver_differential.md"),
    knobs: &[SCRIPTS, ASSERTIONS, DEPTH, LENGTH, MODE, SEARCH, MILLISECONDS],
    check_knobs: |settings| Knobs::read(settings).map(drop),
    seeds: Seeds::Given,
    cases_in_a_row: 1,
    least_subjects: 2,
    stance,
    open: &open,
    judge: Judge {
        judge: &judge::judge,
        deciding_prefix: every_query,
        hearing: weigh::witness_queries,
        weigh: weigh::weigh,
        features: relations::features,
    },
    passes: shrink::PASSES,
    with_text: None,
};

fn stance(analyzer: &AnalyzerInfo) -> Stance {
    if analyzer.smt().is_some() { Stance::SubjectAndWitness } else { Stance::No }
}

fn open(opening: Opening<'_>) -> Result<Box<dyn Case>, SettingError> {
    let knobs = Knobs::read(opening.settings)?;
    let prepared = match Prepared::new(&opening.seed.name, &opening.seed.text) {
        Ok(prepared) => prepared,
        Err(Unusable { reason, detail }) => return Ok(Box::new(SkippedCase::new(reason, detail))),
    };
    let voter = |member: &AnalyzerInfo| Some(Voter::new(member, member.smt()?, &prepared));
    let voters: Vec<Voter> = opening.lineup.subjects.iter().filter_map(voter).collect();
    if voters.iter().filter(|voter| voter.takes_part).count() < 2 {
        let theories: Vec<&str> = prepared.theories.iter().copied().collect();
        let logic = prepared.logic.as_deref().unwrap_or("none");
        let detail = format!("{}: needs {}, in the logic {logic}", opening.seed.name, theories.join(", "));
        return Ok(Box::new(SkippedCase::new("fewer than two solvers take the seed", detail)));
    }
    Ok(Box::new(Walk::new(&opening.seed.name, prepared, voters, knobs, opening.random)))
}
