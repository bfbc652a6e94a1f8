//! Logs with hostile content, checked by the validator of Microsoft's SARIF Multitool: against the schema of the format, and
//! against those rules of the format and of GitHub that a schema cannot express.
#![allow(clippy::disallowed_methods, reason = "the test starts the validator")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use model::{FileFailure, Level, ProjectReport, Random, RelatedPlace, ResultPlace, Rule, ToolResult};
use serde_json::Value;
use splitting::{SarifRun, sarif_log};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use test_support::{is_required, skip_without};

const VALIDATOR: &str = "sarif-multitool";
const TEXTS: [&str; 12] = [
    "",
    " ",
    "unused variable 'x'",
    "a {0} b {x} {",
    "[link](3) [x](https://x.org)",
    "\u{202e}\u{0}\u{7f}\r\n\t",
    "漢字 é 🦀",
    "<script>&amp;\"'",
    "%s %n 100%",
    "\\",
    "https://x.org/a b",
    "https://x.org/help",
];
const FILES: [&str; 9] = [
    "a.py",
    "src/a b.py",
    "src/a#1?.py",
    "é/漢字.c",
    "c:d.c",
    "100%.c",
    "/usr/include/stdio.h",
    "C:/x y/z.h",
    "back\\slash.c",
];

fn text(random: &mut Random) -> String {
    random.choose(&TEXTS).map_or(String::new(), |text| (*text).to_owned())
}

fn place(random: &mut Random) -> ResultPlace {
    let mut number = || random.below(4) as u32;
    let (line, column, end_line, end_column) = (number(), number(), number(), number());
    let file = random.choose(&FILES).map_or(String::new(), |file| (*file).to_owned());
    ResultPlace { file, line, column, end_line, end_column }
}

fn result(random: &mut Random, number: usize) -> ToolResult {
    let related = |random: &mut Random| RelatedPlace { place: place(random), message: text(random) };
    ToolResult {
        rule: format!("rule {}", number % 5),
        level: *random.choose(&Level::ALL).unwrap_or(&Level::Note),
        message: text(random),
        place: random.percent(90).then(|| place(random)),
        related: (0..random.below(3)).map(|_| related(random)).collect(),
        fingerprints: if random.coin() {
            BTreeMap::from([("own/v1".to_owned(), text(random))])
        } else {
            BTreeMap::new()
        },
        suppressed: random.percent(10),
    }
}

fn report(random: &mut Random) -> ProjectReport {
    let optional = |random: &mut Random| random.coin().then(|| text(random));
    let rule = |number: usize, random: &mut Random| Rule {
        id: format!("rule {number}"),
        name: optional(random),
        description: optional(random),
        help: optional(random),
    };
    let failure = |random: &mut Random| FileFailure {
        file: random.coin().then(|| place(random).file),
        message: text(random),
    };
    ProjectReport {
        is_partial: false,
        rules: (0..random.below(4)).map(|number| rule(number, random)).collect(),
        results: (0..random.below(40)).map(|number| result(random, number)).collect(),
        failures: (0..random.below(3)).map(|_| failure(random)).collect(),
    }
}

fn run(random: &mut Random) -> SarifRun {
    SarifRun {
        tool: text(random),
        version: text(random),
        information: random.coin().then(|| text(random)),
        root: random.coin().then(|| "/home/a b/#x/".to_owned()),
        unfinished: (0..random.below(2)).map(|_| FileFailure { file: None, message: text(random) }).collect(),
        ..SarifRun::default()
    }
}

/// Fetches the validator, which is no part of this repository.
fn fetched(folder: &Path) -> PathBuf {
    let install = ["install", "--silent", "--no-save", "@microsoft/sarif-multitool-linux"];
    let status = Command::new("npm").args(install).current_dir(folder).status().expect("npm runs");
    assert!(status.success(), "npm cannot install the validator");
    folder.join("node_modules/@microsoft/sarif-multitool-linux")
}

/// The names of the logs in this folder in which the validator finds errors, with its messages.
fn refused(package: &Path, folder: &Path) -> BTreeMap<String, Vec<String>> {
    let found = folder.join("found.json");
    // The package's script hands its arguments to a shell.
    let output = Command::new("node")
        .arg(package.join("bin.js"))
        .args(["validate", "*.sarif", "--rule-kind", "'Sarif;Ghas'", "--output"])
        .arg(&found)
        .current_dir(folder)
        .env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1")
        .output()
        .expect("the validator runs");
    let text = fs::read_to_string(&found).unwrap_or_else(|_| panic!("{output:?}"));
    let found: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap();
    let results = found["runs"][0]["results"].as_array().expect("the validator gives results");
    let mut refused: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for result in results.iter().filter(|result| result["level"] == "error") {
        let address = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        let name = address.as_str().and_then(|address| address.rsplit('/').next()).unwrap_or("");
        refused.entry(name.to_owned()).or_default().push(result.to_string());
    }
    refused
}

#[test]
fn logs_are_valid() {
    if !is_required(VALIDATOR) {
        return skip_without(VALIDATOR, "the validator of SARIF is fetched only if it is required");
    }
    let folder = tempfile::tempdir().unwrap();
    let package = fetched(folder.path());
    let mut last = String::new();
    for case in 0..40 {
        let mut random = Random::for_case(207, case);
        let (run, report) = (run(&mut random), report(&mut random));
        let log = sarif_log(&run, &report, &|_, line| (line < 3).then(|| "int x;".to_owned())).unwrap();
        fs::write(folder.path().join(format!("{case}.sarif")), &log.text).unwrap();
        last = log.text;
    }
    // The validator must have read the logs: it refuses this one.
    let broken = last.replace("\"columnKind\": \"unicodeCodePoints\"", "\"columnKind\": \"unheard-of\"");
    assert_ne!(broken, last);
    fs::write(folder.path().join("broken.sarif"), broken).unwrap();
    let refused = refused(&package, folder.path());
    assert_eq!(refused.keys().collect::<Vec<_>>(), ["broken.sarif"], "{refused:#?}");
}
