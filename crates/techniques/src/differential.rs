//! `differential`: analyzers contradict each other. The manual page is `differential.md`.
//!
//! A seed loses its own assertions ([`stripped`]). What it evaluates unconditionally becomes the [`candidate`]s of new
//! checks; a [`strategy`] chooses among them, and a [`check`] compares what was chosen, mostly with a [`constant`]. How
//! many checks a seed is worth is said by a [`budget`]; all that together is the `synthesis`.

pub mod budget;
pub mod candidate;
pub mod check;
pub mod constant;
pub mod evaluated;
mod features;
mod hoisted_tests;
mod judge;
mod order;
mod shrink;
pub mod strategy;
pub mod stripped;
mod synthesis;
pub mod tree;
mod walk;
mod weigh;

pub use order::{orders, versions};

use crate::case::SkippedCase;
use crate::{Case, Judge, Opening, Seeds, Stance, Technique};
use budget::Budget;
use model::{ALLOWED_MILLISECONDS, AnalyzerInfo, Approximation, Language, Setting, SettingError, Settings};
use strategy::Strategy;
use synthesis::Synthesis;
use walk::{Voter, Walk};

const NAME: &str = "differential";

const BUDGET: Setting = Setting {
    key: "budget",
    default: budget::DEFAULT,
    meaning: "batches of checks per seed: an expression over candidates and statements with + - * / min max",
};
const BATCH: Setting = Setting {
    key: "batch",
    default: "4",
    meaning: "checks in a batch, which is narrowed where analyzers disagree",
};
const STRATEGY: Setting = Setting {
    key: "strategy",
    default: "uniform",
    meaning: "where checks are put: uniform, breadth-biased, depth-biased, random-walk or guided-walk",
};
const DELTA: Setting = Setting {
    key: "delta",
    default: "2",
    meaning: "how many others must disagree with an analyzer where executions leave it open",
};
const MILLISECONDS: Setting =
    Setting { key: "milliseconds", default: "10000", meaning: "wall time for one question, in milliseconds" };
const EXECUTION: Setting = Setting {
    key: "execution",
    default: "2000",
    meaning: "wall time for executing a program, in milliseconds",
};

/// The knobs of a walk, read.
#[derive(Clone, Debug)]
struct Knobs {
    budget: Budget,
    batch: usize,
    strategy: Strategy,
    delta: usize,
    milliseconds: u64,
    execution: u64,
}

/// No larger batches: conditions with more conjuncts are hard to read.
const MOST_CONJUNCTS: usize = 64;

impl Knobs {
    fn read(settings: &Settings) -> Result<Knobs, SettingError> {
        let number = |setting: &Setting, allowed| settings.number(NAME, setting, allowed);
        Ok(Knobs {
            budget: settings.parsed(NAME, &BUDGET, |text| {
                Budget::parse(text).map_err(|error| format!("an expression like the default ({error})"))
            })?,
            batch: number(&BATCH, 1..=MOST_CONJUNCTS)?,
            strategy: settings.parsed(NAME, &STRATEGY, str::parse)?,
            delta: number(&DELTA, 1..=usize::MAX)?,
            milliseconds: number(&MILLISECONDS, ALLOWED_MILLISECONDS)? as u64,
            execution: number(&EXECUTION, ALLOWED_MILLISECONDS)? as u64,
        })
    }
}

/// The entry of the list of techniques.
pub static TECHNIQUE: Technique = Technique {
    name: NAME,
    language: Language::C,
    manual: include_str!("differential.md"),
    knobs: &[BUDGET, BATCH, STRATEGY, DELTA, MILLISECONDS, EXECUTION],
    check_knobs: |settings| Knobs::read(settings).map(drop),
    seeds: Seeds::Given,
    cases_in_a_row: 1,
    least_subjects: 2,
    stance,
    open: &open,
    judge: Judge {
        judge: &judge::judge,
        deciding_prefix: judge::deciding_prefix,
        hearing: weigh::witness_queries,
        weigh: weigh::weigh,
        features: features::features,
    },
    passes: shrink::PASSES,
    with_text: Some(shrink::with_text),
};

/// Analyzers that run programs are judges, and a disagreement with one that drops paths by design is expected.
fn stance(analyzer: &AnalyzerInfo) -> Stance {
    use Approximation::{Neither, Under};
    match analyzer.reachability() {
        Some(role) if !role.executes && !matches!(role.approximation, Neither | Under) => {
            Stance::SubjectAndWitness
        }
        Some(_) => Stance::OnRequest,
        None => Stance::No,
    }
}

fn open(opening: Opening<'_>) -> Result<Box<dyn Case>, SettingError> {
    let knobs = Knobs::read(opening.settings)?;
    let synthesis = match Synthesis::new(opening.seed, &knobs.budget, knobs.strategy) {
        Ok(synthesis) => synthesis,
        Err((reason, detail)) => return Ok(Box::new(SkippedCase::new(reason, detail))),
    };
    let voter =
        |member: &AnalyzerInfo| Some(Voter { member: member.clone(), role: member.reachability().cloned()? });
    let voters = opening.lineup.subjects.iter().filter_map(voter).collect();
    Ok(Box::new(Walk::new(voters, opening.lineup, synthesis, knobs, opening.random)))
}
