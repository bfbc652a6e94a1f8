//! A confirmed exhibit with everything needed to see it again.

use crate::{Answer, Exhibit, Fingerprint, Kind, NamedFile, Weighed};
use serde::{Deserialize, Serialize};

/// One finding, as it is stored and reported.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Its number within the campaign, from 1.
    pub number: u32,
    /// The bug it belongs to, from 1.
    pub bug: u32,
    /// What findings of one bug have in common.
    pub fingerprint: Fingerprint,
    /// The case that found it.
    pub case_number: u64,
    /// The seed of that case.
    pub seed_name: String,
    /// The exhibit as it was found.
    pub exhibit: Exhibit,
    /// The exhibit after reduction; the same as `exhibit` where nothing could be taken away.
    pub reduced: Exhibit,
    /// True once the reducer has found nothing more to take away.
    pub fully_reduced: bool,
    /// The answers that confirmed the reduced exhibit, in the order of its queries.
    pub answers: Vec<Answer>,
    /// How to get each of these answers without juvenal.
    pub runs: Vec<RunRecord>,
    /// What the analyzer printed for each of them, as text.
    pub outputs: Vec<String>,
    /// The strength of the case and the reasons.
    pub weighed: Weighed,
}

impl Finding {
    /// What the analyzer is accused of, after the witnesses were heard.
    pub fn kind(&self) -> Kind {
        self.weighed.kind.unwrap_or(self.exhibit.kind)
    }

    /// The name users type: `F12`.
    pub fn name(&self) -> String {
        format!("F{}", self.number)
    }
}

/// How to put one query to its analyzer by hand. For people and scripts to read: juvenal never runs it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Commands that come first, such as those of a compiler: programs and arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub preparation: Vec<Vec<String>>,
    /// Program and arguments.
    pub command: Vec<String>,
    /// Variables that it needs.
    pub environment: Vec<(String, String)>,
    /// Exactly what it is given on standard input.
    pub stdin: String,
    /// The files that the directory of the run must contain; the first is the input. Empty if the input
    /// comes on standard input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<NamedFile>,
}

impl RunRecord {
    /// What the analyzer is asked about.
    pub fn input(&self) -> &str {
        self.files.first().map_or(&self.stdin, |file| &file.text)
    }
}
