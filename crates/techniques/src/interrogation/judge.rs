//! What answers must not say together, and the exhibits that show that they do.

use super::NAME;
use super::transform::{Change, Oracle};
use crate::Judgement;
use crate::checks::{Statuses, Unsettled, is_clean, refuted_checks, statuses};
use crate::failures::{self, ANSWERED};
use model::{Answer, CheckStatus, Exhibit, FailingCheck, Kind, Query, ReachabilityInfo, Relation};
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

/// Two programs, asked of one analyzer: no check fails after strengthening that did not fail before.
pub const STRENGTHENED: &str = "a stronger program fails no other check";
/// Every check that failed before weakening fails after it.
pub const WEAKENED: &str = "a weaker program fails every other check that failed";
/// The same checks fail.
pub const EVEN: &str = "changing what is verified, or the wording of an assumption, changes nothing";
/// Where a failing check does not end the execution, checks have no effect on each other.
pub const UNTOUCHED: &str = "checks have no effect on each other";
/// The baseline without per-check results: a correct program stays correct.
pub const STAYS_CORRECT: &str = "a correct program stays correct";
/// The baseline without per-check results: an incorrect program stays incorrect.
pub const STAYS_INCORRECT: &str = "an incorrect program stays incorrect";
/// One program: what is verified does not happen.
pub const EXECUTED: &str = "no execution violates a verified check";

/// The numbers of checks that were added or changed.
const TOUCHED: &str = "touched";
/// The numbers of checks whose being verified the relation rests on.
const INVARIANTS: &str = "invariants";
/// The positions of annotations of the second program that have no counterpart in the first.
const ADDED: &str = "added";
/// What an unsettled check counts as.
const UNSETTLED: &str = "an unknown check";

/// A check on which two answers differ though they must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dispute {
    /// The check.
    pub check: u32,
    /// True if the first program's answer calls it verified, false if the second's does.
    pub verified_first: bool,
    /// What the other answer says.
    pub other: CheckStatus,
}

/// The relation between a program and what it was changed into.
pub fn relation(change: &Change, role: &ReachabilityInfo, per_check: bool) -> Relation {
    let independent = change.checks_only && role.failing_check == FailingCheck::Continues;
    let name = match change.oracle {
        Oracle::Strengthen | Oracle::Even if !per_check => STAYS_CORRECT,
        Oracle::Weaken if !per_check => STAYS_INCORRECT,
        Oracle::Strengthen | Oracle::Weaken if independent => UNTOUCHED,
        Oracle::Strengthen => STRENGTHENED,
        Oracle::Weaken => WEAKENED,
        Oracle::Even => EVEN,
    };
    let unsettled = match Unsettled::of(role) {
        Unsettled::Fails => "fails",
        Unsettled::Open => "is open",
    };
    let facts = BTreeMap::from([
        (TOUCHED.to_owned(), list(&change.touched)),
        (INVARIANTS.to_owned(), list(&change.invariants)),
        (UNSETTLED.to_owned(), unsettled.to_owned()),
        (ADDED.to_owned(), list(&change.added)),
    ]);
    Relation { name: name.to_owned(), facts }
}

/// The checks on which the two answers break the relation.
pub fn disputes(relation: &Relation, first: &Statuses, second: &Statuses) -> Vec<Dispute> {
    let unsettled = match relation.facts.get(UNSETTLED).map(String::as_str) {
        Some("is open") => Unsettled::Open,
        _ => Unsettled::Fails,
    };
    let invariants: BTreeSet<u32> = numbers(relation, INVARIANTS);
    if !invariants.iter().all(|check| first.get(check) == Some(&CheckStatus::Verified)) {
        return Vec::new();
    }
    let (appears, vanishes) = match relation.name.as_str() {
        STAYS_CORRECT | STAYS_INCORRECT => return whole_disputes(&relation.name, first, second, unsettled),
        STRENGTHENED => (true, false),
        WEAKENED => (false, true),
        EVEN | UNTOUCHED => (true, true),
        _ => return Vec::new(),
    };
    let touched: BTreeSet<u32> = numbers(relation, TOUCHED);
    let mut disputes = Vec::new();
    for (check, before) in first.iter().filter(|(check, _)| !touched.contains(check)) {
        let Some(after) = second.get(check) else { continue };
        match (unsettled.fails(*before), unsettled.fails(*after)) {
            (Some(false), Some(true)) if appears => {
                disputes.push(Dispute { check: *check, verified_first: true, other: *after });
            }
            (Some(true), Some(false)) if vanishes => {
                disputes.push(Dispute { check: *check, verified_first: false, other: *before });
            }
            _ => {}
        }
    }
    disputes
}

