//! The relations of `runtime` and who breaks them.

use super::NAME;
use super::injection::{Injection, is_shown_by_text};
use super::stations::{self, PASSED};
use super::units::Units;
use crate::Judgement;
use crate::execution;
use crate::failures::{self, ANSWERED};
use c::analyze::{INJECTED_VARIABLES, is_block_item_at, sanitizers_detect, why_not_closed};
use model::{
    Annotation, AnnotationKind, Answer, CInput, CheckStatus, ErrorKind, Exhibit, Input, Kind, Query,
    Relation, Warning, WarningsInfo,
};
use std::collections::BTreeMap;

/// An execution passes the place of a warning, on the path of the warning, and comes to its end without an error.
pub const DOES_NOT_HAPPEN: &str = "what is warned of does not happen";
/// An execution meets an error that the bug finder does not report.
pub const MEETS: &str = "what happens is reported";
const KIND: &str = "error";
const STATIONS: &str = "stations";
const PREPARED: &str = "prepared";
const PLACE: &str = "place";
const PREPARING: &str = "preparing statement";
const FAILING: &str = "statement";
const STATE: &str = "state";
/// Present if the bug finder promises to overlook nothing.
const SOUND: &str = "sound";
/// What the analyzer's authors say of errors of this kind that they overlook on purpose.
const DELIBERATE: &str = "deliberate";
/// Present if the bug finder shows the path to an error.
const PATHS: &str = "paths";

/// A warning, and the execution that passes it.
pub fn false_warning(
    asked: &Query,
    warning: &Warning,
    stations: &[u32],
    role: &WarningsInfo,
    executor: &Query,
) -> Option<Exhibit> {
    let mut facts = BTreeMap::from([
        (KIND.to_owned(), warning.kind.word().to_owned()),
        (STATIONS.to_owned(), list(stations)),
    ]);
    if role.paths {
        facts.insert(PATHS.to_owned(), String::new());
    }
    let proving = stations::proving(asked.input.c()?, stations)?;
    let execution = executor.with_input(Input::C(proving));
    Some(Exhibit {
        technique: NAME.to_owned(),
        kind: Kind::FalseWarning,
        title: format!("{} at a place that is passed without it", article(warning.kind)),
        queries: vec![asked.clone(), execution],
        relation: Relation { name: DOES_NOT_HAPPEN.to_owned(), facts },
        sample_key: None,
    })
}

/// What the analyzer's authors say of the errors of this kind that they overlook on purpose.
pub fn deliberate(exhibit: &Exhibit) -> Option<&str> {
    exhibit.relation.facts.get(DELIBERATE).map(String::as_str)
}

/// The key of an error that is overlooked on purpose, which happens again and again.
fn sample_key(exhibit: &Exhibit) -> Option<String> {
    deliberate(exhibit)?;
    let analyzer = &exhibit.queries.first()?.analyzer;
    Some(format!("{analyzer}: {} overlooked on purpose", exhibit.relation.facts.get(KIND)?))
}

/// An error that is not reported, the execution that meets it, and the question whether the engine comes to it.
pub fn missed(
    asked: &Query,
    injection: &Injection,
    role: &WarningsInfo,
    executor: &Query,
    arrival: Option<Query>,
) -> Exhibit {
    let mut facts = BTreeMap::from([
        (KIND.to_owned(), injection.kind.word().to_owned()),
        (PREPARED.to_owned(), injection.prepared.to_string()),
        (PLACE.to_owned(), injection.place.to_string()),
        (PREPARING.to_owned(), injection.preparing.clone()),
        (FAILING.to_owned(), injection.failing.clone()),
        (STATE.to_owned(), injection.prepared_state.clone()),
    ]);
    if role.sound {
        facts.insert(SOUND.to_owned(), String::new());
    }
    let is_it = |kind: &Option<ErrorKind>| kind.is_none_or(|kind| kind == injection.kind);
    if let Some((_, what)) = role.deliberate_misses.iter().find(|(kind, _)| is_it(kind)) {
        facts.insert(DELIBERATE.to_owned(), what.clone());
    }
    let execution = executor.with_input(Input::C(watching(injection)));
    let exhibit = Exhibit {
        technique: NAME.to_owned(),
        kind: Kind::Missed,
        title: format!("{} is not reported", article(injection.kind)),
        queries: [asked.clone(), execution].into_iter().chain(arrival).collect(),
        relation: Relation { name: MEETS.to_owned(), facts },
        sample_key: None,
    };
    Exhibit { sample_key: sample_key(&exhibit), ..exhibit }
}

