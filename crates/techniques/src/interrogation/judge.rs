//! The judge of `interrogation`, and the exhibits that it judges.

use super::NAME;
use super::relation::{InterrogationRelation, PairLaw, PairRelation};
use super::transform::{Change, Oracle};
use crate::Judgement;
use crate::checks::{Statuses, Unsettled, is_clean, refuted_checks, statuses};
use crate::failures;
use model::{Answer, CheckStatus, Exhibit, FailingCheck, Kind, Query, ReachabilityInfo, Relation};

/// A check on which two answers differ though they must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dispute {
    /// The check.
    pub check: u32,
    /// True if the first program's answer calls it verified, false if the second's does.
    pub verified_first: bool,
    /// The status in the other answer.
    pub other: CheckStatus,
}

/// The relation between a program and its changed version.
pub fn relation(change: &Change, role: &ReachabilityInfo, per_check: bool) -> PairRelation {
    let independent = change.checks_only && role.failing_check == FailingCheck::Continues;
    let law = match change.oracle {
        Oracle::Strengthen | Oracle::Even if !per_check => PairLaw::StaysCorrect,
        Oracle::Weaken if !per_check => PairLaw::StaysIncorrect,
        Oracle::Strengthen | Oracle::Weaken if independent => PairLaw::ChecksAreIndependent,
        Oracle::Strengthen => PairLaw::Strengthened,
        Oracle::Weaken => PairLaw::Weakened,
        Oracle::Even => PairLaw::Even,
    };
    PairRelation {
        law,
        touched: change.touched.clone(),
        invariants: change.invariants.clone(),
        added: change.added.clone(),
        unsettled: Unsettled::of(role),
    }
}

/// The checks on which the two answers break the relation.
pub fn disputes(relation: &PairRelation, first: &Statuses, second: &Statuses) -> Vec<Dispute> {
    let is_verified = |check: &u32| first.get(check) == Some(&CheckStatus::Verified);
    if !relation.invariants.iter().all(is_verified) {
        return Vec::new();
    }
    match relation.law {
        PairLaw::Strengthened => check_disputes(relation, first, second, (true, false)),
        PairLaw::Weakened => check_disputes(relation, first, second, (false, true)),
        PairLaw::Even | PairLaw::ChecksAreIndependent => {
            check_disputes(relation, first, second, (true, true))
        }
        PairLaw::StaysCorrect => whole_disputes(first, second, relation.unsettled, true),
        PairLaw::StaysIncorrect => whole_disputes(first, second, relation.unsettled, false),
    }
}

/// The checks that fail only in the second program, if such checks `appear` against the law, and those that fail only in
/// the first, if they `vanish` against it.
fn check_disputes(
    relation: &PairRelation,
    first: &Statuses,
    second: &Statuses,
    (appear, vanish): (bool, bool),
) -> Vec<Dispute> {
    let fails = |status: CheckStatus| relation.unsettled.fails(status);
    let mut disputes = Vec::new();
    for (check, before) in first.iter().filter(|(check, _)| !relation.touched.contains(check)) {
        let Some(after) = second.get(check) else { continue };
        match (fails(*before), fails(*after)) {
            (Some(false), Some(true)) if appear => {
                disputes.push(Dispute { check: *check, verified_first: true, other: *after });
            }
            (Some(true), Some(false)) if vanish => {
                disputes.push(Dispute { check: *check, verified_first: false, other: *before });
            }
            _ => {}
        }
    }
    disputes
}

/// The same where only the verdict on the whole program counts: it must stay correct, or else incorrect.
fn whole_disputes(
    first: &Statuses,
    second: &Statuses,
    unsettled: Unsettled,
    stays_correct: bool,
) -> Vec<Dispute> {
    let (Some(fails_before), Some(fails_after)) = (whole(first, unsettled), whole(second, unsettled)) else {
        return Vec::new();
    };
    let failing = match (stays_correct, fails_before, fails_after) {
        (true, false, true) => second,
        (false, true, false) => first,
        _ => return Vec::new(),
    };
    let verified_first = stays_correct;
    let fails = |(check, status): (&u32, &CheckStatus)| {
        let fails = unsettled.fails(*status) == Some(true);
        fails.then_some(Dispute { check: *check, verified_first, other: *status })
    };
    failing.iter().filter_map(fails).collect()
}

