//! Smaller exhibits: first the maze shrinks, as long as the check keeps its status, and then the text of the program.

use super::judge::proof;
use super::plan::{Bits, Cell, Conjunct, Form, LocalValue, Maze, Plan};
use super::program::{LONGEST, write};
use super::relation::{Law, MazeRelation};
use super::truth::{self, Status};
use crate::drawn_options::DropOptions;
use crate::text_pass::{TextPass, first_program};
use crate::{Pass, Patch};
use c::analyze::{is_deterministic, with_checks_as_statements};
use c::reduce::{self, Pass as Over, Reduced};
use model::{Annotation, CInput, Exhibit, Input, Relation};
use smt::{Head, SymbolId, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// The passes, in the order in which they are tried.
pub(super) const PASSES: &[&dyn Pass] = &[
    &DropOptions,
    &MazePass { name: "dead ends", propose: dead_ends },
    &MazePass { name: "subtrees", propose: subtrees },
    &MazePass { name: "corridors", propose: corridors },
    &MazePass { name: "conjuncts", propose: conjuncts },
    &MazePass { name: "style", propose: styles },
    &MazePass { name: "terms", propose: terms },
    &MazePass { name: "inputs", propose: inputs },
    &TextPass { pass: Over::Initialize, put: put_program },
    &TextPass { pass: Over::Statements, put: put_program },
    &TextPass { pass: Over::Expressions, put: put_program },
    &TextPass { pass: Over::Declarations, put: put_program },
    &TextPass { pass: Over::Layout, put: put_program },
];

/// Deeper mazes are not written as nested blocks.
const DEEPEST_NESTING: usize = 60;
/// Terms with more nodes are replaced as a whole only.
const MOST_NODES: usize = 2_000;

/// A change to a maze.
#[derive(Clone, Debug, PartialEq)]
pub enum MazePatch {
    /// The dead end loses its check.
    Uncheck(usize),
    /// The passage is walled up.
    Close {
        /// The position of the cell.
        cell: usize,
        /// The position of the passage in the cell.
        passage: usize,
    },
    /// A cell with one passage is left out: who comes there must also pass what guards that passage.
    Contract(usize),
    /// A part of a guard is dropped.
    DropConjunct {
        /// The position of the cell.
        cell: usize,
        /// The position of the passage in the cell.
        passage: usize,
        /// The position in the guard.
        conjunct: usize,
    },
    /// A term becomes another one of its sort.
    Term {
        /// Its position among the terms of the maze.
        position: usize,
        /// The new one, in SMT-LIB.
        text: String,
    },
    /// A table becomes its entry for the known input.
    Entry {
        /// The position of the local.
        local: usize,
        /// The entry, in SMT-LIB.
        text: String,
    },
    /// An input becomes its known value.
    Pin(usize),
    /// A plainer way to write it down.
    Plain(Plainer),
}

/// A plainer way to write a maze down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plainer {
    /// Blocks within blocks.
    Nested,
    /// An `else` instead of `return`.
    Else,
    /// Functions read variables by name.
    Named,
    /// No functions for operators.
    NoFunctions,
    /// No casts to signed types.
    NoCasts,
    /// No limit on the steps.
    NoSteps,
}

/// A pass over the maze of an exhibit.
struct MazePass {
    name: &'static str,
    propose: fn(&Subject) -> Vec<MazePatch>,
}

/// The maze of an exhibit and what is known about it.
struct Subject {
    facts: Plan<String>,
    maze: Maze,
    law: Law,
}

impl Subject {
    fn of(exhibit: &Exhibit) -> Option<Subject> {
        let relation = MazeRelation::of(exhibit)?;
        if relation.is_edited {
            return None;
        }
        let facts = relation.maze;
        let maze = Maze::read(&facts)?;
        Some(Subject { facts, maze, law: relation.law })
    }

    fn check(&self) -> Option<u32> {
        match self.law {
            Law::Analyzed => None,
            Law::ReachableIsNotVerified { check, .. } | Law::UnreachableIsNotViolated { check, .. } => {
                Some(check)
            }
        }
    }

    /// The input that is known to reach the check.
    fn inputs(&self) -> Option<&[u64]> {
        match &self.law {
            Law::ReachableIsNotVerified { inputs, .. } => Some(inputs),
            Law::Analyzed | Law::UnreachableIsNotViolated { .. } => None,
        }
    }
}

