//! Errors of the parser before their byte offset is translated to a line.

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
