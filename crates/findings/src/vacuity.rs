//! How much of the work of a campaign was empty, as techniques count it.

use techniques::Technique;

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

/// The shares of all empty work that these techniques counted.
pub fn empty_work(techniques: &[&Technique], count: impl Fn(&str) -> u64) -> Vec<EmptyWork> {
    let mut shares = Vec::new();
    for technique in techniques {
        for share in technique.shares {
            let percent = share.percent(technique.name, &count);
            let (technique, part) = (share.part.is_scoped().then_some(technique.name), share.part.name());
            shares.extend(percent.map(|percent| EmptyWork { technique, part, percent }));
        }
    }
    // What is not scoped comes first, since its line names no technique.
    shares.sort_by_key(|share| share.technique.is_some());
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn counts_of_techniques_are_kept_apart() {
        let counts = BTreeMap::from([
            ("instances", 30),
            ("instances drawn twice", 10),
            ("precedence_graph: programs asked about", 8),
            ("precedence_graph: programs with an empty output", 2),
            ("programs with an empty output", 5),
        ]);
        let shares = empty_work(techniques::all(), |name| counts.get(name).copied().unwrap_or(0));
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
