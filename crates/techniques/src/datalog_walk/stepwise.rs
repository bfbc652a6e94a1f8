//! Stepwise evaluation: the rules of a program, applied once to the rows of an answer, give just these rows.
//!
//! The least fixed point of a program is a fixed point, so this must hold for every relation, and it can be seen without
//! computing the program: the relations in the bodies get the rows of the answer, and the heads are compared with them.

use super::judge::Difference;
use super::program::{Row, rows_of_all};
use datalog::{Constant, Program, Relation, RelationId, Tuple};
use model::Answer;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The relations whose rows do not follow from the other rows of an answer, and how. All relations of the program must be
/// outputs; where they are not, or where the reference engine cannot tell, there are none.
pub fn contradictions(program: &Program, answer: &Answer) -> Vec<(String, Difference)> {
    let Some(step) = one_step(program, answer) else { return Vec::new() };
    let heads = step.heads.iter().map(|(head, _)| *head);
    let Some(following) = rows_of_all(&step.program, heads) else { return Vec::new() };
    let contradiction = |(head, body): &(RelationId, RelationId)| {
        let name = program.relation(*body).name.to_string();
        let given: BTreeSet<Row> = answer.rows(&name)?.iter().cloned().collect();
        let difference = Difference::between(following.get(&*step.program.relation(*head).name)?, &given)?;
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
    let mut names: BTreeSet<Arc<str>> =
        program.relations.iter().map(|relation| relation.name.clone()).collect();
    let mut head_of = BTreeMap::new();
    for (id, _) in program.ids().zip(program.rules_by_relation()).filter(|(_, rules)| !rules.is_empty()) {
        let relation = program.relation(id);
        let head = RelationId(step.relations.len() as u32);
        let fresh = Relation {
            facts: relation.facts.clone(),
            ..Relation::new(fresh_name(&mut names, &relation.name), relation.columns.clone())
        };
        step.relations.push(fresh);
        step.relations[id.index()].facts = given_rows(relation, answer)?;
        heads.push((head, id));
        head_of.insert(id, head);
    }
    for rule in &mut step.rules {
        rule.head.relation = *head_of.get(&rule.head.relation)?;
    }
    Some(OneStep { program: step, heads })
}

fn given_rows(relation: &Relation, answer: &Answer) -> Option<Vec<Tuple>> {
    let read = |row: &Row| -> Option<Tuple> {
        row.iter().zip(&relation.columns).map(|(text, column)| Constant::read(text, *column)).collect()
    };
    answer.rows(&relation.name)?.iter().map(read).collect()
}

/// Takes a name that no relation has.
fn fresh_name(names: &mut BTreeSet<Arc<str>>, name: &str) -> Arc<str> {
    let mut fresh = format!("{name}_next");
    while !names.insert(fresh.as_str().into()) {
        fresh.push('_');
    }
    fresh.into()
}
