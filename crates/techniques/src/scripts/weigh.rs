//! Asks the witnesses about a confirmed exhibit and weighs their answers.

use super::judge::{self, last_status};
use super::relation::ScriptRelation;
use crate::Hearing;
use model::{
    AnalyzerId, AnalyzerInfo, Answer, Approximation, Evidence, Exhibit, Input, Lineup, Mode, NamedFile,
    Query, SmtInput, SmtStatus, Verdict, Weighed,
};
use smt::print::{Printer, write_command};
use smt::{Command, Script, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The script without solver-specific commands, and the same with the assignment or the model in it.
struct WitnessScripts {
    plain: SmtInput,
    pinned: Option<SmtInput>,
}

/// Asks every witness the plain script and the pinned one. The accused solver gets both, too, because it may contradict
/// itself.
pub fn witness_queries(exhibit: &Exhibit, answers: &[Answer], lineup: &Lineup) -> Vec<Query> {
    let Some(query) = exhibit.queries.first() else { return Vec::new() };
    let Some(scripts) = witness_scripts(exhibit, answers) else { return Vec::new() };
    let mut queries = Vec::new();
    let mut asked = BTreeSet::new();
    // Only an exact solver can settle anything.
    let is_exact =
        |member: &&AnalyzerInfo| member.smt().is_some_and(|smt| smt.approximation == Approximation::Exact);
    let witnesses = lineup.witnesses.iter().filter(is_exact);
    for member in lineup.subjects.iter().filter(|member| member.id == query.analyzer).chain(witnesses) {
        if asked.insert(member.id.clone()) {
            queries.extend(questions(member, query, &scripts));
        }
    }
    queries
}

fn questions(member: &AnalyzerInfo, query: &Query, scripts: &WitnessScripts) -> Vec<Query> {
    let inputs = [Some(&scripts.plain), scripts.pinned.as_ref()];
    let ask = |input: &SmtInput| {
        let mut input = input.clone();
        let known = member.smt().map_or(&[][..], |smt| &smt.logics);
        let unknown_logic = |logic: &str| !known.is_empty() && !known.iter().any(|it| it == logic);
        if input.logic.as_deref().is_some_and(unknown_logic) {
            input.logic = None;
        }
        Query {
            fresh: true,
            limits: query.limits,
            ..Query::new(member.id.clone(), Input::Smt(input), Mode::Process)
        }
    };
    inputs.into_iter().flatten().map(ask).collect()
}

/// Weighs the answers of the witnesses.
pub fn weigh(exhibit: &Exhibit, hearing: &Hearing<'_>) -> Weighed {
    match ScriptRelation::of(exhibit) {
        Some(ScriptRelation::Satisfiable { assignment }) => weigh_wrong_unsat(exhibit, hearing, &assignment),
        Some(ScriptRelation::ModelSatisfies { .. }) => weigh_wrong_model(exhibit, hearing),
        Some(ScriptRelation::DoesNotCrash { .. }) => weigh_crash(hearing.answers),
        Some(ScriptRelation::Accepts { .. }) => weigh_refusal(exhibit, hearing),
        Some(ScriptRelation::SolversAgree { .. }) => weigh_disagreement(exhibit, hearing),
        None => open("The relation of the exhibit cannot be read."),
    }
}

fn weigh_crash(answers: &[Answer]) -> Weighed {
    let reason = format!(
        "The solver crashed on a valid script each time it was asked: {}.",
        answers.first().map_or(String::new(), |answer| message_of(&answer.verdict))
    );
    Weighed { kind: None, evidence: Evidence::Proved, reasons: vec![reason], files: Vec::new() }
}

/// Returns the script and the accused solver.
fn accused(exhibit: &Exhibit) -> Option<(&SmtInput, &AnalyzerId)> {
    let query = exhibit.queries.first()?;
    Some((query.input.smt()?, &query.analyzer))
}

fn weigh_wrong_unsat(exhibit: &Exhibit, hearing: &Hearing<'_>, assignment: &str) -> Weighed {
    let Hearing { answers, asked, witnesses, .. } = *hearing;
    let Some((input, analyzer)) = accused(exhibit) else {
        return open("The exhibit has no query.");
    };
    if !judge::holds(input, assignment) {
        return open("juvenal's evaluator does not confirm the assignment.");
    }
    let mut reasons = vec![
        "The solver answers unsat, but the assignment below makes every assertion true (checked by juvenal's evaluator)."
            .to_owned(),
    ];
    let scripts = witness_scripts(exhibit, answers);
    let testimony = testimony(asked, witnesses, scripts.as_ref());
    let agrees = |it: &Testimony<'_>| it.status == SmtStatus::Sat && (it.witness != analyzer || it.pinned);
    let agreed = testimony.iter().any(agrees);
    let others = testimony.iter().filter(|it| it.witness.name() != analyzer.name());
    let contested = others.into_iter().any(|it| it.status == SmtStatus::Unsat);
    reasons.extend(in_words(&testimony, analyzer, "the assignment is pinned by equalities"));
    let evidence = if agreed && !contested { Evidence::Proved } else { Evidence::Contradiction };
    if !agreed {
        reasons
            .push("No other solver confirms it: only juvenal's evaluator contradicts the solver.".to_owned());
    }
    if contested {
        reasons.push("Another solver answers unsat, too, so juvenal's evaluator may be wrong.".to_owned());
    }
    let mut files = vec![NamedFile { name: "assignment.smt2".to_owned(), text: assignment.to_owned() }];
    files.extend(pinned_file(scripts));
    Weighed { kind: None, evidence, reasons, files }
}

fn weigh_wrong_model(exhibit: &Exhibit, hearing: &Hearing<'_>) -> Weighed {
    let Hearing { answers, asked, witnesses, .. } = *hearing;
    let Some((input, analyzer)) = accused(exhibit) else {
        return open("The exhibit has no query.");
    };
    let model = claimed_model(answers).unwrap_or_default();
    let Some(refuted) = judge::refuted_by(input, model) else {
        return open("juvenal's evaluator does not refute the model.");
    };
    let mut reasons = vec![format!("Under the solver's own model this assertion is false: {refuted}")];
    let scripts = witness_scripts(exhibit, answers);
    let testimony = testimony(asked, witnesses, scripts.as_ref());
    // A witness that refutes the model, or the whole script, agrees that it cannot be a model.
    let agreed = testimony.iter().any(|it| it.status == SmtStatus::Unsat);
    reasons.extend(in_words(&testimony, analyzer, "the model is written into the script as definitions"));
    // If a witness accepts the model, our evaluator may be wrong.
    let doubted = testimony.iter().any(|it| it.pinned && it.status == SmtStatus::Sat);
    let mut files = vec![NamedFile { name: "claimed-model.txt".to_owned(), text: model.to_owned() }];
    files.extend(pinned_file(scripts));
    Weighed {
        kind: None,
        evidence: match (agreed, doubted) {
            (true, false) => Evidence::Proved,
            (false, true) => Evidence::Suspicion,
            (true, true) | (false, false) => Evidence::Contradiction,
        },
        reasons,
        files,
    }
}

fn weigh_refusal(exhibit: &Exhibit, hearing: &Hearing<'_>) -> Weighed {
    let Hearing { answers, asked, witnesses, .. } = *hearing;
    let accused = exhibit.queries.first().map(|query| &query.analyzer);
    let accepting: BTreeSet<&str> = asked
        .iter()
        .zip(witnesses)
        .filter(|(query, answer)| Some(&query.analyzer) != accused && only_status(answer).is_some())
        .map(|(query, _)| query.analyzer.as_str())
        .collect();
    let mut reasons = vec![
        "The solver accepts the seed but rejects a Boolean combination of the seed's own sub-terms."
            .to_owned(),
        answers.first().map_or(String::new(), |answer| message_of(&answer.verdict)),
    ];
    if !accepting.is_empty() {
        let names: Vec<&str> = accepting.iter().copied().collect();
        reasons.push(format!("Accepted by {}.", names.join(", ")));
    }
    let evidence = if accepting.is_empty() { Evidence::Suspicion } else { Evidence::Contradiction };
    Weighed { kind: None, evidence, reasons, files: Vec::new() }
}

/// Weighs a disagreement that the evaluator cannot settle.
fn weigh_disagreement(exhibit: &Exhibit, hearing: &Hearing<'_>) -> Weighed {
    let Hearing { answers, asked, witnesses, .. } = *hearing;
    let names = |said: SmtStatus, queries: &[Query], answers: &[Answer]| -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (query, _) in queries.iter().zip(answers).filter(|(_, answer)| last_status(answer) == said) {
            let name = query.analyzer.to_string();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    };
    let mut reasons = Vec::new();
    for said in [SmtStatus::Sat, SmtStatus::Unsat] {
        let accused_and_others = names(said, &exhibit.queries, answers);
        if !accused_and_others.is_empty() {
            reasons.push(format!("These answer {}: {}.", word(said), accused_and_others.join(", ")));
        }
        let helping = names(said, asked, witnesses);
        if !helping.is_empty() {
            let names = helping.join(", ");
            reasons.push(format!("Asked again without options, these answer {}: {names}.", word(said)));
        }
    }
    reasons.push(
        "No model settles it: none was printed, or juvenal's evaluator cannot decide whether it satisfies the script."
            .to_owned(),
    );
    Weighed { kind: Some(exhibit.kind), evidence: Evidence::Suspicion, reasons, files: Vec::new() }
}

/// The answer of one witness.
struct Testimony<'a> {
    witness: &'a AnalyzerId,
    pinned: bool,
    status: SmtStatus,
}

