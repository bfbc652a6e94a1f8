//! Operators on numbers, with the reasons why some results are undefined.

use super::stop::{Step, undefined, unsupported};
use super::value::{Scalar, Value};
use crate::analyze::constant;
use crate::syntax::{BinaryOperator, UnaryOperator};
use crate::types::{Type, Types};

/// The result of an operator on two numbers of one type. The right operand of a shift is any integer.
pub(super) fn binary(
    types: &Types,
    operator: BinaryOperator,
    scalar: Scalar,
    left: &Value,
    right: &Value,
) -> Step<Value> {
    match (scalar, left, right) {
        (Scalar::Integer(r#type), ..) => integers(types, operator, r#type, left.integer()?, right.integer()?),
        (Scalar::Float, Value::Float(left), Value::Float(right)) => floats(operator, *left, *right),
        (Scalar::Double, Value::Double(left), Value::Double(right)) => doubles(operator, *left, *right),
        // These are missing or unspecified values, for which the conversion has the words.
        _ => {
            left.real()?;
            right.real()?;
            unsupported("an operator has operands of different types")
        }
    }
}

fn integers(types: &Types, operator: BinaryOperator, r#type: Type, left: i128, right: i128) -> Step<Value> {
    use BinaryOperator as B;
    let result = match operator {
        B::ShiftLeft | B::ShiftRight => return shift(types, operator, r#type, left, right),
        _ => constant::arithmetic(types, operator, left, right, r#type),
    };
    match result {
        Some(value) => Ok(Value::Integer(value)),
        None if matches!(operator, B::Divide | B::Remainder) && right == 0 => undefined("a division by zero"),
        None => undefined("a signed overflow"),
    }
}

fn shift(types: &Types, operator: BinaryOperator, r#type: Type, left: i128, count: i128) -> Step<Value> {
    let bits = types.integer_bits(r#type).map_or(0, i128::from);
    if count < 0 {
        return undefined("a shift by a negative number of bits");
    }
    if count >= bits {
        return undefined("a shift by as many bits as the type has, or more");
    }
    let is_left = operator == BinaryOperator::ShiftLeft;
    if is_left && types.is_signed(r#type) {
        if left < 0 {
            return undefined("a left shift of a negative number");
        }
        let shifted = left.checked_mul(1i128.checked_shl(count as u32).unwrap_or(0));
        if !shifted.is_some_and(|shifted| shifted >= 0 && types.holds(r#type, shifted)) && left != 0 {
            return undefined("a left shift of a signed number that loses bits");
        }
    }
    match constant::shift(types, operator, left, count, r#type) {
        Some(value) => Ok(Value::Integer(value)),
        None => undefined("a shift by too many bits"),
    }
}

fn truth(holds: bool) -> Step<Value> {
    Ok(Value::Integer(i128::from(holds)))
}

/// Defines an operator on one floating type; both types need the same text.
macro_rules! real_operator {
    ($name:ident, $type:ty, $variant:ident) => {
        fn $name(operator: BinaryOperator, left: $type, right: $type) -> Step<Value> {
            use BinaryOperator as B;
            match operator {
                B::Add => Ok(Value::$variant(left + right)),
                B::Subtract => Ok(Value::$variant(left - right)),
                B::Multiply => Ok(Value::$variant(left * right)),
                B::Divide => Ok(Value::$variant(left / right)),
                B::Less => truth(left < right),
                B::Greater => truth(left > right),
                B::LessEqual => truth(left <= right),
                B::GreaterEqual => truth(left >= right),
                B::Equal => truth(left == right),
                B::NotEqual => truth(left != right),
                B::Remainder
                | B::ShiftLeft
                | B::ShiftRight
                | B::BitAnd
                | B::BitXor
                | B::BitOr
                | B::And
                | B::Or => unsupported("an operator on integers has floating-point operands"),
            }
        }
    };
}

real_operator!(floats, f32, Float);
real_operator!(doubles, f64, Double);

/// The result of an operator on one number.
pub(super) fn unary(types: &Types, operator: UnaryOperator, scalar: Scalar, operand: Value) -> Step<Value> {
    match (operator, scalar) {
        (UnaryOperator::Plus, _) => Ok(operand),
        (UnaryOperator::Minus, Scalar::Integer(r#type)) => {
            integers(types, BinaryOperator::Subtract, r#type, 0, operand.integer()?)
        }
        (UnaryOperator::Minus, Scalar::Float | Scalar::Double) => match operand {
            Value::Float(value) => Ok(Value::Float(-value)),
            other => Ok(Value::Double(-other.real()?)),
        },
        (UnaryOperator::Complement, Scalar::Integer(r#type)) => match types.wrap(!operand.integer()?, r#type)
        {
            Some(value) => Ok(Value::Integer(value)),
            None => unsupported("an integer has an incomplete type"),
        },
        _ => unsupported("an operator has an operand of this type"),
    }
}
