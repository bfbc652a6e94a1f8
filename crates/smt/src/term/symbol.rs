//! Symbols: names kept once, and lists of symbols kept once.

use crate::term::intern::{InternTable, hash_of};

/// A name. Two symbols may print alike when a popped declaration was declared again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub(crate) u32);

impl SymbolId {
    /// The position of the symbol in tables indexed by symbols.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A list of symbols that is kept once: the variables of a binder, or the free variables of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolListId(pub(crate) u32);

impl SymbolListId {
    /// The empty list.
    pub const EMPTY: SymbolListId = SymbolListId(0);
}

/// The store of names: one text, and the span of each symbol in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols {
    text: String,
    spans: Vec<(u32, u32)>,
    table: InternTable,
}

impl Symbols {
    /// The symbol of this name; the same name always gives the same symbol.
    pub(crate) fn intern(&mut self, name: &str) -> SymbolId {
        let hash = hash_of(name.as_bytes());
        if let Some(number) = self.table.find(hash, |number| self.name(SymbolId(number)) == name) {
            return SymbolId(number);
        }
        let symbol = self.push(name);
        self.table.insert(hash, symbol.0);
        symbol
    }

    /// The symbol of this name, if the name was ever interned.
    pub(crate) fn find(&self, name: &str) -> Option<SymbolId> {
        let hash = hash_of(name.as_bytes());
        self.table.find(hash, |number| self.name(SymbolId(number)) == name).map(SymbolId)
    }

    /// Another symbol that prints like `symbol` and is different from it.
    pub(crate) fn twin(&mut self, symbol: SymbolId) -> SymbolId {
        let span = self.spans[symbol.index()];
        self.spans.push(span);
        SymbolId((self.spans.len() - 1) as u32)
    }

    pub(crate) fn name(&self, symbol: SymbolId) -> &str {
        let (start, end) = self.spans[symbol.index()];
        &self.text[start as usize..end as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }

    fn push(&mut self, name: &str) -> SymbolId {
        let start = self.text.len() as u32;
        self.text.push_str(name);
        self.spans.push((start, self.text.len() as u32));
        SymbolId((self.spans.len() - 1) as u32)
    }
}

/// The store of lists of symbols; the list with number 0 is empty.
#[derive(Clone, Debug)]
pub(crate) struct SymbolLists {
    symbols: Vec<SymbolId>,
    spans: Vec<(u32, u32)>,
    table: InternTable,
}

impl SymbolLists {
    pub(crate) fn new() -> SymbolLists {
        let mut lists = SymbolLists { symbols: Vec::new(), spans: Vec::new(), table: InternTable::default() };
        lists.intern(&[]);
        lists
    }

    pub(crate) fn intern(&mut self, list: &[SymbolId]) -> SymbolListId {
        let hash = hash_of(list);
        if let Some(number) = self.table.find(hash, |number| self.get(SymbolListId(number)) == list) {
            return SymbolListId(number);
        }
        let start = self.symbols.len() as u32;
        self.symbols.extend_from_slice(list);
        self.spans.push((start, self.symbols.len() as u32));
        let number = (self.spans.len() - 1) as u32;
        self.table.insert(hash, number);
        SymbolListId(number)
    }

    pub(crate) fn get(&self, list: SymbolListId) -> &[SymbolId] {
        let (start, end) = self.spans[list.0 as usize];
        &self.symbols[start as usize..end as usize]
    }
}
