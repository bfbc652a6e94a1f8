//! A report as a SARIF 2.1.0 log, the format that viewers, editors and code hosts read.
//!
//! The log has one run. Files of the project are named relative to the base `SRCROOT`; other files by `file:` addresses. Each
//! result with a known line gets the fingerprint `lineText/v1`, which stays the same when lines are inserted above: the hash of
//! the rule, the file and the text of the line without white space around it, and the number of earlier results that have the
//! same hash.
//!
//! Messages are literal: braces around a number, which would be a placeholder, are doubled as the format demands.

use model::{FileFailure, Hash, ProjectReport, ResultPlace, Rule, ToolResult, shown_json};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The format's version, and the address of its schema.
const VERSION: &str = "2.1.0";
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The base of the addresses of files.
const BASE: &str = "SRCROOT";
/// The name of the fingerprint.
const FINGERPRINT: &str = "lineText/v1";
/// What GitHub accepts: <https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support>.
const GITHUB_RESULTS: usize = 25_000;
const GITHUB_SHOWN_RESULTS: usize = 5_000;
const GITHUB_RULES: usize = 25_000;
const GITHUB_LOCATIONS: usize = 1_000;
const GITHUB_COMPRESSED_BYTES: usize = 10_000_000;

/// The run that a log is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SarifRun {
    /// The name of the tool.
    pub tool: String,
    /// Its version; empty if it does not tell.
    pub version: String,
    /// The address of its documentation.
    pub information: Option<String>,
    /// The absolute path of the root of the project, if the log is to say it.
    pub root: Option<String>,
    /// What the tool counts as a column.
    pub columns: ColumnUnit,
    /// What juvenal could not run to its end, such as a part; the log then says that it is not complete.
    pub unfinished: Vec<FileFailure>,
}

/// What a column is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColumnUnit {
    /// A character of Unicode.
    #[default]
    Characters,
    /// A unit of UTF-16, as in JavaScript and Java.
    Utf16,
}

/// A log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SarifLog {
    /// Its text, which is JSON.
    pub text: String,
    /// Sentences about what readers of the log may refuse or leave out.
    pub warnings: Vec<String>,
}

/// Writes a report as a log. `line_text` gives a line of a file of the project, by its number from 1.
///
/// # Errors
///
/// Those of writing JSON.
pub fn sarif_log(
    run: &SarifRun,
    report: &ProjectReport,
    line_text: &dyn Fn(&str, u32) -> Option<String>,
) -> serde_json::Result<SarifLog> {
    let log = json!({
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [LogWriter::new(run, report).run_value(report, line_text)],
    });
    let text = shown_json(&serde_json::to_string_pretty(&log)?).into_owned() + "\n";
    let warnings = warnings(report, text.len());
    Ok(SarifLog { text, warnings })
}

fn warnings(report: &ProjectReport, bytes: usize) -> Vec<String> {
    let results = report.results.len();
    let locations = report.results.iter().map(|result| result.related.len() + 1).max().unwrap_or(0);
    let mut warnings = Vec::new();
    if results > GITHUB_RESULTS {
        warnings.push(format!(
            "The log has {results} results; GitHub refuses logs with more than {GITHUB_RESULTS} in a run. It takes up to 20 \
             runs in a log: analyze fewer rules at once, or folders of the project on their own."
        ));
    } else if results > GITHUB_SHOWN_RESULTS {
        warnings.push(format!(
            "The log has {results} results; GitHub shows the {GITHUB_SHOWN_RESULTS} gravest of them."
        ));
    }
    if report.rules.len() > GITHUB_RULES {
        warnings.push(format!(
            "The log has {} rules; GitHub refuses logs with more than {GITHUB_RULES}.",
            report.rules.len()
        ));
    }
    if locations > GITHUB_LOCATIONS {
        warnings.push(format!(
            "A result has {locations} places; GitHub refuses logs with more than {GITHUB_LOCATIONS} for a result."
        ));
    }
    if bytes > GITHUB_COMPRESSED_BYTES {
        warnings.push(format!(
            "The log has {} MB; GitHub refuses logs with more than 10 MB after compression with gzip.",
            bytes / 1_000_000
        ));
    }
    warnings
}