/// The same where only the verdict on the whole program counts.
fn whole_disputes(name: &str, first: &Statuses, second: &Statuses, unsettled: Unsettled) -> Vec<Dispute> {
    let (Some(fails_before), Some(fails_after)) = (whole(first, unsettled), whole(second, unsettled)) else {
        return Vec::new();
    };
    let (failing, verified_first) = match name {
        STAYS_CORRECT if !fails_before && fails_after => (second, true),
        STAYS_INCORRECT if fails_before && !fails_after => (first, false),
        _ => return Vec::new(),
    };
    let fails = |(check, status): (&u32, &CheckStatus)| {
        let fails = unsettled.fails(*status) == Some(true);
        fails.then_some(Dispute { check: *check, verified_first, other: *status })
    };
    failing.iter().filter_map(fails).collect()
}

/// Whether some check of a program fails; none if that is not known.
fn whole(statuses: &Statuses, unsettled: Unsettled) -> Option<bool> {
    let mut known = Some(false);
    for status in statuses.values() {
        match unsettled.fails(*status) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => known = None,
        }
    }
    known
}

/// Two programs of one analyzer, and executions of both that must stay free of undefined behaviour.
pub fn contradiction(relation: Relation, disputes: &[Dispute], queries: Vec<Query>) -> Exhibit {
    let shown = disputes.iter().any(|dispute| dispute.other == CheckStatus::Violated);
    let (kind, other) = if shown { (Kind::Soundness, "violated") } else { (Kind::Precision, "unknown") };
    let title = match relation.name.as_str() {
        STRENGTHENED | STAYS_CORRECT => format!("a check is {other} only after strengthening"),
        WEAKENED | STAYS_INCORRECT => format!("a check is {other} only before weakening"),
        EVEN if numbers::<u32>(&relation, INVARIANTS).is_empty() => {
            format!("a check is verified or {other}, depending on how an assumption is worded")
        }
        EVEN => format!("a check is verified or {other}, depending on what is verified elsewhere"),
        _ => format!("a check is verified or {other}, depending on other checks"),
    };
    Exhibit { technique: NAME.to_owned(), kind, title, queries, relation, sample_key: None }
}

/// One program, the analyzer's answer and an execution that refutes it.
pub fn refuted(asked: Query, executed: Query) -> Exhibit {
    Exhibit {
        technique: NAME.to_owned(),
        kind: Kind::Soundness,
        title: "a verified check is violated when the program runs".to_owned(),
        queries: vec![asked, executed],
        relation: Relation { name: EXECUTED.to_owned(), facts: BTreeMap::new() },
        sample_key: None,
    }
}

/// Judges the answers to the first queries.
pub fn judge(exhibit: &Exhibit, answers: &[Answer]) -> Judgement {
    match answers.len() < exhibit.queries.len() {
        true => Judgement::NeedMore,
        false => Judgement::on_all(broken(exhibit, answers)),
    }
}

/// Decides by the answers to all queries.
pub fn broken(exhibit: &Exhibit, answers: &[Answer]) -> bool {
    match (exhibit.relation.name.as_str(), answers) {
        (ANSWERED, _) => failures::is_broken(exhibit, answers),
        (EXECUTED, [claimed, executed]) => !refuted_checks(claimed, executed).is_empty(),
        (_, [first, second, executions @ ..]) => {
            let clean = executions.iter().all(is_clean);
            clean && !disputed(exhibit, first, second).is_empty()
        }
        _ => false,
    }
}

