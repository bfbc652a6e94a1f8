//! The rules and facts of a relation on which the compared one does not depend.
//!
//! It is left empty and declared, so that whoever uses it is still a rule. The compared relation does not see it.
//! Thesis: DelRelNode, outside of the ancestry.

use super::{Effect, Rewrite, View};
use datalog::{Ancestry, Program, RelationId};
use model::Random;

/// Empties a relation.
pub struct DeleteRelation;

impl Rewrite for DeleteRelation {
    fn name(&self) -> &'static str {
        "delete-relation"
    }

    /// Its own rows go; it is allowed where that is not seen, and where fewer rows are wanted.
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
