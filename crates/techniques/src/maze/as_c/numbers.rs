//! Integers and reals within boxes as templates, in the least of `int` and `long long` that holds the operands and the
//! result. A real is its numerator over a denominator that is known.

use super::form::{Form, Source};
use super::graph::{Interval, Kind, What};
use super::machine::CType;
use super::template::Template::{self, Cut, Fits};
use super::{Wide, vectors};
use smt::Operator;

/// The least type that holds these numbers, if there is one.
pub(super) fn type_holding(low: i128, high: i128) -> Option<CType> {
    let within = |least: i128, greatest: i128| low >= least && high <= greatest;
    if within(i32::MIN.into(), i32::MAX.into()) {
        Some(CType::Signed(32))
    } else if within(i64::MIN.into(), i64::MAX.into()) {
        Some(CType::Signed(64))
    } else {
        None
    }
}

/// The type in which an operator works: it holds the operands, the result, and the negated operands where the operator
/// negates them.
pub(super) fn working_type(what: &What, operands: &[Kind], result: Kind) -> Option<CType> {
    let (mut low, mut high) = (0, 0);
    let mut include = |number: i128| {
        low = low.min(number);
        high = high.max(number);
    };
    for kind in operands.iter().chain([&result]) {
        let Kind::Number(interval) = kind else { continue };
        include(interval.low);
        include(interval.high);
        if matches!(what, What::Apply(Operator::Abs | Operator::Negate | Operator::IntDiv | Operator::Mod)) {
            include(-interval.low);
            include(-interval.high);
        }
    }
    include(constant_of(what, operands));
    type_holding(low, high)
}

/// The constant of a node, 0 if it has none.
fn constant_of(what: &What, operands: &[Kind]) -> i128 {
    match (what, operands.first()) {
        (What::Times(factor), _) => *factor,
        (What::Apply(Operator::Divisible(divisor)), _) => i128::from(*divisor),
        (What::Apply(Operator::ToInt | Operator::IsInt), Some(Kind::Number(interval))) => {
            interval.denominator
        }
        _ => 0,
    }
}

/// The ways to write an operator. `is_negative` says that the divisor is.
pub(super) fn templates(what: &What, is_negative: bool) -> &'static [Template] {
    use Operator as O;
    let What::Apply(operator) = what else {
        // A division by a whole number only changes the denominator.
        return if let What::Times(1) = what { &[Fits("{x}")] } else { &[Fits("{x} * {K}")] };
    };
    match (operator, is_negative) {
        (O::Add, _) => &[Fits("{x} + {y}")],
        (O::Subtract, _) => &[Fits("{x} - {y}")],
        (O::Multiply, _) => &[Fits("{x} * {y}")],
        (O::Negate, _) => &[Fits("-{x}"), Fits("0 - {x}")],
        (O::Abs, _) => &[Fits("{x} < 0 ? -{x} : {x}"), Fits("{x} > 0 ? {x} : -{x}")],
        (O::IntDiv, false) => {
            &[Fits("{x} / {y} - ({x} % {y} < 0)"), Fits("{x} % {y} < 0 ? {x} / {y} - 1 : {x} / {y}")]
        }
        (O::IntDiv, true) => {
            &[Fits("{x} / {y} + ({x} % {y} < 0)"), Fits("{x} % {y} < 0 ? {x} / {y} + 1 : {x} / {y}")]
        }
        (O::Mod, false) => &[Fits("{x} % {y} < 0 ? {x} % {y} + {y} : {x} % {y}")],
        (O::Mod, true) => &[Fits("{x} % {y} < 0 ? {x} % {y} - {y} : {x} % {y}")],
        (O::Less, _) => &[Fits("{x} < {y}"), Fits("!({x} >= {y})")],
        (O::LessEqual, _) => &[Fits("{x} <= {y}"), Fits("!({x} > {y})")],
        (O::Greater, _) => &[Fits("{x} > {y}"), Fits("{y} < {x}")],
        (O::GreaterEqual, _) => &[Fits("{x} >= {y}"), Fits("{y} <= {x}")],
        (O::Divisible(_) | O::IsInt, _) => &[Fits("{x} % {K} == 0")],
        (O::ToInt, _) => &[Fits("{x} / {K} - ({x} % {K} < 0)")],
        (O::Bv2Nat | O::Bv2Int | O::UbvToInt, _) => &[Fits("{x}")],
        (O::SbvToInt, _) => &[Fits("{a}")],
        (O::Int2Bv(_) | O::Nat2Bv(_) | O::IntToBv(_), _) => &[Cut("{x}")],
        _ => vectors::templates(*operator, false),
    }
}

