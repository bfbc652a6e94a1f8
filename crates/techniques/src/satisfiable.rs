//! `satisfiable`: SMT instances that are true by construction. The manual page is `satisfiable.md`.

mod counts;
mod instance;
mod walk;

use crate::case::SkippedCase;
use crate::knobs::knobs;
use crate::scripts::mode::{MODE_NAMES, ModeChoice};
use crate::scripts::prepared::{Prepared, Unusable};
use crate::scripts::relation::ScriptRelation;
use crate::scripts::{judge, shrink, weigh};
use crate::subjects::supporting;
use crate::{Case, Judge, Opening, Seeds, Stance, Technique, Trial, Trials, every_query};
use model::{ALLOWED_MILLISECONDS, AnalyzerInfo, Language, Relation, SettingError};

pub use counts::OWN_FAULTS;

const NAME: &str = "satisfiable";

knobs! {
    struct Knobs {
        "depth" depth: u32 = "64", number(0..=MOST_DEPTH), "greatest depth of connectives and of sub-terms taken";
        "assertions" assertions: usize = "64", number(1..=usize::MAX), "greatest number of assertions of an instance";
        "length" length: usize = "2000", number(1..=usize::MAX), "greatest number of characters of a constructed formula";
        "constructed" constructed: Option<usize> = "auto", auto(0..=usize::MAX),
            "formulas constructed per assignment; auto means 200 to 1500 by the size of the pool";
        "instances" instances: Option<usize> = "auto", auto(1..=usize::MAX),
            "instances per case; auto means 300 to 1000 by the size of the pool";
        "assignments" assignments: usize = "4", number(1..=usize::MAX), "assignments per case";
        "models" models: usize = "20", number(0..=100), "percentage of batches that ask for models";
        "mode" mode: ModeChoice = "mixed", named(MODE_NAMES, ModeChoice::named), "how solvers are driven";
        "connectives" paper: bool = "all", words("all" => false, "paper" => true),
            "which connectives are used; paper means only AND and NOT, as in the STORM paper";
        "tactics" tactics: bool = "on", switch(), "draw tactics and options";
        "incremental" incremental: bool = "on", switch(), "draw scopes and assumptions";
        "search" search: usize = "300", number(0..=usize::MAX),
            "steps of the local search for a model of a seed that the solver calls unsatisfiable, and for assignments that \
             give a predicate a value it did not have yet";
        "milliseconds" milliseconds: u64 = "5000", number(ALLOWED_MILLISECONDS), "wall time for one query, in milliseconds";
    }
}

/// No seed nests deeper.
const MOST_DEPTH: usize = 1_000_000;

/// The entry of the list of techniques.
pub static TECHNIQUE: Technique = Technique {
    name: NAME,
    language: Language::SMT,
    seed_language: Language::SMT,
    manual: include_str!("satisfiable.md"),
    knobs: Knobs::LIST,
    seeds: Seeds::Given,
    cases_in_a_row: 1,
    least_subjects: 1,
    shares: counts::SHARES,
    stance,
    open: &open,
    judge: Judge {
        reads: Relation::is::<ScriptRelation>,
        judge: &judge::judge,
        deciding_prefix: every_query,
        hearing: weigh::witness_queries,
        weigh: weigh::weigh,
        features: judge::features,
    },
    passes: shrink::PASSES,
    with_text: None,
    trials: TRIALS,
};

const TRIALS: Trials = Trials {
    twin: Some(Trial { knobs: SMALL, ..Trial::of(&["liar-smt:lie=none"], 6) }),
    liars: &[
        Trial { knobs: SMALL, ..Trial::of(&["liar-smt:lie=model"], 8) },
        Trial { knobs: MIDDLE, ..Trial::of(&["liar-smt:lie=signed"], 24) },
        Trial { knobs: MIDDLE, ..Trial::of(&["liar-smt:lie=not-ite"], 24) },
    ],
};
const SMALL: &[(&str, &str)] = &[("instances", "20"), ("constructed", "40"), ("assertions", "8")];
const MIDDLE: &[(&str, &str)] = &[("instances", "40"), ("constructed", "60")];

fn stance(analyzer: &AnalyzerInfo) -> Stance {
    if analyzer.smt().is_some() { Stance::SubjectAndWitness } else { Stance::No }
}

fn open(opening: Opening<'_>) -> Result<Box<dyn Case>, SettingError> {
    let knobs = Knobs::read(NAME, opening.settings)?;
    let mut random = opening.random;
    let prepared = match Prepared::new(&opening.seed.name, &opening.seed.text) {
        Ok(prepared) => prepared,
        Err(Unusable { reason, detail }) => return Ok(Box::new(SkippedCase::new(reason, detail))),
    };
    let role = |subject: &AnalyzerInfo| {
        subject.smt().filter(|abilities| prepared.is_supported_by(abilities)).cloned()
    };
    match random.choose(&supporting(opening.lineup, role)).cloned() {
        Some((subject, abilities)) => {
            Ok(Box::new(walk::Walk::new(prepared, subject, abilities, knobs, random)))
        }
        None => {
            let theories: Vec<&str> = prepared.theories.iter().copied().collect();
            let detail = format!("{}: needs {}", opening.seed.name, theories.join(", "));
            Ok(Box::new(SkippedCase::new("no analyzer under test supports the seed's theories", detail)))
        }
    }
}
