//! Analyzers that crash on a valid program or refuse it: the same exhibit for every technique on programs.

use model::{Answer, Evidence, Exhibit, Kind, Query, Relation, Verdict, Weighed};
use std::collections::BTreeSet;

/// The exhibit if the analyzer crashed or refused the program. The relation is the one by which the technique knows such
/// exhibits. The execution shows that a compiler accepts a program that is refused.
pub(crate) fn exhibit(
    technique: &str,
    asked: &Query,
    answer: &Answer,
    execution: Option<Query>,
    relation: Relation,
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
        relation,
        sample_key: None,
    })
}

/// Decides by the answers. An execution of a refused program must have succeeded.
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

/// Weighs the answers.
pub(crate) fn weigh(exhibit: &Exhibit, answers: &[Answer]) -> Weighed {
    let said = match answers.first().map(|answer| &answer.verdict) {
        Some(Verdict::Crash(text) | Verdict::Rejected(text)) => text.as_str(),
        _ => "",
    };
    let (evidence, reason) = if exhibit.kind == Kind::Crash {
        (Evidence::Proved, format!("The analyzer crashed on a valid program each time it was asked: {said}."))
    } else if answers.iter().skip(1).any(|executed| executed.checks().is_some()) {
        let reason = format!("The analyzer refuses a program that a compiler accepts and that runs: {said}.");
        (Evidence::Contradiction, reason)
    } else {
        let reason = format!("The analyzer refuses a program that no analyzer here could run: {said}.");
        (Evidence::Suspicion, reason)
    };
    Weighed { kind: Some(exhibit.kind), evidence, reasons: vec![reason], files: Vec::new() }
}

/// The features of a failure: the location of the crash or the error message.
pub(crate) fn features(exhibit: &Exhibit) -> BTreeSet<String> {
    BTreeSet::from([exhibit.title.clone()])
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
