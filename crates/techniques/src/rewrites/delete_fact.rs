//! Deletes a fact of a relation.
//!
//! Rows that depend on the fact may disappear, and none is added. A relation without facts stays declared. Thesis: DelFact.

use super::{Effect, Rewrite, View};
use datalog::{Program, RelationId};
use model::Random;

/// Deletes a fact.
pub struct DeleteFact;

impl Rewrite for DeleteFact {
    fn name(&self) -> &'static str {
        "delete-fact"
    }

    fn effect(&self) -> Effect {
        Effect::Fewer
    }

    fn apply(&self, program: &mut Program, view: &View<'_>, random: &mut Random) -> bool {
        let has_facts = |id: &RelationId| !program.relation(*id).facts.is_empty();
        let choices: Vec<RelationId> = view.choices.iter().copied().filter(has_facts).collect();
        let Some(relation) = random.choose(&choices) else { return false };
        let facts = &mut program.relations[relation.index()].facts;
        facts.remove(random.below(facts.len()));
        true
    }
}
