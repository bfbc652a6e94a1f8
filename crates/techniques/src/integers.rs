//! Integers to compare with: the constants that a program mentions, the bounds of types, and random ones.

use c::{ConstantValue, Program};
use model::Random;
use std::collections::BTreeSet;

/// The constants of a program, integers and floating values, each once, in rising order.
pub(crate) fn constants(program: &Program) -> (Vec<i128>, Vec<f64>) {
    let (mut integers, mut reals) = (BTreeSet::new(), BTreeSet::new());
    for occurrence in c::constants(program) {
        match occurrence.value {
            ConstantValue::Integer(value) => drop(integers.insert(value)),
            ConstantValue::Real(value) => drop(reals.insert(value.to_bits())),
        }
    }
    (integers.into_iter().collect(), reals.into_iter().map(f64::from_bits).collect())
}

/// The least and the greatest value of an integer type of 1 to 64 bits.
pub(crate) fn bounds(bits: u32, signed: bool) -> (i128, i128) {
    match signed {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    }
}

/// A number of at most `bits` bits whose length is uniform, so that small and large ones are equally likely.
pub(crate) fn uniform_length(bits: u32, random: &mut Random) -> i128 {
    let length = random.below(bits as usize + 1) as u32;
    i128::from(random.word()) & ((1i128 << length) - 1)
}
