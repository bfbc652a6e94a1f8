//! Deletes the rules and facts of a relation on which the compared one does not depend.
//!
//! The empty relation stays declared, so rules that use it stay valid. Thesis: DelRelNode, outside of the ancestry.

use super::{Effect, Rewrite, View};
use datalog::{Ancestry, Program, RelationId};
use model::Random;

/// Empties a relation.
pub struct DeleteRelation;

impl Rewrite for DeleteRelation {
    fn name(&self) -> &'static str {
        "delete-relation"
    }

    /// Its own rows disappear, which is allowed if no path leads to the compared relation or if fewer rows are wanted.
    fn effect(&self) -> Effect {
        Effect::Fewer
    }

    fn apply(&self, program: &mut Program, view: &View<'_>, random: &mut Random) -> bool {
        let is_outside = |id: &RelationId| view.ancestry[id.index()] == Ancestry::None;
        let choices: Vec<RelationId> = view.choices.iter().copied().filter(is_outside).collect();
        let Some(relation) = random.choose(&choices).copied() else { return false };
        let before = program.rules.len() + program.relation(relation).facts.len();
        program.rules.retain(|rule| rule.head.relation != relation);
        let has_changed = before > program.rules.len();
        program.relations[relation.index()].facts.clear();
        has_changed
    }
}
