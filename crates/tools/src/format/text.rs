//! Reports as lines of text: rows that are results, rows that belong to the result before, and others.

use super::level;
use crate::output::{Output, RowKind};
use model::{ProjectReport, RelatedPlace, ResultPlace, ToolResult};
use regex::bytes::Captures;

/// Reads every row, in the order of the text. What no pattern matches says nothing.
pub(super) fn read(output: &Output, text: &[u8]) -> ProjectReport {
    let mut report = ProjectReport::default();
    for line in text.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let row = output.rows.iter().find_map(|row| Some((row.kind, row.pattern.captures(line)?)));
        match (row, report.results.last_mut()) {
            (Some((RowKind::Result, captures)), _) => report.results.push(result(output, &captures)),
            (Some((RowKind::Note, captures)), Some(result)) => result.related.extend(related(&captures)),
            (Some((RowKind::Continuation, captures)), Some(result)) => {
                let more = capture(&captures, "message").or_else(|| whole(&captures)).unwrap_or_default();
                result.message.push('\n');
                result.message.push_str(&more);
            }
            _ => {}
        }
    }
    report
}

fn result(output: &Output, captures: &Captures<'_>) -> ToolResult {
    ToolResult {
        rule: capture(captures, "rule").unwrap_or_else(|| output.default_rule.clone()),
        level: level(output, capture(captures, "level").as_deref()),
        message: capture(captures, "message").unwrap_or_default(),
        place: place(captures),
        related: Vec::new(),
        fingerprints: Default::default(),
        suppressed: false,
    }
}

fn related(captures: &Captures<'_>) -> Option<RelatedPlace> {
    Some(RelatedPlace { place: place(captures)?, message: capture(captures, "message").unwrap_or_default() })
}

fn place(captures: &Captures<'_>) -> Option<ResultPlace> {
    let number = |name| capture(captures, name).and_then(|text| text.parse().ok()).unwrap_or(0);
    Some(ResultPlace {
        file: capture(captures, "file")?,
        line: number("line"),
        column: number("column"),
        end_line: number("end_line"),
        end_column: number("end_column"),
    })
}

/// The text of a capture that takes part in the match.
fn capture(captures: &Captures<'_>, name: &str) -> Option<String> {
    captures.name(name).map(|it| String::from_utf8_lossy(it.as_bytes()).into_owned())
}

fn whole(captures: &Captures<'_>) -> Option<String> {
    captures.get(0).map(|it| String::from_utf8_lossy(it.as_bytes()).into_owned())
}
