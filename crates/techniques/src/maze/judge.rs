//! The judge of `maze`, and the exhibits that it judges.

use super::NAME;
use super::plan::{Bits, Call, Cell, Conjunct, Input, Local, LocalValue, Maze, Passage, Plan, declare};
use super::program::{Program, write};
use super::relation::{Law, MazeRelation};
use super::truth;
use crate::failures;
use crate::{Judgement, checks};
use model::{Answer, CInput, CheckStatus, Exhibit, Input as QueryInput, Kind, Query, Relation};
use smt::{Operator, TermId};

/// The number of the check of a program that is a core alone.
const CORE_CHECK: u32 = 1;

/// The exhibit that a check is verified although an input reaches it. `executor` runs programs.
pub(super) fn unsound(
    accused: &Query,
    executor: &Query,
    maze: &Maze,
    program: &Program,
    check: u32,
    inputs: &[u64],
) -> Exhibit {
    let executed = program.on_input(maze, inputs, |_| true);
    exhibit(
        Kind::Soundness,
        "verified, but an input reaches it".to_owned(),
        vec![accused.clone(), executor.with_input(QueryInput::C(executed))],
        Law::ReachableIsNotVerified { check, inputs: inputs.to_vec() },
        maze.facts(),
    )
}

/// The exhibit that a check is called violated although no input reaches it; `None` if that cannot be shown by execution.
pub(super) fn imprecise(
    accused: &Query,
    exhaustive: &Query,
    maze: &Maze,
    program: &Program,
    check: u32,
) -> Option<Exhibit> {
    let (executed, number) = proof(maze, program, check)?;
    Some(exhibit(
        Kind::Precision,
        "violated, but no input reaches it".to_owned(),
        vec![accused.clone(), exhaustive.with_input(QueryInput::C(executed))],
        Law::UnreachableIsNotViolated { check, executed: number },
        maze.facts(),
    ))
}

/// A program that shows, when it runs on every input, that a check is not reached, and the number of its check.
pub(super) fn proof(maze: &Maze, program: &Program, check: u32) -> Option<(CInput, u32)> {
    if maze.plan.input_bits() <= truth::MOST_EXHAUSTIVE_BITS {
        return Some((program.with_checks(|number| number == check), check));
    }
    let core = core_alone(maze, barring_core(maze, check)?)?;
    Some((write(&core).ok()?.with_checks(|_| true), CORE_CHECK))
}

/// A core that stands on every path to a check.
fn barring_core(maze: &Maze, check: u32) -> Option<usize> {
    let target = maze.plan.cell_of(check)?;
    (0..maze.plan.cores.len()).find(|core| {
        let is_core =
            |it: &Conjunct<TermId>| matches!(it, Conjunct::Core { core: called, .. } if called == core);
        let mut is_open = vec![false; maze.plan.cells.len()];
        let mut stack = vec![0];
        while let Some(at) = stack.pop() {
            if !std::mem::replace(&mut is_open[at], true) {
                let open = maze.plan.cells[at].passages.iter().filter(|it| !it.guard.iter().any(is_core));
                stack.extend(open.map(|passage| passage.to));
            }
        }
        !is_open[target]
    })
}

/// A maze with one passage, which only a core guards, over every value of its parameters.
fn core_alone(maze: &Maze, core: usize) -> Option<Maze> {
    let wanted = maze.plan.cores.get(core)?;
    let bits: u32 = wanted.parameters.iter().map(|(_, sort)| sort.count()).sum();
    if bits > truth::MOST_EXHAUSTIVE_BITS {
        return None;
    }
    let mut script = maze.script.clone();
    let (name, sort) = ("every_value".to_owned(), Bits::Vector(bits));
    let (_, raw) = declare(&mut script.terms, &name, sort);
    let (raw, mut low, mut arguments, mut locals) = (raw?, 0, Vec::new(), Vec::new());
    for (index, (_, sort)) in wanted.parameters.iter().enumerate() {
        let count = sort.count();
        let part = script.terms.apply(Operator::Extract { high: low + count - 1, low }, &[raw]).ok()?;
        low += count;
        let value = match sort {
            Bits::Vector(_) => part,
            Bits::Bool => {
                let one = script.terms.bitvec(1, &1.into());
                script.terms.equal(part, one).ok()?
            }
        };
        let name = format!("value_{index}");
        arguments.push(declare(&mut script.terms, &name, *sort).1?);
        locals.push(Local { name, sort: *sort, value: LocalValue::Term(value) });
    }
    let call = if bits <= 8 { Call::Uchar } else { Call::Ushort };
    let guard = vec![Conjunct::Core { core, arguments }];
    let plan = Plan {
        inputs: vec![Input { name, sort, call }],
        locals,
        // With those before it, so that it is spelled as in the program that is accused.
        cores: maze.plan.cores[..=core].to_vec(),
        cells: vec![
            Cell { passages: vec![Passage { to: 1, guard }], check: None },
            Cell { passages: Vec::new(), check: Some(CORE_CHECK) },
        ],
        steps: None,
        style: maze.plan.style.clone(),
        sample: maze.plan.sample,
    };
    Some(Maze { script, plan })
}

/// An exhibit of the technique.
pub(super) fn exhibit(
    kind: Kind,
    title: String,
    queries: Vec<Query>,
    law: Law,
    maze: Plan<String>,
) -> Exhibit {
    let relation = Relation::of(&MazeRelation { law, maze, is_edited: false });
    Exhibit { technique: NAME.to_owned(), kind, title, queries, relation, sample_key: None }
}

/// Judges the answers to the first queries.
pub(super) fn judge(exhibit: &Exhibit, answers: &[Answer]) -> Judgement {
    Judgement::when_complete(exhibit, answers, broken)
}

/// Decides by the answers to all queries.
pub(super) fn broken(exhibit: &Exhibit, answers: &[Answer]) -> bool {
    let Some(relation) = MazeRelation::of(exhibit) else { return false };
    match (relation.law, answers) {
        (Law::Analyzed, _) => failures::is_broken(exhibit, answers),
        (Law::ReachableIsNotVerified { check, .. }, [claimed, executed]) => {
            status(claimed, check) == Some(CheckStatus::Verified)
                && status(executed, check) == Some(CheckStatus::Violated)
        }
        (Law::UnreachableIsNotViolated { check, executed: number }, [claimed, executed]) => {
            status(claimed, check) == Some(CheckStatus::Violated)
                && status(executed, number) == Some(CheckStatus::Verified)
        }
        _ => false,
    }
}

/// What is said of a check; nothing where undefined behaviour is met.
pub(super) fn status(answer: &Answer, check: u32) -> Option<CheckStatus> {
    checks::statuses(answer)?.get(&check).copied()
}
