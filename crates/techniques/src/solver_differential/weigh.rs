//! Asking the witnesses about a confirmed exhibit, and what their answers make of it.
//!
//! A reduced script may show which solver is right where the original script did not. The exhibit is then weighed by that.

use super::judge;
use crate::Hearing;
use crate::scripts::judge as scripts;
use crate::scripts::models::{ModelVerdict, search_assignment, verdict_on_last_model};
use crate::scripts::relation::ScriptRelation;
use crate::scripts::weigh;
use model::{Answer, Exhibit, Lineup, Query, SmtStatus, Weighed};

/// Steps of the search for a model of a reduced script. Few scripts are weighed, so the search may take longer.
const SEARCH: usize = 2000;

/// Asks every solver that can judge, including those under test.
pub fn witness_queries(exhibit: &Exhibit, answers: &[Answer], lineup: &Lineup) -> Vec<Query> {
    let settled = settled(exhibit, answers);
    let all = Lineup {
        subjects: lineup.subjects.clone(),
        witnesses: lineup.witnesses.iter().chain(&lineup.subjects).cloned().collect(),
    };
    weigh::witness_queries(settled.as_ref().unwrap_or(exhibit), answers, &all)
}

/// Weighs the answers of the witnesses.
pub fn weigh(exhibit: &Exhibit, hearing: &Hearing<'_>) -> Weighed {
    match settled(exhibit, hearing.answers) {
        Some(settled) => {
            let weighed = weigh::weigh(&settled, hearing);
            Weighed { kind: Some(settled.kind), ..weighed }
        }
        None => weigh::weigh(exhibit, hearing),
    }
}

/// What a disagreement shows if the evaluator can decide which solver is right after all.
fn settled(exhibit: &Exhibit, answers: &[Answer]) -> Option<Exhibit> {
    let ScriptRelation::SolversAgree { said, .. } = ScriptRelation::of(exhibit)? else { return None };
    let accused = exhibit.queries.first()?;
    match said {
        SmtStatus::Unsat => {
            let mut others = exhibit.queries.iter().zip(answers).skip(1);
            let confirmed =
                others.find_map(|(query, answer)| match verdict_on_last_model(query.input.smt()?, answer) {
                    ModelVerdict::Confirmed(assignment) => Some(assignment),
                    ModelVerdict::Refuted | ModelVerdict::Open => None,
                });
            let assignment = confirmed.or_else(|| search_assignment(accused.input.smt()?, SEARCH))?;
            judge::wrong_unsat(accused, &assignment)
        }
        SmtStatus::Sat => {
            let model = answers.first()?.smt_checks().last()?.model.as_deref()?;
            scripts::wrong_model(super::NAME, accused, model)
        }
        SmtStatus::Unknown => None,
    }
}
