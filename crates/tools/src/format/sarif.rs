//! Reports in SARIF 2.1.0, of any producer.

use super::TextBudget;
use super::json_value::{list, number, parse, string};
use crate::directories::path_of_uri;
use model::{FileFailure, Level, ProjectReport, RelatedPlace, ResultPlace, Rule, ToolResult};
use serde_json::Value;
use std::collections::BTreeMap;

/// The rules of an extension among which one is looked for by name; nearly all logs give its number.
const MOST_EXTENDED: usize = 100;
/// How many bases may lead to each other; more of them lead in circles.
const MOST_BASES: usize = 8;

/// Reads the results, the rules and the notifications of every run.
pub(super) fn read(text: &[u8]) -> Result<ProjectReport, String> {
    let log = parse(text)?;
    let Some(runs) = log.get("runs").and_then(Value::as_array) else {
        return Err("expected the runs of a SARIF log".to_owned());
    };
    let (mut report, mut budget) = (ProjectReport::default(), TextBudget::of(text));
    for run in runs {
        let reader = RunReader::new(run);
        report.rules.extend(reader.rules());
        for result in list(run, "/results").iter().filter_map(|result| reader.result(result)) {
            budget.take(&result)?;
            report.results.push(result);
        }
        report.failures.extend(list(run, "/invocations").iter().flat_map(|it| reader.failures(it)));
    }
    Ok(report)
}

/// Reads one run, whose parts refer to each other by number.
struct RunReader<'a> {
    run: &'a Value,
    /// The rules of the driver by name.
    by_name: BTreeMap<&'a str, &'a Value>,
}

/// The locations of one result that are read.
const MOST_LOCATIONS: usize = 20_000;
/// The longest path of a file. Many results can refer to one that is longer than all of them.
const LONGEST_PATH: usize = 4096;
/// The arguments that a message may have.
const MOST_ARGUMENTS: usize = 100;
/// The longest message with its arguments. Each argument can stand in it many times.
const LONGEST_MESSAGE: usize = 64 << 10;

impl<'a> RunReader<'a> {
    fn new(run: &'a Value) -> RunReader<'a> {
        // Of several rules of one name the first counts.
        let named = list(run, "/tool/driver/rules").iter().rev();
        RunReader { run, by_name: named.filter_map(|rule| Some((string(rule, "/id")?, rule))).collect() }
    }

    /// The rules of the driver and of its extensions.
    fn rules(&self) -> impl Iterator<Item = Rule> {
        let driver = list(self.run, "/tool/driver/rules");
        let extensions = list(self.run, "/tool/extensions").iter().flat_map(|it| list(it, "/rules"));
        driver.iter().chain(extensions).filter_map(rule)
    }

    fn result(&self, result: &Value) -> Option<ToolResult> {
        let rule = self.rule_of(result);
        let id = ["/ruleId", "/rule/id"].into_iter().find_map(|pointer| string(result, pointer));
        let id = id.or_else(|| rule.and_then(|rule| string(rule, "/id")));
        Some(ToolResult {
            rule: id.unwrap_or("none").to_owned(),
            level: level(result, rule),
            message: message(result.get("message")?, rule),
            place: list(result, "/locations").first().and_then(|location| self.place(location)),
            related: self.related(result),
            fingerprints: fingerprints(result),
            suppressed: is_suppressed(result),
        })
    }

    /// The description of a result's rule, by number or else by name.
    fn rule_of(&self, result: &Value) -> Option<&'a Value> {
        let extension = number(result, "/rule/toolComponent/index");
        let rules = match extension {
            Some(index) => list(self.run, &format!("/tool/extensions/{index}/rules")),
            None => list(self.run, "/tool/driver/rules"),
        };
        let index = number(result, "/ruleIndex").or_else(|| number(result, "/rule/index"));
        if let Some(index) = index {
            return rules.get(index as usize);
        }
        let id = string(result, "/ruleId").or_else(|| string(result, "/rule/id"))?;
        match extension {
            Some(_) => rules.iter().take(MOST_EXTENDED).find(|rule| string(rule, "/id") == Some(id)),
            None => self.by_name.get(id).copied(),
        }
    }

    /// Other places: those that the log calls related, and the steps of the first path.
    fn related(&self, result: &Value) -> Vec<RelatedPlace> {
        let related = list(result, "/relatedLocations").iter();
        let flows = list(result, "/codeFlows").iter().flat_map(|flow| list(flow, "/threadFlows")).take(1);
        let steps = flows.flat_map(|flow| list(flow, "/locations")).filter_map(|step| step.get("location"));
        let all = related.chain(steps).take(MOST_LOCATIONS);
        all.filter_map(|location| self.related_place(location)).collect()
    }

    fn related_place(&self, location: &Value) -> Option<RelatedPlace> {
        let message = location.get("message").map_or(String::new(), |it| message(it, None));
        Some(RelatedPlace { place: self.place(location)?, message })
    }

    fn place(&self, location: &Value) -> Option<ResultPlace> {
        let file = self.file(location.pointer("/physicalLocation/artifactLocation")?)?;
        let field = |name: &str| number(location, &format!("/physicalLocation/region/{name}")).unwrap_or(0);
        Some(ResultPlace {
            file,
            line: field("startLine"),
            column: field("startColumn"),
            end_line: field("endLine"),
            end_column: field("endColumn"),
        })
    }