impl Pass for MazePass {
    fn name(&self) -> &'static str {
        self.name
    }

    fn proposals(&self, exhibit: &Exhibit) -> Vec<Patch> {
        let subject = Subject::of(exhibit);
        subject.map_or(Vec::new(), |it| (self.propose)(&it).into_iter().map(Patch::Maze).collect())
    }

    fn apply(&self, exhibit: &Exhibit, patches: &[Patch]) -> Option<Exhibit> {
        let mut subject = Subject::of(exhibit)?;
        let mut facts = subject.facts.clone();
        let mut pinned = BTreeSet::new();
        for patch in patches {
            let Patch::Maze(patch) = patch else { return None };
            match patch {
                MazePatch::Pin(input) => {
                    pinned.insert(*input);
                }
                patch => change(&mut facts, patch)?,
            }
        }
        close_and_contract(&mut facts, patches)?;
        subject.maze = Maze::read(&facts)?;
        pin(&mut subject, &pinned)?;
        tidy(&mut subject)?;
        remade(exhibit, &subject)
    }
}

/// Changes that leave all positions as they are.
fn change(facts: &mut Plan<String>, patch: &MazePatch) -> Option<()> {
    match patch {
        MazePatch::Uncheck(cell) => facts.cells.get_mut(*cell)?.check = None,
        MazePatch::Term { position, text } => *terms_mut(facts).into_iter().nth(*position)? = text.clone(),
        MazePatch::Entry { local, text } => {
            facts.locals.get_mut(*local)?.value = LocalValue::Term(text.clone());
        }
        MazePatch::Plain(plainer) => {
            let style = &mut facts.style;
            match plainer {
                Plainer::Nested => style.form = Form::Nested,
                Plainer::Else => style.returns = false,
                Plainer::Named => style.passes = false,
                Plainer::NoFunctions => style.functions = 0,
                Plainer::NoCasts => style.casts = 0,
                Plainer::NoSteps => facts.steps = None,
            }
        }
        // Passages and conjuncts are counted before any of them goes, so these are done together.
        MazePatch::Close { .. }
        | MazePatch::DropConjunct { .. }
        | MazePatch::Contract(_)
        | MazePatch::Pin(_) => {}
    }
    Some(())
}

/// Every term, in the order of [`Plan::terms`].
fn terms_mut(facts: &mut Plan<String>) -> Vec<&mut String> {
    let mut all = Vec::new();
    for local in &mut facts.locals {
        match &mut local.value {
            LocalValue::Term(term) | LocalValue::Table { index: term, .. } => all.push(term),
        }
    }
    all.extend(facts.cores.iter_mut().flat_map(|core| &mut core.parts));
    for passage in facts.cells.iter_mut().flat_map(|cell| &mut cell.passages) {
        for conjunct in &mut passage.guard {
            match conjunct {
                Conjunct::Term(term) => all.push(term),
                Conjunct::Core { arguments, .. } => all.extend(arguments),
            }
        }
    }
    all
}

/// Drops conjuncts, walls up passages and leaves corridors out.
fn close_and_contract(facts: &mut Plan<String>, patches: &[Patch]) -> Option<()> {
    let patches = || {
        patches.iter().filter_map(|patch| match patch {
            Patch::Maze(patch) => Some(patch),
            _ => None,
        })
    };
    for (at, cell) in facts.cells.iter_mut().enumerate() {
        for (position, passage) in cell.passages.iter_mut().enumerate() {
            let is_dropped = |index: usize| {
                patches().any(|patch| {
                    *patch == MazePatch::DropConjunct { cell: at, passage: position, conjunct: index }
                })
            };
            let kept = passage.guard.iter().enumerate().filter(|(index, _)| !is_dropped(*index));
            passage.guard = kept.map(|(_, it)| it.clone()).collect();
        }
        let is_closed = |position: usize| {
            patches().any(|patch| *patch == MazePatch::Close { cell: at, passage: position })
        };
        let kept = cell.passages.iter().enumerate().filter(|(position, _)| !is_closed(*position));
        cell.passages = kept.map(|(_, it)| it.clone()).collect();
    }
    for patch in patches() {
        let MazePatch::Contract(left_out) = patch else { continue };
        let [only] = facts.cells.get(*left_out)?.passages.as_slice() else { continue };
        let only = only.clone();
        if only.to == *left_out {
            return None;
        }
        for passage in facts.cells.iter_mut().flat_map(|cell| &mut cell.passages) {
            if passage.to == *left_out {
                passage.to = only.to;
                passage.guard.extend(only.guard.iter().cloned());
            }
        }
    }
    Some(())
}

