//! `differential`: analyzers contradict each other. The manual page is `differential.md`.
//!
//! A seed loses its own assertions ([`stripped`]). What it evaluates unconditionally becomes the [`candidate`]s of new
//! checks; a [`strategy`] chooses among them, and a [`check`] compares what was chosen, mostly with a [`constant`]. How
//! many checks a seed is worth is said by a [`budget`]; all that together is the `synthesis`.

pub mod budget;
pub mod candidate;
pub mod check;
pub mod constant;
mod counts;
mod drawn_checks;
pub mod evaluated;
mod features;
mod hoisted_tests;
mod judge;
mod order;
mod own_checks;
mod relation;
mod shrink;
pub mod strategy;
pub mod stripped;
mod synthesis;
pub mod tree;
mod walk;
mod weigh;

pub(crate) use drawn_checks::drawn_checks;
pub(crate) use judge::refuted;
pub use order::{orders, versions};
pub(crate) use own_checks::own_checks;

use crate::case::SkippedCase;
use crate::knobs::knobs;
use crate::{Case, Judge, Opening, Seeds, Stance, Technique, Trial, Trials};
use budget::Budget;
use model::{ALLOWED_MILLISECONDS, AnalyzerInfo, Approximation, Language, Relation, SettingError};
use relation::DifferentialRelation;
use strategy::Strategy;
use synthesis::Synthesis;
use walk::{Voter, Walk};

const NAME: &str = "differential";

knobs! {
    struct Knobs {
        "budget" budget: Budget = budget::DEFAULT, text("an expression like the default", Budget::parse),
            "batches of checks per seed: an expression over candidates and statements with + - * / min max";
        "batch" batch: usize = "4", number(1..=MOST_CONJUNCTS),
            "checks in a batch, which is narrowed where analyzers disagree";
        "strategy" strategy: Strategy = "uniform", named(&strategy::NAMES, Strategy::named), "where checks are put";
        "delta" delta: usize = "2", number(1..=usize::MAX),
            "how many other analyzers must disagree with one where executions leave the check open";
        "milliseconds" milliseconds: u64 = "10000", number(ALLOWED_MILLISECONDS), "wall time for one query, in milliseconds";
        "execution" execution: u64 = "2000", number(ALLOWED_MILLISECONDS),
            "wall time for executing a program, in milliseconds";
    }
}

/// No larger batches: conditions with more conjuncts are hard to read.
const MOST_CONJUNCTS: usize = 64;

/// The entry of the list of techniques.
pub static TECHNIQUE: Technique = Technique {
    name: NAME,
    language: Language::C,
    seed_language: Language::C,
    manual: include_str!("differential.md"),
    knobs: Knobs::LIST,
    seeds: Seeds::Given,
    cases_in_a_row: 1,
    least_subjects: 2,
    shares: &[],
    stance,
    open: &open,
    judge: Judge {
        reads: Relation::is::<DifferentialRelation>,
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

const TRIALS: Trials = Trials {
    twin: Some(Trial { knobs: &[("budget", "8")], ..trial(&["liar-c:lie=none", "exact-c"]) }),
    liars: &[Trial { knobs: &[("budget", "24")], ..trial(&["liar-c:lie=scaled", "exact-c"]) }],
};

const fn trial(subjects: &'static [&'static str]) -> Trial {
    Trial { seed: Some("planted/many.c"), witnesses: &["execute-c"], ..Trial::of(subjects, 1) }
}

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
    let knobs = Knobs::read(NAME, opening.settings)?;
    let synthesis = match Synthesis::new(opening.seed, &knobs.budget, knobs.strategy) {
        Ok(synthesis) => synthesis,
        Err((reason, detail)) => return Ok(Box::new(SkippedCase::new(reason, detail))),
    };
    let voter =
        |member: &AnalyzerInfo| Some(Voter { member: member.clone(), role: member.reachability().cloned()? });
    let voters = opening.lineup.subjects.iter().filter_map(voter).collect();
    Ok(Box::new(Walk::new(voters, opening.lineup, synthesis, knobs, opening.random)))
}
