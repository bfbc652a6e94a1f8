//! SARIF logs of any producer: whatever the format allows for a result is read.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use model::{Claim, Ending, FileFailure, Level, ProjectReport, ResultPlace, Run, ToolResult, Verdict};
use serde_json::{Value, json};
use tools::{Directories, Outcome, ToolCommand, Toolbox};

const DIRECTORIES: Directories<'static> = Directories { root: "/run/copy", scratch: "/run/scratch" };

fn read(run: Value) -> ProjectReport {
    let log = json!({ "version": "2.1.0", "runs": [run] }).to_string();
    let run = Run::new(Ending::Exited(0), format!("\u{feff}{log}").into_bytes(), Vec::new());
    let toolbox = Toolbox::shipped().unwrap();
    let outcome = Outcome { command: &ToolCommand::default(), run: &run };
    match toolbox.find("ruff").unwrap().read(DIRECTORIES, &[outcome]) {
        Verdict::Claim(Claim::Report(report)) => report,
        other => panic!("{other:?}"),
    }
}

fn result(run: Value) -> ToolResult {
    read(run).results.remove(0)
}

fn location(artifact: Value) -> Value {
    json!({ "physicalLocation": { "artifactLocation": artifact, "region": { "startLine": 3, "startColumn": 2, "endLine": 4, "endColumn": 5 } } })
}

#[test]
fn artifacts_are_found_by_uri_base_and_number() {
    for (artifact, file) in [
        (json!({ "uri": "src/a%20b.c" }), "src/a b.c"),
        (json!({ "uri": "file:///run/copy/src/a.c" }), "src/a.c"),
        (json!({ "uri": "a.c", "uriBaseId": "SRC" }), "src/a.c"),
        (json!({ "uri": "a.c", "uriBaseId": "%SRCROOT%" }), "a.c"),
        (json!({ "uri": "/usr/include/a.h", "uriBaseId": "SRC" }), "/usr/include/a.h"),
        (json!({ "uri": "a.c", "uriBaseId": "CIRCLE" }), "a.c"),
        (json!({ "index": 1 }), "lib/b.c"),
    ] {
        let found = result(json!({
            "originalUriBaseIds": {
                "ROOT": { "uri": "file:///run/copy/" }, "SRC": { "uri": "src/", "uriBaseId": "ROOT" },
                "CIRCLE": { "uri": "", "uriBaseId": "CIRCLE" },
            },
            "artifacts": [{ "location": { "uri": "a.c" } }, { "location": { "uri": "lib/b.c" } }],
            "results": [{ "message": { "text": "m" }, "locations": [location(artifact.clone())] }],
        }));
        let place = ResultPlace { file: file.to_owned(), line: 3, column: 2, end_line: 4, end_column: 5 };
        assert_eq!(found.place, Some(place), "{artifact}");
    }
}

#[test]
fn rules_give_names_levels_and_messages() {
    let rules = json!([{ "id": "first" }, {
        "id": "second", "name": "Second", "shortDescription": { "text": "About it." }, "helpUri": "https://example.org",
        "defaultConfiguration": { "level": "note" }, "messageStrings": { "default": { "text": "{0} and {1}" } },
    }]);
    let extension = json!([{ "rules": [{ "id": "other", "defaultConfiguration": { "level": "error" } }] }]);
    for (given, rule, level, message) in [
        (
            json!({ "ruleIndex": 1, "message": { "id": "default", "arguments": ["a", "{0}"] } }),
            "second",
            Level::Note,
            "a and {0}",
        ),
        (json!({ "ruleId": "second", "message": { "text": "m" } }), "second", Level::Note, "m"),
        (
            json!({ "ruleId": "second", "level": "error", "message": { "text": "m" } }),
            "second",
            Level::Error,
            "m",
        ),
        (json!({ "ruleId": "first", "message": { "text": "m" } }), "first", Level::Warning, "m"),
        (json!({ "ruleId": "first", "kind": "pass", "message": { "text": "m" } }), "first", Level::None, "m"),
        (
            json!({ "rule": { "index": 0, "toolComponent": { "index": 0 } }, "message": { "markdown": "m" } }),
            "other",
            Level::Error,
            "m",
        ),
        (
            json!({ "ruleIndex": 77, "message": { "text": "in /run/copy/a.c" } }),
            "none",
            Level::Warning,
            "in a.c",
        ),
    ] {
        let run =
            json!({ "tool": { "driver": { "rules": rules }, "extensions": extension }, "results": [given] });
        let report = read(run);
        let found = &report.results[0];
        assert_eq!(
            (found.rule.as_str(), found.level, found.message.as_str()),
            (rule, level, message),
            "{given}"
        );
        assert!(report.rules.iter().all(|known| known.id == rule), "only rules with results are kept");
        if rule == "second" {
            assert_eq!(report.rules[0].description.as_deref(), Some("About it."));
            assert_eq!(
                (report.rules[0].name.as_deref(), report.rules[0].help.as_deref()),
                (Some("Second"), Some("https://example.org"))
            );
        }
    }
}

