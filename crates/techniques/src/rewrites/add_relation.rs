//! Adds an unused relation with a rule over an existing one.
//!
//! No other relation depends on it, so all keep their rows. Thesis: AddRelNode.

use super::{Effect, Rewrite, View, fresh_name};
use datalog::{Atom, Literal, Program, Relation, RelationId, Rule, Term, Variable};
use model::Random;

/// Adds a relation.
pub struct AddRelation;

impl Rewrite for AddRelation {
    fn name(&self) -> &'static str {
        "add-relation"
    }

    fn effect(&self) -> Effect {
        Effect::Same
    }

    fn apply(&self, program: &mut Program, _: &View<'_>, random: &mut Random) -> bool {
        let source = RelationId(random.below(program.relations.len()) as u32);
        let columns = program.relation(source).columns.clone();
        let variables = || (0..columns.len() as u32).map(|number| Term::Variable(Variable(number))).collect();
        let relation = RelationId(program.relations.len() as u32);
        program.rules.push(Rule {
            head: Atom { relation, arguments: variables() },
            body: vec![Literal::Positive(Atom { relation: source, arguments: variables() })],
        });
        program.relations.push(Relation::new(fresh_name(program), columns));
        true
    }
}