/// The numbers of files and rules in the log.
struct LogWriter<'a> {
    run: &'a SarifRun,
    rules: BTreeMap<&'a str, (usize, Option<&'a Rule>)>,
    files: BTreeMap<&'a str, usize>,
    has_suppressed: bool,
}

impl<'a> LogWriter<'a> {
    fn new(run: &'a SarifRun, report: &'a ProjectReport) -> LogWriter<'a> {
        let mut rules: BTreeMap<&str, (usize, Option<&Rule>)> =
            report.results.iter().map(|result| (result.rule.as_str(), (0, None))).collect();
        for rule in &report.rules {
            rules.insert(&rule.id, (0, Some(rule)));
        }
        (0..).zip(rules.values_mut()).for_each(|(index, (place, _))| *place = index);
        let failures = report.failures.iter().chain(&run.unfinished);
        let files: BTreeSet<&str> = report
            .results
            .iter()
            .flat_map(places)
            .map(|place| place.file.as_str())
            .chain(failures.filter_map(|failure| failure.file.as_deref()))
            .collect();
        LogWriter {
            run,
            rules,
            files: files.into_iter().zip(0..).collect(),
            has_suppressed: report.results.iter().any(|result| result.suppressed),
        }
    }

    fn run_value(&self, report: &ProjectReport, line_text: &dyn Fn(&str, u32) -> Option<String>) -> Value {
        let mut prints = Fingerprints { line_text, seen: BTreeMap::new() };
        let results: Vec<Value> =
            report.results.iter().map(|result| self.result_value(result, &mut prints)).collect();
        json!({
            "tool": { "driver": self.driver_value() },
            "columnKind": match self.run.columns {
                ColumnUnit::Characters => "unicodeCodePoints",
                ColumnUnit::Utf16 => "utf16CodeUnits",
            },
            "originalUriBaseIds": { BASE: self.base_value() },
            "invocations": [self.invocation_value(&report.failures)],
            "artifacts": self.files.keys().map(|file| json!({ "location": file_address(file) })).collect::<Vec<_>>(),
            "results": results,
        })
    }

    fn driver_value(&self) -> Value {
        let rules: Vec<Value> =
            self.rules.iter().map(|(id, (_, rule))| rule_value(id, rule.unwrap_or(&NO_RULE))).collect();
        let mut driver = json!({ "name": or_unknown(&self.run.tool), "rules": rules });
        if !self.run.version.is_empty() {
            driver["version"] = json!(self.run.version);
        }
        if let Some(address) = self.run.information.as_deref().and_then(web_address) {
            driver["informationUri"] = json!(address);
        }
        driver
    }

    fn base_value(&self) -> Value {
        let mut base = json!({ "description": { "text": "The root of the project." } });
        if let Some(root) = &self.run.root {
            base["uri"] = json!(format!("{}/", file_uri(root).trim_end_matches('/')));
        }
        base
    }

    fn invocation_value(&self, failures: &[FileFailure]) -> Value {
        let unfinished = self.run.unfinished.iter().map(|failure| self.notification_value(failure, "error"));
        let reported = failures.iter().map(|failure| self.notification_value(failure, "warning"));
        json!({
            "executionSuccessful": self.run.unfinished.is_empty(),
            "toolExecutionNotifications": unfinished.chain(reported).collect::<Vec<_>>(),
        })
    }

    fn notification_value(&self, failure: &FileFailure, level: &str) -> Value {
        let text =
            literal(&failure.message).unwrap_or_else(|| "The tool failed without a message.".to_owned());
        let mut notification = json!({ "level": level, "message": { "text": text } });
        if let Some(file) = &failure.file {
            let place = ResultPlace::line(file.as_str(), 0);
            notification["locations"] = json!([{ "physicalLocation": self.physical_location(&place) }]);
        }
        notification
    }

    fn result_value(&self, result: &ToolResult, prints: &mut Fingerprints) -> Value {
        let rule = self.rules.get(result.rule.as_str());
        let described = rule.and_then(|(_, rule)| rule.as_ref()?.description.as_deref());
        let text = literal(&result.message)
            .or_else(|| literal(described?))
            .or_else(|| literal(&result.rule))
            .unwrap_or_else(|| "The tool gives no message.".to_owned());
        let mut value = json!({
            "ruleId": or_unknown(&result.rule),
            "ruleIndex": rule.map_or(0, |(index, _)| *index),
            "level": result.level.word(),
            "message": { "text": text },
        });
        if let Some(place) = &result.place {
            value["locations"] = json!([{ "physicalLocation": self.physical_location(place) }]);
        }
        if !result.related.is_empty() {
            value["relatedLocations"] = json!(self.related_values(result));
        }
        let fingerprints = prints.of(result);
        if !fingerprints.is_empty() {
            value["partialFingerprints"] = json!(fingerprints);
        }
        // The format demands that either all results of a run say whether they are suppressed, or none.
        if self.has_suppressed {
            value["suppressions"] =
                if result.suppressed { json!([{ "kind": "inSource" }]) } else { json!([]) };
        }
        value
    }

    fn related_values(&self, result: &ToolResult) -> Vec<Value> {
        let value = |(index, related): (usize, &model::RelatedPlace)| {
            let mut value =
                json!({ "id": index, "physicalLocation": self.physical_location(&related.place) });
            if let Some(text) = literal(&related.message) {
                value["message"] = json!({ "text": text });
            }
            value
        };
        result.related.iter().enumerate().map(value).collect()
    }

    fn physical_location(&self, place: &ResultPlace) -> Value {
        let mut address = file_address(&place.file);
        if let Some(index) = self.files.get(place.file.as_str()) {
            address["index"] = json!(index);
        }
        let mut location = json!({ "artifactLocation": address });
        if let Some(region) = region_value(place) {
            location["region"] = region;
        }
        location
    }
}

