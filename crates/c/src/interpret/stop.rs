//! Why an interpretation stops.

/// Why the machine cannot continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The C standard does not define what happens.
    Undefined(String),
    /// The interpreter does not model what happens.
    Unsupported(String),
    /// The program asks for one more input than it is given, which has this many bits.
    MissingInput { name: String, bits: u32 },
    /// The program asks for other inputs than it is given.
    WrongInputs(String),
    /// The interpretation takes too long.
    OutOfFuel,
    /// An assumption does not hold.
    AssumptionFailed,
    /// A check failed that ends the execution.
    CheckFailed(u32),
    /// The program ended, with this status.
    Ended(i64),
}

/// The result of a part of the interpretation.
pub(super) type Step<T> = Result<T, Stop>;

/// Stops because the standard does not define what happens.
pub(super) fn undefined<T>(what: impl Into<String>) -> Step<T> {
    Err(Stop::Undefined(what.into()))
}

/// Stops because the interpreter does not model what happens.
pub(super) fn unsupported<T>(what: impl Into<String>) -> Step<T> {
    Err(Stop::Unsupported(what.into()))
}

impl Stop {
    /// The same reason with the text of the expression that caused it.
    pub(super) fn at(self, text: &str) -> Stop {
        match self {
            Stop::Undefined(what) => Stop::Undefined(format!("{what} in `{text}`")),
            Stop::Unsupported(what) => Stop::Unsupported(format!("{what} in `{text}`")),
            Stop::WrongInputs(what) => Stop::WrongInputs(format!("{what} in `{text}`")),
            other => other,
        }
    }
}