/// Whether some check of a program fails; `None` if that is not known.
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
pub fn contradiction(relation: &PairRelation, disputes: &[Dispute], queries: Vec<Query>) -> Exhibit {
    let shown = disputes.iter().any(|dispute| dispute.other == CheckStatus::Violated);
    let (kind, other) = if shown { (Kind::Soundness, "violated") } else { (Kind::Precision, "unknown") };
    let title = match relation.law {
        PairLaw::Strengthened | PairLaw::StaysCorrect => {
            format!("a check is {other} only after strengthening")
        }
        PairLaw::Weakened | PairLaw::StaysIncorrect => format!("a check is {other} only before weakening"),
        PairLaw::Even if relation.invariants.is_empty() => {
            format!("a check is verified or {other}, depending on how an assumption is worded")
        }
        PairLaw::Even => format!("a check is verified or {other}, depending on what is verified elsewhere"),
        PairLaw::ChecksAreIndependent => {
            format!("a check is verified or {other}, depending on other checks")
        }
    };
    let relation = Relation::of(&InterrogationRelation::Pair(relation.clone()));
    Exhibit { technique: NAME.to_owned(), kind, title, queries, relation, sample_key: None }
}

/// One program, the analyzer's answer and an execution that refutes it.
pub fn refuted(asked: Query, executed: Query) -> Exhibit {
    Exhibit {
        technique: NAME.to_owned(),
        kind: Kind::Soundness,
        title: "a verified check is violated when the program runs".to_owned(),
        queries: vec![asked, executed],
        relation: Relation::of(&InterrogationRelation::NoVerifiedCheckFails),
        sample_key: None,
    }
}

/// Judges the answers to the first queries.
pub fn judge(exhibit: &Exhibit, answers: &[Answer]) -> Judgement {
    Judgement::when_complete(exhibit, answers, broken)
}

/// Decides by the answers to all queries.
pub fn broken(exhibit: &Exhibit, answers: &[Answer]) -> bool {
    let Some(relation) = InterrogationRelation::of(exhibit) else { return false };
    match (relation, answers) {
        (InterrogationRelation::Analyzed, _) => failures::is_broken(exhibit, answers),
        (InterrogationRelation::NoVerifiedCheckFails, [claimed, executed]) => {
            !refuted_checks(claimed, executed).is_empty()
        }
        (InterrogationRelation::Pair(pair), [first, second, executions @ ..]) => {
            executions.iter().all(is_clean) && !disputed(&pair, first, second).is_empty()
        }
        (InterrogationRelation::NoVerifiedCheckFails | InterrogationRelation::Pair(_), _) => false,
    }
}

/// The checks on which two answers break a relation.
pub fn disputed(pair: &PairRelation, first: &Answer, second: &Answer) -> Vec<Dispute> {
    match (statuses(first), statuses(second)) {
        (Some(first), Some(second)) => disputes(pair, &first, &second),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use CheckStatus::{Unknown, Verified, Violated};

    fn relation(law: PairLaw, touched: &[u32], invariants: &[u32], unsettled: Unsettled) -> PairRelation {
        let numbers = |numbers: &[u32]| numbers.iter().copied().collect();
        PairRelation {
            law,
            touched: numbers(touched),
            invariants: numbers(invariants),
            added: Default::default(),
            unsettled,
        }
    }

    #[test]
    fn each_relation_is_broken_by_what_it_forbids_and_by_nothing_else() {
        use PairLaw::{ChecksAreIndependent, Even, StaysCorrect, StaysIncorrect, Strengthened, Weakened};
        use Unsettled::{Fails, Open};
        let rows: [(PairLaw, Unsettled, CheckStatus, CheckStatus, bool); 14] = [
            (Strengthened, Fails, Verified, Violated, true),
            (Strengthened, Fails, Verified, Unknown, true),
            (Strengthened, Open, Verified, Unknown, false),
            (Strengthened, Fails, Violated, Verified, false),
            (Strengthened, Fails, Unknown, Violated, false),
            (Weakened, Fails, Violated, Verified, true),
            (Weakened, Open, Unknown, Verified, false),
            (Weakened, Fails, Verified, Violated, false),
            (Even, Fails, Violated, Verified, true),
            (Even, Fails, Verified, Violated, true),
            (ChecksAreIndependent, Open, Violated, Verified, true),
            (StaysCorrect, Fails, Verified, Violated, true),
            (StaysCorrect, Open, Unknown, Violated, false),
            (StaysIncorrect, Fails, Violated, Verified, true),
        ];
        for (law, unsettled, before, after, broken) in rows {
            let relation = relation(law, &[], &[], unsettled);
            let found = disputes(&relation, &[(1, before)].into(), &[(1, after)].into());
            assert_eq!(!found.is_empty(), broken, "{law:?}, {unsettled:?}: {before:?} then {after:?}");
        }
    }

    #[test]
    fn touched_checks_and_broken_premises_excuse() {
        let first: Statuses = [(1, Verified), (2, Verified)].into();
        let second: Statuses = [(1, Violated), (2, Verified)].into();
        let rows: [(&[u32], &[u32], bool); 3] = [(&[], &[2], true), (&[1], &[], false), (&[], &[3], false)];
        for (touched, invariants, broken) in rows {
            let relation = relation(PairLaw::Even, touched, invariants, Unsettled::Fails);
            let found = disputes(&relation, &first, &second);
            assert_eq!(!found.is_empty(), broken, "{touched:?} {invariants:?}");
        }
    }
}
