//! Names: interned identifiers.

use rustc_hash::FxHasher;
use std::hash::Hasher;

/// An interned identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub(crate) u32);

/// The identifiers of a program.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// The bytes of all identifiers, one after the other.
    bytes: Vec<u8>,
    /// Where each identifier ends in `bytes`.
    ends: Vec<u32>,
    /// Open addressing: the name plus one, or 0. The length is a power of two.
    table: Vec<u32>,
    /// The hash of each identifier, for growing the table.
    hashes: Vec<u32>,
}

impl Names {
    pub(crate) fn new() -> Names {
        Names { table: vec![0; 1024], ..Names::default() }
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes of a name.
    pub fn bytes(&self, name: Name) -> &[u8] {
        let index = name.0 as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.bytes[start..self.ends[index] as usize]
    }

    /// The name as text. Identifiers are UTF-8 unless the text is not.
    pub fn text(&self, name: Name) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.bytes(name))
    }

    /// The name of these bytes, if there is one.
    pub fn find(&self, bytes: &[u8]) -> Option<Name> {
        let slot = self.slot(bytes, hash(bytes));
        self.table[slot].checked_sub(1).map(Name)
    }

    pub(crate) fn intern(&mut self, bytes: &[u8]) -> Name {
        let hash = hash(bytes);
        let slot = self.slot(bytes, hash);
        if let Some(number) = self.table[slot].checked_sub(1) {
            return Name(number);
        }
        let name = Name(self.ends.len() as u32);
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len() as u32);
        self.hashes.push(hash);
        self.table[slot] = name.0 + 1;
        if self.ends.len() * 2 > self.table.len() {
            self.grow();
        }
        name
    }

    /// The slot that holds the bytes, or the free one where they belong.
    fn slot(&self, bytes: &[u8], hash: u32) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        while let Some(number) = self.table[slot].checked_sub(1) {
            if self.hashes[number as usize] == hash && self.bytes(Name(number)) == bytes {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let mask = self.table.len() * 2 - 1;
        let mut table = vec![0; mask + 1];
        for (number, hash) in self.hashes.iter().enumerate() {
            let mut slot = *hash as usize & mask;
            while table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            table[slot] = number as u32 + 1;
        }
        self.table = table;
    }
}

fn hash(bytes: &[u8]) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish() as u32
}

/// A value for each name, with a default for the names that have none.
#[derive(Debug, Clone)]
pub(crate) struct NameMap<V> {
    values: Vec<V>,
    default: V,
}

impl<V: Copy> NameMap<V> {
    pub(crate) fn new(default: V) -> NameMap<V> {
        NameMap { values: Vec::new(), default }
    }

    pub(crate) fn get(&self, name: Name) -> V {
        self.values.get(name.0 as usize).copied().unwrap_or(self.default)
    }

    /// Sets the value and returns the previous one.
    pub(crate) fn set(&mut self, name: Name, value: V) -> V {
        let index = name.0 as usize;
        if index >= self.values.len() {
            self.values.resize(index + 1, self.default);
        }
        std::mem::replace(&mut self.values[index], value)
    }
}
