//! The features of a reduced exhibit. Findings with the same features count as one bug.

use super::judge;
use super::relation::DebugCheckRelation;
use crate::failures;
use crate::keywords_in::keywords_in;
use model::{Answer, Exhibit};
use std::collections::BTreeSet;

/// Keywords that count as features.
const TELLING: [&str; 7] = ["float", "double", "while", "for", "do", "goto", "union"];

/// The rules, why something was known, and what the program needs.
pub fn features(reduced: &Exhibit, _answers: &[Answer]) -> BTreeSet<String> {
    let mut features = BTreeSet::new();
    let is_about_forms = match DebugCheckRelation::of(reduced) {
        Some(DebugCheckRelation::Analyzed) => return failures::features(reduced),
        Some(DebugCheckRelation::FormsAreEquallyKnown { .. }) => true,
        Some(DebugCheckRelation::FollowingIsKnown { .. }) => {
            // A condition that is unknown is another gap than one that is called false.
            features.insert("unknown".to_owned());
            false
        }
        Some(
            DebugCheckRelation::HoldingIsNotFalse { .. } | DebugCheckRelation::FollowingIsNotFalse { .. },
        )
        | None => false,
    };
    let Some(program) = reduced.queries.first().and_then(|query| query.input.c()) else { return features };
    for (_, derived, origin) in judge::all_derivations(reduced) {
        // The condition in other words shows the same gap as the condition; what follows by arithmetic another one.
        match is_about_forms || !derived.restates() {
            true => features.insert(format!("rule {}", derived.rule)),
            false => features.insert("the condition itself".to_owned()),
        };
        if !is_about_forms {
            features.insert(format!("origin {}", origin.word()));
        }
    }
    features.extend(keywords_in(&program.base, &TELLING));
    features
}
