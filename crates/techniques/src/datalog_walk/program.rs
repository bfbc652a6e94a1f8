//! Programs and rows as exhibits hold them: texts, which are parsed again each time, independently of the walk.

use datalog::reference::Halt;
use datalog::{Constant, Literal, Operator, Program, RelationId, Term, Type, check, parse, reference};
use model::{Input, Language, TextInput};
use std::collections::{BTreeMap, BTreeSet};

/// The reference engine considers at most this many rows; programs that need more are skipped.
pub const FUEL: u64 = 2_000_000;

/// A row as engines' answers hold it.
pub type Row = Vec<String>;

/// The rows of relations, by name.
pub type Outputs = BTreeMap<String, BTreeSet<Row>>;

/// The program of an input; `None` unless it is safe and stratified.
pub fn program_of(input: &Input) -> Option<Program> {
    let program = parse("program", input.text_in(Language::DATALOG)?).ok()?;
    check(&program).is_ok().then_some(program)
}

/// The input that holds a program.
pub fn input_of(program: &Program) -> Input {
    Input::Text(TextInput { language: Language::DATALOG, text: program.to_string().into() })
}

/// Why the reference engine cannot compute a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untold {
    /// It would have to consider too many rows.
    TooLarge,
    /// There are statements that juvenal does not model.
    Opaque,
    /// Engines do not agree on a value, or the program is none.
    Undefined,
}

/// The rows of every output by the reference engine, or why it cannot compute them.
pub fn outcome_of(program: &Program) -> Result<Outputs, Untold> {
    try_rows_of_all(program, program.outputs())
}

/// The rows of every output by the reference engine; `None` if it cannot compute them.
pub fn outputs_of(program: &Program) -> Option<Outputs> {
    outcome_of(program).ok()
}

/// True if answers can be held against each other where the reference engine cannot tell. Sums of floats depend on the
/// order in which they are added, which may differ between programs and configurations.
pub fn is_comparable(program: &Program, untold: Untold) -> bool {
    let has_floats = program.relations.iter().any(|relation| relation.columns.contains(&Type::Float));
    untold != Untold::Undefined && !has_floats
}

/// The rows of a relation by the reference engine; `None` if it cannot compute them.
pub fn rows_of(program: &Program, relation: RelationId) -> Option<BTreeSet<Row>> {
    rows_of_all(program, std::iter::once(relation))?.into_values().next()
}

/// The rows of relations by the reference engine; `None` if it cannot compute them.
pub fn rows_of_all(program: &Program, relations: impl Iterator<Item = RelationId>) -> Option<Outputs> {
    try_rows_of_all(program, relations).ok()
}

fn try_rows_of_all(
    program: &Program,
    relations: impl Iterator<Item = RelationId>,
) -> Result<Outputs, Untold> {
    if !program.opaque.is_empty() {
        return Err(Untold::Opaque);
    }
    let strata = check(program).map_err(|_| Untold::Undefined)?;
    let evaluation = reference::evaluate(program, &strata, FUEL).map_err(|halt| match halt {
        Halt::OutOfFuel => Untold::TooLarge,
        Halt::Undefined(_) => Untold::Undefined,
    })?;
    let row = |tuple: Vec<Constant>| tuple.iter().map(Constant::to_string).collect();
    let rows = |id: RelationId| {
        let rows = evaluation.rows(id).into_iter().map(row).collect();
        (program.relation(id).name.to_string(), rows)
    };
    Ok(relations.map(rows).collect())
}

/// True if an engine has no reason to fail on a program: it has a result, and nothing is divided by what may be zero in
/// rows that other literals exclude, since engines choose the order in which they look at literals.
pub fn must_answer(program: &Program) -> bool {
    let mut is_doubtful = false;
    let mut look = |term: &Term| is_doubtful |= divides_doubtfully(term);
    for rule in &program.rules {
        rule.head.arguments.iter().for_each(&mut look);
        rule.body.iter().for_each(|literal| for_each_term(literal, &mut look));
    }
    !is_doubtful && outputs_of(program).is_some()
}

fn for_each_term(literal: &Literal, look: &mut impl FnMut(&Term)) {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => atom.arguments.iter().for_each(look),
        Literal::Compare(_, left, right) => {
            look(left);
            look(right);
        }
        Literal::Aggregate { term, body, .. } => {
            term.iter().for_each(&mut *look);
            body.iter().for_each(|inner| for_each_term(inner, look));
        }
    }
}

fn divides_doubtfully(term: &Term) -> bool {
    let Term::Apply(operator, operands) = term else { return false };
    let divides = matches!(operator, Operator::Divide | Operator::Remainder);
    let is_number = |term: &Term| matches!(term, Term::Constant(Constant::Signed(number)) if *number != 0);
    (divides && !operands.get(1).is_some_and(is_number)) || operands.iter().any(divides_doubtfully)
}
