//! Portable floats: those that all engines compute alike.
//!
//! Some engines have floats of 32 bits, as Soufflé has by default, and print their digits. Engines may also compare
//! floats by value in conditions but by their bits in index lookups, and the choice is up to their planners: `0.0 = -0.0`
//! may or may not hold.

use super::rows::Word;
use crate::program::Operator;

/// Returns true if a float has the same value in 32 bits, and no other float is equal to it.
pub fn is_portable(value: f64) -> bool {
    let is_negative_zero = value == 0.0 && value.is_sign_negative();
    value.is_finite() && f64::from(value as f32).to_bits() == value.to_bits() && !is_negative_zero
}

/// Returns the value of an operation, or `None` if it is not portable.
///
/// If the operands and the result are portable, 32 and 64 bits give the same result.
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
    is_portable(value).then(|| value.to_bits().cast_signed())
}

/// Returns the float that a word holds.
pub fn value(word: Word) -> f64 {
    f64::from_bits(word.cast_unsigned())
}

/// Checks that a sum does not depend on the order of its terms.
#[derive(Default)]
pub struct OrderCheck {
    size: f64,
}

impl OrderCheck {
    /// Adds a term. Returns false if some order of addition might round.
    ///
    /// Otherwise every partial sum has fewer than 24 binary digits, so it is exact.
    pub fn add(&mut self, term: Word) -> bool {
        let term = value(term);
        self.size += term.abs();
        (term * 256.0).fract() == 0.0 && self.size < 32_768.0
    }
}
