//! Types. They are interned: a type is a small number with the qualifiers in its low bits.

pub(crate) mod builtin;
pub(crate) mod conversion;
pub(crate) mod layout;
pub(crate) mod member;
pub(crate) mod of_expression;
pub(crate) mod table;
pub(crate) mod text;

use crate::syntax::ExpressionId;
use crate::syntax::arena::{Id, List};
use crate::syntax::name::Name;
use crate::syntax::span::Span;

pub use crate::types::table::Types;
pub use model::DataModel;

/// A type with its qualifiers. What it is, is in [`Types`].
///
/// Equal values are equal types. Types that differ in value may still be compatible: ask [`Types::compatible`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Type(u32);

/// A set of qualifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Qualifiers(u8);

/// What a type is, without qualifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// `void`.
    Void,
    /// `_Bool`.
    Bool,
    /// An integer type other than `_Bool` and enumerations.
    Integer(IntegerKind),
    /// A real floating type.
    Real(RealKind),
    /// `_Complex` over the given real or integer type.
    Complex(Type),
    /// The type of `nullptr`.
    NullPointer,
    /// An enumeration.
    Enumeration(EnumerationId),
    /// A pointer to the given type.
    Pointer(Type),
    /// An array.
    Array {
        /// The type of an element.
        element: Type,
        /// The number of elements.
        length: ArrayLength,
    },
    /// A function.
    Function {
        /// The type of the result.
        result: Type,
        /// The types of the parameters: see [`Types::parameters`].
        parameters: List<Type>,
        /// What else is known about the parameters.
        style: FunctionStyle,
    },
    /// A structure or a union.
    Record(RecordId),
    /// A vector of the GNU attribute `vector_size`.
    Vector {
        /// The type of an element.
        element: Type,
        /// The number of elements.
        lanes: u32,
    },
}

/// The integer types apart from `_Bool` and enumerations. Each signed type comes right before its unsigned type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are those of C")]
pub enum IntegerKind {
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
}

/// The real floating types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are those of C")]
pub enum RealKind {
    Float16,
    Float,
    Double,
    LongDouble,
    Float32,
    Float64,
    Float128,
    Float32x,
    Float64x,
    Decimal32,
    Decimal64,
    Decimal128,
}

/// How many elements an array has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArrayLength {
    /// A constant number.
    Known(u64),
    /// `[]`: an incomplete type, or a flexible member.
    Unknown,
    /// A length computed when the declaration is reached.
    Variable(ExpressionId),
    /// `[*]` in a prototype.
    Star,
}

/// What a function type says about its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FunctionStyle {
    /// A prototype with exactly these parameters.
    Fixed,
    /// A prototype that ends in `...`.
    Variadic,
    /// No prototype: `int f();`, or a definition in the style of K&R, whose parameters are then listed.
    Unspecified,
}

/// Names an enumeration.
pub type EnumerationId = Id<Enumeration>;
/// Names a structure or union.
pub type RecordId = Id<Record>;

/// An enumeration.
#[derive(Debug, Clone)]
pub struct Enumeration {
    /// The tag, if there is one.
    pub tag: Option<Name>,
    /// The first typedef name given to it.
    pub typedef_name: Option<Name>,
    /// The integer type that holds its values, once it is complete.
    pub underlying: Option<Type>,
    /// Whether the underlying type was written (C23).
    pub fixed: bool,
    /// The attribute `packed`: the smallest type that fits.
    pub packed: bool,
    /// Whether its enumerators are known.
    pub complete: bool,
    /// From the keyword `enum` to the closing brace of the definition, or to the tag of the first mention.
    pub span: Span,
}

/// A structure or union.
#[derive(Debug, Clone)]
pub struct Record {
    /// Whether it is a union.
    pub is_union: bool,
    /// The tag, if there is one.
    pub tag: Option<Name>,
    /// The first typedef name given to it.
    pub typedef_name: Option<Name>,
    /// The members, in order; unnamed bit-fields are included.
    pub members: Vec<Member>,
    /// Whether its members are known.
    pub complete: bool,
    /// The attribute `packed`.
    pub packed: bool,
    /// The attribute `transparent_union`.
    pub transparent: bool,
    /// The number of its members and their members, once complete.
    pub(crate) weight: u32,
    /// The size in bytes, once complete; none if it depends on a variable length.
    pub size: Option<u64>,
    /// The alignment in bytes, once complete.
    pub alignment: u64,
    /// From the keyword to the closing brace of the definition, or to the tag of the first mention.
    pub span: Span,
}

/// A member of a structure or union.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// The name; none for unnamed bit-fields and for anonymous structures and unions.
    pub name: Option<Name>,
    /// The type. For a bit-field, the declared type.
    pub r#type: Type,
    /// The width of a bit-field.
    pub width: Option<u32>,
    /// Where it begins, in bits from the beginning of the record.
    pub offset: u64,
    /// The alignment demanded by an attribute or `_Alignas`, or 0.
    pub aligned: u64,
    /// The attribute `packed`.
    pub packed: bool,
}

