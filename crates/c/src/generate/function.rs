//! Whole functions: signatures, bodies, results, and declarations whose value is a call.

use super::Generator;
use super::call::{COST_LIMIT, Function, Parameter};
use super::feature::Feature;
use super::flow::Flow;
use super::interval::Interval;
use super::scope::{Family, Variable};
use super::types::{Base, Dimensions, Kind, Scalar};

/// The greatest cost of a call of a function that `main` can use.
const FUNCTION_LIMIT: u64 = 4000;
/// The greatest cost of one level of a recursive function.
const RECURSIVE_LIMIT: u64 = 200;

impl Generator<'_> {
    /// Writes a function of about this many statements.
    pub(super) fn function(&mut self, size: usize) {
        let index = self.functions.len();
        let is_recursive = self.has(Feature::Recursion) && self.random.percent(20);
        let function = self.draw_function(is_recursive);
        self.functions.push(function);
        self.current_function = Some(index);
        self.next_local = 0;
        self.next_label = 0;
        let limit = if is_recursive { RECURSIVE_LIMIT } else { FUNCTION_LIMIT };
        let self_calls = if is_recursive { 1 + self.random.below(2) as u32 } else { 0 };
        self.flow = Flow {
            multiplier: 1,
            limit,
            self_calls,
            may_declare: true,
            remaining: size as i64,
            ..Flow::default()
        };
        self.level = 1;
        self.signature(function);
        self.text.push("\n{\n");
        self.text.indent = 1;
        self.function_body(function);
        self.text.indent = 0;
        self.text.push("}\n\n");
        self.variables.truncate(self.global_count);
        self.finish_function(index, self_calls);
    }

    /// The number of the next function.
    pub(super) fn new_function(&mut self) -> usize {
        self.next_function += 1;
        self.next_function - 1
    }

    /// Records the cost of a call.
    fn finish_function(&mut self, index: usize, allowed_self_calls: u32) {
        let levels = u64::from(self.functions[index].recursion) + 1;
        let calls = match allowed_self_calls - self.flow.self_calls {
            0 => 1,
            1 => levels,
            _ => 1 << levels,
        };
        self.functions[index].cost = (self.flow.cost + 1) * calls;
        self.current_function = None;
        self.level = 0;
    }

    fn draw_function(&mut self, is_recursive: bool) -> Function {
        let first_parameter = self.parameters.len();
        let recursion = if is_recursive { 2 + self.random.below(3) as u8 } else { 0 };
        if is_recursive {
            let range = Interval::new(0, i128::from(recursion));
            let kind = Kind::Scalar(Scalar::Int);
            let dimensions = Dimensions::default();
            self.parameters.push(Parameter { kind, dimensions, range, is_nullable: false });
        }
        for _ in 0..self.random.below(4) {
            let parameter = self.draw_parameter();
            self.parameters.push(parameter);
        }
        let result = self.draw_result();
        let range = match result {
            Some(Kind::Scalar(scalar)) if !scalar.is_real() => self.draw_range(scalar),
            _ => Interval::exactly(0),
        };
        let returns_null =
            matches!(result, Some(Kind::Pointer { .. })) && self.has_null() && self.random.percent(60);
        let parameter_count = self.parameters.len() - first_parameter;
        Function {
            number: self.new_function(),
            result,
            range,
            returns_null,
            first_parameter,
            parameter_count,
            cost: u64::MAX,
            recursion,
        }
    }

    fn draw_parameter(&mut self) -> Parameter {
        let mut dimensions = Dimensions::default();
        let mut range = Interval::exactly(0);
        let mut is_nullable = false;
        let kind = match self.random.below(10) {
            0..=2 if self.has(Feature::Pointers) => {
                is_nullable = self.has_null() && self.random.percent(50);
                let target = self.pick_target();
                let (base, depth) = target.unwrap_or((Base::Scalar(Scalar::Int), 1));
                Kind::Pointer { base, depth }
            }
            3 if self.has(Feature::StructureValues) && !self.records.is_empty() => {
                Kind::Record(self.random.below(self.records.len()))
            }
            4 if self.has(Feature::Arrays) && self.has(Feature::Pointers) => {
                dimensions = Dimensions([[2, 4, 8][self.random.below(3)], 0, 0]);
                Kind::Scalar(self.integer_type())
            }
            _ => Kind::Scalar(self.arithmetic_type()),
        };
        if let (Kind::Scalar(scalar), false) = (kind, dimensions.is_array())
            && !scalar.is_real()
        {
            range = self.draw_range(scalar);
        }
        Parameter { kind, dimensions, range, is_nullable }
    }

    fn draw_result(&mut self) -> Option<Kind> {
        match self.random.below(10) {
            0 => None,
            1 if self.has(Feature::StructureValues) && !self.records.is_empty() => {
                Some(Kind::Record(self.random.below(self.records.len())))
            }
            2 | 3 if self.has(Feature::Pointers) => Some(
                self.global_target()
                    .map_or(Kind::Scalar(Scalar::Int), |base| Kind::Pointer { base, depth: 1 }),
            ),
            _ => Some(Kind::Scalar(self.arithmetic_type())),
        }
    }

    /// An object at file scope whose address can be returned.
    pub(super) fn global_target(&mut self) -> Option<Base> {
        if self.global_count == 0 {
            return None;
        }
        let variable = self.variables[self.random.below(self.global_count)];
        match variable.kind {
            Kind::Scalar(scalar) if variable.is_addressable => Some(Base::Scalar(scalar)),
            Kind::Record(record) if variable.is_addressable => Some(Base::Record(record)),
            _ => None,
        }
    }

    /// Writes the head of a function, and puts its parameters into scope.
    fn signature(&mut self, function: Function) {
        if self.has(Feature::Statics) && self.random.percent(60) {
            self.text.push("static ");
        }
        match function.result {
            Some(kind) => self.kind_text(kind),
            None => self.text.push("void "),
        }
        self.function_name(function.number);
        self.text.push(if function.parameter_count == 0 { "(void" } else { "(" });
        for number in 0..function.parameter_count {
            if number > 0 {
                self.text.push(", ");
            }
            self.parameter(function.first_parameter, number, function.recursion > 0);
        }
        self.text.push(")");
    }

    fn parameter(&mut self, first: usize, number: usize, is_recursive: bool) {
        let parameter = self.parameters[first + number];
        let mut variable = Variable::new(Family::Parameter, number, parameter.kind);
        variable.level = 1;
        variable.dimensions = parameter.dimensions;
        variable.is_nullable = parameter.is_nullable;
        let is_array = parameter.dimensions.is_array();
        if !is_array {
            variable.range = parameter.range;
        }
        variable.is_addressable = is_array;
        variable.is_private = !is_array;
        variable.locks = u16::from(is_recursive && number == 0);
        self.variables.push(variable);
        self.kind_text(parameter.kind);
        self.name(self.variables.len() - 1);
        self.dimensions_text(parameter.dimensions);
    }

    fn function_body(&mut self, function: Function) {
        let parameter = self.global_count;
        for _ in 0..1 + self.random.below((self.flow.remaining as usize / 4).clamp(1, 3)) {
            self.declare_local();
        }
        if function.recursion > 0 {
            self.text.whole_line("if (parameter_0 <= 0) {");
            self.text.indent += 1;
            let outside = self.enter();
            // The recursive call must not be here.
            self.flow.calls_forbidden += 1;
            self.return_statement();
            self.flow.calls_forbidden -= 1;
            self.leave(outside);
            self.text.close_line();
            self.variables[parameter].range.low = 1;
        }
        while self.flow.remaining > 0 {
            self.statement();
        }
        if function.recursion > 0 && self.flow.self_calls > 0 && self.random.percent(80) {
            self.call_declaration(self.current_function.unwrap_or_default());
        }
        if function.result.is_some() {
            self.return_statement();
        }
    }

    /// `return` with a value of the right type.
    pub(super) fn return_statement(&mut self) {
        let Some(function) = self.current_function.map(|index| self.functions[index]) else { return };
        let wants_call = self.random.percent(20);
        self.begin_expression(wants_call);
        self.text.line();
        self.text.push("return");
        match function.result {
            None => {}
            Some(Kind::Scalar(scalar)) if scalar.is_real() => {
                self.text.push(" ");
                let value = self.real(1);
                self.fit_real(value);
            }
            Some(Kind::Scalar(scalar)) => {
                self.text.push(" ");
                let value = self.integer(2);
                self.fit(value, scalar, function.range);
            }
            Some(Kind::Record(record)) => {
                self.text.push(" ");
                self.record_value(record);
            }
            Some(Kind::Pointer { base, .. }) => {
                self.text.push(" ");
                self.return_pointer(base, function.returns_null);
            }
        }
        self.text.end_statement();
    }

    pub(super) fn return_pointer(&mut self, base: Base, returns_null: bool) {
        if returns_null && self.random.percent(40) {
            self.text.push("0");
            return;
        }
        // The type was chosen such that there is one.
        let found = (0..self.global_count).find(|index| {
            self.variables[*index].is_addressable && self.variables[*index].kind == base.kind()
        });
        match found {
            Some(index) => {
                self.text.push("&");
                self.name(index);
                let dimensions = self.variables[index].dimensions;
                self.indices(dimensions);
            }
            None => self.text.push("0"),
        }
    }

    /// A declaration whose value is a call, or a call alone.
    pub(super) fn call_declaration_or_statement(&mut self) -> bool {
        if !self.can_call() {
            return false;
        }
        if !self.flow.may_declare || self.random.percent(30) {
            return self.call_statement();
        }
        let index = self.random.below(self.functions.len());
        self.call_declaration(index)
    }

    /// Declares a variable for the result of a call of this function.
    pub(super) fn call_declaration(&mut self, index: usize) -> bool {
        let function = self.functions[index];
        if !self.may_call(index) || !self.can_call() {
            return false;
        }
        self.begin_pure_expression();
        let start = self.text.end();
        self.text.line();
        let Some(kind) = function.result else {
            if !self.call(index) {
                self.text.truncate(start);
                return false;
            }
            self.text.end_statement();
            return true;
        };
        let mut variable = Variable::new(Family::Local, self.next_local, kind);
        variable.level = self.level;
        variable.is_private = true;
        variable.is_nullable = function.returns_null;
        variable.is_initialized = false;
        self.variables.push(variable);
        let local = self.variables.len() - 1;
        self.kind_text(kind);
        self.name(local);
        self.text.push(" = ");
        if !self.call(index) {
            self.text.truncate(start);
            self.variables.pop();
            return false;
        }
        self.next_local += 1;
        self.variables[local].is_initialized = true;
        self.text.end_statement();
        true
    }

    /// Declares the pointers and arrays that a call needs as arguments, if they do not exist yet.
    fn provide_arguments(&mut self, index: usize) {
        let function = self.functions[index];
        for number in 0..function.parameter_count {
            let parameter = self.parameters[function.first_parameter + number];
            let (kind, dimensions) = match parameter.kind {
                Kind::Pointer { base, depth: 1 } if !parameter.is_nullable => {
                    (base.kind(), Dimensions::default())
                }
                kind if parameter.dimensions.is_array() => (kind, parameter.dimensions),
                _ => continue,
            };
            let is_there = self.variables.iter().any(|variable| {
                let [length, second, _] = variable.dimensions.0;
                let is_long_enough = length >= dimensions.0[0] && (second == 0 || !dimensions.is_array());
                variable.is_addressable && variable.is_initialized && variable.kind == kind && is_long_enough
            });
            if !is_there {
                self.declare_target(kind, dimensions);
            }
        }
    }

    /// Writes `main`, which calls every function at least once if possible.
    pub(super) fn main_function(&mut self, size: usize) {
        self.current_function = None;
        self.next_local = 0;
        self.next_label = 0;
        self.flow =
            Flow { multiplier: 1, limit: COST_LIMIT, may_declare: true, is_main: true, ..Flow::default() };
        self.level = 1;
        self.text.push("int ");
        self.text.push(&self.options.prefix);
        self.text.push("main(void)\n{\n");
        self.text.indent = 1;
        for _ in 0..2 + self.random.below((size / 10).clamp(1, 3)) {
            self.declare_local();
        }
        let parts = self.functions.len() + 1;
        for part in 0..parts {
            self.flow.remaining = (size / parts) as i64 + i64::from(part < size % parts);
            while self.flow.remaining > 0 {
                self.statement();
            }
            if part < self.functions.len() {
                self.provide_arguments(part);
                let _ = (0..6).any(|_| self.call_declaration(part));
            }
        }
        self.mix_everything();
        self.text.line();
        self.text.push("printf(\"%lu\\n\", ");
        self.checksum_name();
        self.text.push(");\n");
        self.text.whole_line("return 0;");
        self.text.indent = 0;
        self.text.push("}\n");
    }
}
