//! Evidence by execution: the queries for analyzers that run C programs, the meaning of their answers, and the files that
//! reproduce a violation without juvenal.
//!
//! Queries contain the *traced* program, in which every call of an input function reports its number. An execution then
//! names the call of each of its inputs, and so can a violation witness.

mod call_site;
mod confirmation;
mod executions;
mod input_bits;
mod input_list;
mod input_type;
mod reproduction;
mod task;
mod traced;
mod violation_witness;

pub(crate) use confirmation::{confirm, confirm_absence};
pub use executions::{CheckOutcome, Executions, summarize};
pub use traced::traced;

use input_list::parse_inputs;
use model::{
    AnalyzerInfo, Annotation, AnnotationKind, CInput, ChecksClaim, DataModel, FailingCheck, Input, Limits,
    Lineup, Mode, NamedFile, Query,
};
use std::collections::BTreeSet;
use task::Task;

/// Returns a query with the traced program for each analyzer of the line-up that runs programs of the data model.
///
/// A program that our parser rejects is not traced: its executions name no calls.
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

/// Returns a check that never fails and counts how often it is reached and how often a condition holds there.
pub(crate) fn noted(place: u32, number: u32, condition: &str) -> Annotation {
    Annotation::new(
        place,
        AnnotationKind::Check(number),
        format!("(juvenal_note_condition({number}, {condition}), 1)"),
    )
}

/// Returns how often the condition of a [`noted`] check held and failed, or `None` if no execution reached it.
pub(crate) fn noted_counts(executed: &ChecksClaim, number: u32) -> Option<(u64, u64)> {
    let claim = executed.checks.iter().find(|claim| claim.check == number)?;
    let (held, failed) = claim.values.as_deref()?.split_once(' ')?;
    Some((held.parse().ok()?, failed.parse().ok()?))
}

/// Returns true if the analyzer runs programs.
pub(crate) fn executes(analyzer: &AnalyzerInfo) -> bool {
    analyzer.reachability().is_some_and(|role| role.executes)
}

/// An analyzer that runs programs of a data model, except one subject. One search is enough for a first look; exhaustive
/// executions follow when a finding is weighed.
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

/// Returns the files that show that these inputs violate a check: `reproduce.c`, which exits with 107; `program.c`, an
/// SV-COMP task with this check as its only error; and `violation-witness.yml`, a violation witness for it.
///
/// `inputs` are those of an execution of the traced program. Under [`FailingCheck::Ends`] an earlier failing check
/// ends the run. There are no files if the program has no such check or the inputs cannot be parsed.
pub fn files(input: &CInput, check: u32, inputs: &str, failing_check: FailingCheck) -> Vec<NamedFile> {
    let Some(consumed) = parse_inputs(inputs) else { return Vec::new() };
    let Some(task) = Task::new(input, check, failing_check) else { return Vec::new() };
    let program = parsed(input);
    let reproduction = reproduction::text(input, program.as_ref(), check, &consumed, failing_check);
    let violation_witness = violation_witness::text(&task, input, program.as_ref(), &consumed);
    let file = |name: &str, text: String| NamedFile { name: name.to_owned(), text };
    vec![
        file("reproduce.c", reproduction),
        file(task::FILE, task.text),
        file("violation-witness.yml", violation_witness),
    ]
}

/// Parses the program without its annotations.
fn parsed(input: &CInput) -> Option<c::Program> {
    c::parse_input(task::FILE, input).ok()
}

/// Returns the sentence that explains why the execution of a program proves nothing.
fn no_proof(why: &str) -> String {
    format!("This is no proof: {why}, so other executions may be allowed, or none.")
}
