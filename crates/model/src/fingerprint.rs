//! What the findings of one bug have in common.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// The fingerprint of a bug. Findings with related fingerprints have one cause.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The name of the accused analyzer, without version and configuration.
    pub analyzer: String,
    /// What the analyzer does wrong: `wrong answer`, `crash`.
    pub class: String,
    /// What the reduced exhibit is made of. A feature is any text, such as the signature of a crash.
    pub features: BTreeSet<String>,
}

impl Fingerprint {
    /// Whether both accuse the same analyzer of the same class, and this one has every feature of the other.
    ///
    /// A fingerprint without features is included in none: its bug would swallow all others.
    pub fn includes(&self, smaller: &Fingerprint) -> bool {
        (&self.analyzer, &self.class) == (&smaller.analyzer, &smaller.class)
            && !smaller.features.is_empty()
            && smaller.features.is_subset(&self.features)
    }
}

/// The form for people, such as `z3|wrong answer|bvslt & ite`. It is never parsed.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let features: Vec<&str> = self.features.iter().map(String::as_str).collect();
        write!(f, "{}|{}|{}", self.analyzer, self.class, features.join(" & "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(features: &[&str]) -> Fingerprint {
        let features = features.iter().map(|it| (*it).to_owned()).collect();
        Fingerprint { analyzer: "z3".to_owned(), class: "crash".to_owned(), features }
    }

    #[test]
    fn features_are_compared_whole() {
        let strange = fingerprint(&["a & b", "c|d"]);
        for (larger, smaller, expected) in [
            (&strange, &fingerprint(&["a & b"]), true),
            (&strange, &fingerprint(&["c|d"]), true),
            (&strange, &fingerprint(&["a"]), false),
            (&strange, &fingerprint(&["b", "c|d"]), false),
            (&fingerprint(&["a", "b", "c|d"]), &strange, false),
            (&strange, &fingerprint(&[]), false),
        ] {
            assert_eq!(larger.includes(smaller), expected, "{larger} and {smaller}");
        }
    }

    #[test]
    fn fingerprints_are_read_back() {
        let strange = fingerprint(&["a & b", "c|d", "\""]);
        let text = serde_json::to_string(&strange).unwrap();
        assert_eq!(serde_json::from_str::<Fingerprint>(&text).unwrap(), strange);
    }
}
