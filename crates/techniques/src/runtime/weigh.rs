//! What an execution makes of a warning or of the lack of one.

use super::judge;
use super::relation::{InjectedError, RuntimeRelation};
use crate::Hearing;
use crate::execution;
use crate::failures;
use model::{
    Answer, Approximation, Evidence, Exhibit, FailingCheck, Limits, Lineup, NamedFile, Query, Weighed,
};

/// Wall time for executing a program once more.
const EXECUTION_MILLISECONDS: u64 = 10_000;

/// The same execution by every analyzer that can run programs and note where they go.
pub fn witness_queries(exhibit: &Exhibit, _answers: &[Answer], lineup: &Lineup) -> Vec<Query> {
    let limits = Limits { wall_milliseconds: EXECUTION_MILLISECONDS, ..Limits::default() };
    let Some(program) = exhibit.queries.get(1).and_then(|query| query.input.c()) else { return Vec::new() };
    // An analyzer that runs programs on every input does not note which places they pass.
    let tells = |query: &Query| {
        let role = lineup.member(&query.analyzer).and_then(|member| member.reachability());
        role.is_some_and(|role| role.approximation == Approximation::Under)
    };
    let questions = execution::questions(program, lineup, limits).into_iter().filter(tells);
    questions.map(|query| query.fresh(0)).collect()
}

/// Weighs the answers.
pub fn weigh(exhibit: &Exhibit, hearing: &Hearing<'_>) -> Weighed {
    let Hearing { answers, asked, witnesses, .. } = *hearing;
    let name = exhibit.queries.first().map_or(String::new(), |query| query.analyzer.to_string());
    match RuntimeRelation::of(exhibit) {
        Some(RuntimeRelation::Analyzed) => failures::weigh(exhibit, answers),
        Some(RuntimeRelation::ErrorIsReported(injected)) => {
            weigh_miss(exhibit, &injected, answers, witnesses, &name)
        }
        Some(RuntimeRelation::NoFalseWarning { .. }) => {
            weigh_warning(exhibit, answers, asked, witnesses, &name)
        }
        None => open(),
    }
}

fn weigh_warning(
    exhibit: &Exhibit,
    answers: &[Answer],
    asked: &[Query],
    witnesses: &[Answer],
    name: &str,
) -> Weighed {
    let warning = answers.first().and_then(|answer| judge::refuted(exhibit, answer));
    let (Some(warning), Some(proving)) = (warning, exhibit.queries.get(1).and_then(|query| query.input.c()))
    else {
        return open();
    };
    let met = asked.iter().zip(witnesses).find_map(|(query, answer)| match &answer.checks()?.undefined {
        Some(what) => Some(format!("{} meets undefined behaviour in the program: {what}.", query.analyzer)),
        None if judge::passes(answer) => None,
        None => Some(format!("{} runs the program and does not follow that path.", query.analyzer)),
    });
    if let Some(reason) = met {
        return Weighed {
            kind: None,
            evidence: Evidence::Suspicion,
            reasons: vec![reason],
            files: Vec::new(),
        };
    }
    let path = match warning.path.is_empty() {
        true => "passes that place",
        false => "follows the path of the warning, which begins in `main`, passes that place",
    };
    let mut reasons = vec![
        format!(
            "{name} warns of {} in line {} (`{}`: {}).",
            judge::article(warning.kind),
            warning.place.line,
            warning.checker,
            warning.message,
        ),
        format!(
            "The program reads no input, so it has exactly one execution. It {path} and ends; the sanitizers for addresses and \
             undefined behaviour report nothing."
        ),
    ];
    let files = execution::files(proving, super::stations::PASSED, "-", FailingCheck::Ends);
    let confirmation = execution::confirm(proving, super::stations::PASSED, "-");
    reasons.push(confirmation.reason);
    let evidence = if confirmation.is_proof { Evidence::Proved } else { Evidence::Suspicion };
    Weighed { kind: None, evidence, reasons, files }
}

fn weigh_miss(
    exhibit: &Exhibit,
    injected: &InjectedError,
    answers: &[Answer],
    witnesses: &[Answer],
    name: &str,
) -> Weighed {
    let (Some(injection), [_, executed, ..]) = (judge::injection(exhibit, injected), answers) else {
        return open();
    };
    // Every analyzer that ran the program must have met the error.
    if witnesses.iter().any(|answer| answer.checks().is_some() && !judge::meets(&injection, answer)) {
        return open();
    }
    let error = judge::article(injection.kind);
    let met = match executed.checks().and_then(|claim| claim.undefined.clone()) {
        Some(met) => format!(
            "It fails with {error} at `{}` ({met}), and nothing goes wrong before that.",
            injection.failing
        ),
        None => format!(
            "It goes from `{}` to `{}`, which is {error}: nothing else in the program uses that variable. No sanitizer \
             reports another error.",
            injection.preparing, injection.failing,
        ),
    };
    let mut reasons = vec![
        format!("The program reads no input, so it has exactly one execution. {met}"),
        format!("{name} has a checker for this kind of error and does not report it."),
    ];
    if exhibit.queries.len() > 2 {
        reasons.push("Its engine reaches that statement, so it did not give up earlier.".to_owned());
    }
    // The error itself follows from the text of the statement; that it is reached must not be forged.
    let confirmation = execution::confirm(&judge::arriving(&injection), judge::REACHED, "-");
    reasons.push(confirmation.reason);
    let evidence = match &injected.deliberate {
        _ if !confirmation.is_proof => Evidence::Suspicion,
        Some(what) => {
            reasons.push(format!("Its authors accept missing some of these on purpose: {what}."));
            Evidence::Suspicion
        }
        None => Evidence::Proved,
    };
    let failing = NamedFile { name: "failing.c".to_owned(), text: injection.program.base.to_string() };
    Weighed { kind: None, evidence, reasons, files: vec![failing] }
}

/// Nothing could be settled.
fn open() -> Weighed {
    let reason =
        "The analyzers that ran the program do not agree on what happens in it, so nothing is settled."
            .to_owned();
    Weighed { kind: None, evidence: Evidence::Suspicion, reasons: vec![reason], files: Vec::new() }
}
