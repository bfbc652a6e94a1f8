//! The rules: what follows from a comparison that is known to hold. Each has its own file with the reason
//! why it is right, and is tried on all values of small types by the tests.

mod condition;
mod conjunct;
mod conversion;
mod de_morgan;
mod difference;
mod double_negation;
mod element;
pub mod first_element;
mod nonzero;
mod opposite;
mod product;
mod sum;
mod swap;
pub mod transitive;
mod weaker;
mod whole;

use super::form::{Body, Form, Operation, Side, Term, Test};
use super::shape::{Relation, Shape};

pub use de_morgan::de_morgan;
pub use whole::{Connective, Junction, whole};

/// A way to derive conditions from a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name in tables.
    pub name: &'static str,
    /// Adds what follows.
    pub derive: fn(&Shape, &mut Vec<Form>),
}

/// The rules for comparisons, in the order in which they are tried.
pub const RULES: [Rule; 12] = [
    Rule { name: "condition", derive: condition::derive },
    Rule { name: "conjunct", derive: conjunct::derive },
    Rule { name: "swap", derive: swap::derive },
    Rule { name: "double-negation", derive: double_negation::derive },
    Rule { name: "opposite", derive: opposite::derive },
    Rule { name: "nonzero", derive: nonzero::derive },
    Rule { name: "conversion", derive: conversion::derive },
    Rule { name: "weaker", derive: weaker::derive },
    Rule { name: "sum", derive: sum::derive },
    Rule { name: "difference", derive: difference::derive },
    Rule { name: "product", derive: product::derive },
    Rule { name: "element", derive: element::derive },
];

/// The name of the rule that repeats a condition with `&&` or `||`.
pub const WHOLE: &str = "whole";
/// The name of the rule that turns one around by De Morgan's laws.
pub const DE_MORGAN: &str = "de-morgan";
/// The name of the rule that joins two comparisons.
pub const TRANSITIVE: &str = "transitive";

/// The most that is added or subtracted.
const MOST: u32 = 3;

/// The known condition as the program has it.
fn restated(shape: &Shape) -> (usize, Body) {
    let body = if shape.is_truth { Body::Truth } else { Body::Test(Test::plain(shape.relation)) };
    (usize::from(shape.is_negated), body)
}

/// Two numbers, and a relation between two values that have them added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Amounts {
    lower: u32,
    upper: u32,
}

/// All pairs of numbers up to [`MOST`], the smaller first, apart from two zeroes.
fn amounts() -> impl Iterator<Item = Amounts> {
    let pairs = (0..=MOST).flat_map(|lower| (lower..=MOST).map(move |upper| Amounts { lower, upper }));
    pairs.filter(|amounts| amounts.upper > 0)
}

/// What holds between `a + lower` and `b + upper` if the relation holds between a and b, with `lower` at most
/// `upper`, in numbers without bounds.
fn widened(relation: Relation, amounts: Amounts) -> Vec<Relation> {
    use Relation::{AtMost, Equal, Less, Unequal};
    let is_strict = amounts.lower < amounts.upper;
    match relation {
        Less => vec![Less],
        AtMost if is_strict => vec![AtMost, Less],
        AtMost => vec![AtMost],
        Equal if is_strict => vec![Less],
        Equal => vec![Equal],
        Unequal if !is_strict => vec![Unequal],
        _ => Vec::new(),
    }
}

/// The relation seen from the operand that is not the greater one: `a > b` is `b < a`.
fn upwards(relation: Relation) -> (Side, Relation, Side) {
    match relation {
        Relation::Greater | Relation::AtLeast => (Side::Right, relation.mirrored(), Side::Left),
        _ => (Side::Left, relation, Side::Right),
    }
}

/// A comparison between operands that are moved, the left operand on the left whichever comes first.
fn moved(first: (Side, u32), relation: Relation, second: (Side, u32), operation: Operation) -> Test {
    let term = |(side, amount): (Side, u32)| match amount {
        0 => Term::Converted(side),
        _ => Term::Moved(side, operation, amount),
    };
    match first.0 {
        Side::Left => Test::new(term(first), relation, term(second)),
        Side::Right => Test::new(term(second), relation.mirrored(), term(first)),
    }
}
