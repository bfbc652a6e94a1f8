//! What a reduced exhibit is made of. Findings with the same features are taken for one bug.

use super::judge::{self, SAME};
use model::{Answer, Exhibit, Kind};
use std::collections::BTreeSet;

/// The rules, why something was known, and what the program needs.
pub fn features(reduced: &Exhibit, _answers: &[Answer]) -> BTreeSet<String> {
    let mut features = BTreeSet::new();
    if matches!(reduced.kind, Kind::Crash | Kind::Refusal) {
        features.insert(reduced.title.clone());
        return features;
    }
    let Some(program) = reduced.queries.first().and_then(|query| query.input.c()) else { return features };
    for (_, derived, origin) in judge::derivations(program).unwrap_or_default() {
        // The condition in other words shows the same gap as the condition; what follows by arithmetic another one.
        let is_itself = derived.class.bytes().all(|byte| byte.is_ascii_digit()) && derived.guard.is_none();
        match reduced.relation.name == SAME || !is_itself {
            true => features.insert(format!("rule {}", derived.rule)),
            false => features.insert("the condition itself".to_owned()),
        };
        if reduced.relation.name != SAME {
            features.insert(format!("origin {}", origin.word()));
        }
    }
    features.extend(telling_words(&program.base));
    features
}

/// What the program needs.
fn telling_words(text: &str) -> impl Iterator<Item = String> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let words: BTreeSet<&str> = text.split(|character| !is_part(character)).collect();
    let telling = ["float", "double", "while", "for", "do", "goto", "union"];
    telling.into_iter().filter(move |word| words.contains(word)).map(str::to_owned)
}
