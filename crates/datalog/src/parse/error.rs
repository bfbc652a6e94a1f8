//! What is wrong with a text, and where.

use std::fmt;

/// A text that is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The file, as the caller names it.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in bytes, counted from 1.
    pub column: usize,
    /// What is wrong, and what to try.
    pub message: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

impl std::error::Error for SyntaxError {}

/// An error whose place is still a byte offset.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) offset: usize,
    pub(super) message: String,
}

impl Failure {
    pub(super) fn new(offset: usize, message: impl Into<String>) -> Failure {
        Failure { offset, message: message.into() }
    }

    /// The same with a line and a column.
    pub(super) fn locate(self, file: &str, text: &str) -> SyntaxError {
        let before = text.as_bytes().get(..self.offset).unwrap_or(text.as_bytes());
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        SyntaxError { file: file.to_owned(), line, column, message: self.message }
    }
}

/// Why a statement was not read.
#[derive(Debug)]
pub(super) enum Trouble {
    /// It is no statement of the language.
    Wrong(Failure),
    /// It may be one, and has something that is not modelled here.
    Unsupported,
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Trouble {
        Trouble::Wrong(failure)
    }
}

/// What the readers of statements return.
pub(super) type Parse<T> = Result<T, Trouble>;

/// An error at a place.
pub(super) fn wrong<T>(offset: usize, message: impl Into<String>) -> Parse<T> {
    Err(Trouble::Wrong(Failure::new(offset, message)))
}
