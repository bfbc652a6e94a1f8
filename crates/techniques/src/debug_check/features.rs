//! What a reduced exhibit is made of. Findings with the same features are taken for one bug.

use super::judge::{self, KNOWN, SAME};
use crate::failures;
use crate::keywords_in::keywords_in;
use model::{Answer, Exhibit};
use std::collections::BTreeSet;

/// Words for what the program needs.
const TELLING: [&str; 7] = ["float", "double", "while", "for", "do", "goto", "union"];

/// The rules, why something was known, and what the program needs.
pub fn features(reduced: &Exhibit, _answers: &[Answer]) -> BTreeSet<String> {
    if let Some(features) = failures::features(reduced) {
        return features;
    }
    let mut features = BTreeSet::new();
    // What is merely not known is another gap than what is taken for false.
    if reduced.relation.name == KNOWN {
        features.insert("unknown".to_owned());
    }
    let Some(program) = reduced.queries.first().and_then(|query| query.input.c()) else { return features };
    for (_, derived, origin) in judge::all_derivations(reduced) {
        // The condition in other words shows the same gap as the condition; what follows by arithmetic another one.
        match reduced.relation.name == SAME || !derived.restates() {
            true => features.insert(format!("rule {}", derived.rule)),
            false => features.insert("the condition itself".to_owned()),
        };
        if reduced.relation.name != SAME {
            features.insert(format!("origin {}", origin.word()));
        }
    }
    features.extend(keywords_in(&program.base, &TELLING));
    features
}