/// Replaces inputs by the values that are known to reach the check.
fn pin(subject: &mut Subject, pinned: &BTreeSet<usize>) -> Option<()> {
    if pinned.is_empty() {
        return Some(());
    }
    let Law::ReachableIsNotVerified { inputs, .. } = &mut subject.law else { return None };
    let mut values: BTreeMap<SymbolId, TermId> = BTreeMap::new();
    for position in pinned {
        let (input, bits) = (subject.maze.plan.inputs.get(*position)?, *inputs.get(*position)?);
        let symbol = subject.maze.symbol(&input.name)?;
        let terms = &mut subject.maze.script.terms;
        let value = match input.sort {
            Bits::Bool => terms.boolean(bits != 0),
            Bits::Vector(width) => terms.bitvec(width, &bits.into()),
        };
        values.insert(symbol, value);
    }
    let plan = subject.maze.plan.clone();
    let roots: Vec<TermId> = plan.terms().into_iter().copied().collect();
    let rebuilt = smt::rebuild(
        &mut subject.maze.script.terms,
        &roots,
        |_, _| None,
        |terms, term, children| match terms.head(term) {
            Head::Function(symbol) if values.contains_key(&symbol) => values.get(&symbol).copied(),
            _ => smt::same_head(terms, term, children),
        },
    )?;
    let mut rebuilt = rebuilt.into_iter();
    subject.maze.plan = plan.try_map(|_| rebuilt.next())?;
    let mut index = 0;
    subject.maze.plan.inputs.retain(|_| {
        index += 1;
        !pinned.contains(&(index - 1))
    });
    let kept = inputs.iter().enumerate().filter(|(index, _)| !pinned.contains(index));
    *inputs = kept.map(|(_, bits)| *bits).collect();
    Some(())
}

/// Drops cells that no passage leads to, and cores, locals and inputs that nothing reads.
fn tidy(subject: &mut Subject) -> Option<()> {
    drop_cells(&mut subject.maze.plan);
    let plan = &mut subject.maze.plan;
    let mut is_called = vec![false; plan.cores.len()];
    for conjunct in plan.cells.iter().flat_map(|cell| &cell.passages).flat_map(|passage| &passage.guard) {
        if let Conjunct::Core { core, .. } = conjunct {
            is_called[*core] = true;
        }
    }
    let numbers = renumbered(&is_called);
    keep(&mut plan.cores, &is_called);
    for conjunct in
        plan.cells.iter_mut().flat_map(|cell| &mut cell.passages).flat_map(|passage| &mut passage.guard)
    {
        if let Conjunct::Core { core, .. } = conjunct {
            *core = numbers[*core];
        }
    }
    loop {
        let plan = &subject.maze.plan;
        let read = symbols(&subject.maze, &plan.terms().into_iter().copied().collect::<Vec<_>>());
        let name_is_read =
            |name: &str| subject.maze.symbol(name).is_some_and(|symbol| read.contains(&symbol));
        let locals: Vec<bool> = plan.locals.iter().map(|it| name_is_read(&it.name)).collect();
        let inputs: Vec<bool> = plan.inputs.iter().map(|it| name_is_read(&it.name)).collect();
        let is_done = locals.iter().chain(&inputs).all(|it| *it);
        keep(&mut subject.maze.plan.locals, &locals);
        keep(&mut subject.maze.plan.inputs, &inputs);
        if let Law::ReachableIsNotVerified { inputs: values, .. } = &mut subject.law {
            keep(values, &inputs);
        }
        if is_done {
            return Some(());
        }
    }
}

fn drop_cells(plan: &mut Plan<TermId>) {
    let mut is_entered = vec![false; plan.cells.len()];
    let mut stack = vec![0];
    while let Some(at) = stack.pop() {
        if !std::mem::replace(&mut is_entered[at], true) {
            stack.extend(plan.cells[at].passages.iter().map(|passage| passage.to));
        }
    }
    let numbers = renumbered(&is_entered);
    keep(&mut plan.cells, &is_entered);
    for passage in plan.cells.iter_mut().flat_map(|cell| &mut cell.passages) {
        passage.to = numbers[passage.to];
    }
}

/// The new position of each element of a list from which some are dropped.
fn renumbered(is_kept: &[bool]) -> Vec<usize> {
    let mut next = 0;
    let number = |is_kept: &bool| {
        next += usize::from(*is_kept);
        next.saturating_sub(1)
    };
    is_kept.iter().map(number).collect()
}

fn keep<T>(list: &mut Vec<T>, is_kept: &[bool]) {
    let mut kept = is_kept.iter();
    list.retain(|_| kept.next().copied().unwrap_or(true));
}

/// The constants that occur in some terms.
fn symbols(maze: &Maze, roots: &[TermId]) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    let mut seen: BTreeSet<TermId> = BTreeSet::new();
    let mut stack = roots.to_vec();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            if let Head::Function(symbol) = maze.script.terms.head(term) {
                found.insert(symbol);
            }
            stack.extend(maze.script.terms.children(term));
        }
    }
    found
}

