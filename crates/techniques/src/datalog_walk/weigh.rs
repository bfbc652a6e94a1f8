//! Asking other engines about a confirmed exhibit, and what derivations and their answers make of it.

use super::judge::{self, Difference};
use super::program::{FUEL, Row, program_of};
use super::relation::DatalogRelation;
use super::stepwise;
use crate::Hearing;
use crate::failures;
use datalog::reference::{self, Derivation, Premise};
use datalog::{Constant, Program, RelationId, Tuple, check};
use model::{
    AnalyzerInfo, Answer, Evidence, Exhibit, Kind, Lineup, Mode, NamedFile, Query, Verdict, Weighed,
};
use std::collections::BTreeSet;

/// The maximum number of lines of a derivation in a report.
const MOST_LINES: usize = 400;
/// The maximum number of rows that a sentence names.
const SHOWN: usize = 3;

/// Asks every other engine about the program, and the accused without the options that were drawn.
pub fn witness_queries(exhibit: &Exhibit, _answers: &[Answer], lineup: &Lineup) -> Vec<Query> {
    let Some(accused) = exhibit.queries.first() else { return Vec::new() };
    let is_asked = match DatalogRelation::of(exhibit) {
        Some(
            DatalogRelation::HasFollowingRows { .. }
            | DatalogRelation::IsFixedPoint { .. }
            | DatalogRelation::IsDeterministic { .. },
        ) => true,
        Some(DatalogRelation::Analyzed) => exhibit.kind == Kind::Refusal,
        Some(DatalogRelation::Rewritten { .. }) | None => false,
    };
    if !is_asked {
        return Vec::new();
    }
    let is_other = |member: &&AnalyzerInfo| member.datalog().is_some() && member.id != accused.analyzer;
    let question = |member: &AnalyzerInfo| {
        let query = Query::new(member.id.clone(), accused.input.clone(), Mode::Process);
        Query { limits: accused.limits, ..query }.fresh(0)
    };
    let mut asked: Vec<Query> = Vec::new();
    if !accused.options.is_empty() {
        asked.push(Query { options: Vec::new(), ..accused.fresh(0) });
    }
    for member in lineup.witnesses.iter().chain(&lineup.subjects).filter(is_other) {
        let query = question(member);
        if !asked.contains(&query) {
            asked.push(query);
        }
    }
    asked
}

/// Weighs the answers.
pub fn weigh(exhibit: &Exhibit, hearing: &Hearing<'_>) -> Weighed {
    let Hearing { answers, lineup, asked, witnesses } = *hearing;
    match DatalogRelation::of(exhibit) {
        Some(DatalogRelation::Analyzed) if exhibit.kind == Kind::Refusal => {
            refused(answers, asked, witnesses)
        }
        Some(DatalogRelation::Analyzed) | None => failures::weigh(exhibit, answers),
        Some(relation) => settled(exhibit, &relation, answers, lineup, asked, witnesses)
            .unwrap_or_else(|| open(exhibit, &relation, answers)),
    }
}

/// Weighs the refusal of a program that is safe and stratified.
fn refused(answers: &[Answer], asked: &[Query], witnesses: &[Answer]) -> Weighed {
    let said = match answers.first().map(|answer| &answer.verdict) {
        Some(Verdict::Rejected(text)) => text.as_str(),
        _ => "",
    };
    let computes = |(query, answer): (&Query, &Answer)| {
        matches!(answer.verdict, Verdict::Claim(_)).then(|| query.analyzer.to_string())
    };
    let mut agreeing: Vec<String> = asked.iter().zip(witnesses).filter_map(computes).collect();
    agreeing.dedup();
    let others = if agreeing.is_empty() { String::new() } else { format!(", as {} do", agreeing.join(", ")) };
    let reason = format!(
        "The engine rejects a program that is safe and stratified, and that the reference engine computes{others}: {said}."
    );
    let evidence = if agreeing.is_empty() { Evidence::Suspicion } else { Evidence::Contradiction };
    Weighed { kind: Some(Kind::Refusal), evidence, reasons: vec![reason], files: Vec::new() }
}

