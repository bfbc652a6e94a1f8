//! Edits of a text: byte ranges and their replacements. The rest of the text stays byte for byte.

use crate::Span;
use std::fmt;

/// A byte range and its replacement. An empty range inserts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that go.
    pub span: Span,
    /// What comes instead.
    pub replacement: String,
}

/// Why edits could not be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatchError {
    /// Two edits change the same bytes, or one inserts inside what the other replaces.
    Overlap(Span, Span),
    /// An edit reaches beyond the end of the text, or ends before it begins.
    OutOfRange(Span),
}

impl Edit {
    /// Replaces a range.
    pub fn replace(span: Span, replacement: impl Into<String>) -> Edit {
        Edit { span, replacement: replacement.into() }
    }

    /// Inserts before a byte.
    pub fn insert(offset: u32, text: impl Into<String>) -> Edit {
        Edit { span: Span::new(offset, offset), replacement: text.into() }
    }
}

/// Applies edits, given in any order. Insertions at the same place keep their order, and come before a replacement of
/// the bytes after that place.
pub fn apply(text: &[u8], edits: &[Edit]) -> Result<Vec<u8>, PatchError> {
    let mut order: Vec<&Edit> = edits.iter().collect();
    order.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let added: usize = edits.iter().map(|edit| edit.replacement.len()).sum();
    let mut result = Vec::with_capacity(text.len() + added);
    let mut previous = Span::new(0, 0);
    for edit in order {
        let span = edit.span;
        if span.end < span.start || span.end as usize > text.len() {
            return Err(PatchError::OutOfRange(span));
        }
        if span.start < previous.end {
            return Err(PatchError::Overlap(previous, span));
        }
        result.extend_from_slice(&text[previous.end as usize..span.start as usize]);
        result.extend_from_slice(edit.replacement.as_bytes());
        previous = span;
    }
    result.extend_from_slice(&text[previous.end as usize..]);
    Ok(result)
}

/// Where a byte of the text is after edits in order of the text. A byte inside a replaced range moves to the start of its
/// replacement.
pub fn moved(place: u32, edits: &[Edit]) -> u32 {
    let mut shift: i64 = 0;
    for edit in edits {
        if edit.span.end <= place && edit.span.start < place {
            shift += edit.replacement.len() as i64 - i64::from(edit.span.end - edit.span.start);
        } else if edit.span.start < place {
            shift -= i64::from(place - edit.span.start);
        }
    }
    u32::try_from(i64::from(place) + shift).unwrap_or(0)
}

impl fmt::Display for PatchError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatchError::Overlap(first, second) => write!(
                formatter,
                "the edits of bytes {}..{} and {}..{} overlap",
                first.start, first.end, second.start, second.end
            ),
            PatchError::OutOfRange(span) => {
                write!(formatter, "the edit of bytes {}..{} is not inside the text", span.start, span.end)
            }
        }
    }
}

impl std::error::Error for PatchError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_move_with_the_text() {
        let edits = vec![Edit::replace(Span::new(5, 10), ""), Edit::replace(Span::new(20, 22), "abc")];
        for (place, expected) in [(3, 3), (5, 5), (7, 5), (10, 5), (20, 15), (21, 15), (22, 18), (30, 26)] {
            assert_eq!(moved(place, &edits), expected, "{place}");
        }
    }
}
