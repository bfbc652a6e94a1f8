//! What a tool reports about the files of a project.
//!
//! A *tool* looks at many files of one project in one run and reports *results*, each at a place in a file: a linter, a type
//! checker, a static analyzer. Its words are those of SARIF, the format in which most tools exchange results.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything that one run of a tool reported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectReport {
    /// The rules that its results refer to, as far as the tool describes them; sorted by their identifiers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
    /// The results, in the order of the output.
    pub results: Vec<ToolResult>,
    /// What the tool could not analyze, by its own account.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<FileFailure>,
    /// True if the tool stopped before it had analyzed every file that it was given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_partial: bool,
}

/// A kind of results.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Rule {
    /// The identifier that results give, such as `unused-import`.
    pub id: String,
    /// Another name, which is easier to read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// One sentence about the rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The address of its manual page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// One thing that a tool reports.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ToolResult {
    /// The rule's identifier.
    pub rule: String,
    /// How grave it is, by the tool's account.
    pub level: Level,
    /// What the tool says.
    pub message: String,
    /// Where; none for results about the project as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<ResultPlace>,
    /// Other places that belong to it, such as the steps of a path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<RelatedPlace>,
    /// Fingerprints that the tool computes itself, by the name of the method.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fingerprints: BTreeMap<String, String>,
    /// Whether a comment in the source or a configuration file suppresses it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub suppressed: bool,
}

/// How grave a result is. The names are those of SARIF; the order is that of severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Not a problem.
    None,
    /// A minor matter of style.
    Note,
    /// A problem.
    #[default]
    Warning,
    /// A grave problem.
    Error,
}

impl Level {
    /// Every level, from the least grave.
    pub const ALL: [Level; 4] = [Level::None, Level::Note, Level::Warning, Level::Error];

    /// The word in files and in SARIF.
    pub fn word(self) -> &'static str {
        match self {
            Level::None => "none",
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }

    /// The level with this word.
    pub fn from_word(word: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.word() == word)
    }
}

/// A place in a file of a project. Numbers are 0 where the tool gives none.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ResultPlace {
    /// The file relative to the root of the project, with `/` between folders.
    pub file: String,
    /// The first line, from 1.
    pub line: u32,
    /// The first column in this line, from 1.
    pub column: u32,
    /// The last line.
    pub end_line: u32,
    /// The column after the last character.
    pub end_column: u32,
}

impl ResultPlace {
    /// A line of a file.
    pub fn line(file: impl Into<String>, line: u32) -> ResultPlace {
        ResultPlace { file: file.into(), line, ..ResultPlace::default() }
    }
}

/// A place that belongs to a result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RelatedPlace {
    /// Where.
    pub place: ResultPlace,
    /// What the tool says about it; empty if nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}

/// What a tool could not analyze, by its own account.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileFailure {
    /// The file, if the tool names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its message.
    pub message: String,
}

/// How the files of a part of a project are given to a tool. Either way it runs on a copy of the project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// Every file of the project is there, and the command names those of the part.
    #[default]
    InPlace,
    /// Only the files of the part are there.
    Isolated,
}

impl Way {
    /// Both ways.
    pub const ALL: [Way; 2] = [Way::InPlace, Way::Isolated];

    /// The word on the command line and in descriptions.
    pub fn name(self) -> &'static str {
        match self {
            Way::InPlace => "in-place",
            Way::Isolated => "isolated",
        }
    }

    /// What it means, for the help.
    pub fn summary(self) -> &'static str {
        match self {
            Way::InPlace => "The whole project; the command names the files of the part",
            Way::Isolated => "A directory with the files of the part alone",
        }
    }

    /// The words in tables and sentences.
    pub fn words(self) -> &'static str {
        match self {
            Way::InPlace => "in place",
            Way::Isolated => "isolated",
        }
    }
}
