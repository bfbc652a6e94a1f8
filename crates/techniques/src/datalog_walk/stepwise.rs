//! Stepwise evaluation: the rules of a program, applied once to the rows of an answer, give just these rows.
//!
//! The least fixed point of a program is a fixed point, so this must hold for every relation, and it can be seen without
//! computing the program: the relations in the bodies get the rows of the answer, and the heads are compared with them.

use super::judge::Difference;
use super::program::{Row, rows_of};
use datalog::{Constant, Program, Relation, RelationId, Tuple};
use model::Answer;
use std::collections::BTreeSet;

/// The relations whose rows do not follow from the other rows of an answer, and how. All relations of the program must be
/// outputs; where they are not, or where the reference engine cannot tell, there are none.
pub fn contradictions(program: &Program, answer: &Answer) -> Vec<(String, Difference)> {
    let Some(step) = one_step(program, answer) else { return Vec::new() };
    let contradiction = |(head, body): &(RelationId, RelationId)| {
        let name = program.relation(*body).name.to_string();
        let given: BTreeSet<Row> = answer.rows(&name)?.iter().cloned().collect();
        let difference = Difference::between(&rows_of(&step.program, *head)?, &given)?;
        Some((name, difference))
    };
    step.heads.iter().filter_map(contradiction).collect()
}

/// A program that applies rules once.
struct OneStep {
    program: Program,
    /// For each relation with rules, the relation that gets what follows in one step, and itself.
    heads: Vec<(RelationId, RelationId)>,
}

fn one_step(program: &Program, answer: &Answer) -> Option<OneStep> {
    let mut step = program.clone();
    let mut heads = Vec::new();
    for id in program.ids() {
        if program.rules_of(id).next().is_none() {
            continue;
        }
        let relation = program.relation(id);
        let head = RelationId(step.relations.len() as u32);
        let fresh = Relation {
            facts: relation.facts.clone(),
            ..Relation::new(fresh_name(&step, &relation.name), relation.columns.clone())
        };
        step.relations.push(fresh);
        step.relations[id.index()].facts = given_rows(relation, answer)?;
        heads.push((head, id));
    }
    for rule in &mut step.rules {
        let (head, _) = heads.iter().find(|(_, body)| *body == rule.head.relation)?;
        rule.head.relation = *head;
    }
    Some(OneStep { program: step, heads })
}

fn given_rows(relation: &Relation, answer: &Answer) -> Option<Vec<Tuple>> {
    let read = |row: &Row| -> Option<Tuple> {
        row.iter().zip(&relation.columns).map(|(text, column)| Constant::read(text, *column)).collect()
    };
    answer.rows(&relation.name)?.iter().map(read).collect()
}

fn fresh_name(program: &Program, name: &str) -> String {
    let mut fresh = format!("{name}_next");
    while program.find(&fresh).is_some() {
        fresh.push('_');
    }
    fresh
}
