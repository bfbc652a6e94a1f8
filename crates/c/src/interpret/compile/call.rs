//! Calls.

use super::super::code::{CallSite, Operation};
use super::super::stop::{Step, unsupported};
use super::super::value::Scalar;
use super::Compiler;
use crate::syntax::arena::List;
use crate::syntax::{BinaryOperator, ExpressionId, ExpressionKind};
use crate::types::{FunctionStyle, Type, TypeKind};

impl Compiler<'_> {
    /// A call; its result is pushed.
    pub(super) fn call(
        &mut self,
        id: ExpressionId,
        function: ExpressionId,
        arguments: List<ExpressionId>,
    ) -> Step<()> {
        if self.overflow_builtin(function, arguments)? {
            return Ok(());
        }
        let types = &self.program.types;
        let called = self.type_of(function);
        let called = types.pointee(called).unwrap_or(called).unqualified();
        let TypeKind::Function { parameters, style, .. } = types.kind(called) else {
            return unsupported("a call of something that is not a function");
        };
        let parameters = match style {
            FunctionStyle::Unspecified => &[],
            FunctionStyle::Fixed | FunctionStyle::Variadic => types.parameters(parameters),
        };
        self.value(function)?;
        let mut passed = Vec::new();
        for (index, argument) in self.program.expression_lists[arguments].iter().enumerate() {
            let given = self.type_of(*argument);
            let to = match parameters.get(index) {
                Some(parameter) => *parameter,
                None => self.promoted_argument(*argument),
            };
            self.value(*argument)?;
            if !self.is_record(to) {
                self.convert(given, to)?;
            }
            passed.push(to);
        }
        self.span = self.program.expressions[id].span;
        self.code.calls.push(CallSite { r#type: called, arguments: passed });
        self.emit(Operation::Call(self.code.calls.len() - 1));
        Ok(())
    }

    /// The type of an argument without a parameter. Arrays and functions stay, as a word for their pointers.
    fn promoted_argument(&self, argument: ExpressionId) -> Type {
        let types = &self.program.types;
        let width = self.program.bit_width(argument);
        match width {
            Some(_) => types.promoted(self.type_of(argument), width),
            None => types.promoted_argument(self.type_of(argument)),
        }
    }

    /// `__builtin_add_overflow` and the like, whose arguments have any integer type.
    fn overflow_builtin(&mut self, function: ExpressionId, arguments: List<ExpressionId>) -> Step<bool> {
        let ExpressionKind::Name(entity) = self.program.expressions[function].kind else { return Ok(false) };
        let name = self.program.name(self.program.entities[entity].name);
        let operator = match name.as_ref() {
            "__builtin_add_overflow" => BinaryOperator::Add,
            "__builtin_sub_overflow" => BinaryOperator::Subtract,
            "__builtin_mul_overflow" => BinaryOperator::Multiply,
            _ => return Ok(false),
        };
        let [left, right, result] = self.program.expression_lists[arguments] else { return Ok(false) };
        let types = &self.program.types;
        let Some(to) = types.pointee(self.type_of(result)).map(Type::unqualified) else { return Ok(false) };
        for operand in [self.type_of(left), self.type_of(right), to] {
            let is_small = matches!(Scalar::of(types, operand)?, Scalar::Integer(_))
                && types.integer_bits(operand).is_some_and(|bits| bits < 128);
            if !is_small {
                return unsupported("an overflow check on wide integers");
            }
        }
        self.value(result)?;
        self.value(left)?;
        self.value(right)?;
        self.emit(Operation::Overflow(operator, to));
        Ok(true)
    }
}
