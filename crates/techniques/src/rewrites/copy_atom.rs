//! Copies a positive atom of a body, with fresh variables in place of some of its variables.
//!
//! Wherever the original atom matches a row, the copy matches the same row, so the rule derives the same rows. ADD-EQU.

use super::{Effect, Rewrite, View, positive_places, replace_rule};
use datalog::{Literal, Program, Term, Variable};
use model::Random;

/// The maximum number of copies at once; some bugs need two.
const MOST_COPIES: usize = 3;

/// Copies an atom.
pub struct CopyAtom;

impl Rewrite for CopyAtom {
    fn name(&self) -> &'static str {
        "copy-atom"
    }

    fn effect(&self) -> Effect {
        Effect::Same
    }

    fn apply(&self, program: &mut Program, view: &View<'_>, random: &mut Random) -> bool {
        let is_fit = |rule: &datalog::Rule| !positive_places(rule).is_empty();
        let Some(place) = view.choose_rule(program, random, is_fit) else { return false };
        let mut rule = program.rules[place].clone();
        let Some(source) = random.choose(&positive_places(&rule)).copied() else { return false };
        let Literal::Positive(atom) = rule.body[source].clone() else { return false };
        let mut fresh = rule.fresh_variable().0;
        for _ in 0..random.between(1, MOST_COPIES) {
            let mut copy = atom.clone();
            for argument in &mut copy.arguments {
                // Each argument gets its own fresh variable, which is a weaker condition.
                if matches!(argument, Term::Variable(_)) && random.coin() {
                    *argument = Term::Variable(Variable(fresh));
                    fresh += 1;
                }
            }
            rule.body.insert(random.below(rule.body.len() + 1), Literal::Positive(copy));
        }
        replace_rule(program, place, rule)
    }
}
