//! Expressions as values.

use super::super::code::Operation;
use super::super::stop::{Step, unsupported};
use super::super::value::Scalar;
use super::Compiler;
use crate::analyze::constant;
use crate::syntax::{BinaryOperator, EntityKind, ExpressionId, ExpressionKind, UnaryOperator};
use crate::types::{Type, TypeKind};

impl Compiler<'_> {
    /// Translates an expression whose value is pushed.
    pub(super) fn value(&mut self, id: ExpressionId) -> Step<()> {
        let outer = self.span;
        self.span = self.program.expressions[id].span;
        let result = self.nested(|compiler| compiler.value_kind(id));
        self.span = outer;
        result
    }

    /// Translates an expression whose value is not used.
    pub(super) fn dropped(&mut self, id: ExpressionId) -> Step<()> {
        if self.program.types.kind(self.type_of(id)) != TypeKind::Void && self.is_place(id) {
            // Gcc reads the value of a scalar, but an array or structure as a statement is only named.
            let r#type = self.type_of(id);
            if Scalar::of(&self.program.types, r#type).is_err() {
                self.place(id)?;
                self.emit(Operation::Pop);
                return Ok(());
            }
        }
        self.value(id)?;
        self.emit(Operation::Pop);
        Ok(())
    }

    /// Translates an expression that must be a scalar.
    pub(super) fn scalar_value(&mut self, id: ExpressionId) -> Step<()> {
        Scalar::of(&self.program.types, self.type_of(id))?;
        self.value(id)
    }

    /// Translates an expression that must be an integer.
    pub(super) fn integer_value(&mut self, id: ExpressionId) -> Step<()> {
        match Scalar::of(&self.program.types, self.type_of(id))? {
            Scalar::Integer(_) => self.value(id),
            _ => unsupported("an integer is needed"),
        }
    }

    /// Translates an expression and converts its value to a type, as an assignment does.
    pub(super) fn value_as(&mut self, id: ExpressionId, to: Type) -> Step<()> {
        self.value(id)?;
        self.convert(self.type_of(id), to)
    }

    /// Converts the value on the stack from one type to another.
    pub(super) fn convert(&mut self, from: Type, to: Type) -> Step<()> {
        let types = &self.program.types;
        if self.is_record(to) || types.kind(to) == TypeKind::Void {
            return Ok(());
        }
        let (from_scalar, to_scalar) = (Scalar::of(types, from)?, Scalar::of(types, to)?);
        if from_scalar != to_scalar {
            self.emit(Operation::Convert(from_scalar, to_scalar));
        }
        if from_scalar == Scalar::Pointer
            && let Some(target) = types.pointee(to)
            && self.is_record(target)
            && types.pointee(from).is_none_or(|old| old.unqualified() != target.unqualified())
        {
            self.emit(Operation::Recast(target.unqualified()));
        }
        Ok(())
    }

    /// Converts the value of a `return` to the type of the result.
    pub(super) fn convert_result(&mut self, value: ExpressionId) -> Step<()> {
        match self.code.result {
            Some(result) => self.convert(self.type_of(value), result),
            None => unsupported("a return outside of a function"),
        }
    }

    fn value_kind(&mut self, id: ExpressionId) -> Step<()> {
        use ExpressionKind as K;
        if let Some(bits) = self.program.constant_bits(id) {
            return self.constant(id, bits);
        }
        let node = self.program.expressions[id];
        match node.kind {
            K::Real(value) => match Scalar::of(&self.program.types, node.r#type)? {
                Scalar::Float => {
                    self.emit(Operation::Float(value as f32));
                    Ok(())
                }
                _ => {
                    self.emit(Operation::Double(value));
                    Ok(())
                }
            },
            K::Name(entity) => match self.program.entities[entity].kind {
                EntityKind::Function | EntityKind::ImplicitFunction => {
                    self.emit(Operation::Function(entity));
                    Ok(())
                }
                _ => self.loaded(id),
            },
            K::Call { function, arguments } => self.call(id, function, arguments),
            K::Unary { operator, operand } => self.unary(id, operator, operand),
            K::Binary { operator, left, right } => self.binary(id, operator, left, right),
            K::Assign { operator, target, value } => self.assign(operator, target, value),
            K::Comma { left, right } => {
                self.dropped(left)?;
                self.value(right)
            }
            K::Conditional { condition, then, otherwise } => self.conditional(id, condition, then, otherwise),
            K::Cast(operand) => self.cast(operand, node.r#type),
            K::StatementExpression(body) => self.compound_value(body),
            K::Generic { selected, .. } | K::Choose { selected, .. } => self.value(selected),
            K::AlignofExpression(operand) => {
                let alignment = self.program.types.alignment(self.type_of(operand));
                self.emit(Operation::Integer(i128::from(alignment)));
                Ok(())
            }
            K::AlignofType(of) => {
                let alignment = self.program.types.member_alignment(of);
                self.emit(Operation::Integer(i128::from(alignment)));
                Ok(())
            }
            K::Index { .. }
            | K::Member { .. }
            | K::String(_)
            | K::FunctionName(_)
            | K::CompoundLiteral(_) => self.loaded(id),
            K::SizeofExpression(_) | K::SizeofType(_) => unsupported("the size of a variable array"),
            K::LabelAddress(_) => unsupported("the address of a label"),
            K::VaArg(_) => unsupported("variable arguments"),
            K::ConvertVector(_) => unsupported("vectors"),
            _ => unsupported("an expression of this kind"),
        }
    }

    fn constant(&mut self, id: ExpressionId, bits: i128) -> Step<()> {
        match Scalar::of(&self.program.types, self.type_of(id))? {
            Scalar::Integer(_) => self.emit(Operation::Integer(bits)),
            Scalar::Pointer if bits == 0 => self.emit(Operation::Null),
            _ => return unsupported("a number is converted to a pointer"),
        }
        Ok(())
    }

    /// Reads the object that an expression designates; an array becomes a pointer to its first element.
    fn loaded(&mut self, id: ExpressionId) -> Step<()> {
        let access = self.place(id)?;
        match self.program.types.kind(access.r#type) {
            TypeKind::Array { .. } => {
                if let Some(size) = self.program.types.size(access.r#type) {
                    self.emit(Operation::Narrow(size));
                }
            }
            TypeKind::Function { .. } => {}
            _ => self.emit(Operation::Load(access)),
        }
        Ok(())
    }

    fn unary(&mut self, id: ExpressionId, operator: UnaryOperator, operand: ExpressionId) -> Step<()> {
        use UnaryOperator as U;
        let types = &self.program.types;
        match operator {
            U::Dereference => match types.kind(self.type_of(id)) {
                TypeKind::Function { .. } => self.value(operand),
                TypeKind::Void => {
                    self.value(operand)?;
                    self.emit(Operation::Pop);
                    self.emit(Operation::Void);
                    Ok(())
                }
                _ => self.loaded(id),
            },
            U::AddressOf => match types.kind(self.type_of(operand)) {
                TypeKind::Function { .. } => self.value(operand),
                _ => {
                    let access = self.place(operand)?;
                    if access.bits.is_some() {
                        return unsupported("the address of a bit-field");
                    }
                    Ok(())
                }
            },
            U::Not => {
                self.scalar_value(operand)?;
                self.emit(Operation::Not);
                Ok(())
            }
            U::Plus | U::Minus | U::Complement => {
                let to = Scalar::of(types, self.type_of(id))?;
                self.value_as(operand, self.type_of(id))?;
                self.emit(Operation::Unary(operator, to));
                Ok(())
            }
            U::PreIncrement => self.step(operand, 1, true),
            U::PreDecrement => self.step(operand, -1, true),
            U::PostIncrement => self.step(operand, 1, false),
            U::PostDecrement => self.step(operand, -1, false),
            U::RealPart | U::ImaginaryPart => unsupported("complex numbers"),
        }
    }

    /// `++` and `--`.
    fn step(&mut self, operand: ExpressionId, direction: i64, is_before: bool) -> Step<()> {
        let access = self.place(operand)?;
        let types = &self.program.types;
        let stored = Scalar::of(types, access.r#type)?;
        let promoted = types.promoted(access.r#type, self.program.bit_width(operand));
        let (computed, amount) = match types.pointee(access.r#type) {
            Some(target) => (Scalar::Pointer, direction * self.element_size(target)?),
            None => (Scalar::of(types, promoted)?, direction),
        };
        self.emit(Operation::StepBy { access, stored, computed, amount, is_before });
        Ok(())
    }

    /// The size of what a pointer points to, for arithmetic.
    pub(super) fn element_size(&self, target: Type) -> Step<i64> {
        match self.program.types.kind(target) {
            TypeKind::Function { .. } => unsupported("arithmetic on pointers to functions"),
            _ => match i64::try_from(self.size(target)?) {
                Ok(size) => Ok(size),
                Err(_) => unsupported("an element of this size"),
            },
        }
    }

    fn pointee(&self, id: ExpressionId) -> Option<Type> {
        match self.program.types.kind(self.type_of(id)) {
            TypeKind::Pointer(target) | TypeKind::Array { element: target, .. } => Some(target),
            _ => None,
        }
    }

    fn binary(
        &mut self,
        id: ExpressionId,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> Step<()> {
        use BinaryOperator as B;
        if matches!(operator, B::And | B::Or) {
            return self.logical(operator, left, right);
        }
        let types = &self.program.types;
        let (left_scalar, right_scalar) =
            (Scalar::of(types, self.type_of(left))?, Scalar::of(types, self.type_of(right))?);
        let has_pointer = left_scalar == Scalar::Pointer || right_scalar == Scalar::Pointer;
        match operator {
            B::Add | B::Subtract if has_pointer => self.pointer_sum(operator, left, right),
            B::Less | B::Greater | B::LessEqual | B::GreaterEqual | B::Equal | B::NotEqual if has_pointer => {
                for (operand, scalar) in [(left, left_scalar), (right, right_scalar)] {
                    self.value(operand)?;
                    if scalar != Scalar::Pointer {
                        self.emit(Operation::Convert(scalar, Scalar::Pointer));
                    }
                }
                self.emit(Operation::ComparePointers(operator));
                Ok(())
            }
            B::ShiftLeft | B::ShiftRight => {
                let to = Scalar::of(types, self.type_of(id))?;
                self.value_as(left, self.type_of(id))?;
                self.integer_value(right)?;
                self.emit(Operation::Binary(operator, to));
                Ok(())
            }
            _ => {
                let common = self.common(left, right)?;
                self.value(left)?;
                self.emit_convert(left_scalar, common);
                self.value(right)?;
                self.emit_convert(right_scalar, common);
                self.emit(Operation::Binary(operator, common));
                Ok(())
            }
        }
    }

    fn emit_convert(&mut self, from: Scalar, to: Scalar) {
        if from != to {
            self.emit(Operation::Convert(from, to));
        }
    }

    /// The type in which an operator on two numbers is computed.
    fn common(&self, left: ExpressionId, right: ExpressionId) -> Step<Scalar> {
        let types = &self.program.types;
        let promoted = |id| types.promoted(self.type_of(id), self.program.bit_width(id));
        let (left, right) = (promoted(left), promoted(right));
        match (Scalar::of(types, left)?, Scalar::of(types, right)?) {
            (Scalar::Double, _) | (_, Scalar::Double) => Ok(Scalar::Double),
            (Scalar::Float, _) | (_, Scalar::Float) => Ok(Scalar::Float),
            _ => Ok(Scalar::Integer(constant::common_type(types, left, right))),
        }
    }

    fn logical(&mut self, operator: BinaryOperator, left: ExpressionId, right: ExpressionId) -> Step<()> {
        let (decided, end) = (self.new_target(), self.new_target());
        let is_and = operator == BinaryOperator::And;
        let jump = |target| match is_and {
            true => Operation::JumpIfZero(target),
            false => Operation::JumpIfNotZero(target),
        };
        self.scalar_value(left)?;
        self.emit(jump(decided));
        self.scalar_value(right)?;
        self.emit(jump(decided));
        self.emit(Operation::Integer(i128::from(is_and)));
        self.emit(Operation::Jump(end));
        self.place_target(decided);
        self.emit(Operation::Integer(i128::from(!is_and)));
        self.place_target(end);
        Ok(())
    }

    fn pointer_sum(&mut self, operator: BinaryOperator, left: ExpressionId, right: ExpressionId) -> Step<()> {
        match (self.pointee(left), self.pointee(right)) {
            (Some(target), Some(_)) => {
                self.value(left)?;
                self.value(right)?;
                let size = self.element_size(target)?;
                self.emit(Operation::PointerDifference(size));
            }
            (Some(target), None) => {
                self.value(left)?;
                self.integer_value(right)?;
                let size = self.element_size(target)?;
                self.emit(Operation::Index(if operator == BinaryOperator::Add { size } else { -size }));
            }
            (None, Some(target)) => {
                self.integer_value(left)?;
                self.value(right)?;
                self.emit(Operation::Swap);
                let size = self.element_size(target)?;
                self.emit(Operation::Index(size));
            }
            (None, None) => return unsupported("a sum of pointers"),
        }
        Ok(())
    }

    fn assign(
        &mut self,
        operator: Option<BinaryOperator>,
        target: ExpressionId,
        value: ExpressionId,
    ) -> Step<()> {
        let access = self.place(target)?;
        let Some(operator) = operator else {
            self.value_as(value, access.r#type)?;
            self.emit(Operation::Store(access));
            return Ok(());
        };
        let types = &self.program.types;
        let stored = Scalar::of(types, access.r#type)?;
        if let Some(pointee) = types.pointee(access.r#type) {
            self.integer_value(value)?;
            let size = self.element_size(pointee)?;
            let size = if operator == BinaryOperator::Add { size } else { -size };
            self.emit(Operation::ModifyPointer { access, size });
            return Ok(());
        }
        let common = match operator {
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => {
                Scalar::of(types, types.promoted(access.r#type, self.program.bit_width(target)))?
            }
            _ => self.common(target, value)?,
        };
        let is_shift = matches!(operator, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight);
        let from = Scalar::of(types, self.type_of(value))?;
        self.value(value)?;
        if !is_shift {
            self.emit_convert(from, common);
        }
        self.emit(Operation::Modify { access, operator, stored, common });
        Ok(())
    }

    fn conditional(
        &mut self,
        id: ExpressionId,
        condition: ExpressionId,
        then: Option<ExpressionId>,
        otherwise: ExpressionId,
    ) -> Step<()> {
        let r#type = self.type_of(id);
        let (failing, end) = (self.new_target(), self.new_target());
        self.scalar_value(condition)?;
        match then {
            Some(then) => {
                self.emit(Operation::JumpIfZero(failing));
                self.value_as(then, r#type)?;
                self.emit(Operation::Jump(end));
                self.place_target(failing);
            }
            None => {
                self.emit(Operation::Duplicate);
                self.emit(Operation::JumpIfZero(failing));
                self.convert(self.type_of(condition), r#type)?;
                self.emit(Operation::Jump(end));
                self.place_target(failing);
                self.emit(Operation::Pop);
            }
        }
        self.value_as(otherwise, r#type)?;
        self.place_target(end);
        Ok(())
    }

    fn cast(&mut self, operand: ExpressionId, to: Type) -> Step<()> {
        match self.program.types.kind(to) {
            TypeKind::Void => {
                self.dropped(operand)?;
                self.emit(Operation::Void);
                Ok(())
            }
            TypeKind::Record(_) => unsupported("a cast to a union"),
            _ => self.value_as(operand, to),
        }
    }
}
