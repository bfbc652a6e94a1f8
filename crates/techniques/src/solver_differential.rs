//! `solver_differential`: SMT solvers contradict each other. The manual page is `solver_differential.md`.

mod counts;
mod judge;
mod made;
mod walk;
mod weigh;

use crate::case::SkippedCase;
use crate::knobs::knobs;
use crate::scripts::mode::{MODE_NAMES, ModeChoice};
use crate::scripts::prepared::{Prepared, Unusable};
use crate::scripts::relation::ScriptRelation;
use crate::scripts::{judge as relations, shrink};
use crate::{Case, Judge, Opening, Seeds, Stance, Technique, Trial, Trials, every_query};
use model::{ALLOWED_MILLISECONDS, AnalyzerInfo, Language, Relation, SettingError};
use walk::{Voter, Walk};

pub(crate) use judge::{wrong_model, wrong_unsat};

const NAME: &str = "solver_differential";

knobs! {
    struct Knobs {
        "scripts" scripts: usize = "48", number(1..=usize::MAX), "scripts made of a seed";
        "assertions" assertions: usize = "32", number(1..=usize::MAX), "greatest number of assertions of a script";
        "depth" depth: u32 = "64", number(0..=MOST_DEPTH), "greatest depth of connectives and of sub-terms taken";
        "length" length: usize = "1000", number(1..=usize::MAX), "greatest number of characters of a constructed formula";
        "mode" mode: ModeChoice = "mixed", named(MODE_NAMES, ModeChoice::named), "how solvers are driven";
        "search" search: usize = "300", number(0..=MOST_STEPS),
            "steps of the local search for a model where solvers disagree and none shows one";
        "milliseconds" milliseconds: u64 = "2000", number(ALLOWED_MILLISECONDS), "wall time for one query, in milliseconds";
    }
}

/// No seed nests deeper.
const MOST_DEPTH: usize = 1_000_000;
/// No longer searches: each step evaluates a script.
const MOST_STEPS: usize = 1_000_000;

/// The entry of the list of techniques.
pub static TECHNIQUE: Technique = Technique {
    name: NAME,
    language: Language::SMT,
    seed_language: Language::SMT,
    manual: include_str!("solver_differential.md"),
    knobs: Knobs::LIST,
    seeds: Seeds::Given,
    cases_in_a_row: 1,
    least_subjects: 2,
    shares: &[],
    stance,
    open: &open,
    judge: Judge {
        reads: Relation::is::<ScriptRelation>,
        judge: &judge::judge,
        deciding_prefix: every_query,
        hearing: weigh::witness_queries,
        weigh: weigh::weigh,
        features: relations::features,
    },
    passes: shrink::PASSES,
    with_text: None,
    trials: TRIALS,
};

const TRIALS: Trials = Trials {
    twin: Some(Trial { seed: SIGNED, ..Trial::of(&["liar-smt:lie=none", "z3"], 1) }),
    liars: &[Trial { seed: SIGNED, ..Trial::of(&["liar-smt:lie=signed", "z3"], 1) }],
};
const SIGNED: Option<&str> = Some("planted/signed.smt2");

fn stance(analyzer: &AnalyzerInfo) -> Stance {
    if analyzer.smt().is_some() { Stance::SubjectAndWitness } else { Stance::No }
}

fn open(opening: Opening<'_>) -> Result<Box<dyn Case>, SettingError> {
    let knobs = Knobs::read(NAME, opening.settings)?;
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
        return Ok(Box::new(SkippedCase::new("fewer than two solvers support the seed", detail)));
    }
    Ok(Box::new(Walk::new(&opening.seed.name, prepared, voters, knobs, opening.random)))
}