fn testimony<'a>(
    asked: &'a [Query],
    witnesses: &[Answer],
    scripts: Option<&WitnessScripts>,
) -> Vec<Testimony<'a>> {
    let said = |(query, answer): (&'a Query, &Answer)| {
        let status = only_status(answer)?;
        Some(Testimony { witness: &query.analyzer, pinned: is_pinned(query, scripts), status })
    };
    asked.iter().zip(witnesses).filter_map(said).collect()
}

/// Writes one sentence for all witnesses with the same answer.
fn in_words(testimony: &[Testimony<'_>], accused: &AnalyzerId, what_is_pinned: &str) -> Vec<String> {
    let mut sentences: BTreeMap<(bool, SmtStatus), Vec<String>> = BTreeMap::new();
    for it in testimony {
        let who = if it.witness == accused { "the same solver".to_owned() } else { it.witness.to_string() };
        let names = sentences.entry((it.pinned, it.status)).or_default();
        // If nothing could be pinned, both scripts are the same and every witness appears twice.
        if !names.contains(&who) {
            names.push(who);
        }
    }
    let sentence = |((pinned, status), names): (&(bool, SmtStatus), &Vec<String>)| {
        let about = if *pinned { format!("Once {what_is_pinned}") } else { "On the plain script".to_owned() };
        format!("{about}, these answer {}: {}.", word(*status), names.join(", "))
    };
    sentences.iter().map(sentence).collect()
}

/// Returns the model that the accused solver printed.
fn claimed_model(answers: &[Answer]) -> Option<&str> {
    answers.first()?.smt_checks().last()?.model.as_deref()
}

fn open(reason: &str) -> Weighed {
    Weighed { kind: None, evidence: Evidence::Suspicion, reasons: vec![reason.to_owned()], files: Vec::new() }
}

fn message_of(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Crash(text) | Verdict::Rejected(text) | Verdict::Unreadable(text) => text.clone(),
        other => other.word().to_owned(),
    }
}

