//! Sorts, each kept once.

use crate::term::intern::{InternTable, hash_of};
use crate::term::symbol::SymbolId;

/// A sort. Equal sorts have equal ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortId(pub(crate) u32);

impl SortId {
    /// `Bool`.
    pub const BOOL: SortId = SortId(0);
    /// `Int`.
    pub const INT: SortId = SortId(1);
    /// `Real`.
    pub const REAL: SortId = SortId(2);
    /// The sort of terms whose theory is not checked; it is compatible with every sort.
    pub const UNKNOWN: SortId = SortId(3);
}

/// What a sort is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// `Bool`.
    Bool,
    /// `Int`.
    Int,
    /// `Real`.
    Real,
    /// `(_ BitVec width)`.
    BitVec(u32),
    /// `(Array index element)`.
    Array(SortId, SortId),
    /// A sort made by `declare-sort`, with its arguments.
    Declared {
        /// The declared name.
        name: SymbolId,
        /// As many sorts as the declaration says.
        arguments: Box<[SortId]>,
    },
    /// A sort of a theory that is not evaluated, with its text as the symbol.
    Opaque(SymbolId),
}

/// The store of sorts.
#[derive(Clone, Debug)]
pub(crate) struct Sorts {
    sorts: Vec<Sort>,
    table: InternTable,
}

impl Sorts {
    /// A store that holds the four constants of [`SortId`].
    pub(crate) fn new(unknown_name: SymbolId) -> Sorts {
        let mut store = Sorts { sorts: Vec::new(), table: InternTable::default() };
        for sort in [Sort::Bool, Sort::Int, Sort::Real, Sort::Opaque(unknown_name)] {
            store.intern(sort);
        }
        store
    }

    pub(crate) fn intern(&mut self, sort: Sort) -> SortId {
        let hash = hash_of(&sort);
        if let Some(number) = self.table.find(hash, |number| self.sorts[number as usize] == sort) {
            return SortId(number);
        }
        self.sorts.push(sort);
        let number = (self.sorts.len() - 1) as u32;
        self.table.insert(hash, number);
        SortId(number)
    }

    pub(crate) fn get(&self, sort: SortId) -> &Sort {
        &self.sorts[sort.0 as usize]
    }
}
