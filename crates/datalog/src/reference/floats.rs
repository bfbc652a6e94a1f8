//! Which floats are the same for every engine.
//!
//! Some engines have floats of 32 bits, as Soufflé does unless it is built otherwise, and print the digits of those. And
//! engines may compare floats by their values in conditions but by their bits where they look rows up, and which of both
//! happens is the affair of their planners: so `0.0 = -0.0` may hold or not.

use super::rows::Word;
use crate::program::Operator;

/// True if a float has the same value with 32 bits, and no other float is equal to it.
pub fn is_safe(value: f64) -> bool {
    let is_negative_zero = value == 0.0 && value.is_sign_negative();
    value.is_finite() && f64::from(value as f32).to_bits() == value.to_bits() && !is_negative_zero
}

/// The value of an operation; none if engines may have different ones. Between safe floats one operation that gives a
/// safe one is rounded to the same value with 32 bits as with 64.
pub fn apply(operator: Operator, left: Word, right: Word) -> Option<Word> {
    let (left, right) = (value(left), value(right));
    let value = match operator {
        Operator::Add => left + right,
        Operator::Subtract | Operator::Negate => left - right,
        Operator::Multiply => left * right,
        Operator::Divide => left / right,
        Operator::Remainder => return None,
        Operator::Minimum => left.min(right),
        Operator::Maximum => left.max(right),
    };
    is_safe(value).then(|| value.to_bits().cast_signed())
}

/// The float of a word.
pub fn value(word: Word) -> f64 {
    f64::from_bits(word.cast_unsigned())
}

/// Whether a sum is the same in whatever order its terms are added.
#[derive(Default)]
pub struct Sum {
    size: f64,
}

impl Sum {
    /// Takes a term; false if some order of adding might round. All sums of such terms have less than 24 binary digits.
    pub fn takes(&mut self, term: Word) -> bool {
        let term = value(term);
        self.size += term.abs();
        (term * 256.0).fract() == 0.0 && self.size < 32_768.0
    }
}
