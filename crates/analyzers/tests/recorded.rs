//! Every recorded output yields the verdict in its row of `expected.toml`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use analyzers::{Catalogue, Description, read};
use model::{Claim, Ending, LimitKind, SmtCheck, SmtStatus, Verdict};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Folder {
    analyzer: String,
    case: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Row {
    name: String,
    command: String,
    input: Option<String>,
    checks: u32,
    ending: String,
    verdict: String,
    #[serde(default)]
    expected_refusal: bool,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded")
}

fn folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = fs::read_dir(root())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("expected.toml").exists())
        .collect();
    folders.sort();
    folders
}

fn ending(text: &str) -> Ending {
    match text.split_once(' ') {
        Some(("exit", code)) => Ending::Exited(code.parse().unwrap()),
        Some(("signal", number)) => Ending::Signaled(number.parse().unwrap()),
        _ if text == "alive" => Ending::StillAlive,
        _ => panic!("no ending: {text}"),
    }
}

fn status_word(check: &SmtCheck) -> String {
    let word = match check.status {
        SmtStatus::Sat => "sat",
        SmtStatus::Unsat => "unsat",
        SmtStatus::Unknown => "unknown",
    };
    format!("{word}{}", if check.model.is_some() { "+model" } else { "" })
}

fn verdict_text(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Claim(Claim::Smt(checks)) => {
            format!("claim {}", checks.iter().map(status_word).collect::<Vec<_>>().join(" "))
        }
        Verdict::Claim(Claim::Checks(_) | Claim::Warnings(_) | Claim::Rows(_) | Claim::Report(_)) => {
            "another claim".to_owned()
        }
        Verdict::Unknown => "unknown".to_owned(),
        Verdict::Limit(LimitKind::Time) => "limit time".to_owned(),
        Verdict::Limit(LimitKind::Memory) => "limit memory".to_owned(),
        Verdict::Limit(LimitKind::Output) => "limit output".to_owned(),
        Verdict::Limit(LimitKind::Resource) => "limit resource".to_owned(),
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

fn check(description: &Description, folder: &Path, row: &Row) {
    let place = format!("{} {} ({})", folder.display(), row.name, row.command);
    let stdout = fs::read(folder.join(format!("{}.txt", row.name))).unwrap();
    let stderr = fs::read(folder.join(format!("{}.stderr.txt", row.name))).unwrap_or_default();
    let role = description.smt.as_ref().unwrap();
    let verdict = read(role, &stdout, &stderr, ending(&row.ending), row.checks);
    let found = verdict_text(&verdict);
    assert!(fits(&found, &row.verdict), "{place}: expected `{}`, read `{found}`", row.verdict);
    if let Verdict::Rejected(message) = &verdict {
        let patterns = &role.output.expected_refusals;
        let expected = patterns.iter().any(|pattern| pattern.is_match(message.as_bytes()));
        assert_eq!(expected, row.expected_refusal, "{place}: is the refusal `{message}` expected?");
    }
    if let Some(input) = &row.input {
        assert!(root().join("inputs").join(format!("{input}.smt2")).exists(), "{place}: no input {input}");
    }
}

#[test]
fn recorded_outputs_are_read_as_expected() {
    let catalogue = Catalogue::shipped().unwrap();
    for folder in folders() {
        let text = fs::read_to_string(folder.join("expected.toml")).unwrap();
        let expected: Folder = toml::from_str(&text).unwrap();
        let description = catalogue.find(&expected.analyzer).unwrap();
        expected.case.iter().for_each(|row| check(description, &folder, row));
        let rows = expected.case.iter().map(|row| row.name.clone());
        assert_eq!(rows.collect::<BTreeSet<_>>(), recorded_names(&folder), "{}", folder.display());
    }
}

#[test]
fn every_solver_has_recorded_outputs() {
    let analyzer = |folder: &PathBuf| {
        let text = fs::read_to_string(folder.join("expected.toml")).unwrap();
        toml::from_str::<Folder>(&text).unwrap().analyzer
    };
    let recorded: BTreeSet<String> = folders().iter().map(analyzer).collect();
    let catalogue = Catalogue::shipped().unwrap();
    for description in catalogue.descriptions().iter().filter(|description| description.smt.is_some()) {
        assert!(recorded.contains(&description.name), "no recorded output of {}", description.name);
    }
}

/// Returns the names of the recorded files of a folder.
fn recorded_names(folder: &Path) -> BTreeSet<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names
        .filter_map(|name| name.strip_suffix(".txt").map(str::to_owned))
        .filter(|name| !name.ends_with(".stderr"))
        .collect()
}