/// The form of an operator on numbers, for these values of the operands and the result.
pub(super) fn form(what: &What, operands: &[Kind], result: Kind, wide: Wide) -> Form {
    let operator = if let What::Apply(operator) = what { Some(*operator) } else { None };
    if operator == Some(Operator::SbvToInt) {
        return signed_reading(operands, result, wide);
    }
    let working = working_type(what, operands, result).unwrap_or(CType::Signed(64));
    let is_negative = matches!(operands.get(1), Some(Kind::Number(interval)) if interval.low < 0);
    let operand_type = |kind: &Kind| match (kind, result) {
        (Kind::Truth, _) => CType::INT,
        (Kind::Number(_), Kind::Vector(width)) => CType::working(width, wide),
        _ => working.clone(),
    };
    let expression_type = match result {
        Kind::Number(_) => working.clone(),
        Kind::Vector(width) => CType::working(width, wide),
        _ => CType::INT,
    };
    let width = result.width();
    Form {
        source: Source::Number {
            operator,
            constant: constant_of(what, operands),
            working: working.clone(),
            is_negative,
        },
        templates: templates(what, is_negative),
        operands: operands.iter().map(|kind| (operand_type(kind), operand_type(kind))).collect(),
        locals: (working.clone(), working),
        has_signed_type: false,
        mask: (width > 0 && width < expression_type.bits())
            .then(|| vectors::constant((1 << width) - 1, &expression_type)),
        returned: if width > 0 { CType::storage(width, wide) } else { expression_type.clone() },
        is_exact: width > 0 && CType::storage(width, wide).bits() == width,
        result: expression_type,
    }
}

/// The form that reads a vector as a signed number.
fn signed_reading(operands: &[Kind], result: Kind, wide: Wide) -> Form {
    let operand = operands.first().copied().unwrap_or(result);
    let of_vectors = vectors::form(Operator::SbvToInt, operands, operand, wide);
    let signed = of_vectors.locals.1.clone();
    Form {
        templates: templates(&What::Apply(Operator::SbvToInt), false),
        mask: None,
        result: signed.clone(),
        returned: signed,
        is_exact: false,
        ..of_vectors
    }
}

/// A number of the least type that holds it.
pub(super) fn number(value: i128) -> String {
    match type_holding(value, value) {
        Some(CType::Signed(32)) if value > i128::from(i32::MIN) => value.to_string(),
        Some(CType::Signed(32)) => format!("(-{} - 1)", i32::MAX),
        _ if value > i128::from(i64::MIN) => format!("{value}LL"),
        _ => format!("(-{}LL - 1)", i64::MAX),
    }
}

/// The interval of the products of two numbers.
pub(super) fn product(left: Interval, right: Interval) -> Option<Interval> {
    corners(left, right, left.denominator.checked_mul(right.denominator)?, i128::checked_mul)
}

/// The interval of the Euclidean quotients. The divisor must not be 0.
pub(super) fn quotient(left: Interval, right: Interval) -> Option<Interval> {
    corners(left, right, 1, i128::checked_div_euclid)
}

/// The interval whose ends are results on the ends of operands, for operators that are monotonic in each operand.
fn corners(
    left: Interval,
    right: Interval,
    denominator: i128,
    apply: impl Fn(i128, i128) -> Option<i128>,
) -> Option<Interval> {
    let mut ends = Vec::new();
    for one in [left.low, left.high] {
        for other in [right.low, right.high] {
            ends.push(apply(one, other)?);
        }
    }
    Some(Interval { low: *ends.iter().min()?, high: *ends.iter().max()?, denominator })
}
