//! Binary operators. The operands are written first, then an operator is drawn, and the text is adjusted until no value
//! of the operands makes it undefined.

use super::Generator;
use super::feature::Feature;
use super::interval::Interval;
use super::types::Scalar;
use super::value::Value;

/// A binary operator on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    Unequal,
    LogicalAnd,
    LogicalOr,
}

use Operator as O;

impl Operator {
    pub(super) fn text(self) -> &'static str {
        match self {
            O::Add => "+",
            O::Subtract => "-",
            O::Multiply => "*",
            O::Divide => "/",
            O::Remainder => "%",
            O::ShiftLeft => "<<",
            O::ShiftRight => ">>",
            O::And => "&",
            O::Or => "|",
            O::Xor => "^",
            O::Less => "<",
            O::Greater => ">",
            O::LessEqual => "<=",
            O::GreaterEqual => ">=",
            O::Equal => "==",
            O::Unequal => "!=",
            O::LogicalAnd => "&&",
            O::LogicalOr => "||",
        }
    }

    /// The values of a sum, difference or product, regardless of a type.
    pub(super) fn exact(self, left: Interval, right: Interval) -> Interval {
        match self {
            O::Add => left.add(right),
            O::Subtract => left.subtract(right),
            _ => left.multiply(right),
        }
    }
}

/// The comparisons.
pub(super) const COMPARISONS: [Operator; 6] =
    [O::Less, O::Greater, O::LessEqual, O::GreaterEqual, O::Equal, O::Unequal];

/// Two operands at the end of the text, with ` + ` between them until the operator is known.
#[derive(Clone, Copy, Debug)]
struct Pair {
    left: Value,
    left_end: usize,
    right: Value,
    /// Whether both can be written twice: neither has an effect.
    is_pure: bool,
}

