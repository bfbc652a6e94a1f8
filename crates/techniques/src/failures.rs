//! Analyzers that die on a valid program or refuse it: the same exhibit for every technique on programs.

use model::{Answer, Evidence, Exhibit, Kind, Query, Relation, Verdict, Weighed};
use std::collections::{BTreeMap, BTreeSet};

/// The analyzer must answer.
pub(crate) const ANSWERED: &str = "a valid program is analyzed";

/// The exhibit if the analyzer died or refused. The execution shows that a compiler takes a program that is refused.
pub(crate) fn exhibit(
    technique: &str,
    asked: &Query,
    answer: &Answer,
    execution: Option<Query>,
) -> Option<Exhibit> {
    let (kind, title, execution) = match &answer.verdict {
        Verdict::Crash(place) => (Kind::Crash, format!("crash: {place}"), None),
        Verdict::Rejected(message) => (Kind::Refusal, refusal(message), execution),
        _ => return None,
    };
    Some(Exhibit {
        technique: technique.to_owned(),
        kind,
        title,
        queries: std::iter::once(asked.clone()).chain(execution).collect(),
        relation: Relation { name: ANSWERED.to_owned(), facts: BTreeMap::new() },
        sample_key: None,
    })
}

/// The judge. Where a program was executed, it must have run.
pub(crate) fn is_broken(exhibit: &Exhibit, answers: &[Answer]) -> bool {
    let [answer, executions @ ..] = answers else { return false };
    match &answer.verdict {
        Verdict::Crash(_) => exhibit.kind == Kind::Crash,
        Verdict::Rejected(message) => {
            let runs = executions.iter().all(|executed| executed.checks().is_some());
            exhibit.kind == Kind::Refusal && runs && is_same_refusal(&exhibit.title, message)
        }
        _ => false,
    }
}

/// The judgement.
pub(crate) fn weigh(exhibit: &Exhibit, answers: &[Answer]) -> Weighed {
    let said = match answers.first().map(|answer| &answer.verdict) {
        Some(Verdict::Crash(text) | Verdict::Rejected(text)) => text.as_str(),
        _ => "",
    };
    let (evidence, reason) = if exhibit.kind == Kind::Crash {
        (Evidence::Proved, format!("The analyzer died on a valid program, each time it was asked: {said}."))
    } else if answers.iter().skip(1).any(|executed| executed.checks().is_some()) {
        let reason = format!("The analyzer refuses a program that a compiler takes and that runs: {said}.");
        (Evidence::Contradiction, reason)
    } else {
        let reason = format!("The analyzer refuses a program that no analyzer here could run: {said}.");
        (Evidence::Suspicion, reason)
    };
    Weighed { kind: Some(exhibit.kind), evidence, reasons: vec![reason], files: Vec::new() }
}

/// What makes two of these one bug: the place of the crash, or the message.
pub(crate) fn features(exhibit: &Exhibit) -> Option<BTreeSet<String>> {
    (exhibit.relation.name == ANSWERED).then(|| BTreeSet::from([exhibit.title.clone()]))
}

fn refusal(message: &str) -> String {
    format!("refusal: {message}")
}

/// True if the message is that of the exhibit, whatever lines and columns it names.
fn is_same_refusal(title: &str, message: &str) -> bool {
    let letters =
        |text: &str| text.chars().filter(|character| !character.is_ascii_digit()).collect::<String>();
    letters(title) == letters(&refusal(message))
}
