//! Orders a body so that an engine can evaluate it from left to right: literals that bind come before tests.

use crate::check::has_wildcard;
use crate::program::{Aggregate, Atom, Comparison, Literal, Term, Variable};
use std::collections::{BTreeMap, BTreeSet};

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
        /// The variables of the body that are bound outside the aggregate.
        given: BTreeSet<Variable>,
    },
}

/// Orders a body: atoms, then assignments, then aggregates. Comparisons and negations come as early as possible, because
/// they may guard against undefined operations.
pub(super) fn ordered<'a>(body: &'a [Literal], given: &BTreeSet<Variable>) -> Vec<OrderedLiteral<'a>> {
    let mut ordered_body = Vec::new();
    let mut bound = given.clone();
    for literal in body {
        if let Literal::Positive(atom) = literal {
            ordered_body.push(OrderedLiteral::Positive(atom));
            bound.extend(atom.arguments.iter().filter_map(variable_of));
        }
    }
    let mut queue = Queue::of(body, &bound);
    loop {
        while let Some(place) = queue.tests.pop_first() {
            ordered_body.extend(as_test(queue.take(place)));
        }
        let Some(next) = queue.take_binding(&bound) else { break };
        if let OrderedLiteral::Assign(variable, _) | OrderedLiteral::Aggregate { result: variable, .. } =
            &next
            && bound.insert(*variable)
        {
            queue.bind(*variable);
        }
        ordered_body.push(next);
    }
    ordered_body.extend(queue.rest().filter_map(as_test));
    ordered_body
}

/// The literals of a body that wait for variables. Each counts the variables that it waits for, so that a body with
/// thousands of literals is not looked through again for each of them.
struct Queue<'a> {
    body: &'a [Literal],
    waiting: Vec<Waiting>,
    /// The sides of literals in which each variable without a value occurs, as often as it does.
    occurrences: BTreeMap<Variable, Vec<(usize, usize)>>,
    /// Comparisons and negations whose terms are bound, and none of which is an operation.
    tests: BTreeSet<usize>,
    /// Equalities that give a variable its value.
    assignments: BTreeSet<usize>,
    aggregates: BTreeSet<usize>,
}

/// What a literal waits for.
struct Waiting {
    /// How often variables without a value occur in each side of a comparison, or in all arguments of an atom.
    missing: [usize; 2],
    is_taken: bool,
}

impl<'a> Queue<'a> {
    fn of(body: &'a [Literal], bound: &BTreeSet<Variable>) -> Queue<'a> {
        let mut queue = Queue {
            body,
            waiting: Vec::with_capacity(body.len()),
            occurrences: BTreeMap::new(),
            tests: BTreeSet::new(),
            assignments: BTreeSet::new(),
            aggregates: BTreeSet::new(),
        };
        for (place, literal) in body.iter().enumerate() {
            queue.add(place, literal, bound);
        }
        queue
    }

    fn add(&mut self, place: usize, literal: &Literal, bound: &BTreeSet<Variable>) {
        let mut missing = [0, 0];
        let mut count = |side: usize, term: &Term| {
            term.for_each_variable(&mut |variable| {
                if !bound.contains(&variable) {
                    missing[side] += 1;
                    self.occurrences.entry(variable).or_default().push((place, side));
                }
            });
        };
        match literal {
            Literal::Negative(atom) => atom.arguments.iter().for_each(|argument| count(0, argument)),
            Literal::Compare(_, left, right) => {
                count(0, left);
                count(1, right);
            }
            Literal::Aggregate { .. } => _ = self.aggregates.insert(place),
            Literal::Positive(_) => {}
        }
        let is_taken = matches!(literal, Literal::Positive(_));
        self.waiting.push(Waiting { missing, is_taken });
        self.list(place);
    }

    /// Notes that a variable has a value.
    fn bind(&mut self, variable: Variable) {
        for (place, side) in self.occurrences.remove(&variable).unwrap_or_default() {
            self.waiting[place].missing[side] -= 1;
            if self.waiting[place].missing[side] == 0 {
                self.list(place);
            }
        }
    }

    /// Lists a literal where it belongs, unless it must wait.
    fn list(&mut self, place: usize) {
        let Waiting { missing, is_taken } = self.waiting[place];
        if is_taken {
            return;
        }
        if missing == [0, 0] && is_plain_test(&self.body[place]) {
            self.tests.insert(place);
        }
        if assignment(&self.body[place], missing).is_some() {
            self.assignments.insert(place);
        }
    }

    /// Takes a literal.
    fn take(&mut self, place: usize) -> &'a Literal {
        self.waiting[place].is_taken = true;
        self.assignments.remove(&place);
        &self.body[place]
    }

    /// Takes the next literal that binds a variable. Equalities go first, because aggregates may use their variables.
    fn take_binding(&mut self, bound: &BTreeSet<Variable>) -> Option<OrderedLiteral<'a>> {
        while let Some(place) = self.assignments.pop_first() {
            // Its variable may have got a value from another equality.
            if let Some(next) = assignment(&self.body[place], self.waiting[place].missing) {
                self.take(place);
                return Some(next);
            }
        }
        let place = self.aggregates.pop_first()?;
        aggregate(self.take(place), bound)
    }

    /// The literals that are left.
    fn rest(&self) -> impl Iterator<Item = &'a Literal> {
        let left = self.body.iter().zip(&self.waiting).filter(|(_, waiting)| !waiting.is_taken);
        left.map(|(literal, _)| literal)
    }
}

/// Returns true if a comparison or negation has no operation.
fn is_plain_test(literal: &Literal) -> bool {
    let is_plain = |term: &Term| !matches!(term, Term::Apply(..));
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

/// Turns an equality into an assignment if one side is a variable without a value and the other side has one. `missing`
/// counts the variables without a value in each side.
fn assignment(literal: &Literal, missing: [usize; 2]) -> Option<OrderedLiteral<'_>> {
    let Literal::Compare(Comparison::Equal, left, right) = literal else { return None };
    let (target, source) = match missing {
        [1, 0] => (left, right),
        [0, 1] => (right, left),
        _ => return None,
    };
    let variable = variable_of(target)?;
    (!has_wildcard(source)).then_some(OrderedLiteral::Assign(variable, source))
}

fn aggregate<'a>(literal: &'a Literal, bound: &BTreeSet<Variable>) -> Option<OrderedLiteral<'a>> {
    let Literal::Aggregate { result, function, term, body } = literal else { return None };
    let mut given = BTreeSet::new();
    for literal in body {
        literal.for_each_variable(&mut |variable| {
            if bound.contains(&variable) {
                given.insert(variable);
            }
        });
    }
    let body = ordered(body, &given);
    Some(OrderedLiteral::Aggregate { result: *result, function: *function, term: term.as_ref(), body, given })
}

/// Turns a comparison or negation into a test, which binds nothing.
fn as_test(literal: &Literal) -> Option<OrderedLiteral<'_>> {
    match literal {
        Literal::Negative(atom) => Some(OrderedLiteral::Negative(atom)),
        Literal::Compare(comparison, left, right) => Some(OrderedLiteral::Compare(*comparison, left, right)),
        Literal::Positive(_) | Literal::Aggregate { .. } => None,
    }
}
