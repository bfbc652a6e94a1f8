//! Asking the witnesses about a confirmed exhibit, and what their answers make of it.
//!
//! A reduced script may show who is right where the script that was found did not. Then the exhibit is weighed as that.

use super::judge::{self, AGREED};
use crate::Hearing;
use crate::scripts::judge as relations;
use crate::scripts::models::{Shown, searched, shown_by};
use crate::scripts::weigh;
use model::{Answer, Evidence, Exhibit, Lineup, Query, SmtStatus, Weighed};

/// Steps of the search for a model of a reduced script. Only what is examined is searched, so it may take longer.
const SEARCH: usize = 2000;

/// Everybody who can judge is asked, those under test included.
pub fn witness_queries(exhibit: &Exhibit, answers: &[Answer], lineup: &Lineup) -> Vec<Query> {
    let settled = settled(exhibit, answers);
    let everybody = Lineup {
        subjects: lineup.subjects.clone(),
        witnesses: lineup.witnesses.iter().chain(&lineup.subjects).cloned().collect(),
    };
    weigh::witness_queries(settled.as_ref().unwrap_or(exhibit), answers, &everybody)
}

/// The judgement.
pub fn weigh(exhibit: &Exhibit, hearing: &Hearing<'_>) -> Weighed {
    let Hearing { answers, asked, witnesses, .. } = *hearing;
    if exhibit.relation.name != AGREED {
        return weigh::weigh(exhibit, hearing);
    }
    match settled(exhibit, answers) {
        Some(settled) => {
            let weighed = weigh::weigh(&settled, hearing);
            Weighed { kind: Some(settled.kind), ..weighed }
        }
        None => open(exhibit, answers, asked, witnesses),
    }
}

/// What the exhibit shows if the evaluator can say who is right after all.
fn settled(exhibit: &Exhibit, answers: &[Answer]) -> Option<Exhibit> {
    if exhibit.relation.name != AGREED {
        return None;
    }
    let accused = exhibit.queries.first()?;
    match judge::said(exhibit)? {
        SmtStatus::Unsat => {
            let mut others = exhibit.queries.iter().zip(answers).skip(1);
            let confirmed = others.find_map(|(query, answer)| match shown_by(query.input.smt()?, answer) {
                Shown::Confirmed(assignment) => Some(assignment),
                _ => None,
            });
            let assignment = confirmed.or_else(|| searched(accused.input.smt()?, SEARCH))?;
            judge::wrong_unsat(accused, &assignment)
        }
        _ => {
            let model = answers.first()?.smt_checks().last()?.model.as_deref()?;
            relations::wrong_model(super::NAME, accused, model)
        }
    }
}

/// Undecided.
fn open(exhibit: &Exhibit, answers: &[Answer], asked: &[Query], witnesses: &[Answer]) -> Weighed {
    let names = |said: SmtStatus, queries: &[Query], answers: &[Answer]| -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (query, _) in queries.iter().zip(answers).filter(|(_, answer)| judge::status(answer) == said) {
            let name = query.analyzer.to_string();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    };
    let mut reasons = Vec::new();
    for (said, word) in [(SmtStatus::Sat, "sat"), (SmtStatus::Unsat, "unsat")] {
        let who = names(said, &exhibit.queries, answers);
        if !who.is_empty() {
            reasons.push(format!("These answer {word}: {}.", who.join(", ")));
        }
        let helping = names(said, asked, witnesses);
        if !helping.is_empty() {
            reasons.push(format!(
                "Asked once more without options, these answer {word}: {}.",
                helping.join(", ")
            ));
        }
    }
    reasons.push(
        "No model settles it: none was printed, or juvenal's evaluator cannot say whether it satisfies the script."
            .to_owned(),
    );
    Weighed { kind: Some(exhibit.kind), evidence: Evidence::Suspicion, reasons, files: Vec::new() }
}
