//! Grouping: findings with one cause are one bug.
//!
//! A fingerprint is the analyzer's name, a class of kinds, and the features of the reduced exhibit. Reduction does
//! not always reach the very smallest form, so a finding joins a bug if the features of one include all those of
//! the other; the bug then goes by the smaller set.

use crate::Examined;
use model::{Evidence, Finding, Kind};
use std::collections::{BTreeMap, BTreeSet};
use store::BugRow;

/// Findings of one bug that are kept in full, whatever they are. Of the rest only those are kept that say more: a
/// stronger case than all before, or the first against an analyzer. The others are counted.
pub const KEPT_PER_BUG: u64 = 20;

/// The bugs of a campaign so far.
#[derive(Default)]
pub struct Bugs {
    /// In the order of their numbers.
    rows: Vec<BugRow>,
    /// The largest number given so far; that of a bug that is no more is not given again.
    last_number: u32,
    /// What is kept of each bug, by its number.
    kept: BTreeMap<u32, Kept>,
}

/// What is kept of one bug.
#[derive(Default)]
struct Kept {
    strongest: Option<(Evidence, Kind)>,
    analyzers: BTreeSet<String>,
}

/// What grouping looks at.
pub struct Sighting<'a> {
    /// The identity of the accused analyzer: `z3@4.8.12`.
    pub analyzer: &'a str,
    /// Its name alone.
    pub analyzer_name: &'a str,
    /// What it is accused of.
    pub kind: Kind,
    /// How strong the case is.
    pub evidence: Evidence,
    /// What the reduced exhibit is made of.
    pub features: &'a BTreeSet<String>,
}

/// Where a finding was put.
pub struct Placed {
    /// The bug, with the new hit counted.
    pub bug: BugRow,
    /// Bugs that turned out to be this one, now that it goes by fewer features; they are no more.
    pub merged: Vec<u32>,
    /// True if the bug goes by fewer features than before.
    pub renamed: bool,
    /// False if enough findings of this bug are kept already.
    pub keep: bool,
}

impl<'a> Sighting<'a> {
    /// What grouping looks at in an exhibit that stood every test.
    pub fn of(examined: &'a Examined) -> Sighting<'a> {
        let accused = examined.reduced.queries.first().map(|query| &query.analyzer);
        Sighting {
            analyzer: accused.map_or("", |id| id.as_str()),
            analyzer_name: accused.map_or("", |id| id.name()),
            kind: examined.weighed.kind.unwrap_or(examined.exhibit.kind),
            evidence: examined.weighed.evidence,
            features: &examined.features,
        }
    }
}

impl Bugs {
    /// Goes on from stored bugs and their findings.
    pub fn new(rows: Vec<BugRow>, last_number: u32, findings: &[Finding]) -> Bugs {
        let mut kept: BTreeMap<u32, Kept> = BTreeMap::new();
        for finding in findings {
            let accused = finding.reduced.queries.first().map_or("", |query| query.analyzer.as_str());
            let strength = (finding.weighed.evidence, finding.kind());
            kept.entry(finding.bug).or_default().add(accused, strength);
        }
        Bugs { rows, last_number, kept }
    }

    /// All of them, by number.
    pub fn rows(&self) -> &[BugRow] {
        &self.rows
    }

    /// The bug with this number.
    pub fn find(&self, number: u32) -> Option<&BugRow> {
        self.rows.iter().find(|row| row.number == number)
    }

    /// Counts a finding with the bug it belongs to, which may be a new one.
    pub fn place(&mut self, sighting: &Sighting<'_>) -> Placed {
        let fingerprint = fingerprint(sighting);
        let mut renamed = false;
        let index = match self.home_of(&fingerprint) {
            Some(index) => {
                let known = &mut self.rows[index].fingerprint;
                renamed = *known != fingerprint && includes(known, &fingerprint);
                if renamed {
                    *known = fingerprint;
                }
                index
            }
            None => self.add(fingerprint),
        };
        let merged = self.merge_into(index);
        let keep = self.hit(index, sighting);
        Placed { bug: self.rows[index].clone(), merged, renamed, keep }
    }

