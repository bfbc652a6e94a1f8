//! "Did you mean": the known word nearest to an unknown one.

/// Returns the nearest known word, if it is near enough to be meant.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|candidate| (strsim::levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.chars().count() / 3)
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_words_are_not() {
        let known = ["mypy", "pylint", "cppcheck", "ruff"];
        for (word, expected) in [
            ("mypi", Some("mypy")),
            ("cpcheck", Some("cppcheck")),
            ("flint", Some("pylint")),
            ("frama-c", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), expected, "{word}");
        }
    }
}