/// An error kind with its article.
pub fn article(kind: ErrorKind) -> String {
    let word = kind.word().replace('-', " ");
    let begins_with_vowel = word.starts_with(['a', 'e', 'i', 'o', 'u']) && !word.starts_with("use");
    let article = if begins_with_vowel { "an" } else { "a" };
    format!("{article} {word}")
}

/// The notes of an execution: it comes to the failing statement, gets behind it, and comes to the end of `main`.
const COMING: u32 = 1;
const BEHIND: u32 = 2;
const ENDED: u32 = 3;

/// The program with an error, which notes whether what was prepared is still so when it comes to the failing
/// statement, and when it gets past it.
pub fn watching(injection: &Injection) -> CInput {
    let behind = injection.place + injection.failing.len() as u32;
    let annotations = vec![
        execution::noted(injection.place, COMING, &injection.prepared_state),
        execution::noted(behind, BEHIND, "1"),
    ];
    let program = CInput { annotations, ..injection.program.clone() };
    match is_shown_by_text(injection.kind) {
        // No sanitizer ends such a program, so that it must come to its end by itself.
        true => stations::with_end(&program, |place| execution::noted(place, ENDED, "1")).unwrap_or(program),
        false => program,
    }
}

/// The program with an error and a check that fails where the failing statement is reached with what was prepared.
pub fn arriving(injection: &Injection) -> CInput {
    let condition = format!("!({})", injection.prepared_state);
    let check = Annotation::new(injection.place, AnnotationKind::Check(1), condition);
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

/// False if what the bug finder says excludes that the relation is broken.
pub fn may_break(exhibit: &Exhibit, said: &Answer) -> bool {
    match exhibit.relation.name.as_str() {
        ANSWERED => failures::is_broken(exhibit, std::slice::from_ref(said)),
        DOES_NOT_HAPPEN => refuted(exhibit, said).is_some(),
        MEETS => injection(exhibit).is_some_and(|injection| is_missed(exhibit, &injection, said)),
        _ => false,
    }
}

/// True if the bug finder of an exhibit does not report its error. What is put before the failing statement to watch it
/// must not take its place in a loop or a branch.
fn is_missed(exhibit: &Exhibit, injection: &Injection, said: &Answer) -> bool {
    let program = c::parse_input("program", &injection.program);
    let is_watchable = program.is_ok_and(|program| is_block_item_at(&program, injection.place));
    is_watchable && is_unreported(injection, said, exhibit.relation.facts.contains_key(SOUND))
}

/// Judges the answers to the first queries.
pub fn judge(exhibit: &Exhibit, answers: &[Answer]) -> Judgement {
    match answers.len() < exhibit.queries.len() {
        true => Judgement::on_some(answers.first().is_none_or(|said| may_break(exhibit, said))),
        false => Judgement::on_all(broken(exhibit, answers)),
    }
}

/// Decides by the answers to all queries.
pub fn broken(exhibit: &Exhibit, answers: &[Answer]) -> bool {
    if exhibit.relation.name == ANSWERED {
        return failures::is_broken(exhibit, answers);
    }
    let [answer, executed, arrivals @ ..] = answers else { return false };
    match exhibit.relation.name.as_str() {
        DOES_NOT_HAPPEN => passes(executed) && refuted(exhibit, answer).is_some(),
        MEETS => {
            let Some(injection) = injection(exhibit) else { return false };
            meets(&injection, executed)
                && is_missed(exhibit, &injection, answer)
                && arrivals.iter().all(is_reached)
        }
        _ => false,
    }
}

/// True if an execution passed all stations, came to its end and met nothing undefined.
pub fn passes(executed: &Answer) -> bool {
    executed
        .checks()
        .is_some_and(|claim| claim.undefined.is_none() && claim.status(PASSED) == Some(CheckStatus::Violated))
}

/// The warning whose path the execution of an exhibit walks.
pub fn refuted<'a>(exhibit: &Exhibit, answer: &'a Answer) -> Option<&'a Warning> {
    let input = exhibit.queries.first()?.input.c()?;
    let program = c::parse_input("program", input).ok()?;
    let (kind, passed) = (error_kind(exhibit)?, stations_of(exhibit));
    if why_not_closed(&program).is_some() || !sanitizers_detect(&program, kind) {
        return None;
    }
    let units = Units::of(&program);
    let shows_paths = exhibit.relation.facts.contains_key(PATHS);
    let is_walked = |warning: &&Warning| {
        let wanted = stations::stations(&program, &units, warning, shows_paths);
        warning.kind == kind && wanted.is_some_and(|wanted| stations::includes(&passed, &wanted))
    };
    answer.warnings()?.iter().find(is_walked)
}

