//! The types of generated programs: scalars with their conversions on 64-bit machines, records, and pointers.

use super::interval::Interval;

/// An arithmetic type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Scalar {
    Bool,
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
    Float,
    Double,
}

use Scalar as S;

impl Scalar {
    pub(super) fn text(self) -> &'static str {
        match self {
            S::Bool => "_Bool",
            S::Char => "char",
            S::SignedChar => "signed char",
            S::UnsignedChar => "unsigned char",
            S::Short => "short",
            S::UnsignedShort => "unsigned short",
            S::Int => "int",
            S::UnsignedInt => "unsigned int",
            S::Long => "long",
            S::UnsignedLong => "unsigned long",
            S::LongLong => "long long",
            S::UnsignedLongLong => "unsigned long long",
            S::Float => "float",
            S::Double => "double",
        }
    }

    pub(super) fn is_real(self) -> bool {
        matches!(self, S::Float | S::Double)
    }

    /// How many bits a value has; a `_Bool` has one that counts.
    pub(super) fn bits(self) -> u32 {
        match self {
            S::Bool => 1,
            S::Char | S::SignedChar | S::UnsignedChar => 8,
            S::Short | S::UnsignedShort => 16,
            S::Int | S::UnsignedInt | S::Float => 32,
            _ => 64,
        }
    }

    pub(super) fn is_signed(self) -> bool {
        matches!(self, S::Char | S::SignedChar | S::Short | S::Int | S::Long | S::LongLong)
    }

    /// All values of an integer type.
    pub(super) fn range(self) -> Interval {
        let bits = self.bits();
        if self.is_signed() {
            return Interval::new(-(1 << (bits - 1)), (1 << (bits - 1)) - 1);
        }
        Interval::new(0, (1 << bits) - 1)
    }

    /// The type after the integer promotions.
    pub(super) fn promoted(self) -> Scalar {
        if self < S::Int { S::Int } else { self }
    }

    /// The type of the same width without a sign, for the types that promotions leave alone.
    pub(super) fn unsigned(self) -> Scalar {
        match self.promoted() {
            S::Long => S::UnsignedLong,
            S::LongLong => S::UnsignedLongLong,
            S::Int => S::UnsignedInt,
            other => other,
        }
    }

    /// The common type of the two by the usual arithmetic conversions.
    pub(super) fn common(self, other: Scalar) -> Scalar {
        let (left, right) = (self.promoted(), other.promoted());
        if left == right || left.is_real() || right.is_real() {
            return left.max(right);
        }
        if left.is_signed() == right.is_signed() {
            return left.max(right);
        }
        let (signed, unsigned) = if left.is_signed() { (left, right) } else { (right, left) };
        if unsigned > signed {
            return unsigned;
        }
        if signed.bits() > unsigned.bits() { signed } else { signed.unsigned() }
    }

    /// The values in `range` after a conversion to this integer type.
    pub(super) fn convert(self, range: Interval) -> Interval {
        if self == S::Bool {
            return match range {
                Interval { low: 0, high: 0 } => range,
                _ if !range.contains(0) => Interval::exactly(1),
                _ => Interval::TRUTH,
            };
        }
        if range.is_inside(self.range()) { range } else { self.range() }
    }

    /// The suffix of literals of this type.
    pub(super) fn suffix(self) -> &'static str {
        match self {
            S::UnsignedInt => "U",
            S::Long => "L",
            S::UnsignedLong => "UL",
            S::LongLong => "LL",
            S::UnsignedLongLong => "ULL",
            S::Float => "f",
            _ => "",
        }
    }
}

/// The type of a variable, a field or an element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Scalar(Scalar),
    /// A structure or union, by its index in the list of records.
    Record(usize),
    /// A pointer, `depth` times, to an object.
    Pointer {
        base: Base,
        depth: u8,
    },
}

/// The type at the end of a chain of pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Scalar(Scalar),
    Record(usize),
}

impl Base {
    pub(super) fn kind(self) -> Kind {
        match self {
            Base::Scalar(scalar) => Kind::Scalar(scalar),
            Base::Record(record) => Kind::Record(record),
        }
    }
}

/// The lengths of an array, outermost first; zero where there is no further dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Dimensions(pub(super) [u8; 3]);

impl Dimensions {
    pub(super) fn count(self) -> usize {
        self.0.iter().take_while(|length| **length > 0).count()
    }

    pub(super) fn is_array(self) -> bool {
        self.0[0] > 0
    }

    pub(super) fn lengths(self) -> impl Iterator<Item = u8> {
        self.0.into_iter().take_while(|length| *length > 0)
    }
}

/// A member of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) kind: Kind,
    pub(super) dimensions: Dimensions,
    /// The width of a bit-field, or zero.
    pub(super) width: u8,
}

impl Field {
    /// The values of a field of integer type.
    pub(super) fn range(&self, scalar: Scalar) -> Interval {
        match (self.width, scalar.is_signed()) {
            (0, _) => scalar.range(),
            (width, true) => Interval::new(-(1 << (width - 1)), (1 << (width - 1)) - 1),
            (width, false) => Interval::new(0, (1 << width) - 1),
        }
    }
}

/// A structure or union. Its fields are in the list of all fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub(super) is_union: bool,
    pub(super) first_field: usize,
    pub(super) field_count: usize,
    /// Whether some field, at any depth, is of type `float` or `double`.
    pub(super) has_real: bool,
}
