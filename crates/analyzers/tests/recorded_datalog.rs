//! Every recorded output of a Datalog engine yields the verdict in its row of `expected.toml`, and none if it is truncated.
//!
//! `JUVENAL_RENDER=DIR cargo test -p analyzers --test recorded_datalog` writes the inputs in every language to a
//! directory, to record the outputs again.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use analyzers::{Catalogue, DatalogRole};
use datalog::{Dialect, Program};
use model::{Claim, Ending, LimitKind, OutputRows, Run, Verdict};
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Folder {
    analyzer: String,
    case: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    #[serde(rename = "command")]
    _command: String,
    input: String,
    #[serde(default)]
    options: Vec<(String, String)>,
    ending: String,
    verdict: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded/datalog")
}

fn folders() -> Vec<(PathBuf, Folder)> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders.retain(|folder| folder.join("expected.toml").exists());
    let parsed = folders.into_iter().map(|folder| {
        let text = fs::read_to_string(folder.join("expected.toml")).unwrap();
        let expected = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        (folder, expected)
    });
    parsed.collect()
}

fn input(name: &str) -> Program {
    let text = fs::read_to_string(root().join("inputs").join(name)).unwrap();
    datalog::parse(name, &text).unwrap_or_else(|error| panic!("{error}"))
}

fn ending(text: &str) -> Ending {
    match text.split_once(' ') {
        Some(("exit", code)) => Ending::Exited(code.parse().unwrap()),
        Some(("signal", number)) => Ending::Signaled(number.parse().unwrap()),
        Some(("limit", "time")) => Ending::Limit(LimitKind::Time),
        _ => panic!("no ending: {text}"),
    }
}

/// Prints the rows of each output, such as `out(1,4)(2,4)`.
fn rows_text(outputs: &[OutputRows]) -> String {
    let row = |row: &Vec<String>| format!("({})", row.join(","));
    let output = |it: &OutputRows| format!("{}{}", it.relation, it.rows.iter().map(row).collect::<String>());
    outputs.iter().map(output).collect::<Vec<_>>().join(" ")
}

fn verdict_text(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Claim(Claim::Rows(outputs)) => format!("claim {}", rows_text(outputs)),
        Verdict::Claim(_) => "another claim".to_owned(),
        Verdict::Unknown => "unknown".to_owned(),
        Verdict::Limit(kind) => format!("limit {kind:?}").to_lowercase(),
        Verdict::Crash(text) => format!("crash {text}"),
        Verdict::Rejected(text) => format!("rejected {text}"),
        Verdict::Unreadable(text) => format!("unreadable {text}"),
    }
}

/// Compares a verdict with the expected one, which may contain only a part of a message.
fn fits(found: &str, expected: &str) -> bool {
    match expected.split_once(' ') {
        Some((word @ ("rejected" | "unreadable"), part)) => found.starts_with(word) && found.contains(part),
        _ => found == expected,
    }
}

fn read(role: &DatalogRole, row: &Row, stdout: &[u8], stderr: &[u8]) -> Verdict {
    let language = role.language(&row.options, &[]).unwrap();
    let run = Run::new(ending(&row.ending), stdout.to_vec(), stderr.to_vec());
    role.read(language, &input(&row.input), &run)
}

#[test]
fn every_recorded_output_is_read_as_expected() {
    let catalogue = Catalogue::shipped().unwrap();
    let (mut count, mut faults) = (0, Vec::new());
    for (folder, expected) in folders() {
        let role = catalogue.find(&expected.analyzer).unwrap().datalog.as_ref().unwrap();
        for row in &expected.case {
            let file =
                |ending: &str| fs::read(folder.join(format!("{}{ending}", row.name))).unwrap_or_default();
            let (stdout, stderr) = (file(".txt"), file(".stderr.txt"));
            let shown = format!("{}: {}", folder.display(), row.name);
            assert!(
                !(stdout.is_empty() && stderr.is_empty()) || row.ending != "exit 0",
                "{shown} is not there"
            );
            let found = verdict_text(&read(role, row, &stdout, &stderr));
            if !fits(&found, &row.verdict) {
                faults.push(format!("{shown}: `{found}`, expected `{}`", row.verdict));
            }
            if row.verdict.starts_with("claim") {
                is_not_read_if_cut_off(role, row, &stdout, &stderr, &shown);
            }
            count += 1;
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 40, "{count} rows");
}

/// Checks that truncated and empty outputs are no answers.
fn is_not_read_if_cut_off(role: &DatalogRole, row: &Row, stdout: &[u8], stderr: &[u8], shown: &str) {
    for length in [0, stdout.len() / 2] {
        let verdict = read(role, row, &stdout[..length], stderr);
        assert!(!matches!(verdict, Verdict::Claim(_)), "{shown}: cut off at {length} it is {verdict:?}");
    }
}

#[test]
fn inputs_can_be_rendered() {
    let Some(directory) = std::env::var_os("JUVENAL_RENDER").map(PathBuf::from) else { return };
    for entry in fs::read_dir(root().join("inputs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        for dialect in Dialect::ALL {
            let Ok(text) = dialect.render(&input(&name)) else { continue };
            let stem = name.trim_end_matches(".dl");
            fs::write(directory.join(format!("{stem}-{}.{}", dialect.name(), dialect.extension())), text)
                .unwrap();
        }
    }
}
