//! What a reduced exhibit is made of. Findings with the same features are taken for one bug.

use super::judge::{self, EXECUTED};
use super::weigh::programs;
use model::{Annotation, Answer, CInput, Demand, Exhibit, Kind};
use std::collections::BTreeSet;

/// The shapes of the disputed checks and of the assumptions, and the kinds of statements around them.
pub fn features(reduced: &Exhibit, answers: &[Answer]) -> BTreeSet<String> {
    let mut features = BTreeSet::new();
    if matches!(reduced.kind, Kind::Crash | Kind::Refusal) {
        features.insert(reduced.title.clone());
        return features;
    }
    let disputed: BTreeSet<u32> = match (reduced.relation.name.as_str(), answers) {
        (EXECUTED, [claimed, executed, ..]) => judge::refuted_checks(claimed, executed).into_iter().collect(),
        (_, [first, second, ..]) => {
            judge::disputed(reduced, first, second).iter().map(|dispute| dispute.check).collect()
        }
        _ => BTreeSet::new(),
    };
    if let Some(program) = programs(reduced).last() {
        for annotation in &program.annotations {
            features.extend(annotation_features(annotation, &disputed));
        }
        features.extend(text_features(program));
    }
    features
}

/// The comparisons of a disputed check or of an assumption. Other checks are there by chance.
fn annotation_features(annotation: &Annotation, disputed: &BTreeSet<u32>) -> Vec<String> {
    let word = match annotation.what {
        Demand::Check(number) if disputed.contains(&number) => "check",
        Demand::Check(_) => return Vec::new(),
        Demand::Assume => "assume",
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

/// What the seed's text needs.
fn text_features(program: &CInput) -> Vec<String> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let words: BTreeSet<&str> = program.base.split(|character| !is_part(character)).collect();
    let telling = ["while", "for", "do", "switch", "goto", "float", "double", "union", "struct"];
    telling.iter().filter(|word| words.contains(*word)).map(|word| (*word).to_owned()).collect()
}
