//! The hash table behind every store of unique things: it maps a hash to the number of an entry.

use std::hash::Hasher;

/// A multiplicative hasher in the manner of FxHash: fast, and good enough for tables that are only looked up.
#[derive(Default)]
pub(crate) struct FastHasher {
    state: u64,
}

impl FastHasher {
    fn mix(&mut self, word: u64) {
        self.state = (self.state.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for FastHasher {
    fn finish(&self) -> u64 {
        // The low bits of a product are weak, and the table indexes by the low bits.
        self.state ^ (self.state >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            let mut word = [0u8; 8];
            word.copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
        let mut last = [0u8; 8];
        let rest = chunks.remainder();
        last[..rest.len()].copy_from_slice(rest);
        self.mix(u64::from_le_bytes(last) ^ ((rest.len() as u64) << 56));
    }

    fn write_u8(&mut self, value: u8) {
        self.mix(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.mix(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.mix(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }
}

/// The hash of anything hashable, cut to the 32 bits that the table keeps.
pub(crate) fn hash_of<T: std::hash::Hash + ?Sized>(value: &T) -> u32 {
    let mut hasher = FastHasher::default();
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
