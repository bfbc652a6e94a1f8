//! The judge of `runtime`, and the exhibits that it judges.

use super::NAME;
use super::injection::{Injection, is_shown_by_text};
use super::relation::{InjectedError, RuntimeRelation};
use super::stations::{self, PASSED};
use super::units::Units;
use crate::Judgement;
use crate::execution;
use crate::failures;
use c::analyze::{INJECTED_VARIABLES, is_block_item_at, sanitizers_detect, why_not_closed};
use model::{
    Annotation, AnnotationKind, Answer, CInput, CheckStatus, ErrorKind, Exhibit, Input, Kind, Query,
    Relation, Warning, WarningsInfo,
};

/// A warning, and the execution that passes it.
pub fn false_warning(
    asked: &Query,
    warning: &Warning,
    stations: &[u32],
    role: &WarningsInfo,
    executor: &Query,
) -> Option<Exhibit> {
    let relation = RuntimeRelation::NoFalseWarning {
        error: warning.kind,
        stations: stations.to_vec(),
        shows_paths: role.paths,
    };
    let proving = stations::proving(asked.input.c()?, stations)?;
    let execution = executor.with_input(Input::C(proving));
    Some(Exhibit {
        technique: NAME.to_owned(),
        kind: Kind::FalseWarning,
        title: format!("{} at a place that is passed without it", article(warning.kind)),
        queries: vec![asked.clone(), execution],
        relation: Relation::of(&relation),
        sample_key: None,
    })
}

/// An error that is not reported, the execution that meets it, and the query whether the engine reaches it.
pub fn missed(
    asked: &Query,
    injection: &Injection,
    role: &WarningsInfo,
    executor: &Query,
    arrival: Option<Query>,
) -> Exhibit {
    let is_it = |kind: &Option<ErrorKind>| kind.is_none_or(|kind| kind == injection.kind);
    let deliberate = role.deliberate_misses.iter().find(|(kind, _)| is_it(kind));
    let relation = RuntimeRelation::ErrorIsReported(InjectedError {
        error: injection.kind,
        preparing_at: injection.preparing_at,
        failing_at: injection.failing_at,
        preparing: injection.preparing.clone(),
        failing: injection.failing.clone(),
        prepared_state: injection.prepared_state.clone(),
        is_sound: role.sound,
        deliberate: deliberate.map(|(_, what)| what.clone()),
    });
    // Errors that are missed on purpose happen again and again.
    let sample_key =
        deliberate.map(|_| format!("{}: {} missed on purpose", asked.analyzer, injection.kind.word()));
    let execution = executor.with_input(Input::C(watching(injection)));
    Exhibit {
        technique: NAME.to_owned(),
        kind: Kind::Missed,
        title: format!("{} is not reported", article(injection.kind)),
        queries: [asked.clone(), execution].into_iter().chain(arrival).collect(),
        relation: Relation::of(&relation),
        sample_key,
    }
}

/// An error kind with its article.
pub fn article(kind: ErrorKind) -> String {
    let word = kind.word().replace('-', " ");
    let begins_with_vowel = word.starts_with(['a', 'e', 'i', 'o', 'u']) && !word.starts_with("use");
    let article = if begins_with_vowel { "an" } else { "a" };
    format!("{article} {word}")
}

/// The execution reaches the failing statement.
pub const REACHED: u32 = 1;
/// The execution gets past the failing statement.
const GOT_PAST: u32 = 2;
/// The execution reaches the end of `main`.
const ENDED: u32 = 3;

/// The program with an error, which notes whether the preparation still holds when an execution reaches the failing
/// statement, and whether the execution gets past it.
pub fn watching(injection: &Injection) -> CInput {
    let after_failing = injection.failing_at + injection.failing.len() as u32;
    let annotations = vec![
        execution::noted(injection.failing_at, REACHED, &injection.prepared_state),
        execution::noted(after_failing, GOT_PAST, "1"),
    ];
    let program = CInput { annotations, ..injection.program.clone() };
    match is_shown_by_text(injection.kind) {
        // No sanitizer ends such a program, so it must reach its end by itself.
        true => stations::with_end(&program, |place| execution::noted(place, ENDED, "1")).unwrap_or(program),
        false => program,
    }
}

