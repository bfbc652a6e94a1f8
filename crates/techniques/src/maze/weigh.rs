//! What executions make of an answer about a maze.

use super::plan::{Conjunct, Maze, Plan};
use super::program::inputs_text;
use super::relation::{Law, MazeRelation};
use super::truth;
use crate::execution::{self, CheckOutcome};
use crate::{Hearing, failures};
use model::{Answer, CInput, Evidence, Exhibit, FailingCheck, Limits, Lineup, NamedFile, Query, Weighed};

/// Wall time for executing a program once more, longer than during a walk.
const EXECUTION_MILLISECONDS: u64 = 10_000;

/// The way of an input is told guard by guard if it passes at most so many.
const MOST_GUARDS_IN_WORDS: usize = 8;

/// The execution again, by every analyzer that runs programs, but not by the accused.
pub(super) fn witness_queries(exhibit: &Exhibit, _answers: &[Answer], lineup: &Lineup) -> Vec<Query> {
    let Some((accused, program)) = exhibit.queries.first().zip(executed(exhibit)) else { return Vec::new() };
    let limits = Limits { wall_milliseconds: EXECUTION_MILLISECONDS, ..Limits::default() };
    let queries = execution::questions(program, lineup, limits).into_iter();
    queries.filter(|query| query.analyzer != accused.analyzer).map(|query| query.fresh(0)).collect()
}

fn executed(exhibit: &Exhibit) -> Option<&CInput> {
    exhibit.queries.get(1)?.input.c()
}

/// Weighs the answers.
pub(super) fn weigh(exhibit: &Exhibit, hearing: &Hearing<'_>) -> Weighed {
    let Hearing { answers, asked, witnesses, .. } = *hearing;
    let suspicion = |reason: String| weighed(exhibit, Evidence::Suspicion, vec![reason], Vec::new());
    let Some(relation) = MazeRelation::of(exhibit) else {
        return suspicion("The relation of this finding cannot be read.".to_owned());
    };
    if relation.law == Law::Analyzed {
        return failures::weigh(exhibit, answers);
    }
    let Some((accused, program)) = exhibit.queries.first().zip(executed(exhibit)) else {
        return suspicion("The finding has no execution.".to_owned());
    };
    let executions: Vec<(Query, Answer)> = asked.iter().cloned().zip(witnesses.iter().cloned()).collect();
    let summary = execution::summarize(program, &executions);
    if let Some(met) = &summary.undefined {
        return suspicion(format!("Executing the program meets undefined behaviour ({met})."));
    }
    match &relation.law {
        Law::Analyzed => failures::weigh(exhibit, answers),
        Law::ReachableIsNotVerified { check, inputs } => {
            let Some(CheckOutcome::Violated { inputs: found, by }) = summary.checks.get(check) else {
                return suspicion(
                    "No analyzer that runs programs reached the check when the finding was weighed."
                        .to_owned(),
                );
            };
            let by: Vec<&str> = by.iter().map(|id| id.as_str()).collect();
            // The maze knows its input; an edited program has the one that the execution found.
            let known = inputs_text(&relation.maze.inputs, inputs);
            let inputs = if relation.is_edited { found } else { &known };
            let reason = format!(
                "{} calls check {check} verified, but executing the program reaches it ({}; inputs: {inputs}).",
                accused.analyzer,
                by.join(", "),
            );
            let confirmation = execution::confirm(program, *check, inputs);
            let evidence = if confirmation.is_proof { Evidence::Proved } else { Evidence::Suspicion };
            let asked = accused.input.c().unwrap_or(program);
            let files = execution::files(asked, *check, inputs, FailingCheck::Ends);
            let way = if relation.is_edited { None } else { way_in_words(&relation.maze, &relation.law) };
            let reasons = std::iter::once(reason).chain(way).chain([confirmation.reason]).collect();
            weighed(exhibit, evidence, reasons, files)
        }
        Law::UnreachableIsNotViolated { check, executed } => {
            if summary.checks.get(executed) != Some(&CheckOutcome::Never) {
                return suspicion(
                    "No analyzer that runs programs on every input did so when the finding was weighed."
                        .to_owned(),
                );
            }
            let what = if accused.input.c().map(|it| &it.base) == Some(&program.base) {
                "the program was run on every input and never reaches it".to_owned()
            } else {
                "every way to it passes a condition that was tried on all values and never holds".to_owned()
            };
            let reason = format!("{} says that an input reaches check {check}; {what}.", accused.analyzer);
            let confirmation = execution::confirm_absence(program, *executed);
            let evidence = if confirmation.is_proof { Evidence::Proved } else { Evidence::Suspicion };
            weighed(exhibit, evidence, vec![reason, confirmation.reason], Vec::new())
        }
    }
}

/// The values of the variables and the guards on the way to the check, if there are few.
fn way_in_words(facts: &Plan<String>, law: &Law) -> Option<String> {
    let Law::ReachableIsNotVerified { inputs, .. } = law else { return None };
    let way = truth::way(&Maze::read(facts)?, inputs).ok()?;
    let mut guards = Vec::new();
    for (cell, position) in &way.passages {
        for conjunct in &facts.cells.get(*cell)?.passages.get(*position)?.guard {
            guards.push(match conjunct {
                Conjunct::Term(term) => format!("`{term}`"),
                Conjunct::Core { core, .. } => format!("core {core}"),
            });
        }
    }
    if guards.is_empty() || guards.len() > MOST_GUARDS_IN_WORDS {
        return None;
    }
    let of_inputs = facts.inputs.iter().zip(inputs).map(|(input, value)| (&input.name, value));
    let of_locals = facts.locals.iter().zip(&way.locals).map(|(local, value)| (&local.name, value));
    let values: Vec<String> =
        of_inputs.chain(of_locals).map(|(name, value)| format!("{name} = {value}")).collect();
    let values = if values.is_empty() { String::new() } else { format!(", with {}", values.join(", ")) };
    Some(format!("The guards on the way to the check hold{values}: {}.", guards.join(", ")))
}

fn weighed(exhibit: &Exhibit, evidence: Evidence, reasons: Vec<String>, files: Vec<NamedFile>) -> Weighed {
    Weighed { kind: Some(exhibit.kind), evidence, reasons, files }
}
