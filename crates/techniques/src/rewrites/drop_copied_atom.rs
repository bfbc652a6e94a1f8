//! Deletes a positive atom that another positive atom of the same relation implies.
//!
//! The atom can go if a mapping of the variables that occur nowhere else turns its arguments into those of the other: a row
//! that matches the other then matches it, too. The other atom stays. REM-EQU.

use super::{Effect, Rewrite, View, positive_places, replace_rule};
use datalog::{Atom, Literal, Program, Rule, Term, Variable};
use model::Random;
use std::collections::BTreeMap;

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
    let places = positive_places(rule);
    let atom = |place: usize| rule.body[place].atom();
    let is_implied = |place: &usize| {
        let others = places.iter().filter(|other| *other != place);
        others.into_iter().any(|other| match (atom(*place), atom(*other)) {
            (Some(one), Some(other)) => implies(rule, *place, one, other),
            _ => false,
        })
    };
    places.iter().copied().filter(is_implied).collect()
}

/// Returns true if one atom holds wherever another one does, for some values of its local variables.
fn implies(rule: &Rule, place: usize, one: &Atom, other: &Atom) -> bool {
    if one.relation != other.relation {
        return false;
    }
    let mut mapping: BTreeMap<Variable, &Term> = BTreeMap::new();
    one.arguments.iter().zip(&other.arguments).all(|(from, to)| match (from, to) {
        (Term::Wildcard, _) => true,
        // A wildcard has no value that another argument could repeat.
        (_, Term::Wildcard) => match from {
            Term::Variable(variable) => {
                is_private(rule, place, *variable) && mapping.insert(*variable, to).is_none()
            }
            _ => false,
        },
        (Term::Variable(variable), to) if is_private(rule, place, *variable) => {
            *mapping.entry(*variable).or_insert(to) == to
        }
        (from, to) => from == to,
    })
}

/// Returns true if a variable occurs in one literal only.
fn is_private(rule: &Rule, place: usize, variable: Variable) -> bool {
    let mut is_elsewhere = false;
    let mut look = |found: Variable| is_elsewhere |= found == variable;
    rule.head.arguments.iter().for_each(|argument| argument.for_each_variable(&mut look));
    let others = rule.body.iter().enumerate().filter(|(other, _)| *other != place);
    others.for_each(|(_, literal): (usize, &Literal)| literal.for_each_variable(&mut look));
    !is_elsewhere
}
