//! The operators of FixedSizeBitVectors, of QF_BV and of solvers' extensions, on known values.

use crate::evaluate::bitvector_arithmetic as arithmetic;
use crate::term::operator::Operator;
use crate::value::Value;
use crate::value::domain::WIDEST_BITVECTOR;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// The value of an application of a bit-vector operator.
pub(crate) fn apply(operator: Operator, arguments: &[Value]) -> Option<Value> {
    match (operator, arguments) {
        (Operator::Int2Bv(width) | Operator::IntToBv(width), [Value::Int(number)]) => {
            vector(u64::from(width), || arithmetic::truncate(width, number))
        }
        // The operand is a natural number by definition, and solvers need not agree on a negative one.
        (Operator::Nat2Bv(width), [Value::Int(number)]) if *number >= BigInt::zero() => {
            vector(u64::from(width), || arithmetic::truncate(width, number))
        }
        (_, [Value::BitVec { width, bits }]) => unary(operator, *width, bits),
        (_, [Value::BitVec { width, bits: left }, Value::BitVec { width: right_width, bits: right }]) => {
            match operator {
                Operator::Concat => concat(arguments),
                _ if width == right_width => binary(operator, *width, left, right),
                _ => None,
            }
        }
        (Operator::Concat, _) => concat(arguments),
        _ => many(operator, arguments),
    }
}

/// A vector of a width that may be too large. The bits are computed only if it is not.
fn vector(width: u64, bits: impl FnOnce() -> BigUint) -> Option<Value> {
    let width = u32::try_from(width).ok().filter(|width| (1..=WIDEST_BITVECTOR).contains(width))?;
    Some(Value::BitVec { width, bits: bits() })
}

fn bit(value: bool) -> Option<Value> {
    Some(Value::BitVec { width: 1, bits: if value { BigUint::one() } else { BigUint::zero() } })
}

fn unary(operator: Operator, width: u32, bits: &BigUint) -> Option<Value> {
    let same = |bits: BigUint| Some(Value::BitVec { width, bits });
    let wider = |extra: u32| u64::from(width) + u64::from(extra);
    match operator {
        Operator::BvNot => same(arithmetic::complement(width, bits)),
        Operator::BvNeg => same(arithmetic::negate(width, bits)),
        Operator::RotateLeft(distance) => same(arithmetic::rotate_left(width, bits, &distance.into())),
        Operator::RotateRight(distance) => same(arithmetic::rotate_right(width, bits, &distance.into())),
        Operator::ZeroExtend(extra) => vector(wider(extra), || bits.clone()),
        Operator::SignExtend(extra) => vector(wider(extra), || arithmetic::sign_extend(width, extra, bits)),
        Operator::Extract { high, low } if low <= high && high < width => {
            vector(u64::from(high - low) + 1, || arithmetic::extract(high, low, bits))
        }
        Operator::Repeat(times) if times > 0 => {
            vector(u64::from(width) * u64::from(times), || repeat(width, times, bits))
        }
        Operator::BvRedOr => bit(!bits.is_zero()),
        Operator::BvRedAnd => bit(*bits == arithmetic::all_ones(width)),
        Operator::BvNego => Some(Value::Bool(*bits == arithmetic::sign_bit(width))),
        Operator::Bv2Nat | Operator::Bv2Int | Operator::UbvToInt => Some(Value::Int(bits.clone().into())),
        Operator::SbvToInt => Some(Value::Int(arithmetic::signed(width, bits))),
        _ => None,
    }
}

/// The vector `times` times in a row, by doubling.
fn repeat(width: u32, times: u32, bits: &BigUint) -> BigUint {
    let mut result = BigUint::zero();
    let (mut block, mut block_width, mut left) = (bits.clone(), width, times);
    while left > 0 {
        if left & 1 == 1 {
            result = arithmetic::concatenate(&result, block_width, &block);
        }
        left >>= 1;
        if left > 0 {
            block = arithmetic::concatenate(&block, block_width, &block);
            block_width *= 2;
        }
    }
    result
}

