//! Declarations of variables, with initializers, at file scope and in functions.

use super::Generator;
use super::feature::Feature;
use super::interval::Interval;
use super::scope::{Family, Variable};
use super::types::{Base, Dimensions, Kind, Scalar};

/// The ranges of integer variables, apart from those of their types.
const RANGES: [(i128, i128); 9] =
    [(0, 7), (0, 3), (0, 10), (0, 100), (-10, 10), (-100, 100), (-1000, 1000), (1, 16), (0, 65535)];

impl Generator<'_> {
    /// An integer type that the features allow.
    pub(super) fn integer_type(&mut self) -> Scalar {
        let scalar = match self.random.below(20) {
            0 if self.has(Feature::Booleans) => Scalar::Bool,
            1 if self.has(Feature::SmallIntegers) => Scalar::Char,
            2 if self.has(Feature::SmallIntegers) => Scalar::SignedChar,
            3 | 4 if self.has(Feature::SmallIntegers) => Scalar::UnsignedChar,
            5 if self.has(Feature::SmallIntegers) => Scalar::Short,
            6 if self.has(Feature::SmallIntegers) => Scalar::UnsignedShort,
            7 | 8 if self.has(Feature::LongIntegers) => Scalar::Long,
            9 if self.has(Feature::LongIntegers) => Scalar::UnsignedLong,
            10 if self.has(Feature::LongIntegers) => Scalar::LongLong,
            11 if self.has(Feature::LongIntegers) => Scalar::UnsignedLongLong,
            12..=14 => Scalar::UnsignedInt,
            _ => Scalar::Int,
        };
        if !self.has(Feature::Unsigned) && !scalar.is_signed() && scalar != Scalar::Bool {
            return Scalar::Int;
        }
        scalar
    }

    /// An arithmetic type that the features allow.
    pub(super) fn arithmetic_type(&mut self) -> Scalar {
        if self.has(Feature::Floats) && self.random.percent(18) {
            return self.real_type();
        }
        self.integer_type()
    }

    /// Draws a range for a variable of integer type.
    pub(super) fn draw_range(&mut self, scalar: Scalar) -> Interval {
        let (low, high) = RANGES[self.random.below(RANGES.len())];
        let range = Interval::new(low, high);
        let is_wide = self.random.percent(50);
        if is_wide || scalar == Scalar::Bool || !range.is_inside(scalar.range()) {
            scalar.range()
        } else {
            range
        }
    }

    pub(super) fn draw_dimensions(&mut self) -> Dimensions {
        let mut lengths = [0; 3];
        let count =
            if self.has(Feature::NestedArrays) { [1, 1, 1, 2, 2, 3][self.random.below(6)] } else { 1 };
        for length in lengths.iter_mut().take(count) {
            let choices: &[u8] = if count == 1 { &[2, 3, 4, 5, 8, 8, 10, 16] } else { &[2, 3, 4] };
            *length = choices[self.random.below(choices.len())];
        }
        Dimensions(lengths)
    }

    /// Declares a variable in a function, and gives it a value.
    pub(super) fn declare_local(&mut self) {
        let number = self.next_local;
        self.next_local += 1;
        let is_static = self.has(Feature::Statics) && self.random.percent(8);
        let mut variable = self.draw_variable(Family::Local, number);
        variable.level = if is_static { 0 } else { self.level };
        variable.is_private = !variable.is_addressable && !is_static;
        self.text.line();
        self.declare(variable, is_static);
    }

    /// Declares a variable of this kind whose address can be taken.
    pub(super) fn declare_target(&mut self, kind: Kind, dimensions: Dimensions) {
        let mut variable = Variable::new(Family::Local, self.next_local, kind);
        self.next_local += 1;
        variable.dimensions = dimensions;
        variable.level = self.level;
        variable.is_addressable = true;
        self.text.line();
        self.declare(variable, false);
    }

    /// Declares a variable at file scope.
    pub(super) fn declare_global(&mut self) {
        let number = self.variables.len();
        let mut variable = self.draw_variable(Family::Global, number);
        variable.level = 0;
        let is_static = self.has(Feature::Statics) && self.random.percent(50);
        self.declare(variable, is_static);
    }

    fn draw_variable(&mut self, family: Family, number: usize) -> Variable {
        let kind = self.draw_kind();
        let mut variable = Variable::new(family, number, kind);
        let is_pointer = matches!(kind, Kind::Pointer { .. });
        variable.is_nullable = is_pointer && self.has_null() && self.random.percent(45);
        let array_percent = if family == Family::Global { 35 } else { 20 };
        if self.has(Feature::Arrays) && !is_pointer && self.random.percent(array_percent) {
            variable.dimensions = self.draw_dimensions();
        }
        variable.is_constant = self.has(Feature::Constants) && !is_pointer && self.random.percent(8);
        // Nothing is known about the object that a pointer points to, so only variables without a narrow range have
        // pointers.
        let may_point = self.has(Feature::Pointers) && !variable.is_constant && !variable.is_nullable;
        variable.is_addressable = may_point && self.random.percent(45);
        if let (Kind::Scalar(scalar), false) = (kind, variable.is_addressable)
            && !scalar.is_real()
        {
            variable.range = self.draw_range(scalar);
        }
        variable
    }

    fn draw_kind(&mut self) -> Kind {
        if !self.records.is_empty() && self.random.percent(22) {
            return Kind::Record(self.random.below(self.records.len()));
        }
        if self.has(Feature::Pointers)
            && self.random.percent(25)
            && let Some((base, depth)) = self.pick_target()
        {
            return Kind::Pointer { base, depth };
        }
        Kind::Scalar(self.arithmetic_type())
    }

    /// Writes the declaration and makes the variable visible.
    fn declare(&mut self, variable: Variable, is_static: bool) {
        let start = self.text.end();
        if is_static {
            self.text.push("static ");
        }
        let is_global = variable.family == Family::Global;
        if variable.is_constant {
            self.text.push("const ");
        }
        self.variables.push(variable);
        let index = self.variables.len() - 1;
        self.kind_text(variable.kind);
        self.name(index);
        self.dimensions_text(variable.dimensions);
        self.text.push(" = ");
        // A variable must not be part of its own initializer.
        self.variables[index].is_initialized = false;
        let is_done = self.initial_value(variable, is_global || is_static);
        self.variables[index].is_initialized = true;
        if !is_done {
            self.text.truncate(start);
            self.variables[index].kind = Kind::Scalar(Scalar::Int);
            self.variables[index].dimensions = Dimensions::default();
            self.variables[index].is_nullable = false;
            self.variables[index].range = Scalar::Int.range();
            self.text.push(if is_static { "static int " } else { "int " });
            self.name(index);
            self.text.push(" = 1");
        }
        self.text.end_statement();
    }

    /// A type and the space or stars before a name.
    pub(super) fn kind_text(&mut self, kind: Kind) {
        match kind {
            Kind::Scalar(scalar) => {
                self.text.push(scalar.text());
                self.text.push(" ");
            }
            Kind::Record(record) => {
                self.record_name(record);
                self.text.push(" ");
            }
            Kind::Pointer { base, depth } => {
                match base {
                    Base::Scalar(scalar) => self.text.push(scalar.text()),
                    Base::Record(record) => self.record_name(record),
                }
                self.text.push(" ");
                for _ in 0..depth {
                    self.text.push("*");
                }
            }
        }
    }

    pub(super) fn record_name(&mut self, record: usize) {
        self.text.push(if self.records[record].is_union { "union " } else { "struct " });
        self.text.push(&self.options.prefix);
        self.text.push("record_");
        self.text.number(record as u128);
    }

    pub(super) fn dimensions_text(&mut self, dimensions: Dimensions) {
        for length in dimensions.lengths() {
            self.text.push("[");
            self.text.number(u128::from(length));
            self.text.push("]");
        }
    }

    /// Writes the initializer. Returns false if there is none, for a pointer without a target.
    fn initial_value(&mut self, variable: Variable, must_be_constant: bool) -> bool {
        if let Kind::Pointer { base, depth } = variable.kind {
            return self.initial_pointer(variable, base, depth, must_be_constant);
        }
        let is_plain = !variable.dimensions.is_array() && !must_be_constant;
        if let (Kind::Scalar(scalar), true) = (variable.kind, is_plain) {
            self.begin_expression(false);
            self.full.wants_effect = false;
            if scalar.is_real() {
                let value = self.real(1);
                self.fit_real(value);
            } else if self.options.inputs && self.random.percent(35) {
                let value = self.input();
                self.fit(value, scalar, variable.range);
            } else if self.random.percent(50) {
                let value = self.integer(1);
                self.fit(value, scalar, variable.range);
            } else {
                self.constant_value(variable.kind, variable.range);
            }
            return true;
        }
        self.elements(variable.kind, variable.range, variable.dimensions);
        true
    }

    fn initial_pointer(&mut self, variable: Variable, base: Base, depth: u8, must_be_constant: bool) -> bool {
        if variable.is_nullable && self.random.coin() {
            self.text.push("0");
            return true;
        }
        self.begin_pure_expression();
        let start = self.text.end();
        if must_be_constant {
            return self.constant_address(base, depth)
                || variable.is_nullable && {
                    self.text.truncate(start);
                    self.text.push("0");
                    true
                };
        }
        self.address(base, depth, variable.level)
    }

    /// The address of a whole variable with static storage.
    fn constant_address(&mut self, base: Base, depth: u8) -> bool {
        let wanted = if depth == 1 { base.kind() } else { Kind::Pointer { base, depth: depth - 1 } };
        for _ in 0..12 {
            let Some(index) = self.pick_variable() else { return false };
            let variable = self.variables[index];
            let lives_long = variable.level == 0 && variable.is_initialized;
            if !lives_long || !variable.is_addressable || variable.kind != wanted {
                continue;
            }
            self.text.push("&");
            self.name(index);
            for length in variable.dimensions.lengths() {
                let constant = self.random.below(usize::from(length));
                self.text.push("[");
                self.text.number(constant as u128);
                self.text.push("]");
            }
            return true;
        }
        false
    }

    /// Constants for all elements.
    pub(super) fn elements(&mut self, kind: Kind, range: Interval, dimensions: Dimensions) {
        let Some(length) = dimensions.lengths().next() else {
            self.constant_value(kind, range);
            return;
        };
        let [_, second, third] = dimensions.0;
        self.text.push("{");
        for position in 0..length {
            if position > 0 {
                self.text.push(", ");
            }
            self.elements(kind, range, Dimensions([second, third, 0]));
            // Omitted elements are zero.
            if range.contains(0) && self.random.percent(10) {
                break;
            }
        }
        self.text.push("}");
    }

    /// A constant of a scalar type, or one for each field of a record.
    pub(super) fn constant_value(&mut self, kind: Kind, range: Interval) {
        match kind {
            Kind::Scalar(scalar) if scalar.is_real() => {
                let eighths = self.random.below(800) as i64 - 300;
                self.text.real_literal(eighths, scalar);
            }
            Kind::Scalar(scalar) => {
                let number = self.constant_in(range);
                self.text.literal(number, scalar);
            }
            Kind::Record(record) => self.record_constant(record),
            Kind::Pointer { .. } => self.text.push("0"),
        }
    }

    fn record_constant(&mut self, record: usize) {
        let info = self.records[record];
        // The first member of a union is initialized; all have the same size.
        let count = if info.is_union { 1 } else { info.field_count };
        self.text.push("{");
        for number in 0..count {
            if number > 0 {
                self.text.push(", ");
            }
            let field = self.fields[info.first_field + number];
            let range = match field.kind {
                Kind::Scalar(scalar) if !scalar.is_real() => field.range(scalar),
                _ => Interval::exactly(0),
            };
            self.elements(field.kind, range, field.dimensions);
        }
        self.text.push("}");
    }
}
