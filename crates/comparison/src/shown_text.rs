//! Texts from outside, made fit for a line of output.

/// A number with its noun: `1 check`, `2 checks`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// One line of printable text, cut to a number of characters.
pub(crate) fn one_line(text: &str, longest: usize) -> String {
    let mut characters = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let line: String = characters.by_ref().take(longest).collect();
    if characters.next().is_some() { line + "…" } else { line }
}

/// Whether this is an invisible character that turns the direction of writing.
pub(crate) fn turns_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
