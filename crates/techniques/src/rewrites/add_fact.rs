//! Adds a fact to a relation.
//!
//! Rules only add rows, so the relation loses none. Thesis: AddFact.

use super::{Effect, Rewrite, View, some_constant};
use datalog::{Program, Tuple};
use model::Random;

/// Adds a fact.
pub struct AddFact;

impl Rewrite for AddFact {
    fn name(&self) -> &'static str {
        "add-fact"
    }

    fn effect(&self) -> Effect {
        Effect::More
    }

    fn apply(&self, program: &mut Program, view: &View<'_>, random: &mut Random) -> bool {
        let Some(relation) = random.choose(view.choices).copied() else { return false };
        let columns = program.relation(relation).columns.clone();
        let row: Tuple = columns.iter().map(|column| some_constant(program, *column, random)).collect();
        let facts = &mut program.relations[relation.index()].facts;
        let is_new = !facts.contains(&row);
        if is_new {
            facts.push(row);
        }
        is_new
    }
}
