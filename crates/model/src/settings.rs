//! Knobs of techniques: `--set TECHNIQUE.KEY=VALUE`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

/// One knob of a technique.
#[derive(Clone, Debug)]
pub struct Knob {
    /// Its name without the technique.
    pub key: &'static str,
    /// Its value unless the user sets it.
    pub default: &'static str,
    /// What it does, in one sentence.
    pub meaning: &'static str,
    /// The values that it can have.
    pub range: KnobRange,
}

/// The values that a knob can have.
#[derive(Clone, Debug)]
pub enum KnobRange {
    /// A number.
    Number(RangeInclusive<usize>),
    /// A number, or `auto`.
    NumberOrAuto(RangeInclusive<usize>),
    /// One of a few words.
    Words(&'static [&'static str]),
    /// A text with a syntax of its own.
    Text {
        /// The syntax, in a few words.
        syntax: &'static str,
        /// Says what is wrong with a text.
        check: fn(&str) -> Result<(), String>,
    },
}

/// The value of a [`KnobRange::NumberOrAuto`] that is not a number.
const AUTO: &str = "auto";

impl KnobRange {
    /// Rejects a value that the knob cannot have; the error says what is expected.
    pub fn check(&self, value: &str) -> Result<(), String> {
        let is_number = |allowed: &RangeInclusive<usize>| {
            value.parse().is_ok_and(|number: usize| allowed.contains(&number))
        };
        let is_allowed = match self {
            KnobRange::Number(allowed) => is_number(allowed),
            KnobRange::NumberOrAuto(allowed) => value == AUTO || is_number(allowed),
            KnobRange::Words(words) => words.contains(&value),
            KnobRange::Text { syntax, check } => {
                return check(value).map_err(|error| format!("{syntax} ({error})"));
            }
        };
        if is_allowed { Ok(()) } else { Err(self.to_string()) }
    }
}

impl fmt::Display for KnobRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KnobRange::Number(allowed) => f.write_str(&numbers_in_words(allowed)),
            KnobRange::NumberOrAuto(allowed) => write!(f, "{AUTO} or {}", numbers_in_words(allowed)),
            KnobRange::Words(words) => write!(f, "one of {}", words.join(", ")),
            KnobRange::Text { syntax, .. } => f.write_str(syntax),
        }
    }
}

/// The values that a user chose, by `TECHNIQUE.KEY`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings(pub BTreeMap<String, String>);

impl Settings {
    /// The text of a knob: the user's or the default.
    pub fn text<'a>(&'a self, technique: &str, knob: &Knob) -> &'a str {
        self.0.get(&format!("{technique}.{}", knob.key)).map_or(knob.default, String::as_str)
    }

    /// The value of a knob, by a function that reads every text within its range.
    pub fn read<T>(
        &self,
        technique: &str,
        knob: &Knob,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, SettingError> {
        let text = self.text(technique, knob);
        let error = |expected| SettingError {
            name: format!("{technique}.{}", knob.key),
            value: text.to_owned(),
            expected,
        };
        knob.range.check(text).map_err(error)?;
        read(text).ok_or_else(|| error(knob.range.to_string()))
    }

    /// Rejects a knob with a value that it cannot have.
    pub fn check(&self, technique: &str, knob: &Knob) -> Result<(), SettingError> {
        self.read(technique, knob, |_| Some(()))
    }
}

/// The values of a knob in milliseconds: up to a day, which can be added to any clock.
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
    /// The user's value.
    pub value: String,
    /// The values that it can have.
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

    /// Rows: a range, a value within it, a value outside of it, and what is then expected.
    #[test]
    fn values_outside_of_the_range_are_rejected_with_the_range() {
        let syntax = "a word in brackets";
        let check = |text: &str| if text.starts_with('[') { Ok(()) } else { Err("no bracket".to_owned()) };
        for (range, within, outside, expected) in [
            (KnobRange::Number(1..=9), "9", "10", "a whole number from 1 to 9"),
            (KnobRange::Number(1..=9), "1", "0", "a whole number from 1 to 9"),
            (KnobRange::Number(1..=usize::MAX), "1", "0", "a whole number of at least 1"),
            (KnobRange::Number(0..=usize::MAX), "0", "-1", "a whole number"),
            (KnobRange::Number(0..=usize::MAX), "7", "99999999999999999999999", "a whole number"),
            (KnobRange::NumberOrAuto(1..=9), "auto", "0", "auto or a whole number from 1 to 9"),
            (KnobRange::Words(&["on", "off"]), "on", "perhaps", "one of on, off"),
            (KnobRange::Text { syntax, check }, "[a]", "a", "a word in brackets (no bracket)"),
        ] {
            let knob = Knob { key: "size", default: "", meaning: "", range };
            let set = |value: &str| Settings(BTreeMap::from([("some.size".to_owned(), value.to_owned())]));
            assert_eq!(set(within).check("some", &knob), Ok(()));
            let error = set(outside).check("some", &knob).unwrap_err();
            assert_eq!(error.to_string(), format!("--set some.size={outside}: expected {expected}"));
        }
    }

    #[test]
    fn a_knob_has_its_default_unless_the_user_sets_it() {
        let knob = Knob { key: "size", default: "5", meaning: "", range: KnobRange::Number(1..=9) };
        let number = |text: &str| text.parse::<usize>().ok();
        assert_eq!(Settings::default().read("some", &knob, number), Ok(5));
        let set = Settings(BTreeMap::from([("some.size".to_owned(), "7".to_owned())]));
        assert_eq!(set.read("some", &knob, number), Ok(7));
        assert_eq!(set.read("other", &knob, number), Ok(5));
    }
}
