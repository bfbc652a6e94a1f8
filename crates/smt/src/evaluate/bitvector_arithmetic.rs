//! Arithmetic on bit-vectors, as natural numbers below 2^width, after the theory FixedSizeBitVectors.
//!
//! Every function expects operands below 2^width and returns a number below 2^width.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

/// The number 2^width.
pub(crate) fn modulus(width: u32) -> BigUint {
    BigUint::one() << width
}

/// The vector whose bits are all one.
pub(crate) fn all_ones(width: u32) -> BigUint {
    modulus(width) - BigUint::one()
}

/// The vector with only the sign bit set: the least signed number.
pub(crate) fn sign_bit(width: u32) -> BigUint {
    BigUint::one() << width.saturating_sub(1)
}

/// Whether the most significant bit is one.
pub(crate) fn is_negative(width: u32, bits: &BigUint) -> bool {
    width > 0 && bits.bit(u64::from(width) - 1)
}

/// The two's complement reading of the vector.
pub(crate) fn signed(width: u32, bits: &BigUint) -> BigInt {
    let number = BigInt::from(bits.clone());
    if is_negative(width, bits) { number - BigInt::from(modulus(width)) } else { number }
}

/// The vector of an integer modulo 2^width.
pub(crate) fn truncate(width: u32, number: &BigInt) -> BigUint {
    number.mod_floor(&BigInt::from(modulus(width))).magnitude().clone()
}

/// The lowest bits of a natural number.
pub(crate) fn truncate_natural(width: u32, number: BigUint) -> BigUint {
    if number.bits() <= u64::from(width) { number } else { number & all_ones(width) }
}

pub(crate) fn complement(width: u32, bits: &BigUint) -> BigUint {
    all_ones(width) ^ bits
}

pub(crate) fn negate(width: u32, bits: &BigUint) -> BigUint {
    if bits.is_zero() { BigUint::zero() } else { modulus(width) - bits }
}

pub(crate) fn add(width: u32, left: &BigUint, right: &BigUint) -> BigUint {
    truncate_natural(width, left + right)
}

pub(crate) fn subtract(width: u32, left: &BigUint, right: &BigUint) -> BigUint {
    add(width, left, &negate(width, right))
}

pub(crate) fn multiply(width: u32, left: &BigUint, right: &BigUint) -> BigUint {
    truncate_natural(width, left * right)
}

/// Division by zero gives all ones.
pub(crate) fn unsigned_divide(width: u32, left: &BigUint, right: &BigUint) -> BigUint {
    if right.is_zero() { all_ones(width) } else { left / right }
}

/// The remainder by zero is the dividend.
pub(crate) fn unsigned_remainder(left: &BigUint, right: &BigUint) -> BigUint {
    if right.is_zero() { left.clone() } else { left % right }
}

/// The absolute value, read as an unsigned number; that of the least number is itself.
fn absolute(width: u32, bits: &BigUint) -> BigUint {
    if is_negative(width, bits) { negate(width, bits) } else { bits.clone() }
}

fn negate_if(width: u32, condition: bool, bits: BigUint) -> BigUint {
    if condition { negate(width, &bits) } else { bits }
}

pub(crate) fn signed_divide(width: u32, left: &BigUint, right: &BigUint) -> BigUint {
    let quotient = unsigned_divide(width, &absolute(width, left), &absolute(width, right));
    negate_if(width, is_negative(width, left) != is_negative(width, right), quotient)
}

/// The remainder with the sign of the dividend.
pub(crate) fn signed_remainder(width: u32, left: &BigUint, right: &BigUint) -> BigUint {
    let remainder = unsigned_remainder(&absolute(width, left), &absolute(width, right));
    negate_if(width, is_negative(width, left), remainder)
}

/// The remainder with the sign of the divisor.
pub(crate) fn signed_modulo(width: u32, left: &BigUint, right: &BigUint) -> BigUint {
    let remainder = unsigned_remainder(&absolute(width, left), &absolute(width, right));
    if remainder.is_zero() {
        return remainder;
    }
    match (is_negative(width, left), is_negative(width, right)) {
        (false, false) => remainder,
        (true, false) => add(width, &negate(width, &remainder), right),
        (false, true) => add(width, &remainder, right),
        (true, true) => negate(width, &remainder),
    }
}

/// The distance of a shift, or none when it is the width or more.
fn distance(width: u32, bits: &BigUint) -> Option<u32> {
    bits.to_u32().filter(|distance| *distance < width)
}

pub(crate) fn shift_left(width: u32, left: &BigUint, right: &BigUint) -> BigUint {
    match distance(width, right) {
        Some(distance) => truncate_natural(width, left << distance),
        None => BigUint::zero(),
    }
}

pub(crate) fn shift_right(width: u32, left: &BigUint, right: &BigUint) -> BigUint {
    match distance(width, right) {
        Some(distance) => left >> distance,
        None => BigUint::zero(),
    }
}

/// Shifts copies of the sign bit in.
pub(crate) fn shift_right_signed(width: u32, left: &BigUint, right: &BigUint) -> BigUint {
    if is_negative(width, left) {
        complement(width, &shift_right(width, &complement(width, left), right))
    } else {
        shift_right(width, left, right)
    }
}

/// The bits `low..=high`.
pub(crate) fn extract(high: u32, low: u32, bits: &BigUint) -> BigUint {
    truncate_natural(high - low + 1, bits >> low)
}

