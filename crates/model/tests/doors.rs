//! Measures the doors for new roles and new languages: the files that name one existing role and one existing language.
//!
//! A file in a list is one that must be touched to add another. Most of what differs between roles and languages is in
//! their tables, so a new entry in a list needs a reason.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use test_support::{code_without_tests, source_files};

/// How code refers to the role `warnings`, which stands for any role.
const ROLE: [&str; 4] = ["Role::Warnings", "RoleInfo::Warnings", "Claim::Warnings", "description.warnings"];

/// The files to touch for a new role, and then those that belong to it alone.
const ROLE_FILES: [&str; 14] = [
    "analyzers/src/c_role.rs",
    // What `tune` can make better for an analyzer follows from its roles.
    "campaign/src/tune/prepare.rs",
    "cli/src/verdict_words.rs",
    "fuzz/src/readers.rs",
    "model/src/analyzer.rs",
    "model/src/answer.rs",
    "model/src/language.rs",
    "model/src/query.rs",
    "analyzers/src/probes/warnings.rs",
    "analyzers/src/roles/warnings.rs",
    "analyzers/src/warning_reading.rs",
    "techniques/src/runtime/walk.rs",
    "techniques/src/assess/alarms.rs",
    "techniques/src/assess/errors.rs",
];

/// How code refers to Datalog, which stands for any language of the tree.
const LANGUAGE: [&str; 8] = [
    "Language::DATALOG",
    ".datalog()",
    "BuiltIn::Datalog",
    "Patch::Datalog",
    "Reader::Datalog",
    "Role::Datalog",
    "RoleInfo::Datalog",
    "datalog::",
];

/// The files that name a language, and then the files and folders that belong to it alone.
const LANGUAGE_FILES: &[&str] = &[
    "analyzers/src/built_in.rs",
    "analyzers/src/c_role.rs",
    "analyzers/src/file_access.rs",
    "analyzers/src/question.rs",
    "analyzers/src/roles.rs",
    // What `tune` can make better for an analyzer follows from its language.
    "campaign/src/tune/prepare.rs",
    "cli/src/shipped.rs",
    "cli/src/tune.rs",
    "engine/src/ask/describe.rs",
    "engine/src/ask/put.rs",
    "engine/src/ask/question.rs",
    "engine/src/seeds/load_seed.rs",
    "findings/src/report_finding.rs",
    "fuzz/src/readers.rs",
    "model/src/analyzer.rs",
    "model/src/input.rs",
    "model/src/language.rs",
    "model/src/query.rs",
    "analyzers/src/built_in/datalog_engine.rs",
    "analyzers/src/built_in/datalog_lie.rs",
    "analyzers/src/datalog_role.rs",
    "analyzers/src/probes/datalog.rs",
    "analyzers/src/roles/datalog.rs",
    "datalog/",
    "engine/src/ask/datalog_run.rs",
    "techniques/src/assess/rows.rs",
    "techniques/src/datalog_walk.rs",
    "techniques/src/datalog_walk/",
    "techniques/src/rewrites.rs",
    "techniques/src/rewrites/",
];

/// The language, the technique and the analyzer of `campaign/tests/toy_language`, which are outside the tree.
const TOY: [&str; 3] = ["propositional logic", "known_answers", "tiny-sat"];

/// The source files outside tests that contain one of these words, relative to `crates`.
fn files_with(words: &[&str]) -> BTreeSet<String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(&crates).unwrap() {
        let sources = entry.unwrap().path().join("src");
        for path in if sources.is_dir() { source_files(&sources) } else { Vec::new() } {
            let code = code_without_tests(&path);
            if words.iter().any(|word| code.contains(word)) {
                found.insert(path.strip_prefix(&crates).unwrap().display().to_string());
            }
        }
    }
    found
}

fn check(words: &[&str], expected: &[&str]) {
    let expected: BTreeSet<String> = expected.iter().map(|file| (*file).to_owned()).collect();
    // A folder stands for its files.
    let listed = |file: String| {
        expected
            .iter()
            .find(|listed| listed.ends_with('/') && file.starts_with(*listed))
            .cloned()
            .unwrap_or(file)
    };
    let found: BTreeSet<String> = files_with(words).into_iter().map(listed).collect();
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

#[test]
fn a_language_from_outside_is_named_nowhere() {
    check(&TOY, &[]);
}
