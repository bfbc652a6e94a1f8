//! Which relations Soufflé refuses to inline. The rows are the same either way, so the word is left out for them.

use crate::program::{Literal, Program, RelationId, Rule, Term, Variable};
use crate::strata::{Strata, edges};
use std::collections::BTreeSet;

/// For each relation, whether it may be inlined: it is no output, does not depend on itself, is not counted, and where
/// it is negated its rules bring no variables of their own, because negating those would change what they mean.
pub fn can_be_inlined(program: &Program) -> Vec<bool> {
    let edges = edges(program);
    let strata = Strata::ignoring_negation(program.relations.len(), &edges);
    let mut can: Vec<bool> = program.relations.iter().map(|relation| !relation.is_output).collect();
    for edge in &edges {
        if edge.is_counted || strata.are_together(edge.from, edge.to) {
            can[edge.from.index()] = false;
        }
    }
    for rule in &program.rules {
        for literal in &rule.body {
            if let Literal::Negative(atom) = literal {
                let has_anything = atom.arguments.contains(&Term::Anything);
                can[atom.relation.index()] &= !has_anything && can_be_negated(program, atom.relation);
            }
        }
    }
    can
}

fn can_be_negated(program: &Program, relation: RelationId) -> bool {
    program.rules_of(relation).all(|rule| brings_nothing(program, &program.rules[rule]))
}

/// True if all variables of a rule stand in its head, and no other inlined relation is used that might bring some.
fn brings_nothing(program: &Program, rule: &Rule) -> bool {
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
                !atom.arguments.contains(&Term::Anything) && !program.relation(atom.relation).is_inlined
            }
            Literal::Compare(..) => true,
            Literal::Aggregate { .. } => false,
        })
}
