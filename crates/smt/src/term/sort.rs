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
    /// The lengths of their texts, about. The texts are trees where the sorts are shared, so lengths can be huge.
    lengths: Vec<u64>,
    table: InternTable,
}

impl Sorts {
    /// A store that holds the four constants of [`SortId`].
    pub(crate) fn new(unknown_name: SymbolId) -> Sorts {
        let mut store = Sorts { sorts: Vec::new(), lengths: Vec::new(), table: InternTable::default() };
        for sort in [Sort::Bool, Sort::Int, Sort::Real, Sort::Opaque(unknown_name)] {
            store.intern(sort, 0);
        }
        store
    }

    /// The id of a sort with a name of this length, if it has one.
    pub(crate) fn intern(&mut self, sort: Sort, name_length: usize) -> SortId {
        let hash = hash_of(&sort);
        if let Some(number) = self.table.find(hash, |number| self.sorts[number as usize] == sort) {
            return SortId(number);
        }
        self.lengths.push(self.new_length(&sort, name_length));
        self.sorts.push(sort);
        let number = (self.sorts.len() - 1) as u32;
        self.table.insert(hash, number);
        SortId(number)
    }

    fn new_length(&self, sort: &Sort, name_length: usize) -> u64 {
        let parts: &[SortId] = match sort {
            Sort::Array(index, element) => &[*index, *element],
            Sort::Declared { arguments, .. } => arguments,
            Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) | Sort::Opaque(_) => &[],
        };
        // The keywords, parentheses and numbers around the parts.
        let own = name_length as u64 + 16;
        parts.iter().fold(own, |length, part| length.saturating_add(self.length(*part)))
    }

    pub(crate) fn length(&self, sort: SortId) -> u64 {
        self.lengths[sort.0 as usize]
    }

    pub(crate) fn get(&self, sort: SortId) -> &Sort {
        &self.sorts[sort.0 as usize]
    }
}
