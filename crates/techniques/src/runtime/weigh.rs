//! What an execution makes of a warning or of the lack of one.

use super::judge::{self, MEETS};
use crate::Hearing;
use crate::execution;
use crate::failures::{self, ANSWERED};
use model::{
    Answer, Approximation, Evidence, Exhibit, FailingCheck, Limits, Lineup, NamedFile, Query, Weighed,
};

/// Wall time for executing a program once more.
const EXECUTION_MILLISECONDS: u64 = 10_000;

/// The same execution by everybody who can run programs and tells where they go.
pub fn witness_queries(exhibit: &Exhibit, _answers: &[Answer], lineup: &Lineup) -> Vec<Query> {
    let limits = Limits { wall_milliseconds: EXECUTION_MILLISECONDS, ..Limits::default() };
    let Some(program) = exhibit.queries.get(1).and_then(|query| query.input.c()) else { return Vec::new() };
    // Who runs programs on every input does not note which places they pass.
    let tells = |query: &Query| {
        let role = lineup.member(&query.analyzer).and_then(|member| member.reachability());
        role.is_some_and(|role| role.approximation == Approximation::Under)
    };
    let questions = execution::questions(program, lineup, limits).into_iter().filter(tells);
    questions.map(|query| query.fresh(0)).collect()
}

/// The judgement.
pub fn weigh(exhibit: &Exhibit, hearing: &Hearing<'_>) -> Weighed {
    let Hearing { answers, asked, witnesses, .. } = *hearing;
    let name = exhibit.queries.first().map_or(String::new(), |query| query.analyzer.to_string());
    match exhibit.relation.name.as_str() {
        ANSWERED => failures::weigh(exhibit, answers),
        MEETS => weigh_miss(exhibit, answers, witnesses, &name),
        _ => weigh_warning(exhibit, answers, asked, witnesses, &name),
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
        None => Some(format!("{} runs the program and does not come along that path.", query.analyzer)),
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
        false => "walks the path of the warning, which begins in `main`, passes that place",
    };
    let reasons = vec![
        format!(
            "{name} warns of {} in line {} (`{}`: {}).",
            judge::article(warning.kind),
            warning.place.line,
            warning.checker,
            warning.message,
        ),
        format!(
            "The program takes no input, so that it has one execution. It {path} and comes to its end; the \
             sanitizers for addresses and undefined behaviour see nothing."
        ),
    ];
    let files = execution::files(proving, super::stations::PASSED, "-", FailingCheck::Ends);
    Weighed { kind: None, evidence: Evidence::Proved, reasons, files }
}

fn weigh_miss(exhibit: &Exhibit, answers: &[Answer], witnesses: &[Answer], name: &str) -> Weighed {
    let (Some(injection), [_, executed, ..]) = (judge::injection(exhibit), answers) else {
        return open();
    };
    // Whoever ran the program must have met the error.
    if witnesses.iter().any(|answer| answer.checks().is_some() && !judge::meets(&injection, answer)) {
        return open();
    }
    let error = judge::article(injection.kind);
    let met = match executed.checks().and_then(|claim| claim.undefined.clone()) {
        Some(met) => format!(
            "It fails with {error} at `{}` ({met}), and nothing goes wrong before.",
            injection.failing
        ),
        None => format!(
            "It comes from `{}` to `{}`, which is {error}: nothing else in the program names what they are about. No \
             sanitizer sees another error.",
            injection.preparing, injection.failing,
        ),
    };
    let mut reasons = vec![
        format!("The program takes no input, so that it has one execution. {met}"),
        format!("{name} has a checker for this kind of error and does not report it."),
    ];
    if exhibit.queries.len() > 2 {
        reasons.push(
            "Its engine comes to that statement, so that it has not merely given up before.".to_owned(),
        );
    }
    let evidence = match judge::deliberate(exhibit) {
        Some(what) => {
            reasons.push(format!("Its authors overlook some of these on purpose: {what}."));
            Evidence::Suspicion
        }
        None => Evidence::Proved,
    };
    let failing = NamedFile { name: "failing.c".to_owned(), text: injection.program.base.to_string() };
    Weighed { kind: None, evidence, reasons, files: vec![failing] }
}

/// Nothing could be settled.
fn open() -> Weighed {
    let reason = "Those who ran the program do not agree on what happens in it, so that nothing is settled."
        .to_owned();
    Weighed { kind: None, evidence: Evidence::Suspicion, reasons: vec![reason], files: Vec::new() }
}
