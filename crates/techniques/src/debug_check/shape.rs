//! Comparisons without their operands, which is all that the rules need.

/// The operator of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
}

use Relation::{AtLeast, AtMost, Equal, Greater, Less, Unequal};

impl Relation {
    /// Its spelling.
    pub fn text(self) -> &'static str {
        match self {
            Less => "<",
            AtMost => "<=",
            Greater => ">",
            AtLeast => ">=",
            Equal => "==",
            Unequal => "!=",
        }
    }

    /// The same between the operands in the other order.
    pub fn mirrored(self) -> Relation {
        match self {
            Less => Greater,
            AtMost => AtLeast,
            Greater => Less,
            AtLeast => AtMost,
            Equal | Unequal => self,
        }
    }

    /// What holds where it does not, if one of the two must hold: there is no NaN.
    pub fn opposite(self) -> Relation {
        match self {
            Less => AtLeast,
            AtMost => Greater,
            Greater => AtMost,
            AtLeast => Less,
            Equal => Unequal,
            Unequal => Equal,
        }
    }

    /// True for `==` and `!=`, of which exactly one holds whatever is compared.
    pub fn is_equality(self) -> bool {
        matches!(self, Equal | Unequal)
    }
}

/// An integer type of at most 64 bits to which both operands of a comparison are converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerType {
    /// Its width.
    pub bits: u32,
    /// Whether it has negative values.
    pub is_signed: bool,
    /// How it is written in a cast.
    pub name: &'static str,
    /// What makes a literal one of this type.
    pub suffix: &'static str,
}

impl IntegerType {
    /// The smallest value.
    pub fn minimum(self) -> i128 {
        if self.is_signed { -(1 << (self.bits - 1)) } else { 0 }
    }

    /// The largest value.
    pub fn maximum(self) -> i128 {
        if self.is_signed { (1 << (self.bits - 1)) - 1 } else { (1 << self.bits) - 1 }
    }

    /// What a value becomes when it is converted to the type.
    pub fn wrapped(self, value: i128) -> i128 {
        let low = value & ((1 << self.bits) - 1);
        if low > self.maximum() { low - (1 << self.bits) } else { low }
    }
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Integers that are compared in this type.
    Integer(IntegerType),
    /// Integers whose common type has no literals, or is not the same for all compilers.
    OddInteger,
    /// Numbers of which one at least is a floating one, and may be a NaN.
    Real,
    /// Pointers, or a pointer and a null pointer constant.
    Pointer,
    /// A pointer and the address of an element of an array of numbers; these many steps around that element are
    /// inside of the array or one past its end.
    Element {
        /// How many steps backwards.
        before: u32,
        /// How many steps forwards.
        after: u32,
    },
}

impl Domain {
    /// True if one of `<`, `==`, `>` always holds between two values.
    fn is_total(self) -> bool {
        matches!(self, Domain::Integer(_) | Domain::OddInteger)
    }

    /// True for numbers, which have an order wherever they come from.
    pub fn is_number(self) -> bool {
        matches!(self, Domain::Integer(_) | Domain::OddInteger | Domain::Real)
    }

    /// The type in which integers are compared, where arithmetic in it can be written.
    pub fn common(self) -> Option<IntegerType> {
        match self {
            Domain::Integer(common) => Some(common),
            _ => None,
        }
    }
}

/// A comparison that is known to hold, or not to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The operator.
    pub relation: Relation,
    /// True if the comparison is known not to hold.
    pub is_negated: bool,
    /// True if the program has no comparison but a value that is nonzero; then the relation is `!=` and the right
    /// operand is 0.
    pub is_truth: bool,
    /// True if it is only a part of the condition in the program.
    pub is_part: bool,
    /// What is compared.
    pub domain: Domain,
}

impl Shape {
    /// The relation that is known to hold. A comparison that does not hold says what holds only where a third is
    /// excluded: `!(a < b)` is not `a >= b` for a NaN.
    pub fn settled(&self) -> Option<Relation> {
        match self.is_negated {
            false => Some(self.relation),
            true if self.domain.is_total() || self.relation.is_equality() => Some(self.relation.opposite()),
            true => None,
        }
    }
}
