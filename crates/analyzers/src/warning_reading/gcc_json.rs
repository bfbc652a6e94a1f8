//! Warnings of GCC in its JSON format: one array of diagnostics, each with the path that leads to it.

use super::json;
use super::report::{Fault, Report, event, is_program};
use super::sarif;
use model::{PathEvent, Position};
use serde_json::Value;

/// Reads the array of GCC 9 to 14. Later versions print SARIF alone, which is seen by its brace.
pub(crate) fn read(text: &[u8]) -> Result<Vec<Report>, Fault> {
    let value = json::first_value(text)?;
    if value.is_object() {
        return sarif::reports(&value);
    }
    let Some(diagnostics) = value.as_array() else {
        return Err(Fault::Unreadable("expected a list of diagnostics".to_owned()));
    };
    if let Some(refusal) = diagnostics.iter().find(|it| refuses(json::text(it, &["kind"]))) {
        return Err(Fault::refused(json::text(refusal, &["message"])));
    }
    let warnings = diagnostics.iter().filter(|it| json::text(it, &["kind"]) == "warning");
    Ok(warnings.filter_map(report).collect())
}

/// True for the kinds of diagnostics after which nothing is analyzed.
fn refuses(kind: &str) -> bool {
    matches!(kind, "error" | "fatal error" | "sorry, unimplemented" | "internal compiler error")
}

fn report(diagnostic: &Value) -> Option<Report> {
    let place = place(json::at(diagnostic, &["locations"])?.get(0)?.get("caret")?)?;
    let events = json::list(diagnostic, &["path"]).iter().filter_map(station).collect();
    let (checker, message) = (json::text(diagnostic, &["option"]), json::text(diagnostic, &["message"]));
    Some(Report::new(checker, message, place, events))
}

fn station(station: &Value) -> Option<PathEvent> {
    let place = place(station.get("location")?)?;
    let function = station.get("function").and_then(Value::as_str);
    Some(event(place, function, json::text(station, &["description"])))
}

/// The place, if it is in the program. Before there was a byte column, the column was one.
fn place(location: &Value) -> Option<Position> {
    if !is_program(json::text(location, &["file"])) {
        return None;
    }
    let column = location.get("byte-column").or_else(|| location.get("column"));
    Some(Position { line: json::number(location.get("line")), column: json::number(column) })
}
