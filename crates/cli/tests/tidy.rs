//! Tidy: the invariants of ARCHITECTURE.md that the compiler cannot enforce.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use test_support::repository;

/// The crates of this workspace that each crate may use. Arrows only point down.
const ARROWS: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("test_support", &[]),
    ("smt", &["model"]),
    ("datalog", &["model"]),
    ("c", &["model"]),
    ("techniques", &["model", "smt", "c", "datalog"]),
    ("analyzers", &["model", "smt", "c", "datalog"]),
    ("process", &["model"]),
    ("store", &["model"]),
    ("engine", &["model", "c", "datalog", "analyzers", "process", "store"]),
    ("comparison", &["model"]),
    ("findings", &["model", "techniques", "engine", "store"]),
    ("campaign", &["model", "techniques", "engine", "store", "findings"]),
    (
        "cli",
        &[
            "model",
            "techniques",
            "analyzers",
            "process",
            "store",
            "engine",
            "campaign",
            "findings",
            "comparison",
        ],
    ),
];

/// Words that must not occur in the code of a crate outside its tests, with the reason.
const FORBIDDEN: &[(&[&str], &[&str], &str)] = &[
    (
        &["model", "smt", "c", "datalog", "techniques", "analyzers", "findings", "campaign"],
        &["std::fs", "File::open", "File::create"],
        "only store, engine and cli touch the file system",
    ),
    (
        &["model", "smt", "c", "datalog", "techniques"],
        &["std::net", "std::thread", "std::env::var", "std::io::std", "println!", "eprintln!"],
        "techniques and languages are pure",
    ),
    (
        &[
            "model",
            "smt",
            "datalog",
            "techniques",
            "analyzers",
            "process",
            "store",
            "engine",
            "campaign",
            "findings",
            "cli",
        ],
        &["todo!(", "unimplemented!(", "#[ignore", "TO\u{44}O", "FIX\u{4d}E", "StdRng", "thread_rng"],
        "nothing is left for later, and randomness comes from model::Random",
    ),
];

fn source_files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Returns the code of a file without the unit tests at its end.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    // A file of tests has an attribute at its beginning.
    let code = text.split("#![cfg(test)]").next().unwrap_or("");
    code.split("#[cfg(test)]").next().unwrap_or("").to_owned()
}

#[test]
fn arrows_between_crates_point_down() {
    let names: Vec<&str> = ARROWS.iter().map(|(name, _)| *name).collect();
    for (name, allowed) in ARROWS {
        let manifest = fs::read_to_string(repository().join("crates").join(name).join("Cargo.toml")).unwrap();
        let dependencies = manifest.split("\n[dependencies]").nth(1).unwrap_or("");
        let dependencies = dependencies.split("\n[").next().unwrap_or("");
        for line in dependencies.lines() {
            let dependency = line.split([' ', '=']).next().unwrap_or("");
            if names.contains(&dependency) {
                assert!(allowed.contains(&dependency), "{name} must not depend on {dependency}");
            }
        }
    }
    let on_disk = fs::read_dir(repository().join("crates")).unwrap().count();
    assert_eq!(on_disk, ARROWS.len(), "every crate has its arrows in this list");
}

#[test]
fn crates_keep_to_their_place() {
    for (crates, words, reason) in FORBIDDEN {
        for name in *crates {
            for path in source_files(&repository().join("crates").join(name).join("src")) {
                let code = code(&path);
                for word in *words {
                    assert!(!code.contains(word), "{} holds `{word}`: {reason}", path.display());
                }
            }
        }
    }
}

#[test]
fn every_file_has_a_summary() {
    for path in source_files(&repository().join("crates")) {
        let text = fs::read_to_string(&path).unwrap();
        assert!(
            text.starts_with("//!"),
            "{} does not begin with a line that says what it is",
            path.display()
        );
        let trailing = text.lines().position(|line| line.ends_with([' ', '\t']));
        assert_eq!(trailing, None, "{} has white space at the end of a line", path.display());
    }
}

#[test]
fn no_folder_is_a_kitchen_sink() {
    for path in source_files(&repository().join("crates")) {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap();
        assert!(
            !["utils", "util", "common", "helpers", "core", "misc"].contains(&stem),
            "{}",
            path.display()
        );
    }
}

#[test]
fn techniques_are_listed_once_and_documented() {
    let mut seen = BTreeMap::new();
    for technique in techniques::all() {
        assert!(seen.insert(technique.name, ()).is_none(), "{} is listed twice", technique.name);
        let headings: Vec<&str> = technique.manual.lines().filter(|line| line.starts_with("## ")).collect();
        assert_eq!(
            headings,
            [
                "## What it finds",
                "## How it works",
                "## Why its findings are true",
                "## Example",
                "## References"
            ],
            "{}",
            technique.name
        );
        let mut keys = BTreeMap::new();
        for setting in technique.knobs {
            assert!(keys.insert(setting.key, ()).is_none() && !setting.meaning.is_empty());
        }
        let passes: BTreeSet<&str> = technique.passes.iter().map(|pass| pass.name()).collect();
        assert_eq!(passes.len(), technique.passes.len(), "{}: passes are listed once", technique.name);
    }
}