/// What is known about a rule that the tool does not describe.
const NO_RULE: Rule = Rule { id: String::new(), name: None, description: None, help: None };

/// GitHub wants two descriptions and a help text of every rule, so what is known stands in all of them.
fn rule_value(id: &str, rule: &Rule) -> Value {
    let id = or_unknown(id);
    let name = rule.name.as_deref().filter(|name| !name.trim().is_empty());
    let text = rule.description.as_deref().and_then(literal).or_else(|| literal(name?));
    let text = text.unwrap_or_else(|| id.to_owned());
    let address = rule.help.as_deref().and_then(web_address);
    let mut value = json!({
        "id": id,
        "shortDescription": { "text": text },
        "fullDescription": { "text": text },
        "help": { "text": address.unwrap_or(&text) },
    });
    if let Some(name) = name.filter(|name| *name != id) {
        value["name"] = json!(name);
    }
    if let Some(address) = address {
        value["helpUri"] = json!(address);
    }
    value
}

fn or_unknown(name: &str) -> &str {
    if name.is_empty() { "unknown" } else { name }
}

fn places(result: &ToolResult) -> impl Iterator<Item = &ResultPlace> {
    result.place.iter().chain(result.related.iter().map(|related| &related.place))
}

/// The region of a place; none if its line is not known. An end before the start is left out.
fn region_value(place: &ResultPlace) -> Option<Value> {
    let mut region = json!({ "startLine": (place.line > 0).then_some(place.line)? });
    if place.column > 0 {
        region["startColumn"] = json!(place.column);
    }
    if place.end_line >= place.line {
        region["endLine"] = json!(place.end_line);
    }
    let is_one_line = place.end_line <= place.line;
    if place.end_column > 0 && (!is_one_line || place.end_column >= place.column.max(1)) && !is_before(place)
    {
        region["endColumn"] = json!(place.end_column);
    }
    Some(region)
}

