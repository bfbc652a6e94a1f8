//! Which relations Soufflé refuses to inline. Inlining never changes rows, so the qualifier can be dropped for them.

use crate::program::{Literal, Program, Rule, Term, Variable};
use crate::strata::{Strata, edges};
use std::collections::BTreeSet;

/// Returns, for each relation, whether Soufflé can inline it.
///
/// It must not be an output, depend on itself or be aggregated. If it is negated, its rules must have no variables of
/// their own, because these would change their meaning under the negation.
pub fn can_be_inlined(program: &Program) -> Vec<bool> {
    let edges = edges(program);
    let strata = Strata::ignoring_negation(program.relations.len(), &edges);
    let mut can: Vec<bool> = program.relations.iter().map(|relation| !relation.is_output).collect();
    for edge in &edges {
        if edge.is_aggregated || strata.are_together(edge.from, edge.to) {
            can[edge.from.index()] = false;
        }
    }
    let can_be_negated = can_be_negated(program);
    for rule in &program.rules {
        for literal in &rule.body {
            if let Literal::Negative(atom) = literal {
                let has_wildcard = atom.arguments.contains(&Term::Wildcard);
                can[atom.relation.index()] &= !has_wildcard && can_be_negated[atom.relation.index()];
            }
        }
    }
    can
}

/// Returns, for each relation, whether none of its rules has variables of its own.
fn can_be_negated(program: &Program) -> Vec<bool> {
    let mut can = vec![true; program.relations.len()];
    for rule in &program.rules {
        can[rule.head.relation.index()] &= has_no_local_variables(program, rule);
    }
    can
}

/// Returns true if all variables of a rule occur in its head and inlining its body cannot introduce others.
fn has_no_local_variables(program: &Program, rule: &Rule) -> bool {
    let mut known: BTreeSet<Variable> = BTreeSet::new();
    rule.head.arguments.iter().for_each(|argument| {
        argument.for_each_variable(&mut |variable| {
            known.insert(variable);
        });
    });
    let mut is_plain = true;
    rule.for_each_variable(&mut |variable| is_plain &= known.contains(&variable));
    is_plain
        && rule.body.iter().all(|literal| match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                !atom.arguments.contains(&Term::Wildcard) && !program.relation(atom.relation).is_inlined
            }
            Literal::Compare(..) => true,
            Literal::Aggregate { .. } => false,
        })
}
