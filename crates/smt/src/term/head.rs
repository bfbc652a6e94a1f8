//! Heads: the roots of terms, and the lists that heads refer to.

use crate::term::literal::{DecimalId, IntegerId};
use crate::term::operator::Operator;
use crate::term::symbol::{SymbolId, SymbolListId};

/// The attributes of an annotated term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttributeListId(pub(crate) u32);

/// The cases of a match term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatchId(pub(crate) u32);

/// The binders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "each variant is the binder of that name")]
pub enum Quantifier {
    Forall,
    Exists,
    Lambda,
    Choice,
}

/// The root of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Head {
    /// An operator of a theory that is evaluated.
    Operator(Operator),
    /// A numeral.
    Numeral {
        /// The value, never negative.
        value: IntegerId,
        /// The sort is Real, as in a logic without Int.
        real: bool,
    },
    /// A decimal.
    Decimal(DecimalId),
    /// A bit-vector literal.
    BitVec {
        /// The number of bits.
        width: u32,
        /// The value, from 0 to 2^width - 1.
        value: IntegerId,
    },
    /// A string literal: the text between its quotes, with `""` still doubled.
    StringLiteral(SymbolId),
    /// A declared or defined function; without children it is a constant.
    Function(SymbolId),
    /// A variable of a binder, or a formal parameter of a definition.
    Bound(SymbolId),
    /// A binder over its one child.
    Quantifier {
        /// Which binder.
        quantifier: Quantifier,
        /// Its variables.
        variables: SymbolListId,
    },
    /// `match`: the first child is the scrutinee, then comes the body of each case.
    Match(MatchId),
    /// `(! t ...)`: the first child is the term, then come the terms inside the attributes.
    Annotated(AttributeListId),
    /// An operator of a theory that is not evaluated, with its identifier as text.
    Opaque(SymbolId),
}

/// The value of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AttributeValue {
    /// The keyword stands alone.
    None,
    /// The name given by `:named`.
    Name(SymbolId),
    /// Any other value, as text.
    Text(SymbolId),
    /// One term, as in `:no-pattern t`.
    Term,
    /// A list of this many terms, as in `:pattern (t u)`.
    Terms(u32),
}

/// An attribute of an annotated term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Attribute {
    /// The keyword with its colon.
    pub keyword: SymbolId,
    /// The value.
    pub value: AttributeValue,
}

/// The pattern of a case of a match term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatchCase {
    /// The constructor, or `None` for a lone variable that matches everything.
    pub constructor: Option<SymbolId>,
    /// The variables that the pattern binds.
    pub variables: SymbolListId,
}