/// The program with an error and a check that fails where the failing statement is reached with what was prepared.
pub fn arriving(injection: &Injection) -> CInput {
    let condition = format!("!({})", injection.prepared_state);
    let check = Annotation::new(injection.failing_at, AnnotationKind::Check(REACHED), condition);
    CInput { annotations: vec![check], ..injection.program.clone() }
}

/// True if the engine reaches the only check.
pub fn is_reached(answer: &Answer) -> bool {
    let status = answer.checks().and_then(|claim| claim.status(1));
    status.is_some_and(|status| status != CheckStatus::Verified)
}

/// The injection that a relation is about, in the program of its exhibit.
pub fn injection(exhibit: &Exhibit, injected: &InjectedError) -> Option<Injection> {
    Some(Injection {
        kind: injected.error,
        program: exhibit.queries.first()?.input.c()?.clone(),
        preparing_at: injected.preparing_at,
        failing_at: injected.failing_at,
        preparing: injected.preparing.clone(),
        failing: injected.failing.clone(),
        prepared_state: injected.prepared_state.clone(),
    })
}

/// The exhibit with a reduced program and with the statements at their new offsets.
pub fn with_injection(exhibit: &Exhibit, injected: InjectedError, injection: &Injection) -> Exhibit {
    let mut exhibit = exhibit.clone();
    exhibit.relation = Relation::of(&RuntimeRelation::ErrorIsReported(InjectedError {
        preparing_at: injection.preparing_at,
        failing_at: injection.failing_at,
        ..injected
    }));
    let inputs = [injection.program.clone(), watching(injection), arriving(injection)];
    for (query, input) in exhibit.queries.iter_mut().zip(inputs) {
        query.input = Input::C(input);
    }
    exhibit
}

/// The exhibit of a false warning with another program and other stations; `None` if they cannot be watched.
pub fn with_stations(exhibit: &Exhibit, program: CInput, stations: Vec<u32>) -> Option<Exhibit> {
    let RuntimeRelation::NoFalseWarning { error, shows_paths, .. } = RuntimeRelation::of(exhibit)? else {
        return None;
    };
    let mut exhibit = exhibit.clone();
    let proving = stations::proving(&program, &stations)?;
    exhibit.relation = Relation::of(&RuntimeRelation::NoFalseWarning { error, stations, shows_paths });
    for (query, input) in exhibit.queries.iter_mut().zip([program, proving]) {
        query.input = Input::C(input);
    }
    Some(exhibit)
}

/// False if the answer of the bug finder excludes that the relation is broken.
pub fn may_break(exhibit: &Exhibit, said: &Answer) -> bool {
    match RuntimeRelation::of(exhibit) {
        Some(RuntimeRelation::Analyzed) => failures::is_broken(exhibit, std::slice::from_ref(said)),
        Some(RuntimeRelation::NoFalseWarning { .. }) => refuted(exhibit, said).is_some(),
        Some(RuntimeRelation::ErrorIsReported(injected)) => injection(exhibit, &injected)
            .is_some_and(|injection| is_missed(&injection, said, injected.is_sound)),
        None => false,
    }
}

/// True if the bug finder does not report the error. The statement that watches the failing statement must not take its place
/// as the body of a loop or a branch.
fn is_missed(injection: &Injection, said: &Answer, is_sound: bool) -> bool {
    let program = c::parse_input("program", &injection.program);
    let is_watchable = program.is_ok_and(|program| is_block_item_at(&program, injection.failing_at));
    is_watchable && is_unreported(injection, said, is_sound)
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
    let Some(relation) = RuntimeRelation::of(exhibit) else { return false };
    match (relation, answers) {
        (RuntimeRelation::Analyzed, _) => failures::is_broken(exhibit, answers),
        (RuntimeRelation::NoFalseWarning { .. }, [answer, executed, ..]) => {
            passes(executed) && refuted(exhibit, answer).is_some()
        }
        (RuntimeRelation::ErrorIsReported(injected), [answer, executed, arrivals @ ..]) => {
            let Some(injection) = injection(exhibit, &injected) else { return false };
            meets(&injection, executed)
                && is_missed(&injection, answer, injected.is_sound)
                && arrivals.iter().all(is_reached)
        }
        (RuntimeRelation::NoFalseWarning { .. } | RuntimeRelation::ErrorIsReported(_), _) => false,
    }
}

