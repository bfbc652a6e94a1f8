//! Simple statements, and the choice among all kinds of statements.

use super::Generator;
use super::feature::Feature;
use super::flow::Breakable;
use super::lvalue::{Access, Lvalue};
use super::operator::Operator;
use super::real::VARIABLE_BOUND;
use super::types::{Base, Kind, Scalar};
use super::value::Value;

/// How deep blocks are nested.
const DEEPEST: u32 = 4;

impl Generator<'_> {
    /// Writes `count` statements.
    pub(super) fn statements(&mut self, count: usize) {
        for _ in 0..count {
            self.statement();
        }
    }

    /// Writes a statement of any kind.
    pub(super) fn statement(&mut self) {
        self.flow.remaining -= 1;
        self.flow.cost += self.flow.multiplier;
        for _ in 0..6 {
            if self.try_statement() {
                return;
            }
        }
        self.mix();
    }

    fn try_statement(&mut self) -> bool {
        let may_nest = self.flow.nesting < DEEPEST && self.flow.remaining > 0;
        match self.random.below(100) {
            0..20 => self.assign_integer(),
            20..24 if self.has(Feature::Floats) => self.assign_real(),
            24..31 if self.has(Feature::CompoundAssignment) => self.assign_compound(),
            31..36 if self.has(Feature::Increments) => self.increment(),
            36..41 if self.has(Feature::Pointers) => self.assign_pointer(),
            41..44 if self.has(Feature::StructureValues) => self.assign_record(),
            44..46 => self.mix(),
            46..50 if self.flow.may_declare => {
                self.declare_local();
                true
            }
            50..55 => self.call_declaration_or_statement(),
            55..60 => self.jump(),
            60..65 if may_nest && self.has_null() => self.null_guard(),
            65..67 if may_nest && self.has(Feature::LateInitialization) => self.late_initialization(),
            67..69 if self.has(Feature::LateInitialization) => self.filled_array(),
            69..72 if may_nest && self.has(Feature::OutParameters) => self.out_parameter_call(),
            72..76 if may_nest && self.has(Feature::Correlation) => self.correlation(),
            76..78 if may_nest && self.has(Feature::Goto) => self.forward_goto(),
            78 if may_nest && self.has(Feature::BackwardGoto) => self.backward_goto(),
            79..82 if may_nest && self.has(Feature::Switch) => self.switch(),
            82..88 if may_nest => self.any_loop(),
            88..100 if may_nest => {
                self.branch();
                true
            }
            _ => false,
        }
    }

    fn expression_depth(&mut self) -> u32 {
        [1, 1, 2, 2, 2, 3][self.random.below(6)]
    }

    fn assign_integer(&mut self) -> bool {
        let wants_call = self.random.percent(25);
        self.begin_expression(wants_call);
        let start = self.text.end();
        self.text.line();
        let Some(lvalue) = self.lvalue(Access::Write, false) else {
            self.text.truncate(start);
            return false;
        };
        self.text.push(" = ");
        self.finish_assignment(lvalue);
        true
    }

    /// The right side of an assignment, and the end of the statement.
    fn finish_assignment(&mut self, lvalue: Lvalue) {
        let (lvalue_end, depth) = (self.text.end() - 3, self.expression_depth());
        let mut value = self.integer(depth);
        let buffer = &self.text.buffer;
        if buffer[lvalue.start..lvalue_end] == buffer[value.start..] {
            self.text.truncate(value.start);
            value = self.literal();
        }
        self.fit(value, lvalue.scalar, lvalue.range);
        self.text.end_statement();
    }

    fn assign_real(&mut self) -> bool {
        self.begin_expression(false);
        let start = self.text.end();
        self.text.line();
        let name_start = self.text.end();
        let Some(lvalue) = self.lvalue(Access::Write, true) else {
            self.text.truncate(start);
            return false;
        };
        let name_end = self.text.end();
        if self.has(Feature::CompoundAssignment) && self.random.percent(35) {
            self.full.wants_effect = false;
            self.text.push(if self.random.coin() { " += " } else { " -= " });
            self.real(1);
            self.text.end_statement();
            self.clamp(name_start, name_end, lvalue.scalar);
            return true;
        }
        self.text.push(" = ");
        let value = self.real(2);
        self.fit_real(value);
        self.text.end_statement();
        true
    }

    /// Brings the real variable whose text lies between two offsets back into its range.
    fn clamp(&mut self, start: usize, end: usize, scalar: Scalar) {
        self.text.line();
        self.text.push("if (");
        self.text.repeat(start, end);
        self.text.push(" > ");
        self.text.real_literal(VARIABLE_BOUND as i64 * 8, scalar);
        self.text.push(if self.random.coin() { " || " } else { " || !(" });
        let is_negated = self.text.buffer.ends_with('(');
        self.text.repeat(start, end);
        self.text.push(if is_negated { " >= " } else { " < " });
        self.text.real_literal(-(VARIABLE_BOUND as i64) * 8, scalar);
        self.text.push(if is_negated { "))" } else { ")" });
        self.text.open();
        self.text.line();
        self.text.repeat(start, end);
        self.text.push(" = ");
        let eighths = self.random.below(64) as i64;
        self.text.real_literal(eighths, scalar);
        self.text.end_statement();
        self.text.close_line();
    }

    fn assign_compound(&mut self) -> bool {
        self.begin_expression(false);
        let start = self.text.end();
        self.text.line();
        let Some(lvalue) = self.lvalue(Access::Write, false) else {
            self.text.truncate(start);
            return false;
        };
        let operator_start = self.text.end() + 1;
        self.text.push(" = ");
        let value = self.integer(1);
        for _ in 0..5 {
            let operator = self.draw_compound();
            if is_safe(operator, lvalue, value) {
                self.text.insert(operator_start, operator.text());
                self.text.end_statement();
                return true;
            }
        }
        self.fit(value, lvalue.scalar, lvalue.range);
        self.text.end_statement();
        true
    }

    fn draw_compound(&mut self) -> Operator {
        use Operator as O;
        match self.random.below(20) {
            0..2 if self.has(Feature::Multiplication) => O::Multiply,
            2..4 if self.has(Feature::Division) => O::Divide,
            4..6 if self.has(Feature::Division) => O::Remainder,
            6 if self.has(Feature::Shifts) => O::ShiftLeft,
            7..9 if self.has(Feature::Shifts) => O::ShiftRight,
            9 if self.has(Feature::BitOperators) => O::And,
            10 if self.has(Feature::BitOperators) => O::Or,
            11 | 12 if self.has(Feature::BitOperators) => O::Xor,
            13..16 => O::Subtract,
            _ => O::Add,
        }
    }

    /// `++` or `--`, guarded by a test where it could leave the range.
    fn increment(&mut self) -> bool {
        self.begin_pure_expression();
        let start = self.text.end();
        self.text.line();
        let name_start = self.text.end();
        let Some(lvalue) = self.lvalue(Access::Write, false).filter(|lvalue| lvalue.scalar != Scalar::Bool)
        else {
            self.text.truncate(start);
            return false;
        };
        let name_end = self.text.end();
        let is_up = self.random.percent(60);
        // Postfix operators bind more tightly than the stars of a pointer.
        let is_pointee = self.text.buffer.as_bytes().get(name_start) == Some(&b'*');
        let operator = if is_up { "++" } else { "--" };
        let wraps = lvalue.range == lvalue.scalar.range();
        if wraps && (!lvalue.scalar.is_signed() || lvalue.scalar.bits() < 32) {
            self.text.insert(if is_pointee { name_start } else { name_end }, operator);
            self.text.end_statement();
            return true;
        }
        self.text.push(if is_up { " < " } else { " > " });
        self.text.literal(if is_up { lvalue.range.high } else { lvalue.range.low }, lvalue.scalar);
        self.text.push(")");
        self.text.insert(name_start, "if (");
        self.text.open();
        self.text.line();
        if is_pointee {
            self.text.push(operator);
        }
        self.text.repeat(name_start + 4, name_end + 4);
        if !is_pointee {
            self.text.push(operator);
        }
        self.text.end_statement();
        self.text.close_line();
        true
    }

    fn assign_record(&mut self) -> bool {
        if self.records.is_empty() {
            return false;
        }
        let record = self.random.below(self.records.len());
        let wants_call = self.random.percent(40);
        self.begin_expression(wants_call);
        self.full.wants_effect = false;
        let start = self.text.end();
        self.text.line();
        let lvalue_start = self.text.end();
        if !self.record_lvalue(record, Access::Write) {
            self.text.truncate(start);
            return false;
        }
        let lvalue_end = self.text.end();
        self.text.push(" = ");
        let value_start = self.text.end();
        if !(self.full.wants_call && self.call_record(record)) {
            self.record_value(record);
        }
        let buffer = &self.text.buffer;
        if buffer[lvalue_start..lvalue_end] == buffer[value_start..] {
            self.text.truncate(start);
            return false;
        }
        self.text.end_statement();
        true
    }

    /// Adds a value to the checksum.
    pub(super) fn mix(&mut self) -> bool {
        self.begin_pure_expression();
        self.mix_start();
        let value = self.varying(1);
        self.tighten(value);
        self.text.end_statement();
        true
    }

    pub(super) fn mix_start(&mut self) {
        self.text.line();
        self.checksum_name();
        self.text.push(" = ");
        self.checksum_name();
        self.text.push(" * 31UL + (unsigned long)");
    }

    pub(super) fn checksum_name(&mut self) {
        self.text.push(&self.options.prefix);
        self.text.push("checksum");
    }

    /// A conditional jump out of the block.
    fn jump(&mut self) -> bool {
        let can_break = self.flow.breakable == Breakable::Loop && self.has(Feature::Break);
        let can_continue = self.flow.loops > 0 && self.has(Feature::Continue);
        let can_return = !self.flow.is_main && self.has(Feature::EarlyReturn);
        let label = self.pending_labels.last().copied();
        let choice = self.random.below(4);
        let is_possible = match choice {
            0 => can_break,
            1 => can_continue,
            2 => can_return,
            _ => label.is_some(),
        };
        if !is_possible {
            return false;
        }
        self.text.line();
        self.text.push("if (");
        let test = self.condition();
        self.text.push(")");
        self.text.open();
        let outside = self.enter();
        let fact =
            test.and_then(|test| test.when_true.map(|knowledge| self.assume(test.variable, knowledge)));
        if self.random.percent(30) {
            self.assign_integer();
        }
        match choice {
            0 => self.text.whole_line("break;"),
            1 => self.text.whole_line("continue;"),
            2 => self.return_statement(),
            _ => self.goto(label.unwrap_or_default()),
        }
        if let Some(saved) = fact {
            self.forget(saved);
        }
        self.leave(outside);
        self.text.close_line();
        true
    }

    /// Writes through a pointer that is known not to be null.
    pub(super) fn write_through(&mut self, index: usize) {
        let Kind::Pointer { base, .. } = self.variables[index].kind else { return };
        let is_real = matches!(base, Base::Scalar(scalar) if scalar.is_real());
        self.begin_expression(false);
        self.text.line();
        let lvalue = self.write_lvalue(index, is_real);
        self.text.push(" = ");
        if is_real {
            let value = self.real(1);
            self.fit_real(value);
            self.text.end_statement();
        } else {
            self.finish_assignment(lvalue);
        }
    }
}

