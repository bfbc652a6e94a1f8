//! Replaces a positive atom by the negation of a new relation, which holds where the rest of the body does and the atom
//! does not.
//!
//! For values that satisfy the rest of the body, the atom holds if and only if the new relation does not. The rest must bind
//! the variables of the atom, and no atom of the body may be recursive: the negation of the new relation would be part of a
//! cycle. NEG.

use super::{Effect, Rewrite, View, fresh_name, is_safe, positive_places, replace_rule};
use datalog::{Atom, Literal, Program, Relation, RelationId, Rule, Term, Type, Variable, bound_variables};
use model::Random;
use std::collections::BTreeSet;

/// Negates an atom twice.
pub struct NegateTwice;

impl Rewrite for NegateTwice {
    fn name(&self) -> &'static str {
        "negate-twice"
    }

    fn effect(&self) -> Effect {
        Effect::Same
    }

    fn apply(&self, program: &mut Program, view: &View<'_>, random: &mut Random) -> bool {
        let is_fit = |rule: &Rule| {
            let mut atoms = rule.body.iter().filter_map(Literal::atom);
            // The head depends on the atoms, so one that depends on the head is in the same group.
            positive_places(rule).len() > 1
                && atoms.all(|atom| !view.groups.are_together(atom.relation, rule.head.relation))
        };
        let Some(place) = view.choose_rule(program, random, is_fit) else { return false };
        let mut rule = program.rules[place].clone();
        let Some(chosen) = random.choose(&positive_places(&rule)).copied() else { return false };
        let Literal::Positive(atom) = rule.body.remove(chosen) else { return false };
        let bound = bound_variables(&rule.body, &BTreeSet::new());
        let Some(columns) = columns_of(program, &atom, &bound) else { return false };
        let arguments: Vec<Term> = columns.iter().map(|(variable, _)| Term::Variable(*variable)).collect();
        let relation = RelationId(program.relations.len() as u32);
        let types = columns.iter().map(|(_, column)| *column).collect();
        program.relations.push(Relation::new(fresh_name(program), types));
        let mut body = rule.body.clone();
        body.push(Literal::Negative(atom));
        let missing = Rule { head: Atom { relation, arguments: arguments.clone() }, body };
        rule.body.push(Literal::Negative(Atom { relation, arguments }));
        let is_fit = is_safe(program, &missing) && replace_rule(program, place, rule);
        program.rules.push(missing);
        is_fit
    }
}

/// Returns the distinct variables of an atom with their types, or `None` if one is unbound or an argument is neither a
/// variable nor a constant. Atoms with `_` are excluded: `_` matches any row, and its negation none.
fn columns_of(program: &Program, atom: &Atom, bound: &BTreeSet<Variable>) -> Option<Vec<(Variable, Type)>> {
    let mut columns: Vec<(Variable, Type)> = Vec::new();
    for (argument, column) in atom.arguments.iter().zip(&program.relation(atom.relation).columns) {
        match argument {
            Term::Variable(variable) if bound.contains(variable) => {
                if columns.iter().all(|(known, _)| known != variable) {
                    columns.push((*variable, *column));
                }
            }
            Term::Constant(_) | Term::Wildcard => {}
            Term::Variable(_) | Term::Apply(..) => return None,
        }
    }
    Some(columns)
}
