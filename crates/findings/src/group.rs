//! Grouping: findings with one cause are one bug.
//!
//! A [`Fingerprint`] is the analyzer's name, a class of kinds, and the features of the reduced exhibit. Reduction does
//! not always reach the smallest form, so a finding joins a bug if the features of one include all those of the other;
//! the bug then takes the smaller set.

use crate::Examined;
use model::{Evidence, Finding, Fingerprint, Kind};
use std::collections::{BTreeMap, BTreeSet};
use store::BugRow;

/// The number of findings of one bug that are kept in full. A later finding is kept only if it is stronger than all
/// earlier ones or the first against its analyzer; the others are counted.
pub const KEPT_PER_BUG: u64 = 20;

/// The bugs of a campaign so far.
#[derive(Default)]
pub struct Bugs {
    /// In the order of their numbers.
    rows: Vec<BugRow>,
    /// The largest number used so far. The number of a merged bug is not reused.
    last_number: u32,
    /// The kept findings of each bug, by its number.
    kept: BTreeMap<u32, Kept>,
}

/// A summary of the kept findings of one bug.
#[derive(Default)]
struct Kept {
    strongest: Option<(Evidence, Kind)>,
    analyzers: BTreeSet<String>,
}

/// The facts about a finding that decide its bug.
pub struct Sighting<'a> {
    /// The identity of the accused analyzer: `z3@4.8.12`.
    pub analyzer: &'a str,
    /// Its name alone.
    pub analyzer_name: &'a str,
    /// What the analyzer is accused of.
    pub kind: Kind,
    /// The strength of the case.
    pub evidence: Evidence,
    /// The features of the reduced exhibit.
    pub features: &'a BTreeSet<String>,
}

/// The bug that a finding was assigned to.
pub struct Assigned {
    /// The bug, with the new hit counted.
    pub bug: BugRow,
    /// Bugs that were merged into this one, because it has fewer features now.
    pub merged: Vec<u32>,
    /// Whether the bug has fewer features than before.
    pub renamed: bool,
    /// Whether the finding is kept rather than only counted.
    pub keep: bool,
}

impl<'a> Sighting<'a> {
    /// The sighting of a confirmed exhibit.
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
    /// Continues from stored bugs and their findings.
    pub fn new(rows: Vec<BugRow>, last_number: u32, findings: &[Finding]) -> Bugs {
        let mut kept: BTreeMap<u32, Kept> = BTreeMap::new();
        for finding in findings {
            let accused = finding.reduced.queries.first().map_or("", |query| query.analyzer.as_str());
            let strength = (finding.weighed.evidence, finding.kind());
            kept.entry(finding.bug).or_default().add(accused, strength);
        }
        Bugs { rows, last_number, kept }
    }

    /// All bugs, by number.
    pub fn rows(&self) -> &[BugRow] {
        &self.rows
    }

    /// The bug with this number.
    pub fn find(&self, number: u32) -> Option<&BugRow> {
        self.rows.iter().find(|row| row.number == number)
    }

    /// Assigns a finding to a bug, which may be new, and counts it.
    pub fn assign(&mut self, sighting: &Sighting<'_>) -> Assigned {
        let fingerprint = fingerprint(sighting);
        let mut renamed = false;
        let index = match self.bug_for(&fingerprint) {
            Some(index) => {
                let known = &mut self.rows[index].fingerprint;
                renamed = *known != fingerprint && known.includes(&fingerprint);
                if renamed {
                    *known = fingerprint;
                }
                index
            }
            None => self.add(fingerprint),
        };
        let merged = self.merge_into(index);
        let keep = self.hit(index, sighting);
        Assigned { bug: self.rows[index].clone(), merged, renamed, keep }
    }

    /// Assigns a provisional finding to a bug. It will be withdrawn, so it changes only the hits of existing bugs.
    pub fn assign_provisional(&mut self, sighting: &Sighting<'_>) -> Assigned {
        let fingerprint = fingerprint(sighting);
        let index = match self.bug_for(&fingerprint) {
            Some(index) => index,
            None => self.add(fingerprint),
        };
        let keep = self.hit(index, sighting);
        Assigned { bug: self.rows[index].clone(), merged: Vec::new(), renamed: false, keep }
    }

    fn add(&mut self, fingerprint: Fingerprint) -> usize {
        self.last_number = self.last_number.saturating_add(1);
        self.rows.push(BugRow { number: self.last_number, fingerprint, hits: 0 });
        self.rows.len() - 1
    }

    /// Counts a hit and returns whether its finding is kept.
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

