//! The error of the parsers of all input languages.

use std::fmt;

/// Why a case is skipped if its program has a syntax error or features that the parser does not support.
pub const UNPARSED_PROGRAM: &str = "juvenal cannot parse the program";

/// Why a text could not be parsed, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The file, as the caller or the last line marker in the text names it.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

impl SyntaxError {
    /// An error at a byte offset in a text. Columns count characters.
    pub fn at_offset(file: &str, text: &str, offset: usize, message: String) -> SyntaxError {
        let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let line = before.iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
        let column = String::from_utf8_lossy(&before[line_start..]).chars().count() as u32 + 1;
        SyntaxError { file: file.to_owned(), line, column, message }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl std::error::Error for SyntaxError {}

#[cfg(test)]
mod tests {
    use super::SyntaxError;

    #[test]
    fn offsets_become_lines_and_columns() {
        let rows = [("", 0, 1, 1), ("ab", 1, 1, 2), ("a\nb", 2, 2, 1), ("ä\nöx", 5, 2, 2), ("a", 9, 1, 2)];
        for (text, offset, line, column) in rows {
            let error = SyntaxError::at_offset("f", text, offset, String::new());
            assert_eq!((error.line, error.column), (line, column), "{text:?} at {offset}");
        }
    }
}
