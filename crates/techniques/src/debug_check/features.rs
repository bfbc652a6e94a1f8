//! What a reduced exhibit is made of. Findings with the same features are taken for one bug.

use super::judge::{self, SAME};
use model::{Answer, Exhibit, Kind};
use std::collections::BTreeSet;

/// The rules, the comparisons and what they compare.
pub fn features(reduced: &Exhibit, _answers: &[Answer]) -> BTreeSet<String> {
    let mut features = BTreeSet::new();
    if matches!(reduced.kind, Kind::Crash | Kind::Refusal) {
        features.insert(reduced.title.clone());
        return features;
    }
    let Some(program) = reduced.queries.first().and_then(|query| query.input.c()) else { return features };
    for (_, derived, origin) in judge::derivations(program).unwrap_or_default() {
        features.insert(format!("rule {}", derived.rule));
        features.insert(shape(&derived.condition));
        if reduced.relation.name != SAME {
            features.insert(format!("origin {}", origin.word()));
        }
    }
    features
}

/// A condition with names and numbers left out.
fn shape(condition: &str) -> String {
    let mut shape = String::new();
    let mut in_word = false;
    for character in condition.chars() {
        let is_word = character.is_ascii_alphanumeric() || character == '_';
        match (is_word, in_word) {
            (true, false) => shape.push('x'),
            (true, true) | (false, _) if character == ' ' => {}
            (false, _) => shape.push(character),
            _ => {}
        }
        in_word = is_word;
    }
    shape
}
