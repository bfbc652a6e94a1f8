//! Adds a rule with a contradictory body.
//!
//! Its body never holds, so the rows stay the same. The relation in its body must neither be nor depend on the relation of
//! its head: the negation would be part of a cycle. Thesis: AddRelEdges.

use super::{Effect, Rewrite, View, drawn_head, is_safe};
use datalog::{Atom, Literal, Program, RelationId, Rule, Term, Variable};
use model::Random;

/// Adds the rule `v(x) :- u(x), !u(x)`.
pub struct AddContradictoryRule;

impl Rewrite for AddContradictoryRule {
    fn name(&self) -> &'static str {
        "add-contradictory-rule"
    }

    fn effect(&self) -> Effect {
        Effect::Same
    }

    fn apply(&self, program: &mut Program, view: &View<'_>, random: &mut Random) -> bool {
        let Some(relation) = random.choose(view.choices).copied() else { return false };
        let source = RelationId(random.below(program.relations.len()) as u32);
        if view.depends_on(source, relation) {
            return false;
        }
        let arity = program.relation(source).columns.len() as u32;
        let arguments: Vec<Term> = (0..arity).map(|number| Term::Variable(Variable(number))).collect();
        let atom = Atom { relation: source, arguments };
        let body = vec![Literal::Positive(atom.clone()), Literal::Negative(atom)];
        let mut rule = Rule { head: Atom { relation, arguments: Vec::new() }, body };
        rule.head.arguments = drawn_head(program, &rule, random);
        let is_fit = is_safe(program, &rule);
        if is_fit {
            program.rules.push(rule);
        }
        is_fit
    }
}
