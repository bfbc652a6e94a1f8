//! Replaces one occurrence of a variable in a positive atom by a fresh variable.
//!
//! The two need not be equal any longer, so the relation loses no rows. The old variable must still occur in another
//! positive atom, which binds its other occurrences. MOD-EXP.

use super::{Effect, Rewrite, View, positive_places, replace_rule};
use datalog::{Program, Rule, Term, Variable};
use model::Random;
use std::collections::BTreeMap;

/// Splits a variable.
pub struct SplitVariable;

impl Rewrite for SplitVariable {
    fn name(&self) -> &'static str {
        "split-variable"
    }

    fn effect(&self) -> Effect {
        Effect::More
    }

    fn apply(&self, program: &mut Program, view: &View<'_>, random: &mut Random) -> bool {
        let is_fit = |rule: &Rule| !repeated_places(rule).is_empty();
        let Some(place) = view.choose_rule(program, random, is_fit) else { return false };
        let mut rule = program.rules[place].clone();
        let fresh = rule.fresh_variable();
        let Some((literal, argument)) = random.choose(&repeated_places(&rule)).copied() else { return false };
        if let Some(atom) = rule.body[literal].atom_mut() {
            atom.arguments[argument] = Term::Variable(fresh);
        }
        replace_rule(program, place, rule)
    }
}

/// Returns the occurrences, as literal and argument, of variables that occur in several positive atoms.
fn repeated_places(rule: &Rule) -> Vec<(usize, usize)> {
    let mut places: Vec<(Variable, usize, usize)> = Vec::new();
    for literal in positive_places(rule) {
        let arguments = rule.body[literal].atom().map(|atom| atom.arguments.as_slice()).unwrap_or_default();
        for (argument, term) in arguments.iter().enumerate() {
            if let Term::Variable(variable) = term {
                places.push((*variable, literal, argument));
            }
        }
    }
    let mut counts: BTreeMap<Variable, usize> = BTreeMap::new();
    places.iter().for_each(|(variable, ..)| *counts.entry(*variable).or_default() += 1);
    let is_repeated =
        |(variable, ..): &&(Variable, usize, usize)| counts.get(variable).is_some_and(|count| *count > 1);
    places.iter().filter(is_repeated).map(|(_, literal, argument)| (*literal, *argument)).collect()
}
