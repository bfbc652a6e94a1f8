//! Regular expressions over what a program printed, which need not be UTF-8.

use regex::bytes::{Captures, Regex, RegexBuilder};
use serde::{Deserialize, Deserializer, de};

/// A regular expression that is compiled, and so checked, while its description is read.
#[derive(Clone, Debug)]
pub struct Pattern(Regex);

impl Pattern {
    /// The expression as it is written in the file.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// True if the expression matches anywhere.
    pub fn is_match(&self, bytes: &[u8]) -> bool {
        self.0.is_match(bytes)
    }

    /// The leftmost match.
    pub fn captures<'a>(&self, bytes: &'a [u8]) -> Option<Captures<'a>> {
        self.0.captures(bytes)
    }

    /// Every match, from left to right.
    pub fn captures_all<'a>(&'a self, bytes: &'a [u8]) -> impl Iterator<Item = Captures<'a>> {
        self.0.captures_iter(bytes)
    }

    /// True if the expression has a capture of this name.
    pub fn has_capture(&self, name: &str) -> bool {
        self.0.capture_names().flatten().any(|known| known == name)
    }
}

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pattern, D::Error> {
        let text = String::deserialize(deserializer)?;
        // Bytes, not characters: output need not be UTF-8, and classes such as `\w` compile much faster.
        RegexBuilder::new(&text)
            .unicode(false)
            .build()
            .map(Pattern)
            .map_err(|error| de::Error::custom(format!("expected a regular expression: {error}")))
    }
}
