//! Adds a rule that derives a relation from itself.
//!
//! It derives only rows that already exist, so the rows stay the same. Thesis: AddSelfEdge.

use super::{Effect, Rewrite, View};
use datalog::{Atom, Literal, Program, Rule, Term, Variable};
use model::Random;

/// Adds the rule `v(x) :- v(x)`.
pub struct AddSelfRule;

impl Rewrite for AddSelfRule {
    fn name(&self) -> &'static str {
        "add-self-rule"
    }

    fn effect(&self) -> Effect {
        Effect::Same
    }

    fn apply(&self, program: &mut Program, view: &View<'_>, random: &mut Random) -> bool {
        let Some(relation) = random.choose(view.choices).copied() else { return false };
        let arity = program.relation(relation).columns.len() as u32;
        let arguments: Vec<Term> = (0..arity).map(|number| Term::Variable(Variable(number))).collect();
        let atom = Atom { relation, arguments };
        let rule = Rule { head: atom.clone(), body: vec![Literal::Positive(atom)] };
        let is_new = !program.rules.contains(&rule);
        if is_new {
            program.rules.push(rule);
        }
        is_new
    }
}
