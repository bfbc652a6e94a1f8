//! Deletes a positive or negated atom from the body of a rule.
//!
//! The body holds in more cases, so the relation loses no rows. The last literal of a body stays, and so do atoms that
//! bind variables of the rest: the rule would otherwise be empty or unsafe. Thesis: DelRelEdge; REM-EXP.

use super::{Effect, Rewrite, View, replace_rule};
use datalog::Program;
use model::Random;

/// Deletes an atom from a body.
pub struct DeleteAtom;

impl Rewrite for DeleteAtom {
    fn name(&self) -> &'static str {
        "delete-atom"
    }

    fn effect(&self) -> Effect {
        Effect::More
    }

    fn apply(&self, program: &mut Program, view: &View<'_>, random: &mut Random) -> bool {
        let Some(place) = view.choose_rule(program, random, |rule| rule.body.len() > 1) else { return false };
        let mut rule = program.rules[place].clone();
        let atoms: Vec<usize> = (0..rule.body.len()).filter(|at| rule.body[*at].atom().is_some()).collect();
        let Some(atom) = random.choose(&atoms) else { return false };
        rule.body.remove(*atom);
        replace_rule(program, place, rule)
    }
}
