//! Summarizes what executions show about each check.

use super::input_list::parse_inputs;
use model::{AnalyzerId, Answer, CInput, CheckClaim, CheckStatus, Query};
use std::collections::BTreeMap;

/// What the analyzers that run a program show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Executions {
    /// One entry for each check of the program.
    pub checks: BTreeMap<u32, CheckOutcome>,
    /// Undefined behaviour in some execution, with its inputs. Violations come from executions without undefined behaviour,
    /// but a program with undefined behaviour on some inputs is not a fair query for every analyzer.
    pub undefined: Option<String>,
}

/// What executions show about one check, under the convention that a failing check ends the execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckOutcome {
    /// An execution without undefined behaviour violates it.
    Violated {
        /// The shortest known inputs of such an execution.
        inputs: String,
        /// The analyzer that ran it.
        by: Vec<AnalyzerId>,
    },
    /// All executions were run and none violates it.
    Never,
    /// Nothing is known, or the executions contradict each other because the program depends on more than its inputs.
    NotFound,
}

impl Executions {
    /// Returns the inputs of an execution that violates the check.
    pub fn violation(&self, check: u32) -> Option<&str> {
        match self.checks.get(&check) {
            Some(CheckOutcome::Violated { inputs, .. }) => Some(inputs),
            _ => None,
        }
    }
}

/// Summarizes the answers to [`questions`](super::questions).
pub fn summarize(input: &CInput, answers: &[(Query, Answer)]) -> Executions {
    let checks = input.checks().map(|check| (check, shown(check, answers))).collect();
    let claims = answers.iter().filter_map(|(_, answer)| answer.checks());
    Executions { checks, undefined: claims.filter_map(|claim| claim.undefined.clone()).next() }
}

fn shown(check: u32, answers: &[(Query, Answer)]) -> CheckOutcome {
    let mut shortest: Option<&str> = None;
    let mut by = Vec::new();
    let mut is_excluded = false;
    for (query, answer) in answers {
        let claims = answer.checks().map(|claim| claim.checks.as_slice()).unwrap_or_default();
        let Some(claim) = claims.iter().find(|claim| claim.check == check) else { continue };
        is_excluded |= claim.status == CheckStatus::Verified;
        let Some(inputs) = violating_inputs(claim) else { continue };
        by.push(query.analyzer.clone());
        if shortest.is_none_or(|known| inputs.len() < known.len()) {
            shortest = Some(inputs);
        }
    }
    match (shortest, is_excluded) {
        (Some(inputs), false) => CheckOutcome::Violated { inputs: inputs.to_owned(), by },
        (None, true) => CheckOutcome::Never,
        (Some(_), true) | (None, false) => CheckOutcome::NotFound,
    }
}

/// A violation whose inputs cannot be parsed cannot be reproduced.
fn violating_inputs(claim: &CheckClaim) -> Option<&str> {
    let inputs = claim.inputs.as_deref().filter(|_| claim.status == CheckStatus::Violated)?;
    parse_inputs(inputs).map(|_| inputs)
}
