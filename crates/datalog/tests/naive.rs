//! Compares the reference engine with a naive evaluator that fits on a page, on random programs.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test helpers fail by panicking")]

use datalog::generate::{Options, generate};
use datalog::reference::{self, Derivation, Evaluation, Premise};
use datalog::{
    Aggregate, Comparison, Constant, Literal, Operator, Program, RelationId, Term, Tuple, Type, Variable,
    check,
};
use model::Random;
use std::collections::{BTreeMap, BTreeSet};

type Values = BTreeMap<Variable, Constant>;
type Rows = Vec<BTreeSet<Tuple>>;

/// Computes all relations: applies the rules of each group until no row is added.
fn naive(program: &Program) -> Rows {
    let strata = check(program).unwrap();
    let mut rows: Rows = program.relations.iter().map(|it| it.facts.iter().cloned().collect()).collect();
    for group in &strata.groups {
        loop {
            let before: usize = rows.iter().map(BTreeSet::len).sum();
            for rule in program.rules.iter().filter(|rule| group.contains(&rule.head.relation)) {
                for values in solutions(&rule.body, Values::new(), &rows) {
                    let row = rule.head.arguments.iter().map(|term| value(term, &values).unwrap()).collect();
                    rows[rule.head.relation.index()].insert(row);
                }
            }
            if before == rows.iter().map(BTreeSet::len).sum::<usize>() {
                break;
            }
        }
    }
    rows
}

/// Returns all solutions of a body. Positive atoms come first, because the other literals need their values.
fn solutions(body: &[Literal], given: Values, rows: &Rows) -> Vec<Values> {
    let mut found = vec![given];
    let rank = |literal: &&Literal| match literal {
        Literal::Positive(_) => 0,
        Literal::Aggregate { .. } => 1,
        Literal::Compare(..) | Literal::Negative(_) => 2,
    };
    let mut sorted: Vec<&Literal> = body.iter().collect();
    sorted.sort_by_key(rank);
    for literal in sorted {
        found = found.into_iter().flat_map(|values| extend(literal, values, rows)).collect();
    }
    found
}

fn extend(literal: &Literal, values: Values, rows: &Rows) -> Vec<Values> {
    match literal {
        Literal::Positive(atom) => rows[atom.relation.index()]
            .iter()
            .filter_map(|row| matched(&atom.arguments, row, values.clone()))
            .collect(),
        Literal::Negative(atom) => {
            let is_there = rows[atom.relation.index()]
                .iter()
                .any(|row| matched(&atom.arguments, row, values.clone()).is_some());
            if is_there { Vec::new() } else { vec![values] }
        }
        Literal::Compare(comparison, left, right) => {
            let (left, right) = (value(left, &values).unwrap(), value(right, &values).unwrap());
            let holds = match comparison {
                Comparison::Equal => left == right,
                Comparison::Different => left != right,
                Comparison::Less => left < right,
                Comparison::LessOrEqual => left <= right,
                Comparison::Greater => left > right,
                Comparison::GreaterOrEqual => left >= right,
            };
            if holds { vec![values] } else { Vec::new() }
        }
        Literal::Aggregate { result, function, term, body } => {
            let inside = solutions(body, values.clone(), rows);
            let number = |values: &Values| match term.as_ref().and_then(|term| value(term, values)) {
                Some(Constant::Signed(number)) => number,
                other => panic!("{other:?} is not a number"),
            };
            let total = match function {
                Aggregate::Count => Some(inside.len() as i64),
                Aggregate::Sum => Some(inside.iter().map(number).sum()),
                Aggregate::Minimum => inside.iter().map(number).min(),
                Aggregate::Maximum => inside.iter().map(number).max(),
            };
            let with = |total| matched(&[Term::Variable(*result)], &[Constant::Signed(total)], values);
            total.and_then(with).into_iter().collect()
        }
    }
}

fn matched(arguments: &[Term], row: &[Constant], mut values: Values) -> Option<Values> {
    for (argument, word) in arguments.iter().zip(row) {
        match argument {
            Term::Wildcard => {}
            Term::Variable(variable) => {
                if values.entry(*variable).or_insert_with(|| word.clone()) != word {
                    return None;
                }
            }
            term => {
                if value(term, &values).as_ref() != Some(word) {
                    return None;
                }
            }
        }
    }
    Some(values)
}

