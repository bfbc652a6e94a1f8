//! Deletes a positive atom that another positive atom of the same relation implies.
//!
//! The atom can go if a mapping of the variables that occur nowhere else turns its arguments into those of the other: a row
//! that matches the other then matches it, too. The other atom stays. REM-EQU.

use super::{Effect, Rewrite, View, replace_rule};
use datalog::{Atom, Literal, Program, RelationId, Rule, Term, Variable};
use model::Random;
use std::collections::{BTreeMap, BTreeSet};

/// Drops an atom that another one implies.
pub struct DropCopiedAtom;

impl Rewrite for DropCopiedAtom {
    fn name(&self) -> &'static str {
        "drop-copied-atom"
    }

    fn effect(&self) -> Effect {
        Effect::Same
    }

    fn apply(&self, program: &mut Program, view: &View<'_>, random: &mut Random) -> bool {
        let is_fit = |rule: &Rule| !implied_atoms(rule).is_empty();
        let Some(place) = view.choose_rule(program, random, is_fit) else { return false };
        let mut rule = program.rules[place].clone();
        let Some(implied) = random.choose(&implied_atoms(&rule)).copied() else { return false };
        rule.body.remove(implied);
        replace_rule(program, place, rule)
    }
}

/// Returns the indices of the atoms of a body that another one implies.
fn implied_atoms(rule: &Rule) -> Vec<usize> {
    let private = private_variables(rule);
    let mut atoms: BTreeMap<RelationId, Vec<&Atom>> = BTreeMap::new();
    for literal in &rule.body {
        if let Literal::Positive(atom) = literal {
            atoms.entry(atom.relation).or_default().push(atom);
        }
    }
    let mut known: BTreeMap<(RelationId, Vec<Column>), Rows<'_>> = BTreeMap::new();
    let is_implied = |place: &usize| {
        let Literal::Positive(atom) = &rule.body[*place] else { return false };
        let shape = shape_of(atom, &private);
        let fixed = fixed_terms(atom, &shape);
        let relation = atom.relation;
        let counts = known.entry((relation, shape)).or_insert_with_key(|(_, shape)| {
            matching_rows(atoms.get(&relation).map(Vec::as_slice).unwrap_or_default(), shape)
        });
        // Every atom implies itself.
        counts.get(&fixed).is_some_and(|count| *count > 1)
    };
    (0..rule.body.len()).filter(is_implied).collect()
}

/// How many atoms have the same terms where an atom's arguments are fixed.
type Rows<'a> = BTreeMap<Vec<&'a Term>, usize>;

/// What an argument demands of the same argument of an atom that implies its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    /// To be the same.
    Fixed,
    /// Nothing.
    Free,
    /// To be a value that is the same as in an earlier column.
    Repeats(usize),
}

/// Returns what the arguments of an atom demand. A variable that occurs in no other literal can be mapped to anything,
/// but to one thing only.
fn shape_of(atom: &Atom, private: &BTreeSet<Variable>) -> Vec<Column> {
    let mut firsts: BTreeMap<Variable, usize> = BTreeMap::new();
    let arguments = atom.arguments.iter().enumerate();
    let demand = |(place, argument): (usize, &Term)| match argument {
        Term::Wildcard => Column::Free,
        Term::Variable(variable) if private.contains(variable) => match firsts.get(variable) {
            Some(first) => Column::Repeats(*first),
            None => {
                firsts.insert(*variable, place);
                Column::Free
            }
        },
        _ => Column::Fixed,
    };
    arguments.map(demand).collect()
}

/// Counts the atoms that satisfy a shape, by the arguments that must be the same.
fn matching_rows<'a>(atoms: &[&'a Atom], shape: &[Column]) -> Rows<'a> {
    let mut counts = BTreeMap::new();
    for atom in atoms {
        let is_repeated = |(term, column): (&Term, &Column)| match column {
            // A wildcard has no value that another argument could repeat.
            Column::Repeats(first) => *term != Term::Wildcard && *term == atom.arguments[*first],
            Column::Fixed | Column::Free => true,
        };
        if atom.arguments.iter().zip(shape).all(is_repeated) {
            *counts.entry(fixed_terms(atom, shape)).or_default() += 1;
        }
    }
    counts
}

/// Returns the arguments that must be the same.
fn fixed_terms<'a>(atom: &'a Atom, shape: &[Column]) -> Vec<&'a Term> {
    let fixed = atom.arguments.iter().zip(shape).filter(|(_, column)| **column == Column::Fixed);
    fixed.map(|(term, _)| term).collect()
}

/// Returns the variables that occur in one literal only, and not in the head.
fn private_variables(rule: &Rule) -> BTreeSet<Variable> {
    let mut literals: BTreeMap<Variable, BTreeSet<usize>> = BTreeMap::new();
    for (place, literal) in rule.body.iter().enumerate() {
        literal.for_each_variable(&mut |variable| _ = literals.entry(variable).or_default().insert(place));
    }
    for argument in &rule.head.arguments {
        argument.for_each_variable(&mut |variable| _ = literals.remove(&variable));
    }
    literals.into_iter().filter(|(_, places)| places.len() == 1).map(|(variable, _)| variable).collect()
}
