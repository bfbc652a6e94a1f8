//! Adds a positive or negated atom to the body of a rule.
//!
//! The body holds in fewer cases, so the relation gains no rows. A recursive atom is allowed: the immediate consequence
//! operator becomes smaller everywhere, and so does its least fixed point. Thesis: AddRelEdge; ADD-CON.

use super::{Effect, Rewrite, View, bound_types, replace_rule};
use datalog::{Atom, Literal, Program, RelationId, Term, Variable};
use model::Random;

/// Adds an atom to a body.
pub struct AddAtom;

impl Rewrite for AddAtom {
    fn name(&self) -> &'static str {
        "add-atom"
    }

    fn effect(&self) -> Effect {
        Effect::Fewer
    }

    fn apply(&self, program: &mut Program, view: &View<'_>, random: &mut Random) -> bool {
        let Some(place) = view.choose_rule(program, random, |_| true) else { return false };
        let mut rule = program.rules[place].clone();
        let relation = RelationId(random.below(program.relations.len()) as u32);
        let is_negative = random.percent(40);
        let bound = bound_types(program, &rule);
        let mut fresh = rule.fresh_variable();
        let mut arguments = Vec::new();
        for column in &program.relation(relation).columns {
            let known: Vec<Variable> =
                bound.iter().filter(|(_, r#type)| r#type == column).map(|(variable, _)| *variable).collect();
            arguments.push(match random.choose(&known) {
                Some(variable) if random.percent(80) => Term::Variable(*variable),
                _ if is_negative => Term::Wildcard,
                _ => {
                    let variable = fresh;
                    fresh = Variable(fresh.0 + 1);
                    Term::Variable(variable)
                }
            });
        }
        let atom = Atom { relation, arguments };
        rule.body.push(if is_negative { Literal::Negative(atom) } else { Literal::Positive(atom) });
        replace_rule(program, place, rule)
    }
}
