//! The literals of a body that still wait to be evaluated, and which of them comes next.
//!
//! A body may have thousands of literals, so nothing is computed again when a variable gets its value: every argument
//! counts the variables that it waits for.

use super::plan::Part;
use super::rows::RowNumber;
use crate::program::{Comparison, Literal, Term};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// How urgent an atom is: rows of the last round come first, then the atom with the most known arguments and, among
/// those, the one with the fewest rows and the first place.
type Urgency = (bool, bool, usize, Reverse<RowNumber>, Reverse<usize>);

/// The literals of a body that wait.
pub struct Agenda<'a> {
    body: &'a [Literal],
    parts: &'a [Part],
    waiting: Vec<Waiting<'a>>,
    /// The arguments in which each variable without a value occurs, as places of a literal and of its argument.
    occurrences: BTreeMap<usize, Vec<(usize, usize)>>,
    /// Tests and assignments that can be evaluated.
    ready: BTreeSet<usize>,
    /// Atoms whose rows can be looked up.
    atoms: BTreeSet<Urgency>,
    /// Aggregates come last, when all variables that the rest of the body binds have values.
    aggregates: BTreeSet<usize>,
}

/// What a literal waits for.
struct Waiting<'a> {
    arguments: Vec<&'a Term>,
    /// For each argument, how often variables without a value occur in it; a wildcard never gets a value.
    missing: Vec<usize>,
    /// The number of arguments with a value.
    known: usize,
    /// The number of operations without a value. It must be known before rows can be looked up.
    operations: usize,
    /// The number of arguments that are wildcards.
    wildcards: usize,
    rows: RowNumber,
    is_taken: bool,
}

impl<'a> Agenda<'a> {
    /// The literals of a body. `rows` returns the number of rows of a relation, `bound` tells which variables have values.
    pub fn new(
        body: &'a [Literal],
        parts: &'a [Part],
        rows: impl Fn(usize) -> RowNumber,
        bound: &[bool],
    ) -> Agenda<'a> {
        let mut agenda = Agenda {
            body,
            parts,
            waiting: Vec::with_capacity(body.len()),
            occurrences: BTreeMap::new(),
            ready: BTreeSet::new(),
            atoms: BTreeSet::new(),
            aggregates: BTreeSet::new(),
        };
        for (place, literal) in body.iter().enumerate() {
            let rows = literal.atom().map_or(0, |atom| rows(atom.relation.index()));
            agenda.add(place, literal, rows, bound);
            agenda.enter(place);
        }
        agenda
    }

    fn add(&mut self, place: usize, literal: &'a Literal, rows: RowNumber, bound: &[bool]) {
        let arguments: Vec<&Term> = match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => atom.arguments.iter().collect(),
            Literal::Compare(_, left, right) => vec![left, right],
            Literal::Aggregate { .. } => Vec::new(),
        };
        let (mut known, mut operations) = (0, 0);
        let mut missing = Vec::with_capacity(arguments.len());
        for (number, argument) in arguments.iter().enumerate() {
            let mut count = usize::from(has_wildcard(argument));
            argument.for_each_variable(&mut |variable| {
                let variable = variable.0 as usize;
                if !bound[variable] {
                    count += 1;
                    self.occurrences.entry(variable).or_default().push((place, number));
                }
            });
            known += usize::from(count == 0);
            operations += usize::from(count > 0 && matches!(argument, Term::Apply(..)));
            missing.push(count);
        }
        let wildcards = arguments.iter().filter(|argument| ***argument == Term::Wildcard).count();
        self.waiting.push(Waiting {
            arguments,
            missing,
            known,
            operations,
            wildcards,
            rows,
            is_taken: false,
        });
    }

    /// Takes the next literal: tests and assignments first, then atoms, then aggregates.
    pub fn take(&mut self) -> Option<usize> {
        let place = match (self.ready.pop_first(), self.atoms.pop_last()) {
            (Some(place), atom) => {
                self.atoms.extend(atom);
                place
            }
            (None, Some((.., Reverse(place)))) => place,
            (None, None) => self.aggregates.pop_first()?,
        };
        self.waiting[place].is_taken = true;
        Some(place)
    }

    /// Notes that a variable has a value.
    pub fn bind(&mut self, variable: usize) {
        for (place, argument) in self.occurrences.remove(&variable).unwrap_or_default() {
            self.leave(place);
            let waiting = &mut self.waiting[place];
            waiting.missing[argument] -= 1;
            if waiting.missing[argument] == 0 {
                waiting.known += 1;
                waiting.operations -= usize::from(matches!(waiting.arguments[argument], Term::Apply(..)));
            }
            self.enter(place);
        }
    }

    /// Lists a literal where it belongs, unless it is taken or must wait.
    fn enter(&mut self, place: usize) {
        if self.waiting[place].is_taken {
            return;
        }
        match &self.body[place] {
            Literal::Positive(_) => self.atoms.extend(self.urgency(place)),
            Literal::Aggregate { .. } => _ = self.aggregates.insert(place),
            Literal::Negative(_) | Literal::Compare(..) if self.is_ready(place) => {
                self.ready.insert(place);
            }
            Literal::Negative(_) | Literal::Compare(..) => {}
        }
    }

    fn leave(&mut self, place: usize) {
        if let Literal::Positive(_) = &self.body[place]
            && let Some(urgency) = self.urgency(place)
        {
            self.atoms.remove(&urgency);
        }
    }

    fn urgency(&self, place: usize) -> Option<Urgency> {
        let Waiting { arguments, known, operations, rows, .. } = &self.waiting[place];
        let is_new = self.parts.get(place) == Some(&Part::New);
        let urgency = (is_new, *known == arguments.len(), *known, Reverse(*rows), Reverse(place));
        (*operations == 0).then_some(urgency)
    }

    /// Whether a test or an assignment can be evaluated.
    fn is_ready(&self, place: usize) -> bool {
        let Waiting { arguments, missing, known, wildcards, .. } = &self.waiting[place];
        match &self.body[place] {
            // A wildcard in a negated atom needs no value.
            Literal::Negative(_) => known + wildcards == arguments.len(),
            Literal::Compare(comparison, left, right) => {
                let assigns = |target: &Term, value: usize| {
                    *comparison == Comparison::Equal
                        && matches!(target, Term::Variable(_))
                        && missing[value] == 0
                };
                *known == 2 || assigns(left, 1) || assigns(right, 0)
            }
            Literal::Positive(_) | Literal::Aggregate { .. } => false,
        }
    }
}

fn has_wildcard(term: &Term) -> bool {
    match term {
        Term::Wildcard => true,
        Term::Apply(_, operands) => operands.iter().any(has_wildcard),
        Term::Variable(_) | Term::Constant(_) => false,
    }
}
