//! An analyzer's use as a bug finder: how it is called, what its checkers look for, how its warnings are read.

use crate::calling::{Calling, CommandOption, FilledStep, Step, newlines, whole_lines};
use crate::failing::FailureRules;
use crate::pattern::Pattern;
use crate::reachability::Rendered;
use crate::version::Versioned;
use model::{CInput, DataModel, ErrorKind, Limits};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The role `warnings`: the analyzer says what can go wrong in a program, where, and on which path.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WarningsRole {
    /// True if its authors promise to overlook nothing.
    #[serde(default)]
    pub sound: bool,
    /// True if it shows the path to an error.
    #[serde(default)]
    pub paths: bool,
    /// The data models it knows, with the arguments that choose them.
    pub data_models: BTreeMap<DataModel, Vec<String>>,
    /// Text before the program, such as a function with an error by which it is seen that the analyzer is awake.
    /// Warnings about it are dropped, and the lines of all others are lines of the program alone.
    #[serde(default)]
    pub prelude: String,
    /// What is run, in order; all but the last only prepare.
    pub steps: Vec<Step>,
    /// Files of juvenal's own that must stand beside the program.
    #[serde(default)]
    pub files: Vec<String>,
    /// Options, sound and unsound ones; only the sound ones are drawn.
    #[serde(default)]
    pub options: Vec<CommandOption>,
    /// What its checkers look for. A warning of a checker that is not here is about something else and is dropped; one
    /// that several entries fit may mean any of them, and is a warning of each kind.
    pub checkers: Vec<Checker>,
    /// What it overlooks on purpose.
    #[serde(default)]
    pub deliberate_misses: Vec<DeliberateMiss>,
    /// How to read what it prints.
    pub output: WarningsOutput,
}

/// What one checker looks for, or several of one kind.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Checker {
    /// The checker's name.
    pub pattern: Pattern,
    /// What its message must say, for checkers that look for several things.
    #[serde(default)]
    pub message: Option<Pattern>,
    /// What it looks for.
    pub kind: ErrorKind,
    /// The first version that has it.
    #[serde(default)]
    pub since: Option<String>,
    /// The first version that has it no longer.
    #[serde(default)]
    pub until: Option<String>,
}

impl Versioned for Checker {
    fn bounds(&self) -> (Option<&str>, Option<&str>) {
        (self.since.as_deref(), self.until.as_deref())
    }
}

/// Errors that are overlooked on purpose in some programs, and who says so.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DeliberateMiss {
    /// The kind; every kind if nothing is said.
    #[serde(default)]
    pub kind: Option<ErrorKind>,
    /// In which programs, and why.
    pub what: String,
    /// Where the authors say so.
    pub source: String,
}

/// How to read warnings.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WarningsOutput {
    /// Who reads it.
    pub format: WarningFormat,
    /// A file of the run directory to read instead of standard output and standard error.
    #[serde(default)]
    pub file: Option<String>,
    /// For the format `rows`: the rows that are warnings, and those that belong to the path of the warning before.
    #[serde(default)]
    pub rows: Vec<WarningRow>,
    /// What must stand in the output for any of it to count: without it the output was cut off and is unreadable.
    #[serde(default)]
    pub complete: Option<Pattern>,
    /// Texts that say that some executions were not looked at for want of something: then nothing is said at all.
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
    /// `-fdiagnostics-format=json` of GCC 9 to 14; SARIF, which later ones print, is seen and read as such.
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
    /// True if it is a station of the path of the warning before it.
    #[serde(default)]
    pub note: bool,
}

impl WarningsRole {
    /// The program behind the prelude. A bug finder knows nothing of checks and assumptions, so they are left out:
    /// techniques put closed programs to it.
    pub fn render(&self, program: &CInput) -> Rendered {
        Rendered { text: whole_lines(&self.prelude) + &program.base, lines: BTreeMap::new() }
    }

    /// The commands for a program in this file.
    pub fn commands(
        &self,
        file: &str,
        program: &CInput,
        options: &[(String, String)],
        configuration: &[String],
        limits: &Limits,
    ) -> Vec<FilledStep> {
        self.calling().commands(file, program, options, configuration, limits)
    }

    pub(crate) fn calling(&self) -> Calling<'_> {
        Calling { data_models: &self.data_models, steps: &self.steps, options: &self.options }
    }

    /// The lines before the program.
    pub(crate) fn lines_before(&self) -> u32 {
        newlines(&whole_lines(&self.prelude))
    }

    /// What a warning of this checker with this message may mean, each kind once.
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