/// The exhibit about a changed maze, if its check has kept its status.
fn remade(exhibit: &Exhibit, subject: &Subject) -> Option<Exhibit> {
    let maze = &subject.maze;
    let is_deep = maze.plan.style.form == Form::Nested && depth(maze)? > DEEPEST_NESTING;
    if is_deep || !has_same_status(subject) {
        return None;
    }
    let program = write(maze).ok().filter(|program| program.text.len() <= LONGEST)?;
    let mut smaller = exhibit.clone();
    let mut law = subject.law.clone();
    let asked = program.with_checks(|_| true);
    let executed = match &mut law {
        Law::Analyzed => asked.clone(),
        Law::ReachableIsNotVerified { inputs, .. } => program.on_input(maze, inputs, |_| true),
        Law::UnreachableIsNotViolated { check, executed } => {
            let (proving, number) = proof(maze, &program, *check)?;
            *executed = number;
            proving
        }
    };
    for (query, program) in smaller.queries.iter_mut().zip([asked, executed]) {
        query.input = Input::C(program);
    }
    smaller.relation = Relation::of(&MazeRelation { law, maze: maze.facts(), is_edited: false });
    Some(smaller)
}

fn has_same_status(subject: &Subject) -> bool {
    match &subject.law {
        Law::Analyzed => true,
        Law::ReachableIsNotVerified { check, inputs } => {
            truth::follow(&subject.maze, inputs) == Ok(Some(*check))
        }
        Law::UnreachableIsNotViolated { check, .. } => {
            let status = truth::truth(&subject.maze, &[]).and_then(|truth| truth.get(check).cloned());
            status == Some(Status::Unreachable)
        }
    }
}

/// The number of passages to the farthest cell; `None` if passages lead back.
fn depth(maze: &Maze) -> Option<usize> {
    let cells = &maze.plan.cells;
    let mut deepest = 0;
    let mut stack = vec![(0, 0)];
    while let Some((at, depth)) = stack.pop() {
        if depth > cells.len() {
            return None;
        }
        deepest = deepest.max(depth);
        stack.extend(cells.get(at)?.passages.iter().map(|passage| (passage.to, depth + 1)));
    }
    Some(deepest)
}

/// Checks other than the one that is disputed.
fn dead_ends(subject: &Subject) -> Vec<MazePatch> {
    let check = subject.check();
    let cells = subject.maze.plan.cells.iter().enumerate();
    let others = cells.filter(|(_, cell)| cell.check.is_some() && cell.check != check);
    others.map(|(index, _)| MazePatch::Uncheck(index)).collect()
}

fn subtrees(subject: &Subject) -> Vec<MazePatch> {
    let closed = |(cell, it): (usize, &Cell<TermId>)| {
        (0..it.passages.len()).map(move |passage| MazePatch::Close { cell, passage }).collect::<Vec<_>>()
    };
    subject.maze.plan.cells.iter().enumerate().flat_map(closed).collect()
}

fn corridors(subject: &Subject) -> Vec<MazePatch> {
    let cells = subject.maze.plan.cells.iter().enumerate().skip(1);
    let corridors = cells.filter(|(_, cell)| cell.passages.len() == 1 && cell.check.is_none());
    // From the end of a corridor to its beginning, so that all of it can go at once.
    corridors.map(|(index, _)| MazePatch::Contract(index)).rev().collect()
}

fn conjuncts(subject: &Subject) -> Vec<MazePatch> {
    let mut patches = Vec::new();
    for (cell, it) in subject.maze.plan.cells.iter().enumerate() {
        for (passage, it) in it.passages.iter().enumerate() {
            let drop = |conjunct| MazePatch::DropConjunct { cell, passage, conjunct };
            patches.extend((0..it.guard.len()).map(drop));
        }
    }
    patches
}

fn styles(subject: &Subject) -> Vec<MazePatch> {
    let plan = &subject.maze.plan;
    let style = &plan.style;
    let mut plainer = Vec::new();
    plainer.extend(plan.steps.is_some().then_some(Plainer::NoSteps));
    plainer.extend((style.form != Form::Nested).then_some(Plainer::Nested));
    plainer.extend(style.returns.then_some(Plainer::Else));
    plainer.extend(style.passes.then_some(Plainer::Named));
    plainer.extend((style.functions > 0).then_some(Plainer::NoFunctions));
    plainer.extend((style.casts > 0).then_some(Plainer::NoCasts));
    plainer.into_iter().map(MazePatch::Plain).collect()
}

