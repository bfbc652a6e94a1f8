//! The relations of `runtime` and who breaks them.

use super::NAME;
use super::injection::{Injection, OWN_VARIABLES, is_shown_by_text};
use super::stations::{self, PASSED};
use super::units::Units;
use crate::front_end;
use crate::reduction;
use c::syntax::ExpressionKind;
use c::{Program, TypeKind};
use model::{
    Annotation, Answer, CInput, CheckStatus, Demand, ErrorKind, Exhibit, Input, Kind, Query, Relation,
    Verdict, Warning,
};
use std::collections::BTreeMap;

/// An execution passes the place of a warning, on the path of the warning, and comes to its end without an error.
pub const PASSES: &str = "what is warned of does not happen";
/// An execution meets an error that the bug finder does not report.
pub const MEETS: &str = "what happens is reported";
/// The analyzer must answer.
pub const ANSWERED: &str = "a valid program is analyzed";

const KIND: &str = "error";
const STATIONS: &str = "stations";
const PREPARED: &str = "prepared";
const PLACE: &str = "place";
const PREPARING: &str = "preparing statement";
const FAILING: &str = "statement";
const STATE: &str = "state";

/// Functions that a closed program may call without defining them: their results are ignored or always the same.
const HARMLESS: [&str; 6] = ["printf", "puts", "putchar", "abort", "fabs", "fabsf"];

