//! Which checks of a maze some input reaches.

use super::columns::{Column, Columns, mask, value_of};
use super::plan::{Bits, Conjunct, LocalValue, Maze, Passage};
use model::Random;
use smt::{Assignment, Evaluator, SymbolId, TermId};
use std::collections::BTreeMap;

/// Mazes with at most so many input bits are evaluated for every input.
pub(super) const MOST_EXHAUSTIVE_BITS: u32 = 16;

/// How many inputs of other mazes are tried.
const SAMPLES: usize = 64;

/// Cores have at most so many bits of parameters, because each is evaluated for all of their values.
pub(super) const MOST_CORE_BITS: u32 = 20;

/// What is known of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// These inputs reach it, a value for each.
    Reachable(Vec<u64>),
    /// No input reaches it.
    Unreachable,
    /// Nothing is known.
    Open,
}

/// The status of every check by its number.
pub(super) type Truth = BTreeMap<u32, Status>;

/// The inputs for which a maze is evaluated.
#[derive(Clone, Debug)]
pub(super) struct Points {
    /// The columns of the inputs and locals.
    pub columns: Columns,
    /// The columns of the inputs, in their order.
    pub inputs: Vec<Column>,
    /// True if these are all inputs.
    pub are_all: bool,
}

impl Points {
    /// All inputs of a maze, or a sample of them with some more; `None` if a local cannot be evaluated.
    pub fn of(maze: &Maze, more: &[&[u64]]) -> Option<Points> {
        let plan = &maze.plan;
        let bits = plan.input_bits();
        let are_all = bits <= MOST_EXHAUSTIVE_BITS;
        let mut inputs: Vec<Column> = Vec::with_capacity(plan.inputs.len());
        if are_all {
            let mut shift = 0;
            for input in &plan.inputs {
                let cut = mask(input.sort.count());
                inputs.push((0..1u64 << bits).map(|row| row >> shift & cut).collect());
                shift += input.sort.count();
            }
        } else {
            let mut random = Random::for_case(plan.sample, 0);
            for (index, input) in plan.inputs.iter().enumerate() {
                let drawn = (0..SAMPLES).map(|row| sample(input.sort.count(), row, &mut random));
                let given = more.iter().map(|values| values.get(index).copied().unwrap_or(0));
                inputs.push(drawn.chain(given).collect());
            }
        }
        Points::with(maze, inputs, are_all)
    }

    /// One input.
    pub fn one(maze: &Maze, inputs: &[u64]) -> Option<Points> {
        let inputs = inputs.iter().map(|bits| Column::from([*bits])).collect();
        Points::with(maze, inputs, false)
    }

    /// Computes the locals.
    fn with(maze: &Maze, inputs: Vec<Column>, are_all: bool) -> Option<Points> {
        let plan = &maze.plan;
        let count = inputs.first().map_or(1, |column| column.len());
        let named = plan.inputs.iter().zip(&inputs);
        let variables = named.map(|(input, column)| Some((maze.symbol(&input.name)?, column.clone())));
        let mut columns = Columns::new(count, variables.collect::<Option<_>>()?);
        for local in &plan.locals {
            let column = match &local.value {
                LocalValue::Term(term) => columns.column(&maze.script, *term)?,
                LocalValue::Table { index, entries } => {
                    let index = columns.column(&maze.script, *index)?;
                    index.iter().map(|it| entries.get(*it as usize).copied()).collect::<Option<_>>()?
                }
            };
            columns.add(maze.symbol(&local.name)?, column);
        }
        Some(Points { columns, inputs, are_all })
    }

    /// The inputs of one row.
    pub fn row(&self, row: usize) -> Vec<u64> {
        self.inputs.iter().filter_map(|column| column.get(row).copied()).collect()
    }
}

/// A value with this many bits: first the ends of the range, then numbers of every length.
fn sample(bits: u32, row: usize, random: &mut Random) -> u64 {
    let cut = mask(bits);
    let drawn = random.word();
    let value = match row {
        0 => 0,
        1 => cut,
        2 => 1 << (bits - 1),
        3 => cut >> 1,
        _ if row.is_multiple_of(8) => (drawn % 5).wrapping_sub(2),
        _ => drawn >> random.below(64),
    };
    value & cut
}

