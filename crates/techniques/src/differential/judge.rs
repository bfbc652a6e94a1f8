//! The judge of `differential`, and the exhibits that it judges.
//!
//! All queries of an exhibit are about one program with one check. The first is that of the accused.

use super::NAME;
use super::relation::{Deviation, DifferentialRelation};
use crate::Judgement;
use crate::checks::{Unsettled, is_clean, refuted_checks, statuses};
use crate::failures;
use model::{
    AnnotationKind, Answer, CheckAnswer, CheckStatus, Exhibit, Kind, Query, ReachabilityInfo, Relation,
};

/// The number of the only check of a program.
pub const CHECK: u32 = 1;

/// The answer about the check, in the words of the comparison: an unknown is an alarm if the analyzer over-approximates.
pub fn word(answer: &Answer, unsettled: Unsettled) -> CheckAnswer {
    let status = statuses(answer).and_then(|said| said.get(&CHECK).copied());
    match status.and_then(|status| unsettled.fails(status)) {
        Some(false) => CheckAnswer::Safe,
        Some(true) => CheckAnswer::Unsafe,
        None => CheckAnswer::Unknown,
    }
}

/// A query of an analyzer, and what its unknown checks count as.
#[derive(Clone, Debug)]
pub struct Voice {
    /// The query.
    pub query: Query,
    /// What an unknown check counts as.
    pub unsettled: Unsettled,
}

impl Voice {
    /// The query of an analyzer in this role.
    pub fn new(query: Query, role: &ReachabilityInfo) -> Voice {
        Voice { query, unsettled: Unsettled::of(role) }
    }
}

/// An execution refutes the accused. An analyzer that drops paths by design is refuted often, and is not held to it.
pub fn refuted(accused: Query, execution: Query, is_held: bool) -> Exhibit {
    let title = "a verified check is violated when the program runs".to_owned();
    let relation = DifferentialRelation::NoVerifiedCheckFails { is_held };
    exhibit(Kind::Soundness, title, vec![accused, execution], &relation)
}

/// The key of what is so common that a campaign examines only the first few: everything but an execution that refutes an
/// analyzer which is held to what it verifies.
fn sample_key(relation: &DifferentialRelation, accused: &Query) -> Option<String> {
    match relation {
        DifferentialRelation::Analyzed | DifferentialRelation::NoVerifiedCheckFails { is_held: true } => None,
        DifferentialRelation::NoVerifiedCheckFails { is_held: false }
        | DifferentialRelation::NeverViolatedIsVerified { .. }
        | DifferentialRelation::Agrees { .. } => {
            let outline = outline(&condition(accused)?);
            Some(format!("{}: {}: {outline}", relation.words(), accused.analyzer))
        }
    }
}

/// The condition of the only check.
pub fn condition(query: &Query) -> Option<String> {
    let check = query.input.c()?.annotations.iter().find(|it| it.what == AnnotationKind::Check(CHECK))?;
    Some(check.condition.to_string())
}

/// The signs of a condition, without its names and numbers.
pub fn outline(condition: &str) -> String {
    let is_sign = |letter: &char| !letter.is_alphanumeric() && *letter != '_' && *letter != ' ';
    condition.chars().filter(is_sign).collect()
}

/// The accused does not verify what was shown on every input.
pub fn imprecise(accused: &Voice, exhaustive: Query) -> Exhibit {
    let title = "a check that no input violates is not verified".to_owned();
    let relation = DifferentialRelation::NeverViolatedIsVerified { unsettled: accused.unsettled };
    exhibit(Kind::Precision, title, vec![accused.query.clone(), exhaustive], &relation)
}

/// The accused disagrees with others, and executions leave it open.
pub fn deviant(deviation: Deviation, accused: &Voice, others: &[Voice], executions: Vec<Query>) -> Exhibit {
    let (kind, title) = match deviation {
        Deviation::AloneSafe => {
            (Kind::Soundness, format!("a check is verified that {} find unsafe", counted(others.len())))
        }
        Deviation::MorePrecise => (Kind::Precision, "a more precise configuration verifies less".to_owned()),
        Deviation::Newer => (Kind::Precision, "a newer version verifies less".to_owned()),
        Deviation::AloneUnsafe => {
            (Kind::Precision, format!("a check is not verified that {} verify", counted(others.len())))
        }
    };
    let relation = DifferentialRelation::Agrees {
        deviation,
        accused: accused.unsettled,
        others: others.iter().map(|voice| voice.unsettled).collect(),
    };
    let voices = std::iter::once(accused).chain(others);
    let queries = voices.map(|voice| voice.query.clone()).chain(executions).collect();
    exhibit(kind, title, queries, &relation)
}

fn exhibit(kind: Kind, title: String, queries: Vec<Query>, relation: &DifferentialRelation) -> Exhibit {
    Exhibit {
        technique: NAME.to_owned(),
        kind,
        title,
        sample_key: queries.first().and_then(|accused| sample_key(relation, accused)),
        queries,
        relation: Relation::of(relation),
    }
}