/// The checks on which the first two answers of an exhibit break its relation.
pub fn disputed(exhibit: &Exhibit, first: &Answer, second: &Answer) -> Vec<Dispute> {
    match (statuses(first), statuses(second)) {
        (Some(first), Some(second)) => disputes(&exhibit.relation, &first, &second),
        _ => Vec::new(),
    }
}

/// The touched checks and the invariants of a relation, without those that are no longer there.
pub fn keep_numbers(relation: &Relation, there: &BTreeSet<u32>) -> Relation {
    let mut relation = relation.clone();
    for key in [TOUCHED, INVARIANTS] {
        let kept: BTreeSet<u32> = numbers::<u32>(&relation, key).intersection(there).copied().collect();
        relation.facts.entry(key.to_owned()).and_modify(|text| *text = list(&kept));
    }
    relation
}

/// The positions of annotations of the second program that have no counterpart in the first.
pub fn added(relation: &Relation) -> BTreeSet<usize> {
    numbers(relation, ADDED)
}

/// Notes these positions.
pub fn set_added(relation: &mut Relation, added: &BTreeSet<usize>) {
    relation.facts.insert(ADDED.to_owned(), list(added));
}

fn numbers<T: FromStr + Ord>(relation: &Relation, key: &str) -> BTreeSet<T> {
    let text = relation.facts.get(key).map_or("", String::as_str);
    text.split_whitespace().filter_map(|number| number.parse().ok()).collect()
}

fn list<T: ToString>(numbers: &BTreeSet<T>) -> String {
    numbers.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use CheckStatus::{Unknown, Verified, Violated};

    fn relation_named(name: &str, touched: &str, invariants: &str, unsettled: &str) -> Relation {
        let fact = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let facts = [fact(TOUCHED, touched), fact(INVARIANTS, invariants), fact(UNSETTLED, unsettled)];
        Relation { name: name.to_owned(), facts: facts.into() }
    }

    #[test]
    fn each_relation_is_broken_by_what_it_forbids_and_by_nothing_else() {
        let rows: [(&str, &str, CheckStatus, CheckStatus, bool); 14] = [
            (STRENGTHENED, "fails", Verified, Violated, true),
            (STRENGTHENED, "fails", Verified, Unknown, true),
            (STRENGTHENED, "is open", Verified, Unknown, false),
            (STRENGTHENED, "fails", Violated, Verified, false),
            (STRENGTHENED, "fails", Unknown, Violated, false),
            (WEAKENED, "fails", Violated, Verified, true),
            (WEAKENED, "is open", Unknown, Verified, false),
            (WEAKENED, "fails", Verified, Violated, false),
            (EVEN, "fails", Violated, Verified, true),
            (EVEN, "fails", Verified, Violated, true),
            (UNTOUCHED, "is open", Violated, Verified, true),
            (STAYS_CORRECT, "fails", Verified, Violated, true),
            (STAYS_CORRECT, "is open", Unknown, Violated, false),
            (STAYS_INCORRECT, "fails", Violated, Verified, true),
        ];
        for (name, unsettled, before, after, broken) in rows {
            let relation = relation_named(name, "", "", unsettled);
            let found = disputes(&relation, &[(1, before)].into(), &[(1, after)].into());
            assert_eq!(!found.is_empty(), broken, "{name}, {unsettled}: {before:?} then {after:?}");
        }
    }

    #[test]
    fn touched_checks_and_broken_premises_excuse() {
        let first: Statuses = [(1, Verified), (2, Verified)].into();
        let second: Statuses = [(1, Violated), (2, Verified)].into();
        for (touched, invariants, broken) in [("", "2", true), ("1", "", false), ("", "3", false)] {
            let relation = relation_named(EVEN, touched, invariants, "fails");
            assert_eq!(!disputes(&relation, &first, &second).is_empty(), broken, "{touched} {invariants}");
        }
    }
}