    /// The same for a finding that is only shown and will be taken back: it changes nothing of the bugs that are
    /// there but their hits.
    pub fn place_for_show(&mut self, sighting: &Sighting<'_>) -> Placed {
        let fingerprint = fingerprint(sighting);
        let index = match self.home_of(&fingerprint) {
            Some(index) => index,
            None => self.add(fingerprint),
        };
        let keep = self.hit(index, sighting);
        Placed { bug: self.rows[index].clone(), merged: Vec::new(), renamed: false, keep }
    }

    fn add(&mut self, fingerprint: String) -> usize {
        self.last_number = self.last_number.saturating_add(1);
        self.rows.push(BugRow { number: self.last_number, fingerprint, hits: 0 });
        self.rows.len() - 1
    }

    /// Counts a hit, and says whether its finding is worth keeping.
    fn hit(&mut self, index: usize, sighting: &Sighting<'_>) -> bool {
        let bug = &mut self.rows[index];
        bug.hits += 1;
        let kept = self.kept.entry(bug.number).or_default();
        let strength = (sighting.evidence, sighting.kind);
        let keep = bug.hits <= KEPT_PER_BUG || kept.lacks(sighting.analyzer, strength);
        if keep {
            kept.add(sighting.analyzer, strength);
        }
        keep
    }

    /// Takes in later bugs whose features include all those of this one.
    fn merge_into(&mut self, index: usize) -> Vec<u32> {
        let home = self.rows[index].clone();
        let is_the_same =
            |row: &BugRow| row.number > home.number && includes(&row.fingerprint, &home.fingerprint);
        let (same, rest): (Vec<BugRow>, Vec<BugRow>) = self.rows.drain(..).partition(is_the_same);
        self.rows = rest;
        self.rows[index].hits += same.iter().map(|row| row.hits).sum::<u64>();
        let taken_in: Vec<Kept> = same.iter().filter_map(|row| self.kept.remove(&row.number)).collect();
        let kept = self.kept.entry(home.number).or_default();
        taken_in.into_iter().for_each(|other| kept.take_in(other));
        same.into_iter().map(|row| row.number).collect()
    }

    fn home_of(&self, fingerprint: &str) -> Option<usize> {
        let exact = self.rows.iter().position(|row| row.fingerprint == fingerprint);
        let related =
            |row: &BugRow| includes(fingerprint, &row.fingerprint) || includes(&row.fingerprint, fingerprint);
        exact.or_else(|| self.rows.iter().position(related))
    }
}

impl Kept {
    fn add(&mut self, analyzer: &str, strength: (Evidence, Kind)) {
        self.strongest = Some(self.strongest.map_or(strength, |strongest| strongest.min(strength)));
        self.analyzers.insert(analyzer.to_owned());
    }

    fn take_in(&mut self, other: Kept) {
        self.strongest = [self.strongest, other.strongest].into_iter().flatten().min();
        self.analyzers.extend(other.analyzers);
    }

