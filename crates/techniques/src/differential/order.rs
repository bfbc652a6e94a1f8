//! Which analyzers of a line-up must verify what others do: configurations of one analyzer that its description calls
//! more precise, and newer versions.

use model::{AnalyzerId, AnalyzerInfo, OptionChoice, compare_versions};
use std::cmp::Ordering;

/// Pairs of places: the first is at least as precise as the second. Both are the same version of one analyzer, and
/// differ in one choice.
pub fn orders(members: &[&AnalyzerInfo]) -> Vec<(usize, usize)> {
    pairs(members, |precise, other| {
        let (left, right) = (&precise.id, &other.id);
        let is_same = left.name() == right.name() && left.version() == right.version();
        is_same
            && differing_choice(left, right).is_some_and(|(choice, value, less)| {
                let role = precise.reachability();
                let order = role.and_then(|role| role.ordered.iter().find(|option| option.name == choice));
                order.is_some_and(|order| rises(order, less, value))
            })
    })
}

/// Pairs of places: the first is a newer version of the second, with the same choices.
pub fn versions(members: &[&AnalyzerInfo]) -> Vec<(usize, usize)> {
    pairs(members, |newer, older| {
        let (left, right) = (&newer.id, &older.id);
        left.name() == right.name()
            && sorted(left) == sorted(right)
            && compare_versions(left.version(), right.version()) == Ordering::Greater
    })
}

fn pairs(
    members: &[&AnalyzerInfo],
    holds: impl Fn(&AnalyzerInfo, &AnalyzerInfo) -> bool,
) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (first, left) in members.iter().enumerate() {
        for (second, right) in members.iter().enumerate() {
            if holds(left, right) {
                pairs.push((first, second));
            }
        }
    }
    pairs
}

/// The only choice in which two configurations differ, with both values; both must name it.
fn differing_choice<'a>(left: &'a AnalyzerId, right: &'a AnalyzerId) -> Option<(&'a str, &'a str, &'a str)> {
    let (left, right) = (sorted(left), sorted(right));
    let keys = |choices: &[(&'a str, &'a str)]| choices.iter().map(|(key, _)| *key).collect::<Vec<_>>();
    if keys(&left) != keys(&right) {
        return None;
    }
    let mut differing = left.iter().zip(&right).filter(|(left, right)| left.1 != right.1);
    match (differing.next(), differing.next()) {
        (Some((left, right)), None) => Some((left.0, left.1, right.1)),
        _ => None,
    }
}

/// The choices of an analyzer, whatever order they were given in.
fn sorted(id: &AnalyzerId) -> Vec<(&str, &str)> {
    let mut choices = id.choices();
    choices.sort_unstable();
    choices
}

/// True if a value of an option is meant to be more precise than another. Numbers that are not listed count as numbers.
fn rises(option: &OptionChoice, from: &str, to: &str) -> bool {
    let place = |value: &str| option.values.iter().position(|known| known == value);
    if let (Some(from), Some(to)) = (place(from), place(to)) {
        return from < to;
    }
    let numbers: Option<Vec<u64>> = option.values.iter().map(|value| value.parse().ok()).collect();
    let is_numeric = numbers.is_some_and(|numbers| numbers.is_sorted());
    is_numeric && from.parse::<u64>().ok().zip(to.parse().ok()).is_some_and(|(from, to)| from < to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(values: &[&str]) -> OptionChoice {
        OptionChoice { name: "level".to_owned(), values: values.iter().map(|it| (*it).to_owned()).collect() }
    }

    #[test]
    fn later_values_and_greater_numbers_are_more_precise() {
        let words = option(&["coarse", "fine"]);
        assert!(rises(&words, "coarse", "fine") && !rises(&words, "fine", "coarse"));
        assert!(!rises(&words, "coarse", "other"));
        let numbers = option(&["1", "10", "100"]);
        assert!(rises(&numbers, "1", "100") && rises(&numbers, "7", "50") && !rises(&numbers, "50", "7"));
    }

    #[test]
    fn configurations_that_differ_in_one_choice_are_compared() {
        let id = |choices: &[(&str, &str)]| {
            let owned: Vec<(String, String)> =
                choices.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
            AnalyzerId::new("a", "1.0", &owned)
        };
        let (low, high) = (id(&[("x", "1"), ("y", "2")]), id(&[("x", "1"), ("y", "3")]));
        assert_eq!(differing_choice(&high, &low), Some(("y", "3", "2")));
        assert_eq!(differing_choice(&low, &id(&[("x", "2"), ("y", "3")])), None);
        assert_eq!(differing_choice(&low, &id(&[])), None);
    }
}
