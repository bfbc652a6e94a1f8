//! The features of a reduced exhibit. Findings with the same features count as one bug.

use super::judge;
use super::relation::InterrogationRelation;
use super::weigh::programs;
use crate::checks;
use crate::failures;
use crate::keywords_in::keywords_in;
use model::{Annotation, AnnotationKind, Answer, Exhibit};
use std::collections::BTreeSet;

/// Keywords that count as features.
const TELLING: [&str; 9] = ["while", "for", "do", "switch", "goto", "float", "double", "union", "struct"];

/// The shapes of the disputed checks and of the assumptions, and the kinds of statements around them.
pub fn features(reduced: &Exhibit, answers: &[Answer]) -> BTreeSet<String> {
    let mut features = BTreeSet::new();
    let disputed: BTreeSet<u32> = match (InterrogationRelation::of(reduced), answers) {
        (Some(InterrogationRelation::Analyzed), _) => return failures::features(reduced),
        (Some(InterrogationRelation::NoVerifiedCheckFails), [claimed, executed, ..]) => {
            checks::refuted_checks(claimed, executed).into_iter().collect()
        }
        (Some(InterrogationRelation::Pair(pair)), [first, second, ..]) => {
            judge::disputed(&pair, first, second).iter().map(|dispute| dispute.check).collect()
        }
        _ => BTreeSet::new(),
    };
    if let Some(program) = programs(reduced).last() {
        for annotation in &program.annotations {
            features.extend(annotation_features(annotation, &disputed));
        }
        features.extend(keywords_in(&program.base, &TELLING));
    }
    features
}

/// The comparisons of a disputed check or of an assumption. Other checks do not matter.
fn annotation_features(annotation: &Annotation, disputed: &BTreeSet<u32>) -> Vec<String> {
    let word = match annotation.what {
        AnnotationKind::Check(number) if disputed.contains(&number) => "check",
        AnnotationKind::Check(_) => return Vec::new(),
        AnnotationKind::Assume => "assume",
    };
    let text = annotation.condition.as_ref();
    let mut found = Vec::new();
    for (sign, name) in [(" && ", "and"), (" || ", "or"), ("!(", "not")] {
        if text.contains(sign) {
            found.push(format!("{word} {name}"));
        }
    }
    if text.contains('U') || text.contains("(unsigned") {
        found.push(format!("{word} unsigned"));
    }
    if found.is_empty() {
        found.push(word.to_owned());
    }
    found
}