/// Each part of a term becomes one of its own parts, or a constant: the value for the known input, else 0.
fn terms(subject: &Subject) -> Vec<MazePatch> {
    let maze = &subject.maze;
    let mut points = subject.inputs().map(|inputs| maze.values(inputs));
    let roots: Vec<TermId> = maze.plan.terms().into_iter().copied().collect();
    let mut scratch = maze.script.clone();
    let mut patches = Vec::new();
    for (position, root) in roots.into_iter().enumerate() {
        let nodes = nodes(maze, root);
        if nodes.len() > MOST_NODES {
            continue;
        }
        for node in nodes {
            let sort = maze.script.terms.sort(node);
            let mut smaller: Vec<TermId> = Vec::new();
            if !super::grow::is_constant(&maze.script, node) {
                let value = points
                    .as_mut()
                    .and_then(|values| values.as_mut())
                    .and_then(|values| values.column(&maze.script, node));
                let value = value.and_then(|column| column.first().copied()).unwrap_or(0);
                smaller.push(match maze.script.terms.sort_of(sort) {
                    smt::Sort::Bool => scratch.terms.boolean(value != 0),
                    smt::Sort::BitVec(width) => scratch.terms.bitvec(*width, &value.into()),
                    _ => continue,
                });
            }
            let children = maze.script.terms.children(node);
            smaller.extend(children.iter().copied().filter(|child| maze.script.terms.sort(*child) == sort));
            for by in smaller {
                let replaced = smt::rebuild(
                    &mut scratch.terms,
                    &[root],
                    |_, _| None,
                    |terms, term, children| match term == node {
                        true => Some(by),
                        false => smt::same_head(terms, term, children),
                    },
                );
                let text =
                    replaced.and_then(|it| it.first().map(|term| smt::print::term(&scratch.terms, *term)));
                patches.extend(text.map(|text| MazePatch::Term { position, text }));
            }
        }
    }
    patches
}

/// The parts of a term, from the root.
fn nodes(maze: &Maze, root: TermId) -> Vec<TermId> {
    let mut seen = BTreeSet::new();
    let mut stack = vec![root];
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            stack.extend(maze.script.terms.children(term));
        }
    }
    // Parts have smaller numbers than the whole.
    seen.into_iter().rev().collect()
}

fn inputs(subject: &Subject) -> Vec<MazePatch> {
    let Some(values) = subject.inputs() else { return Vec::new() };
    let mut known = subject.maze.values(values);
    let mut patches = Vec::new();
    for (local, it) in subject.maze.plan.locals.iter().enumerate() {
        let LocalValue::Table { index, entries } = &it.value else { continue };
        let index = known.as_mut().and_then(|known| known.column(&subject.maze.script, *index));
        let entry = index.and_then(|index| entries.get(*index.first()? as usize).copied());
        let text = match (entry, it.sort) {
            (Some(entry), Bits::Vector(width)) => format!("(_ bv{entry} {width})"),
            _ => continue,
        };
        patches.push(MazePatch::Entry { local, text });
    }
    patches.extend((0..values.len()).map(MazePatch::Pin));
    patches
}

/// The exhibit with another text of its program.
pub(super) fn with_text(exhibit: &Exhibit, text: &str) -> Option<Exhibit> {
    put_program(exhibit, reduce::with_text(first_program(exhibit)?, text)?)
}

/// All queries share one text, and each keeps its own annotations. Rejects texts that could have undefined behaviour
/// which no sanitizer detects.
fn put_program(exhibit: &Exhibit, Reduced { program: after, edits }: Reduced) -> Option<Exhibit> {
    let relation = MazeRelation::of(exhibit)?;
    let before = first_program(exhibit)?.clone();
    let is_proof = matches!(relation.law, Law::UnreachableIsNotViolated { .. });
    if is_proof && !is_deterministic(&after) {
        return None;
    }
    let mut smaller = exhibit.clone();
    for query in &mut smaller.queries {
        let asked = query.input.c()?;
        if asked.base != before.base {
            return None;
        }
        let annotations = reduce::moved_annotations(&asked.annotations, &edits);
        let input = CInput { annotations, ..after.clone() };
        let sites = c::sites(&c::parse_input("reduced", &input).ok()?);
        let stands = |it: &Annotation| sites.iter().any(|site| site.place == it.place);
        if !input.annotations.iter().all(stands)
            || !reduce::is_safe(&with_checks_as_statements(asked), &with_checks_as_statements(&input))
        {
            return None;
        }
        query.input = Input::C(input);
    }
    smaller.relation = Relation::of(&MazeRelation { is_edited: true, ..relation });
    Some(smaller)
}