/// Evaluates every check. `more` are inputs to try if there are too many to try all.
pub(super) fn truth(maze: &Maze, more: &[&[u64]]) -> Option<Truth> {
    let mut points = Points::of(maze, more)?;
    let guards = guards(maze, &mut points.columns)?;
    let mut truth: Truth = if points.are_all {
        checks(maze).map(|check| (check, Status::Unreachable)).collect()
    } else {
        barred(maze)
    };
    for row in 0..points.columns.count() {
        let Some(check) = walk(maze, &guards, row) else { continue };
        match truth.get(&check) {
            Some(Status::Reachable(_)) => {}
            // A core that some value satisfies is no core.
            Some(Status::Unreachable) if !points.are_all => return None,
            _ => {
                truth.insert(check, Status::Reachable(points.row(row)));
            }
        }
    }
    Some(truth)
}

/// The numbers of all checks.
pub(super) fn checks(maze: &Maze) -> impl Iterator<Item = u32> {
    maze.plan.cells.iter().filter_map(|cell| cell.check)
}

/// For each cell and passage, where its guard holds.
type Guards = Vec<Vec<Column>>;

fn guards(maze: &Maze, columns: &mut Columns) -> Option<Guards> {
    let of_cell = |passages: &[Passage<TermId>], columns: &mut Columns| {
        passages.iter().map(|passage| guard_column(maze, &passage.guard, columns)).collect()
    };
    maze.plan.cells.iter().map(|cell| of_cell(&cell.passages, columns)).collect()
}

/// Where a guard holds.
pub(super) fn guard_column(maze: &Maze, guard: &[Conjunct<TermId>], columns: &mut Columns) -> Option<Column> {
    let mut all: Column = std::iter::repeat_n(1, columns.count()).collect();
    for conjunct in guard {
        let column = match conjunct {
            Conjunct::Term(term) => columns.column(&maze.script, *term)?,
            Conjunct::Core { core, arguments } => core_column(maze, *core, arguments, columns)?,
        };
        all = all.iter().zip(column.iter()).map(|(x, y)| x & y).collect();
    }
    Some(all)
}

fn core_column(maze: &Maze, core: usize, arguments: &[TermId], columns: &mut Columns) -> Option<Column> {
    let core = maze.plan.cores.get(core)?;
    let mut inner = Vec::with_capacity(arguments.len());
    for ((name, _), argument) in core.parameters.iter().zip(arguments) {
        inner.push((maze.symbol(name)?, columns.column(&maze.script, *argument)?));
    }
    let mut inner = Columns::new(columns.count(), inner);
    let parts: Vec<Conjunct<TermId>> = core.parts.iter().copied().map(Conjunct::Term).collect();
    guard_column(maze, &parts, &mut inner)
}

/// The check that one input reaches.
fn walk(maze: &Maze, guards: &Guards, row: usize) -> Option<u32> {
    let cells = &maze.plan.cells;
    let mut at = 0;
    // Inputs are read once, so a walk that comes back to a cell goes round for ever.
    let most = maze.plan.steps.map_or(cells.len(), |steps| cells.len().min(steps as usize));
    for _ in 0..=most {
        let cell = cells.get(at)?;
        if cell.check.is_some() {
            return cell.check;
        }
        let mut open = cell.passages.iter().zip(guards.get(at)?);
        at = open.find(|(_, column)| column.get(row) == Some(&1)).map(|(passage, _)| passage.to)?;
    }
    None
}

/// The status of checks by the cores alone: what no path without a core leads to is unreachable.
fn barred(maze: &Maze) -> Truth {
    let cells = &maze.plan.cells;
    let is_core = |it: &Conjunct<TermId>| matches!(it, Conjunct::Core { core, .. } if is_never(maze, *core));
    let mut is_open = vec![false; cells.len()];
    let mut stack = vec![0];
    while let Some(at) = stack.pop() {
        if std::mem::replace(&mut is_open[at], true) {
            continue;
        }
        let passages = cells[at].passages.iter().filter(|passage| !passage.guard.iter().any(is_core));
        stack.extend(passages.map(|passage| passage.to));
    }
    let status = |is_open: &bool| if *is_open { Status::Open } else { Status::Unreachable };
    let checked = cells.iter().zip(&is_open);
    checked.filter_map(|(cell, is_open)| Some((cell.check?, status(is_open)))).collect()
}

/// True if no value of its parameters satisfies a core.
pub(super) fn is_never(maze: &Maze, core: usize) -> bool {
    let Some(mut columns) = core_values(maze, core) else { return false };
    let Some(core) = maze.plan.cores.get(core) else { return false };
    let parts: Vec<Conjunct<TermId>> = core.parts.iter().copied().map(Conjunct::Term).collect();
    guard_column(maze, &parts, &mut columns).is_some_and(|column| column.iter().all(|it| *it == 0))
}

