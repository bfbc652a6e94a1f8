//! Expressions of integer type, written straight into the text, each with the interval of its values.

use super::Generator;
use super::feature::Feature;
use super::interval::Interval;
use super::lvalue::Access;
use super::types::{Base, Kind, Scalar};
use super::value::Value;

/// The state of the full expression being written. It keeps the result independent of the order in which compilers
/// evaluate its parts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FullExpression {
    /// The number of the full expression.
    pub(super) stamp: u32,
    /// Whether only variables that no call can change may be read, because an unsequenced call is present.
    pub(super) private_only: bool,
    /// Whether a call may be written.
    pub(super) wants_call: bool,
    /// Whether an input may be read.
    pub(super) wants_input: bool,
    /// Whether a side effect may be written.
    pub(super) wants_effect: bool,
    /// The number of calls, inputs and side effects written so far, in all expressions.
    pub(super) effects: u32,
}

impl Generator<'_> {
    /// Starts a full expression. With `wants_call`, it may contain one call.
    pub(super) fn begin_expression(&mut self, wants_call: bool) {
        let wants_call = wants_call && self.can_call();
        self.full.stamp += 1;
        self.full.private_only = wants_call;
        self.full.wants_call = wants_call;
        self.full.wants_input = self.options.inputs && !wants_call;
        self.full.wants_effect = self.has(Feature::EmbeddedEffects) && self.random.percent(20);
    }

    /// Starts a full expression that has neither calls nor side effects.
    pub(super) fn begin_pure_expression(&mut self) {
        self.full.stamp += 1;
        self.full.private_only = false;
        self.full.wants_call = false;
        self.full.wants_input = false;
        self.full.wants_effect = false;
    }

    /// An expression of integer type.
    pub(super) fn integer(&mut self, depth: u32) -> Value {
        if depth == 0 {
            return self.leaf();
        }
        match self.random.below(100) {
            0..18 => self.leaf(),
            18..24 => self.unary(depth),
            24..32 if self.has(Feature::Casts) => self.cast_expression(depth),
            32..40 if self.has(Feature::Conditional) => self.conditional(depth),
            40..43 if self.has(Feature::Comma) => self.comma(depth),
            43..49 if self.has(Feature::Floats) => self.integer_of_reals(depth),
            49..52 if self.has(Feature::Pointers) => self.pointer_comparison(),
            _ => self.binary(depth),
        }
    }

    /// An expression that is not a mere constant, if anything can be read here.
    pub(super) fn varying(&mut self, depth: u32) -> Value {
        let value = self.integer(depth);
        if value.range.low < value.range.high {
            return value;
        }
        self.text.truncate(value.start);
        self.read().unwrap_or_else(|| self.literal())
    }

    /// An expression that can be an operand.
    pub(super) fn operand(&mut self, depth: u32) -> Value {
        let value = self.integer(depth);
        self.tighten(value)
    }

    /// A variable, element, member, literal, or occasionally an expression with an effect.
    pub(super) fn leaf(&mut self) -> Value {
        if self.full.wants_call
            && self.random.percent(55)
            && let Some(value) = self.call_value()
        {
            self.full.wants_call = false;
            return value;
        }
        if self.full.wants_input && self.random.percent(12) {
            return self.input();
        }
        if self.full.wants_effect
            && self.random.percent(30)
            && let Some(value) = self.effect()
        {
            return value;
        }
        if self.random.percent(72)
            && let Some(value) = self.read()
        {
            return value;
        }
        self.literal()
    }

    /// The value of an lvalue.
    pub(super) fn read(&mut self) -> Option<Value> {
        let lvalue = self.lvalue(Access::Read, false)?;
        let value = Value::tight(lvalue.scalar, lvalue.range, lvalue.start);
        Some(Value { is_nonzero: lvalue.is_nonzero, ..value })
    }

    /// A literal of a type that the program uses.
    pub(super) fn literal(&mut self) -> Value {
        let scalar = if self.random.percent(70) { Scalar::Int } else { self.integer_type().promoted() };
        let number = self.constant_in(scalar.range());
        let start = self.text.end();
        self.text.literal(number, scalar);
        Value::tight(scalar, Interval::exactly(number), start)
    }

    /// A number in the range, usually a small one.
    pub(super) fn constant_in(&mut self, range: Interval) -> i128 {
        let number = match self.random.below(16) {
            0..7 => self.random.below(10) as i128,
            7..10 => -(self.random.below(10) as i128),
            10..12 => self.random.below(200) as i128,
            12 => range.low,
            13 => range.high,
            14 => (1 << self.random.below(40)) - (self.random.below(3) as i128) + 1,
            _ => self.random.below(100_000) as i128 - 50_000,
        };
        if range.contains(number) {
            return number;
        }
        let width = (range.high - range.low).min(40) as usize;
        range.low + self.random.below(width + 1) as i128
    }

    fn unary(&mut self, depth: u32) -> Value {
        let value = self.varying(depth - 1);
        let value = self.tighten(value);
        let promoted = value.scalar.promoted();
        let range = promoted.convert(value.range);
        match self.random.below(3) {
            0 if !promoted.is_signed() || range.low > promoted.range().low => {
                self.prefix(value, "-");
                Value::tight(promoted, promoted.convert(range.negate()), value.start)
            }
            1 if self.has(Feature::BitOperators) => {
                self.prefix(value, "~");
                let range = range.negate().add(Interval::exactly(-1));
                Value::tight(promoted, promoted.convert(range), value.start)
            }
            _ if self.has(Feature::Logical) => {
                self.prefix(value, "!");
                Value::tight(Scalar::Int, Interval::TRUTH, value.start)
            }
            _ => value,
        }
    }

    /// Writes a unary operator before an operand. Two signs must not become one token.
    fn prefix(&mut self, value: Value, operator: &str) {
        if self.text.buffer.as_bytes().get(value.start) == Some(&b'-') {
            self.text.insert(value.start, "(");
            self.text.push(")");
        }
        self.text.insert(value.start, operator);
    }

    fn cast_expression(&mut self, depth: u32) -> Value {
        let value = self.varying(depth - 1);
        let to = self.integer_type();
        if to == value.scalar {
            return value;
        }
        self.cast(value, to)
    }

    fn conditional(&mut self, depth: u32) -> Value {
        let start = self.text.end();
        let condition = self.varying(depth - 1);
        self.tighten(condition);
        self.text.push(" ? ");
        let first = self.operand(depth - 1);
        self.text.push(" : ");
        let second = self.operand(depth - 1);
        let common = first.scalar.common(second.scalar);
        let range = common.convert(first.range).hull(common.convert(second.range));
        Value::loose(common, range, start)
    }

    /// `(effect, value)`, or the value alone if there is no possible effect.
    fn comma(&mut self, depth: u32) -> Value {
        let start = self.text.end();
        if !self.full.wants_effect {
            return self.binary(depth);
        }
        self.text.push("(");
        if self.effect().is_none() {
            self.text.truncate(start);
            return self.binary(depth);
        }
        self.text.push(", ");
        let value = self.integer(depth - 1);
        self.text.push(")");
        Value { start, is_tight: true, ..value }
    }

    /// A change of a variable that nothing else in the full expression reads or writes.
    fn effect(&mut self) -> Option<Value> {
        let stamp = self.full.stamp;
        let index = self.pick_variable()?;
        let variable = self.variables[index];
        let scalar = variable.plain_integer()?;
        let is_free = variable.is_private && variable.is_writable() && variable.is_initialized;
        if !is_free || variable.last_read == stamp || variable.changed == stamp {
            return None;
        }
        self.variables[index].changed = stamp;
        self.full.wants_effect = false;
        self.full.effects += 1;
        let start = self.text.end();
        // In these types the next value is always defined: they wrap, or are computed as `int` and truncated.
        let wraps = variable.range == scalar.range() && scalar != Scalar::Bool;
        if self.has(Feature::Increments) && wraps && (!scalar.is_signed() || scalar.bits() < 32) {
            let operator = if self.random.coin() { "++" } else { "--" };
            let is_prefix = self.random.coin();
            if is_prefix {
                self.text.push(operator);
            }
            self.name(index);
            if !is_prefix {
                self.text.push(operator);
            }
            return Some(Value::tight(scalar, variable.range, start));
        }
        self.text.push("(");
        self.name(index);
        self.text.push(" = ");
        let value = self.integer(1);
        self.fit(value, scalar, variable.range);
        self.text.push(")");
        Some(Value::tight(scalar, variable.range, start))
    }

    /// Compares two pointers of the same type, or a pointer with null.
    pub(super) fn pointer_comparison(&mut self) -> Value {
        for _ in 0..8 {
            let Some(index) = self.pick_variable() else { break };
            let variable = self.variables[index];
            let Kind::Pointer { base, depth } = variable.kind else { continue };
            let is_readable = variable.is_initialized && (!self.full.private_only || variable.is_private);
            if !is_readable {
                continue;
            }
            let start = self.text.end();
            let may_follow = depth > 1 && !variable.is_nullable && !self.full.private_only;
            let follows = may_follow && self.random.coin();
            self.text.push(if follows { "*" } else { "" });
            self.read_name(index);
            self.indices(variable.dimensions);
            self.text.push(if self.random.coin() { " == " } else { " != " });
            self.pointer_beside(base, depth - u8::from(follows), variable.is_nullable);
            return Value::loose(Scalar::Int, Interval::TRUTH, start);
        }
        self.leaf()
    }

    /// The other operand of a pointer comparison: null, the first element of an array, another pointer, or an
    /// address.
    fn pointer_beside(&mut self, base: Base, depth: u8, is_nullable: bool) {
        if self.full.private_only || is_nullable && self.random.coin() {
            self.text.push("0");
            return;
        }
        let is_done = match self.random.below(10) {
            0..5 => depth == 1 && self.first_element(base),
            5..8 => self.pointer_named(base, depth),
            _ => false,
        };
        if !is_done && !self.address(base, depth, u16::MAX) {
            self.text.push("0");
        }
    }
}
