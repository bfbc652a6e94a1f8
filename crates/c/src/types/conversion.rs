//! Conversions between types: promotions, the usual arithmetic conversions, compatible and composite types.

use crate::types::{
    ArrayLength, EnumerationId, FunctionStyle, IntegerKind, Qualifiers, RealKind, Type, TypeKind, Types,
};

impl Types {
    /// Whether the type is `_Bool`, an integer type or an enumeration.
    pub fn is_integer(&self, r#type: Type) -> bool {
        matches!(self.kind(r#type), TypeKind::Bool | TypeKind::Integer(_) | TypeKind::Enumeration(_))
    }

    /// Whether the type is a real floating type.
    pub fn is_real_floating(&self, r#type: Type) -> bool {
        matches!(self.kind(r#type), TypeKind::Real(_))
    }

    /// Whether the type is an integer, floating or complex type.
    pub fn is_arithmetic(&self, r#type: Type) -> bool {
        self.is_integer(r#type) || matches!(self.kind(r#type), TypeKind::Real(_) | TypeKind::Complex(_))
    }

    /// Whether the type is a pointer.
    pub fn is_pointer(&self, r#type: Type) -> bool {
        matches!(self.kind(r#type), TypeKind::Pointer(_))
    }

    /// Whether the type is arithmetic or a pointer.
    pub fn is_scalar(&self, r#type: Type) -> bool {
        self.is_arithmetic(r#type)
            || matches!(self.kind(r#type), TypeKind::Pointer(_) | TypeKind::NullPointer)
    }

    /// What a pointer points to.
    pub fn pointee(&self, r#type: Type) -> Option<Type> {
        match self.kind(r#type) {
            TypeKind::Pointer(target) => Some(target),
            _ => None,
        }
    }

    /// The integer kind of a type. For an enumeration, it is that of the type that holds its values.
    pub fn integer_kind(&self, r#type: Type) -> Option<IntegerKind> {
        match self.kind(r#type) {
            TypeKind::Integer(kind) => Some(kind),
            TypeKind::Enumeration(id) => self.integer_kind(self.underlying(id)),
            _ => None,
        }
    }

    fn underlying(&self, id: EnumerationId) -> Type {
        self.enumerations[id].underlying.unwrap_or(Type::UNSIGNED_INT)
    }

    /// Whether an integer type has negative values. Plain `char` has, on x86.
    pub fn is_signed(&self, r#type: Type) -> bool {
        self.integer_kind(r#type).is_some_and(IntegerKind::is_signed)
    }

    /// The number of bits of an integer type that hold its value; 1 for `_Bool`.
    pub fn integer_bits(&self, r#type: Type) -> Option<u32> {
        match self.kind(r#type) {
            TypeKind::Bool => Some(1),
            _ => Some(self.integer_size(self.integer_kind(r#type)?) as u32 * 8),
        }
    }

    /// The smallest value of an integer type.
    pub fn minimum(&self, r#type: Type) -> Option<i128> {
        let bits = self.integer_bits(r#type)?;
        Some(if self.is_signed(r#type) { i128::MIN >> (128 - bits) } else { 0 })
    }

    /// The largest value of an integer type; none for `unsigned __int128`, whose largest value does not fit.
    pub fn maximum(&self, r#type: Type) -> Option<i128> {
        let bits = self.integer_bits(r#type)?;
        let value_bits = if self.is_signed(r#type) { bits - 1 } else { bits };
        if value_bits > 127 { None } else { Some((u128::MAX >> (128 - value_bits)) as i128) }
    }

    /// Whether a value fits into an integer type.
    pub fn holds(&self, r#type: Type, value: i128) -> bool {
        let (Some(minimum), bits) = (self.minimum(r#type), self.integer_bits(r#type)) else {
            return false;
        };
        minimum <= value
            && (bits == Some(128) || self.maximum(r#type).is_some_and(|maximum| value <= maximum))
    }

    /// The integer promotions. `width` is that of a bit-field.
    pub fn promoted(&self, r#type: Type, width: Option<u32>) -> Type {
        let kind = match self.kind(r#type) {
            TypeKind::Bool => return Type::INT,
            TypeKind::Integer(_) | TypeKind::Enumeration(_) => self.integer_kind(r#type),
            _ => None,
        };
        match (kind, width) {
            (None, _) => r#type.unqualified(),
            (Some(kind), Some(32)) if !kind.is_signed() => Type::UNSIGNED_INT,
            (Some(_), Some(width)) if width <= 32 => Type::INT,
            (Some(kind), _) if kind < IntegerKind::Int => Type::INT,
            (Some(kind), _) => Type::integer(kind),
        }
    }

    /// The type of an argument for which no parameter gives a type.
    pub fn promoted_argument(&self, r#type: Type) -> Type {
        match self.kind(r#type) {
            TypeKind::Real(RealKind::Float) => Type::DOUBLE,
            _ => self.promoted(r#type, None),
        }
    }

    /// The usual arithmetic conversions on two promoted types; none if one of them is not arithmetic.
    pub fn arithmetic(&mut self, left: Type, right: Type) -> Option<Type> {
        let (left, right) = (self.promoted(left, None), self.promoted(right, None));
        match (self.kind(left), self.kind(right)) {
            (TypeKind::Complex(left), TypeKind::Complex(right)) => self.complex_of(left, right),
            (TypeKind::Complex(part), _) => self.complex_of(part, right),
            (_, TypeKind::Complex(part)) => self.complex_of(left, part),
            (TypeKind::Real(left), TypeKind::Real(right)) => Some(Type::real(common_real(left, right))),
            (TypeKind::Real(_), TypeKind::Integer(_)) => Some(Type::real(self.real_kind(left)?)),
            (TypeKind::Integer(_), TypeKind::Real(_)) => Some(Type::real(self.real_kind(right)?)),
            (TypeKind::Integer(left), TypeKind::Integer(right)) => {
                Some(Type::integer(self.common_integer(left, right)))
            }
            _ => None,
        }
    }

    fn real_kind(&self, r#type: Type) -> Option<RealKind> {
        match self.kind(r#type) {
            TypeKind::Real(kind) => Some(kind),
            _ => None,
        }
    }

    fn complex_of(&mut self, left: Type, right: Type) -> Option<Type> {
        let part = self.arithmetic(left, right)?;
        Some(self.intern(TypeKind::Complex(part)))
    }

    pub(crate) fn common_integer(&self, left: IntegerKind, right: IntegerKind) -> IntegerKind {
        // Kinds are ordered by rank, and within a rank the unsigned type follows the signed one.
        let (low, high) = if left < right { (left, right) } else { (right, left) };
        if high.is_signed() && !low.is_signed() && self.integer_size(low) >= self.integer_size(high) {
            return high.to_unsigned();
        }
        high
    }

    /// Whether two types are compatible. Qualifiers of the types themselves count.
    pub fn compatible(&self, left: Type, right: Type) -> bool {
        if left == right {
            return true;
        }
        if left.qualifiers() != right.qualifiers() {
            return false;
        }
        match (self.kind(left), self.kind(right)) {
            (TypeKind::Enumeration(left), TypeKind::Enumeration(right)) => left == right,
            (TypeKind::Enumeration(id), other) | (other, TypeKind::Enumeration(id)) => {
                self.kind(self.underlying(id)) == other
            }
            (TypeKind::Pointer(left), TypeKind::Pointer(right)) => self.compatible(left, right),
            (TypeKind::Complex(left), TypeKind::Complex(right)) => self.compatible(left, right),
            (
                TypeKind::Vector { element: left, lanes },
                TypeKind::Vector { element: right, lanes: others },
            ) => lanes == others && self.compatible(left, right),
            (
                TypeKind::Array { element: left, length },
                TypeKind::Array { element: right, length: other_length },
            ) => compatible_lengths(length, other_length) && self.compatible(left, right),
            (TypeKind::Function { .. }, TypeKind::Function { .. }) => self.compatible_functions(left, right),
            (left, right) => left == right,
        }
    }

    fn compatible_functions(&self, left: Type, right: Type) -> bool {
        let (
            TypeKind::Function { result: left_result, parameters: left_list, style: left_style },
            TypeKind::Function { result: right_result, parameters: right_list, style: right_style },
        ) = (self.kind(left), self.kind(right))
        else {
            return false;
        };
        if !self.compatible(left_result, right_result) {
            return false;
        }
        let (left_list, right_list) = (self.parameters(left_list), self.parameters(right_list));
        let survives = |parameter: &Type| {
            self.compatible(parameter.unqualified(), self.promoted_argument(*parameter).unqualified())
        };
        match (left_style, right_style) {
            (FunctionStyle::Unspecified, FunctionStyle::Unspecified) => true,
            (FunctionStyle::Unspecified, style) => {
                style == FunctionStyle::Fixed && right_list.iter().all(survives)
            }
            (style, FunctionStyle::Unspecified) => {
                style == FunctionStyle::Fixed && left_list.iter().all(survives)
            }
            _ => {
                left_style == right_style
                    && left_list.len() == right_list.len()
                    && left_list
                        .iter()
                        .zip(right_list)
                        .all(|(left, right)| self.compatible(left.unqualified(), right.unqualified()))
            }
        }
    }

    /// The composite type. For types that are not compatible, the second one.
    pub fn composite(&mut self, left: Type, right: Type) -> Type {
        if left == right {
            return right;
        }
        let composite = match (self.kind(left), self.kind(right)) {
            (
                TypeKind::Array { element: left, length },
                TypeKind::Array { element: right, length: other },
            ) => {
                let element = self.composite(left, right);
                self.array_of(element, if other == ArrayLength::Unknown { length } else { other })
            }
            (TypeKind::Pointer(left), TypeKind::Pointer(right)) => {
                let target = self.composite(left, right);
                self.pointer_to(target)
            }
            (TypeKind::Function { .. }, TypeKind::Function { .. }) => self.composite_function(left, right),
            _ => return right,
        };
        composite.with(right.qualifiers())
    }

    fn composite_function(&mut self, left: Type, right: Type) -> Type {
        let (
            TypeKind::Function { result: left_result, parameters: left_list, style: left_style },
            TypeKind::Function { result: right_result, parameters: right_list, style: right_style },
        ) = (self.kind(left), self.kind(right))
        else {
            return right;
        };
        let result = self.composite(left_result, right_result);
        let left_list = self.parameters(left_list).to_vec();
        let right_list = self.parameters(right_list).to_vec();
        if right_style == FunctionStyle::Unspecified {
            return self.function(result, &left_list, left_style);
        }
        if left_style == FunctionStyle::Unspecified || left_list.len() != right_list.len() {
            return self.function(result, &right_list, right_style);
        }
        let pairs = left_list.iter().zip(&right_list);
        let parameters: Vec<Type> = pairs.map(|(left, right)| self.composite(*left, *right)).collect();
        self.function(result, &parameters, right_style)
    }

    /// The type of a value: arrays and functions become pointers, and qualifiers are dropped.
    pub fn decayed(&mut self, r#type: Type) -> Type {
        match self.kind(r#type) {
            TypeKind::Array { element, .. } => self.pointer_to(element),
            TypeKind::Function { .. } => self.pointer_to(r#type),
            _ => self.plain(r#type),
        }
    }

    /// The type of a parameter as its function sees it: arrays and functions become pointers.
    pub(crate) fn adjusted_parameter(&mut self, r#type: Type, array_qualifiers: Qualifiers) -> Type {
        match self.kind(r#type) {
            TypeKind::Array { element, .. } => self.pointer_to(element).with(array_qualifiers),
            TypeKind::Function { .. } => self.pointer_to(r#type),
            _ => r#type,
        }
    }
}

impl IntegerKind {
    /// Whether the type has negative values. Plain `char` has, on x86.
    pub fn is_signed(self) -> bool {
        use IntegerKind as I;
        matches!(self, I::Char | I::SignedChar | I::Short | I::Int | I::Long | I::LongLong | I::Int128)
    }

    /// The unsigned type of the same size.
    pub fn to_unsigned(self) -> IntegerKind {
        use IntegerKind as I;
        match self {
            I::Char | I::SignedChar | I::UnsignedChar => I::UnsignedChar,
            I::Short | I::UnsignedShort => I::UnsignedShort,
            I::Int | I::UnsignedInt => I::UnsignedInt,
            I::Long | I::UnsignedLong => I::UnsignedLong,
            I::LongLong | I::UnsignedLongLong => I::UnsignedLongLong,
            I::Int128 | I::UnsignedInt128 => I::UnsignedInt128,
        }
    }
}

fn compatible_lengths(left: ArrayLength, right: ArrayLength) -> bool {
    match (left, right) {
        (ArrayLength::Known(left), ArrayLength::Known(right)) => left == right,
        _ => true,
    }
}

/// Of two floating types, the one with the greater precision; at the same precision, interchange types come before
/// standard ones and those before extended ones.
fn common_real(left: RealKind, right: RealKind) -> RealKind {
    if preference(left) >= preference(right) { left } else { right }
}

fn preference(kind: RealKind) -> (u32, u32) {
    use RealKind as R;
    match kind {
        R::Float16 => (16, 2),
        R::Float => (32, 1),
        R::Float32 => (32, 2),
        R::Float32x => (64, 0),
        R::Double => (64, 1),
        R::Float64 => (64, 2),
        R::Float64x => (80, 0),
        R::LongDouble => (80, 1),
        R::Float128 => (128, 2),
        R::Decimal32 => (1000, 0),
        R::Decimal64 => (1001, 0),
        R::Decimal128 => (1002, 0),
    }
}