#[test]
fn paths_and_related_places_belong_to_the_result() {
    let step = |line: u32, text: &str| {
        json!({ "location": { "message": { "text": text },
            "physicalLocation": { "artifactLocation": { "uri": "a.c" }, "region": { "startLine": line } } } })
    };
    let found = result(json!({ "results": [{
        "message": { "text": "m" }, "relatedLocations": [location(json!({ "uri": "b.c" }))],
        "codeFlows": [{ "threadFlows": [{ "locations": [step(1, "one"), step(2, "two")] }] }, { "threadFlows": [{ "locations": [step(9, "no")] }] }],
        "partialFingerprints": { "p/v1": "1" }, "fingerprints": { "f/v1": "2", "bad": 3 },
    }] }));
    let related: Vec<(&str, u32, &str)> =
        found.related.iter().map(|it| (it.place.file.as_str(), it.place.line, it.message.as_str())).collect();
    assert_eq!(related, [("b.c", 3, ""), ("a.c", 1, "one"), ("a.c", 2, "two")]);
    let fingerprints: Vec<(&str, &str)> =
        found.fingerprints.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(fingerprints, [("f/v1", "2"), ("p/v1", "1")]);
    let many: Vec<Value> = (0..1000).map(|line| step(line, "s")).collect();
    let long = json!({ "results": [{ "message": { "text": "m" }, "codeFlows": [{ "threadFlows": [{ "locations": many }] }] }] });
    let long = result(long).related;
    assert_eq!((long.len(), long[0].place.line, long[399].place.line), (400, 0, 999));
}

#[test]
fn suppressions_count_once_they_are_accepted() {
    for (suppressions, expected) in [
        (json!([]), false),
        (json!([{ "kind": "inSource" }]), true),
        (json!([{ "kind": "external", "status": "accepted" }]), true),
        (json!([{ "kind": "external", "status": "underReview" }]), false),
        (json!([{ "kind": "inSource" }, { "kind": "external", "status": "rejected" }]), false),
    ] {
        let run = json!({ "results": [{ "message": { "text": "m" }, "suppressions": suppressions }] });
        assert_eq!(result(run).suppressed, expected, "{suppressions}");
    }
}

#[test]
fn notifications_are_failures() {
    let notification = json!({ "level": "error", "message": { "text": "cannot read /run/copy/a.c" }, "locations": [location(json!({ "uri": "a.c" }))] });
    let note = json!({ "level": "note", "message": { "text": "done" } });
    let failures = |invocation: Value| read(json!({ "invocations": [invocation], "results": [] })).failures;
    let expected = FileFailure { file: Some("a.c".to_owned()), message: "cannot read a.c".to_owned() };
    assert_eq!(
        failures(json!({ "executionSuccessful": false, "toolExecutionNotifications": [notification, note] })),
        [expected]
    );
    assert!(
        failures(json!({ "executionSuccessful": true, "toolExecutionNotifications": [note] })).is_empty()
    );
    let expected = FileFailure { file: None, message: "the tool says that it failed".to_owned() };
    assert_eq!(failures(json!({ "executionSuccessful": false })), [expected]);
}

#[test]
fn what_has_another_type_is_left_out() {
    let report = read(json!({
        "tool": 1, "artifacts": {}, "invocations": "x", "originalUriBaseIds": [],
        "results": [null, 1, {}, { "message": 1 }, { "message": { "text": 1 }, "level": 2, "locations": [{ "physicalLocation": { "artifactLocation": { "uri": 3 } } }] },
            { "message": { "text": "m" }, "ruleId": [], "locations": [{ "physicalLocation": { "artifactLocation": { "uri": "a.c" }, "region": { "startLine": -1, "startColumn": 1e300 } } }] }],
    }));
    assert_eq!(report.results.len(), 2);
    assert_eq!(report.results[1].place, Some(ResultPlace::line("a.c", 0)));
}
