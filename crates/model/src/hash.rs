//! Content hashes: 128 bits of BLAKE3, enough to key every answer of every campaign.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A content hash. Shown and stored as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash(pub [u8; 16]);

impl Hash {
    /// Hashes several parts so that no two different lists of parts collide by concatenation.
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Hash {
        let mut hasher = PartHasher::default();
        parts.into_iter().for_each(|part| hasher.add(part));
        hasher.finish()
    }

    /// Hashes one run of bytes.
    pub fn of(bytes: &[u8]) -> Hash {
        Hash::of_parts([bytes])
    }

    /// Reads the hexadecimal form back.
    pub fn from_hex(text: &str) -> Option<Hash> {
        if text.len() != 32 || !text.is_ascii() {
            return None;
        }
        let mut bytes = [0; 16];
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).ok()?;
        }
        Some(Hash(bytes))
    }
}

/// Hashes parts one after another; the same parts give the same hash as [`Hash::of_parts`].
#[derive(Default)]
pub struct PartHasher(blake3::Hasher);

impl PartHasher {
    /// Adds a part.
    pub fn add(&mut self, part: &[u8]) {
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// Adds the length of a list, so that the end of one list is not mistaken for the beginning of the next.
    pub fn add_count(&mut self, count: usize) {
        self.add(&(count as u64).to_le_bytes());
    }

    /// Adds the length of a list, and then its items as parts.
    pub fn add_list<T: AsRef<str>>(&mut self, items: impl IntoIterator<Item = T>) {
        let items: Vec<T> = items.into_iter().collect();
        self.add_count(items.len());
        items.iter().for_each(|item| self.add(item.as_ref().as_bytes()));
    }

    /// The hash of all parts.
    pub fn finish(&self) -> Hash {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&self.0.finalize().as_bytes()[..16]);
        Hash(bytes)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Hash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Hash, D::Error> {
        let text = String::deserialize(deserializer)?;
        Hash::from_hex(&text).ok_or_else(|| serde::de::Error::custom("expected 32 hexadecimal digits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hexadecimal_form_reads_back_and_parts_do_not_run_together() {
        let hash = Hash::of(b"juvenal");
        assert_eq!(Hash::from_hex(&hash.to_string()), Some(hash));
        assert_ne!(Hash::of_parts([&b"ab"[..], b"c"]), Hash::of_parts([&b"a"[..], b"bc"]));
        assert_eq!(Hash::from_hex("zz"), None);
    }
}