    /// Merges later bugs whose features include all those of this one.
    fn merge_into(&mut self, index: usize) -> Vec<u32> {
        let home = self.rows[index].clone();
        let is_the_same =
            |row: &BugRow| row.number > home.number && row.fingerprint.includes(&home.fingerprint);
        let (same, rest): (Vec<BugRow>, Vec<BugRow>) = self.rows.drain(..).partition(is_the_same);
        self.rows = rest;
        self.rows[index].hits += same.iter().map(|row| row.hits).sum::<u64>();
        let taken_in: Vec<Kept> = same.iter().filter_map(|row| self.kept.remove(&row.number)).collect();
        let kept = self.kept.entry(home.number).or_default();
        taken_in.into_iter().for_each(|other| kept.take_in(other));
        same.into_iter().map(|row| row.number).collect()
    }

    fn bug_for(&self, fingerprint: &Fingerprint) -> Option<usize> {
        let exact = self.rows.iter().position(|row| row.fingerprint == *fingerprint);
        let related =
            |row: &BugRow| fingerprint.includes(&row.fingerprint) || row.fingerprint.includes(fingerprint);
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

    /// Returns whether no kept finding is as strong, or none is against this analyzer. Stronger evidence and kinds are
    /// smaller, because lists begin with them.
    fn lacks(&self, analyzer: &str, strength: (Evidence, Kind)) -> bool {
        self.strongest.is_none_or(|strongest| strength < strongest) || !self.analyzers.contains(analyzer)
    }
}

fn fingerprint(sighting: &Sighting<'_>) -> Fingerprint {
    Fingerprint {
        analyzer: sighting.analyzer_name.to_owned(),
        class: class(sighting.kind),
        features: sighting.features.clone(),
    }
}

/// Maps kinds with a common cause to one class: a bug in an operator can show as a wrong `unsat` in one script and as an
/// invalid model in another.
fn class(kind: Kind) -> String {
    match kind {
        Kind::Soundness | Kind::InvalidModel => "wrong answer".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Assigns an unproved finding of z3 4.8.12.
    fn place(bugs: &mut Bugs, kind: Kind, text: &str) -> Assigned {
        place_with(bugs, "z3@4.8.12", kind, Evidence::Contradiction, text)
    }

    fn place_with(bugs: &mut Bugs, analyzer: &str, kind: Kind, evidence: Evidence, text: &str) -> Assigned {
        let features = text.split_whitespace().map(str::to_owned).collect();
        bugs.assign(&Sighting { analyzer, analyzer_name: "z3", kind, evidence, features: &features })
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
            // Bug 7 was merged into bug 6, but users have seen its number.
            (Kind::Soundness, "concat", 8),
        ] {
            assert_eq!(place(&mut bugs, kind, text).bug.number, number, "{kind} {text}");
        }
        assert_eq!(place(&mut bugs, Kind::Soundness, "xor let").bug.hits, 4);
    }

    #[test]
    fn separators_in_features_do_not_confuse_grouping() {
        let mut bugs = Bugs::default();
        let mut place = |features: &[&str]| {
            let features = features.iter().map(|it| (*it).to_owned()).collect();
            let (analyzer, analyzer_name) = ("z3@4.8.12", "z3");
            let (kind, evidence) = (Kind::Crash, Evidence::Proved);
            bugs.assign(&Sighting { analyzer, analyzer_name, kind, evidence, features: &features }).bug.number
        };
        assert_eq!(place(&["assert(a & b)"]), 1);
        assert_eq!(place(&["assert(a"]), 2);
        assert_eq!(place(&["b)"]), 3);
        assert_eq!(place(&["x|y & z"]), 4);
        assert_eq!(place(&["x|y", "z"]), 5);
        assert_eq!(place(&["assert(a & b)", "smaller"]), 1);
    }

    #[test]
    fn provisional_findings_change_no_fingerprint() {
        let mut bugs = Bugs::default();
        place(&mut bugs, Kind::Soundness, "xor distinct");
        place(&mut bugs, Kind::Soundness, "xor let");
        let before: Vec<Fingerprint> = bugs.rows().iter().map(|row| row.fingerprint.clone()).collect();
        let features = BTreeSet::from(["xor".to_owned()]);
        let placed = bugs.assign_provisional(&Sighting {
            analyzer: "z3@4.8.12",
            analyzer_name: "z3",
            kind: Kind::Soundness,
            evidence: Evidence::Proved,
            features: &features,
        });
        assert_eq!((placed.bug.number, placed.bug.hits, placed.merged.len()), (1, 2, 0));
        let after: Vec<Fingerprint> = bugs.rows().iter().map(|row| row.fingerprint.clone()).collect();
        assert_eq!(before, after);
    }

    #[test]
    fn findings_past_the_cap_are_counted_but_not_kept() {
        let mut bugs = Bugs::default();
        let kept = (0..30).filter(|_| place(&mut bugs, Kind::Crash, "x").keep).count();
        assert_eq!(kept as u64, KEPT_PER_BUG);
    }

    #[test]
    fn findings_past_the_cap_are_kept_if_they_add_something() {
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
