//! The predicates of a seed and their truth under assignments.

use super::pool::Formula;
use super::prepared::Prepared;
use crate::{Count, Notes};
use model::Random;
use smt::print::Printer;
use smt::{Assignment, Evaluator, Head, Operator, Sort, TermId};
use std::collections::BTreeSet;

/// The truth values that predicates of the seed have not yet had in any assignment of the case. Some are rare under random
/// assignments, and a predicate can only be asserted with the values that it has had.
pub struct Unseen(BTreeSet<(TermId, bool)>);

impl Unseen {
    /// Every value of every predicate.
    pub fn new(prepared: &Prepared, depth: u32) -> Unseen {
        let predicates = predicates(prepared, depth);
        Unseen(predicates.into_iter().flat_map(|term| [(term, true), (term, false)]).collect())
    }

    /// Removes the truth values that predicates have under an assignment.
    pub fn look(&mut self, prepared: &Prepared, assignment: &Assignment) {
        let mut evaluator = Evaluator::new(&prepared.script, assignment);
        self.0.retain(|(term, value)| evaluator.truth(*term) != Some(*value));
    }

    /// Searches for an assignment that gives one of the predicates a new value.
    pub fn search(&self, prepared: &mut Prepared, random: &mut Random, tries: usize) -> Option<Assignment> {
        let unseen: Vec<(TermId, bool)> = self.0.iter().copied().collect();
        let (term, value) = *random.choose(&unseen)?;
        let target = match value {
            true => term,
            false => prepared.script.terms.make(Head::Operator(Operator::Not), &[term]).ok()?,
        };
        smt::search::local_search(&prepared.script, &[target], random, tries)
    }
}

/// Returns the closed Boolean subterms of the assertions, outermost first.
pub fn predicates(prepared: &Prepared, depth: u32) -> Vec<TermId> {
    let terms = &prepared.script.terms;
    let mut found = Vec::new();
    let mut seen: BTreeSet<TermId> = BTreeSet::new();
    let mut stack: Vec<(TermId, u32)> = prepared.assertions.iter().rev().map(|term| (*term, 0)).collect();
    while let Some((term, level)) = stack.pop() {
        if level > depth || !seen.insert(term) {
            continue;
        }
        stack.extend(terms.children(term).iter().rev().map(|child| (*child, level + 1)));
        let is_predicate = *terms.sort_of(terms.sort(term)) == Sort::Bool && terms.is_closed(term);
        if is_predicate && !is_constant(prepared, term) {
            found.push(term);
        }
    }
    found
}

const PREDICATES: Count = Count::new("predicates");
const UNCERTAIN_PREDICATES: Count = Count::new("predicates of uncertain truth");

/// Returns the predicates of the seed whose truth value under the assignment is certain.
pub fn initial_formulas(
    prepared: &Prepared,
    assignment: &Assignment,
    depth: u32,
    notes: &mut Notes,
) -> Vec<Formula> {
    let mut evaluator = Evaluator::new(&prepared.script, assignment);
    let mut printer = Printer::new(&prepared.script.terms);
    let mut formulas = Vec::new();
    for term in predicates(prepared, depth) {
        match evaluator.truth(term) {
            Some(value) => {
                let text = printer.term(term).into();
                formulas.push(Formula { text, value, depth: 0 });
            }
            None => notes.count(UNCERTAIN_PREDICATES),
        }
    }
    notes.add(PREDICATES, formulas.len() as u64);
    formulas
}

fn is_constant(prepared: &Prepared, term: TermId) -> bool {
    matches!(prepared.script.terms.head(term), Head::Operator(Operator::True | Operator::False))
}
