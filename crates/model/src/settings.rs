//! Knobs of techniques: `--set TECHNIQUE.KEY=VALUE`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

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

    /// The number of a knob.
    pub fn number(&self, technique: &str, setting: &Setting) -> Result<usize, SettingError> {
        let text = self.text(technique, setting);
        text.parse().map_err(|_| SettingError {
            name: format!("{technique}.{}", setting.key),
            value: text.to_owned(),
            expected: "a whole number".to_owned(),
        })
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
