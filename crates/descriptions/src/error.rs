//! What is wrong with a description file, and where.

use std::fmt;

/// A description that cannot be used. The position points into the file that the user wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescriptionError {
    /// The file's name as the user knows it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong and what is expected.
    pub message: String,
}

impl DescriptionError {
    /// An error at a byte position of the file's text.
    pub fn at(file: &str, text: &str, position: usize, message: String) -> DescriptionError {
        let before = text.get(..position).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        DescriptionError {
            file: file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message,
        }
    }
}

impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl std::error::Error for DescriptionError {}