fn word(status: SmtStatus) -> &'static str {
    match status {
        SmtStatus::Sat => "sat",
        SmtStatus::Unsat => "unsat",
        SmtStatus::Unknown => "unknown",
    }
}

/// Returns the status of an answer if all its checks have the same.
fn only_status(answer: &Answer) -> Option<SmtStatus> {
    let checks = answer.smt_checks();
    let first = checks.first()?.status;
    checks.iter().all(|check| check.status == first).then_some(first)
}

fn is_pinned(query: &Query, scripts: Option<&WitnessScripts>) -> bool {
    let pinned = scripts.and_then(|scripts| scripts.pinned.as_ref());
    query.input.smt().zip(pinned).is_some_and(|(input, pinned)| pinned.body == input.body)
}

fn pinned_file(scripts: Option<WitnessScripts>) -> Option<NamedFile> {
    let pinned = scripts?.pinned?;
    Some(NamedFile { name: "pinned.smt2".to_owned(), text: pinned.text() })
}

/// Rewrites the script of an exhibit for all solvers: without options, tactics and scopes.
fn witness_scripts(exhibit: &Exhibit, answers: &[Answer]) -> Option<WitnessScripts> {
    let input = exhibit.queries.first()?.input.smt()?;
    let mut script = smt::parse("exhibit", &input.text()).ok()?;
    let relation = ScriptRelation::of(exhibit)?;
    // A model must only satisfy the assertions in force at its check; an assignment satisfies every scope.
    let held = match relation {
        ScriptRelation::ModelSatisfies { .. } => judge::held_at_last_check(&script),
        ScriptRelation::Satisfiable { .. }
        | ScriptRelation::DoesNotCrash { .. }
        | ScriptRelation::Accepts { .. }
        | ScriptRelation::SolversAgree { .. } => judge::what_must_hold(&script),
    };
    let with_body = |body: String| SmtInput {
        options: "".into(),
        logic: input.logic.clone(),
        body: (body + "(check-sat)\n").into(),
        checks: 1,
    };
    let plain = with_body(sorts(&script) + &functions(&script, true) + &assertions(&script, &held));
    let pinned = match relation {
        // Adding equalities to the script that was called unsatisfiable makes the contradiction obvious.
        ScriptRelation::Satisfiable { assignment } => {
            let read = smt::model::read_model(&mut script, &assignment).ok();
            let pins = read.and_then(|read| read.assignment.pins(&script));
            let pins = pins.filter(|pins| !pins.trim().is_empty());
            pins.map(|pins| with_body(plain.body.trim_end_matches("(check-sat)\n").to_owned() + &pins))
        }
        // Only a complete model can be refuted, so it replaces the declarations.
        ScriptRelation::ModelSatisfies { .. } => {
            let read = claimed_model(answers).map(|text| smt::model::read_model(&mut script, text));
            let definitions = read.and_then(Result::ok).and_then(|read| read.assignment.definitions(&script));
            definitions.map(|definitions| {
                let functions = definitions + &functions(&script, false);
                with_body(sorts(&script) + &functions + &assertions(&script, &held))
            })
        }
        ScriptRelation::DoesNotCrash { .. }
        | ScriptRelation::Accepts { .. }
        | ScriptRelation::SolversAgree { .. } => None,
    };
    Some(WitnessScripts { plain, pinned })
}

/// Prints the declarations and definitions of sorts.
fn sorts(script: &Script) -> String {
    let is_sort = |command: &&Command| {
        matches!(
            command,
            Command::DeclareSort { .. } | Command::DefineSort { .. } | Command::DeclareDatatypes { .. }
        )
    };
    lines(script, script.commands.iter().filter(is_sort))
}

/// Prints the definitions of functions and, if `declared`, their declarations.
fn functions(script: &Script, declared: bool) -> String {
    let is_function = |command: &&Command| match command {
        Command::DeclareFun(_) | Command::DeclareConst(_) => declared,
        Command::DefineFun(_) | Command::DefineConst(_) => true,
        _ => false,
    };
    lines(script, script.commands.iter().filter(is_function))
}

fn assertions(script: &Script, held: &[TermId]) -> String {
    let asserted: Vec<Command> = held.iter().map(|term| Command::Assert(*term)).collect();
    lines(script, &asserted)
}

fn lines<'a>(script: &Script, commands: impl IntoIterator<Item = &'a Command>) -> String {
    let mut printer = Printer::new(&script.terms);
    let mut text = String::new();
    for command in commands {
        write_command(&mut printer, command, &mut text);
        text.push('\n');
    }
    text
}
