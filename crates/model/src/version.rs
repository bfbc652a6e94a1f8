//! Versions of analyzers, and the only comparison between them.

use std::cmp::Ordering;

/// Compares versions number by number. Missing numbers count as zeros, so `13` equals `13.0`, and a pre-release comes
/// before its release: `25.0-beta2` is less than `25.0`.
pub fn compare_versions(left: &str, right: &str) -> Ordering {
    sort_key(left).cmp(&sort_key(right))
}

/// The numbers at the start of a version, such as `25.0` of `25.0-beta2`; `None` if it does not start with a number.
///
/// A pre-release has the features of its release, so bounds such as `since = "25"` are compared with this part alone.
pub fn release_of(version: &str) -> Option<&str> {
    let end = version.find(|letter: char| letter != '.' && !letter.is_ascii_digit());
    let release = version.get(..end.unwrap_or(version.len()))?.trim_end_matches('.');
    release.starts_with(|first: char| first.is_ascii_digit()).then_some(release)
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct SortKey {
    release: Vec<u64>,
    stage: Stage,
    suffix: Vec<u64>,
}

/// What the text after the numbers says, from early to late.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// `-beta2` or `~pre4`.
    PreRelease,
    Release,
    /// Anything else, such as `-1-g45a7a8d` for a commit after the release.
    AfterRelease,
}

fn sort_key(version: &str) -> SortKey {
    let release = release_of(version).unwrap_or_default();
    let suffix = &version[release.len()..];
    let mut letters = suffix.trim_start_matches('.').chars();
    let stage = match (letters.next(), letters.next()) {
        (None, _) => Stage::Release,
        (Some('-' | '~'), Some(letter)) if letter.is_alphabetic() => Stage::PreRelease,
        _ => Stage::AfterRelease,
    };
    SortKey { release: numbers_in(release), stage, suffix: numbers_in(suffix) }
}

/// Every number of a text; zeros at the end are dropped.
fn numbers_in(text: &str) -> Vec<u64> {
    let digits = text.split(|letter: char| !letter.is_ascii_digit()).filter(|part| !part.is_empty());
    let mut numbers: Vec<u64> = digits.map(|part| part.parse().unwrap_or(u64::MAX)).collect();
    while numbers.last() == Some(&0) {
        numbers.pop();
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_number_and_stage() {
        let ascending = [
            "unknown",
            "1.0~pre4",
            "1.0~pre5",
            "1.0",
            "4.8.7",
            "4.8.12",
            "5.4.0",
            "24.0",
            "25.0-beta",
            "25.0-beta2",
            "25.0",
            "25.0-1-g45a7a8d",
            "25.0.1",
        ];
        for pair in ascending.windows(2) {
            assert_eq!(compare_versions(pair[0], pair[1]), Ordering::Less, "{pair:?}");
            assert_eq!(compare_versions(pair[1], pair[0]), Ordering::Greater, "{pair:?}");
        }
        assert_eq!(compare_versions("13", "13.0.0"), Ordering::Equal);
        assert_eq!(compare_versions("25.0-beta2", "25-beta2"), Ordering::Equal);
    }

    #[test]
    fn the_release_is_the_numbers_at_the_start() {
        for (version, release) in [
            ("25.0-beta2", Some("25.0")),
            ("1.0.8.dev", Some("1.0.8")),
            ("12", Some("12")),
            ("unknown", None),
            ("", None),
            (".5", None),
        ] {
            assert_eq!(release_of(version), release, "{version}");
        }
    }
}
