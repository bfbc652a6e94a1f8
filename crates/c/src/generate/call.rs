//! Functions that can be called, calls, and inputs.

use super::Generator;
use super::feature::Feature;
use super::interval::Interval;
use super::real::{RealValue, VARIABLE_BOUND};
use super::types::{Base, Dimensions, Kind, Scalar};
use super::value::Value;

/// What a function takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameter {
    pub(super) kind: Kind,
    pub(super) dimensions: Dimensions,
    pub(super) range: Interval,
    pub(super) is_nullable: bool,
}

/// A function that is already written or is being written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Function {
    pub(super) number: usize,
    /// The type of its result; none for `void`.
    pub(super) result: Option<Kind>,
    /// The integers that it returns.
    pub(super) range: Interval,
    /// Whether it may return a null pointer.
    pub(super) returns_null: bool,
    pub(super) first_parameter: usize,
    pub(super) parameter_count: usize,
    /// About how many statements a call executes.
    pub(super) cost: u64,
    /// How deep it calls itself, counted down by the first parameter. Zero if it does not.
    pub(super) recursion: u8,
}

/// The approximate number of statements that a program may execute.
pub(super) const COST_LIMIT: u64 = 60_000;

/// The types of inputs and the names of the functions that give them.
const INPUTS: [(Scalar, &str); 9] = [
    (Scalar::Int, "int"),
    (Scalar::UnsignedInt, "uint"),
    (Scalar::Char, "char"),
    (Scalar::UnsignedChar, "uchar"),
    (Scalar::Short, "short"),
    (Scalar::UnsignedShort, "ushort"),
    (Scalar::Long, "long"),
    (Scalar::UnsignedLong, "ulong"),
    (Scalar::Bool, "bool"),
];

