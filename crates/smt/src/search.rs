//! Random assignments, and a small search for one that makes given terms true.

use crate::evaluate::Evaluator;
use crate::model::assignment::{Assignment, FunctionTable, declared_functions, declared_sorts};
use crate::script::Script;
use crate::term::sort::SortId;
use crate::term::symbol::SymbolId;
use crate::term::{Head, TermId};
use crate::value::Value;
use crate::value::pool::{Flavour, ValuePool};
use model::Random;
use std::collections::{BTreeMap, BTreeSet};

/// After this many steps without a better assignment the search restarts.
const PATIENCE: usize = 40;

/// A random assignment of every declared function whose sorts are evaluated.
pub fn draw_assignment(script: &Script, random: &mut Random, flavour: Flavour) -> Assignment {
    Drawing::new(script).assignment(random, flavour)
}

/// Searches for an assignment under which all assertions evaluate to true: a hill climb that changes one symbol at a
/// time.
///
/// `tries` bounds the number of evaluated assignments.
pub fn local_search(
    script: &Script,
    assertions: &[TermId],
    random: &mut Random,
    tries: usize,
) -> Option<Assignment> {
    let drawing = Drawing::new(script);
    let symbols: Vec<Vec<SymbolId>> = assertions.iter().map(|term| drawing.symbols_inside(*term)).collect();
    let mut climb: Option<(Assignment, Vec<bool>)> = None;
    let (mut idle, mut starts) = (0, 0);
    for _ in 0..tries {
        let candidate = match &climb {
            Some((assignment, truths)) if idle < PATIENCE => {
                drawing.neighbour(assignment, &blamed(&symbols, truths, random), random)
            }
            _ => {
                let flavour = Flavour::ALL[starts % Flavour::ALL.len()];
                (idle, starts, climb) = (0, starts + 1, None);
                drawing.assignment(random, flavour)
            }
        };
        let truths = truths_of(script, &candidate, assertions);
        let score = count(&truths);
        if score == assertions.len() {
            return Some(candidate);
        }
        let best = climb.as_ref().map(|(_, truths)| count(truths));
        idle = if best.is_none_or(|best| score > best) { 0 } else { idle + 1 };
        if best.is_none_or(|best| score >= best) {
            climb = Some((candidate, truths));
        }
    }
    None
}

fn truths_of(script: &Script, assignment: &Assignment, assertions: &[TermId]) -> Vec<bool> {
    let mut evaluator = Evaluator::new(script, assignment);
    assertions.iter().map(|assertion| evaluator.truth(*assertion) == Some(true)).collect()
}

fn count(truths: &[bool]) -> usize {
    truths.iter().filter(|truth| **truth).count()
}

/// The symbols of one assertion that does not hold.
fn blamed(symbols: &[Vec<SymbolId>], truths: &[bool], random: &mut Random) -> Vec<SymbolId> {
    let wrong: Vec<&Vec<SymbolId>> =
        symbols.iter().zip(truths).filter(|(_, truth)| !**truth).map(|(symbols, _)| symbols).collect();
    random.choose(&wrong).map(|symbols| symbols.to_vec()).unwrap_or_default()
}

/// Prepared once for many draws.
struct Drawing<'a> {
    script: &'a Script,
    pool: ValuePool,
    functions: Vec<SymbolId>,
    sorts: Vec<SortId>,
}

/// The values drawn so far, by sort. Tables use them as arguments.
type InPlay = BTreeMap<SortId, Vec<Value>>;

