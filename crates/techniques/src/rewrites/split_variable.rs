//! A fresh variable at one of the places where a variable stands in positive atoms.
//!
//! The two no longer need to be equal, so that the relation gains at most. The old variable must be left in another
//! positive atom, or what it binds elsewhere would be lost. MOD-EXP.

use super::{Effect, Rewrite, View, positive_places, replace_rule};
use datalog::{Program, Rule, Term, Variable};
use model::Random;

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

/// The places in positive atoms of variables that stand in several of them: the literal and the argument.
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
    let is_repeated = |(variable, _, _): &&(Variable, usize, usize)| {
        places.iter().filter(|(other, _, _)| other == variable).count() > 1
    };
    places.iter().filter(is_repeated).map(|(_, literal, argument)| (*literal, *argument)).collect()
}