/// The columns of the parameters of a core for all of their values.
pub(super) fn core_values(maze: &Maze, core: usize) -> Option<Columns> {
    let parameters = &maze.plan.cores.get(core)?.parameters;
    let bits: u32 = parameters.iter().map(|(_, sort)| sort.count()).sum();
    if bits > MOST_CORE_BITS {
        return None;
    }
    let named: Option<Vec<(SymbolId, Bits)>> =
        parameters.iter().map(|(name, sort)| Some((maze.symbol(name)?, *sort))).collect();
    Some(all_values(&named?))
}

/// The columns of some variables for all of their values together.
pub(super) fn all_values(variables: &[(SymbolId, Bits)]) -> Columns {
    let bits: u32 = variables.iter().map(|(_, sort)| sort.count()).sum();
    let mut shift = 0;
    let mut columns = Columns::new(1 << bits, Vec::new());
    for (symbol, sort) in variables {
        let cut = mask(sort.count());
        columns.add(*symbol, (0..1u64 << bits).map(|row| row >> shift & cut).collect());
        shift += sort.count();
    }
    columns
}

/// Follows one input with the exact evaluator, which shares no code with columns. Returns the check that it reaches, if
/// any; an error if something cannot be evaluated.
pub(super) fn follow(maze: &Maze, inputs: &[u64]) -> Result<Option<u32>, ()> {
    Ok(way(maze, inputs)?.check)
}

/// The way of one input through a maze.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Way {
    /// The cells that it leaves, each with the position of the passage that it takes.
    pub passages: Vec<(usize, usize)>,
    /// The check that it reaches.
    pub check: Option<u32>,
    /// The values of the locals, in their order.
    pub locals: Vec<u64>,
}

/// Follows one input with the exact evaluator.
pub(super) fn way(maze: &Maze, inputs: &[u64]) -> Result<Way, ()> {
    let mut way = Way::default();
    let mut assignment = Assignment::new();
    for (input, bits) in maze.plan.inputs.iter().zip(inputs) {
        set(maze, &mut assignment, &input.name, *bits)?;
    }
    for local in &maze.plan.locals {
        let bits = match &local.value {
            LocalValue::Term(term) => bits_of(maze, &assignment, *term)?,
            LocalValue::Table { index, entries } => {
                let index = bits_of(maze, &assignment, *index)?;
                *entries.get(index as usize).ok_or(())?
            }
        };
        set(maze, &mut assignment, &local.name, bits)?;
        way.locals.push(bits);
    }
    let mut at = 0;
    let most = maze.plan.steps.map_or(usize::MAX, |steps| steps as usize);
    for _ in 0..=most.min(maze.plan.cells.len()) {
        let cell = maze.plan.cells.get(at).ok_or(())?;
        if cell.check.is_some() {
            return Ok(Way { check: cell.check, ..way });
        }
        let mut next = None;
        for (position, passage) in cell.passages.iter().enumerate() {
            if next.is_none() && holds(maze, &assignment, &passage.guard)? {
                next = Some((position, passage.to));
            }
        }
        let Some((position, to)) = next else { return Ok(way) };
        way.passages.push((at, position));
        at = to;
    }
    Ok(way)
}

fn set(maze: &Maze, assignment: &mut Assignment, name: &str, bits: u64) -> Result<(), ()> {
    let symbol = maze.symbol(name).ok_or(())?;
    assignment.set_constant(symbol, value_of(&maze.script.terms, symbol, bits).ok_or(())?);
    Ok(())
}

fn holds(maze: &Maze, assignment: &Assignment, guard: &[Conjunct<TermId>]) -> Result<bool, ()> {
    for conjunct in guard {
        let holds = match conjunct {
            Conjunct::Term(term) => bits_of(maze, assignment, *term)? == 1,
            Conjunct::Core { core, arguments } => {
                let core = maze.plan.cores.get(*core).ok_or(())?;
                let mut inner = Assignment::new();
                for ((name, _), argument) in core.parameters.iter().zip(arguments) {
                    set(maze, &mut inner, name, bits_of(maze, assignment, *argument)?)?;
                }
                let parts: Vec<Conjunct<TermId>> = core.parts.iter().copied().map(Conjunct::Term).collect();
                holds(maze, &inner, &parts)?
            }
        };
        if !holds {
            return Ok(false);
        }
    }
    Ok(true)
}

fn bits_of(maze: &Maze, assignment: &Assignment, term: TermId) -> Result<u64, ()> {
    match Evaluator::new(&maze.script, assignment).value(term) {
        Some(smt::Value::Bool(value)) => Ok(u64::from(value)),
        Some(smt::Value::BitVec { bits, .. }) => u64::try_from(bits).map_err(|_| ()),
        _ => Err(()),
    }
}
