//! The operators of Ints, Reals and Reals_Ints, exactly.

use crate::evaluate::core_theory::conjunction;
use crate::term::operator::Operator;
use crate::value::Value;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, Zero};

/// Numbers with more bits than this are not computed.
const LONGEST_NUMBER: u64 = 1_000_000;

/// The value of an application to known numbers. Division by zero has none, because the standard leaves it open.
pub(crate) fn apply(operator: Operator, arguments: &[Value]) -> Option<Value> {
    match operator {
        Operator::ToReal => Some(Value::Real(real(arguments.first()?)?)),
        Operator::ToInt => Some(Value::Int(real(arguments.first()?)?.floor().to_integer())),
        Operator::IsInt => Some(Value::Bool(real(arguments.first()?)?.is_integer())),
        Operator::Divide => divide(arguments).map(Value::Real),
        Operator::IntDiv => fold_integers(arguments, |left, right| Some(euclidean(left, right)?.0)),
        Operator::Mod => fold_integers(arguments, |left, right| Some(euclidean(left, right)?.1)),
        Operator::Divisible(divisor) => divisible(arguments, divisor),
        _ => ring(operator, arguments),
    }
}

/// A chain of comparisons: each neighbouring pair must hold.
pub(crate) fn compare(operator: Operator, arguments: &[Option<Value>]) -> Option<Value> {
    let pairs = arguments.windows(2).map(|pair| {
        let ordering = match (pair[0].as_ref()?, pair[1].as_ref()?) {
            (Value::Int(left), Value::Int(right)) => left.cmp(right),
            (left, right) => real(left)?.cmp(&real(right)?),
        };
        match operator {
            Operator::LessEqual => Some(ordering.is_le()),
            Operator::Less => Some(ordering.is_lt()),
            Operator::GreaterEqual => Some(ordering.is_ge()),
            Operator::Greater => Some(ordering.is_gt()),
            _ => None,
        }
    });
    conjunction(pairs).map(Value::Bool)
}

/// Addition, subtraction, multiplication, minus and absolute value: over the reals if one argument is real.
fn ring(operator: Operator, arguments: &[Value]) -> Option<Value> {
    if arguments.iter().all(|argument| matches!(argument, Value::Int(_))) {
        return ring_of_integers(operator, arguments);
    }
    let numbers: Vec<BigRational> = arguments.iter().map(real).collect::<Option<_>>()?;
    let (first, rest) = numbers.split_first()?;
    let step = |left: BigRational, right: &BigRational| {
        let result = match operator {
            Operator::Add => left + right,
            Operator::Subtract => left - right,
            Operator::Multiply => left * right,
            _ => return None,
        };
        (result.numer().bits() + result.denom().bits() <= LONGEST_NUMBER).then_some(result)
    };
    match operator {
        Operator::Negate => Some(Value::Real(-first)),
        Operator::Abs => Some(Value::Real(first.abs())),
        _ => rest.iter().try_fold(first.clone(), step).map(Value::Real),
    }
}

fn ring_of_integers(operator: Operator, arguments: &[Value]) -> Option<Value> {
    match operator {
        Operator::Negate => integer(arguments.first()?).map(|number| Value::Int(-number)),
        Operator::Abs => Some(Value::Int(integer(arguments.first()?)?.abs())),
        Operator::Add => fold_integers(arguments, |left, right| Some(left + right)),
        Operator::Subtract => fold_integers(arguments, |left, right| Some(left - right)),
        Operator::Multiply => fold_integers(arguments, |left, right| {
            (left.bits() + right.bits() <= LONGEST_NUMBER).then(|| left * right)
        }),
        _ => None,
    }
}

/// Applies a left-associative operator.
fn fold_integers(arguments: &[Value], step: impl Fn(&BigInt, &BigInt) -> Option<BigInt>) -> Option<Value> {
    let (first, rest) = arguments.split_first()?;
    let mut result = integer(first)?.clone();
    for argument in rest {
        result = step(&result, integer(argument)?)?;
    }
    Some(Value::Int(result))
}

/// The quotient and the remainder that is at least 0 and below the divisor's absolute value.
fn euclidean(dividend: &BigInt, divisor: &BigInt) -> Option<(BigInt, BigInt)> {
    if divisor.is_zero() {
        return None;
    }
    let remainder = dividend.mod_floor(&divisor.abs());
    Some(((dividend - &remainder) / divisor, remainder))
}

fn divide(arguments: &[Value]) -> Option<BigRational> {
    let (first, rest) = arguments.split_first()?;
    let mut result = real(first)?;
    for argument in rest {
        let divisor = real(argument)?;
        if divisor.is_zero() {
            return None;
        }
        result /= divisor;
    }
    (result.numer().bits() + result.denom().bits() <= LONGEST_NUMBER).then_some(result)
}

fn divisible(arguments: &[Value], divisor: u32) -> Option<Value> {
    if divisor == 0 {
        return None;
    }
    Some(Value::Bool((integer(arguments.first()?)? % divisor).is_zero()))
}

fn integer(value: &Value) -> Option<&BigInt> {
    match value {
        Value::Int(value) => Some(value),
        _ => None,
    }
}

fn real(value: &Value) -> Option<BigRational> {
    match value {
        Value::Int(value) => Some(BigRational::from_integer(value.clone())),
        Value::Real(value) => Some(value.clone()),
        _ => None,
    }
}