/// Weighs an answer that the reference engine shows to be wrong.
fn settled<'a>(
    exhibit: &'a Exhibit,
    relation: &DatalogRelation,
    answers: &[Answer],
    lineup: &Lineup,
    asked: &[Query],
    witnesses: &[Answer],
) -> Option<Weighed> {
    let name = relation.compared();
    let wrong =
        |(query, answer): (&'a Query, &Answer)| Some((query, judge::difference(query, name, answer)?));
    let (query, difference) = exhibit.queries.iter().zip(answers).find_map(wrong)?;
    let program = program_of(&query.input)?;
    let compared = program.find(name)?;
    let mut reasons = Vec::new();
    let mut files = Vec::new();
    if let Some(row) = difference.missing.first() {
        let shown = shown_rows(name, &difference.missing);
        reasons.push(format!("{} lacks {shown}, which follows; `derivation.txt` shows how.", query.analyzer));
        files.push(NamedFile {
            name: "derivation.txt".to_owned(),
            text: derivation(&program, compared, row)?,
        });
    }
    if let Some(row) = difference.extra.first() {
        let shown = shown_rows(name, &difference.extra);
        reasons.push(format!("{} has {shown}, which no rule derives:", query.analyzer));
        reasons.extend(failures(&program, compared, row)?);
    }
    if matches!(relation, DatalogRelation::IsDeterministic { .. }) {
        reasons.push(format!("Asked {} times, the engine gave different answers.", answers.len()));
    }
    reasons.extend(plain_configuration(&difference, name, query, asked, witnesses));
    let others =
        |is_fit: &dyn Fn(&[Row]) -> bool| independent_engines(name, lineup, query, asked, witnesses, is_fit);
    let agreeing = others(&|rows| has_rows(&difference, rows));
    if !agreeing.is_empty() {
        reasons.push(format!(
            "{} {} with the reference engine on this.",
            agreeing.join(", "),
            agrees(&agreeing)
        ));
    }
    // If another engine makes the same mistake, juvenal itself is suspect.
    let siding = others(&|rows| has_same_fault(&difference, rows));
    // A derivation can be checked by hand; that there is none is held by two engines.
    let is_proved = !difference.missing.is_empty() || !agreeing.is_empty();
    let evidence = match (siding.is_empty(), is_proved) {
        (false, _) => Evidence::Suspicion,
        (true, true) => Evidence::Proved,
        (true, false) => Evidence::Contradiction,
    };
    if !siding.is_empty() {
        reasons.push(format!("But {} agrees with the accused engine.", siding.join(", ")));
    } else if !is_proved {
        reasons.push("No second engine could be asked.".to_owned());
    }
    Some(Weighed { kind: Some(Kind::Soundness), evidence, reasons, files })
}

fn agrees(names: &[String]) -> &'static str {
    if names.len() == 1 { "agrees" } else { "agree" }
}

/// The answer of the accused engine without the options that were drawn.
fn plain_configuration(
    difference: &Difference,
    name: &str,
    accused: &Query,
    asked: &[Query],
    witnesses: &[Answer],
) -> Option<String> {
    let is_plain = |(query, _): &(&Query, &Answer)| query.analyzer == accused.analyzer;
    let (_, answer) = asked.iter().zip(witnesses).find(is_plain)?;
    let words: Vec<String> = accused.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let is_right = has_rows(difference, answer.rows(name)?);
    let same = if is_right { "has the rows that follow" } else { "is wrong on this, too" };
    Some(format!("Without {} it {same}.", words.join(" ")))
}

/// True if rows hold all that are missing and none that are extra.
fn has_rows(difference: &Difference, rows: &[Row]) -> bool {
    let rows: BTreeSet<&Row> = rows.iter().collect();
    difference.missing.iter().all(|row| rows.contains(row))
        && difference.extra.iter().all(|row| !rows.contains(row))
}

/// Engines of other families whose rows are of this kind.
fn independent_engines(
    name: &str,
    lineup: &Lineup,
    accused: &Query,
    asked: &[Query],
    witnesses: &[Answer],
    is_fit: impl Fn(&[Row]) -> bool,
) -> Vec<String> {
    let is_chosen = |(query, answer): &(&Query, &Answer)| {
        is_independent(lineup, accused, query) && answer.rows(name).is_some_and(&is_fit)
    };
    asked.iter().zip(witnesses).filter(is_chosen).map(|(query, _)| query.analyzer.to_string()).collect()
}

/// True if rows lack all that are missing and hold all that are extra, as those of the accused engine do.
fn has_same_fault(difference: &Difference, rows: &[Row]) -> bool {
    let rows: BTreeSet<&Row> = rows.iter().collect();
    difference.missing.iter().all(|row| !rows.contains(row))
        && difference.extra.iter().all(|row| rows.contains(row))
}

/// True if an engine shares no code with the accused one and is not the reference engine.
fn is_independent(lineup: &Lineup, accused: &Query, query: &Query) -> bool {
    let family = |query: &Query| lineup.member(&query.analyzer).map(|member| member.family.clone());
    let role = lineup.member(&query.analyzer).and_then(|member| member.datalog());
    family(query) != family(accused) && !role.is_some_and(|role| role.is_reference)
}

