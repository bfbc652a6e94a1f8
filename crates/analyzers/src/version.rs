//! What a description declares for some versions of its analyzer only.

use model::{compare_versions, release_of};

/// Something that not every version of an analyzer has.
pub(crate) trait Versioned {
    /// The first version that has it, and the first that no longer has it.
    fn bounds(&self) -> (Option<&str>, Option<&str>);
}

/// True if this version has it. A version that does not start with a number has only what all versions have.
pub(crate) fn has(thing: &impl Versioned, version: &str) -> bool {
    let (since, until) = thing.bounds();
    match release_of(version) {
        Some(release) => {
            since.is_none_or(|bound| compare_versions(release, bound).is_ge())
                && until.is_none_or(|bound| compare_versions(release, bound).is_lt())
        }
        None => since.is_none() && until.is_none(),
    }
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
            // A pre-release has what its release has.
            ("25.0-beta2", Some("25"), None, true),
            ("25.0-beta2", None, Some("25"), false),
            ("unknown", None, None, true),
            ("unknown", Some("1"), None, false),
            ("", None, Some("3"), false),
            ("99999999999999999999999", Some("1"), None, true),
        ] {
            assert_eq!(has(&Bounds(since, until), version), expected, "{version} {since:?} {until:?}");
        }
    }
}
