//! Replaces a variable by another one of its type everywhere in a rule, including the head.
//!
//! The rule derived the same rows before, for equal values of the two variables, so the relation gains no rows. MOD-CON.

use super::rename_variable::put_variable;
use super::{Effect, Rewrite, View, bound_types, replace_rule};
use datalog::{Program, Variable};
use model::Random;

/// Merges two variables.
pub struct MergeVariables;

impl Rewrite for MergeVariables {
    fn name(&self) -> &'static str {
        "merge-variables"
    }

    fn effect(&self) -> Effect {
        Effect::Fewer
    }

    fn apply(&self, program: &mut Program, view: &View<'_>, random: &mut Random) -> bool {
        let Some(place) = view.choose_rule(program, random, |rule| rule.fresh_variable().0 > 1) else {
            return false;
        };
        let mut rule = program.rules[place].clone();
        let bound = bound_types(program, &rule);
        let Some((old, r#type)) = random.choose(&bound).copied() else { return false };
        let others: Vec<Variable> = bound
            .iter()
            .filter(|(variable, other)| *variable != old && *other == r#type)
            .map(|(variable, _)| *variable)
            .collect();
        let Some(new) = random.choose(&others) else { return false };
        put_variable(&mut rule, old, *new);
        replace_rule(program, place, rule)
    }
}
