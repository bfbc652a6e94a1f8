//! Expressions at the end of the text, and small changes to them: parentheses, casts, masks.

use super::Generator;
use super::feature::Feature;
use super::interval::Interval;
use super::types::Scalar;

/// An expression of integer type that was just written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) scalar: Scalar,
    /// The values that it can have.
    pub(super) range: Interval,
    /// Whether zero is excluded, even if the range holds it.
    pub(super) is_nonzero: bool,
    /// Where its text starts.
    pub(super) start: usize,
    /// Whether it can be an operand without parentheses.
    pub(super) is_tight: bool,
}

impl Value {
    pub(super) fn tight(scalar: Scalar, range: Interval, start: usize) -> Value {
        Value { scalar, range, is_nonzero: false, start, is_tight: true }
    }

    pub(super) fn loose(scalar: Scalar, range: Interval, start: usize) -> Value {
        Value { is_tight: false, ..Value::tight(scalar, range, start) }
    }

    pub(super) fn excludes_zero(&self) -> bool {
        self.is_nonzero || !self.range.contains(0)
    }
}

/// The greatest number of the form 2ⁿ - 1 that is at most `limit`.
pub(super) fn mask_below(limit: i128) -> i128 {
    let mut mask = 1;
    while mask * 2 < limit {
        mask = mask * 2 + 1;
    }
    mask
}

impl Generator<'_> {
    /// Puts parentheses around the value at the end of the text, if it needs them as an operand.
    pub(super) fn tighten(&mut self, value: Value) -> Value {
        if !value.is_tight {
            self.text.insert(value.start, "(");
            self.text.push(")");
        }
        Value { is_tight: true, ..value }
    }

    /// Casts the value at the end of the text.
    pub(super) fn cast(&mut self, value: Value, to: Scalar) -> Value {
        let value = self.tighten(value);
        self.insert_cast(value.start, to);
        Value::tight(to, to.convert(value.range), value.start)
    }

    /// Writes a cast before the operand at `offset`; returns how many bytes that took.
    pub(super) fn insert_cast(&mut self, offset: usize, to: Scalar) -> usize {
        self.text.insert(offset, ")");
        self.text.insert(offset, to.text());
        self.text.insert(offset, "(");
        to.text().len() + 2
    }

    /// Masks the value at the end of the text.
    pub(super) fn mask(&mut self, value: Value, mask: i128) -> Value {
        let value = self.tighten(value);
        self.text.push(" & ");
        self.text.literal(mask, Scalar::Int);
        let range = value.range.and(Interval::new(0, mask));
        Value::loose(value.scalar.promoted(), range, value.start)
    }

    /// Adjusts the value at the end of the text to the range of a variable, parameter or result.
    pub(super) fn fit(&mut self, value: Value, scalar: Scalar, range: Interval) -> Value {
        if value.range.is_inside(range) || range == scalar.range() {
            return value;
        }
        if range.low > 0 {
            let masked = self.mask(value, mask_below(range.high - range.low));
            let masked = self.tighten(masked);
            self.text.push(" + ");
            self.text.literal(range.low, Scalar::Int);
            return Value::loose(masked.scalar, masked.range.add(Interval::exactly(range.low)), masked.start);
        }
        let promoted = value.scalar.promoted();
        let has_division = self.has(Feature::Division);
        if has_division && promoted.is_signed() && range.low < 0 && self.random.coin() {
            return self.reduce(value, range.high.min(-range.low) + 1);
        }
        if has_division && value.range.low >= 0 && self.random.coin() {
            return self.reduce(value, range.high + 1);
        }
        self.mask(value, mask_below(range.high))
    }

    /// Takes the remainder of the value at the end of the text by a small positive number.
    fn reduce(&mut self, value: Value, divisor: i128) -> Value {
        let value = self.tighten(value);
        let promoted = value.scalar.promoted();
        self.text.push(" % ");
        self.text.literal(divisor, promoted);
        let range = value.range.remainder(Interval::exactly(divisor));
        Value::loose(promoted, range, value.start)
    }
}
