//! Tidy: the invariants of ARCHITECTURE.md that the compiler cannot enforce.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use test_support::{code_without_tests, repository, source_files};

/// The crates of this workspace that each crate may use. Arrows only point down.
const ARROWS: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("test_support", &[]),
    ("smt", &["model"]),
    ("datalog", &["model"]),
    ("c", &["model"]),
    ("techniques", &["model", "smt", "c", "datalog"]),
    ("tuning", &["model"]),
    ("splitting", &["model"]),
    ("tools", &["model", "splitting"]),
    ("analyzers", &["model", "smt", "c", "datalog"]),
    ("process", &["model"]),
    ("store", &["model"]),
    ("engine", &["model", "c", "datalog", "splitting", "tools", "analyzers", "process", "store"]),
    ("comparison", &["model", "tuning", "splitting"]),
    ("schedule", &["model", "techniques", "engine", "store"]),
    ("findings", &["model", "techniques", "engine", "store"]),
    (
        "campaign",
        &["model", "techniques", "tuning", "splitting", "tools", "schedule", "engine", "store", "findings"],
    ),
    (
        "fuzz",
        &[
            "model",
            "smt",
            "c",
            "datalog",
            "techniques",
            "splitting",
            "tools",
            "analyzers",
            "engine",
            "store",
            "schedule",
            "campaign",
            "test_support",
        ],
    ),
    (
        "cli",
        &[
            "model",
            "techniques",
            "tuning",
            "splitting",
            "tools",
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
        crates: Crates::AllBut(&["store", "engine", "cli", "process", "test_support", "fuzz"]),
        words: &["std::fs", "File::open", "File::create"],
        reason: "only store, engine and cli touch the file system, and process for /proc and control groups",
    },
    Rule {
        crates: Crates::Only(&[
            "model",
            "smt",
            "c",
            "datalog",
            "techniques",
            "tuning",
            "splitting",
            "tools",
            "comparison",
        ]),
        words: &["std::net", "std::thread", "std::env::var", "std::io::std", "println!", "eprintln!"],
        reason: "techniques, languages and tables are pure",
    },
    Rule {
        crates: Crates::Only(&[
            "model",
            "smt",
            "c",
            "datalog",
            "techniques",
            "tuning",
            "splitting",
            "tools",
            "comparison",
            "analyzers",
        ]),
        words: &["static mut", "Mutex<", "RwLock<", "thread_local!"],
        reason: "techniques, languages, tables and analyzers are stateless",
    },
    Rule {
        // The exception is in `model`: the languages that a process adds when it starts.
        crates: Crates::Only(&[
            "smt",
            "c",
            "datalog",
            "techniques",
            "tuning",
            "splitting",
            "tools",
            "comparison",
            "analyzers",
        ]),
        words: &["OnceLock<"],
        reason: "techniques, languages, tables and analyzers are stateless",
    },
    Rule {
        // Dialects of Datalog print, but only in the programs that they write; `fuzz` is a program of its own.
        crates: Crates::AllBut(&["datalog", "fuzz", "test_support"]),
        words: &["print!(", "println!(", "dbg!("],
        reason: "everything is printed by `screen` of cli, which shows hidden characters; see also clippy.toml",
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

/// Every file that makes commands, with how often each trust is given. Whoever adds one says here whose work it runs.
const CALLERS_OF_THE_DOOR: &[(&str, usize, usize)] = &[
    // Path, `Trust::Installed`, `Trust::UnderTest`.
    ("crates/cli/src/reduce/cvise.rs", 0, 1), // C-Vise, on a program under test
    ("crates/cli/src/reduce/strict.rs", 0, 1), // the compiler, on a candidate
    ("crates/cli/src/unit.rs", 1, 0),         // juvenal itself
    ("crates/engine/src/ask/analysis.rs", 1, 1), // analyzers of C; compilers, and the programs that they make
    ("crates/engine/src/ask/datalog_run.rs", 0, 1), // Datalog engines, many of which compile
    ("crates/engine/src/ask/put.rs", 2, 0),   // solvers; juvenal itself, as a liar
    ("crates/engine/src/ask/tool_run.rs", 2, 0), // tools with a BenchExec module; an environment
    ("crates/engine/src/ask/tool_worker.rs", 1, 0), // BenchExec modules
    ("crates/engine/src/find/install.rs", 1, 0), // pip
    ("crates/engine/src/find/install_crate.rs", 1, 0), // cargo
    ("crates/engine/src/find/locate.rs", 2, 1), // where interpreters are; versions
    ("crates/engine/src/find/program_files.rs", 1, 0), // which files analyzers consist of
    ("crates/engine/src/find/program_hash.rs", 1, 0), // an environment
    ("crates/engine/src/project/find_tool.rs", 1, 0), // versions of tools
    ("crates/engine/src/project/run_tool.rs", 1, 1), // tools on a project; their configuration is a program of the project
    ("crates/engine/src/seeds/csmith.rs", 0, 1),     // Csmith
    ("crates/engine/src/seeds/prepare_c.rs", 0, 1),  // the compiler, on a seed
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

#[test]
fn arrows_between_crates_point_down() {
    let names: Vec<&str> = ARROWS.iter().map(|(name, _)| *name).collect();
    for (name, allowed) in ARROWS {
        let manifest = fs::read_to_string(repository().join("crates").join(name).join("Cargo.toml")).unwrap();
        let dependencies = manifest.split("\n[dependencies]").nth(1).unwrap_or("");
        let dependencies = dependencies.split("\n[").next().unwrap_or("");
        for line in dependencies.lines() {
            let dependency = line.split(['.', ' ', '=']).next().unwrap_or("");
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
            let code = code_without_tests(&path);
            for rule in RULES.iter().filter(|rule| rule.crates.include(name)) {
                for word in rule.words {
                    assert!(!code.contains(word), "{} holds `{word}`: {}", path.display(), rule.reason);
                }
            }
        }
    }
}

/// What a user or a generator wrote runs confined: commands are made in one place, and each caller is known.
#[test]
fn every_command_goes_through_the_door() {
    let door = "crates/engine/src/door.rs";
    let mut found = Vec::new();
    for path in source_files(&repository().join("crates")).iter().filter(|path| is_source(path)) {
        let name = path.strip_prefix(repository()).unwrap().to_string_lossy().into_owned();
        if name == door || name.starts_with("crates/process/") {
            continue;
        }
        let code = code_without_tests(path);
        for word in ["process::Command::new", "Confinement::", "use process::Command", ".readable ="] {
            assert!(!code.contains(word), "{name} holds `{word}`: commands are made in {door}");
        }
        let count = |word: &str| code.matches(word).count();
        let (installed, under_test) = (count("Trust::Installed"), count("Trust::UnderTest"));
        if installed + under_test > 0 {
            found.push((name, installed, under_test));
        }
    }
    found.sort();
    let listed: Vec<(String, usize, usize)> = CALLERS_OF_THE_DOOR
        .iter()
        .map(|(name, installed, under_test)| ((*name).to_owned(), *installed, *under_test))
        .collect();
    assert_eq!(found, listed, "say in CALLERS_OF_THE_DOOR whose work a new command runs");
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
