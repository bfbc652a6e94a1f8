//! Measures the doors for new roles and new languages: the files that name one existing role and one existing language.
//!
//! A file in a list is one that must be touched to add another. Most of what differs between roles and languages is in
//! their tables, so a new entry in a list needs a reason.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// How code refers to the role `warnings`, which stands for any role.
const ROLE: [&str; 3] = ["Role::Warnings", "RoleInfo::Warnings", "Claim::Warnings"];

/// The files to touch for a new role, and then those that belong to it alone.
const ROLE_FILES: [&str; 9] = [
    "analyzers/src/c_role.rs",
    "cli/src/verdict_words.rs",
    "model/src/analyzer.rs",
    "model/src/answer.rs",
    "model/src/query.rs",
    "analyzers/src/probes/warnings.rs",
    "analyzers/src/roles/warnings.rs",
    "analyzers/src/warning_reading.rs",
    "techniques/src/runtime/walk.rs",
];

/// How code refers to Datalog, which stands for any language.
const LANGUAGE: [&str; 2] = ["Language::Datalog", "Input::Datalog"];

/// The files to touch for a new language, and then those that belong to it alone.
const LANGUAGE_FILES: &[&str] = &[
    "analyzers/src/built_in.rs",
    "analyzers/src/question.rs",
    "cli/src/generate.rs",
    "cli/src/shipped.rs",
    "engine/src/ask/describe.rs",
    "engine/src/ask/put.rs",
    "engine/src/seeds/load_seed.rs",
    "model/src/comparison.rs",
    "model/src/input.rs",
    "model/src/language.rs",
    "analyzers/src/probes/datalog.rs",
    "analyzers/src/roles/datalog.rs",
    "techniques/src/datalog_walk.rs",
    "techniques/src/datalog_walk/program.rs",
];

fn source_files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(source_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files
}

/// The source files outside tests that contain one of these words, relative to `crates`.
fn files_with(words: &[&str]) -> BTreeSet<String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(&crates).unwrap() {
        let sources = entry.unwrap().path().join("src");
        for path in if sources.is_dir() { source_files(&sources) } else { Vec::new() } {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            if words.iter().any(|word| code.contains(word)) {
                found.insert(path.strip_prefix(&crates).unwrap().display().to_string());
            }
        }
    }
    found
}

fn check(words: &[&str], expected: &[&str]) {
    let expected: BTreeSet<String> = expected.iter().map(|file| (*file).to_owned()).collect();
    let found = files_with(words);
    let new: Vec<&String> = found.difference(&expected).collect();
    let gone: Vec<&String> = expected.difference(&found).collect();
    assert!(new.is_empty() && gone.is_empty(), "{words:?}: new {new:?}, gone {gone:?}");
}

#[test]
fn a_role_is_named_in_few_files() {
    check(&ROLE, &ROLE_FILES);
}

#[test]
fn a_language_is_named_in_few_files() {
    check(&LANGUAGE, LANGUAGE_FILES);
}
