//! The precision profile: how often the engine of an analyzer knows what follows from a condition, by rule.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// What an engine says about a condition. The order is the order of the columns of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Said {
    /// It holds.
    True,
    /// The engine knows nothing about it.
    Unknown,
    /// It reads something without a value.
    Undefined,
    /// Different things on different paths.
    Several,
    /// It does not hold.
    False,
    /// The engine does not reach it.
    NotReached,
}

impl Said {
    /// Everything that an engine can say.
    pub const ALL: [Said; 6] =
        [Said::True, Said::Unknown, Said::Undefined, Said::Several, Said::False, Said::NotReached];

    /// The word in tables.
    pub fn word(self) -> &'static str {
        match self {
            Said::True => "true",
            Said::Unknown => "unknown",
            Said::Undefined => "undefined",
            Said::Several => "several",
            Said::False => "false",
            Said::NotReached => "not reached",
        }
    }
}

/// One cell of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileCell<'a> {
    /// The identity of the analyzer.
    pub analyzer: &'a str,
    /// The rule by which the condition follows.
    pub rule: &'a str,
    /// What the engine says.
    pub said: Said,
}

impl fmt::Display for ProfileCell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "profile: {}: {}: {}", self.analyzer, self.rule, self.said.word())
    }
}

/// How often each answer was given, by analyzer and rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Profile(BTreeMap<String, BTreeMap<String, BTreeMap<Said, u64>>>);

impl Profile {
    /// Adds to a cell.
    pub fn count(&mut self, cell: ProfileCell<'_>, how_many: u64) {
        let rules = self.0.entry(cell.analyzer.to_owned()).or_default();
        *rules.entry(cell.rule.to_owned()).or_default().entry(cell.said).or_default() += how_many;
    }

    /// Adds another profile.
    pub fn add(&mut self, other: &Profile) {
        other.cells().for_each(|(cell, count)| self.count(cell, count));
    }

    /// The cells that are not zero.
    pub fn cells(&self) -> impl Iterator<Item = (ProfileCell<'_>, u64)> {
        self.0.iter().flat_map(|(analyzer, rules)| {
            rules.iter().flat_map(move |(rule, answers)| {
                answers.iter().map(move |(said, count)| (ProfileCell { analyzer, rule, said: *said }, *count))
            })
        })
    }

    /// True if nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_stored_and_added_up() {
        let mut profile = Profile::default();
        let cell = ProfileCell { analyzer: "gcc@12.2.0", rule: "swap", said: Said::NotReached };
        profile.count(cell, 2);
        let text = serde_json::to_string(&profile).unwrap();
        assert_eq!(text, r#"{"gcc@12.2.0":{"swap":{"not-reached":2}}}"#);
        let stored: Profile = serde_json::from_str(&text).unwrap();
        profile.add(&stored);
        assert_eq!(profile.cells().collect::<Vec<_>>(), [(cell, 4)]);
        assert_eq!(cell.to_string(), "profile: gcc@12.2.0: swap: not reached");
    }
}