fn binary(operator: Operator, width: u32, left: &BigUint, right: &BigUint) -> Option<Value> {
    if let Some(holds) = predicate(operator, width, left, right) {
        return Some(Value::Bool(holds));
    }
    let not = |bits: BigUint| arithmetic::complement(width, &bits);
    let bits = match operator {
        Operator::BvNand => not(left & right),
        Operator::BvNor => not(left | right),
        Operator::BvXnor => not(left ^ right),
        Operator::BvSub => arithmetic::subtract(width, left, right),
        Operator::BvUdiv => arithmetic::unsigned_divide(width, left, right),
        Operator::BvUrem => arithmetic::unsigned_remainder(left, right),
        Operator::BvSdiv => arithmetic::signed_divide(width, left, right),
        Operator::BvSrem => arithmetic::signed_remainder(width, left, right),
        Operator::BvSmod => arithmetic::signed_modulo(width, left, right),
        Operator::BvShl => arithmetic::shift_left(width, left, right),
        Operator::BvLshr => arithmetic::shift_right(width, left, right),
        Operator::BvAshr => arithmetic::shift_right_signed(width, left, right),
        Operator::ExtRotateLeft => arithmetic::rotate_left(width, left, right),
        Operator::ExtRotateRight => arithmetic::rotate_right(width, left, right),
        Operator::BvComp => return bit(left == right),
        _ => associative(operator, width, left, right)?,
    };
    Some(Value::BitVec { width, bits })
}

/// The operators that take any number of arguments. The others have exactly two by the standard, and solvers differ on
/// the meaning of more.
fn associative(operator: Operator, width: u32, left: &BigUint, right: &BigUint) -> Option<BigUint> {
    match operator {
        Operator::BvAnd => Some(left & right),
        Operator::BvOr => Some(left | right),
        Operator::BvXor => Some(left ^ right),
        Operator::BvAdd => Some(arithmetic::add(width, left, right)),
        Operator::BvMul => Some(arithmetic::multiply(width, left, right)),
        _ => None,
    }
}

fn many(operator: Operator, arguments: &[Value]) -> Option<Value> {
    let (Value::BitVec { width, bits }, rest) = arguments.split_first()? else { return None };
    let mut result = bits.clone();
    for argument in rest {
        match argument {
            Value::BitVec { width: other, bits } if other == width => {
                result = associative(operator, *width, &result, bits)?;
            }
            _ => return None,
        }
    }
    Some(Value::BitVec { width: *width, bits: result })
}

fn concat(arguments: &[Value]) -> Option<Value> {
    let mut total = 0u64;
    let mut result = BigUint::zero();
    for argument in arguments {
        let Value::BitVec { width, bits } = argument else { return None };
        total += u64::from(*width);
        if total > u64::from(WIDEST_BITVECTOR) {
            return None;
        }
        result = arithmetic::concatenate(&result, *width, bits);
    }
    vector(total, || result)
}

fn predicate(operator: Operator, width: u32, left: &BigUint, right: &BigUint) -> Option<bool> {
    let signed = |bits: &BigUint| arithmetic::signed(width, bits);
    let exceeds = |number: &BigInt| arithmetic::exceeds_signed(width, number);
    Some(match operator {
        Operator::BvUlt => left < right,
        Operator::BvUle => left <= right,
        Operator::BvUgt => left > right,
        Operator::BvUge => left >= right,
        Operator::BvSlt => signed(left) < signed(right),
        Operator::BvSle => signed(left) <= signed(right),
        Operator::BvSgt => signed(left) > signed(right),
        Operator::BvSge => signed(left) >= signed(right),
        Operator::BvUaddo => left + right >= arithmetic::modulus(width),
        Operator::BvSaddo => exceeds(&(signed(left) + signed(right))),
        Operator::BvUmulo => left * right >= arithmetic::modulus(width),
        Operator::BvSmulo => exceeds(&(signed(left) * signed(right))),
        Operator::BvUsubo => left < right,
        Operator::BvSsubo => exceeds(&(signed(left) - signed(right))),
        Operator::BvSdivo => *left == arithmetic::sign_bit(width) && *right == arithmetic::all_ones(width),
        _ => return None,
    })
}
