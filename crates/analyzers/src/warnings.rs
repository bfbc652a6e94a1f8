//! The section `[warnings]`: how a bug finder is called, what its checkers look for, and how its warnings are read.

use crate::calling::{Calling, CommandOption, Step, newlines, whole_lines};
use crate::failing::FailureRules;
use crate::reachability::Rendered;
use crate::version::Versioned;
use descriptions::Pattern;
use model::{CInput, DataModel, ErrorKind};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The analyzer reports errors in a program, with their places and paths.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WarningsRole {
    /// True if its authors promise to miss nothing.
    #[serde(default)]
    pub sound: bool,
    /// True if it shows the path to an error.
    #[serde(default)]
    pub paths: bool,
    /// The data models it supports, with the arguments that select them.
    pub data_models: BTreeMap<DataModel, Vec<String>>,
    /// Text before the program, such as a function with an error that shows that the analyzer works at all. Warnings
    /// about it are dropped, and the lines of other warnings are counted without it.
    #[serde(default)]
    pub prelude: String,
    /// The commands of a run, in order; all but the last are preparation.
    pub steps: Vec<Step>,
    /// The support files of juvenal that must be in the same directory as the program.
    #[serde(default)]
    pub files: Vec<String>,
    /// Sound and unsound options; only sound ones are drawn.
    #[serde(default)]
    pub options: Vec<CommandOption>,
    /// What its checkers look for. Warnings of unlisted checkers are dropped; a warning that matches several entries
    /// counts as one of each kind.
    pub checkers: Vec<Checker>,
    /// Errors that it misses by design.
    #[serde(default)]
    pub deliberate_misses: Vec<DeliberateMiss>,
    /// How to read its output.
    pub output: WarningsOutput,
}

/// What one checker, or several, look for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Checker {
    /// A pattern for the checker's name.
    pub pattern: Pattern,
    /// A pattern for its message, for checkers that look for several kinds of errors.
    #[serde(default)]
    pub message: Option<Pattern>,
    /// The kind of error.
    pub kind: ErrorKind,
    /// The first version that has it.
    #[serde(default)]
    pub since: Option<String>,
    /// The first version that no longer has it.
    #[serde(default)]
    pub until: Option<String>,
}

impl Versioned for Checker {
    fn bounds(&self) -> (Option<&str>, Option<&str>) {
        (self.since.as_deref(), self.until.as_deref())
    }
}

/// Errors that are missed by design in some programs, with a reference.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DeliberateMiss {
    /// The kind of error; every kind if not set.
    #[serde(default)]
    pub kind: Option<ErrorKind>,
    /// In which programs, and why.
    pub what: String,
    /// Where its authors document it.
    pub source: String,
}

/// How to read warnings.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WarningsOutput {
    /// The format of the output.
    pub format: WarningFormat,
    /// A file of the run directory to read instead of standard output and standard error.
    #[serde(default)]
    pub file: Option<String>,
    /// For the format `rows`: the rows that are warnings, and those that continue the path of the previous warning.
    #[serde(default)]
    pub rows: Vec<WarningRow>,
    /// A pattern that every complete output matches; other outputs are truncated and unreadable.
    #[serde(default)]
    pub complete: Option<Pattern>,
    /// Texts by which the analyzer reports that it skipped some executions: the answer is then unknown.
    #[serde(default)]
    pub incomplete: Vec<Pattern>,
    /// How to recognize runs that fail.
    #[serde(flatten)]
    pub failures: FailureRules,
}

/// The formats of warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WarningFormat {
    /// `-fdiagnostics-format=json` of GCC 9 to 14; SARIF, which later versions print, is recognized.
    GccJson,
    /// The Static Analysis Results Interchange Format, 2.1.0.
    Sarif,
    /// `--xml` of Cppcheck, version 2.
    CppcheckXml,
    /// Lines of text.
    Rows,
}

/// One kind of row in the format `rows`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WarningRow {
    /// The row, with the captures `line` and `message`, `checker` unless it is a note, and `column`, `file` and
    /// `function` where the analyzer names them. Rows about another file than the program are dropped.
    pub pattern: Pattern,
    /// True if it is an event on the path of the previous warning.
    #[serde(default)]
    pub note: bool,
}

impl WarningsRole {
    /// The program after the prelude. Bug finders do not know checks and assumptions, so these are left out: techniques
    /// ask them about closed programs.
    pub fn render(&self, program: &CInput) -> Rendered {
        Rendered { text: whole_lines(&self.prelude) + &program.base, lines: BTreeMap::new() }
    }

    pub(crate) fn calling(&self) -> Calling<'_> {
        Calling { data_models: &self.data_models, steps: &self.steps, options: &self.options }
    }

    /// The lines before the program.
    pub(crate) fn lines_before(&self) -> u32 {
        newlines(&whole_lines(&self.prelude))
    }

    /// The kinds of errors that a warning of this checker with this message can mean, each once.
    pub(crate) fn kinds_of(&self, checker: &str, message: &str) -> Vec<ErrorKind> {
        let fits = |entry: &&Checker| {
            let message_fits = entry.message.as_ref().is_none_or(|it| it.is_match(message.as_bytes()));
            message_fits && entry.pattern.is_match(checker.as_bytes())
        };
        sorted_once(self.checkers.iter().filter(fits).map(|entry| entry.kind))
    }
}

fn sorted_once(kinds: impl Iterator<Item = ErrorKind>) -> Vec<ErrorKind> {
    let mut kinds: Vec<ErrorKind> = kinds.collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}
