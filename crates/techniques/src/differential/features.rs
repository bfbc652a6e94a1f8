//! The features of a reduced exhibit. Findings with the same features count as one bug.

use super::judge::{condition, outline};
use super::relation::DifferentialRelation;
use crate::failures;
use crate::keywords_in::keywords_in;
use model::{Answer, Exhibit};
use std::collections::BTreeSet;

/// Keywords that count as features.
const TELLING: [&str; 9] = ["while", "for", "do", "switch", "goto", "float", "double", "union", "struct"];

/// The relation, the signs of the check, and the kinds of statements around it.
pub fn features(reduced: &Exhibit, _answers: &[Answer]) -> BTreeSet<String> {
    let relation = DifferentialRelation::of(reduced);
    if relation == Some(DifferentialRelation::Analyzed) {
        return failures::features(reduced);
    }
    let mut features: BTreeSet<String> = relation.iter().map(|it| it.words().to_owned()).collect();
    let Some(accused) = reduced.queries.first() else { return features };
    features.extend(condition(accused).map(|condition| format!("check {}", outline(&condition))));
    if let Some(program) = accused.input.c() {
        features.extend(keywords_in(&program.base, &TELLING));
    }
    features
}
