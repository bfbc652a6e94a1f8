//! What executions make of an evaluation.

use super::judge;
use super::relation::DebugCheckRelation;
use crate::Hearing;
use crate::execution::{self, CheckOutcome};
use crate::failures;
use model::{Answer, CInput, Evidence, Exhibit, FailingCheck, Kind, Limits, Lineup, Query, Weighed};

/// Wall time for executing a program once more.
const EXECUTION_MILLISECONDS: u64 = 5000;

/// The execution by every analyzer that can run programs.
pub fn witness_queries(exhibit: &Exhibit, _answers: &[Answer], lineup: &Lineup) -> Vec<Query> {
    let limits = Limits { wall_milliseconds: EXECUTION_MILLISECONDS, ..Limits::default() };
    match executed_program(exhibit) {
        Some(program) => {
            execution::questions(program, lineup, limits).into_iter().map(|query| query.fresh(0)).collect()
        }
        None => Vec::new(),
    }
}

fn executed_program(exhibit: &Exhibit) -> Option<&CInput> {
    match DebugCheckRelation::of(exhibit)? {
        DebugCheckRelation::HoldingIsNotFalse { .. } | DebugCheckRelation::FollowingIsNotFalse { .. } => {
            exhibit.queries.get(1)?.input.c()
        }
        DebugCheckRelation::Analyzed
        | DebugCheckRelation::FormsAreEquallyKnown { .. }
        | DebugCheckRelation::FollowingIsKnown { .. } => None,
    }
}

/// Weighs the answers.
pub fn weigh(exhibit: &Exhibit, hearing: &Hearing<'_>) -> Weighed {
    let Hearing { answers, asked, witnesses, .. } = *hearing;
    let name = exhibit.queries.first().map_or(String::new(), |query| query.analyzer.to_string());
    match DebugCheckRelation::of(exhibit) {
        Some(DebugCheckRelation::Analyzed) => failures::weigh(exhibit, answers),
        Some(
            DebugCheckRelation::HoldingIsNotFalse { .. } | DebugCheckRelation::FollowingIsNotFalse { .. },
        ) => weigh_execution(exhibit, asked, witnesses, &name),
        Some(DebugCheckRelation::FollowingIsKnown { .. }) => {
            let mut reasons = vec![said(exhibit, &name, "UNKNOWN")];
            reasons
                .push("An engine that does not know what it has assumed is imprecise, not wrong.".to_owned());
            weighed(Kind::Precision, Evidence::Suspicion, reasons)
        }
        Some(DebugCheckRelation::FormsAreEquallyKnown { .. }) | None => {
            let forms = conditions(exhibit).join(" and ");
            let reason = format!(
                "Asked about each alone, {name} knows the first of {forms} and answers UNKNOWN to the second, although both \
                 follow from the same condition and are equivalent there."
            );
            weighed(Kind::Precision, Evidence::Contradiction, vec![reason])
        }
    }
}

fn weighed(kind: Kind, evidence: Evidence, reasons: Vec<String>) -> Weighed {
    Weighed { kind: Some(kind), evidence, reasons, files: Vec::new() }
}

fn weigh_execution(exhibit: &Exhibit, asked: &[Query], witnesses: &[Answer], name: &str) -> Weighed {
    let mut reasons = vec![said(exhibit, name, "FALSE")];
    let program = executed_program(exhibit);
    let answers: Vec<(Query, Answer)> = asked.iter().cloned().zip(witnesses.iter().cloned()).collect();
    let summary = program.map(|program| execution::summarize(program, &answers));
    if let Some(met) = summary.as_ref().and_then(|summary| summary.undefined.as_ref()) {
        reasons.push(format!("Executing the program meets undefined behaviour ({met})."));
        return weighed(exhibit.kind, Evidence::Suspicion, reasons);
    }
    let shown = summary.iter().flat_map(|summary| &summary.checks).find_map(|(check, shown)| match shown {
        CheckOutcome::Violated { inputs, by } => Some((*check, inputs.clone(), by.clone())),
        _ => None,
    });
    let (Some((check, inputs, by)), Some(program)) = (shown, program) else {
        reasons.push(
            "No execution was found that gets there: the engine is on a path that it failed to exclude, and there \
             denies what it had to assume to get there."
                .to_owned(),
        );
        return weighed(Kind::Precision, Evidence::Contradiction, reasons);
    };
    let by: Vec<&str> = by.iter().map(|id| id.as_str()).collect();
    reasons.push(format!(
        "An execution without undefined behaviour gets there, and the condition holds ({}; inputs: {inputs}).",
        by.join(", "),
    ));
    let files = execution::files(program, check, &inputs, FailingCheck::Ends);
    let confirmation = execution::confirm(program, check, &inputs);
    reasons.push(confirmation.reason);
    if !confirmation.is_proof {
        return Weighed { files, ..weighed(exhibit.kind, Evidence::Suspicion, reasons) };
    }
    if has_assumed(exhibit) {
        return Weighed { files, ..weighed(Kind::Soundness, Evidence::Proved, reasons) };
    }
    reasons.push(
        "The condition merely follows from what the engine has assumed. The engine may be on another path, which it \
         failed to exclude, and may have left the path of the execution."
            .to_owned(),
    );
    Weighed { files, ..weighed(Kind::Precision, Evidence::Contradiction, reasons) }
}

/// True if the condition of an exhibit is the one that the engine has assumed, in some words.
fn has_assumed(exhibit: &Exhibit) -> bool {
    let derived = exhibit.queries.first().and_then(|query| judge::derivations(query.input.c()?));
    derived.is_some_and(|derived| derived.iter().all(|(_, derived, _)| derived.restates()))
}

/// What the analyzer said of the only condition.
fn said(exhibit: &Exhibit, name: &str, word: &str) -> String {
    let derived = exhibit.queries.first().and_then(|query| judge::derivations(query.input.c()?));
    let condition = conditions(exhibit).join(", ");
    match derived.as_ref().and_then(|derived| derived.first()) {
        Some((_, derived, origin)) => format!(
            "{name} evaluates {condition} only to {word}, at a place that is reached only where it \
             holds ({}; rule `{}`).",
            origin.word(),
            derived.rule,
        ),
        None => format!("{name} evaluates {condition} to {word}."),
    }
}

/// The conditions of an exhibit, with their guards.
fn conditions(exhibit: &Exhibit) -> Vec<String> {
    let text = |it: &model::Annotation| match &it.guard {
        Some(guard) => format!("`{}` under `{guard}`", it.condition),
        None => format!("`{}`", it.condition),
    };
    judge::questions(exhibit).flat_map(|program| program.annotations.iter().map(text)).collect()
}
