//! Versions: which of two comes first, and what a version has.

use std::cmp::Ordering;

/// Something that not every version of an analyzer has.
pub(crate) trait Versioned {
    /// The first version that has it, and the first that has it no longer.
    fn bounds(&self) -> (Option<&str>, Option<&str>);
}

/// True if this version has it. A version that is no list of numbers is only known to have what all have.
pub(crate) fn has(thing: &impl Versioned, version: &str) -> bool {
    let (since, until) = thing.bounds();
    if since.is_none() && until.is_none() {
        return true;
    }
    let Some(version) = numbers(version) else { return false };
    let compared = |bound: &str| numbers(bound).map(|bound| compare(&version, &bound));
    since.is_none_or(|bound| compared(bound).is_some_and(Ordering::is_ge))
        && until.is_none_or(|bound| compared(bound).is_some_and(Ordering::is_lt))
}

/// True if the text can be compared with versions.
pub(crate) fn is_version(text: &str) -> bool {
    numbers(text).is_some()
}

/// The numbers at the start of a version: 25 and 0 for `25.0-beta`.
fn numbers(version: &str) -> Option<Vec<u64>> {
    let digits = version.find(|letter: char| letter != '.' && !letter.is_ascii_digit());
    let leading = version.get(..digits.unwrap_or(version.len()))?.trim_end_matches('.');
    leading.split('.').map(|part| part.parse().ok()).collect()
}

/// Missing numbers count as zeros, so that 13 is 13.0.
fn compare(left: &[u64], right: &[u64]) -> Ordering {
    let at = |numbers: &[u64], index| numbers.get(index).copied().unwrap_or(0);
    let compared = (0..left.len().max(right.len())).map(|index| at(left, index).cmp(&at(right, index)));
    compared.fold(Ordering::Equal, Ordering::then)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bounds(Option<&'static str>, Option<&'static str>);

    impl Versioned for Bounds {
        fn bounds(&self) -> (Option<&str>, Option<&str>) {
            (self.0, self.1)
        }
    }

    #[test]
    fn versions_are_compared_number_by_number() {
        for (version, since, until, expected) in [
            ("12.2.0", Some("12"), None, true),
            ("11.3.0", Some("12"), None, false),
            ("9.1", Some("10"), None, false),
            ("12.0.0", Some("12"), None, true),
            ("12", Some("12.0"), Some("13"), true),
            ("13.0.1", None, Some("13"), false),
            ("25.0-beta", Some("24"), Some("25.1"), true),
            ("unknown", None, None, true),
            ("unknown", Some("1"), None, false),
            ("", None, Some("3"), false),
            ("99999999999999999999999", Some("1"), None, false),
        ] {
            assert_eq!(has(&Bounds(since, until), version), expected, "{version} {since:?} {until:?}");
        }
    }
}