impl<'a> Drawing<'a> {
    fn new(script: &'a Script) -> Drawing<'a> {
        Drawing {
            script,
            pool: ValuePool::new(script),
            functions: declared_functions(script),
            sorts: declared_sorts(script),
        }
    }

    fn assignment(&self, random: &mut Random, flavour: Flavour) -> Assignment {
        let mut assignment = Assignment::new();
        for sort in &self.sorts {
            let size = if flavour == Flavour::Zeros { 1 } else { random.between(1, 4) };
            assignment.set_universe(*sort, size as u32);
        }
        let mut in_play = InPlay::new();
        let (constants, functions): (Vec<SymbolId>, Vec<SymbolId>) =
            self.functions.iter().partition(|symbol| self.parameters(**symbol).is_empty());
        for symbol in constants.into_iter().chain(functions) {
            self.redraw(&mut assignment, &mut in_play, symbol, flavour, random);
        }
        assignment
    }

    /// The assignment with one of the symbols drawn again, or one of all symbols if none is given.
    fn neighbour(&self, assignment: &Assignment, symbols: &[SymbolId], random: &mut Random) -> Assignment {
        let mut changed = assignment.clone();
        let symbols = if symbols.is_empty() { &self.functions } else { symbols };
        let mut in_play = self.values_of(assignment);
        if let Some(symbol) = random.choose(symbols) {
            self.redraw(&mut changed, &mut in_play, *symbol, Flavour::Mixed, random);
        }
        changed
    }

    fn values_of(&self, assignment: &Assignment) -> InPlay {
        let mut in_play = InPlay::new();
        for symbol in &self.functions {
            if let (Some(info), Some(value)) = (self.script.function(*symbol), assignment.constant(*symbol)) {
                in_play.entry(info.result).or_default().push(value.clone());
            }
        }
        in_play
    }

    fn parameters(&self, symbol: SymbolId) -> &[SortId] {
        self.script.function(symbol).map_or(&[], |info| &info.parameters)
    }

    fn redraw(
        &self,
        assignment: &mut Assignment,
        in_play: &mut InPlay,
        symbol: SymbolId,
        flavour: Flavour,
        random: &mut Random,
    ) {
        let Some(info) = self.script.function(symbol) else { return };
        let Some(default) = self.value(assignment, in_play, info.result, flavour, random) else { return };
        let mut entries = BTreeMap::new();
        let entry_count =
            if info.parameters.is_empty() || flavour == Flavour::Zeros { 0 } else { random.below(5) };
        for _ in 0..entry_count {
            let arguments: Option<Vec<Value>> = info
                .parameters
                .iter()
                .map(|sort| self.value(assignment, in_play, *sort, flavour, random))
                .collect();
            if let (Some(arguments), Some(result)) =
                (arguments, self.value(assignment, in_play, info.result, flavour, random))
            {
                entries.insert(arguments, result);
            }
        }
        in_play.entry(info.result).or_default().push(default.clone());
        assignment.set_function(symbol, FunctionTable { default, entries });
    }

    /// A value of a sort: one in play in a share of the draws, else a new one.
    fn value(
        &self,
        assignment: &Assignment,
        in_play: &InPlay,
        sort: SortId,
        flavour: Flavour,
        random: &mut Random,
    ) -> Option<Value> {
        let share = if flavour == Flavour::Equal { 80 } else { 25 };
        if random.percent(share)
            && let Some(value) = in_play.get(&sort).and_then(|values| random.choose(values))
        {
            return Some(value.clone());
        }
        self.pool.draw(self.script, assignment.domains(self.script), sort, flavour, random)
    }

    /// The declared functions that occur in a term, through definitions too.
    fn symbols_inside(&self, root: TermId) -> Vec<SymbolId> {
        let terms = &self.script.terms;
        let declared: BTreeSet<SymbolId> = self.functions.iter().copied().collect();
        let (mut pending, mut seen) = (vec![root], BTreeSet::new());
        let mut found = BTreeSet::new();
        while let Some(term) = pending.pop() {
            if !seen.insert(term) {
                continue;
            }
            if let Head::Function(symbol) = terms.head(term) {
                if declared.contains(&symbol) {
                    found.insert(symbol);
                }
                pending.extend(
                    terms
                        .function(symbol)
                        .and_then(|info| info.definition.as_ref())
                        .map(|definition| definition.body),
                );
            }
            pending.extend(terms.children(term));
        }
        found.into_iter().collect()
    }
}