fn counted(others: usize) -> String {
    if others == 1 { "another analyzer would".to_owned() } else { format!("{others} others") }
}

/// Judges the answers to the first queries.
pub fn judge(exhibit: &Exhibit, answers: &[Answer]) -> Judgement {
    Judgement::when_complete(exhibit, answers, broken)
}

/// Decides by the answers to all queries.
pub fn broken(exhibit: &Exhibit, answers: &[Answer]) -> bool {
    let Some(relation) = DifferentialRelation::of(exhibit) else { return false };
    match (relation, answers) {
        (DifferentialRelation::Analyzed, _) => failures::is_broken(exhibit, answers),
        (DifferentialRelation::NoVerifiedCheckFails { .. }, [claimed, executed]) => {
            !refuted_checks(claimed, executed).is_empty()
        }
        (DifferentialRelation::NeverViolatedIsVerified { unsettled }, [claimed, executed]) => {
            let verified = executed.checks().filter(|claim| claim.undefined.is_none());
            let is_never = verified.is_some_and(|claim| claim.status(CHECK) == Some(CheckStatus::Verified));
            is_never && word(claimed, unsettled) == CheckAnswer::Unsafe
        }
        (DifferentialRelation::Agrees { deviation, accused, others }, _) => {
            is_deviant(deviation, accused, &others, answers)
        }
        (
            DifferentialRelation::NoVerifiedCheckFails { .. }
            | DifferentialRelation::NeverViolatedIsVerified { .. },
            _,
        ) => false,
    }
}

/// True if the accused still disagrees with as many others as at first, and no execution shows which is right.
fn is_deviant(deviation: Deviation, accused: Unsettled, others: &[Unsettled], answers: &[Answer]) -> bool {
    let Some((said, executions)) = answers.split_at_checked(1 + others.len()) else { return false };
    let Some((own_answer, their_answers)) = said.split_first() else { return false };
    let (own, theirs) = match deviation {
        Deviation::AloneSafe => (CheckAnswer::Safe, CheckAnswer::Unsafe),
        Deviation::AloneUnsafe | Deviation::MorePrecise | Deviation::Newer => {
            (CheckAnswer::Unsafe, CheckAnswer::Safe)
        }
    };
    let differs = |(unsettled, answer): (&Unsettled, &Answer)| word(answer, *unsettled) == theirs;
    let all_differ = !others.is_empty() && others.iter().zip(their_answers).all(differs);
    let is_open = |executed: &Answer| {
        executed.checks().is_none() || is_clean(executed) && leaves_open(executed, deviation)
    };
    // An analyzer must have run the program, or it might have undefined behaviour.
    let is_run = executions.is_empty() || executions.iter().any(is_clean);
    word(own_answer, accused) == own && all_differ && is_run && executions.iter().all(is_open)
}

/// True if an execution settles nothing. Between configurations and versions it is enough that the check is not
/// violated.
fn leaves_open(executed: &Answer, deviation: Deviation) -> bool {
    match executed.checks().and_then(|claim| claim.status(CHECK)) {
        Some(CheckStatus::Violated) => false,
        Some(CheckStatus::Verified) => matches!(deviation, Deviation::MorePrecise | Deviation::Newer),
        Some(CheckStatus::Unknown) | None => true,
    }
}

