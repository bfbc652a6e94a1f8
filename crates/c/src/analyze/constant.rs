//! Evaluates integer constant expressions, one node at a time, from the values of its operands.
//!
//! Arithmetic is exact under the data model. Overflow, division by zero and shifts by too many bits have no value. A
//! left shift of a signed number has the value that gcc defines for it.

use crate::parse::parser::Parser;
use crate::syntax::{BinaryOperator, EntityKind, ExpressionId, ExpressionKind, UnaryOperator};
use crate::types::{Type, TypeKind, Types};

impl Parser<'_> {
    /// Records the value of a new expression if it is constant.
    pub(crate) fn evaluate(&mut self, id: ExpressionId) {
        let r#type = self.type_of(id);
        match self.node(id).kind {
            ExpressionKind::Integer(_) | ExpressionKind::Character(_) => {
                let is_scalar = self.program.types.is_integer(r#type) || r#type == Type::NULL_POINTER;
                self.program.expressions[id].is_constant = is_scalar;
            }
            _ => {
                if let Some(value) = self.value_of(id) {
                    self.set_constant(id, value);
                }
            }
        }
    }

    pub(crate) fn set_constant(&mut self, id: ExpressionId, value: i128) {
        self.program.expressions[id].is_constant = true;
        self.program.constants.push((id, value));
    }

    /// The bits of a constant operand.
    fn known(&self, operand: ExpressionId) -> Option<i128> {
        self.program.constant_bits(operand)
    }

    fn value_of(&self, id: ExpressionId) -> Option<i128> {
        let r#type = self.type_of(id);
        let types = &self.program.types;
        match self.node(id).kind {
            ExpressionKind::Name(entity) => match self.program.entities[entity].kind {
                EntityKind::EnumerationConstant(value) => types.wrap(i128::from(value), r#type),
                _ => None,
            },
            ExpressionKind::Unary { operator: UnaryOperator::AddressOf, operand } => self.address(operand),
            ExpressionKind::Unary { operator, operand } => {
                unary(types, operator, self.known(operand)?, self.type_of(operand), r#type)
            }
            ExpressionKind::Binary { operator, left, right } => self.binary(operator, left, right, r#type),
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let chosen = if self.known(condition)? != 0 { then.unwrap_or(condition) } else { otherwise };
                types.wrap(self.known(chosen)?, r#type)
            }
            ExpressionKind::Cast(operand) => self.cast(operand, r#type),
            ExpressionKind::SizeofExpression(operand) => types.size(self.type_of(operand)).map(i128::from),
            ExpressionKind::SizeofType(of) => types.size(of).map(i128::from),
            ExpressionKind::Generic { selected, .. } | ExpressionKind::Choose { selected, .. } => {
                self.known(selected)
            }
            ExpressionKind::TypesCompatible { first, second } => {
                Some(i128::from(types.compatible(first.unqualified(), second.unqualified())))
            }
            ExpressionKind::Call { function, arguments } => self.builtin_value(function, arguments),
            _ => None,
        }
    }

    /// The value of a few built-in functions on constants.
    fn builtin_value(
        &self,
        function: ExpressionId,
        arguments: crate::syntax::arena::List<ExpressionId>,
    ) -> Option<i128> {
        let ExpressionKind::Name(entity) = self.node(function).kind else {
            return None;
        };
        let first = *self.program.expression_lists[arguments].first()?;
        match self.lexer.names.bytes(self.program.entities[entity].name) {
            b"__builtin_constant_p" => {
                let is_literal =
                    matches!(self.node(first).kind, ExpressionKind::Real(_) | ExpressionKind::String(_));
                (is_literal || self.known(first).is_some()).then_some(1)
            }
            b"__builtin_expect" | b"__builtin_expect_with_probability" => {
                self.program.types.wrap(self.known(first)?, Type::LONG)
            }
            _ => None,
        }
    }

    fn cast(&self, operand: ExpressionId, to: Type) -> Option<i128> {
        let types = &self.program.types;
        if let ExpressionKind::Real(value) = self.node(operand).kind
            && types.is_real_floating(self.type_of(operand))
            && types.is_integer(to)
        {
            if types.kind(to) == TypeKind::Bool {
                return Some(i128::from(value != 0.0));
            }
            // A value beyond the type is undefined.
            let truncated = value.trunc() as i128;
            return (truncated as f64 == value.trunc() && types.holds(to, truncated)).then_some(truncated);
        }
        types.wrap(self.known(operand)?, to)
    }

    fn binary(
        &self,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
        to: Type,
    ) -> Option<i128> {
        use BinaryOperator as B;
        let types = &self.program.types;
        let left_value = self.known(left)?;
        match operator {
            B::And if left_value == 0 => return Some(0),
            B::Or if left_value != 0 => return Some(1),
            _ => {}
        }
        let right_value = self.known(right)?;
        let (left_type, right_type) = (self.type_of(left), self.type_of(right));
        if matches!(operator, B::And | B::Or) {
            return Some(i128::from(right_value != 0));
        }
        if !types.is_integer(left_type) || !types.is_integer(right_type) {
            return self.pointer_sum(operator, (left_value, left_type), (right_value, right_type), to);
        }
        if matches!(operator, B::ShiftLeft | B::ShiftRight) {
            return shift(types, operator, types.wrap(left_value, to)?, right_value, to);
        }
        let common = common_type(types, left_type, right_type);
        let (left, right) = (types.wrap(left_value, common)?, types.wrap(right_value, common)?);
        arithmetic(types, operator, left, right, common)
    }

    /// Sums and differences with pointers that are constants, as in old definitions of `offsetof`.
    fn pointer_sum(
        &self,
        operator: BinaryOperator,
        left: (i128, Type),
        right: (i128, Type),
        to: Type,
    ) -> Option<i128> {
        use BinaryOperator as B;
        let types = &self.program.types;
        let size =
            |pointer: Type| types.size(types.pointee(pointer)?).map(i128::from).filter(|size| *size > 0);
        match (operator, types.is_pointer(left.1), types.is_pointer(right.1)) {
            (B::Equal, ..) => Some(i128::from(left.0 == right.0)),
            (B::NotEqual, ..) => Some(i128::from(left.0 != right.0)),
            (B::Subtract, true, true) => Some((left.0 - right.0) / size(left.1)?),
            (B::Add, true, false) => types.wrap(left.0.checked_add(right.0.checked_mul(size(left.1)?)?)?, to),
            (B::Add, false, true) => {
                types.wrap(right.0.checked_add(left.0.checked_mul(size(right.1)?)?)?, to)
            }
            (B::Subtract, true, false) => {
                types.wrap(left.0.checked_sub(right.0.checked_mul(size(left.1)?)?)?, to)
            }
            _ => None,
        }
    }

    /// The address of an lvalue below a constant pointer, as in `&((struct s *)0)->m`.
    fn address(&self, operand: ExpressionId) -> Option<i128> {
        let types = &self.program.types;
        let mut offset = 0i128;
        let mut current = operand;
        loop {
            match self.node(current).kind {
                ExpressionKind::Member { base, arrow, .. } => {
                    let name = self.member_name(current)?;
                    let of = self.type_of(base);
                    let of = if arrow { types.pointee(of)? } else { of };
                    let TypeKind::Record(record) = types.kind(of) else {
                        return None;
                    };
                    offset = offset.checked_add(i128::from(types.find_member(record, name)?.offset / 8))?;
                    if arrow {
                        return self.known(base)?.checked_add(offset);
                    }
                    current = base;
                }
                ExpressionKind::Index { base, index } => {
                    let size = i128::from(types.size(self.type_of(current))?);
                    offset = offset.checked_add(self.known(index)?.checked_mul(size)?)?;
                    if types.is_pointer(self.type_of(base)) {
                        return self.known(base)?.checked_add(offset);
                    }
                    current = base;
                }
                ExpressionKind::Unary { operator: UnaryOperator::Dereference, operand } => {
                    return self.known(operand)?.checked_add(offset);
                }
                _ => return None,
            }
        }
    }

    fn member_name(&self, expression: ExpressionId) -> Option<crate::syntax::name::Name> {
        let ExpressionKind::Member { record, index, .. } = self.node(expression).kind else {
            return None;
        };
        self.program.types.records[record].members.get(index as usize)?.name
    }
}

impl Types {
    /// The value that a conversion to an integer type or pointer gives: the low bits, or whether it is not zero.
    /// An `unsigned __int128` beyond the largest `i128` is the negative number with the same bits.
    pub fn wrap(&self, value: i128, r#type: Type) -> Option<i128> {
        let (bits, is_signed) = match self.kind(r#type) {
            TypeKind::Bool => return Some(i128::from(value != 0)),
            TypeKind::Pointer(_) | TypeKind::NullPointer => (self.size(r#type)? as u32 * 8, false),
            _ => (self.integer_bits(r#type)?, self.is_signed(r#type)),
        };
        let unused = 128 - bits;
        Some(if is_signed {
            value << unused >> unused
        } else {
            ((value as u128) << unused >> unused) as i128
        })
    }
}

/// The usual arithmetic conversions on integer types, like `Types::arithmetic` but without creating types.
pub(crate) fn common_type(types: &Types, left: Type, right: Type) -> Type {
    let (left, right) = (types.promoted(left, None), types.promoted(right, None));
    match (types.integer_kind(left), types.integer_kind(right)) {
        (Some(left), Some(right)) => Type::integer(types.common_integer(left, right)),
        _ => left,
    }
}

fn unary(types: &Types, operator: UnaryOperator, value: i128, from: Type, to: Type) -> Option<i128> {
    if operator == UnaryOperator::Not {
        return Some(i128::from(value == 0));
    }
    if !types.is_integer(from) || !types.is_integer(to) {
        return None;
    }
    let value = types.wrap(value, to)?;
    match operator {
        UnaryOperator::Plus => Some(value),
        UnaryOperator::Complement => types.wrap(!value, to),
        UnaryOperator::Minus => arithmetic(types, BinaryOperator::Subtract, 0, value, to),
        _ => None,
    }
}

pub(crate) fn shift(
    types: &Types,
    operator: BinaryOperator,
    value: i128,
    count: i128,
    to: Type,
) -> Option<i128> {
    let bits = i128::from(types.integer_bits(to)?);
    if count < 0 || count >= bits {
        return None;
    }
    match operator {
        BinaryOperator::ShiftLeft => types.wrap(value.wrapping_shl(count as u32), to),
        _ if types.is_signed(to) => Some(value >> count),
        _ => Some(((value as u128) >> count) as i128),
    }
}

/// The value of an operator on two values of one type.
pub(crate) fn arithmetic(
    types: &Types,
    operator: BinaryOperator,
    left: i128,
    right: i128,
    r#type: Type,
) -> Option<i128> {
    use BinaryOperator as B;
    let is_signed = types.is_signed(r#type);
    let (unsigned_left, unsigned_right) = (left as u128, right as u128);
    let less =
        |left: i128, right: i128| if is_signed { left < right } else { (left as u128) < right as u128 };
    let exact = match operator {
        B::Less => return Some(i128::from(less(left, right))),
        B::Greater => return Some(i128::from(less(right, left))),
        B::LessEqual => return Some(i128::from(!less(right, left))),
        B::GreaterEqual => return Some(i128::from(!less(left, right))),
        B::Equal => return Some(i128::from(left == right)),
        B::NotEqual => return Some(i128::from(left != right)),
        B::BitAnd => return Some(left & right),
        B::BitXor => return types.wrap(left ^ right, r#type),
        B::BitOr => return Some(left | right),
        B::Divide if !is_signed => {
            return unsigned_left.checked_div(unsigned_right).map(|value| value as i128);
        }
        B::Remainder if !is_signed => {
            return unsigned_left.checked_rem(unsigned_right).map(|value| value as i128);
        }
        B::Add if !is_signed => return types.wrap(left.wrapping_add(right), r#type),
        B::Subtract if !is_signed => return types.wrap(left.wrapping_sub(right), r#type),
        B::Multiply if !is_signed => return types.wrap(left.wrapping_mul(right), r#type),
        B::Add => left.checked_add(right),
        B::Subtract => left.checked_sub(right),
        B::Multiply => left.checked_mul(right),
        B::Divide => left.checked_div(right),
        // The remainder is undefined wherever the quotient is.
        B::Remainder if right == -1 && Some(left) == types.minimum(r#type) => None,
        B::Remainder => left.checked_rem(right),
        B::ShiftLeft | B::ShiftRight | B::And | B::Or => None,
    };
    exact.filter(|value| types.holds(r#type, *value))
}
