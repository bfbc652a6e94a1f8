//! Programs and rows as exhibits hold them: texts, which are read again each time, so that nothing rests on a walk.

use datalog::{Constant, Program, RelationId, check, parse, reference};
use model::{DatalogInput, Input};
use std::collections::{BTreeMap, BTreeSet};

/// More rows than this are not looked at by the reference engine; programs that need more are passed over.
pub const FUEL: u64 = 2_000_000;

/// A row as engines' answers hold it.
pub type Row = Vec<String>;

/// The rows of relations, by name.
pub type Outputs = BTreeMap<String, BTreeSet<Row>>;

/// The program of an input; none if it is none that every engine must take.
pub fn program_of(input: &Input) -> Option<Program> {
    let program = parse("program", &input.datalog()?.text).ok()?;
    check(&program).is_ok().then_some(program)
}

/// The input that holds a program.
pub fn input_of(program: &Program) -> Input {
    Input::Datalog(DatalogInput { text: program.to_string().into() })
}

/// The rows of every output by the reference engine; none if it cannot tell.
pub fn outputs_of(program: &Program) -> Option<Outputs> {
    rows_of_all(program, program.outputs())
}

/// The rows of a relation by the reference engine; none if it cannot tell.
pub fn rows_of(program: &Program, relation: RelationId) -> Option<BTreeSet<Row>> {
    rows_of_all(program, std::iter::once(relation))?.into_values().next()
}

fn rows_of_all(program: &Program, relations: impl Iterator<Item = RelationId>) -> Option<Outputs> {
    if !program.opaque.is_empty() {
        return None;
    }
    let strata = check(program).ok()?;
    let evaluation = reference::evaluate(program, &strata, FUEL).ok()?;
    let row = |tuple: Vec<Constant>| tuple.iter().map(Constant::to_string).collect();
    let rows = |id: RelationId| {
        let rows = evaluation.rows(id).into_iter().map(row).collect();
        (program.relation(id).name.to_string(), rows)
    };
    Some(relations.map(rows).collect())
}
