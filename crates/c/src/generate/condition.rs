//! Conditions of branches and loops. Some test a variable, and the branches rely on the result.

use super::Generator;
use super::feature::Feature;
use super::flow::{Knowledge, Test};
use super::interval::Interval;
use super::operator::{COMPARISONS, Operator};
use super::types::Scalar;
use super::value::Value;

impl Generator<'_> {
    /// Writes a condition. If it tests a variable, returns what is known in either branch.
    pub(super) fn condition(&mut self) -> Option<Test> {
        if self.random.percent(45)
            && let Some(test) = self.test()
        {
            return Some(test);
        }
        if self.has(Feature::Logical) && self.random.percent(6) && self.twice_about_one_place() {
            return None;
        }
        let wants_call = self.has(Feature::Functions) && self.random.percent(25);
        self.begin_expression(wants_call);
        self.comparison();
        if self.has(Feature::Logical) && self.random.percent(25) {
            self.text.push(if self.random.coin() { " && " } else { " || " });
            // The operator is a sequence point. A later call could change what was read only if it were in the same
            // operand.
            let wants_another = wants_call && self.random.percent(30);
            self.begin_expression(wants_another);
            self.comparison();
        }
        None
    }

    /// A condition without effects that no branch relies on.
    pub(super) fn pure_condition(&mut self) {
        self.begin_pure_expression();
        self.comparison();
    }

    /// One operand of a condition, usually a comparison.
    fn comparison(&mut self) {
        if self.has(Feature::Pointers) && self.random.percent(12) {
            self.pointer_comparison();
            return;
        }
        if self.random.percent(20) {
            let depth = 1 + self.random.below(2) as u32;
            let value = self.varying(depth);
            self.tighten(value);
            return;
        }
        let start = self.text.end();
        let value = self.varying(1);
        let left = self.tighten(value);
        let operator = COMPARISONS[self.random.below(COMPARISONS.len())];
        self.text.push(" ");
        self.text.push(operator.text());
        self.text.push(" ");
        if self.random.percent(50) {
            self.constant_beside(left);
        } else if self.random.percent(25) {
            self.any_constant();
        } else {
            let right = self.integer(1);
            self.tighten(right);
        }
        if self.has(Feature::Logical) && self.random.percent(6) {
            self.text.insert(start, "!(");
            self.text.push(")");
        }
    }

    /// Two conditions about the same lvalue, such as `-x && x > 3`.
    fn twice_about_one_place(&mut self) -> bool {
        self.begin_pure_expression();
        let Some(value) = self.read() else { return false };
        let (start, end) = (value.start, self.text.end());
        let lvalue = self.text.buffer[start..end].to_owned();
        self.text.truncate(start);
        self.about(&lvalue, value);
        self.text.push(if self.random.coin() { " && " } else { " || " });
        self.about(&lvalue, value);
        true
    }

    /// A condition about an lvalue.
    fn about(&mut self, lvalue: &str, value: Value) {
        let promoted = value.scalar.promoted();
        let is_negatable = !promoted.is_signed() || promoted.convert(value.range).low > promoted.range().low;
        let sign = match self.random.below(5) {
            0 if is_negatable => "-",
            1 if self.has(Feature::BitOperators) => "~",
            2 => "!",
            _ => "",
        };
        self.text.push(sign);
        self.text.push(lvalue);
        if sign.is_empty() && self.random.coin() {
            let operator = COMPARISONS[self.random.below(COMPARISONS.len())];
            self.text.push(" ");
            self.text.push(operator.text());
            self.text.push(" ");
            self.constant_beside(value);
        }
    }

    /// A constant that splits the values of the expression that it is compared with.
    fn constant_beside(&mut self, value: Value) {
        let scalar = value.scalar.promoted();
        let constant = self.constant_in(scalar.convert(value.range));
        self.text.literal(constant, scalar);
    }

    /// A constant of any type, whether or not the expression that it is compared with can have this value; often at
    /// the limits of another type.
    fn any_constant(&mut self) {
        let scalar = self.integer_type().promoted();
        let limits = self.integer_type().range();
        let limit = [limits.low, limits.high, limits.high + 1][self.random.below(3)];
        let constant = match self.random.coin() && scalar.range().contains(limit) {
            true => limit,
            false => self.constant_in(scalar.range()),
        };
        self.text.literal(constant, scalar);
    }

    /// Tests a variable that cannot change until it is written by name.
    pub(super) fn test(&mut self) -> Option<Test> {
        self.begin_pure_expression();
        let may_be_null = self.has_null() && self.random.percent(35);
        if let Some(index) = if may_be_null { self.pick_nullable() } else { None } {
            return Some(self.null_test(index));
        }
        for _ in 0..6 {
            let index = self.pick_variable()?;
            let variable = self.variables[index];
            let Some(scalar) = variable.plain_integer() else { continue };
            let is_testable =
                variable.keeps_tested_value() && variable.is_initialized && !variable.is_constant;
            if is_testable && variable.range.low < variable.range.high && scalar != Scalar::Bool {
                return Some(self.integer_test(index, scalar, variable.range));
            }
        }
        None
    }

    /// Compares a pointer with null, in one of the ways in which people write it.
    pub(super) fn null_test(&mut self, index: usize) -> Test {
        let known = self.knowledge(index);
        let not_null = Knowledge { is_nullable: false, ..known };
        self.variables[index].last_read = self.full.stamp;
        let is_positive = match self.random.below(6) {
            0 | 1 => {
                self.name(index);
                self.text.push(" != 0");
                true
            }
            2 => {
                self.text.push("0 != ");
                self.name(index);
                true
            }
            3 => {
                self.name(index);
                true
            }
            4 => {
                self.text.push("0 == ");
                self.name(index);
                false
            }
            _ => {
                self.text.push("!");
                self.name(index);
                false
            }
        };
        let (when_true, when_false) =
            if is_positive { (Some(not_null), None) } else { (None, Some(not_null)) };
        let (when_true, when_false) = self.extend_test(index, when_true, when_false);
        Test { variable: index, when_true, when_false }
    }

    /// Adds a second operand, which may already rely on the first.
    fn extend_test(
        &mut self,
        index: usize,
        when_true: Option<Knowledge>,
        when_false: Option<Knowledge>,
    ) -> (Option<Knowledge>, Option<Knowledge>) {
        if !self.has(Feature::Logical) || !self.random.percent(30) {
            return (when_true, when_false);
        }
        let is_and = self.random.coin();
        self.text.push(if is_and { " && " } else { " || " });
        let fact = if is_and { when_true } else { when_false };
        let saved = fact.map(|knowledge| self.assume(index, knowledge));
        self.comparison();
        if let Some(saved) = saved {
            self.forget(saved);
        }
        if is_and { (when_true, None) } else { (None, when_false) }
    }

    /// Compares a variable with a constant inside its range.
    fn integer_test(&mut self, index: usize, scalar: Scalar, range: Interval) -> Test {
        let known = self.knowledge(index);
        let constant = self.constant_in(Interval::new(range.low + 1, range.high));
        let below = Knowledge { range: Interval::new(range.low, constant - 1), ..known };
        let above = Knowledge { range: Interval::new(constant, range.high), ..known };
        let operator = [Operator::Less, Operator::GreaterEqual, Operator::Equal, Operator::Unequal]
            [self.random.below(4)];
        self.read_name(index);
        self.text.push(" ");
        self.text.push(operator.text());
        self.text.push(" ");
        let (when_true, when_false) = match operator {
            Operator::Less | Operator::GreaterEqual => {
                self.text.literal(constant, scalar);
                if operator == Operator::Less { (below, above) } else { (above, below) }
            }
            _ => {
                let constant = if self.random.coin() && range.contains(0) { 0 } else { constant };
                self.text.literal(constant, scalar);
                let equal = Knowledge { range: Interval::exactly(constant), ..known };
                let unequal = Knowledge { is_nonzero: known.is_nonzero || constant == 0, ..known };
                if operator == Operator::Equal { (equal, unequal) } else { (unequal, equal) }
            }
        };
        let (when_true, when_false) = self.extend_test(index, Some(when_true), Some(when_false));
        Test { variable: index, when_true, when_false }
    }
}
