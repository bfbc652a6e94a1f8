//! Orders a body so that an engine can evaluate it from left to right: literals that bind come before tests.

use crate::check::is_bound;
use crate::program::{Aggregate, Atom, Comparison, Literal, Term, Variable};
use std::collections::BTreeSet;

/// A literal and its role in the evaluation.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum OrderedLiteral<'a> {
    /// Matches rows.
    Positive(&'a Atom),
    /// Tests that no row matches.
    Negative(&'a Atom),
    /// Assigns a value to an unbound variable.
    Assign(Variable, &'a Term),
    /// Compares two values.
    Compare(Comparison, &'a Term, &'a Term),
    /// Assigns the value of an aggregate to a variable.
    Aggregate {
        /// The variable.
        result: Variable,
        /// The aggregate function.
        function: Aggregate,
        /// The aggregated term; `None` for a count.
        term: Option<&'a Term>,
        /// The ordered body.
        body: Vec<OrderedLiteral<'a>>,
        /// The variables that are bound outside the aggregate.
        given: BTreeSet<Variable>,
    },
}

/// Orders a body: atoms, then assignments, then aggregates. Comparisons and negations come as early as possible, because
/// they may guard against undefined operations.
pub(super) fn ordered<'a>(body: &'a [Literal], given: &BTreeSet<Variable>) -> Vec<OrderedLiteral<'a>> {
    let mut ordered_body = Vec::new();
    let mut bound = given.clone();
    let mut waiting = Vec::new();
    for literal in body {
        match literal {
            Literal::Positive(atom) => {
                ordered_body.push(OrderedLiteral::Positive(atom));
                let variables = atom.arguments.iter().filter_map(variable_of);
                bound.extend(variables);
            }
            other => waiting.push(other),
        }
    }
    loop {
        waiting.retain(|literal| match as_test(literal).filter(|_| is_plain_test(literal, &bound)) {
            Some(next) => {
                ordered_body.push(next);
                false
            }
            None => true,
        });
        let Some((index, next)) = next_binding(&waiting, &bound) else { break };
        waiting.remove(index);
        match &next {
            OrderedLiteral::Assign(variable, _) | OrderedLiteral::Aggregate { result: variable, .. } => {
                bound.insert(*variable)
            }
            _ => false,
        };
        ordered_body.push(next);
    }
    ordered_body.extend(waiting.into_iter().filter_map(as_test));
    ordered_body
}

/// Returns true if all terms of a comparison or negation are bound and none of them is an operation.
fn is_plain_test(literal: &Literal, bound: &BTreeSet<Variable>) -> bool {
    let is_plain = |term: &Term| match term {
        Term::Variable(variable) => bound.contains(variable),
        Term::Constant(_) | Term::Wildcard => true,
        Term::Apply(..) => false,
    };
    match literal {
        Literal::Negative(atom) => atom.arguments.iter().all(is_plain),
        Literal::Compare(_, left, right) => is_plain(left) && is_plain(right),
        Literal::Positive(_) | Literal::Aggregate { .. } => false,
    }
}

fn variable_of(term: &Term) -> Option<Variable> {
    match term {
        Term::Variable(variable) => Some(*variable),
        _ => None,
    }
}

/// Returns the next literal that binds a variable. Equalities go first, because aggregates may use their variables.
fn next_binding<'a>(
    waiting: &[&'a Literal],
    bound: &BTreeSet<Variable>,
) -> Option<(usize, OrderedLiteral<'a>)> {
    let find = |of: &dyn Fn(&'a Literal) -> Option<OrderedLiteral<'a>>| {
        waiting.iter().enumerate().find_map(|(index, literal)| Some((index, of(literal)?)))
    };
    find(&|literal| assignment(literal, bound)).or_else(|| find(&|literal| aggregate(literal, bound)))
}

fn assignment<'a>(literal: &'a Literal, bound: &BTreeSet<Variable>) -> Option<OrderedLiteral<'a>> {
    let Literal::Compare(Comparison::Equal, left, right) = literal else { return None };
    [(left, right), (right, left)].into_iter().find_map(|(target, source)| {
        let variable = variable_of(target).filter(|variable| !bound.contains(variable))?;
        is_bound(source, bound).then_some(OrderedLiteral::Assign(variable, source))
    })
}

fn aggregate<'a>(literal: &'a Literal, bound: &BTreeSet<Variable>) -> Option<OrderedLiteral<'a>> {
    let Literal::Aggregate { result, function, term, body } = literal else { return None };
    let body = ordered(body, bound);
    let (term, given) = (term.as_ref(), bound.clone());
    Some(OrderedLiteral::Aggregate { result: *result, function: *function, term, body, given })
}

/// Turns a comparison or negation into a test, which binds nothing.
fn as_test(literal: &Literal) -> Option<OrderedLiteral<'_>> {
    match literal {
        Literal::Negative(atom) => Some(OrderedLiteral::Negative(atom)),
        Literal::Compare(comparison, left, right) => Some(OrderedLiteral::Compare(*comparison, left, right)),
        Literal::Positive(_) | Literal::Aggregate { .. } => None,
    }
}
