//! Warnings in SARIF 2.1.0, with the steps of their code flows.

use super::json;
use super::report::{Fault, Report, event, is_program};
use model::{PathEvent, Position};
use serde_json::Value;

/// Reads the results of every run.
pub(crate) fn read(text: &[u8]) -> Result<Vec<Report>, Fault> {
    reports(&json::first_value(text)?)
}

/// The results of every run of a log.
pub(crate) fn reports(log: &Value) -> Result<Vec<Report>, Fault> {
    let Some(runs) = log.get("runs").and_then(Value::as_array) else {
        return Err(Fault::Unreadable("expected the runs of a SARIF log".to_owned()));
    };
    let mut reports = Vec::new();
    for run in runs {
        refusal(run)?;
        reports.extend(json::list(run, &["results"]).iter().filter_map(|result| report(run, result)));
    }
    Ok(reports)
}

/// GCC puts its errors among the results, under a rule of that name, and those of its own into a notification.
fn refusal(run: &Value) -> Result<(), Fault> {
    let is_error = |it: &&Value| matches!(json::text(it, &["ruleId"]), "error" | "fatal error");
    if let Some(error) = json::list(run, &["results"]).iter().find(is_error) {
        return Err(Fault::refused(json::text(error, &["message", "text"])));
    }
    for invocation in json::list(run, &["invocations"]) {
        if invocation.get("executionSuccessful") == Some(&Value::Bool(false)) {
            let notification = json::list(invocation, &["toolExecutionNotifications"]).first();
            let message = notification.map_or("", |it| json::text(it, &["message", "text"]));
            return Err(Fault::refused(if message.is_empty() { "it says that it failed" } else { message }));
        }
    }
    Ok(())
}

fn report(run: &Value, result: &Value) -> Option<Report> {
    let place = place(json::list(result, &["locations"]).first()?)?;
    let mut path = Vec::new();
    // One flow is enough: further ones show the same error on other paths.
    for flow in json::list(result, &["codeFlows"]).iter().take(1) {
        for thread in json::list(flow, &["threadFlows"]) {
            let stations = json::list(thread, &["locations"]).iter();
            path.extend(stations.filter_map(|station| self::station(run, station)));
        }
    }
    let rule = json::text(result, &["ruleId"]);
    let checker = if rule.is_empty() { json::text(result, &["rule", "id"]) } else { rule };
    Some(Report::new(checker, json::text(result, &["message", "text"]), place, path))
}

fn station(run: &Value, station: &Value) -> Option<PathEvent> {
    let location = station.get("location")?;
    let place = place(location)?;
    Some(event(place, function(run, location), json::text(location, &["message", "text"])))
}

/// The function that a location names, in itself or by a number into the list of the run.
fn function<'a>(run: &'a Value, location: &'a Value) -> Option<&'a str> {
    let named = json::list(location, &["logicalLocations"]).first()?;
    let index = named.get("index").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
    let listed = index.and_then(|index| json::list(run, &["logicalLocations"]).get(index));
    let name = |it: &'a Value| it.get("name").or_else(|| it.get("fullyQualifiedName"))?.as_str();
    name(named).or_else(|| name(listed?))
}

/// The place, if it is in the program. Columns are characters here, which are bytes in all but strings and comments.
fn place(location: &Value) -> Option<Position> {
    let physical = location.get("physicalLocation")?;
    if !is_program(json::text(physical, &["artifactLocation", "uri"])) {
        return None;
    }
    let region = physical.get("region")?;
    let (line, column) = (region.get("startLine"), region.get("startColumn"));
    Some(Position { line: json::number(line), column: json::number(column) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In the shape of GCC 13 and later, which name functions, in the station or by a number.
    const LOG: &str = r#"{"version": "2.1.0", "runs": [{
        "logicalLocations": [{"name": "main", "kind": "function"}],
        "results": [{
            "ruleId": "-Wanalyzer-null-dereference", "level": "warning", "message": {"text": "dereference of NULL"},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": "program.c"},
                "region": {"startLine": 6, "startColumn": 10, "endColumn": 12}}}],
            "codeFlows": [{"threadFlows": [{"id": "main", "locations": [
                {"nestingLevel": 1, "location": {"message": {"text": "entry to 'main'"},
                    "logicalLocations": [{"index": 0}],
                    "physicalLocation": {"artifactLocation": {"uri": "program.c"}, "region": {"startLine": 2}}}},
                {"nestingLevel": 1, "location": {"message": {"text": "in a header"},
                    "physicalLocation": {"artifactLocation": {"uri": "other.h"}, "region": {"startLine": 3}}}},
                {"nestingLevel": 2, "location": {"message": {"text": "dereference"},
                    "logicalLocations": [{"name": "callee", "fullyQualifiedName": "callee"}],
                    "physicalLocation": {"artifactLocation": {"uri": "program.c"}, "region": {"startLine": 6}}}}
            ]}]}]
        }]
    }]}"#;

    #[test]
    fn functions_are_named_in_the_station_or_by_a_number() {
        let reports = read(LOG.as_bytes()).unwrap();
        assert_eq!(reports.len(), 1);
        assert_eq!(reports[0].place, Position { line: 6, column: 10 });
        let path: Vec<(u32, Option<&str>)> =
            reports[0].path.iter().map(|event| (event.place.line, event.function.as_deref())).collect();
        assert_eq!(path, [(2, Some("main")), (6, Some("callee"))]);
    }

    #[test]
    fn errors_of_the_compiler_are_refusals() {
        let error = LOG.replace("-Wanalyzer-null-dereference", "error");
        assert_eq!(read(error.as_bytes()), Err(Fault::Refused("dereference of NULL".to_owned())));
        let failed = LOG
            .replace("\"results\": [", "\"invocations\": [{\"executionSuccessful\": false}], \"results\": [");
        assert_eq!(read(failed.as_bytes()), Err(Fault::Refused("it says that it failed".to_owned())));
        assert!(matches!(read(b"{}"), Err(Fault::Unreadable(_))));
    }
}
