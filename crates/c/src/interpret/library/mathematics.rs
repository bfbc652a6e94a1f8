//! Functions on numbers whose results are exact.

use super::super::code::CallSite;
use super::super::machine::Machine;
use super::super::stop::{Step, undefined, unsupported};
use super::super::value::{Scalar, Value};
use super::{LibraryFunction, argument, result_type};
use crate::syntax::EntityId;

/// Declares functions of the mathematical library, one row each.
macro_rules! real_functions {
    ($($name:literal, $short:literal, $function:expr;)*) => {
        &[$(
            LibraryFunction {
                name: $name,
                run: |machine, entity, _, arguments| real(machine, entity, arguments, $function),
            },
            LibraryFunction {
                name: $short,
                run: |machine, entity, _, arguments| real(machine, entity, arguments, $function),
            },
        )*
        LibraryFunction { name: "abs", run: abs },
        LibraryFunction { name: "labs", run: abs },
        LibraryFunction { name: "llabs", run: abs },
        LibraryFunction { name: "isnan", run: |_, _, _, arguments| classified(arguments, f64::is_nan) },
        LibraryFunction { name: "__isnan", run: |_, _, _, arguments| classified(arguments, f64::is_nan) },
        LibraryFunction { name: "__isnanf", run: |_, _, _, arguments| classified(arguments, f64::is_nan) },
        LibraryFunction { name: "isfinite", run: |_, _, _, arguments| classified(arguments, f64::is_finite) },
        LibraryFunction { name: "isinf_sign", run: infinite },
        LibraryFunction { name: "isinf", run: infinite },
        LibraryFunction { name: "__isinf", run: infinite },
        LibraryFunction { name: "__isinff", run: infinite },
        LibraryFunction { name: "signbit", run: sign_bit },
        LibraryFunction { name: "signbitf", run: sign_bit },
        LibraryFunction { name: "__signbit", run: sign_bit },
        LibraryFunction { name: "__signbitf", run: sign_bit },
        LibraryFunction { name: "inf", run: |_, _, _, _| Ok(Value::Double(f64::INFINITY)) },
        LibraryFunction { name: "huge_val", run: |_, _, _, _| Ok(Value::Double(f64::INFINITY)) },
        LibraryFunction { name: "inff", run: |_, _, _, _| Ok(Value::Float(f32::INFINITY)) },
        LibraryFunction { name: "huge_valf", run: |_, _, _, _| Ok(Value::Float(f32::INFINITY)) },
        LibraryFunction { name: "nan", run: |_, _, _, _| Ok(Value::Double(f64::NAN)) },
        LibraryFunction { name: "nanf", run: |_, _, _, _| Ok(Value::Float(f32::NAN)) },
        ]
    };
}

pub(super) const FUNCTIONS: &[LibraryFunction] = real_functions! {
    "fabs", "fabsf", |arguments| Ok(first(arguments)?.abs());
    "floor", "floorf", |arguments| Ok(first(arguments)?.floor());
    "ceil", "ceilf", |arguments| Ok(first(arguments)?.ceil());
    "trunc", "truncf", |arguments| Ok(first(arguments)?.trunc());
    "round", "roundf", |arguments| Ok(first(arguments)?.round());
    "rint", "rintf", |arguments| Ok(first(arguments)?.round_ties_even());
    "nearbyint", "nearbyintf", |arguments| Ok(first(arguments)?.round_ties_even());
    "sqrt", "sqrtf", |arguments| Ok(first(arguments)?.sqrt());
    "fmod", "fmodf", |arguments| Ok(first(arguments)? % second(arguments)?);
    "fmin", "fminf", |arguments| extreme(first(arguments)?, second(arguments)?, f64::min);
    "fmax", "fmaxf", |arguments| extreme(first(arguments)?, second(arguments)?, f64::max);
    "copysign", "copysignf", |arguments| {
        let (value, sign) = (first(arguments)?, second(arguments)?);
        if sign.is_nan() { unsupported("the sign of a value that is not a number") } else { Ok(value.copysign(sign)) }
    };
};

fn first(arguments: &[Value]) -> Step<f64> {
    argument(arguments, 0)?.real()
}

fn second(arguments: &[Value]) -> Step<f64> {
    argument(arguments, 1)?.real()
}

/// The smaller or greater of two values. Which zero it is, is not fixed.
fn extreme(left: f64, right: f64, choose: fn(f64, f64) -> f64) -> Step<f64> {
    if left == 0.0 && right == 0.0 && left.is_sign_negative() != right.is_sign_negative() {
        return unsupported("which of two zeros is smaller is not fixed");
    }
    Ok(choose(left, right))
}

/// A function on `float` or `double`. Computed in `double`, these results are exact for `float`, too: a square root is
/// correctly rounded twice without a difference, and the others are exact.
fn real(
    machine: &Machine<'_>,
    entity: EntityId,
    arguments: &[Value],
    function: fn(&[Value]) -> Step<f64>,
) -> Step<Value> {
    let value = function(arguments)?;
    match Scalar::of(machine.types(), result_type(machine, entity))? {
        Scalar::Float => Ok(Value::Float(value as f32)),
        Scalar::Double => Ok(Value::Double(value)),
        _ => unsupported("a function on floating-point values is declared with another type"),
    }
}

fn classified(arguments: &[Value], is: fn(f64) -> bool) -> Step<Value> {
    Ok(Value::Integer(i128::from(is(first(arguments)?))))
}

/// Positive or negative infinity, as 1 or -1.
fn infinite(_: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    let value = first(arguments)?;
    Ok(Value::Integer(match value.is_infinite() {
        true if value < 0.0 => -1,
        is_infinite => i128::from(is_infinite),
    }))
}

fn sign_bit(_: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    let value = first(arguments)?;
    if value.is_nan() {
        return unsupported("the sign of a value that is not a number");
    }
    // The library returns any number that is not zero.
    if value.is_sign_negative() { Ok(Value::Integer(1)) } else { Ok(Value::Integer(0)) }
}

fn abs(machine: &mut Machine<'_>, entity: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    let value = argument(arguments, 0)?.integer()?.abs();
    if !machine.types().holds(result_type(machine, entity), value) {
        return undefined("the absolute value does not fit");
    }
    Ok(Value::Integer(value))
}
