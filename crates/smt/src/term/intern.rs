//! The hash table of every interning store: it maps a hash to the number of an entry.

use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The hash of anything hashable, cut to the 32 bits that the table keeps.
pub(crate) fn hash_of<T: Hash + ?Sized>(value: &T) -> u32 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish() as u32
}

const EMPTY: u32 = u32::MAX;

/// An open-addressing table of (hash, entry number); the entries themselves live with the caller.
#[derive(Clone, Debug, Default)]
pub(crate) struct InternTable {
    slots: Vec<(u32, u32)>,
    used: usize,
}

impl InternTable {
    /// The number of the entry with this hash for which `same` holds.
    pub(crate) fn find(&self, hash: u32, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut position = hash as usize & mask;
        loop {
            let (slot_hash, number) = self.slots[position];
            if number == EMPTY {
                return None;
            }
            if slot_hash == hash && same(number) {
                return Some(number);
            }
            position = (position + 1) & mask;
        }
    }

    /// Adds an entry that `find` did not find.
    pub(crate) fn insert(&mut self, hash: u32, number: u32) {
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        self.place(hash, number);
        self.used += 1;
    }

    fn place(&mut self, hash: u32, number: u32) {
        let mask = self.slots.len() - 1;
        let mut position = hash as usize & mask;
        while self.slots[position].1 != EMPTY {
            position = (position + 1) & mask;
        }
        self.slots[position] = (hash, number);
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(64);
        let old = std::mem::replace(&mut self.slots, vec![(0, EMPTY); size]);
        for (hash, number) in old {
            if number != EMPTY {
                self.place(hash, number);
            }
        }
    }
}