pub(crate) fn concatenate(high: &BigUint, low_width: u32, low: &BigUint) -> BigUint {
    (high << low_width) | low
}

pub(crate) fn sign_extend(width: u32, extra: u32, bits: &BigUint) -> BigUint {
    if is_negative(width, bits) { (all_ones(extra) << width) | bits } else { bits.clone() }
}

/// Rotates to the left by a distance of any size, which counts modulo the width.
pub(crate) fn rotate_left(width: u32, bits: &BigUint, distance: &BigUint) -> BigUint {
    let distance = (distance % width.max(1)).to_u32().unwrap_or(0);
    if distance == 0 {
        return bits.clone();
    }
    truncate_natural(width, bits << distance) | (bits >> (width - distance))
}

pub(crate) fn rotate_right(width: u32, bits: &BigUint, distance: &BigUint) -> BigUint {
    let distance = distance % width.max(1);
    rotate_left(width, bits, &(BigUint::from(width) - distance))
}

/// Whether an integer is no two's complement number of this width.
pub(crate) fn exceeds_signed(width: u32, number: &BigInt) -> bool {
    let limit = BigInt::from(sign_bit(width));
    match number.sign() {
        Sign::Minus => -number > limit,
        _ => *number >= limit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second definition of each operator, on machine integers, written from its meaning instead of the
    /// abbreviations in the standard.
    fn check(width: u32, name: &str, left: u128, right: u128, ours: &BigUint, expected: i128) {
        let expected = expected.rem_euclid(1 << width);
        assert_eq!(ours.to_u128(), Some(expected as u128), "{name} {left} {right} at width {width}");
    }

    fn as_signed(width: u32, bits: u128) -> i128 {
        if bits >> (width - 1) == 1 { bits as i128 - (1 << width) } else { bits as i128 }
    }

    #[test]
    fn every_pair_of_small_vectors_agrees_with_machine_integers() {
        for width in 1..=5u32 {
            for left in 0..1u128 << width {
                for right in 0..1u128 << width {
                    check_pair(width, left, right);
                }
            }
        }
    }

    fn check_pair(width: u32, left: u128, right: u128) {
        let (a, b) = (BigUint::from(left), BigUint::from(right));
        let (u, v) = (left as i128, right as i128);
        let (s, t) = (as_signed(width, left), as_signed(width, right));
        let rows: Vec<(&str, BigUint, i128)> = vec![
            ("bvadd", add(width, &a, &b), u + v),
            ("bvsub", subtract(width, &a, &b), u - v),
            ("bvmul", multiply(width, &a, &b), u * v),
            ("bvneg", negate(width, &a), -u),
            ("bvnot", complement(width, &a), -u - 1),
            ("bvudiv", unsigned_divide(width, &a, &b), if v == 0 { -1 } else { u / v }),
            ("bvurem", unsigned_remainder(&a, &b), if v == 0 { u } else { u % v }),
            ("bvsdiv", signed_divide(width, &a, &b), truncated_quotient(s, t)),
            ("bvsrem", signed_remainder(width, &a, &b), if t == 0 { s } else { s % t }),
            ("bvsmod", signed_modulo(width, &a, &b), floored_remainder(s, t)),
            ("bvshl", shift_left(width, &a, &b), if v >= width as i128 { 0 } else { u << v }),
            ("bvlshr", shift_right(width, &a, &b), if v >= width as i128 { 0 } else { u >> v }),
            ("bvashr", shift_right_signed(width, &a, &b), s >> v.min(100)),
            ("rotate_left", rotate_left(width, &a, &b), rotated(width, u, v % width as i128)),
            ("rotate_right", rotate_right(width, &a, &b), rotated(width, u, -v)),
            ("sign_extend", truncate(width, &signed(width + 3, &sign_extend(width, 3, &a))), s),
        ];
        for (name, ours, expected) in rows {
            check(width, name, left, right, &ours, expected);
        }
        for number in [s + t, s - t, s * t, -s] {
            let fits = (-(1i128 << (width - 1))..1 << (width - 1)).contains(&number);
            assert_eq!(exceeds_signed(width, &BigInt::from(number)), !fits, "{number} at width {width}");
        }
    }

    fn truncated_quotient(s: i128, t: i128) -> i128 {
        match t {
            0 if s >= 0 => -1,
            0 => 1,
            _ => s / t,
        }
    }

    fn floored_remainder(s: i128, t: i128) -> i128 {
        if t == 0 { s } else { s.mod_floor(&t) }
    }

    fn rotated(width: u32, bits: i128, distance: i128) -> i128 {
        let mut result = 0;
        for index in 0..width as i128 {
            let target = (index + distance).rem_euclid(width as i128);
            result |= ((bits >> index) & 1) << target;
        }
        result
    }

    #[test]
    fn parts_of_wide_vectors() {
        let number = BigUint::from(0xABCDu32);
        assert_eq!(extract(11, 4, &number), BigUint::from(0xBCu32));
        assert_eq!(concatenate(&BigUint::from(0xABu32), 8, &BigUint::from(0xCDu32)), number);
        assert_eq!(sign_extend(16, 4, &number), BigUint::from(0xFABCDu32));
        assert_eq!(signed(16, &number), BigInt::from(0xABCD - 0x10000));
        assert_eq!(truncate(8, &BigInt::from(-1)), BigUint::from(255u32));
    }
}
