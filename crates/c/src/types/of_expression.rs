//! The types of expressions.

use crate::parse::error::{Parse, fail};
use crate::parse::parser::Parser;
use crate::syntax::span::Span;
use crate::syntax::{BinaryOperator, ExpressionId, ExpressionKind, UnaryOperator};
use crate::types::{IntegerKind, Type, TypeKind};

impl Parser<'_> {
    /// The type of an expression used as a value. An array or a function becomes a pointer, so its address may be
    /// known elsewhere from then on.
    pub(crate) fn value_type(&mut self, expression: ExpressionId) -> Type {
        let r#type = self.type_of(expression);
        if matches!(self.program.types.kind(r#type), TypeKind::Array { .. } | TypeKind::Function { .. }) {
            self.take_address(expression);
        }
        self.types().decayed(r#type)
    }

    /// Marks the variable or function that an lvalue is a part of.
    fn take_address(&mut self, expression: ExpressionId) {
        let mut current = expression;
        loop {
            current = match self.node(current).kind {
                ExpressionKind::Name(entity) => {
                    self.program.entities[entity].address_taken = true;
                    return;
                }
                ExpressionKind::Member { base, arrow: false, .. } => base,
                ExpressionKind::Index { base, index } if self.is_array(base) || self.is_array(index) => {
                    if self.is_array(base) {
                        base
                    } else {
                        index
                    }
                }
                ExpressionKind::Unary {
                    operator: UnaryOperator::RealPart | UnaryOperator::ImaginaryPart,
                    operand,
                } => operand,
                ExpressionKind::Generic { selected, .. } | ExpressionKind::Choose { selected, .. } => {
                    selected
                }
                _ => return,
            };
        }
    }

    fn is_array(&self, expression: ExpressionId) -> bool {
        let kind = self.program.types.kind(self.type_of(expression));
        matches!(kind, TypeKind::Array { .. } | TypeKind::Vector { .. })
    }

    /// The width of the bit-field that an expression reads or has just written.
    pub(crate) fn bit_width(&self, expression: ExpressionId) -> Option<u32> {
        self.program.bit_width(expression)
    }

    /// The type of an operand after the integer promotions.
    fn operand_type(&mut self, operand: ExpressionId) -> Type {
        let value = self.value_type(operand);
        let width = self.bit_width(operand);
        self.program.types.promoted(value, width)
    }

    /// The error for operands whose types do not fit.
    pub(crate) fn type_error<T>(&self, start: u32, what: &str, operands: &[ExpressionId]) -> Parse<T> {
        let found: Vec<String> =
            operands.iter().map(|operand| format!("`{}`", self.type_text(self.type_of(*operand)))).collect();
        fail(start, format!("expected {what}, found {}", found.join(" and ")))
    }

    pub(crate) fn type_text(&self, r#type: Type) -> String {
        self.program.types.text(&self.lexer.names, r#type)
    }

    /// The type of `left operator right`.
    pub(crate) fn binary_type(
        &mut self,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> Parse<Type> {
        let (left_type, right_type) = (self.operand_type(left), self.operand_type(right));
        match self.binary_of_types(operator, left_type, right_type) {
            Some(r#type) => Ok(r#type),
            None => {
                let start = self.node(left).span.start;
                let what = format!("operands of types that `{}` takes", operator.text());
                self.type_error(start, &what, &[left, right])
            }
        }
    }

    fn binary_of_types(&mut self, operator: BinaryOperator, left: Type, right: Type) -> Option<Type> {
        use BinaryOperator as B;
        let types = &mut self.program.types;
        let is_vector = |kind| matches!(kind, TypeKind::Vector { .. });
        if is_vector(types.kind(left)) || is_vector(types.kind(right)) {
            return self.vector_type(operator, left, right);
        }
        let both_integers = types.is_integer(left) && types.is_integer(right);
        match operator {
            B::Multiply | B::Divide => types.arithmetic(left, right),
            B::Remainder | B::BitAnd | B::BitXor | B::BitOr if both_integers => types.arithmetic(left, right),
            B::Remainder | B::BitAnd | B::BitXor | B::BitOr => None,
            B::ShiftLeft | B::ShiftRight => both_integers.then_some(left),
            B::Add | B::Subtract => self.sum_type(operator, left, right),
            B::Less
            | B::Greater
            | B::LessEqual
            | B::GreaterEqual
            | B::Equal
            | B::NotEqual
            | B::And
            | B::Or => (types.is_scalar(left) && types.is_scalar(right)).then_some(Type::INT),
        }
    }

    fn sum_type(&mut self, operator: BinaryOperator, left: Type, right: Type) -> Option<Type> {
        let types = &mut self.program.types;
        match (types.is_pointer(left), types.is_pointer(right)) {
            (true, true) if operator == BinaryOperator::Subtract => Some(types.difference_type()),
            (true, false) if types.is_integer(right) => Some(left),
            (false, true) if types.is_integer(left) && operator == BinaryOperator::Add => Some(right),
            (false, false) => types.arithmetic(left, right),
            _ => None,
        }
    }

    fn vector_type(&mut self, operator: BinaryOperator, left: Type, right: Type) -> Option<Type> {
        use BinaryOperator as B;
        let types = &mut self.program.types;
        let vector = if matches!(types.kind(left), TypeKind::Vector { .. }) { left } else { right };
        match operator {
            B::Less
            | B::Greater
            | B::LessEqual
            | B::GreaterEqual
            | B::Equal
            | B::NotEqual
            | B::And
            | B::Or => self.comparison_vector(vector),
            _ => Some(vector),
        }
    }

    /// The vector of signed integers that a comparison of vectors gives.
    fn comparison_vector(&mut self, vector: Type) -> Option<Type> {
        use IntegerKind as I;
        let types = &mut self.program.types;
        let TypeKind::Vector { element, lanes } = types.kind(vector) else {
            return None;
        };
        let size = types.size(element)?;
        let candidates = [I::SignedChar, I::Short, I::Int, I::Long, I::LongLong, I::Int128];
        let kind = candidates.into_iter().find(|kind| types.integer_size(*kind) == size)?;
        // Elements of the same size and signedness keep their own type, as in gcc.
        let kept = types.is_signed(element) && types.kind(element) != TypeKind::Integer(I::Char);
        let element = if kept { element } else { Type::integer(kind) };
        Some(types.intern(TypeKind::Vector { element, lanes }))
    }

    /// Adds a unary expression.
    pub(crate) fn unary(
        &mut self,
        operator: UnaryOperator,
        operand: ExpressionId,
        span: Span,
    ) -> Parse<ExpressionId> {
        use UnaryOperator as U;
        let kind = ExpressionKind::Unary { operator, operand };
        match operator {
            U::AddressOf => self.address_of(operand, span),
            U::Dereference => self.dereference(operand, span),
            U::PreIncrement | U::PreDecrement | U::PostIncrement | U::PostDecrement => {
                self.require_lvalue(operand, "as operand of `++` or `--`")?;
                let r#type = self.type_of(operand);
                let r#type = self.types().plain(r#type);
                Ok(self.push(kind, span, r#type))
            }
            U::RealPart | U::ImaginaryPart => {
                let r#type = self.type_of(operand);
                let part = match self.program.types.kind(r#type) {
                    TypeKind::Complex(part) => part.with(r#type.qualifiers()),
                    _ => r#type,
                };
                let is_lvalue = self.node(operand).is_lvalue;
                Ok(if is_lvalue { self.push_lvalue(kind, span, part) } else { self.push(kind, span, part) })
            }
            U::Plus | U::Minus | U::Not | U::Complement => {
                let Some(r#type) = self.sign_type(operator, operand) else {
                    return self.type_error(
                        span.start,
                        "an operand of a type that this operator takes",
                        &[operand],
                    );
                };
                Ok(self.push(kind, span, r#type))
            }
        }
    }

    fn sign_type(&mut self, operator: UnaryOperator, operand: ExpressionId) -> Option<Type> {
        let r#type = self.operand_type(operand);
        let types = &self.program.types;
        let is_vector = matches!(types.kind(r#type), TypeKind::Vector { .. });
        match operator {
            UnaryOperator::Not if is_vector => self.comparison_vector(r#type),
            UnaryOperator::Not => types.is_scalar(r#type).then_some(Type::INT),
            UnaryOperator::Complement if types.is_real_floating(r#type) => None,
            _ => (is_vector || types.is_arithmetic(r#type)).then_some(r#type),
        }
    }

    fn address_of(&mut self, operand: ExpressionId, span: Span) -> Parse<ExpressionId> {
        let r#type = self.type_of(operand);
        let is_function = matches!(self.program.types.kind(r#type), TypeKind::Function { .. });
        let is_array = matches!(self.program.types.kind(r#type), TypeKind::Array { .. });
        // `*p` may have type void, and its address is p.
        if !is_function && !is_array {
            self.require_lvalue(operand, "after `&`")?;
        }
        self.take_address(operand);
        let pointer = self.types().pointer_to(r#type);
        let kind = ExpressionKind::Unary { operator: UnaryOperator::AddressOf, operand };
        Ok(self.push(kind, span, pointer))
    }

    fn dereference(&mut self, operand: ExpressionId, span: Span) -> Parse<ExpressionId> {
        let kind = ExpressionKind::Unary { operator: UnaryOperator::Dereference, operand };
        let r#type = self.type_of(operand);
        match self.program.types.kind(r#type) {
            TypeKind::Pointer(target)
                if matches!(self.program.types.kind(target), TypeKind::Function { .. }) =>
            {
                Ok(self.push(kind, span, target))
            }
            TypeKind::Pointer(target) | TypeKind::Array { element: target, .. } => {
                Ok(self.push_lvalue(kind, span, target))
            }
            TypeKind::Function { .. } => Ok(self.push(kind, span, r#type)),
            _ => self.type_error(span.start, "a pointer after `*`", &[operand]),
        }
    }

    /// The type of `condition ? then : otherwise`.
    pub(crate) fn conditional_type(
        &mut self,
        condition: ExpressionId,
        then: ExpressionId,
        otherwise: ExpressionId,
    ) -> Parse<Type> {
        let (left, right) = (self.operand_type(then), self.operand_type(otherwise));
        let left_kind = self.program.types.kind(left);
        let right_kind = self.program.types.kind(right);
        let result = match (left_kind, right_kind) {
            (TypeKind::Void, _) | (_, TypeKind::Void) => Some(Type::VOID),
            (TypeKind::Pointer(left_target), TypeKind::Pointer(right_target)) => {
                Some(self.conditional_pointer((then, left_target), (otherwise, right_target)))
            }
            (TypeKind::Pointer(_), _) if self.program.types.is_scalar(right) => Some(left),
            (_, TypeKind::Pointer(_)) if self.program.types.is_scalar(left) => Some(right),
            (TypeKind::Record(_), TypeKind::Record(_)) if left == right => Some(left),
            (TypeKind::Vector { .. }, _) => Some(left),
            (_, TypeKind::Vector { .. }) => Some(right),
            (TypeKind::NullPointer, TypeKind::NullPointer) => Some(left),
            _ => self.types().arithmetic(left, right),
        };
        match result {
            Some(r#type) => Ok(r#type),
            None => {
                let start = self.node(condition).span.start;
                self.type_error(start, "two values of compatible types after `?`", &[then, otherwise])
            }
        }
    }

    /// The common type of two pointers, each given with its target.
    fn conditional_pointer(&mut self, left: (ExpressionId, Type), right: (ExpressionId, Type)) -> Type {
        if self.is_null_pointer_constant(left.0) {
            return self.types().pointer_to(right.1);
        }
        if self.is_null_pointer_constant(right.0) {
            return self.types().pointer_to(left.1);
        }
        let types = &mut self.program.types;
        let qualifiers = types.qualifiers(left.1).and(types.qualifiers(right.1));
        let without = |types: &mut crate::types::Types, target: Type| match types.kind(target) {
            TypeKind::Array { .. } => target,
            _ => target.unqualified(),
        };
        let (left, right) = (without(types, left.1), without(types, right.1));
        let is_void = types.kind(left) == TypeKind::Void || types.kind(right) == TypeKind::Void;
        let target =
            if !is_void && types.compatible(left, right) { types.composite(left, right) } else { Type::VOID };
        let target = types.qualified(target, qualifiers);
        types.pointer_to(target)
    }

    /// Whether an expression is an integer constant 0, or one cast to `void *`.
    fn is_null_pointer_constant(&self, expression: ExpressionId) -> bool {
        let is_zero = |expression: ExpressionId| {
            let types = &self.program.types;
            types.is_integer(self.type_of(expression)) && self.program.constant(expression) == Some(0)
        };
        match self.node(expression).kind {
            ExpressionKind::Cast(operand) => {
                let target = self.program.types.pointee(self.type_of(expression));
                is_zero(expression) || target == Some(Type::VOID) && is_zero(operand)
            }
            _ => is_zero(expression),
        }
    }

    /// The type that a pointer argument of an atomic or overflow builtin points to.
    pub(crate) fn target_of_argument(&mut self, argument: ExpressionId) -> Option<Type> {
        let pointer = self.value_type(argument);
        let target = self.program.types.pointee(pointer)?;
        let target = self.types().plain(target);
        Some(target)
    }
}

impl BinaryOperator {
    /// The spelling of the operator.
    pub fn text(self) -> &'static str {
        use BinaryOperator as B;
        match self {
            B::Multiply => "*",
            B::Divide => "/",
            B::Remainder => "%",
            B::Add => "+",
            B::Subtract => "-",
            B::ShiftLeft => "<<",
            B::ShiftRight => ">>",
            B::Less => "<",
            B::Greater => ">",
            B::LessEqual => "<=",
            B::GreaterEqual => ">=",
            B::Equal => "==",
            B::NotEqual => "!=",
            B::BitAnd => "&",
            B::BitXor => "^",
            B::BitOr => "|",
            B::And => "&&",
            B::Or => "||",
        }
    }
}
