//! Grouping: findings with one cause are one bug.
//!
//! A fingerprint is the analyzer's name, a class of kinds, and the features of the reduced exhibit. Reduction does
//! not always reach the very smallest form, so a finding joins a bug if the features of one include all those of
//! the other; the bug then goes by the smaller set.

use model::Kind;
use std::collections::BTreeSet;
use store::BugRow;

/// Findings of one bug that are kept in full; the rest are counted.
pub const KEPT_PER_BUG: u64 = 20;

/// The bugs of a campaign so far.
#[derive(Default)]
pub struct Bugs {
    /// In the order of their numbers.
    rows: Vec<BugRow>,
}

/// Where a finding was put.
pub struct Placed {
    /// The bug, with the new hit counted.
    pub bug: BugRow,
    /// Bugs that turned out to be this one, now that it goes by fewer features; they are no more.
    pub merged: Vec<u32>,
    /// False if enough findings of this bug are kept already.
    pub keep: bool,
}

impl Bugs {
    /// Goes on from stored bugs.
    pub fn new(rows: Vec<BugRow>) -> Bugs {
        Bugs { rows }
    }

    /// All of them, by number.
    pub fn rows(&self) -> &[BugRow] {
        &self.rows
    }

    /// Counts a finding with the bug it belongs to, which may be a new one.
    pub fn place(&mut self, analyzer_name: &str, kind: Kind, features: &BTreeSet<String>) -> Placed {
        let fingerprint = fingerprint(analyzer_name, kind, features);
        let index = match self.home_of(&fingerprint) {
            Some(index) => {
                let known = &mut self.rows[index].fingerprint;
                if includes(known, &fingerprint) {
                    *known = fingerprint;
                }
                index
            }
            None => {
                let number = self.rows.last().map_or(1, |row| row.number.saturating_add(1));
                self.rows.push(BugRow { number, fingerprint, hits: 0 });
                self.rows.len() - 1
            }
        };
        let merged = self.merge_into(index);
        let bug = &mut self.rows[index];
        bug.hits += 1;
        Placed { bug: bug.clone(), merged, keep: bug.hits <= KEPT_PER_BUG }
    }

    /// Takes in later bugs whose features include all those of this one.
    fn merge_into(&mut self, index: usize) -> Vec<u32> {
        let home = self.rows[index].clone();
        let is_the_same =
            |row: &BugRow| row.number > home.number && includes(&row.fingerprint, &home.fingerprint);
        let (same, rest): (Vec<BugRow>, Vec<BugRow>) = self.rows.drain(..).partition(is_the_same);
        self.rows = rest;
        self.rows[index].hits += same.iter().map(|row| row.hits).sum::<u64>();
        same.into_iter().map(|row| row.number).collect()
    }

    fn home_of(&self, fingerprint: &str) -> Option<usize> {
        let exact = self.rows.iter().position(|row| row.fingerprint == fingerprint);
        let related =
            |row: &BugRow| includes(fingerprint, &row.fingerprint) || includes(&row.fingerprint, fingerprint);
        exact.or_else(|| self.rows.iter().position(related))
    }
}

fn fingerprint(analyzer_name: &str, kind: Kind, features: &BTreeSet<String>) -> String {
    let features: Vec<&str> = features.iter().map(String::as_str).collect();
    format!("{analyzer_name}|{}|{}", class(kind), features.join(" & "))
}

/// A wrong meaning of an operator shows as a wrong unsat here and as a wrong model there: one cause, two kinds.
fn class(kind: Kind) -> String {
    match kind {
        Kind::Soundness | Kind::InvalidModel => "wrong answer".to_owned(),
        other => other.to_string(),
    }
}

/// True if both accuse the same analyzer of the same kind and the larger has every feature of the smaller.
/// A bug without features includes nothing: it would swallow all others.
fn includes(larger: &str, smaller: &str) -> bool {
    let split = |text: &str| {
        let mut parts = text.splitn(3, '|').map(str::to_owned);
        (parts.next(), parts.next(), parts.next().unwrap_or_default())
    };
    let (larger, smaller) = (split(larger), split(smaller));
    if (&larger.0, &larger.1) != (&smaller.0, &smaller.1) || smaller.2.is_empty() {
        return false;
    }
    let features: BTreeSet<&str> = larger.2.split(" & ").collect();
    smaller.2.split(" & ").all(|feature| features.contains(feature))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(text: &str) -> BTreeSet<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn equal_larger_and_smaller_feature_sets_join_and_others_do_not() {
        let mut bugs = Bugs::default();
        let mut place = |kind, text| bugs.place("z3", kind, &features(text)).bug.number;
        assert_eq!(place(Kind::Soundness, "bvslt"), 1);
        assert_eq!(place(Kind::Soundness, "not ite"), 2);
        assert_eq!(place(Kind::Soundness, "ite not bvadd"), 2);
        assert_eq!(place(Kind::Crash, "bvslt"), 3);
        assert_eq!(place(Kind::InvalidModel, "bvslt"), 1);
        assert_eq!(place(Kind::Soundness, ""), 4);
        assert_eq!(place(Kind::Soundness, "bvurem bvudiv"), 5);
        assert_eq!(place(Kind::Soundness, "bvurem"), 5);
        assert_eq!(place(Kind::Soundness, "bvurem concat"), 5);
        assert_eq!(place(Kind::Soundness, "xor distinct"), 6);
        assert_eq!(place(Kind::Soundness, "xor let"), 7);
        assert_eq!(place(Kind::Soundness, "xor"), 6);
        assert_eq!(bugs.place("z3", Kind::Soundness, &features("xor let")).bug.hits, 4);
    }

    #[test]
    fn findings_past_the_cap_are_counted_but_not_kept() {
        let mut bugs = Bugs::default();
        let kept = (0..30).filter(|_| bugs.place("z3", Kind::Crash, &features("x")).keep).count();
        assert_eq!(kept as u64, KEPT_PER_BUG);
    }
}
