//! Deletes a rule of a relation.
//!
//! Rows that only this rule derives disappear, and none is added. Thesis: DelRelEdges.

use super::{Effect, Rewrite, View};
use datalog::Program;
use model::Random;

/// Deletes a rule.
pub struct DeleteRule;

impl Rewrite for DeleteRule {
    fn name(&self) -> &'static str {
        "delete-rule"
    }

    fn effect(&self) -> Effect {
        Effect::Fewer
    }

    fn apply(&self, program: &mut Program, view: &View<'_>, random: &mut Random) -> bool {
        let places: Vec<usize> = (0..program.rules.len())
            .filter(|place| view.may_change(program.rules[*place].head.relation))
            .collect();
        let Some(place) = random.choose(&places).copied() else { return false };
        program.rules.remove(place);
        true
    }
}
