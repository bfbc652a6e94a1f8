//! Adds a rule to a relation.
//!
//! The relation keeps the rows of its other rules, so it loses none. Thesis: AddRelEdge as a new rule.

use super::{Effect, Rewrite, View, drawn_head, is_safe};
use datalog::{Atom, Literal, Program, RelationId, Rule, Term, Variable};
use model::Random;

/// Adds a rule with one atom.
pub struct AddRule;

impl Rewrite for AddRule {
    fn name(&self) -> &'static str {
        "add-rule"
    }

    fn effect(&self) -> Effect {
        Effect::More
    }

    fn apply(&self, program: &mut Program, view: &View<'_>, random: &mut Random) -> bool {
        let Some(relation) = random.choose(view.choices).copied() else { return false };
        let source = RelationId(random.below(program.relations.len()) as u32);
        let arity = program.relation(source).columns.len() as u32;
        let arguments = (0..arity).map(|number| Term::Variable(Variable(number))).collect();
        let body = vec![Literal::Positive(Atom { relation: source, arguments })];
        let mut rule = Rule { head: Atom { relation, arguments: Vec::new() }, body };
        rule.head.arguments = drawn_head(program, &rule, random);
        let is_fit = is_safe(program, &rule) && !program.rules.contains(&rule);
        if is_fit {
            program.rules.push(rule);
        }
        is_fit
    }
}