/// True if the last line of a place is before its first.
fn is_before(place: &ResultPlace) -> bool {
    (1..place.line).contains(&place.end_line)
}

/// The address of a file, relative to the root if it is below it.
fn file_address(file: &str) -> Value {
    match is_absolute(file) {
        true => json!({ "uri": file_uri(file) }),
        false => json!({ "uri": percent_encoded(file), "uriBaseId": BASE }),
    }
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || has_drive(path)
}

/// True for `C:/…` and `C:\…`.
fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic())
}

fn file_uri(path: &str) -> String {
    match path.get(..2).filter(|_| has_drive(path)) {
        Some(drive) => format!("file:///{drive}{}", percent_encoded(&path[2..].replace('\\', "/"))),
        None => format!("file://{}", percent_encoded(path)),
    }
}

/// A path in which only letters, digits, `-._~` and `/` stand for themselves, by RFC 3986.
fn percent_encoded(path: &str) -> String {
    let mut encoded = String::new();
    for &byte in path.as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// An address of a page, unless it has characters that no address has.
fn web_address(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    let is_plain =
        |c: char| c.is_ascii_graphic() && !matches!(c, '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}');
    (!rest.is_empty() && rest.chars().all(is_plain) && !has_bad_percent(rest)).then_some(text)
}

/// True if a percent sign is not followed by two digits.
fn has_bad_percent(text: &str) -> bool {
    let is_code =
        |code: &str| code.get(..2).is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()));
    !text.split('%').skip(1).all(is_code)
}

/// A message in which nothing is a placeholder; none if it is blank.
fn literal(message: &str) -> Option<String> {
    if message.trim().is_empty() {
        return None;
    }
    let mut text = String::new();
    let mut rest = message;
    while let Some(start) = rest.find('{') {
        let (before, after) = rest.split_at(start);
        let digits = after[1..].bytes().take_while(u8::is_ascii_digit).count();
        let is_placeholder = digits > 0 && after.as_bytes().get(digits + 1) == Some(&b'}');
        let end = if is_placeholder { digits + 2 } else { 1 };
        text.push_str(before);
        text.push_str(&if is_placeholder {
            format!("{{{}}}", &after[..end])
        } else {
            after[..end].to_owned()
        });
        rest = &after[end..];
    }
    Some(text + rest)
}

/// Fingerprints of results, in their order.
struct Fingerprints<'a> {
    line_text: &'a dyn Fn(&str, u32) -> Option<String>,
    seen: BTreeMap<Hash, u64>,
}

