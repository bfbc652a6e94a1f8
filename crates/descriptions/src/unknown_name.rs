//! The error for a name that no description has.

use crate::did_you_mean::nearest;
use std::fmt;

/// The error for a name that no description has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// What kind of thing was named: `analyzer` or `tool`.
    pub kind: &'static str,
    /// The name that was given.
    pub name: String,
    /// The known name closest to it, if one is close.
    pub nearest: Option<String>,
    /// All known names.
    pub known: Vec<String>,
}

impl UnknownName {
    /// The error for a name that is not among the known ones.
    pub fn new<'a>(kind: &'static str, name: &str, known: impl Iterator<Item = &'a str>) -> UnknownName {
        let known: Vec<String> = known.map(str::to_owned).collect();
        let nearest = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
        UnknownName { kind, name: name.to_owned(), nearest, known }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownName { kind, name, nearest, known } = self;
        write!(f, "there is no {kind} `{name}`")?;
        match nearest {
            Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
            None => write!(f, "; known {kind}s are {}", known.join(", ")),
        }
    }
}

impl std::error::Error for UnknownName {}
