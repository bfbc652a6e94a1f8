//! Values and their conversions.

use super::stop::{Step, undefined, unsupported};
use crate::syntax::EntityId;
use crate::types::{RealKind, Type, TypeKind, Types};

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// An integer in the range of its type. An `unsigned __int128` beyond the largest `i128` is the negative number with
    /// the same bits.
    Integer(i128),
    Float(f32),
    Double(f64),
    Pointer(Pointer),
    /// The bytes of a structure or union.
    Aggregate(Box<Chunk>),
    /// The value of an expression of type `void`.
    Void,
    /// What a function returns that ends without a `return`. Using it is undefined.
    Missing,
    /// A result of the library that the standard does not fix.
    Unspecified,
}

/// The value of a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pointer {
    Null,
    Object(Address),
    Function(EntityId),
}

/// A place in an object, or its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub object: ObjectName,
    /// The distance from the beginning of the object, in bytes.
    pub offset: i64,
    /// Where the array or member begins that the pointer was made from; it must not leave that part.
    pub low: i64,
    /// Where that part ends.
    pub high: i64,
}

/// Names an object. The slots of objects that no longer exist are used again, with another generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ObjectName {
    pub slot: u32,
    pub generation: u32,
}

/// A copy of a part of an object.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    pub bytes: Vec<Byte>,
    /// The pointers in it, with their offsets.
    pub pointers: Vec<(i64, Pointer)>,
    /// The types of the values in it, with their offsets, where the source records them.
    pub effective: Vec<(i64, Type)>,
}

/// A byte of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Byte {
    pub value: u8,
    /// The bits that have a value.
    pub known: u8,
    pub tag: Tag,
}

/// What a byte is part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tag {
    /// A number.
    #[default]
    Plain,
    /// A pointer, which has no bits here.
    Pointer,
    /// A floating-point value that is not a number, whose bits the standard does not fix.
    NotANumber,
}

/// The types that machine operations distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    /// `_Bool`, an integer type or an enumeration.
    Integer(Type),
    Float,
    Double,
    Pointer,
}