impl Generator<'_> {
    /// Whether any function could be called here.
    pub(super) fn can_call(&self) -> bool {
        self.flow.calls_forbidden == 0 && !self.functions.is_empty()
    }

    /// A function whose call is not too expensive here.
    fn pick_function(&mut self) -> Option<usize> {
        if !self.can_call() {
            return None;
        }
        let index = self.random.below(self.functions.len());
        self.may_call(index).then_some(index)
    }

    /// Whether a call of this function is not too expensive here, and terminates.
    pub(super) fn may_call(&self, index: usize) -> bool {
        let function = self.functions[index];
        if self.current_function == Some(index) {
            return function.recursion > 0 && self.flow.self_calls > 0 && self.flow.multiplier == 1;
        }
        let cost = function.cost.saturating_mul(self.flow.multiplier);
        self.flow.cost.saturating_add(cost) <= self.flow.limit
    }

    /// A call whose result is an integer.
    pub(super) fn call_value(&mut self) -> Option<Value> {
        let index = self.pick_function()?;
        let Function { result: Some(Kind::Scalar(scalar)), range, .. } = self.functions[index] else {
            return None;
        };
        if scalar.is_real() {
            return None;
        }
        let start = self.text.end();
        self.call(index).then(|| Value::tight(scalar, range, start))
    }

    /// A call whose result is real.
    pub(super) fn call_real(&mut self) -> Option<RealValue> {
        let index = self.pick_function()?;
        let Some(Kind::Scalar(scalar)) = self.functions[index].result else {
            return None;
        };
        if !scalar.is_real() {
            return None;
        }
        let start = self.text.end();
        self.call(index).then_some(RealValue { scalar, bound: VARIABLE_BOUND, start, is_tight: true })
    }

    /// A call whose result is a pointer to an object with static storage.
    pub(super) fn call_pointer(&mut self, target: usize, base: Base, may_be_null: bool) -> bool {
        let Some(index) = self.pick_function() else { return false };
        let function = self.functions[index];
        let fits = function.result == Some(Kind::Pointer { base, depth: 1 });
        // The index of the assigned pointer must not depend on what the call does.
        let is_plain = !self.variables[target].dimensions.is_array();
        fits && is_plain && (may_be_null || !function.returns_null) && self.call(index)
    }

    /// A call whose result is a record.
    pub(super) fn call_record(&mut self, record: usize) -> bool {
        let Some(index) = self.pick_function() else { return false };
        self.functions[index].result == Some(Kind::Record(record)) && self.call(index)
    }

    /// A statement that calls a function and ignores its result.
    pub(super) fn call_statement(&mut self) -> bool {
        let Some(index) = self.pick_function() else { return false };
        self.begin_expression(true);
        let start = self.text.end();
        self.text.line();
        if self.functions[index].result.is_some() {
            self.text.push("(void)");
        }
        if !self.call(index) {
            self.text.truncate(start);
            return false;
        }
        self.text.end_statement();
        true
    }

    /// Writes a call with its arguments. Writes nothing and returns false if there is no argument for some parameter.
    pub(super) fn call(&mut self, index: usize) -> bool {
        let function = self.functions[index];
        let start = self.text.end();
        let outside = self.full;
        // Arguments are evaluated before the call, so they may read objects that it changes.
        self.full.private_only = false;
        self.full.wants_call = false;
        self.function_name(function.number);
        self.text.push("(");
        let is_self = self.current_function == Some(index);
        for number in 0..function.parameter_count {
            if number > 0 {
                self.text.push(", ");
            }
            let parameter = self.parameters[function.first_parameter + number];
            if number == 0 && is_self {
                self.text.push("parameter_0 - 1");
            } else if !self.argument(parameter) {
                self.text.truncate(start);
                self.full.private_only = outside.private_only;
                return false;
            }
        }
        self.text.push(")");
        self.full.private_only = outside.private_only;
        self.full.effects += 1;
        if is_self {
            self.flow.self_calls -= 1;
        } else {
            self.flow.cost += function.cost.saturating_mul(self.flow.multiplier);
        }
        true
    }

    fn argument(&mut self, parameter: Parameter) -> bool {
        if parameter.dimensions.is_array() {
            return self.array_argument(parameter);
        }
        match parameter.kind {
            Kind::Scalar(scalar) if scalar.is_real() => {
                let value = self.real(1);
                self.fit_real(value);
                true
            }
            Kind::Scalar(scalar) => {
                let depth = self.random.below(3) as u32;
                let value = self.integer(depth);
                self.fit(value, scalar, parameter.range);
                true
            }
            Kind::Record(record) => self.record_value(record),
            Kind::Pointer { base, depth } => {
                if parameter.is_nullable && self.random.percent(25) {
                    self.text.push("0");
                    return true;
                }
                let is_found = self.address(base, depth, u16::MAX);
                if !is_found && parameter.is_nullable {
                    self.text.push("0");
                }
                is_found || parameter.is_nullable
            }
        }
    }

    /// An array at least as long as the parameter.
    fn array_argument(&mut self, parameter: Parameter) -> bool {
        for _ in 0..14 {
            let Some(index) = self.pick_variable() else { return false };
            let variable = self.variables[index];
            let [length, second, _] = variable.dimensions.0;
            let is_long_enough = second == 0 && length >= parameter.dimensions.0[0];
            let may_change = variable.is_addressable && variable.is_initialized;
            if variable.kind == parameter.kind && is_long_enough && may_change {
                self.read_name(index);
                return true;
            }
        }
        false
    }

    /// A record as a value: an lvalue, or a compound literal.
    pub(super) fn record_value(&mut self, record: usize) -> bool {
        if self.random.percent(75) && self.record_lvalue(record, super::lvalue::Access::Read) {
            return true;
        }
        self.text.push("(");
        self.record_name(record);
        self.text.push(")");
        self.constant_value(Kind::Record(record), Interval::exactly(0));
        true
    }

    pub(super) fn function_name(&mut self, number: usize) {
        self.text.push(&self.options.prefix);
        self.text.push("function_");
        self.text.number(number as u128);
    }

    /// Reads an input. A full expression reads at most one.
    pub(super) fn input(&mut self) -> Value {
        let start = self.text.end();
        let mut number = self.random.below(INPUTS.len() * 2);
        if number >= INPUTS.len() || !self.allows_input(INPUTS[number].0) {
            number = 0;
        }
        let (scalar, name) = INPUTS[number];
        self.inputs_used |= 1 << number;
        self.full.wants_input = false;
        self.full.effects += 1;
        self.text.push("__VERIFIER_nondet_");
        self.text.push(name);
        self.text.push("()");
        Value::tight(scalar, scalar.range(), start)
    }

    fn allows_input(&self, scalar: Scalar) -> bool {
        match scalar {
            Scalar::Bool => self.has(Feature::Booleans),
            Scalar::Int => true,
            _ if !scalar.is_signed() && !self.has(Feature::Unsigned) => false,
            _ if scalar.bits() < 32 => self.has(Feature::SmallIntegers),
            _ => scalar.bits() == 32 || self.has(Feature::LongIntegers),
        }
    }

    /// The declarations of the inputs in use, which belong before everything else.
    pub(super) fn declare_inputs(&mut self) {
        let mut declarations = String::new();
        for (number, (scalar, name)) in INPUTS.iter().enumerate() {
            if self.inputs_used >> number & 1 == 1 {
                declarations.push_str("extern ");
                declarations.push_str(scalar.text());
                declarations.push_str(" __VERIFIER_nondet_");
                declarations.push_str(name);
                declarations.push_str("(void);\n");
            }
        }
        self.text.insert(0, &declarations);
    }
}
