//! Loops. Each has a counter that nothing else writes, or walks an array with a pointer.

use super::Generator;
use super::feature::Feature;
use super::flow::Breakable;
use super::interval::Interval;
use super::scope::{Family, Variable};
use super::types::{Base, Kind, Scalar};

impl Generator<'_> {
    pub(super) fn any_loop(&mut self) -> bool {
        let Some(trips) = self.trips() else { return false };
        match self.random.below(4) {
            0 if self.has(Feature::While) && self.flow.may_declare => self.while_loop(trips),
            1 if self.has(Feature::Do) && self.flow.may_declare => self.do_loop(trips),
            2 if self.has(Feature::PointerWalks) && self.walk() => {}
            _ if self.has(Feature::For) => self.for_loop(trips),
            _ => return false,
        }
        true
    }

    /// Writes the body of a loop that runs at most this many times.
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

    /// A counter that nothing else writes.
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

    /// A variable whose range keeps a loop short enough.
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
    pub(super) fn declare_counter(&mut self, most: i128, first: i128) -> usize {
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

    pub(super) fn step(&mut self, index: usize, is_down: bool) {
        self.text.line();
        self.name(index);
        self.text.push(if is_down { "--;\n" } else { "++;\n" });
    }

    /// Adds a second condition to that of a loop, sometimes.
    pub(super) fn also_condition(&mut self) {
        if self.has(Feature::Logical) && self.random.percent(50) {
            self.text.push(" && ");
            self.pure_condition();
        }
    }

    /// Iterates over an array with a pointer, which is never dereferenced past the end.
    fn walk(&mut self) -> bool {
        for _ in 0..8 {
            let Some(array) = self.pick_variable() else { return false };
            let variable = self.variables[array];
            let [length, second, _] = variable.dimensions.0;
            let base = match variable.kind {
                Kind::Scalar(scalar) => Base::Scalar(scalar),
                Kind::Record(record) => Base::Record(record),
                Kind::Pointer { .. } => continue,
            };
            let trips = u64::from(length);
            let cost = self.flow.cost + self.flow.multiplier * trips * 8;
            let is_array = length > 0 && second == 0 && variable.is_addressable && variable.is_initialized;
            // The array of a parameter may be longer than declared, which is harmless.
            if is_array && cost <= self.flow.limit && self.flow.multiplier * trips <= 400 {
                self.walk_over(array, base, length);
                return true;
            }
        }
        false
    }

    fn walk_over(&mut self, array: usize, base: Base, length: u8) {
        let count = self.variables.len();
        let kind = Kind::Pointer { base, depth: 1 };
        let mut variable = Variable::new(Family::Local, self.next_local, kind);
        self.next_local += 1;
        variable.level = self.level + 1;
        variable.is_private = true;
        variable.locks = 1;
        self.variables.push(variable);
        self.text.line();
        self.text.push("for (");
        self.kind_text(kind);
        self.name(count);
        self.text.push(" = ");
        self.name(array);
        self.text.push("; ");
        self.name(count);
        self.text.push(if self.random.coin() { " < " } else { " != " });
        self.name(array);
        self.text.push(" + ");
        self.text.number(u128::from(length));
        self.text.push("; ");
        self.name(count);
        self.text.push("++)");
        self.loop_body(u64::from(length), |generator| {
            if generator.random.percent(60) {
                generator.write_through(count);
            }
        });
        self.text.push("\n");
        self.variables.truncate(count);
    }
}
