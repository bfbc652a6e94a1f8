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
    ("schedule", &["model", "techniques", "engine", "store"]),
    ("findings", &["model", "techniques", "engine", "store"]),
    ("campaign", &["model", "techniques", "schedule", "engine", "store", "findings"]),
    (
        "cli",
        &[
            "model",
            "techniques",
            "analyzers",
            "process",
            "store",
            "engine",
            "schedule",
            "campaign",
            "findings",
            "comparison",
        ],
    ),
];

/// The crates that a rule is about.
enum Crates {
    All,
    Only(&'static [&'static str]),
    AllBut(&'static [&'static str]),
}

/// Words that must not occur in the code of these crates, outside their tests.
struct Rule {
    crates: Crates,
    words: &'static [&'static str],
    reason: &'static str,
}

const RULES: &[Rule] = &[
    Rule {
        crates: Crates::AllBut(&["store", "engine", "cli", "process", "test_support"]),
        words: &["std::fs", "File::open", "File::create"],
        reason: "only store, engine and cli touch the file system, and process for /proc and control groups",
    },
    Rule {
        crates: Crates::Only(&["model", "smt", "c", "datalog", "techniques", "comparison"]),
        words: &["std::net", "std::thread", "std::env::var", "std::io::std", "println!", "eprintln!"],
        reason: "techniques, languages and tables are pure",
    },
    Rule {
        crates: Crates::Only(&["model", "smt", "c", "datalog", "techniques", "comparison", "analyzers"]),
        words: &["static mut", "Mutex<", "RwLock<", "thread_local!"],
        reason: "techniques, languages, tables and analyzers are stateless",
    },
    Rule {
        crates: Crates::AllBut(&["process", "test_support"]),
        words: &["unsafe {", "unsafe fn", "unsafe impl"],
        reason: "only process has unsafe code",
    },
    Rule {
        crates: Crates::All,
        words: &["todo!(", "unimplemented!(", "#[ignore", "TO\u{44}O", "FIX\u{4d}E", "StdRng", "thread_rng"],
        reason: "nothing is left for later, and randomness comes from model::Random",
    },
];

impl Crates {
    fn include(&self, name: &str) -> bool {
        match self {
            Crates::All => true,
            Crates::Only(names) => names.contains(&name),
            Crates::AllBut(names) => !names.contains(&name),
        }
    }
}

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

/// Returns the code of a file without what is compiled for tests only.
fn code(path: &Path) -> String {
    without_tests(&fs::read_to_string(path).unwrap())
}

fn without_tests(text: &str) -> String {
    if text.contains("#![cfg(test)]") {
        return String::new();
    }
    let mut parts = text.split("#[cfg(test)]\n");
    let mut code = parts.next().unwrap_or("").to_owned();
    for part in parts {
        // An item ends with its first line, or with the brace that closes it.
        let first_line = part.lines().find(|line| !line.starts_with("#[")).unwrap_or("");
        let end = if first_line.ends_with(';') { ";\n" } else { "\n}\n" };
        code.push_str(part.split_once(end).map_or("", |(_, after)| after));
    }
    code
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
    for (name, _) in ARROWS {
        for path in source_files(&repository().join("crates").join(name).join("src")) {
            let code = code(&path);
            for rule in RULES.iter().filter(|rule| rule.crates.include(name)) {
                for word in rule.words {
                    assert!(!code.contains(word), "{} holds `{word}`: {}", path.display(), rule.reason);
                }
            }
        }
    }
}

#[test]
fn code_is_checked_and_tests_are_not() {
    let text =
        "a\n#[cfg(test)]\nmod fixtures;\nb\n#[cfg(test)]\n#[rustfmt::skip]\nmod tests {\n    c();\n}\nd\n";
    assert_eq!(without_tests(text), "a\nb\nd\n");
    assert_eq!(without_tests("//! Tests.\n#![cfg(test)]\na\n"), "");
}

/// A trait with more methods is several traits, or data.
const MOST_METHODS: usize = 8;

#[test]
fn traits_are_small() {
    for path in source_files(&repository().join("crates")) {
        for (name, methods) in traits_in(&fs::read_to_string(&path).unwrap()) {
            assert!(methods <= MOST_METHODS, "{}: {name} has {methods} methods", path.display());
        }
    }
}

/// The traits of a formatted file, each with the number of its methods.
fn traits_in(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let item = line.trim_start();
        let indentation = &line[..line.len() - item.len()];
        let item = item.strip_prefix("pub(crate) ").or(item.strip_prefix("pub(super) ")).unwrap_or(item);
        let Some(rest) = item.strip_prefix("pub ").unwrap_or(item).strip_prefix("trait ") else { continue };
        let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
        let method = format!("{indentation}    fn ");
        let body = lines.by_ref().take_while(|line| *line != format!("{indentation}}}"));
        found.push((name.to_owned(), body.filter(|line| line.starts_with(&method)).count()));
    }
    found
}

#[test]
fn methods_of_traits_are_counted() {
    let text = "pub trait One: Sync {\n    fn a(&self) {\n        fn inner() {}\n    }\n    /// B.\n    fn b();\n}\n\
                mod inside {\n    trait Two<T> {\n        fn c();\n    }\n}\n";
    assert_eq!(traits_in(text), [("One".to_owned(), 2), ("Two".to_owned(), 1)]);
}

/// A reader of `src` must see by its name that a file is compiled for tests only.
#[test]
fn test_files_among_the_sources_are_named_so() {
    for path in source_files(&repository().join("crates")).iter().filter(|path| is_source(path)) {
        let text = fs::read_to_string(path).unwrap();
        if text.contains("\n#![cfg(test)]") {
            assert!(is_named_as_test(&file_stem(path)), "{} is for tests only", path.display());
        }
        for part in text.split("#[cfg(test)]\n").skip(1) {
            let item = part.lines().find(|line| !line.starts_with("#[")).unwrap_or("");
            let module = item.strip_suffix(';').and_then(|item| item.split_once("mod "));
            if let Some((_, name)) = module {
                assert!(is_named_as_test(name), "{}: the module {name} is for tests only", path.display());
            }
        }
    }
}

fn is_source(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "src")
}

fn is_named_as_test(name: &str) -> bool {
    name == "fixtures" || name.split('_').any(|word| word == "test" || word == "tests")
}

fn file_stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
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
