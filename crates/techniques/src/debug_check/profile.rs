//! The precision profile: how often the engine of an analyzer knows what follows by each rule.

use model::AnalyzerId;

/// What an engine says about a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// The engine does not come to it.
    NotReached,
}

impl Said {
    /// Everything that an engine can say, in the order of the columns of a profile.
    pub const ALL: [Said; 6] =
        [Said::True, Said::Unknown, Said::Undefined, Said::Several, Said::False, Said::NotReached];

    /// The word for it in counts and tables.
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

/// One cell of the profile. Cells are counted like everything else, under a name of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileCell<'a> {
    /// The identity of the analyzer.
    pub analyzer: &'a str,
    /// The rule by which the condition follows.
    pub rule: &'a str,
    /// What the engine says.
    pub said: Said,
}

const PREFIX: &str = "profile: ";

impl<'a> ProfileCell<'a> {
    /// The cell for an answer.
    pub fn new(analyzer: &'a AnalyzerId, rule: &'a str, said: Said) -> ProfileCell<'a> {
        ProfileCell { analyzer: analyzer.as_str(), rule, said }
    }

    /// The name under which the cell is counted.
    pub fn count_name(&self) -> String {
        format!("{PREFIX}{}: {}: {}", self.analyzer, self.rule, self.said.word())
    }

    /// The cell that is counted under a name; `None` if the name is that of another count.
    pub fn of_count(name: &'a str) -> Option<ProfileCell<'a>> {
        let (rest, word) = name.strip_prefix(PREFIX)?.rsplit_once(": ")?;
        let (analyzer, rule) = rest.rsplit_once(": ")?;
        let said = Said::ALL.into_iter().find(|said| said.word() == word)?;
        Some(ProfileCell { analyzer, rule, said })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_reads_back_from_its_name() {
        for said in Said::ALL {
            let cell = ProfileCell { analyzer: "gcc@12.2.0:fanalyzer=on", rule: "swap", said };
            assert_eq!(ProfileCell::of_count(&cell.count_name()), Some(cell));
        }
        for other in ["programs", "profile: gcc", "profile: gcc: swap: perhaps"] {
            assert_eq!(ProfileCell::of_count(other), None, "{other}");
        }
    }
}