/// Whether `lvalue operator= value` is defined for all values, and keeps the lvalue in its range.
fn is_safe(operator: Operator, lvalue: Lvalue, value: Value) -> bool {
    use Operator as O;
    let common = lvalue.scalar.common(value.scalar);
    let (left, right) = (common.convert(lvalue.range), common.convert(value.range));
    let (kind, result) = match operator {
        O::Add | O::Subtract | O::Multiply => (common, operator.exact(left, right)),
        O::And => (common, left.and(right)),
        O::Or | O::Xor => (common, left.any_bits(right)),
        O::Divide | O::Remainder => {
            let may_overflow = common.is_signed() && left.low == common.range().low && right.contains(-1);
            if !value.excludes_zero() || may_overflow {
                return false;
            }
            (common, if operator == O::Divide { left.divide(right) } else { left.remainder(right) })
        }
        _ => {
            let promoted = lvalue.scalar.promoted();
            let is_count = value.range.low >= 0 && value.range.high < i128::from(promoted.bits());
            let is_left = operator == O::ShiftLeft;
            if !is_count || is_left && promoted.is_signed() && lvalue.range.low < 0 {
                return false;
            }
            let range = lvalue.range;
            (promoted, if is_left { range.shift_left(value.range) } else { range.shift_right(value.range) })
        }
    };
    let is_defined = !kind.is_signed() || result.is_inside(kind.range());
    let keeps = lvalue.range == lvalue.scalar.range() || kind.convert(result).is_inside(lvalue.range);
    is_defined && keeps
}