/// True if an execution passed all stations, reached its end and met no undefined behaviour.
pub fn passes(executed: &Answer) -> bool {
    executed
        .checks()
        .is_some_and(|claim| claim.undefined.is_none() && claim.status(PASSED) == Some(CheckStatus::Violated))
}

/// The warning whose path the execution of an exhibit walks.
pub fn refuted<'a>(exhibit: &Exhibit, answer: &'a Answer) -> Option<&'a Warning> {
    let RuntimeRelation::NoFalseWarning { error, stations: passed, shows_paths } =
        RuntimeRelation::of(exhibit)?
    else {
        return None;
    };
    let input = exhibit.queries.first()?.input.c()?;
    let program = c::parse_input("program", input).ok()?;
    if why_not_closed(&program).is_some() || !sanitizers_detect(&program, error) {
        return None;
    }
    let units = Units::of(&program);
    let is_walked = |warning: &&Warning| {
        let wanted = stations::stations(&program, &units, warning, shows_paths);
        warning.kind == error && wanted.is_some_and(|wanted| stations::includes(&passed, &wanted))
    };
    answer.warnings()?.iter().find(is_walked)
}

/// True if an execution ends at the failing statement with the error that was put there.
pub fn meets(injection: &Injection, executed: &Answer) -> bool {
    let Some(claim) = executed.checks() else { return false };
    let noted = |check: u32| execution::noted_counts(claim, check).unwrap_or((0, 0));
    let (reached, reached_unprepared) = noted(REACHED);
    if reached_unprepared > 0 {
        return false;
    }
    if is_shown_by_text(injection.kind) {
        let has_passed = reached > 0 && noted(GOT_PAST).0 > 0 && noted(ENDED).0 > 0;
        return has_passed && claim.undefined.is_none() && has_both_statements(injection);
    }
    let what = claim.undefined.as_deref().unwrap_or_default();
    let is_it = words(injection.kind).iter().any(|word| what.contains(word));
    // The program is run several times, and always does the same.
    is_it && reached > noted(GOT_PAST).0
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
    stands(injection.preparing_at, &injection.preparing)
        && stands(injection.failing_at, &injection.failing)
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

/// True if no warning of the bug finder can be about the error: neither a warning of its kind whose path touches either
/// statement or that names a variable of the error, nor any warning at the failing statement. A bug finder that follows
/// paths leaves them at an error, so any warning excuses one that does not promise to miss nothing.
pub fn is_unreported(injection: &Injection, answer: &Answer, is_sound: bool) -> bool {
    let Some(warnings) = answer.warnings() else { return false };
    let failing = line_of(injection, injection.failing_at);
    let excuses = |it: &Warning| !is_sound || it.place.line == failing || is_about(injection, it);
    !warnings.iter().any(excuses)
}

/// True if a warning is about the error: one of its kind whose path touches either statement or that names a variable of
/// the error.
pub fn is_reported(injection: &Injection, answer: &Answer) -> bool {
    answer.warnings().is_some_and(|warnings| warnings.iter().any(|warning| is_about(injection, warning)))
}

fn is_about(injection: &Injection, warning: &Warning) -> bool {
    let (prepared, failing) =
        (line_of(injection, injection.preparing_at), line_of(injection, injection.failing_at));
    let mut lines = warning.path.iter().map(|event| event.place.line).chain([warning.place.line]);
    let names_it = || INJECTED_VARIABLES.iter().any(|name| warning.message.contains(name));
    warning.kind == injection.kind && (lines.any(|line| line == prepared || line == failing) || names_it())
}

/// The line of a byte of the program with the error.
fn line_of(injection: &Injection, byte: u32) -> u32 {
    let before = injection.program.base.bytes().take(byte as usize);
    before.filter(|byte| *byte == b'\n').count() as u32 + 1
}