fn shown_rows(name: &str, rows: &[Row]) -> String {
    let shown: Vec<String> =
        rows.iter().take(SHOWN).map(|row| format!("`{name}({})`", row.join(", "))).collect();
    let more = rows.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}

/// The constants of a row of an answer.
fn tuple(program: &Program, relation: RelationId, row: &Row) -> Option<Tuple> {
    let columns = &program.relation(relation).columns;
    row.iter().zip(columns).map(|(text, column)| Constant::read(text, *column)).collect()
}

/// A derivation as indented text.
fn derivation(program: &Program, relation: RelationId, row: &Row) -> Option<String> {
    let strata = check(program).ok()?;
    let evaluation = reference::evaluate(program, &strata, FUEL).ok()?;
    let found = evaluation.explain(relation, &tuple(program, relation, row)?)?;
    let mut lines = Vec::new();
    write_derivation(program, &found, 0, &mut lines);
    lines.truncate(MOST_LINES);
    Some(lines.join("\n") + "\n")
}

fn write_derivation(program: &Program, derivation: &Derivation, depth: usize, lines: &mut Vec<String>) {
    if lines.len() >= MOST_LINES {
        return;
    }
    let indent = "  ".repeat(depth);
    let row = program.row_text(&program.relation(derivation.relation).name, &derivation.row);
    match &derivation.from {
        None => lines.push(format!("{indent}{row}: a fact")),
        Some((rule, premises)) => {
            lines.push(format!("{indent}{row}: by {}", program.rule_text(&program.rules[*rule])));
            for premise in premises {
                match premise {
                    Premise::Row(inner) => write_derivation(program, inner, depth + 1, lines),
                    Premise::Known(text) => lines.push(format!("{indent}  {text}: as above")),
                    Premise::Holds(text) => lines.push(format!("{indent}  {text}: holds")),
                }
            }
        }
    }
}

/// For each rule, why it does not give a row.
fn failures(program: &Program, relation: RelationId, row: &Row) -> Option<Vec<String>> {
    let strata = check(program).ok()?;
    let evaluation = reference::evaluate(program, &strata, FUEL).ok()?;
    let sentence = |failure: reference::Failure| {
        let rule = &program.rules[failure.rule];
        let text = program.rule_text(rule);
        match failure.literal.and_then(|place| rule.body.get(place)) {
            Some(literal) => {
                format!("`{text}`: `{}` does not hold for this row.", program.literal_text(literal))
            }
            None => format!("`{text}`: the head is another row."),
        }
    };
    let failures = evaluation.failures(relation, &tuple(program, relation, row)?);
    let mut sentences: Vec<String> = failures.into_iter().map(sentence).collect();
    if sentences.is_empty() {
        sentences.push("The relation has only facts, and this is not one of them.".to_owned());
    }
    Some(sentences)
}

/// Weighs answers that contradict each other or themselves where nothing decides which is wrong.
fn open(exhibit: &Exhibit, relation: &DatalogRelation, answers: &[Answer]) -> Weighed {
    let reason = match relation {
        DatalogRelation::IsFixedPoint { compared } => format!(
            "The rules, applied once to the rows of the answer, give other rows of `{compared}`; {}",
            step_text(exhibit, compared, answers)
        ),
        DatalogRelation::IsDeterministic { .. } => {
            format!("Asked {} times about the same program, it gives different answers.", answers.len())
        }
        DatalogRelation::Analyzed
        | DatalogRelation::HasFollowingRows { .. }
        | DatalogRelation::Rewritten { .. } => {
            format!("{}; one of the two answers is wrong.", exhibit.title)
        }
    };
    Weighed {
        kind: Some(Kind::Soundness),
        evidence: Evidence::Contradiction,
        reasons: vec![reason],
        files: Vec::new(),
    }
}

/// What one step gives and the answer lacks, or the other way round.
fn step_text(exhibit: &Exhibit, name: &str, answers: &[Answer]) -> String {
    let program = exhibit.queries.first().and_then(|query| program_of(&query.input));
    let found =
        program.zip(answers.first()).map(|(program, answer)| stepwise::contradictions(&program, answer));
    let difference = found.unwrap_or_default().into_iter().find(|(relation, _)| relation == name);
    match difference {
        Some((_, it)) if it.missing.is_empty() => {
            format!("{} cannot be derived.", shown_rows(name, &it.extra))
        }
        Some((_, it)) => format!("{} can be derived.", shown_rows(name, &it.missing)),
        None => "the rows now follow from each other.".to_owned(),
    }
}
