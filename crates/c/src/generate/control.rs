//! Statements that hold others: branches, loops, `switch`, `goto`, and patterns in which two branches belong together.

use super::Generator;
use super::feature::Feature;
use super::flow::Breakable;
use super::interval::Interval;
use super::scope::{Family, Variable};
use super::types::{Kind, Scalar};

impl Generator<'_> {
    pub(super) fn branch(&mut self) {
        self.text.line();
        self.text.push("if (");
        let test = self.condition();
        self.text.push(")");
        self.text.open();
        let size = self.block_size();
        self.body_with(test.and_then(|test| Some((test.variable, test.when_true?))), size);
        self.text.close();
        // The second condition must not undo what the first one said, so the fact holds from here.
        let opposite = test.and_then(|test| Some((test.variable, test.when_false?)));
        let saved = opposite.map(|(variable, knowledge)| self.assume(variable, knowledge));
        if self.random.percent(15) {
            self.text.push(" else if (");
            let own = self.condition();
            self.text.push(")");
            self.text.open();
            let size = self.block_size();
            self.body_with(own.and_then(|test| Some((test.variable, test.when_true?))), size);
            self.text.close();
        }
        if self.random.percent(45) {
            self.text.push(" else");
            self.text.open();
            let size = self.block_size();
            self.body(size);
            self.text.close();
        }
        if let Some(saved) = saved {
            self.forget(saved);
        }
        self.text.push("\n");
    }

    /// Tests a pointer and uses it.
    pub(super) fn null_guard(&mut self) -> bool {
        let Some(index) = self.pick_nullable() else { return false };
        self.begin_pure_expression();
        self.text.line();
        self.text.push("if (");
        let test = self.null_test(index);
        self.text.push(")");
        self.text.open();
        self.guarded_body(index, test.when_true);
        self.text.close();
        if test.when_false.is_some() || self.random.percent(20) {
            self.text.push(" else");
            self.text.open();
            self.guarded_body(index, test.when_false);
            self.text.close();
        }
        self.text.push("\n");
        true
    }

    fn guarded_body(&mut self, index: usize, knowledge: Option<super::flow::Knowledge>) {
        let Some(knowledge) = knowledge else {
            self.body(1);
            return;
        };
        let saved = self.assume(index, knowledge);
        let outside = self.enter();
        if self.random.percent(70) {
            self.write_through(index);
        }
        let size = self.block_size();
        self.statements(size);
        self.leave(outside);
        self.forget(saved);
    }

    pub(super) fn any_loop(&mut self) -> bool {
        let Some(trips) = self.trips() else { return false };
        match self.random.below(4) {
            0 if self.has(Feature::While) && self.flow.may_declare => self.while_loop(trips),
            1 if self.has(Feature::Do) && self.flow.may_declare => self.do_loop(trips),
            _ if self.has(Feature::For) => self.for_loop(trips),
            _ => return false,
        }
        true
    }

    /// Writes the body of a loop that runs so many times at most.
    fn loop_body(&mut self, trips: u64, first: impl FnOnce(&mut Self)) {
        let outside = (self.flow.multiplier, self.flow.breakable);
        self.flow.multiplier *= trips;
        self.flow.breakable = Breakable::Loop;
        self.flow.loops += 1;
        self.text.open();
        let block = self.enter();
        first(self);
        let size = self.block_size();
        self.statements(size);
        self.leave(block);
        self.text.close();
        self.flow.loops -= 1;
        (self.flow.multiplier, self.flow.breakable) = outside;
    }

    /// A variable that counts and that nothing else writes.
    fn counter(&mut self, scalar: Scalar, range: Interval) -> usize {
        let mut variable = Variable::new(Family::Local, self.next_local, Kind::Scalar(scalar));
        self.next_local += 1;
        variable.range = range;
        variable.level = self.level;
        variable.is_private = true;
        variable.locks = 1;
        self.variables.push(variable);
        self.variables.len() - 1
    }

    fn counter_type(&mut self) -> Scalar {
        match self.integer_type() {
            Scalar::Bool => Scalar::Int,
            _ if self.random.coin() => Scalar::Int,
            scalar => scalar,
        }
    }

    fn for_loop(&mut self, trips: u64) {
        let count = self.variables.len();
        let scalar = self.counter_type();
        let most = i128::from(trips);
        let bound = self.bound_variable(most);
        let is_down = self.random.percent(25);
        let range = if is_down { Interval::new(1, most) } else { Interval::new(0, most - 1) };
        let index = self.counter(scalar, range);
        self.variables[index].is_initialized = false;
        self.text.line();
        self.text.push("for (");
        self.text.push(scalar.text());
        self.text.push(" ");
        self.name(index);
        self.text.push(" = ");
        let limit = |generator: &mut Self| match bound {
            Some(bound) => generator.name(bound),
            None => generator.text.literal(most, scalar),
        };
        if is_down {
            limit(self);
        } else {
            self.text.push("0");
        }
        self.text.push("; ");
        self.name(index);
        if is_down {
            self.text.push(" > 0");
        } else {
            self.text.push(" < ");
            limit(self);
        }
        self.text.push("; ");
        let step = self.random.percent(15) && trips > 2;
        self.name(index);
        self.text.push(match (is_down, step) {
            (false, true) => " += 2",
            (false, false) => "++",
            (true, _) => "--",
        });
        self.text.push(")");
        self.variables[index].is_initialized = true;
        self.loop_body(trips, |_| {});
        self.text.push("\n");
        self.variables.truncate(count);
    }

    /// A variable whose promise keeps a loop as short as it must be.
    fn bound_variable(&mut self, most: i128) -> Option<usize> {
        if self.random.percent(50) {
            return None;
        }
        self.begin_pure_expression();
        for _ in 0..5 {
            let index = self.pick_variable()?;
            let variable = self.variables[index];
            let is_bound = variable.plain_integer().is_some() && variable.is_initialized;
            if is_bound && variable.range.is_inside(Interval::new(0, most)) {
                return Some(index);
            }
        }
        None
    }

    /// Declares a counter for a loop, with its first value.
    fn declare_counter(&mut self, most: i128, first: i128) -> usize {
        let scalar = self.counter_type();
        let index = self.counter(scalar, Interval::new(0, most));
        self.text.line();
        self.text.push(scalar.text());
        self.text.push(" ");
        self.name(index);
        self.text.push(" = ");
        self.text.literal(first, scalar);
        self.text.end_statement();
        index
    }

    fn while_loop(&mut self, trips: u64) {
        let most = i128::from(trips);
        let is_down = self.random.percent(40);
        let index = self.declare_counter(most, if is_down { most } else { 0 });
        self.text.line();
        self.text.push("while (");
        self.name(index);
        if is_down {
            self.text.push(" > 0");
        } else {
            self.text.push(" < ");
            let Kind::Scalar(scalar) = self.variables[index].kind else { return };
            self.text.literal(most, scalar);
        }
        self.also_condition();
        self.text.push(")");
        self.loop_body(trips, |generator| generator.step(index, is_down));
        self.text.push("\n");
    }

    fn do_loop(&mut self, trips: u64) {
        let most = i128::from(trips);
        let is_down = self.random.percent(40);
        let index = self.declare_counter(most, if is_down { most } else { 0 });
        self.text.line();
        self.text.push("do");
        self.loop_body(trips, |generator| generator.step(index, is_down));
        self.text.push(" while (");
        self.name(index);
        if is_down {
            self.text.push(" > 0");
        } else {
            self.text.push(" < ");
            let Kind::Scalar(scalar) = self.variables[index].kind else { return };
            self.text.literal(most, scalar);
        }
        self.also_condition();
        self.text.push(");\n");
    }

    fn step(&mut self, index: usize, is_down: bool) {
        self.text.line();
        self.name(index);
        self.text.push(if is_down { "--;\n" } else { "++;\n" });
    }

    /// Adds a second condition to that of a loop, sometimes.
    fn also_condition(&mut self) {
        if self.has(Feature::Logical) && self.random.percent(50) {
            self.text.push(" && ");
            self.pure_condition();
        }
    }

    pub(super) fn switch(&mut self) -> bool {
        let wants_call = self.random.percent(20);
        self.begin_expression(wants_call);
        self.text.line();
        self.text.push("switch (");
        let value = self.varying(1);
        let cases = 1 + self.random.below(5) as i128;
        let value = if self.random.percent(60) && !value.range.is_inside(Interval::new(0, 7)) {
            self.fit(value, Scalar::LongLong, Interval::new(0, 7))
        } else {
            value
        };
        self.text.push(")");
        self.text.open();
        let outside = self.flow.breakable;
        self.flow.breakable = Breakable::Switch;
        self.text.indent -= 1;
        let gap = 1 + self.random.below(2) as i128;
        let has_default = self.random.percent(70);
        let default_place = self.random.below(cases as usize) as i128;
        for number in 0..cases {
            if has_default && number == default_place && self.random.percent(30) {
                self.case(None);
                self.cases_after_default(number, cases, gap, value.scalar);
                self.end_switch(outside);
                return true;
            }
            self.case(Some((number * gap, value.scalar)));
        }
        if has_default {
            self.case(None);
        }
        self.end_switch(outside);
        true
    }

    fn cases_after_default(&mut self, from: i128, cases: i128, gap: i128, scalar: Scalar) {
        for number in from..cases {
            self.case(Some((number * gap, scalar)));
        }
    }

    fn end_switch(&mut self, outside: Breakable) {
        self.flow.breakable = outside;
        self.text.whole_line("}");
    }

    /// One case, or the default without a label.
    fn case(&mut self, label: Option<(i128, Scalar)>) {
        self.text.line();
        match label {
            Some((number, scalar)) => {
                self.text.push("case ");
                self.text.literal(number, scalar);
            }
            None => self.text.push("default"),
        }
        self.text.push(":");
        self.text.open();
        let size = self.block_size().min(3);
        self.body(size);
        if !self.has(Feature::FallThrough) || self.random.percent(70) {
            self.text.whole_line("break;");
        }
        self.text.close_line();
    }

    pub(super) fn goto(&mut self, label: usize) {
        self.text.line();
        self.text.push("goto label_");
        self.text.number(label as u128);
        self.text.end_statement();
    }

    fn label(&mut self, label: usize) {
        self.text.push("label_");
        self.text.number(label as u128);
        self.text.push(":\n");
    }

    fn new_label(&mut self) -> usize {
        self.next_label += 1;
        self.next_label - 1
    }

    /// `goto` past some statements. None of them is a declaration, which could be passed by.
    pub(super) fn forward_goto(&mut self) -> bool {
        let label = self.new_label();
        self.text.line();
        self.text.push("if (");
        self.condition();
        self.text.push(")");
        self.text.open();
        self.goto(label);
        self.text.close_line();
        let may_declare = std::mem::replace(&mut self.flow.may_declare, false);
        self.pending_labels.push(label);
        let size = self.block_size();
        self.statements(size);
        self.pending_labels.pop();
        self.label(label);
        self.mix();
        self.flow.may_declare = may_declare;
        true
    }

    /// `goto` back, counted.
    pub(super) fn backward_goto(&mut self) -> bool {
        if !self.flow.may_declare {
            return false;
        }
        let Some(trips) = self.trips() else { return false };
        let index = self.declare_counter(i128::from(trips), 0);
        let label = self.new_label();
        self.label(label);
        self.step(index, false);
        let multiplier = self.flow.multiplier;
        self.flow.multiplier *= trips;
        self.flow.may_declare = false;
        let size = self.block_size();
        self.statements(size);
        self.flow.may_declare = true;
        self.flow.multiplier = multiplier;
        self.text.line();
        self.text.push("if (");
        self.name(index);
        self.text.push(" < ");
        self.text.number(u128::from(trips));
        self.also_condition();
        self.text.push(")");
        self.text.open();
        self.goto(label);
        self.text.close_line();
        true
    }

    /// A variable without a value at first, which both branches then give it.
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
        let Some(flag) = self.pick_flag() else { return false };
        let index = match self.has_null() && self.random.coin() {
            true => match self.declare_null() {
                Some(index) => index,
                None => return false,
            },
            false => self.declare_without_value(),
        };
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

    /// `flag < constant` or its opposite; returns what it says.
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

    /// A null pointer for something that is visible here.
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

    /// Uses the variable of a correlation, which has its value here, and only here.
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
