//! Functions that return whether they wrote through their last parameter.

use super::Generator;
use super::feature::Feature;
use super::flow::Flow;
use super::scope::{Family, Variable};
use super::types::{Kind, Scalar};

/// A function `int f(int, T *)` that writes through the pointer exactly if it returns 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Getter {
    pub(super) number: usize,
    /// The type that the pointer points to.
    pub(super) kind: Kind,
    pub(super) cost: u64,
}

/// The greatest cost of a call.
const LIMIT: u64 = 300;

impl Generator<'_> {
    /// Writes such a function.
    pub(super) fn getter(&mut self) {
        let number = self.new_function();
        let target =
            if self.has(Feature::Pointers) && self.random.coin() { self.global_target() } else { None };
        let kind = match target {
            Some(base) => Kind::Pointer { base, depth: 1 },
            None => Kind::Scalar(self.integer_type()),
        };
        self.start_getter(number, kind);
        if self.random.coin() {
            self.declare_local();
        }
        let size = self.random.below(2);
        self.statements(size);
        self.text.line();
        self.text.push("if (");
        let test = self.condition();
        self.text.push(")");
        self.text.open();
        let outside = self.enter();
        let fact = test.and_then(|test| Some(self.assume(test.variable, test.when_true?)));
        self.statements(size);
        self.text.whole_line("return 0;");
        if let Some(saved) = fact {
            self.forget(saved);
        }
        self.leave(outside);
        self.text.close_line();
        self.write_result(kind);
        let size = self.random.below(2);
        self.statements(size);
        self.text.whole_line("return 1;");
        self.text.indent = 0;
        self.text.push("}\n\n");
        self.variables.truncate(self.global_count);
        self.level = 0;
        self.getters.push(Getter { number, kind, cost: self.flow.cost + 1 });
    }

    /// The head, with the first parameter as a variable. The second one is used exactly once, so it is not put into
    /// scope.
    fn start_getter(&mut self, number: usize, kind: Kind) {
        self.current_function = None;
        self.next_local = 0;
        self.next_label = 0;
        // Like `main`, it returns only where it is written here.
        self.flow = Flow {
            multiplier: 1,
            limit: LIMIT,
            may_declare: true,
            is_main: true,
            remaining: 6,
            ..Flow::default()
        };
        self.level = 1;
        if self.has(Feature::Statics) && self.random.percent(60) {
            self.text.push("static ");
        }
        self.text.push("int ");
        self.function_name(number);
        self.text.push("(int parameter_0, ");
        self.kind_text(kind);
        self.text.push("*parameter_1)\n{\n");
        self.text.indent = 1;
        let mut parameter = Variable::new(Family::Parameter, 0, Kind::Scalar(Scalar::Int));
        parameter.level = 1;
        parameter.is_private = true;
        self.variables.push(parameter);
    }

    fn write_result(&mut self, kind: Kind) {
        self.begin_expression(false);
        self.text.line();
        self.text.push("*parameter_1 = ");
        match kind {
            Kind::Scalar(scalar) => {
                let value = self.integer(2);
                self.fit(value, scalar, scalar.range());
            }
            Kind::Pointer { base, .. } => self.return_pointer(base, false),
            Kind::Record(_) => {}
        }
        self.text.end_statement();
    }
}
