//! Functions of the compiler on the bits of integers.

use super::super::stop::{Step, undefined};
use super::super::value::Value;
use super::{LibraryFunction, argument};

/// The rows of a function for `unsigned int`, `unsigned long` and `unsigned long long`.
macro_rules! bit_functions {
    ($($name:literal, $bits:expr, $function:expr;)*) => {
        &[$(
            LibraryFunction {
                name: $name,
                run: |machine, _, site, arguments| {
                    let of = site.arguments.first().and_then(|it| machine.types().integer_bits(*it));
                    let function: fn(u128, u32) -> Step<i128> = $function;
                    let value = argument(arguments, 0)?.integer()?;
                    let bits = of.unwrap_or($bits);
                    let mask = if bits < 128 { (1u128 << bits) - 1 } else { u128::MAX };
                    Ok(Value::Integer(function(value as u128 & mask, bits)?))
                },
            },
        )*]
    };
}

pub(super) const FUNCTIONS: &[LibraryFunction] = bit_functions! {
    "__builtin_popcount", 32, popcount;
    "__builtin_popcountl", 64, popcount;
    "__builtin_popcountll", 64, popcount;
    "__builtin_parity", 32, |value, bits| Ok(popcount(value, bits)? & 1);
    "__builtin_parityl", 64, |value, bits| Ok(popcount(value, bits)? & 1);
    "__builtin_parityll", 64, |value, bits| Ok(popcount(value, bits)? & 1);
    "__builtin_clz", 32, leading_zeros;
    "__builtin_clzl", 64, leading_zeros;
    "__builtin_clzll", 64, leading_zeros;
    "__builtin_ctz", 32, trailing_zeros;
    "__builtin_ctzl", 64, trailing_zeros;
    "__builtin_ctzll", 64, trailing_zeros;
    "__builtin_ffs", 32, first_set;
    "__builtin_ffsl", 64, first_set;
    "__builtin_ffsll", 64, first_set;
    "__builtin_bswap16", 16, swapped;
    "__builtin_bswap32", 32, swapped;
    "__builtin_bswap64", 64, swapped;
};

fn popcount(value: u128, _: u32) -> Step<i128> {
    Ok(i128::from(value.count_ones()))
}

fn leading_zeros(value: u128, bits: u32) -> Step<i128> {
    match value {
        0 => undefined("the leading zeros of zero are counted"),
        _ => Ok(i128::from(value.leading_zeros()) - i128::from(128 - bits)),
    }
}

fn trailing_zeros(value: u128, _: u32) -> Step<i128> {
    match value {
        0 => undefined("the trailing zeros of zero are counted"),
        _ => Ok(i128::from(value.trailing_zeros())),
    }
}

fn first_set(value: u128, _: u32) -> Step<i128> {
    Ok(if value == 0 { 0 } else { i128::from(value.trailing_zeros()) + 1 })
}

fn swapped(value: u128, bits: u32) -> Step<i128> {
    Ok((value.swap_bytes() >> (128 - bits)) as i128)
}
