//! How the output of a tool is to be read, as its description states it.

use descriptions::Pattern;
use model::Level;
use serde::Deserialize;
use std::collections::BTreeMap;

/// How to read what a tool prints.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Output {
    /// Where the report is, unless the step names a file.
    #[serde(default)]
    pub stream: Stream,
    /// The format of the report.
    pub format: ReportFormat,
    /// Exit codes of runs that came to their end; without any, 0 alone.
    #[serde(default)]
    pub exit_codes: Vec<i32>,
    /// For tools whose exit code is a set of bits: all bits that runs may have that came to their end.
    #[serde(default)]
    pub exit_bits: i32,
    /// Exit codes of runs that reported something and stopped before they had analyzed everything. The report has a failure
    /// without a file then.
    #[serde(default)]
    pub stopping_exit_codes: Vec<i32>,
    /// What the tool's words for severity mean. Numbers are written as texts.
    #[serde(default)]
    pub levels: BTreeMap<String, Level>,
    /// The level of results without a known word.
    #[serde(default)]
    pub default_level: Level,
    /// The rule of results that name none.
    #[serde(default = "no_rule")]
    pub default_rule: String,
    /// Where the fields are, for the formats `json` and `json-lines`.
    #[serde(default)]
    pub json: Option<JsonFields>,
    /// What rows look like, for the format `text`.
    #[serde(default)]
    pub rows: Vec<TextRow>,
    /// Results which say that a file could not be analyzed. They count as results and as failures.
    #[serde(default)]
    pub failing_results: Vec<FailingResult>,
    /// Methods of fingerprints whose values do not identify a result.
    #[serde(default)]
    pub ignored_fingerprints: Vec<String>,
    /// Texts outside of the report which say that something could not be analyzed. The captures `file` and `message`, or
    /// else the whole match, are what is shown. Such a text explains any exit code.
    #[serde(default)]
    pub failures: Vec<Pattern>,
    /// Texts by which the tool refuses its arguments or its configuration; the capture `message`, or else the whole match,
    /// is what is shown.
    #[serde(default)]
    pub rejections: Vec<Pattern>,
    /// Texts by which the tool reports an internal failure. The capture `what`, or else the whole match, identifies it.
    #[serde(default)]
    pub crashes: Vec<Pattern>,
    /// Texts by which the tool reports that it ran out of memory.
    #[serde(default)]
    pub out_of_memory: Vec<Pattern>,
}

fn no_rule() -> String {
    "none".to_owned()
}

/// Where a report is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stream {
    /// Standard output.
    #[default]
    Stdout,
    /// Standard error.
    Stderr,
}

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReportFormat {
    /// SARIF 2.1.0.
    Sarif,
    /// One JSON value; `json` says where the fields are.
    Json,
    /// One JSON value on each line that begins with `{`; `json` says where the fields are.
    JsonLines,
    /// Lines of text; `rows` says what they look like.
    Text,
    /// The XML of Cppcheck, version 2.
    CppcheckXml,
}

/// Where the fields of a result are: JSON pointers such as `/location/line`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct JsonFields {
    /// The list of results; empty if the whole value is the list or, on lines, the result.
    #[serde(default)]
    pub results: String,
    /// The lists inside of each entry, for tools that group their results by file. Fields that are not in an inner entry
    /// are looked up in the outer one.
    #[serde(default)]
    pub nested: Vec<String>,
    /// The file.
    pub file: String,
    /// The first line.
    pub line: String,
    /// The first column.
    #[serde(default)]
    pub column: Option<String>,
    /// The last line.
    #[serde(default)]
    pub end_line: Option<String>,
    /// The column after the last character.
    #[serde(default)]
    pub end_column: Option<String>,
    /// The number of the first column in a line.
    #[serde(default = "one")]
    pub first_column: u32,
    /// The rule's identifier.
    pub rule: String,
    /// The tool's word for how grave the result is.
    #[serde(default)]
    pub level: Option<String>,
    /// What the tool says.
    pub message: String,
    /// Another name of the rule.
    #[serde(default)]
    pub rule_name: Option<String>,
    /// The address of the rule's manual page.
    #[serde(default)]
    pub help: Option<String>,
    /// A list that is not empty if the result is suppressed, or the value `true`.
    #[serde(default)]
    pub suppressed: Option<String>,
    /// The list of files that could not be analyzed.
    #[serde(default)]
    pub failures: Option<JsonFailures>,
}

fn one() -> u32 {
    1
}

/// A list of files that could not be analyzed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct JsonFailures {
    /// The list, as a pointer from the top.
    pub list: String,
    /// The file, as a pointer from an entry.
    pub file: String,
    /// The message, as a pointer from an entry.
    pub message: String,
}

/// What rows of one kind look like.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TextRow {
    /// The captures `file`, `line`, `column`, `end_line`, `end_column`, `level`, `rule` and `message` are the fields.
    pub pattern: Pattern,
    /// What such a row is.
    #[serde(default)]
    pub kind: RowKind,
}

/// What a row of text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowKind {
    /// A result.
    #[default]
    Result,
    /// A place that belongs to the result before it.
    Note,
    /// More of the message of the result before it.
    Continuation,
}

/// Results which say that a file could not be analyzed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FailingResult {
    /// A pattern for the rule.
    pub rule: Pattern,
    /// A pattern for the message; without it, any message.
    #[serde(default)]
    pub message: Option<Pattern>,
}
