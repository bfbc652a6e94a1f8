//! How much of the work of a campaign was empty, as techniques count it.

/// What techniques count of empty work: the part, what it is a part of, and whether the whole includes the part.
const EMPTY_WORK: [(&str, &str, bool); 8] = [
    ("instances drawn twice", "instances", false),
    ("programs without a failing check", "pairs", true),
    ("pairs without a common check", "pairs", true),
    ("evaluations not reached", "evaluations answered", false),
    ("errors that do not happen", "errors put in", true),
    ("programs with an empty output", "programs asked about", true),
    ("rewritten programs that are the same", "rewritten programs", true),
    ("programs whose rows did not change", "programs whose rows were to change", true),
];

/// The share of one kind of empty work.
#[derive(Clone, Debug, PartialEq)]
pub struct EmptyWork {
    /// The technique that keeps the count under its own name, if one does.
    pub technique: Option<&'static str>,
    /// What was empty.
    pub part: &'static str,
    /// The share, in percent.
    pub percent: f64,
}

/// The shares of all empty work that was counted.
pub fn empty_work(count: impl Fn(&str) -> u64) -> Vec<EmptyWork> {
    let techniques = techniques::all().iter().map(|technique| Some(technique.name));
    let mut shares = Vec::new();
    for technique in std::iter::once(None).chain(techniques) {
        let count = |name: &str| match technique {
            Some(technique) => count(&format!("{technique}: {name}")),
            None => count(name),
        };
        for (part, whole, included) in EMPTY_WORK {
            let total = count(whole) + if included { 0 } else { count(part) };
            if total > 0 {
                let percent = 100.0 * count(part) as f64 / total as f64;
                shares.push(EmptyWork { technique, part, percent });
            }
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn counts_of_techniques_are_told_apart() {
        let counts = BTreeMap::from([
            ("instances", 30),
            ("instances drawn twice", 10),
            ("precedence_graph: programs asked about", 8),
            ("precedence_graph: programs with an empty output", 2),
            ("programs with an empty output", 5),
        ]);
        let shares = empty_work(|name| counts.get(name).copied().unwrap_or(0));
        let share = |technique, part, percent| EmptyWork { technique, part, percent };
        assert_eq!(
            shares,
            [
                share(None, "instances drawn twice", 25.0),
                share(Some("precedence_graph"), "programs with an empty output", 25.0)
            ]
        );
    }
}