impl Fingerprints<'_> {
    /// Those of the tool, and that of the line.
    fn of(&mut self, result: &ToolResult) -> BTreeMap<String, String> {
        let mut prints = result.fingerprints.clone();
        let place = result.place.as_ref().filter(|place| place.line > 0);
        if let Some(place) = place
            && let Some(line) = (self.line_text)(&place.file, place.line)
        {
            let parts = [result.rule.as_bytes(), place.file.as_bytes(), line.trim().as_bytes()];
            let hash = Hash::of_parts(parts);
            let count = self.seen.entry(hash).or_default();
            prints.insert(FINGERPRINT.to_owned(), format!("{hash}:{count}"));
            *count += 1;
        }
        prints
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Level, RelatedPlace};

    fn result(rule: &str, message: &str, place: Option<ResultPlace>) -> ToolResult {
        ToolResult {
            rule: rule.to_owned(),
            level: Level::Warning,
            message: message.to_owned(),
            place,
            related: Vec::new(),
            fingerprints: BTreeMap::new(),
            suppressed: false,
        }
    }

    fn run_of(run: &SarifRun, report: &ProjectReport) -> Value {
        let log = sarif_log(run, report, &|_, line| Some(format!("  line {}", line % 2))).unwrap();
        let value: Value = serde_json::from_str(&log.text).unwrap();
        value["runs"][0].clone()
    }

    #[test]
    fn names_of_files_become_addresses() {
        for (file, uri) in [
            ("a/b c.py", "a/b%20c.py"),
            ("a#b?.c", "a%23b%3F.c"),
            ("c:d.c", "c%3Ad.c"),
            ("100%.c", "100%25.c"),
            ("é/漢.py", "%C3%A9/%E6%BC%A2.py"),
            ("[x]{y}.ts", "%5Bx%5D%7By%7D.ts"),
            ("a\\b.c", "a%5Cb.c"),
        ] {
            assert_eq!(file_address(file), json!({ "uri": uri, "uriBaseId": BASE }));
        }
        for (file, uri) in [
            ("/usr/include/a b.h", "file:///usr/include/a%20b.h"),
            ("C:/x y.h", "file:///C:/x%20y.h"),
            ("C:\\x\\y.h", "file:///C:/x/y.h"),
        ] {
            assert_eq!(file_address(file), json!({ "uri": uri }));
        }
    }

    #[test]
    fn messages_are_literal() {
        for (message, text) in [
            ("a {0} b {12}", "a {{0}} b {{12}}"),
            ("{x} {} {1 {2}", "{x} {} {1 {{2}}"),
            ("{é{3}{", "{é{{3}}{"),
        ] {
            assert_eq!(literal(message).as_deref(), Some(text));
        }
        assert_eq!(literal(" \n"), None);
    }

    #[test]
    fn only_addresses_of_pages_are_taken() {
        for good in ["https://x.org/a?b=c#d", "http://x.org/%20"] {
            assert_eq!(web_address(good), Some(good));
        }
        for bad in
            ["https://", "x.org", "file:///x", "https://x y", "https://x/%2", "https://x/{y}", "https://é"]
        {
            assert_eq!(web_address(bad), None, "{bad}");
        }
    }

    #[test]
    fn regions_hold_what_is_known_and_make_sense() {
        for (place, region) in [
            ((0, 3, 0, 0), Value::Null),
            ((5, 0, 0, 0), json!({ "startLine": 5 })),
            ((5, 2, 6, 1), json!({ "startLine": 5, "startColumn": 2, "endLine": 6, "endColumn": 1 })),
            ((5, 2, 5, 4), json!({ "startLine": 5, "startColumn": 2, "endLine": 5, "endColumn": 4 })),
            ((5, 2, 0, 4), json!({ "startLine": 5, "startColumn": 2, "endColumn": 4 })),
            ((5, 4, 5, 2), json!({ "startLine": 5, "startColumn": 4, "endLine": 5 })),
            ((5, 4, 3, 9), json!({ "startLine": 5, "startColumn": 4 })),
        ] {
            let (line, column, end_line, end_column) = place;
            let place = ResultPlace { file: "a".to_owned(), line, column, end_line, end_column };
            assert_eq!(region_value(&place).unwrap_or_default(), region);
        }
    }

    #[test]
    fn a_report_becomes_a_run() {
        let mut first = result("r2", "", Some(ResultPlace::line("a b.c", 3)));
        first.related =
            vec![RelatedPlace { place: ResultPlace::line("/usr/x.h", 1), message: "here".to_owned() }];
        first.fingerprints.insert("own/v1".to_owned(), "x".to_owned());
        let mut second = result("r1", "a\u{202e}b", None);
        second.suppressed = true;
        let report = ProjectReport {
            rules: vec![Rule {
                id: "r2".to_owned(),
                name: Some("second".to_owned()),
                description: Some("It is bad.".to_owned()),
                help: Some("https://x.org/r2".to_owned()),
            }],
            results: vec![first, second],
            failures: vec![FileFailure { file: Some("c.c".to_owned()), message: String::new() }],
            is_partial: false,
        };
        let run = SarifRun {
            tool: "lint".to_owned(),
            version: "1.2".to_owned(),
            root: Some("/home/a b/".to_owned()),
            unfinished: vec![FileFailure { file: None, message: "Part 3 ran into its limit.".to_owned() }],
            ..SarifRun::default()
        };
        let log = sarif_log(&run, &report, &|_, _| Some("int x;".to_owned())).unwrap();
        assert!(log.text.contains("a\\u202eb") && log.warnings.is_empty(), "{}", log.text);
        let run = run_of(&run, &report);
        let text = json!({ "text": "r1" });
        let unknown = json!({ "id": "r1", "shortDescription": text, "fullDescription": text, "help": text });
        assert_eq!(run["tool"]["driver"]["rules"][0], unknown);
        assert_eq!(run["tool"]["driver"]["rules"][1]["helpUri"], "https://x.org/r2");
        assert_eq!(run["originalUriBaseIds"][BASE]["uri"], "file:///home/a%20b/");
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
        let notifications = &run["invocations"][0]["toolExecutionNotifications"];
        assert_eq!(
            (&notifications[0]["level"], &notifications[1]["level"]),
            (&json!("error"), &json!("warning"))
        );
        assert_eq!(notifications[1]["locations"][0]["physicalLocation"]["artifactLocation"]["index"], 2);
        let first = &run["results"][0];
        assert_eq!((&first["ruleIndex"], &first["message"]["text"]), (&json!(1), &json!("It is bad.")));
        assert_eq!(first["locations"][0]["physicalLocation"]["artifactLocation"]["index"], 1);
        assert_eq!(first["relatedLocations"][0]["message"]["text"], "here");
        assert_eq!(first["partialFingerprints"]["own/v1"], "x");
        assert_eq!(first["suppressions"], json!([]));
        assert_eq!(run["results"][1]["suppressions"][0]["kind"], "inSource");
    }

    #[test]
    fn fingerprints_survive_inserted_lines() {
        let text = "import os\nx = 1\nx = 1\n";
        let prints_of = |text: &str, lines: [u32; 3]| -> Vec<Value> {
            let results =
                lines.map(|line| result("r", &format!("line {line}"), Some(ResultPlace::line("a.py", line))));
            let report = ProjectReport { results: results.to_vec(), ..ProjectReport::default() };
            let line_text = |_: &str, line: u32| text.lines().nth(line as usize - 1).map(str::to_owned);
            let log = sarif_log(&SarifRun::default(), &report, &line_text).unwrap();
            let value: Value = serde_json::from_str(&log.text).unwrap();
            let results = value["runs"][0]["results"].as_array().unwrap().clone();
            results.iter().map(|result| result["partialFingerprints"][FINGERPRINT].clone()).collect()
        };
        let before = prints_of(text, [1, 2, 3]);
        let after = prints_of(&format!("# new\n\n{text}"), [3, 4, 5]);
        assert_eq!(before, after);
        assert_eq!(before.iter().collect::<std::collections::HashSet<_>>().len(), 3);
    }

    #[test]
    fn logs_that_readers_refuse_are_named() {
        let results = vec![result("r", "m", None); GITHUB_RESULTS + 1];
        let mut report = ProjectReport { results, ..ProjectReport::default() };
        assert!(warnings(&report, 0)[0].contains("25001 results; GitHub refuses"));
        report.results.truncate(GITHUB_RESULTS);
        assert!(warnings(&report, 0)[0].contains("shows the 5000 gravest"));
        report.results.truncate(GITHUB_SHOWN_RESULTS);
        assert_eq!(warnings(&report, GITHUB_COMPRESSED_BYTES), [""; 0]);
        assert!(warnings(&report, 11_000_000)[0].contains("11 MB"));
    }
}
