//! Floats: programs on which engines may differ have no result.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test helpers fail by panicking")]

use datalog::reference::{Halt, evaluate};
use datalog::{Constant, RelationId, Tuple, check, parse};
use std::collections::BTreeSet;

const DECLARATIONS: &str = ".decl f(x:float)\n.decl g(x:float)\n.output g\n";

/// Returns the rows of `g`, or `None` if the program has no result.
fn rows(text: &str) -> Option<BTreeSet<Tuple>> {
    let program = parse("t.dl", &format!("{DECLARATIONS}{text}")).unwrap();
    let strata = check(&program).unwrap();
    match evaluate(&program, &strata, 1000) {
        Ok(evaluation) => Some(evaluation.rows(RelationId(1))),
        Err(Halt::Undefined(_)) => None,
        Err(halt) => panic!("{halt:?}"),
    }
}

fn floats(values: &[f64]) -> Option<BTreeSet<Tuple>> {
    Some(values.iter().map(|value| vec![Constant::float(*value)]).collect())
}

#[test]
fn portable_floats_are_computed() {
    assert_eq!(rows("f(0.5). f(0.25). g(x + y) :- f(x), f(y)."), floats(&[0.5, 0.75, 1.0]));
    assert_eq!(rows("f(0.0). f(1.0). g(x) :- f(x), x = 0.0."), floats(&[0.0]));
    assert_eq!(rows("f(-1.5). f(3.0). g(-x) :- f(x), x < 0.5."), floats(&[1.5]));
    assert_eq!(rows("f(0.5). f(1.25). g(s) :- s = sum x : { f(x) }."), floats(&[1.75]));
    assert_eq!(rows("f(16777216.0). g(x) :- f(x)."), floats(&[16_777_216.0]));
}

#[test]
fn negative_zero_has_no_result() {
    assert_eq!(rows("f(0.0). f(-0.0). g(x) :- f(x)."), None);
    assert_eq!(rows("f(0.0). g(x) :- f(x), x = -0.0."), None);
    assert_eq!(rows("f(0.0). g(-x) :- f(x)."), None);
    assert_eq!(rows("f(0.0). g(x * -1.0) :- f(x)."), None);
    assert_eq!(rows("f(-0.0)."), None);
}

#[test]
fn floats_that_are_not_exact_in_32_bits_have_no_result() {
    assert_eq!(rows("f(0.1). g(x) :- f(x)."), None);
    assert_eq!(rows("f(16777217.0). g(x) :- f(x)."), None);
    assert_eq!(rows("f(1.0). g(x / 3.0) :- f(x)."), None);
    assert_eq!(rows("f(1.0). g(x / 0.0) :- f(x)."), None);
    assert_eq!(rows("f(16777216.0). g(x + 1.0) :- f(x)."), None);
    assert_eq!(rows("f(16777216.0). f(1.0). f(-16777216.0). g(s) :- s = sum x : { f(x) }."), None);
}
