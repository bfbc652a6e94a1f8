//! "Did you mean": the known word nearest to an unknown one.

/// Returns the nearest known word, if it is near enough to be meant: one typing error in three letters. Two letters in the
/// wrong order are one error.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    known
        .into_iter()
        .map(|candidate| (strsim::osa_distance(word, candidate), candidate))
        .filter(|(distance, candidate)| {
            let longest = length.max(candidate.chars().count());
            *distance < longest && *distance <= (longest / 3).max(1)
        })
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_words_are_not() {
        let known = ["z3", "cvc5", "cvc4", "yices", "bitwuzla", "gcc", "clam", "klee", "pylint"];
        for (word, expected) in [
            ("yces", Some("yices")),
            ("yiecs", Some("yices")),
            ("bitwusla", Some("bitwuzla")),
            ("z4", Some("z3")),
            ("flint", Some("pylint")),
            ("frama-c", None),
            ("abc", None),
            ("flow", None),
            ("calc", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), expected, "{word}");
        }
    }
}
