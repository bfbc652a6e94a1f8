//! How large a part may be.

use crate::SourceFile;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What the size of a part is measured in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Files, as in the published algorithm.
    #[default]
    Files,
    /// Lines.
    Lines,
    /// Bytes.
    Bytes,
}

impl Measure {
    /// What it counts.
    pub fn noun(self) -> &'static str {
        match self {
            Measure::Files => "file",
            Measure::Lines => "line",
            Measure::Bytes => "byte",
        }
    }

    /// The size of a file. An empty file is not free: a tool opens it, too.
    pub fn of(self, file: &SourceFile) -> u64 {
        match self {
            Measure::Files => 1,
            Measure::Lines => file.lines.max(1),
            Measure::Bytes => file.bytes.max(1),
        }
    }
}

/// The largest size of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeLimit {
    /// The number.
    pub most: u64,
    /// What it counts.
    pub measure: Measure,
}

impl fmt::Display for SizeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = self.most;
        match self.measure {
            Measure::Bytes if most >= 1_000_000 => {
                write!(f, "{}.{} MB", most / 1_000_000, most / 100_000 % 10)
            }
            Measure::Bytes if most >= 1_000 => write!(f, "{}.{} kB", most / 1_000, most / 100 % 10),
            measure if most == 1 => write!(f, "1 {}", measure.noun()),
            measure => write!(f, "{most} {}s", measure.noun()),
        }
    }
}
