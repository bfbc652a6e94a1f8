//! Renames a variable everywhere in its rule.
//!
//! The names of variables do not matter. MOD-EQU.

use super::{Effect, Rewrite, View, replace_rule};
use datalog::{Literal, Program, Rule, Term, Variable};
use model::Random;

/// Renames a variable.
pub struct RenameVariable;

impl Rewrite for RenameVariable {
    fn name(&self) -> &'static str {
        "rename-variable"
    }

    fn effect(&self) -> Effect {
        Effect::Same
    }

    fn apply(&self, program: &mut Program, view: &View<'_>, random: &mut Random) -> bool {
        let Some(place) = view.choose_rule(program, random, |rule| rule.fresh_variable().0 > 0) else {
            return false;
        };
        let mut rule = program.rules[place].clone();
        let fresh = rule.fresh_variable();
        let old = Variable(random.below(fresh.0 as usize) as u32);
        put_variable(&mut rule, old, fresh);
        // A number that the rule does not use would leave it unchanged.
        rule != program.rules[place] && replace_rule(program, place, rule)
    }
}

/// Replaces a variable by another one everywhere in a rule without aggregates.
pub fn put_variable(rule: &mut Rule, old: Variable, new: Variable) {
    let head = rule.head.arguments.iter_mut();
    let body = rule.body.iter_mut().flat_map(|literal| -> Vec<&mut Term> {
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => atom.arguments.iter_mut().collect(),
            Literal::Compare(_, left, right) => vec![left, right],
            Literal::Aggregate { .. } => Vec::new(),
        }
    });
    head.chain(body).for_each(|term| put_in_term(term, old, new));
}

fn put_in_term(term: &mut Term, old: Variable, new: Variable) {
    match term {
        Term::Variable(variable) if *variable == old => *variable = new,
        Term::Apply(_, operands) => operands.iter_mut().for_each(|operand| put_in_term(operand, old, new)),
        Term::Variable(_) | Term::Constant(_) | Term::Wildcard => {}
    }
}
