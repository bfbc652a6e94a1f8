//! Warnings in SARIF 2.1.0, with the steps of their code flows.

use super::json;
use super::report::{Fault, Report, event, is_program};
use model::{PathEvent, Place};
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
fn place(location: &Value) -> Option<Place> {
    let physical = location.get("physicalLocation")?;
    if !is_program(json::text(physical, &["artifactLocation", "uri"])) {
        return None;
    }
    let region = physical.get("region")?;
    let (line, column) = (region.get("startLine"), region.get("startColumn"));
    Some(Place { line: json::number(line), column: json::number(column) })
}
