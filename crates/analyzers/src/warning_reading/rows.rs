//! Warnings as lines of text: rows that are warnings, and rows that belong to the path of the warning before.

use super::report::{Report, event, is_program};
use crate::warnings::WarningRow;
use model::{PathEvent, Position};
use regex::bytes::Captures;

/// Reads every row, in the order of the text.
pub(crate) fn read(rows: &[WarningRow], text: &[u8]) -> Vec<Report> {
    let mut found: Vec<(usize, bool, Captures<'_>)> = Vec::new();
    for row in rows {
        let places = row.pattern.captures_all(text);
        found.extend(places.filter_map(|it| Some((it.get(0)?.start(), row.note, it))));
    }
    found.sort_by_key(|(start, _, _)| *start);
    let mut reports: Vec<Option<Report>> = Vec::new();
    for (_, is_note, captures) in &found {
        if !is_note {
            reports.push(report(captures));
        } else if let (Some(Some(warning)), Some(event)) = (reports.last_mut(), note(captures)) {
            warning.path.push(event);
        }
    }
    // What is about another file is kept until here, so that its notes are not taken for those of the one before it.
    reports.into_iter().flatten().map(|it| Report::new(&it.checker, &it.message, it.place, it.path)).collect()
}

fn report(captures: &Captures<'_>) -> Option<Report> {
    let place = place(captures)?;
    let (checker, message) = (text(captures, "checker")?, text(captures, "message").unwrap_or_default());
    Some(Report { checker, message, place, path: Vec::new() })
}

fn note(captures: &Captures<'_>) -> Option<PathEvent> {
    let message = text(captures, "message").unwrap_or_default();
    Some(event(place(captures)?, text(captures, "function").as_deref(), &message))
}

/// The place, if it is in the program.
fn place(captures: &Captures<'_>) -> Option<Position> {
    let is_elsewhere = text(captures, "file").is_some_and(|file| !is_program(&file));
    let line: u32 = text(captures, "line")?.parse().ok()?;
    let column = text(captures, "column").and_then(|column| column.parse().ok()).unwrap_or(0);
    (!is_elsewhere).then_some(Position { line, column })
}

fn text(captures: &Captures<'_>, name: &str) -> Option<String> {
    captures.name(name).map(|it| String::from_utf8_lossy(it.as_bytes()).into_owned())
}
