//! What a bug finder says of a C program.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A position in the text of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The byte in the line, from 1; 0 where the analyzer names none.
    pub column: u32,
}

/// One warning with the path that leads to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// What would go wrong.
    pub kind: ErrorKind,
    /// Where.
    pub place: Position,
    /// The checker or option that it comes from, as the analyzer names it.
    pub checker: String,
    /// What the analyzer says.
    pub message: String,
    /// The path from its start to the error, in the order of execution; empty if the analyzer shows none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<PathEvent>,
}

/// One station of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathEvent {
    /// Where.
    pub place: Position,
    /// The function, where the analyzer names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// What the analyzer says about it.
    pub message: String,
}

/// What can go wrong in a C program. The order is the order of lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// A null pointer is dereferenced.
    NullDereference,
    /// An access outside an object.
    OutOfBounds,
    /// A division or remainder by zero.
    DivisionByZero,
    /// Memory is used after it was freed.
    UseAfterFree,
    /// Memory is freed twice.
    DoubleFree,
    /// An uninitialized variable is read.
    UninitializedRead,
    /// Memory is leaked.
    Leak,
    /// A shift by a negative count or by the width of the type or more.
    ShiftOutOfRange,
    /// A result that its type cannot hold.
    Overflow,
    /// A local variable is used after its function has returned.
    UseAfterReturn,
}

impl ErrorKind {
    /// Every kind, in the order of lists.
    pub const ALL: [ErrorKind; 10] = [
        ErrorKind::NullDereference,
        ErrorKind::OutOfBounds,
        ErrorKind::DivisionByZero,
        ErrorKind::UseAfterFree,
        ErrorKind::DoubleFree,
        ErrorKind::UninitializedRead,
        ErrorKind::Leak,
        ErrorKind::ShiftOutOfRange,
        ErrorKind::Overflow,
        ErrorKind::UseAfterReturn,
    ];

    /// The word in files and settings.
    pub fn word(self) -> &'static str {
        match self {
            ErrorKind::NullDereference => "null-dereference",
            ErrorKind::OutOfBounds => "out-of-bounds",
            ErrorKind::DivisionByZero => "division-by-zero",
            ErrorKind::UseAfterFree => "use-after-free",
            ErrorKind::DoubleFree => "double-free",
            ErrorKind::UninitializedRead => "uninitialized-read",
            ErrorKind::Leak => "leak",
            ErrorKind::ShiftOutOfRange => "shift-out-of-range",
            ErrorKind::Overflow => "overflow",
            ErrorKind::UseAfterReturn => "use-after-return",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
