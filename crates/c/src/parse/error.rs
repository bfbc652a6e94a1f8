//! The error of reading a text.

use std::fmt;

/// Why a text could not be parsed, and where. Line markers are followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// The file, as the last line marker names it.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The column in bytes, counted from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl std::error::Error for SyntaxError {}

/// An error whose position is still a byte offset.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) offset: u32,
    pub(crate) message: String,
}

/// The result type of the parser. The error is boxed to keep results small.
pub(crate) type Parse<T> = Result<T, Box<Failure>>;

pub(crate) fn fail<T>(offset: u32, message: impl Into<String>) -> Parse<T> {
    Err(Box::new(Failure { offset, message: message.into() }))
}
