//! Numbers with their nouns.

/// A number with its noun: `1 check`, `2 checks`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