impl Scalar {
    /// The scalar type of a value of a type; arrays and functions become pointers.
    pub(super) fn of(types: &Types, r#type: Type) -> Step<Scalar> {
        match types.kind(r#type) {
            TypeKind::Bool | TypeKind::Integer(_) | TypeKind::Enumeration(_) => {
                Ok(Scalar::Integer(r#type.unqualified()))
            }
            TypeKind::Real(RealKind::Float | RealKind::Float32) => Ok(Scalar::Float),
            TypeKind::Real(RealKind::Double | RealKind::Float64 | RealKind::Float32x) => Ok(Scalar::Double),
            TypeKind::Pointer(_)
            | TypeKind::NullPointer
            | TypeKind::Array { .. }
            | TypeKind::Function { .. } => Ok(Scalar::Pointer),
            TypeKind::Real(_) => unsupported("the program computes with an extended floating type"),
            TypeKind::Complex(_) => unsupported("the program computes with complex numbers"),
            TypeKind::Vector { .. } => unsupported("the program computes with vectors"),
            TypeKind::Void => undefined("a value of type void is used"),
            TypeKind::Record(_) => unsupported("a structure is used as a scalar"),
        }
    }
}

impl Value {
    /// The integer that the value is.
    pub(super) fn integer(&self) -> Step<i128> {
        match self {
            Value::Integer(value) => Ok(*value),
            _ => self.refuse("an integer"),
        }
    }

    /// The pointer that the value is.
    pub(super) fn pointer(&self) -> Step<Pointer> {
        match self {
            Value::Pointer(pointer) => Ok(*pointer),
            _ => self.refuse("a pointer"),
        }
    }

    /// The floating-point value, as a `double`, which holds every `float`.
    pub(super) fn real(&self) -> Step<f64> {
        match self {
            Value::Float(value) => Ok(f64::from(*value)),
            Value::Double(value) => Ok(*value),
            _ => self.refuse("a floating-point value"),
        }
    }

    /// Whether a scalar is not zero.
    pub(super) fn is_true(&self) -> Step<bool> {
        match self {
            Value::Integer(value) => Ok(*value != 0),
            Value::Float(value) => Ok(*value != 0.0),
            Value::Double(value) => Ok(*value != 0.0),
            Value::Pointer(pointer) => Ok(*pointer != Pointer::Null),
            _ => self.refuse("a scalar"),
        }
    }

    /// Stops because the value is not what is needed.
    fn refuse<T>(&self, needed: &str) -> Step<T> {
        match self {
            Value::Missing => {
                undefined("the result is used of a function that ended without returning a value")
            }
            Value::Unspecified => {
                unsupported("a result of the library is used that the standard does not fix")
            }
            _ => unsupported(format!("a value is needed that is {needed}")),
        }
    }

    /// The value that a conversion gives.
    pub(super) fn convert(self, types: &Types, from: Scalar, to: Scalar) -> Step<Value> {
        match (from, to) {
            (Scalar::Integer(from), Scalar::Integer(to)) => {
                let value = self.integer()?;
                if from == to {
                    return Ok(Value::Integer(value));
                }
                match types.wrap(value, to) {
                    Some(value) => Ok(Value::Integer(value)),
                    None => unsupported("an integer has an incomplete type"),
                }
            }
            (Scalar::Integer(from), Scalar::Float) => Ok(Value::Float(match self.integer()? {
                value if value < 0 && !types.is_signed(from) => value as u128 as f32,
                value => value as f32,
            })),
            (Scalar::Integer(from), Scalar::Double) => Ok(Value::Double(match self.integer()? {
                value if value < 0 && !types.is_signed(from) => value as u128 as f64,
                value => value as f64,
            })),
            (Scalar::Float | Scalar::Double, Scalar::Integer(to)) => truncated(types, self.real()?, to),
            (Scalar::Float | Scalar::Double, Scalar::Float) => match self {
                Value::Float(value) => Ok(Value::Float(value)),
                other => Ok(Value::Float(other.real()? as f32)),
            },
            (Scalar::Float | Scalar::Double, Scalar::Double) => Ok(Value::Double(self.real()?)),
            (Scalar::Pointer, Scalar::Pointer) => Ok(Value::Pointer(self.pointer()?)),
            (Scalar::Pointer, Scalar::Integer(to)) => match self.pointer()? {
                Pointer::Null => Ok(Value::Integer(0)),
                _ if types.kind(to) == TypeKind::Bool => Ok(Value::Integer(1)),
                _ => unsupported("a pointer is converted to a number"),
            },
            (Scalar::Integer(_), Scalar::Pointer) => match self.integer()? {
                0 => Ok(Value::Pointer(Pointer::Null)),
                _ => unsupported("a number is converted to a pointer"),
            },
            (Scalar::Pointer, Scalar::Float | Scalar::Double)
            | (Scalar::Float | Scalar::Double, Scalar::Pointer) => {
                unsupported("a conversion between a pointer and a floating-point value")
            }
        }
    }
}

/// The integer part of a floating-point value, which must fit into the type.
fn truncated(types: &Types, value: f64, to: Type) -> Step<Value> {
    if types.kind(to) == TypeKind::Bool {
        return Ok(Value::Integer(i128::from(value != 0.0)));
    }
    let whole = value.trunc();
    let is_huge = types.integer_bits(to) == Some(128) && whole.abs() >= 1.7e38;
    if is_huge {
        return unsupported("a huge floating-point value is converted to a 128-bit integer");
    }
    let integer = whole as i128;
    if !value.is_finite() || integer as f64 != whole || !types.holds(to, integer) {
        return undefined("a floating-point value is converted to an integer type that cannot hold it");
    }
    Ok(Value::Integer(integer))
}