impl Generator<'_> {
    pub(super) fn binary(&mut self, depth: u32) -> Value {
        let effects = self.full.effects;
        let left = self.operand(depth - 1);
        let left_end = self.text.end();
        self.text.push(" + ");
        // Two constants would make one.
        let is_constant = left.range.low == left.range.high;
        let right = if is_constant { self.varying(depth - 1) } else { self.integer(depth - 1) };
        let right = self.tighten(right);
        let pair = Pair { left, left_end, right, is_pure: self.full.effects == effects };
        let operator = self.draw_operator();
        self.combine(operator, pair)
    }

    fn draw_operator(&mut self) -> Operator {
        match self.random.below(100) {
            0..8 if self.has(Feature::Multiplication) => O::Multiply,
            8..15 if self.has(Feature::Division) => O::Divide,
            15..21 if self.has(Feature::Division) => O::Remainder,
            21..25 if self.has(Feature::Shifts) => O::ShiftLeft,
            25..30 if self.has(Feature::Shifts) => O::ShiftRight,
            30..36 if self.has(Feature::BitOperators) => O::And,
            36..40 if self.has(Feature::BitOperators) => O::Or,
            40..44 if self.has(Feature::BitOperators) => O::Xor,
            44..56 => COMPARISONS[self.random.below(COMPARISONS.len())],
            56..60 if self.has(Feature::Logical) => O::LogicalAnd,
            60..64 if self.has(Feature::Logical) => O::LogicalOr,
            64..82 => O::Subtract,
            _ => O::Add,
        }
    }

    fn combine(&mut self, operator: Operator, pair: Pair) -> Value {
        match operator {
            O::Add | O::Subtract | O::Multiply => self.arithmetic(operator, pair),
            O::Divide | O::Remainder => self.division(operator, pair),
            O::ShiftLeft | O::ShiftRight => self.shift(operator, pair),
            O::And | O::Or | O::Xor => self.bits(operator, pair),
            _ => self.truth(operator, pair),
        }
    }

    /// Writes the operator between the operands.
    fn set_operator(&mut self, operator: Operator, pair: Pair) {
        let operator_start = pair.left_end + 1;
        self.text.buffer.replace_range(operator_start..=operator_start, operator.text());
    }

    fn truth(&mut self, operator: Operator, pair: Pair) -> Value {
        self.set_operator(operator, pair);
        Value::loose(Scalar::Int, Interval::TRUTH, pair.left.start)
    }

    fn bits(&mut self, operator: Operator, pair: Pair) -> Value {
        self.set_operator(operator, pair);
        let common = pair.left.scalar.common(pair.right.scalar);
        let (left, right) = (common.convert(pair.left.range), common.convert(pair.right.range));
        let range = if operator == O::And { left.and(right) } else { left.any_bits(right) };
        Value::loose(common, range, pair.left.start)
    }

    fn arithmetic(&mut self, operator: Operator, pair: Pair) -> Value {
        let common = pair.left.scalar.common(pair.right.scalar);
        let (left, right) = (common.convert(pair.left.range), common.convert(pair.right.range));
        let exact = operator.exact(left, right);
        if !common.is_signed() || exact.is_inside(common.range()) {
            self.set_operator(operator, pair);
            return Value::loose(common, common.convert(exact), pair.left.start);
        }
        let has_casts = self.has(Feature::Casts);
        let style = self.random.below(4);
        if style == 0 && has_casts && common == Scalar::Int && self.has(Feature::LongIntegers) {
            return self.widened(operator, pair);
        }
        if style <= 1 && has_casts && self.has(Feature::Unsigned) {
            return self.wrapped(operator, pair, common);
        }
        if style <= 2 && self.has(Feature::BitOperators) {
            return self.masked(operator, pair, common);
        }
        if self.has(Feature::Division) {
            return self.reduced(operator, pair, common);
        }
        self.truth(O::Less, pair)
    }

    /// Computes in a type that is wide enough for any two `int`.
    fn widened(&mut self, operator: Operator, pair: Pair) -> Value {
        self.set_operator(operator, pair);
        let wide = if self.random.coin() { Scalar::Long } else { Scalar::LongLong };
        self.insert_cast(pair.left.start, wide);
        let range = operator.exact(pair.left.range, pair.right.range);
        Value::loose(wide, wide.convert(range), pair.left.start)
    }

    /// Computes in the unsigned type, where overflow wraps, and often converts back to the signed type.
    fn wrapped(&mut self, operator: Operator, pair: Pair, common: Scalar) -> Value {
        self.set_operator(operator, pair);
        let unsigned = common.unsigned();
        self.insert_cast(pair.left.start, unsigned);
        let value = Value::loose(unsigned, unsigned.range(), pair.left.start);
        if self.random.percent(60) { self.cast(value, common) } else { value }
    }

    /// Masks both operands to keep the result small enough.
    fn masked(&mut self, operator: Operator, pair: Pair, common: Scalar) -> Value {
        let mask = [15, 63, 255, 1023, 4095][self.random.below(5)];
        self.change_both(operator, pair, common, " & ", mask, |range| range.and(Interval::new(0, mask)))
    }

    /// Takes remainders of both operands.
    fn reduced(&mut self, operator: Operator, pair: Pair, common: Scalar) -> Value {
        let divisor = [7, 10, 100, 1000, 997][self.random.below(5)];
        let divide = |range: Interval| range.remainder(Interval::exactly(divisor));
        self.change_both(operator, pair, common, " % ", divisor, divide)
    }

    /// Applies an operation with a small constant to both operands.
    fn change_both(
        &mut self,
        operator: Operator,
        pair: Pair,
        common: Scalar,
        change: &str,
        constant: i128,
        effect: impl Fn(Interval) -> Interval,
    ) -> Value {
        let Pair { left, left_end, right, .. } = pair;
        self.text.insert(right.start, "(");
        self.text.push(change);
        self.text.literal(constant, Scalar::Int);
        self.text.push(")");
        self.set_operator(operator, pair);
        let mark = self.text.end();
        self.text.push(change);
        self.text.literal(constant, Scalar::Int);
        self.text.push(")");
        // The text just written belongs after the left operand.
        let length = self.text.end() - mark;
        let written: [u8; 24] = self.last_bytes(length);
        self.text.truncate(mark);
        if let Ok(written) = std::str::from_utf8(&written[..length]) {
            self.text.insert(left_end, written);
        }
        self.text.insert(left.start, "(");
        let range = operator.exact(effect(left.range), effect(right.range));
        Value::loose(common, common.convert(range), left.start)
    }

    fn last_bytes(&self, length: usize) -> [u8; 24] {
        let mut bytes = [0; 24];
        let text = self.text.buffer.as_bytes();
        bytes[..length].copy_from_slice(&text[text.len() - length..]);
        bytes
    }

    fn division(&mut self, operator: Operator, pair: Pair) -> Value {
        let common = pair.left.scalar.common(pair.right.scalar);
        let left = common.convert(pair.left.range);
        let right = common.convert(pair.right.range);
        let may_overflow = common.is_signed() && left.low == common.range().low && right.contains(-1);
        if pair.right.excludes_zero() && !may_overflow {
            self.set_operator(operator, pair);
            return quotient(operator, common, left, right, pair.left.start);
        }
        let right_length = self.text.end() - pair.right.start;
        let is_short = right_length + (pair.left_end - pair.left.start) < 40;
        if pair.is_pure && is_short && self.has(Feature::Conditional) && self.random.percent(60) {
            return self.guarded_division(operator, pair, may_overflow);
        }
        self.divide_by_positive(operator, pair)
    }

    /// `right != 0 ? left / right : left`; with `right > 0` where the least value could be divided by -1.
    fn guarded_division(&mut self, operator: Operator, pair: Pair, may_overflow: bool) -> Value {
        let common = pair.left.scalar.common(pair.right.scalar);
        let right = if may_overflow {
            Interval::new(1, common.range().high)
        } else {
            common.convert(pair.right.range)
        };
        let left = common.convert(pair.left.range);
        self.set_operator(operator, pair);
        // The condition is written at the end, and then moved to the front.
        let (start, end) = (pair.left.start, self.text.end());
        self.text.repeat(pair.right.start, end);
        self.text.push(if may_overflow { " > 0 ? " } else { " != 0 ? " });
        self.text.repeat(start, end);
        self.text.push(" : ");
        self.text.repeat(start, pair.left_end);
        self.text.buffer.replace_range(start..end, "");
        let value = quotient(operator, common, left, right, start);
        Value { range: value.range.hull(left), ..value }
    }

    /// Divides by a number that was made positive.
    fn divide_by_positive(&mut self, operator: Operator, pair: Pair) -> Value {
        self.set_operator(operator, pair);
        let left = pair.left;
        if !self.has(Feature::BitOperators) {
            self.text.truncate(pair.right.start);
            let divisor = 2 + self.random.below(30) as i128;
            self.text.literal(divisor, Scalar::Int);
            let common = left.scalar.promoted();
            return quotient(operator, common, left.range, Interval::exactly(divisor), left.start);
        }
        let common = left.scalar.common(pair.right.scalar);
        let mask = [7, 15, 127][self.random.below(3)];
        self.text.insert(pair.right.start, "((");
        self.text.push(" & ");
        self.text.literal(mask, Scalar::Int);
        self.text.push(") + 1)");
        quotient(operator, common, common.convert(left.range), Interval::new(1, mask + 1), left.start)
    }

    fn shift(&mut self, operator: Operator, pair: Pair) -> Value {
        self.set_operator(operator, pair);
        let promoted = pair.left.scalar.promoted();
        let counts = self.shift_count(pair, promoted);
        let left = pair.left.range;
        if operator == O::ShiftRight {
            return Value::loose(promoted, left.shift_right(counts), pair.left.start);
        }
        if !promoted.is_signed() {
            return Value::loose(promoted, promoted.convert(left.shift_left(counts)), pair.left.start);
        }
        let shifted = left.shift_left(counts);
        if left.low >= 0 && shifted.is_inside(promoted.range()) {
            return Value::loose(promoted, shifted, pair.left.start);
        }
        if self.has(Feature::Casts) && self.has(Feature::Unsigned) {
            let unsigned = promoted.unsigned();
            self.insert_cast(pair.left.start, unsigned);
            return Value::loose(unsigned, unsigned.range(), pair.left.start);
        }
        self.text.buffer.replace_range(pair.left_end + 1..pair.left_end + 3, ">>");
        Value::loose(promoted, left.shift_right(counts), pair.left.start)
    }

    /// Makes the right operand a count that is below the width of the left one.
    fn shift_count(&mut self, pair: Pair, promoted: Scalar) -> Interval {
        let width = i128::from(promoted.bits());
        if pair.right.range.is_inside(Interval::new(0, width - 1)) {
            return pair.right.range;
        }
        // The operator is one byte longer than its placeholder.
        let start = pair.right.start + 1;
        if !self.has(Feature::BitOperators) {
            self.text.truncate(start);
            let count = self.random.below(16) as i128;
            self.text.literal(count, Scalar::Int);
            return Interval::exactly(count);
        }
        let mask = if self.random.coin() { width - 1 } else { 7 };
        self.text.insert(start, "(");
        self.text.push(" & ");
        self.text.literal(mask, Scalar::Int);
        self.text.push(")");
        pair.right.range.and(Interval::new(0, mask))
    }
}

fn quotient(operator: Operator, common: Scalar, left: Interval, right: Interval, start: usize) -> Value {
    let range = if operator == O::Divide { left.divide(right) } else { left.remainder(right) };
    Value::loose(common, common.convert(range), start)
}
