//! Knobs of techniques: `--set TECHNIQUE.KEY=VALUE`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

/// One knob, as `explain` lists it.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name without the technique.
    pub key: &'static str,
    /// Its value when nothing is said.
    pub default: &'static str,
    /// What it does, in one sentence.
    pub meaning: &'static str,
}

/// The values that a user chose, by `TECHNIQUE.KEY`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings(pub BTreeMap<String, String>);

impl Settings {
    /// The text of a knob: the user's or the default.
    pub fn text<'a>(&'a self, technique: &str, setting: &'a Setting) -> &'a str {
        self.0.get(&format!("{technique}.{}", setting.key)).map_or(setting.default, String::as_str)
    }

    /// The value of a knob that has a few words.
    pub fn choice<'a>(
        &'a self,
        technique: &str,
        setting: &'a Setting,
        words: &[&str],
    ) -> Result<&'a str, SettingError> {
        let text = self.text(technique, setting);
        if words.contains(&text) {
            return Ok(text);
        }
        Err(SettingError {
            name: format!("{technique}.{}", setting.key),
            value: text.to_owned(),
            expected: format!("one of {}", words.join(", ")),
        })
    }

    /// The number of a knob, which must be one of those allowed.
    pub fn number(
        &self,
        technique: &str,
        setting: &Setting,
        allowed: RangeInclusive<usize>,
    ) -> Result<usize, SettingError> {
        let text = self.text(technique, setting);
        let number = text.parse().ok().filter(|number| allowed.contains(number));
        number.ok_or_else(|| SettingError {
            name: format!("{technique}.{}", setting.key),
            value: text.to_owned(),
            expected: numbers_in_words(&allowed),
        })
    }

    /// A knob that is read by a function of its own, whose error says what it expected.
    pub fn parsed<T>(
        &self,
        technique: &str,
        setting: &Setting,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, SettingError> {
        let text = self.text(technique, setting);
        read(text).map_err(|expected| SettingError {
            name: format!("{technique}.{}", setting.key),
            value: text.to_owned(),
            expected,
        })
    }
}

/// The times that a knob in milliseconds can have: up to a day, so that clocks can be added to.
pub const ALLOWED_MILLISECONDS: RangeInclusive<usize> = 1..=86_400_000;

fn numbers_in_words(allowed: &RangeInclusive<usize>) -> String {
    match (*allowed.start(), *allowed.end()) {
        (0, usize::MAX) => "a whole number".to_owned(),
        (least, usize::MAX) => format!("a whole number of at least {least}"),
        (least, most) => format!("a whole number from {least} to {most}"),
    }
}

/// A knob with a value that it cannot have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingError {
    /// `TECHNIQUE.KEY`.
    pub name: String,
    /// What was given.
    pub value: String,
    /// What it takes.
    pub expected: String,
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--set {}={}: expected {}", self.name, self.value, self.expected)
    }
}

impl std::error::Error for SettingError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_of_what_is_allowed_are_refused_with_the_range() {
        let setting = Setting { key: "size", default: "5", meaning: "" };
        let read = |text: &str, allowed| {
            let settings = Settings(BTreeMap::from([("some.size".to_owned(), text.to_owned())]));
            settings.number("some", &setting, allowed).map_err(|error| error.to_string())
        };
        assert_eq!(Settings::default().number("some", &setting, 1..=9), Ok(5));
        assert_eq!(read("9", 1..=9), Ok(9));
        assert_eq!(read("0", 0..=usize::MAX), Ok(0));
        for (text, allowed, expected) in [
            ("0", 1..=9, "--set some.size=0: expected a whole number from 1 to 9"),
            ("10", 1..=9, "--set some.size=10: expected a whole number from 1 to 9"),
            ("0", 1..=usize::MAX, "--set some.size=0: expected a whole number of at least 1"),
            ("-1", 0..=usize::MAX, "--set some.size=-1: expected a whole number"),
            ("99999999999999999999999", 0..=usize::MAX, "expected a whole number"),
        ] {
            assert!(read(text, allowed).is_err_and(|error| error.contains(expected)), "{text}");
        }
    }
}