/// How many of the first queries nearly always decide: those of analyzers, and the execution that proves the finding.
pub fn deciding_prefix(exhibit: &Exhibit) -> usize {
    match DifferentialRelation::of(exhibit) {
        Some(relation @ DifferentialRelation::Agrees { .. }) => relation.analyzers(),
        Some(
            DifferentialRelation::Analyzed
            | DifferentialRelation::NoVerifiedCheckFails { .. }
            | DifferentialRelation::NeverViolatedIsVerified { .. },
        )
        | None => exhibit.queries.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use CheckStatus::{Unknown, Verified, Violated};
    use model::{
        AnalyzerId, Annotation, CInput, CheckClaim, ChecksClaim, Claim, Cost, DataModel, Input, Mode, Verdict,
    };

    fn query(name: &str) -> Query {
        let check = Annotation::new(0, AnnotationKind::Check(CHECK), "x != 7");
        let input = CInput { base: "".into(), data_model: DataModel::Lp64, annotations: vec![check] };
        Query::new(AnalyzerId::new(name, "1", &[]), Input::C(input), Mode::Process)
    }

    fn voice(name: &str, unsettled: Unsettled) -> Voice {
        Voice { query: query(name), unsettled }
    }

    fn said(status: CheckStatus) -> Answer {
        let claim = ChecksClaim { checks: vec![CheckClaim::new(CHECK, status)], undefined: None };
        Answer { verdict: Verdict::Claim(Claim::Checks(claim)), cost: Cost::default(), output: Vec::new() }
    }

    fn undefined(status: CheckStatus) -> Answer {
        let claim = ChecksClaim {
            checks: vec![CheckClaim::new(CHECK, status)],
            undefined: Some("overflow".to_owned()),
        };
        Answer { verdict: Verdict::Claim(Claim::Checks(claim)), cost: Cost::default(), output: Vec::new() }
    }

    fn silent() -> Answer {
        Answer { verdict: Verdict::Unknown, cost: Cost::default(), output: Vec::new() }
    }

    #[test]
    fn an_execution_refutes_what_is_verified_and_nothing_else() {
        let exhibit = refuted(query("a"), query("execute-c"), true);
        for (claimed, executed, expected) in [
            (said(Verified), said(Violated), true),
            (said(Unknown), said(Violated), false),
            (said(Verified), said(Unknown), false),
            (said(Verified), undefined(Violated), false),
            (silent(), said(Violated), false),
        ] {
            assert_eq!(broken(&exhibit, &[claimed, executed]), expected);
        }
    }

    #[test]
    fn what_no_input_violates_must_be_verified() {
        for (unsettled, claimed, executed, expected) in [
            (Unsettled::Fails, said(Unknown), said(Verified), true),
            (Unsettled::Open, said(Unknown), said(Verified), false),
            (Unsettled::Open, said(Violated), said(Verified), true),
            (Unsettled::Fails, said(Verified), said(Verified), false),
            (Unsettled::Fails, said(Unknown), said(Unknown), false),
            (Unsettled::Fails, said(Unknown), undefined(Verified), false),
        ] {
            let exhibit = imprecise(&voice("a", unsettled), query("exact-c"));
            assert_eq!(broken(&exhibit, &[claimed, executed]), expected);
        }
    }

    #[test]
    fn who_stands_alone_is_accused_until_an_execution_settles_it() {
        let others = [voice("b", Unsettled::Fails), voice("c", Unsettled::Open)];
        let alone =
            |deviation| deviant(deviation, &voice("a", Unsettled::Fails), &others, vec![query("execute-c")]);
        for (deviation, answers, expected) in [
            (Deviation::AloneSafe, [said(Verified), said(Unknown), said(Violated), said(Unknown)], true),
            // The third cannot settle it, and so does not disagree.
            (Deviation::AloneSafe, [said(Verified), said(Unknown), said(Unknown), said(Unknown)], false),
            (Deviation::AloneSafe, [said(Verified), said(Unknown), said(Violated), said(Violated)], false),
            (Deviation::AloneSafe, [said(Verified), said(Unknown), said(Violated), said(Verified)], false),
            (
                Deviation::AloneSafe,
                [said(Verified), said(Unknown), said(Violated), undefined(Unknown)],
                false,
            ),
            (Deviation::AloneSafe, [said(Unknown), said(Unknown), said(Violated), said(Unknown)], false),
            (Deviation::AloneUnsafe, [said(Unknown), said(Verified), said(Verified), said(Unknown)], true),
            // No analyzer could run it.
            (Deviation::AloneUnsafe, [said(Unknown), said(Verified), said(Verified), silent()], false),
            (Deviation::AloneUnsafe, [said(Unknown), said(Verified), said(Unknown), said(Unknown)], false),
            (Deviation::AloneUnsafe, [said(Unknown), said(Verified), said(Verified), said(Violated)], false),
        ] {
            assert_eq!(broken(&alone(deviation), &answers), expected, "{deviation:?}: {answers:?}");
        }
    }

    #[test]
    fn a_more_precise_configuration_verifies_as_much() {
        let pair = |unsettled| {
            deviant(
                Deviation::MorePrecise,
                &voice("a", unsettled),
                &[voice("b", unsettled)],
                vec![query("exact-c")],
            )
        };
        for (unsettled, answers, expected) in [
            (Unsettled::Fails, [said(Unknown), said(Verified), said(Verified)], true),
            (Unsettled::Open, [said(Unknown), said(Verified), said(Unknown)], false),
            (Unsettled::Open, [said(Violated), said(Verified), said(Unknown)], true),
            (Unsettled::Open, [silent(), said(Verified), said(Unknown)], false),
            (Unsettled::Fails, [said(Unknown), said(Verified), said(Violated)], false),
            (Unsettled::Fails, [said(Verified), said(Unknown), said(Unknown)], false),
        ] {
            assert_eq!(broken(&pair(unsettled), &answers), expected, "{answers:?}");
        }
    }

    #[test]
    fn only_proofs_against_those_who_are_held_to_their_word_are_always_examined() {
        assert_eq!(refuted(query("a"), query("execute-c"), true).sample_key, None);
        let common = refuted(query("a"), query("execute-c"), false).sample_key.unwrap();
        assert!(common.contains("a@1") && common.ends_with("!="), "{common}");
        assert!(imprecise(&voice("a", Unsettled::Fails), query("exact-c")).sample_key.is_some());
    }
}