    /// The path of an artifact, which may be given by its number alone.
    fn file(&self, artifact: &Value) -> Option<String> {
        let listed = number(artifact, "/index")
            .and_then(|index| self.run.pointer(&format!("/artifacts/{index}/location")));
        let artifact = if artifact.get("uri").is_some() { artifact } else { listed? };
        let path = path_of_uri(string(artifact, "/uri").filter(|uri| uri.len() <= LONGEST_PATH)?);
        let base = string(artifact, "/uriBaseId").and_then(|base| self.base(base, MOST_BASES));
        Some(match base {
            Some(base) if !crate::directories::is_outside(&path) => {
                format!("{}/{path}", base.trim_end_matches('/'))
            }
            _ => path,
        })
    }

    /// The directory that a base stands for; none if the log leaves that open, as it may for the root of the project.
    fn base(&self, name: &str, most: usize) -> Option<String> {
        let bases = self.run.get("originalUriBaseIds")?;
        let base = bases.get(name)?;
        let path = path_of_uri(string(base, "/uri").filter(|uri| uri.len() <= LONGEST_PATH)?);
        let outer = string(base, "/uriBaseId").filter(|_| most > 0);
        match outer.and_then(|outer| self.base(outer, most - 1)) {
            Some(outer) => Some(format!("{}/{path}", outer.trim_end_matches('/'))),
            None => Some(path).filter(|path| !path.is_empty()),
        }
    }

    /// The notifications of an invocation that are warnings or errors. They tell what went wrong with the tool or with its
    /// configuration, not with the project.
    fn failures(&self, invocation: &Value) -> Vec<FileFailure> {
        let kinds = ["/toolExecutionNotifications", "/toolConfigurationNotifications"];
        let notifications = kinds.into_iter().flat_map(|kind| list(invocation, kind));
        let grave = notifications.filter(|it| !matches!(string(it, "/level"), Some("note" | "none")));
        let mut failures: Vec<FileFailure> = grave.map(|it| self.failure(it)).collect();
        if failures.is_empty() && invocation.get("executionSuccessful") == Some(&Value::Bool(false)) {
            let message =
                string(invocation, "/exitCodeDescription").unwrap_or("the tool says that it failed");
            failures.push(FileFailure { file: None, message: message.to_owned() });
        }
        failures
    }

    fn failure(&self, notification: &Value) -> FileFailure {
        let message = notification.get("message").map_or(String::new(), |it| message(it, None));
        let place = list(notification, "/locations").first().and_then(|location| self.place(location));
        FileFailure { file: place.map(|place| place.file), message }
    }
}

fn rule(rule: &Value) -> Option<Rule> {
    let text = |pointer| string(rule, pointer).filter(|text| !text.is_empty()).map(str::to_owned);
    let id = text("/id")?;
    let description = text("/shortDescription/text").or_else(|| text("/fullDescription/text"));
    Some(Rule { name: text("/name").filter(|name| *name != id), id, description, help: text("/helpUri") })
}

fn level(result: &Value, rule: Option<&Value>) -> Level {
    if string(result, "/kind").is_some_and(|kind| kind != "fail") {
        return Level::None;
    }
    let default = rule.and_then(|rule| string(rule, "/defaultConfiguration/level"));
    string(result, "/level").or(default).and_then(Level::from_word).unwrap_or_default()
}

/// The text of a message, or the text with its name in the rule, with arguments in the place of `{0}` and so on.
fn message(message: &Value, rule: Option<&Value>) -> String {
    let named = || {
        let strings = rule?.get("messageStrings")?;
        string(strings.get(string(message, "/id")?)?, "/text")
    };
    let text = string(message, "/text").or_else(named).or_else(|| string(message, "/markdown"));
    let arguments: Vec<&str> =
        list(message, "/arguments").iter().take(MOST_ARGUMENTS).filter_map(Value::as_str).collect();
    let numbers: Vec<String> = (0..arguments.len()).map(|number| number.to_string()).collect();
    let values: Vec<(&str, &str)> = numbers.iter().map(String::as_str).zip(arguments).collect();
    let text = text.unwrap_or_default();
    let longest = values.iter().map(|(_, value)| value.len()).max().unwrap_or(0);
    match text.len() + text.matches('{').count() * longest > LONGEST_MESSAGE {
        true => text.to_owned(),
        false => crate::placeholder::fill(text, &values),
    }
}

fn fingerprints(result: &Value) -> BTreeMap<String, String> {
    let kinds =
        ["fingerprints", "partialFingerprints"].into_iter().filter_map(|kind| result.get(kind)?.as_object());
    let values = kinds.flatten().filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
    values.collect()
}

/// A suppression that somebody still has to accept, or did not, is none.
fn is_suppressed(result: &Value) -> bool {
    let suppressions = list(result, "/suppressions");
    let stands = |it: &Value| !matches!(string(it, "/status"), Some("underReview" | "rejected"));
    !suppressions.is_empty() && suppressions.iter().all(stands)
}
