//! Syntax errors and their positions.

use model::SyntaxError;

/// A syntax error at a byte offset.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) offset: usize,
    pub(super) message: String,
}

impl Failure {
    pub(super) fn new(offset: usize, message: impl Into<String>) -> Failure {
        Failure { offset, message: message.into() }
    }

    /// Translates the offset to a line and a column.
    pub(super) fn locate(self, file: &str, text: &str) -> SyntaxError {
        SyntaxError::at_offset(file, text, self.offset, self.message)
    }
}

/// Why a statement could not be parsed.
#[derive(Debug)]
pub(super) enum StatementError {
    /// It is not a statement of the language.
    Invalid(Failure),
    /// It may be one, but uses a feature that is not modelled.
    Unsupported,
}

impl From<Failure> for StatementError {
    fn from(failure: Failure) -> StatementError {
        StatementError::Invalid(failure)
    }
}

/// The result of parsing a part of a statement.
pub(super) type Parse<T> = Result<T, StatementError>;

/// Returns an error at an offset.
pub(super) fn invalid<T>(offset: usize, message: impl Into<String>) -> Parse<T> {
    Err(StatementError::Invalid(Failure::new(offset, message)))
}