    /// True if nothing kept is as strong, or nothing is against this analyzer. The order of both is the order of
    /// lists: strongest first.
    fn lacks(&self, analyzer: &str, strength: (Evidence, Kind)) -> bool {
        self.strongest.is_none_or(|strongest| strength < strongest) || !self.analyzers.contains(analyzer)
    }
}

fn fingerprint(sighting: &Sighting<'_>) -> String {
    let features: Vec<&str> = sighting.features.iter().map(String::as_str).collect();
    format!("{}|{}|{}", sighting.analyzer_name, class(sighting.kind), features.join(" & "))
}

/// The features of a fingerprint.
pub(crate) fn features_of(fingerprint: &str) -> Vec<&str> {
    let features = fingerprint.splitn(3, '|').nth(2).unwrap_or_default();
    features.split(" & ").filter(|feature| !feature.is_empty()).collect()
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

    /// Places a finding of z3 4.8.12 that nobody has proved.
    fn place(bugs: &mut Bugs, kind: Kind, text: &str) -> Placed {
        place_with(bugs, "z3@4.8.12", kind, Evidence::Contradiction, text)
    }

    fn place_with(bugs: &mut Bugs, analyzer: &str, kind: Kind, evidence: Evidence, text: &str) -> Placed {
        let features = text.split_whitespace().map(str::to_owned).collect();
        bugs.place(&Sighting { analyzer, analyzer_name: "z3", kind, evidence, features: &features })
    }

    #[test]
    fn equal_larger_and_smaller_feature_sets_join_and_others_do_not() {
        let mut bugs = Bugs::default();
        for (kind, text, number) in [
            (Kind::Soundness, "bvslt", 1),
            (Kind::Soundness, "not ite", 2),
            (Kind::Soundness, "ite not bvadd", 2),
            (Kind::Crash, "bvslt", 3),
            (Kind::InvalidModel, "bvslt", 1),
            (Kind::Soundness, "", 4),
            (Kind::Soundness, "bvurem bvudiv", 5),
            (Kind::Soundness, "bvurem", 5),
            (Kind::Soundness, "bvurem concat", 5),
            (Kind::Soundness, "xor distinct", 6),
            (Kind::Soundness, "xor let", 7),
            (Kind::Soundness, "xor", 6),
            // Bug 7 is no more, but its number was told.
            (Kind::Soundness, "concat", 8),
        ] {
            assert_eq!(place(&mut bugs, kind, text).bug.number, number, "{kind} {text}");
        }
        assert_eq!(place(&mut bugs, Kind::Soundness, "xor let").bug.hits, 4);
    }

    #[test]
    fn what_is_only_shown_changes_no_bug() {
        let mut bugs = Bugs::default();
        place(&mut bugs, Kind::Soundness, "xor distinct");
        place(&mut bugs, Kind::Soundness, "xor let");
        let before: Vec<String> = bugs.rows().iter().map(|row| row.fingerprint.clone()).collect();
        let features = BTreeSet::from(["xor".to_owned()]);
        let placed = bugs.place_for_show(&Sighting {
            analyzer: "z3@4.8.12",
            analyzer_name: "z3",
            kind: Kind::Soundness,
            evidence: Evidence::Proved,
            features: &features,
        });
        assert_eq!((placed.bug.number, placed.bug.hits, placed.merged.len()), (1, 2, 0));
        let after: Vec<String> = bugs.rows().iter().map(|row| row.fingerprint.clone()).collect();
        assert_eq!(before, after);
    }

    #[test]
    fn findings_past_the_cap_are_counted_but_not_kept() {
        let mut bugs = Bugs::default();
        let kept = (0..30).filter(|_| place(&mut bugs, Kind::Crash, "x").keep).count();
        assert_eq!(kept as u64, KEPT_PER_BUG);
    }

    #[test]
    fn findings_past_the_cap_are_kept_if_they_say_more() {
        let mut bugs = Bugs::default();
        for _ in 0..30 {
            place(&mut bugs, Kind::InvalidModel, "x");
        }
        let rows = [
            ("z3@4.8.12", Kind::InvalidModel, Evidence::Suspicion, false),
            ("z3@5.4.0", Kind::InvalidModel, Evidence::Suspicion, true),
            ("z3@5.4.0", Kind::InvalidModel, Evidence::Contradiction, false),
            ("z3@4.8.12", Kind::Soundness, Evidence::Contradiction, true),
            ("z3@4.8.12", Kind::Soundness, Evidence::Contradiction, false),
            ("z3@5.4.0", Kind::InvalidModel, Evidence::Proved, true),
            ("z3@5.4.0", Kind::Soundness, Evidence::Proved, true),
            ("z3@5.4.0", Kind::Soundness, Evidence::Proved, false),
        ];
        for (analyzer, kind, evidence, keep) in rows {
            let placed = place_with(&mut bugs, analyzer, kind, evidence, "x y");
            assert_eq!(placed.keep, keep, "{analyzer} {kind} {evidence}");
        }
    }
}
