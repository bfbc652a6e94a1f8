//! What executions make of an evaluation.

use super::judge::{self, ANSWERED, FOLLOWS, HOLDS, KNOWN};
use crate::execution::{self, Shown};
use model::{Answer, CInput, Evidence, Exhibit, FailingCheck, Kind, Limits, Lineup, Query, Verdict, Weighed};

/// Wall time for executing a program once more.
const EXECUTION_MILLISECONDS: u64 = 10_000;

/// The execution by everybody who can run programs.
pub fn witness_queries(exhibit: &Exhibit, lineup: &Lineup) -> Vec<Query> {
    let limits = Limits { wall_milliseconds: EXECUTION_MILLISECONDS, ..Limits::default() };
    match executed_program(exhibit) {
        Some(program) => {
            execution::questions(program, lineup, limits).into_iter().map(|query| query.fresh(0)).collect()
        }
        None => Vec::new(),
    }
}

fn executed_program(exhibit: &Exhibit) -> Option<&CInput> {
    (exhibit.relation.name == HOLDS).then(|| exhibit.queries.get(1)?.input.c())?
}

/// The judgement.
pub fn weigh(exhibit: &Exhibit, answers: &[Answer], asked: &[Query], witnesses: &[Answer]) -> Weighed {
    let name = exhibit.queries.first().map_or(String::new(), |query| query.analyzer.to_string());
    match exhibit.relation.name.as_str() {
        ANSWERED => weigh_silence(exhibit, answers),
        HOLDS => weigh_execution(exhibit, asked, witnesses, &name),
        FOLLOWS => {
            let mut reasons = vec![said(exhibit, &name, "FALSE")];
            reasons.push(
                "No execution was found that comes there: the engine may be on a path that it failed to exclude, but \
                 on that path it has assumed the opposite."
                    .to_owned(),
            );
            weighed(Kind::Precision, Evidence::Contradiction, reasons)
        }
        KNOWN => {
            let mut reasons = vec![said(exhibit, &name, "UNKNOWN")];
            reasons
                .push("An engine that does not know what it has assumed is imprecise, not wrong.".to_owned());
            weighed(Kind::Precision, Evidence::Suspicion, reasons)
        }
        _ => {
            let forms = conditions(exhibit).join("` and `");
            let reason = format!(
                "At one place {name} knows one of `{forms}` and says UNKNOWN of the other, though they say the same."
            );
            weighed(Kind::Precision, Evidence::Contradiction, vec![reason])
        }
    }
}

fn weighed(kind: Kind, evidence: Evidence, reasons: Vec<String>) -> Weighed {
    Weighed { kind: Some(kind), evidence, reasons, files: Vec::new() }
}

fn weigh_silence(exhibit: &Exhibit, answers: &[Answer]) -> Weighed {
    let said = match answers.first().map(|answer| &answer.verdict) {
        Some(Verdict::Crash(text) | Verdict::Rejected(text)) => text.clone(),
        _ => String::new(),
    };
    match exhibit.kind {
        Kind::Crash => {
            let reason = format!("The analyzer died on a valid program, each time it was asked: {said}.");
            weighed(Kind::Crash, Evidence::Proved, vec![reason])
        }
        kind => {
            let reason = format!("The analyzer refuses a program that a compiler takes: {said}.");
            weighed(kind, Evidence::Contradiction, vec![reason])
        }
    }
}

fn weigh_execution(exhibit: &Exhibit, asked: &[Query], witnesses: &[Answer], name: &str) -> Weighed {
    let mut reasons = vec![said(exhibit, name, "FALSE")];
    let open = |mut reasons: Vec<String>| {
        reasons.push("Executions did not settle this.".to_owned());
        weighed(Kind::Precision, Evidence::Contradiction, reasons)
    };
    let Some(program) = executed_program(exhibit) else { return open(reasons) };
    let answers: Vec<(Query, Answer)> = asked.iter().cloned().zip(witnesses.iter().cloned()).collect();
    let heard = execution::hear(program, &answers);
    if let Some(met) = heard.undefined {
        reasons.push(format!("Executing the program meets undefined behaviour ({met})."));
        return weighed(Kind::Soundness, Evidence::Suspicion, reasons);
    }
    let shown = heard.checks.iter().find_map(|(check, shown)| match shown {
        Shown::Violated { inputs, by } => Some((*check, inputs.clone(), by.clone())),
        _ => None,
    });
    let Some((check, inputs, by)) = shown else { return open(reasons) };
    let by: Vec<&str> = by.iter().map(|id| id.as_str()).collect();
    reasons.push(format!(
        "An execution without undefined behaviour comes there, and the condition holds ({}; inputs: {inputs}).",
        by.join(", "),
    ));
    let files = execution::files(program, check, &inputs, FailingCheck::Ends);
    Weighed { files, ..weighed(Kind::Soundness, Evidence::Proved, reasons) }
}

/// What the analyzer said of the only condition.
fn said(exhibit: &Exhibit, name: &str, word: &str) -> String {
    let derived = exhibit.queries.first().and_then(|query| judge::derivations(query.input.c()?));
    let condition = conditions(exhibit).join("`, `");
    match derived.as_ref().and_then(|derived| derived.first()) {
        Some((_, derived, origin)) => format!(
            "{name} evaluates `{condition}` to {word} and to nothing else, at a place that is reached only where it \
             holds ({}; rule `{}`).",
            origin.word(),
            derived.rule,
        ),
        None => format!("{name} evaluates `{condition}` to {word}."),
    }
}

fn conditions(exhibit: &Exhibit) -> Vec<&str> {
    let program = exhibit.queries.first().and_then(|query| query.input.c());
    program.iter().flat_map(|program| program.annotations.iter().map(|it| it.condition.as_ref())).collect()
}