/// Why nothing can be said about warnings on a program; none if it is closed.
pub fn why_open(program: &Program) -> Option<String> {
    let text = String::from_utf8_lossy(&program.text);
    if text.contains("volatile") {
        return Some("it has volatile objects".to_owned());
    }
    if reduction::has_folded_error(program) {
        return Some("an expression of constants has an error, which no execution shows".to_owned());
    }
    for expression in program.expressions.iter() {
        let ExpressionKind::Call { function, .. } = expression.kind else { continue };
        let ExpressionKind::Name(entity) = program.expressions[function].kind else { continue };
        let entity = &program.entities[entity];
        let name = program.name(entity.name);
        let is_function = matches!(program.types.kind(entity.r#type), TypeKind::Function { .. });
        if is_function && !entity.is_initialized && !HARMLESS.contains(&name.as_ref()) {
            return Some(format!("it calls {name}, whose result may vary"));
        }
    }
    None
}

/// True if the sanitizers would have seen an error of this kind in any execution of the program.
pub fn is_seen(program: &Program, kind: ErrorKind) -> bool {
    match kind {
        ErrorKind::UninitializedRead => reduction::is_surely_initialized(program),
        // A pointer may leave an array without leaving the object around it, which nobody notices.
        ErrorKind::OutOfBounds => !has_pointer_arithmetic(program),
        _ => true,
    }
}

fn has_pointer_arithmetic(program: &Program) -> bool {
    program.expressions.iter().any(|expression| match expression.kind {
        ExpressionKind::Index { base, index } => {
            [base, index].iter().any(|id| program.types.is_pointer(program.expressions[*id].r#type))
        }
        ExpressionKind::Binary { .. } | ExpressionKind::Assign { operator: Some(_), .. } => {
            program.types.is_pointer(expression.r#type)
        }
        ExpressionKind::Unary { operator, .. } => {
            use c::syntax::UnaryOperator as U;
            let steps = [U::PreIncrement, U::PreDecrement, U::PostIncrement, U::PostDecrement];
            steps.contains(&operator) && program.types.is_pointer(expression.r#type)
        }
        _ => false,
    })
}

/// A warning, and the execution that passes it.
pub fn false_warning(
    asked: &Query,
    warning: &Warning,
    stations: &[u32],
    executor: &Query,
) -> Option<Exhibit> {
    let facts = BTreeMap::from([
        (KIND.to_owned(), warning.kind.word().to_owned()),
        (STATIONS.to_owned(), list(stations)),
    ]);
    let proving = stations::proving(asked.input.c()?, stations)?;
    let execution = Query { input: Input::C(proving), ..executor.clone() };
    Some(Exhibit {
        technique: NAME.to_owned(),
        kind: Kind::FalseWarning,
        title: format!("{} at a place that is passed without it", article(warning.kind)),
        queries: vec![asked.clone(), execution],
        relation: Relation { name: PASSES.to_owned(), facts },
    })
}

/// An error that is not reported, the execution that meets it, and the question whether the engine comes to it.
pub fn missed(asked: &Query, injection: &Injection, executor: &Query, arrival: Option<Query>) -> Exhibit {
    let facts = BTreeMap::from([
        (KIND.to_owned(), injection.kind.word().to_owned()),
        (PREPARED.to_owned(), injection.prepared.to_string()),
        (PLACE.to_owned(), injection.place.to_string()),
        (PREPARING.to_owned(), injection.preparing.clone()),
        (FAILING.to_owned(), injection.failing.clone()),
        (STATE.to_owned(), injection.prepared_state.clone()),
    ]);
    let execution = Query { input: Input::C(watching(injection)), ..executor.clone() };
    Exhibit {
        technique: NAME.to_owned(),
        kind: Kind::Missed,
        title: format!("{} is not reported", article(injection.kind)),
        queries: [asked.clone(), execution].into_iter().chain(arrival).collect(),
        relation: Relation { name: MEETS.to_owned(), facts },
    }
}

/// The analyzer died on a program, or refused it though it can be executed.
pub fn no_answer(asked: &Query, answer: &Answer, executor: &Query) -> Option<Exhibit> {
    let (kind, title) = match &answer.verdict {
        Verdict::Crash(place) => (Kind::Crash, format!("crash: {place}")),
        Verdict::Rejected(message) => (Kind::Refusal, format!("refusal: {message}")),
        _ => return None,
    };
    let execution = Query { input: asked.input.clone(), role: model::Role::Reachability, ..executor.clone() };
    Some(Exhibit {
        technique: NAME.to_owned(),
        kind,
        title,
        queries: vec![asked.clone(), execution],
        relation: Relation { name: ANSWERED.to_owned(), facts: BTreeMap::new() },
    })
}

/// An error kind with its article.
pub fn article(kind: ErrorKind) -> String {
    let word = kind.word().replace('-', " ");
    let begins_with_vowel = word.starts_with(['a', 'e', 'i', 'o', 'u']) && !word.starts_with("use");
    let article = if begins_with_vowel { "an" } else { "a" };
    format!("{article} {word}")
}

/// The program with an error, which notes whether what was prepared is still so when it comes to the failing
/// statement, and when it gets past it.
pub fn watching(injection: &Injection) -> CInput {
    let note = |place: u32, number: u32, what: &str| {
        let condition = format!("(juvenal_note_condition({number}, {what}), 1)");
        Annotation::new(place, Demand::Check(number), condition)
    };
    let behind = injection.place + injection.failing.len() as u32;
    let annotations = vec![note(injection.place, 1, &injection.prepared_state), note(behind, 2, "1")];
    CInput { annotations, ..injection.program.clone() }
}

/// The program with an error and a check that fails wherever the failing statement is reached.
pub fn arriving(injection: &Injection) -> CInput {
    let check = Annotation::new(injection.place, Demand::Check(1), "0");
    CInput { annotations: vec![check], ..injection.program.clone() }
}

/// True if the engine comes to the only check.
pub fn is_reached(answer: &Answer) -> bool {
    let status = answer.checks().and_then(|claim| claim.status(1));
    status.is_some_and(|status| status != CheckStatus::Verified)
}

/// The injection that an exhibit is about.
pub fn injection(exhibit: &Exhibit) -> Option<Injection> {
    let facts = &exhibit.relation.facts;
    let number = |key: &str| facts.get(key)?.parse().ok();
    Some(Injection {
        kind: error_kind(exhibit)?,
        program: exhibit.queries.first()?.input.c()?.clone(),
        prepared: number(PREPARED)?,
        place: number(PLACE)?,
        preparing: facts.get(PREPARING)?.clone(),
        failing: facts.get(FAILING)?.clone(),
        prepared_state: facts.get(STATE)?.clone(),
    })
}

/// The exhibit with another program and moved places.
pub fn with_injection(exhibit: &Exhibit, injection: &Injection) -> Exhibit {
    let mut exhibit = exhibit.clone();
    exhibit.relation.facts.insert(PREPARED.to_owned(), injection.prepared.to_string());
    exhibit.relation.facts.insert(PLACE.to_owned(), injection.place.to_string());
    let inputs = [injection.program.clone(), watching(injection), arriving(injection)];
    for (query, input) in exhibit.queries.iter_mut().zip(inputs) {
        query.input = Input::C(input);
    }
    exhibit
}

/// The exhibit with another program and other stations; none if they cannot be watched.
pub fn with_stations(exhibit: &Exhibit, program: CInput, stations: &[u32]) -> Option<Exhibit> {
    let mut exhibit = exhibit.clone();
    let proving = stations::proving(&program, stations)?;
    exhibit.relation.facts.insert(STATIONS.to_owned(), list(stations));
    for (query, input) in exhibit.queries.iter_mut().zip([program, proving]) {
        query.input = Input::C(input);
    }
    Some(exhibit)
}

/// The stations of an exhibit.
pub fn stations_of(exhibit: &Exhibit) -> Vec<u32> {
    let text = exhibit.relation.facts.get(STATIONS).map_or("", String::as_str);
    text.split_whitespace().filter_map(|number| number.parse().ok()).collect()
}

/// The kind of error that an exhibit is about.
pub fn error_kind(exhibit: &Exhibit) -> Option<ErrorKind> {
    let word = exhibit.relation.facts.get(KIND)?;
    ErrorKind::ALL.into_iter().find(|kind| kind.word() == word)
}

/// The judge.
pub fn broken(exhibit: &Exhibit, answers: &[Answer]) -> bool {
    let [answer, executed, arrivals @ ..] = answers else { return false };
    match exhibit.relation.name.as_str() {
        ANSWERED => match &answer.verdict {
            Verdict::Crash(_) => exhibit.kind == Kind::Crash,
            Verdict::Rejected(_) => exhibit.kind == Kind::Refusal && executed.checks().is_some(),
            _ => false,
        },
        PASSES => passes(executed) && refuted(exhibit, answer).is_some(),
        MEETS => {
            let Some(injection) = injection(exhibit) else { return false };
            meets(&injection, executed)
                && is_unreported(&injection, answer)
                && arrivals.iter().all(is_reached)
        }
        _ => false,
    }
}

/// True if an execution passed all stations, came to its end and met nothing undefined.
fn passes(executed: &Answer) -> bool {
    executed
        .checks()
        .is_some_and(|claim| claim.undefined.is_none() && claim.status(PASSED) == Some(CheckStatus::Violated))
}

/// The warning whose path the execution of an exhibit walks.
pub fn refuted<'a>(exhibit: &Exhibit, answer: &'a Answer) -> Option<&'a Warning> {
    let input = exhibit.queries.first()?.input.c()?;
    let program = front_end::parse("program", input).ok()?;
    let (kind, passed) = (error_kind(exhibit)?, stations_of(exhibit));
    if why_open(&program).is_some() || !is_seen(&program, kind) {
        return None;
    }
    let units = Units::of(&program);
    let is_walked = |warning: &&Warning| {
        let wanted = stations::stations(&program, &units, warning);
        warning.kind == kind && wanted.is_some_and(|wanted| stations::includes(&passed, &wanted))
    };
    answer.warnings()?.iter().find(is_walked)
}

/// True if an execution ends at the failing statement with the error that was put there.
pub fn meets(injection: &Injection, executed: &Answer) -> bool {
    let Some(claim) = executed.checks() else { return false };
    // How often a condition held and failed.
    let noted = |check: u32, column: usize| -> u64 {
        let values = claim.checks.iter().find(|it| it.check == check).and_then(|it| it.values.as_deref());
        values.and_then(|it| it.split_whitespace().nth(column)?.parse().ok()).unwrap_or(0)
    };
    if is_shown_by_text(injection.kind) {
        let has_come = noted(1, 0) > 0 && noted(1, 1) == 0 && noted(2, 0) > 0;
        return has_come && claim.undefined.is_none() && has_both_statements(injection);
    }
    let what = claim.undefined.as_deref().unwrap_or_default();
    let is_it = words(injection.kind).iter().any(|word| what.contains(word));
    // The program is run several times, and always does the same.
    is_it && noted(1, 0) > noted(2, 0) && noted(1, 1) == 0
}

/// True if the statements that show an error by their text stand in the program, and nothing else in it names what they
/// are about.
fn has_both_statements(injection: &Injection) -> bool {
    let text = injection.program.base.as_ref();
    let stands = |place: u32, statement: &str| {
        text.get(place as usize..).is_some_and(|rest| rest.starts_with(statement))
    };
    let mentions = |text: &str| OWN_VARIABLES.iter().map(|name| text.matches(name).count()).sum::<usize>();
    stands(injection.prepared, &injection.preparing)
        && stands(injection.place, &injection.failing)
        && mentions(text) == mentions(&injection.preparing) + mentions(&injection.failing)
}

/// What the harness of `execute-c` calls an error of a kind.
fn words(kind: ErrorKind) -> &'static [&'static str] {
    match kind {
        ErrorKind::NullDereference => &["type_mismatch"],
        ErrorKind::OutOfBounds => &["out_of_bounds", "address_", "buffer-overflow"],
        ErrorKind::DivisionByZero => &["divrem_overflow"],
        ErrorKind::UseAfterFree => &["address_", "use-after-free"],
        ErrorKind::DoubleFree => &["double-free"],
        ErrorKind::ShiftOutOfRange => &["shift_out_of_bounds"],
        ErrorKind::Overflow => &["add_overflow"],
        ErrorKind::UninitializedRead | ErrorKind::Leak | ErrorKind::UseAfterReturn => &[],
    }
}

/// True if nothing that the bug finder says can be about the error: neither a warning of its kind whose path touches
/// either statement or that names a variable of the error, nor any warning at the failing statement.
pub fn is_unreported(injection: &Injection, answer: &Answer) -> bool {
    let Some(warnings) = answer.warnings() else { return false };
    let line = |byte: u32| {
        injection.program.base.bytes().take(byte as usize).filter(|byte| *byte == b'\n').count() as u32 + 1
    };
    let (prepared, failing) = (line(injection.prepared), line(injection.place));
    let touches = |warning: &Warning| {
        let mut lines = warning.path.iter().map(|event| event.place.line).chain([warning.place.line]);
        let names_it = || OWN_VARIABLES.iter().any(|name| warning.message.contains(name));
        warning.kind == injection.kind
            && (lines.any(|line| line == prepared || line == failing) || names_it())
    };
    !warnings.iter().any(|warning| warning.place.line == failing || touches(warning))
}

fn list(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}