fn value(term: &Term, values: &Values) -> Option<Constant> {
    match term {
        Term::Constant(constant) => Some(constant.clone()),
        Term::Variable(variable) => values.get(variable).cloned(),
        Term::Wildcard => None,
        Term::Apply(operator, operands) => {
            let operands: Vec<Constant> =
                operands.iter().map(|operand| value(operand, values).unwrap()).collect();
            Some(applied(*operator, &operands[0], &operands[1]))
        }
    }
}

/// Applies an operator that the generator uses.
fn applied(operator: Operator, left: &Constant, right: &Constant) -> Constant {
    match (operator, left, right) {
        (Operator::Minimum, left, right) => left.min(right).clone(),
        (Operator::Maximum, left, right) => left.max(right).clone(),
        (Operator::Add, Constant::Signed(left), Constant::Signed(right)) => Constant::Signed(left + right),
        (Operator::Subtract, Constant::Signed(left), Constant::Signed(right)) => {
            Constant::Signed(left - right)
        }
        (Operator::Multiply, Constant::Signed(left), Constant::Signed(right)) => {
            Constant::Signed(left * right)
        }
        (Operator::Remainder, Constant::Signed(left), Constant::Signed(right)) => {
            Constant::Signed(left % right)
        }
        (Operator::Add, Constant::Unsigned(left), Constant::Unsigned(right)) => {
            Constant::Unsigned(left + right)
        }
        (Operator::Multiply, Constant::Unsigned(left), Constant::Unsigned(right)) => {
            Constant::Unsigned(left * right)
        }
        (Operator::Remainder, Constant::Unsigned(left), Constant::Unsigned(right)) => {
            Constant::Unsigned(left % right)
        }
        other => panic!("{other:?} is not generated"),
    }
}

fn options(number: u64) -> Options {
    let types = match number % 3 {
        0 => vec![Type::Signed],
        1 => vec![Type::Signed, Type::Symbol],
        _ => vec![Type::Signed, Type::Unsigned, Type::Symbol, Type::Float],
    };
    Options {
        types,
        rows: 6,
        columns: 2,
        numbers: 5,
        arithmetic: number.is_multiple_of(2),
        aggregates: number.is_multiple_of(5),
        steered: number.is_multiple_of(7),
        ..Options::default()
    }
}

#[test]
fn the_reference_engine_agrees_with_the_naive_one() {
    let (mut compared, mut explained) = (0, 0);
    for number in 0..3000 {
        let program = generate(&options(number), &mut Random::for_case(1, number));
        let strata = check(&program).unwrap_or_else(|problem| panic!("{problem}\n{program}"));
        let Ok(evaluation) = reference::evaluate(&program, &strata, 20_000) else { continue };
        compared += 1;
        for (id, expected) in program.ids().zip(naive(&program)) {
            assert_eq!(evaluation.rows(id), expected, "{}\n{program}", program.relation(id).name);
            for row in expected.iter().take(3) {
                let derivation = evaluation.explain(id, row).unwrap_or_else(|| panic!("{row:?}\n{program}"));
                check_derivation(&program, &evaluation, &derivation);
                explained += 1;
            }
        }
    }
    assert!(compared > 2800 && explained > 10_000, "{compared} programs, {explained} rows");
}

/// Checks that every row of a derivation exists and that its premises match its rule.
fn check_derivation(program: &Program, evaluation: &Evaluation<'_>, derivation: &Derivation) {
    assert!(evaluation.rows(derivation.relation).contains(&derivation.row), "{program}");
    match &derivation.from {
        None => assert!(program.relation(derivation.relation).facts.contains(&derivation.row), "{program}"),
        Some((rule, premises)) => {
            assert_eq!(program.rules[*rule].head.relation, derivation.relation);
            for (literal, premise) in program.rules[*rule].body.iter().zip(premises) {
                match (literal, premise) {
                    (Literal::Positive(atom), Premise::Row(inner)) => {
                        assert_eq!(atom.relation, inner.relation);
                        check_derivation(program, evaluation, inner);
                    }
                    (Literal::Positive(_), Premise::Known(row)) => {
                        assert!(row.contains('('), "{row} for an atom\n{program}");
                    }
                    (Literal::Positive(_), premise) => panic!("{premise:?} for an atom\n{program}"),
                    (_, Premise::Holds(_)) => {}
                    (_, premise) => panic!("{premise:?}\n{program}"),
                }
            }
        }
    }
}

