//! Evidence by execution: what to ask analyzers that run C programs, what their answers show, and the files that let
//! a stranger see a violation without juvenal.
//!
//! A program is asked about in its *traced* form, in which every call of an input function says which call it is; an
//! execution then names the call behind each of its inputs, and a violation witness can name it too.

mod call_site;
mod executions;
mod input_bits;
mod input_list;
mod input_type;
mod reproduction;
mod task;
mod traced;
mod witness;

pub use executions::{CheckOutcome, Executions, summarize};
pub use traced::traced;

use input_list::parse_inputs;
use model::{
    AnalyzerInfo, Annotation, AnnotationKind, CInput, ChecksClaim, DataModel, FailingCheck, Input, Limits,
    Lineup, Mode, NamedFile, Query,
};
use std::collections::BTreeSet;
use task::Task;

/// The traced program for each member of the line-up that runs programs and knows the data model, once each.
///
/// A program that our parser does not take is asked about as it is: its executions then name no calls.
pub fn questions(input: &CInput, lineup: &Lineup, limits: Limits) -> Vec<Query> {
    let program = Input::C(traced(input).unwrap_or_else(|| input.clone()));
    let mut seen = BTreeSet::new();
    let mut questions = Vec::new();
    for member in lineup.subjects.iter().chain(&lineup.witnesses) {
        let Some(role) = member.reachability() else { continue };
        let is_able = role.executes && role.data_models.contains(&input.data_model);
        if is_able && seen.insert(member.id.clone()) {
            let mode = member.modes.first().copied().unwrap_or(Mode::Process);
            questions.push(Query { limits, ..Query::new(member.id.clone(), program.clone(), mode) });
        }
    }
    questions
}

/// A check that never fails and notes how often an execution comes to it, and how often a condition holds there.
pub(crate) fn noted(place: u32, number: u32, condition: &str) -> Annotation {
    Annotation::new(
        place,
        AnnotationKind::Check(number),
        format!("(juvenal_note_condition({number}, {condition}), 1)"),
    )
}

/// How often the condition of a [`noted`] check held and how often it failed; none if no execution came there.
pub(crate) fn noted_counts(executed: &ChecksClaim, number: u32) -> Option<(u64, u64)> {
    let claim = executed.checks.iter().find(|claim| claim.check == number)?;
    let (held, failed) = claim.values.as_deref()?.split_once(' ')?;
    Some((held.parse().ok()?, failed.parse().ok()?))
}

/// True if the analyzer runs programs.
pub(crate) fn executes(analyzer: &AnalyzerInfo) -> bool {
    analyzer.reachability().is_some_and(|role| role.executes)
}

/// Somebody who runs programs of a data model, one subject excepted. One search is enough for a first look;
/// the exhaustive ones are executions when a finding is weighed.
pub fn executor<'a>(
    lineup: &'a Lineup,
    except: Option<&AnalyzerInfo>,
    data_model: DataModel,
) -> Option<&'a AnalyzerInfo> {
    let searches = |member: &&AnalyzerInfo| {
        let fits = member.reachability().is_some_and(|role| {
            role.executes && !role.approximation.binds_exclusions() && role.data_models.contains(&data_model)
        });
        fits && except.is_none_or(|except| member.id != except.id)
    };
    lineup.witnesses.iter().chain(&lineup.subjects).find(searches)
}

/// What shows a stranger that these inputs violate a check: `reproduce.c`, which exits with 107; `program.c`, the
/// program as a task of SV-COMP with this check as its only error; and `witness.yml`, a violation witness for it.
///
/// `inputs` are those of an execution of the traced program. Under [`FailingCheck::Ends`] an earlier failing check
/// ends the run. There are no files if the program has no such check or the inputs cannot be read.
pub fn files(input: &CInput, check: u32, inputs: &str, failing_check: FailingCheck) -> Vec<NamedFile> {
    let Some(consumed) = parse_inputs(inputs) else { return Vec::new() };
    let Some(task) = Task::new(input, check, failing_check) else { return Vec::new() };
    let program = parsed(input);
    let reproduction = reproduction::text(input, program.as_ref(), check, &consumed, failing_check);
    let witness = witness::text(&task, input, program.as_ref(), &consumed);
    let file = |name: &str, text: String| NamedFile { name: name.to_owned(), text };
    vec![file("reproduce.c", reproduction), file(task::FILE, task.text), file("witness.yml", witness)]
}

/// The program without its annotations; none if it does not parse.
fn parsed(input: &CInput) -> Option<c::Program> {
    c::parse_input(task::FILE, input).ok()
}

/// The sentence in a report about a program whose execution proves nothing, and why.
pub(crate) fn no_proof(why: &str) -> String {
    format!("This is no proof: {why}, so that other executions may be allowed, or none.")
}