impl Qualifiers {
    /// No qualifier.
    pub const NONE: Qualifiers = Qualifiers(0);
    /// `const`.
    pub const CONST: Qualifiers = Qualifiers(1);
    /// `volatile`.
    pub const VOLATILE: Qualifiers = Qualifiers(2);
    /// `restrict`.
    pub const RESTRICT: Qualifiers = Qualifiers(4);
    /// `_Atomic`.
    pub const ATOMIC: Qualifiers = Qualifiers(8);
    /// The address space `__seg_fs`.
    pub const SEG_FS: Qualifiers = Qualifiers(16);
    /// The address space `__seg_gs`.
    pub const SEG_GS: Qualifiers = Qualifiers(32);

    /// Whether all of `others` are in this set.
    pub fn contains(self, others: Qualifiers) -> bool {
        self.0 & others.0 == others.0
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Both sets together.
    pub fn and(self, others: Qualifiers) -> Qualifiers {
        Qualifiers(self.0 | others.0)
    }

    /// This set without `others`.
    pub fn without(self, others: Qualifiers) -> Qualifiers {
        Qualifiers(self.0 & !others.0)
    }
}

const QUALIFIER_BITS: u32 = 6;

impl Type {
    /// `void`.
    pub const VOID: Type = Type::basic(0);
    /// `_Bool`.
    pub const BOOL: Type = Type::basic(1);
    /// `char`.
    pub const CHAR: Type = Type::integer(IntegerKind::Char);
    /// `signed char`.
    pub const SIGNED_CHAR: Type = Type::integer(IntegerKind::SignedChar);
    /// `unsigned char`.
    pub const UNSIGNED_CHAR: Type = Type::integer(IntegerKind::UnsignedChar);
    /// `short`.
    pub const SHORT: Type = Type::integer(IntegerKind::Short);
    /// `unsigned short`.
    pub const UNSIGNED_SHORT: Type = Type::integer(IntegerKind::UnsignedShort);
    /// `int`.
    pub const INT: Type = Type::integer(IntegerKind::Int);
    /// `unsigned int`.
    pub const UNSIGNED_INT: Type = Type::integer(IntegerKind::UnsignedInt);
    /// `long`.
    pub const LONG: Type = Type::integer(IntegerKind::Long);
    /// `unsigned long`.
    pub const UNSIGNED_LONG: Type = Type::integer(IntegerKind::UnsignedLong);
    /// `long long`.
    pub const LONG_LONG: Type = Type::integer(IntegerKind::LongLong);
    /// `unsigned long long`.
    pub const UNSIGNED_LONG_LONG: Type = Type::integer(IntegerKind::UnsignedLongLong);
    /// `__int128`.
    pub const INT128: Type = Type::integer(IntegerKind::Int128);
    /// `unsigned __int128`.
    pub const UNSIGNED_INT128: Type = Type::integer(IntegerKind::UnsignedInt128);
    /// `float`.
    pub const FLOAT: Type = Type::real(RealKind::Float);
    /// `double`.
    pub const DOUBLE: Type = Type::real(RealKind::Double);
    /// `long double`.
    pub const LONG_DOUBLE: Type = Type::real(RealKind::LongDouble);
    /// The type of `nullptr`.
    pub const NULL_POINTER: Type = Type::basic(27);

    const fn basic(index: u32) -> Type {
        Type(index << QUALIFIER_BITS)
    }

    /// The integer type of a kind.
    pub const fn integer(kind: IntegerKind) -> Type {
        Type::basic(2 + kind as u32)
    }

    /// The floating type of a kind.
    pub const fn real(kind: RealKind) -> Type {
        Type::basic(15 + kind as u32)
    }

    pub(crate) fn index(self) -> usize {
        (self.0 >> QUALIFIER_BITS) as usize
    }

    pub(crate) fn at(index: usize) -> Type {
        Type((index as u32) << QUALIFIER_BITS)
    }

    /// The qualifiers of the type itself. Those of an array are on its elements: see [`Types::qualifiers`].
    pub fn qualifiers(self) -> Qualifiers {
        Qualifiers((self.0 & ((1 << QUALIFIER_BITS) - 1)) as u8)
    }

    /// The type without its qualifiers.
    pub fn unqualified(self) -> Type {
        Type(self.0 >> QUALIFIER_BITS << QUALIFIER_BITS)
    }

    /// The type with more qualifiers; for arrays, use [`Types::qualified`].
    pub fn with(self, qualifiers: Qualifiers) -> Type {
        Type(self.0 | u32::from(qualifiers.0))
    }
}
