//! What all readers of warnings make: reports, with the lines of the file that the analyzer was given.

use crate::calling::PROGRAM_FILE;
use crate::reading::message_text;
use model::{PathEvent, Position};

/// The longest path that is kept; of longer ones the start and the end are.
const LONGEST_PATH: usize = 400;

/// One warning about the program, before anybody knows what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) checker: String,
    pub(crate) message: String,
    pub(crate) place: Position,
    pub(crate) path: Vec<PathEvent>,
}

/// Why there are no reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The program was refused, with this message.
    Refused(String),
    /// It is not in the format that was expected.
    Unreadable(String),
}

impl Fault {
    /// A refusal with its message cut to what anybody reads.
    pub(crate) fn refused(message: &str) -> Fault {
        Fault::Refused(message_text(message.as_bytes()))
    }
}

impl Report {
    /// A report with its texts cut to what anybody reads.
    pub(crate) fn new(checker: &str, message: &str, place: Position, path: Vec<PathEvent>) -> Report {
        let (checker, message) = (message_text(checker.as_bytes()), message_text(message.as_bytes()));
        Report { checker, message, place, path: shortened(path) }
    }
}

/// A station of a path with its texts cut to what anybody reads.
pub(crate) fn event(place: Position, function: Option<&str>, message: &str) -> PathEvent {
    let function = function.map(|name| message_text(name.as_bytes())).filter(|name| !name.is_empty());
    PathEvent { place, function, message: message_text(message.as_bytes()) }
}

/// Where a path starts and how it comes to the error matters most.
fn shortened(mut path: Vec<PathEvent>) -> Vec<PathEvent> {
    if path.len() > LONGEST_PATH {
        path.drain(LONGEST_PATH / 2..path.len() - LONGEST_PATH / 2);
    }
    path
}

/// True if this file, however it is written, is the program under test.
pub(crate) fn is_program(file: &str) -> bool {
    file.rsplit('/').next() == Some(PROGRAM_FILE)
}
