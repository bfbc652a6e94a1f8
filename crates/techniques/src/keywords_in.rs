//! Words of a program that tell what it needs, for grouping.

use std::collections::BTreeSet;

/// Those of the words that stand in the text.
pub(crate) fn keywords_in(text: &str, words: &[&str]) -> Vec<String> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let found: BTreeSet<&str> = text.split(|character| !is_part(character)).collect();
    words.iter().filter(|word| found.contains(*word)).map(|word| (*word).to_owned()).collect()
}