/// True if an execution ends at the failing statement with the error that was put there.
pub fn meets(injection: &Injection, executed: &Answer) -> bool {
    let Some(claim) = executed.checks() else { return false };
    let noted = |check: u32| execution::noted_counts(claim, check).unwrap_or((0, 0));
    let (coming, coming_otherwise) = noted(COMING);
    if coming_otherwise > 0 {
        return false;
    }
    if is_shown_by_text(injection.kind) {
        let has_passed = coming > 0 && noted(BEHIND).0 > 0 && noted(ENDED).0 > 0;
        return has_passed && claim.undefined.is_none() && has_both_statements(injection);
    }
    let what = claim.undefined.as_deref().unwrap_or_default();
    let is_it = words(injection.kind).iter().any(|word| what.contains(word));
    // The program is run several times, and always does the same.
    is_it && coming > noted(BEHIND).0
}

/// True if the statements that show an error by their text stand in the program, and nothing else in it names what they
/// are about.
fn has_both_statements(injection: &Injection) -> bool {
    let text = injection.program.base.as_ref();
    let stands = |place: u32, statement: &str| {
        text.get(place as usize..).is_some_and(|rest| rest.starts_with(statement))
    };
    let mentions =
        |text: &str| INJECTED_VARIABLES.iter().map(|name| text.matches(name).count()).sum::<usize>();
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
/// either statement or that names a variable of the error, nor any warning at the failing statement. Who follows paths
/// leaves them at an error, so that any warning excuses a bug finder that does not promise to overlook nothing.
pub fn is_unreported(injection: &Injection, answer: &Answer, is_sound: bool) -> bool {
    let Some(warnings) = answer.warnings() else { return false };
    let line = |byte: u32| {
        injection.program.base.bytes().take(byte as usize).filter(|byte| *byte == b'\n').count() as u32 + 1
    };
    let (prepared, failing) = (line(injection.prepared), line(injection.place));
    let touches = |warning: &Warning| {
        let mut lines = warning.path.iter().map(|event| event.place.line).chain([warning.place.line]);
        let names_it = || INJECTED_VARIABLES.iter().any(|name| warning.message.contains(name));
        warning.kind == injection.kind
            && (lines.any(|line| line == prepared || line == failing) || names_it())
    };
    !warnings.iter().any(|warning| !is_sound || warning.place.line == failing || touches(warning))
}

fn list(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}
