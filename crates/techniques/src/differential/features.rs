//! What a reduced exhibit is made of. Findings with the same features are taken for one bug.

use super::judge::{ALONE_SAFE, EXECUTED, EXHAUSTED, NEWER, ORDERED, condition, outline};
use crate::failures;
use crate::keywords_in::keywords_in;
use model::{Answer, Exhibit};
use std::collections::BTreeSet;

/// Words for what the program's text needs.
const TELLING: [&str; 9] = ["while", "for", "do", "switch", "goto", "float", "double", "union", "struct"];

/// The relation, the signs of the check, and the kinds of statements around it.
pub fn features(reduced: &Exhibit, _answers: &[Answer]) -> BTreeSet<String> {
    if let Some(features) = failures::features(reduced) {
        return features;
    }
    let mut features = BTreeSet::from([relation_word(&reduced.relation.name).to_owned()]);
    let Some(accused) = reduced.queries.first() else { return features };
    features.extend(condition(accused).map(|condition| format!("check {}", outline(&condition))));
    if let Some(program) = accused.input.c() {
        features.extend(keywords_in(&program.base, &TELLING));
    }
    features
}

/// A word for a relation.
fn relation_word(name: &str) -> &'static str {
    match name {
        EXECUTED => "executed",
        EXHAUSTED => "every input run",
        ALONE_SAFE => "others find it unsafe",
        ORDERED => "less precise one verifies it",
        NEWER => "older version verifies it",
        _ => "others verify it",
    }
}
