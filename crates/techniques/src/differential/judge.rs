//! What analyzers say of one check, when that is a disagreement, and the exhibits that show it.
//!
//! All queries of an exhibit are about one program with one check. The first is that of the accused.

use super::NAME;
use crate::Judgement;
use crate::checks::{Unsettled, is_clean, refuted_checks, statuses};
use crate::failures::{self, ANSWERED};
use model::{
    AnnotationKind, Answer, CheckAnswer, CheckStatus, Exhibit, Kind, Query, ReachabilityInfo, Relation,
};
use std::collections::BTreeMap;

/// The number of the only check of a program.
pub const CHECK: u32 = 1;

/// What is verified does not happen: the accused and an execution.
pub const EXECUTED: &str = "no execution violates a verified check";
/// What never happens is verified: the accused and an execution on every input.
pub const EXHAUSTED: &str = "a check that no input violates is verified";
/// The accused verifies what others do not.
pub const ALONE_SAFE: &str = "what others find unsafe is not verified";
/// The accused does not verify what others do.
pub const ALONE_UNSAFE: &str = "what others verify is verified";
/// A configuration that is at least as precise as another verifies at least as much.
pub const ORDERED: &str = "a more precise configuration verifies what a less precise one does";
/// A newer version verifies at least as much.
pub const NEWER: &str = "a newer version verifies what an older one does";

/// How many of the queries are those of analyzers that disagree with the accused; executions come behind them.
const OTHERS: &str = "others";
/// For the accused and each of the others: what an unknown check counts as.
const UNSETTLED: &str = "unknown checks";
/// Whether the accused may be held to what it verifies.
const HELD: &str = "held to what it verifies";

/// What an analyzer says of the check, in the words of the comparison: an unknown is an alarm where the analyzer
/// considers more than can happen.
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
    /// The voice of an analyzer in this role.
    pub fn new(query: Query, role: &ReachabilityInfo) -> Voice {
        Voice { query, unsettled: Unsettled::of(role) }
    }
}

/// The accused says what an execution refutes. One that drops paths by design says so often, and is not held to it.
pub fn refuted(accused: Query, execution: Query, is_held: bool) -> Exhibit {
    let title = "a verified check is violated when the program runs".to_owned();
    let held = (HELD.to_owned(), if is_held { "yes" } else { "no" }.to_owned());
    exhibit(Kind::Soundness, title, vec![accused, execution], EXECUTED, BTreeMap::from([held]))
}

/// The key of what is so common that a campaign examines only the first few: everything but an execution that refutes an
/// analyzer which is held to what it verifies.
fn sample_key(exhibit: &Exhibit) -> Option<String> {
    let name = exhibit.relation.name.as_str();
    let accused = exhibit.queries.first()?;
    match name {
        ANSWERED => None,
        EXECUTED if exhibit.relation.facts.get(HELD).is_some_and(|held| held == "yes") => None,
        _ => Some(format!("{name}: {}: {}", accused.analyzer, outline(&condition(accused)?))),
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
    let facts = BTreeMap::from([(UNSETTLED.to_owned(), word_of(accused.unsettled).to_owned())]);
    exhibit(Kind::Precision, title, vec![accused.query.clone(), exhaustive], EXHAUSTED, facts)
}

/// The accused disagrees with others, and executions leave it open.
pub fn deviant(name: &str, accused: &Voice, others: &[Voice], executions: Vec<Query>) -> Exhibit {
    let (kind, title) = match name {
        ALONE_SAFE => {
            (Kind::Soundness, format!("a check is verified that {} find unsafe", counted(others.len())))
        }
        ORDERED => (Kind::Precision, "a more precise configuration verifies less".to_owned()),
        NEWER => (Kind::Precision, "a newer version verifies less".to_owned()),
        _ => (Kind::Precision, format!("a check is not verified that {} verify", counted(others.len()))),
    };
    let voices = std::iter::once(accused).chain(others);
    let unsettled: Vec<&str> = voices.clone().map(|voice| word_of(voice.unsettled)).collect();
    let facts = BTreeMap::from([
        (OTHERS.to_owned(), others.len().to_string()),
        (UNSETTLED.to_owned(), unsettled.join(" ")),
    ]);
    let queries = voices.map(|voice| voice.query.clone()).chain(executions).collect();
    exhibit(kind, title, queries, name, facts)
}

fn exhibit(
    kind: Kind,
    title: String,
    queries: Vec<Query>,
    name: &str,
    facts: BTreeMap<String, String>,
) -> Exhibit {
    let relation = Relation { name: name.to_owned(), facts };
    let exhibit = Exhibit { technique: NAME.to_owned(), kind, title, queries, relation, sample_key: None };
    Exhibit { sample_key: sample_key(&exhibit), ..exhibit }
}

fn counted(others: usize) -> String {
    if others == 1 { "another analyzer would".to_owned() } else { format!("{others} others") }
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
        (EXHAUSTED, [claimed, executed]) => {
            let verified = executed.checks().filter(|claim| claim.undefined.is_none());
            let is_never = verified.is_some_and(|claim| claim.status(CHECK) == Some(CheckStatus::Verified));
            is_never && word(claimed, unsettled(exhibit, 0)) == CheckAnswer::Unsafe
        }
        _ => is_deviant(exhibit, answers),
    }
}

