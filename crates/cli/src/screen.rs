//! The only place that prints.
//!
//! What juvenal prints quotes others: analyzers, seeds, descriptions, campaign directories, arguments. Therefore every
//! text passes a [`Screen`], which lets only visible characters, newlines and tabs through. Lints keep the rest of the
//! crate away from the standard streams.
#![allow(clippy::disallowed_methods, reason = "the standard streams are used here and nowhere else")]

use model::{shown, shown_json};
use std::borrow::Cow;
use std::fmt::{self, Display};
use std::io::{self, ErrorKind, IsTerminal, Stderr, Stdout, Write};

/// A standard stream that shows hidden characters as escapes. Callers write whole texts, never halves of a character.
pub struct Screen {
    stream: Stream,
    form: Form,
}

enum Stream {
    Output(Stdout),
    Errors(Stderr),
}

#[derive(Clone, Copy)]
enum Form {
    /// For people: escapes such as `\u{1b}`.
    Text,
    /// The escapes of JSON.
    Json,
    /// Bytes for another program, as they are.
    Exact,
}

/// Standard output, for texts.
pub fn out() -> Screen {
    Screen { stream: Stream::Output(io::stdout()), form: Form::Text }
}

/// Standard output, for JSON.
pub fn json() -> Screen {
    Screen { stream: Stream::Output(io::stdout()), form: Form::Json }
}

/// Standard output, for programs and scripts, which must not change on their way into a file or a pipe. On a terminal
/// they are texts like all others.
pub fn data() -> Screen {
    let form = if is_terminal() { Form::Text } else { Form::Exact };
    Screen { stream: Stream::Output(io::stdout()), form }
}

/// Standard error.
pub fn errors() -> Screen {
    Screen { stream: Stream::Errors(io::stderr()), form: Form::Text }
}

/// True if standard output is a terminal.
pub fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Prints a message on standard error, after the name of juvenal. Only juvenal begins lines: those after the first are
/// indented. A failure here cannot be reported.
pub fn complain(message: impl Display) {
    let _ = writeln!(errors(), "juvenal: {}", message.to_string().replace('\n', "\n  "));
}

/// Sends one of juvenal's own codes to the terminal, if there is one.
pub fn control(code: &'static str) {
    if is_terminal() {
        let _ = io::stdout().write_all(code.as_bytes());
    }
}

/// Prints what is still in the buffer, which otherwise could be lost without a word.
pub fn finish() -> io::Result<()> {
    out().flush()
}

/// Returns whether an error means that standard output is closed, as after `| head`. It is not a failure.
pub fn is_closed(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|error| {
        error.kind() == ErrorKind::BrokenPipe
            && error.get_ref().is_some_and(|inner| inner.is::<CannotPrint>())
    })
}

/// The error of a standard stream that could not be written.
pub fn cannot_print(is_error_stream: bool, error: io::Error) -> io::Error {
    let name = if is_error_stream { "standard error" } else { "standard output" };
    io::Error::new(error.kind(), CannotPrint { name, error })
}

impl Screen {
    fn stream(&mut self) -> &mut dyn Write {
        match &mut self.stream {
            Stream::Output(stream) => stream,
            Stream::Errors(stream) => stream,
        }
    }

    fn cannot(&self, error: io::Error) -> io::Error {
        cannot_print(matches!(self.stream, Stream::Errors(_)), error)
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let printed: Cow<'_, [u8]> = match self.form {
            Form::Exact => Cow::Borrowed(bytes),
            Form::Text => Cow::Owned(shown(&text).into_owned().into_bytes()),
            Form::Json => Cow::Owned(shown_json(&text).into_owned().into_bytes()),
        };
        match self.stream().write_all(&printed) {
            Ok(()) => Ok(bytes.len()),
            Err(error) => Err(self.cannot(error)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream().flush().map_err(|error| self.cannot(error))
    }
}

/// A standard stream could not be written.
#[derive(Debug)]
struct CannotPrint {
    name: &'static str,
    error: io::Error,
}

impl Display for CannotPrint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write to {}: {}", self.name, self.error)
    }
}

impl std::error::Error for CannotPrint {}