#[test]
fn missing_rows_are_explained() {
    let mut seen = 0;
    for number in 0..300 {
        let program = generate(&options(number), &mut Random::for_case(2, number));
        let strata = check(&program).unwrap();
        let Ok(evaluation) = reference::evaluate(&program, &strata, 20_000) else { continue };
        for id in program.ids().filter(|id| program.rules_of(*id).next().is_some()) {
            let columns = &program.relation(id).columns;
            let strange: Tuple = columns.iter().map(|column| strange(*column)).collect();
            if columns.is_empty() {
                continue;
            }
            assert_eq!(evaluation.explain(id, &strange), None);
            assert_eq!(evaluation.failures(id, &strange).len(), program.rules_of(id).count());
            seen += 1;
        }
    }
    assert!(seen > 300, "{seen}");
}

/// Returns a value that occurs in no program.
fn strange(r#type: Type) -> Constant {
    match r#type {
        Type::Signed => Constant::Signed(-99),
        Type::Unsigned => Constant::Unsigned(99),
        Type::Float => Constant::float(99.5),
        Type::Symbol => Constant::Symbol("nowhere".into()),
    }
}

#[test]
fn outputs_of_steered_programs_are_rarely_empty() {
    let (mut full, mut all, mut recursive, mut negated) = (0, 0, 0, 0);
    for number in 0..500 {
        let program = generate(&Options::default(), &mut Random::for_case(3, number));
        let strata = check(&program).unwrap();
        let Ok(evaluation) = reference::evaluate(&program, &strata, 100_000) else { continue };
        all += 1;
        full += usize::from(program.outputs().all(|output: RelationId| evaluation.count(output) > 0));
        let edges = datalog::strata::edges(&program);
        recursive += usize::from(edges.iter().any(|edge| strata.are_together(edge.from, edge.to)));
        negated += usize::from(edges.iter().any(|edge| edge.needs_all));
    }
    println!("{full} of {all} outputs are not empty; {recursive} programs are recursive, {negated} negate");
    assert!(
        full * 10 > all * 8 && recursive * 2 > all && negated * 2 > all,
        "{full} {all} {recursive} {negated}"
    );
}

#[test]
fn explanations_name_the_aggregate_that_fails() {
    let text = ".decl b(x:number)\n.decl c(x:number)\n.decl d(x:number)\nb(7).\n\
        d(s) :- b(_), s = max x : { c(x) }.\n.output d\n";
    let program = datalog::parse("t.dl", text).unwrap();
    let strata = check(&program).unwrap();
    let evaluation = reference::evaluate(&program, &strata, 1000).unwrap();
    let failures = evaluation.failures(RelationId(2), &[Constant::Signed(1)]);
    assert_eq!(failures.iter().map(|failure| failure.literal).collect::<Vec<_>>(), [Some(1)]);
}

/// Every row of the chain follows from the previous one in two ways: a tree of all derivations would have 2^45 nodes.
#[test]
fn derivations_show_each_row_once() {
    let mut text = ".decl s(x:number, y:number)\n.decl n(x:number)\n.output n\nn(0).\n".to_owned();
    for number in 0..45 {
        text += &format!("s({number}, {}).\n", number + 1);
    }
    text += "n(y) :- n(x), n(z), s(x, y), s(z, y).\n";
    let program = datalog::parse("test", &text).unwrap();
    let strata = check(&program).unwrap();
    let evaluation = reference::evaluate(&program, &strata, 100_000).unwrap();
    let row = [datalog::Constant::Signed(45)];
    let derivation = evaluation.explain(program.find("n").unwrap(), &row).unwrap();
    check_derivation(&program, &evaluation, &derivation);
}