/// True if the accused still disagrees with as many others as at first, and no execution says who is right.
fn is_deviant(exhibit: &Exhibit, answers: &[Answer]) -> bool {
    let Some((said, executions)) = answers.split_at_checked(analyzers(exhibit)) else { return false };
    let Some((accused, others)) = said.split_first() else { return false };
    let (own, theirs) = match exhibit.relation.name.as_str() {
        ALONE_SAFE => (CheckAnswer::Safe, CheckAnswer::Unsafe),
        _ => (CheckAnswer::Unsafe, CheckAnswer::Safe),
    };
    let agrees = |(place, answer): (usize, &Answer)| word(answer, unsettled(exhibit, place + 1)) == theirs;
    let all_disagree = !others.is_empty() && others.iter().enumerate().all(agrees);
    let said = word(accused, unsettled(exhibit, 0));
    let is_open = |executed: &Answer| {
        executed.checks().is_none() || is_clean(executed) && leaves_open(executed, exhibit)
    };
    // Somebody must have run the program, or it might have undefined behaviour.
    let is_run = executions.is_empty() || executions.iter().any(is_clean);
    said == own && all_disagree && is_run && executions.iter().all(is_open)
}

/// True if an execution settles nothing. Between configurations and versions it is enough that the check is not
/// violated.
fn leaves_open(executed: &Answer, exhibit: &Exhibit) -> bool {
    match executed.checks().and_then(|claim| claim.status(CHECK)) {
        Some(CheckStatus::Violated) => false,
        Some(CheckStatus::Verified) => matches!(exhibit.relation.name.as_str(), ORDERED | NEWER),
        Some(CheckStatus::Unknown) | None => true,
    }
}

/// What an unknown check of the accused or of one of the others counts as.
fn unsettled(exhibit: &Exhibit, voice: usize) -> Unsettled {
    let words = exhibit.relation.facts.get(UNSETTLED).map_or("", String::as_str);
    match words.split(' ').nth(voice) {
        Some("open") => Unsettled::Open,
        _ => Unsettled::Fails,
    }
}

fn word_of(unsettled: Unsettled) -> &'static str {
    match unsettled {
        Unsettled::Fails => "alarm",
        Unsettled::Open => "open",
    }
}

/// How many of the first queries are those of analyzers; executions come behind them.
pub fn analyzers(exhibit: &Exhibit) -> usize {
    let others = exhibit.relation.facts.get(OTHERS).and_then(|text| text.parse::<usize>().ok());
    others.map_or(1, |others| others + 1)
}

/// How many of the first queries nearly always decide: those of analyzers, and what proves the finding.
pub fn deciding_prefix(exhibit: &Exhibit) -> usize {
    match exhibit.relation.name.as_str() {
        EXECUTED | EXHAUSTED | ANSWERED => exhibit.queries.len(),
        _ => analyzers(exhibit),
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
        let alone = |name| deviant(name, &voice("a", Unsettled::Fails), &others, vec![query("execute-c")]);
        for (name, answers, expected) in [
            (ALONE_SAFE, [said(Verified), said(Unknown), said(Violated), said(Unknown)], true),
            // The third cannot settle it, and so does not disagree.
            (ALONE_SAFE, [said(Verified), said(Unknown), said(Unknown), said(Unknown)], false),
            (ALONE_SAFE, [said(Verified), said(Unknown), said(Violated), said(Violated)], false),
            (ALONE_SAFE, [said(Verified), said(Unknown), said(Violated), said(Verified)], false),
            (ALONE_SAFE, [said(Verified), said(Unknown), said(Violated), undefined(Unknown)], false),
            (ALONE_SAFE, [said(Unknown), said(Unknown), said(Violated), said(Unknown)], false),
            (ALONE_UNSAFE, [said(Unknown), said(Verified), said(Verified), said(Unknown)], true),
            // Nobody could run it.
            (ALONE_UNSAFE, [said(Unknown), said(Verified), said(Verified), silent()], false),
            (ALONE_UNSAFE, [said(Unknown), said(Verified), said(Unknown), said(Unknown)], false),
            (ALONE_UNSAFE, [said(Unknown), said(Verified), said(Verified), said(Violated)], false),
        ] {
            assert_eq!(broken(&alone(name), &answers), expected, "{name}: {answers:?}");
        }
    }

    #[test]
    fn a_more_precise_configuration_verifies_as_much() {
        let pair = |unsettled| {
            deviant(ORDERED, &voice("a", unsettled), &[voice("b", unsettled)], vec![query("exact-c")])
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
