//! Lvalues: variables, elements, members and objects that pointers point to. Indices are in range by construction.

use super::Generator;
use super::feature::Feature;
use super::interval::Interval;
use super::scope::{Family, Variable};
use super::types::{Base, Dimensions, Kind, Scalar};

/// The purpose of an lvalue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

/// An lvalue of arithmetic type that was just written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lvalue {
    pub(super) scalar: Scalar,
    /// The range of its values, which a write must keep to; for integers.
    pub(super) range: Interval,
    pub(super) is_nonzero: bool,
    pub(super) start: usize,
}

/// How often a random variable is drawn before the search for a suitable one is given up.
const TRIES: usize = 9;

impl Generator<'_> {
    /// A random visible variable, more often of this function than of the file.
    pub(super) fn pick_variable(&mut self) -> Option<usize> {
        let (count, globals) = (self.variables.len(), self.global_count);
        if count > globals && (globals == 0 || self.random.percent(72)) {
            return Some(globals + self.random.below(count - globals));
        }
        (count > 0).then(|| self.random.below(count))
    }

    pub(super) fn name(&mut self, variable: usize) {
        let Variable { family, number, .. } = self.variables[variable];
        match family {
            Family::Global => {
                self.text.push(&self.options.prefix);
                self.text.push("global_");
            }
            Family::Local => self.text.push("local_"),
            Family::Parameter => self.text.push("parameter_"),
        }
        self.text.number(number as u128);
    }

    /// Writes an lvalue of integer or real type, if one is found.
    pub(super) fn lvalue(&mut self, access: Access, is_real: bool) -> Option<Lvalue> {
        for _ in 0..TRIES {
            let index = self.pick_variable()?;
            if self.suits(index, access) && self.leads_to(index, is_real) {
                return Some(self.write_lvalue(index, is_real));
            }
        }
        None
    }

    /// Whether the variable may be used this way in the current full expression.
    fn suits(&self, index: usize, access: Access) -> bool {
        let variable = &self.variables[index];
        if !variable.is_initialized || variable.changed == self.full.stamp {
            return false;
        }
        let is_pointer = matches!(variable.kind, Kind::Pointer { .. });
        match access {
            // An object that a call may change must not be read in an unsequenced operand.
            Access::Read => !self.full.private_only || variable.is_private && !is_pointer,
            Access::Write if is_pointer => !self.full.private_only || variable.is_private,
            Access::Write => variable.is_writable(),
        }
    }

    fn leads_to(&self, index: usize, is_real: bool) -> bool {
        let variable = &self.variables[index];
        match variable.kind {
            Kind::Pointer { base, .. } => !variable.is_nullable && self.kind_leads_to(base.kind(), is_real),
            kind => self.kind_leads_to(kind, is_real),
        }
    }

    fn kind_leads_to(&self, kind: Kind, is_real: bool) -> bool {
        match kind {
            Kind::Scalar(scalar) => scalar.is_real() == is_real,
            // Every record has a field of integer type.
            Kind::Record(record) => !is_real || self.records[record].has_real,
            Kind::Pointer { .. } => false,
        }
    }

    pub(super) fn write_lvalue(&mut self, index: usize, is_real: bool) -> Lvalue {
        let start = self.text.end();
        let Variable { kind, dimensions, range, is_nonzero, .. } = self.variables[index];
        self.variables[index].last_read = self.full.stamp;
        self.name(index);
        self.indices(dimensions);
        let (scalar, range, is_whole) = match kind {
            Kind::Scalar(scalar) => (scalar, range, !dimensions.is_array()),
            Kind::Record(record) => {
                let (scalar, range) = self.fields(record, ".", is_real);
                (scalar, range, false)
            }
            Kind::Pointer { base, depth } => {
                let (scalar, range) = self.pointee(start, base, depth, is_real);
                (scalar, range, false)
            }
        };
        Lvalue { scalar, range, is_nonzero: is_nonzero && is_whole, start }
    }

    /// Follows the pointer whose text starts at `start`.
    fn pointee(&mut self, start: usize, base: Base, depth: u8, is_real: bool) -> (Scalar, Interval) {
        match base {
            Base::Scalar(scalar) => {
                for _ in 0..depth {
                    self.text.insert(start, "*");
                }
                (scalar, integer_range(scalar))
            }
            Base::Record(record) => {
                self.follow_all_but_one(start, depth);
                self.fields(record, "->", is_real)
            }
        }
    }

    /// Turns a pointer to a pointer into a pointer, after which a member can follow.
    pub(super) fn follow_all_but_one(&mut self, start: usize, depth: u8) {
        for _ in 1..depth {
            self.text.insert(start, "*");
        }
        if depth > 1 {
            self.text.insert(start, "(");
            self.text.push(")");
        }
    }

    /// Writes members until one of arithmetic type is reached.
    fn fields(&mut self, record: usize, first_separator: &str, is_real: bool) -> (Scalar, Interval) {
        let (mut record, mut separator) = (record, first_separator);
        loop {
            let info = self.records[record];
            let offset = self.random.below(info.field_count);
            let number = (0..info.field_count)
                .map(|step| (offset + step) % info.field_count)
                .find(|number| self.kind_leads_to(self.fields[info.first_field + number].kind, is_real))
                .unwrap_or(0);
            self.text.push(separator);
            self.field_name(number);
            let field = self.fields[info.first_field + number];
            self.indices(field.dimensions);
            match field.kind {
                Kind::Scalar(scalar) if scalar.is_real() => return (scalar, Interval::exactly(0)),
                // Bit-fields are narrower than `int`, so they are promoted to it, regardless of their type.
                Kind::Scalar(scalar) if field.width > 0 => return (Scalar::Int, field.range(scalar)),
                Kind::Scalar(scalar) => return (scalar, scalar.range()),
                Kind::Record(inner) => record = inner,
                // Records hold no pointers.
                Kind::Pointer { .. } => return (Scalar::Int, Scalar::Int.range()),
            }
            separator = ".";
        }
    }

    pub(super) fn field_name(&mut self, number: usize) {
        self.text.push("field_");
        self.text.number(number as u128);
    }

    /// An index for each dimension.
    pub(super) fn indices(&mut self, dimensions: Dimensions) {
        for length in dimensions.lengths() {
            self.text.push("[");
            self.index(length);
            self.text.push("]");
        }
    }

    fn index(&mut self, length: u8) {
        let allowed = Interval::new(0, i128::from(length) - 1);
        for _ in 0..5 {
            if self.random.percent(15) {
                break;
            }
            let Some(index) = self.pick_variable() else { break };
            let variable = self.variables[index];
            let Some(scalar) = variable.plain_integer() else { continue };
            if !self.suits(index, Access::Read) {
                continue;
            }
            if variable.range.is_inside(allowed) {
                self.read_name(index);
                return;
            }
            if self.random.percent(60) || !self.wrap_index(index, scalar, length) {
                continue;
            }
            return;
        }
        let constant = self.random.below(usize::from(length));
        self.text.number(constant as u128);
    }

    pub(super) fn read_name(&mut self, index: usize) {
        self.variables[index].last_read = self.full.stamp;
        self.name(index);
    }

    /// Reduces an integer to a valid index of an array.
    fn wrap_index(&mut self, index: usize, scalar: Scalar, length: u8) -> bool {
        if self.has(Feature::BitOperators)
            && length.is_power_of_two()
            && length > 1
            && self.random.percent(70)
        {
            self.read_name(index);
            self.text.push(" & ");
            self.text.number(u128::from(length - 1));
            return true;
        }
        if !self.has(Feature::Division) {
            return false;
        }
        let promoted = scalar.promoted();
        if promoted.is_signed() && self.variables[index].range.low < 0 {
            if !self.has(Feature::Casts) || !self.has(Feature::Unsigned) {
                return false;
            }
            self.text.push("(");
            self.text.push(promoted.unsigned().text());
            self.text.push(")");
        }
        self.read_name(index);
        self.text.push(" % ");
        self.text.literal(i128::from(length), Scalar::UnsignedInt);
        true
    }
}

/// All values of an integer type; real types have their own bounds.
pub(super) fn integer_range(scalar: Scalar) -> Interval {
    if scalar.is_real() { Interval::exactly(0) } else { scalar.range() }
}
