//! Parsing a description and checking what its shape alone does not ensure.

use crate::error::DescriptionError;
use serde::de::DeserializeOwned;

/// What is wrong, and the text in the file that the error message points at.
#[derive(Debug)]
pub struct Fault {
    /// The text in the file.
    pub near: String,
    /// What is wrong and what is expected.
    pub message: String,
}

/// A fault as the result of a check.
pub fn fault(near: impl Into<String>, message: impl Into<String>) -> Result<(), Fault> {
    Err(Fault { near: near.into(), message: message.into() })
}

/// Parses and checks a description; `file` is its name in error messages.
pub fn parse<T: DeserializeOwned>(
    file: &str,
    text: &str,
    check: impl FnOnce(&T) -> Result<(), Fault>,
) -> Result<T, DescriptionError> {
    let description: T = toml::from_str(text).map_err(|error| {
        let position = error.span().map_or(0, |span| span.start);
        DescriptionError::at(file, text, position, error.message().to_owned())
    })?;
    check(&description).map_err(|fault| {
        let position = text.find(&fault.near).unwrap_or(0);
        DescriptionError::at(file, text, position, fault.message)
    })?;
    Ok(description)
}

/// Users type the name, and it is part of file names and lists.
pub fn check_name(name: &str) -> Result<(), Fault> {
    let allowed = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    if !name.is_empty() && name.chars().all(allowed) {
        return Ok(());
    }
    fault("name = ", format!("the name `{name}` is not valid; expected lower-case letters, digits and `-`"))
}

/// The texts under these keys are shown to users, so they must not be empty.
pub fn check_texts(texts: &[(&str, &str)]) -> Result<(), Fault> {
    match texts.iter().find(|(_, text)| text.trim().is_empty()) {
        Some((key, _)) => fault(*key, format!("`{key}` is empty; expected a text")),
        None => Ok(()),
    }
}
