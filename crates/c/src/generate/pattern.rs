//! Patterns of related statements: a variable gets its value in one place, and is read in another that is reached only
//! if it did. Analyzers that do not track conditions closely report false positives on them.

use super::Generator;
use super::feature::Feature;
use super::interval::Interval;
use super::scope::{Family, Variable};
use super::types::{Dimensions, Kind, Scalar};

impl Generator<'_> {
    /// A variable without a value at first, to which both branches then assign.
    pub(super) fn late_initialization(&mut self) -> bool {
        if !self.flow.may_declare {
            return false;
        }
        let index = self.declare_without_value();
        self.text.line();
        self.text.push("if (");
        self.condition();
        self.text.push(")");
        self.text.open();
        self.first_value(index);
        self.text.close();
        self.text.push(" else");
        self.text.open();
        self.first_value(index);
        self.text.close_line();
        self.variables[index].is_initialized = true;
        true
    }

    fn declare_without_value(&mut self) -> usize {
        let scalar = self.integer_type();
        let mut variable = Variable::new(Family::Local, self.next_local, Kind::Scalar(scalar));
        self.next_local += 1;
        variable.level = self.level;
        variable.is_private = true;
        variable.is_initialized = false;
        self.variables.push(variable);
        let index = self.variables.len() - 1;
        self.text.line();
        self.text.push(scalar.text());
        self.text.push(" ");
        self.name(index);
        self.text.end_statement();
        index
    }

    /// The body of a branch that starts with the first assignment to a variable.
    fn first_value(&mut self, index: usize) {
        let outside = self.enter();
        let Kind::Scalar(scalar) = self.variables[index].kind else { return };
        self.begin_expression(false);
        self.text.line();
        self.name(index);
        self.text.push(" = ");
        let value = self.integer(1);
        self.fit(value, scalar, scalar.range());
        self.text.end_statement();
        let size = self.random.below(2);
        self.statements(size);
        self.leave(outside);
    }

    /// The same test twice: the second branch relies on what the first one did. Nothing in between changes what is
    /// tested.
    pub(super) fn correlation(&mut self) -> bool {
        if !self.flow.may_declare {
            return false;
        }
        if self.random.coin() {
            return self.correlation_by_status();
        }
        let Some(flag) = self.pick_flag() else { return false };
        let index = self.declare_for_later();
        self.begin_pure_expression();
        self.text.line();
        let start = self.text.end();
        self.text.push("if (");
        let known = self.knowledge(flag);
        let fact = self.flag_test(flag);
        self.text.push(")");
        let end = self.text.end();
        self.text.open();
        let held = self.assume(flag, known);
        self.first_use(index);
        self.text.close_line();
        let size = self.block_size();
        self.statements(size);
        self.text.line();
        self.text.repeat(start, end);
        self.text.open();
        let truth = self.assume(flag, fact);
        self.second_use(index);
        self.forget(truth);
        self.forget(held);
        self.text.close_line();
        true
    }

    /// A variable that records whether another one has its value.
    fn correlation_by_status(&mut self) -> bool {
        let status = self.declare_status();
        let index = self.declare_for_later();
        self.text.line();
        self.text.push("if (");
        self.condition();
        self.text.push(")");
        self.text.open();
        let is_first = self.random.coin();
        if is_first {
            self.set_status(status);
        }
        self.first_use(index);
        if !is_first {
            self.set_status(status);
        }
        self.text.close_line();
        let size = self.block_size();
        self.statements(size);
        self.text.line();
        self.text.push("if (");
        self.name(status);
        self.text.push(["", " != 0", " == 1", " > 0"][self.random.below(4)]);
        self.text.push(")");
        self.text.open();
        self.second_use(index);
        self.text.close_line();
        true
    }

    /// A variable that is 0 until `set_status`, and that nothing else writes.
    fn declare_status(&mut self) -> usize {
        let mut variable = Variable::new(Family::Local, self.next_local, Kind::Scalar(Scalar::Int));
        self.next_local += 1;
        variable.level = self.level;
        variable.is_private = true;
        variable.range = Interval::TRUTH;
        variable.locks = 1;
        self.variables.push(variable);
        let index = self.variables.len() - 1;
        self.text.line();
        self.text.push("int ");
        self.name(index);
        self.text.push(" = 0;\n");
        index
    }

    fn set_status(&mut self, index: usize) {
        self.text.line();
        self.name(index);
        self.text.push(" = 1;\n");
    }

    /// An uninitialized variable, or a null pointer.
    fn declare_for_later(&mut self) -> usize {
        let pointer = if self.has_null() && self.random.coin() { self.declare_null() } else { None };
        pointer.unwrap_or_else(|| self.declare_without_value())
    }

    /// An uninitialized array, which a loop then fills.
    pub(super) fn filled_array(&mut self) -> bool {
        if !self.flow.may_declare || !self.has(Feature::Arrays) || self.flow.multiplier > 40 {
            return false;
        }
        let scalar = self.integer_type();
        let length = [2, 3, 4, 5, 8][self.random.below(5)];
        let mut variable = Variable::new(Family::Local, self.next_local, Kind::Scalar(scalar));
        let counter = self.next_local + 1;
        self.next_local += 2;
        variable.level = self.level;
        variable.dimensions = Dimensions([length, 0, 0]);
        variable.is_addressable = self.has(Feature::Pointers);
        variable.is_private = !variable.is_addressable;
        variable.is_initialized = false;
        self.variables.push(variable);
        let index = self.variables.len() - 1;
        let mut counting = Variable::new(Family::Local, counter, Kind::Scalar(Scalar::Int));
        counting.range = Interval::new(0, i128::from(length) - 1);
        counting.is_private = true;
        counting.locks = 1;
        counting.level = self.level + 1;
        self.variables.push(counting);
        self.text.line();
        self.text.push(scalar.text());
        self.text.push(" ");
        self.name(index);
        self.dimensions_text(variable.dimensions);
        self.text.end_statement();
        self.fill_loop(index, index + 1, length);
        self.variables.pop();
        self.variables[index].is_initialized = true;
        self.flow.cost += self.flow.multiplier * u64::from(length);
        true
    }

    fn fill_loop(&mut self, array: usize, counter: usize, length: u8) {
        let Kind::Scalar(scalar) = self.variables[array].kind else { return };
        self.text.line();
        self.text.push("for (int ");
        self.name(counter);
        self.text.push(" = 0; ");
        self.name(counter);
        self.text.push(" < ");
        self.text.number(u128::from(length));
        self.text.push("; ");
        self.name(counter);
        self.text.push("++)");
        self.text.open();
        self.begin_expression(false);
        self.text.line();
        self.name(array);
        self.text.push("[");
        self.read_name(counter);
        self.text.push("] = ");
        let value = self.integer(1);
        self.fit(value, scalar, scalar.range());
        self.text.end_statement();
        self.text.close_line();
    }

    /// Calls a function that gives a variable its value only if it returns a nonzero number.
    pub(super) fn out_parameter_call(&mut self) -> bool {
        if !self.flow.may_declare || self.flow.calls_forbidden > 0 || self.getters.is_empty() {
            return false;
        }
        let getter = self.getters[self.random.below(self.getters.len())];
        let cost = getter.cost.saturating_mul(self.flow.multiplier);
        if self.flow.cost.saturating_add(cost) > self.flow.limit {
            return false;
        }
        self.flow.cost += cost;
        let mut variable = Variable::new(Family::Local, self.next_local, getter.kind);
        self.next_local += 1;
        variable.level = self.level;
        variable.is_private = true;
        variable.is_initialized = false;
        self.variables.push(variable);
        let index = self.variables.len() - 1;
        self.text.line();
        self.kind_text(getter.kind);
        self.name(index);
        let is_null = matches!(getter.kind, Kind::Pointer { .. }) && self.has_null() && self.random.coin();
        self.text.push(if is_null { " = 0;\n" } else { ";\n" });
        self.begin_pure_expression();
        self.text.line();
        self.text.push("if (");
        self.function_name(getter.number);
        self.text.push("(");
        self.integer(1);
        self.text.push(", &");
        self.name(index);
        self.text.push(")");
        self.text.push(["", " != 0", " == 1", " > 0"][self.random.below(4)]);
        self.text.push(")");
        self.text.open();
        self.second_use(index);
        self.text.close_line();
        true
    }

    /// A private integer that can be tested.
    fn pick_flag(&mut self) -> Option<usize> {
        for _ in 0..8 {
            let index = self.pick_variable()?;
            let variable = &self.variables[index];
            let is_integer = variable.plain_integer().is_some_and(|scalar| scalar != Scalar::Bool);
            let is_flag = variable.is_private && variable.is_initialized && !variable.is_constant;
            if is_integer && is_flag && variable.range.low < variable.range.high {
                return Some(index);
            }
        }
        None
    }

    /// `flag < constant` or its opposite. Returns what is known if it holds.
    fn flag_test(&mut self, flag: usize) -> super::flow::Knowledge {
        let known = self.knowledge(flag);
        let Kind::Scalar(scalar) = self.variables[flag].kind else { return known };
        let Interval { low, high } = known.range;
        let constant = self.constant_in(Interval::new(low + 1, high));
        let is_less = self.random.coin();
        self.read_name(flag);
        self.text.push(if is_less { " < " } else { " >= " });
        self.text.literal(constant, scalar);
        let range = if is_less { Interval::new(low, constant - 1) } else { Interval::new(constant, high) };
        super::flow::Knowledge { range, ..known }
    }

    /// A null pointer to the type of a visible variable.
    fn declare_null(&mut self) -> Option<usize> {
        let (base, depth) = self.pick_target()?;
        let mut variable = Variable::new(Family::Local, self.next_local, Kind::Pointer { base, depth });
        self.next_local += 1;
        variable.level = self.level;
        variable.is_private = true;
        variable.is_nullable = true;
        variable.is_initialized = false;
        self.variables.push(variable);
        let index = self.variables.len() - 1;
        self.text.line();
        self.kind_text(variable.kind);
        self.name(index);
        self.text.push(" = 0;\n");
        Some(index)
    }

    /// Gives the variable of a correlation its value.
    fn first_use(&mut self, index: usize) {
        let Kind::Pointer { base, depth } = self.variables[index].kind else {
            self.first_value(index);
            return;
        };
        let outside = self.enter();
        self.begin_pure_expression();
        self.text.line();
        self.name(index);
        self.text.push(" = ");
        let level = self.variables[index].level;
        if self.address(base, depth, level) {
            self.variables[index].is_nullable = false;
        } else {
            self.text.push("0");
        }
        self.text.end_statement();
        self.leave(outside);
    }

    /// Uses the variable of a correlation, which has its value only here.
    fn second_use(&mut self, index: usize) {
        let outside = self.enter();
        let is_pointer = matches!(self.variables[index].kind, Kind::Pointer { .. });
        self.variables[index].is_initialized = true;
        if is_pointer && !self.variables[index].is_nullable {
            self.variables[index].locks += 1;
            self.write_through(index);
        } else if !is_pointer {
            self.begin_pure_expression();
            self.mix_start();
            self.name(index);
            self.text.end_statement();
        }
        let size = self.block_size();
        self.statements(size);
        self.variables[index].is_initialized = false;
        self.leave(outside);
    }
}
