//! Values: the elements of the sorts that are evaluated.

pub(crate) mod domain;
pub(crate) mod pool;
pub(crate) mod text;

use crate::term::sort::SortId;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A value. Two values of one sort are equal exactly if they are the same element of that sort.
///
/// Invariant: bit-vectors are below 2^width, and arrays are in the normal form of [`crate::Domains::array`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// Of sort Bool.
    Bool(bool),
    /// Of sort Int.
    Int(BigInt),
    /// Of sort Real; every real that a script can name without algebraic functions is rational.
    Real(BigRational),
    /// Of sort `(_ BitVec width)`.
    BitVec {
        /// The number of bits.
        width: u32,
        /// The bits as a natural number.
        bits: BigUint,
    },
    /// Of an array sort.
    Array(Arc<ArrayValue>),
    /// Of a declared sort.
    Element {
        /// The declared sort.
        sort: SortId,
        /// Its number, below the size of the sort's universe.
        index: u32,
    },
}

/// An array: the element at every index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayValue {
    pub(crate) index_sort: SortId,
    pub(crate) element_sort: SortId,
    pub(crate) default: Value,
    pub(crate) entries: BTreeMap<Value, Value>,
}

impl Value {
    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// An integer.
    pub fn integer(value: impl Into<BigInt>) -> Value {
        Value::Int(value.into())
    }

    /// A rational as numerator and denominator; the denominator 0 is read as 1.
    pub fn rational(numerator: impl Into<BigInt>, denominator: impl Into<BigInt>) -> Value {
        let denominator: BigInt = denominator.into();
        let one = BigInt::from(1);
        let denominator = if denominator == BigInt::from(0) { one } else { denominator };
        Value::Real(BigRational::new(numerator.into(), denominator))
    }

    /// A bit-vector; the number is taken modulo 2^width.
    pub fn bitvec(width: u32, number: impl Into<BigUint>) -> Value {
        Value::BitVec {
            width,
            bits: crate::evaluate::bitvector_arithmetic::truncate_natural(width, number.into()),
        }
    }

    /// The value where this sort is expected: an integer becomes a real.
    pub(crate) fn promoted(self, sort: SortId) -> Value {
        match self {
            Value::Int(value) if sort == SortId::REAL => Value::Real(BigRational::from_integer(value)),
            value => value,
        }
    }

    /// A measure of the memory that the value takes, in machine words.
    pub(crate) fn size(&self) -> u64 {
        match self {
            Value::Bool(_) | Value::Element { .. } => 1,
            Value::Int(value) => value.bits() / 64 + 1,
            Value::Real(value) => (value.numer().bits() + value.denom().bits()) / 64 + 1,
            Value::BitVec { bits, .. } => bits.bits() / 64 + 1,
            Value::Array(array) => array.entries.len() as u64 * 4 + 1,
        }
    }
}

impl Value {
    /// The machine words that the value takes, about. Entries of arrays are nodes of a tree.
    pub(crate) fn words(&self) -> u64 {
        match self {
            Value::Array(array) => array.entries.len() as u64 * 16 + 8,
            value => value.size(),
        }
    }
}

impl ArrayValue {
    /// The sort of the indices.
    pub fn index_sort(&self) -> SortId {
        self.index_sort
    }

    /// The sort of the elements.
    pub fn element_sort(&self) -> SortId {
        self.element_sort
    }

    /// The element at every index without an entry.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The entries that differ from the default.
    pub fn entries(&self) -> &BTreeMap<Value, Value> {
        &self.entries
    }

    /// The element at an index.
    pub fn select(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }
}
