//! Expressions of type `float` and `double`, each with a bound on its magnitude. No value is ever infinite or not a
//! number, and every conversion to an integer type is in range.

use super::Generator;
use super::feature::Feature;
use super::interval::Interval;
use super::lvalue::Access;
use super::operator::COMPARISONS;
use super::types::Scalar;
use super::value::Value;

/// The greatest magnitude of a variable of real type.
pub(super) const VARIABLE_BOUND: f64 = 1_000_000.0;
/// The greatest magnitude of an expression, far below the largest `float`.
const EXPRESSION_BOUND: f64 = 1e15;

/// An expression of real type that was just written.
#[derive(Clone, Copy, Debug)]
pub(super) struct RealValue {
    pub(super) scalar: Scalar,
    /// No value is larger in magnitude.
    pub(super) bound: f64,
    pub(super) start: usize,
    pub(super) is_tight: bool,
}

impl Generator<'_> {
    pub(super) fn real_type(&mut self) -> Scalar {
        if self.random.percent(35) { Scalar::Float } else { Scalar::Double }
    }

    /// An expression of real type.
    pub(super) fn real(&mut self, depth: u32) -> RealValue {
        if depth == 0 {
            return self.real_leaf();
        }
        match self.random.below(100) {
            0..25 => self.real_leaf(),
            25..37 => self.converted_integer(depth),
            37..43 if self.has(Feature::Casts) => self.real_cast(depth),
            43..50 if self.has(Feature::Conditional) => self.real_conditional(depth),
            50..60 if self.has(Feature::Division) => self.real_division(depth),
            _ => self.real_binary(depth),
        }
    }

    fn real_operand(&mut self, depth: u32) -> RealValue {
        let value = self.real(depth);
        self.tighten_real(value)
    }

    fn tighten_real(&mut self, value: RealValue) -> RealValue {
        if !value.is_tight {
            self.text.insert(value.start, "(");
            self.text.push(")");
        }
        RealValue { is_tight: true, ..value }
    }

    fn real_leaf(&mut self) -> RealValue {
        if self.full.wants_call
            && self.random.coin()
            && let Some(value) = self.call_real()
        {
            self.full.wants_call = false;
            return value;
        }
        if self.random.percent(70)
            && let Some(lvalue) = self.lvalue(Access::Read, true)
        {
            let (scalar, start) = (lvalue.scalar, lvalue.start);
            return RealValue { scalar, bound: VARIABLE_BOUND, start, is_tight: true };
        }
        if self.random.percent(60)
            && let Some(value) = self.read()
            && let Some(value) = self.converted(value)
        {
            return value;
        }
        let scalar = self.real_type();
        let start = self.text.end();
        let eighths = self.random.below(1600) as i64 - 400;
        self.text.real_literal(eighths, scalar);
        let bound = (eighths.unsigned_abs() as f64) / 8.0;
        RealValue { scalar, bound, start, is_tight: true }
    }

    /// An integer that is cast.
    fn converted_integer(&mut self, depth: u32) -> RealValue {
        let value = self.operand(depth - 1);
        self.converted(value).unwrap_or_else(|| self.real_leaf())
    }

    /// Casts the integer at the end of the text, or removes it if it may be too large.
    fn converted(&mut self, value: Value) -> Option<RealValue> {
        // Rounding may enlarge the number a little.
        let bound = value.range.magnitude() as f64 * 1.001;
        if bound > EXPRESSION_BOUND {
            self.text.truncate(value.start);
            return None;
        }
        let scalar = self.real_type();
        self.insert_cast(value.start, scalar);
        Some(RealValue { scalar, bound, start: value.start, is_tight: true })
    }

    fn real_cast(&mut self, depth: u32) -> RealValue {
        let value = self.real_operand(depth - 1);
        let scalar = self.real_type();
        self.insert_cast(value.start, scalar);
        RealValue { scalar, bound: value.bound * 1.001, ..value }
    }

    fn real_conditional(&mut self, depth: u32) -> RealValue {
        let start = self.text.end();
        self.operand(depth - 1);
        self.text.push(" ? ");
        let first = self.real_operand(depth - 1);
        self.text.push(" : ");
        let second = self.real_operand(depth - 1);
        let scalar = first.scalar.common(second.scalar);
        RealValue { scalar, bound: first.bound.max(second.bound) * 1.001, start, is_tight: false }
    }

    /// Divides by a constant, which keeps the quotient from being much larger than the dividend.
    fn real_division(&mut self, depth: u32) -> RealValue {
        let left = self.real_operand(depth - 1);
        self.text.push(" / ");
        let scalar = self.real_type();
        let eighths = 8 + self.random.below(400) as i64;
        self.text.real_literal(if self.random.percent(80) { eighths } else { -eighths }, scalar);
        let scalar = left.scalar.common(scalar);
        RealValue { scalar, bound: left.bound * 1.001, start: left.start, is_tight: false }
    }

    fn real_binary(&mut self, depth: u32) -> RealValue {
        let left = self.real_operand(depth - 1);
        let operator_start = self.text.end() + 1;
        self.text.push(" + ");
        let right = self.real_operand(depth - 1);
        let product = left.bound * right.bound * 1.001;
        let mut bound = (left.bound + right.bound) * 1.001;
        if self.has(Feature::Multiplication) && product < EXPRESSION_BOUND && self.random.percent(40) {
            self.text.buffer.replace_range(operator_start..=operator_start, "*");
            bound = product;
        } else if self.random.coin() {
            self.text.buffer.replace_range(operator_start..=operator_start, "-");
        }
        let scalar = left.scalar.common(right.scalar);
        RealValue { scalar, bound, start: left.start, is_tight: false }
    }

    /// Makes the value at the end of the text small enough for a variable.
    pub(super) fn fit_real(&mut self, value: RealValue) -> RealValue {
        if value.bound <= VARIABLE_BOUND {
            return value;
        }
        let value = self.tighten_real(value);
        let mut divisor = 2;
        while value.bound * 1.001 / f64::from(divisor) > VARIABLE_BOUND {
            divisor *= 2;
        }
        self.text.push(" / ");
        self.text.real_literal(i64::from(divisor) * 8, Scalar::Double);
        let bound = VARIABLE_BOUND;
        RealValue { scalar: Scalar::Double, bound, start: value.start, is_tight: false }
    }

    /// An integer made of reals: a comparison, or a conversion that is in range.
    pub(super) fn integer_of_reals(&mut self, depth: u32) -> Value {
        let left = self.real_operand(depth - 1);
        let to = if self.random.coin() { Scalar::Int } else { Scalar::Long };
        let limit = left.bound as i128 + 1;
        if self.has(Feature::Casts) && limit < to.range().high && self.random.percent(40) {
            self.insert_cast(left.start, to);
            return Value::tight(to, Interval::new(-limit, limit), left.start);
        }
        let operator = COMPARISONS[self.random.below(COMPARISONS.len())];
        self.text.push(" ");
        self.text.push(operator.text());
        self.text.push(" ");
        self.real_operand(depth - 1);
        Value::loose(Scalar::Int, Interval::TRUTH, left.start)
    }
}
