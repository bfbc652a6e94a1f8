//! A hunt whose second run changes nothing but how outputs are read runs no analyzer: the recorded outputs are read again.
#![allow(clippy::unwrap_used, reason = "the helpers of tests fail by panicking, too")]

use campaign::{Budget, Campaign, Progress, Silent, Stop, hunt};
use engine::{Engine, Locator, SeedFiles, Specification};
use model::{Language, Lineup, Settings};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use store::Store;

/// A solver that always prints the same, and notes each run in a file.
const SOLVER: &str = "#!/bin/sh
case $1 in --version) echo version 1.0; exit;; esac
echo run >> RUNS
echo hm
";

const DESCRIPTION: &str = r#"
name = "echo"
title = "Echo"
summary = "A solver for tests."
language = "smt"
family = "echo"
homepage = "https://example.org"
[install]
[find]
programs = ["./solver"]
[version]
arguments = ["--version"]
pattern = 'version (?<version>\S+)'
[configuration]
arguments = ["{key}={value}"]
[smt]
approximation = "exact"
theories = ["core"]
models = true
incremental = true
assuming = false
named = false
[smt.modes.process]
arguments = ["{file}"]
[smt.output]
echo = "plain"
RULES
"#;

/// Hunts as the description in the directory is now.
fn run(directory: &Path, store: &Store) -> Progress {
    let locator = Locator::new(analyzers::Catalogue::shipped().unwrap()).unwrap();
    let file = directory.join("echo.toml").display().to_string();
    let subject = locator.resolve(&Specification::parse(&file).unwrap()).unwrap();
    let short = [("instances", "5"), ("constructed", "20")];
    let knobs = short.map(|(key, value)| (format!("satisfiable.{key}"), value.to_owned()));
    hunt(&Campaign {
        lineup: &Lineup { subjects: vec![subject.member.clone()], witnesses: Vec::new() },
        engine: &Engine::new(vec![subject]).unwrap(),
        store,
        techniques: vec![&techniques::satisfiable::TECHNIQUE],
        seeds: &SeedFiles::shipped(&[(
            Language::SMT,
            &[("a", "(declare-fun p () Bool)(assert p)(check-sat)")],
        )]),
        settings: &Settings(BTreeMap::from(knobs)),
        random_seed: 1,
        jobs: 1,
        reduce_candidates: 0,
        stop: Stop { requested: &AtomicBool::new(false), budget: Budget::starting_now(None, Some(1)) },
        watcher: &Silent,
    })
    .unwrap()
}

#[test]
fn a_hunt_with_another_reader_runs_no_analyzer() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name);
    let describe = |rules| fs::write(path("echo.toml"), DESCRIPTION.replace("RULES", rules)).unwrap();
    describe("");
    fs::write(path("solver"), SOLVER.replace("RUNS", &path("runs").display().to_string())).unwrap();
    fs::set_permissions(path("solver"), fs::Permissions::from_mode(0o755)).unwrap();
    let runs = || fs::read_to_string(path("runs")).unwrap().lines().count();

    let first = Store::create(&path("first"), "made by a test").unwrap();
    let asked = run(home.path(), &first).tally;
    assert!(asked.asked > 0 && asked.verdicts.contains_key("unreadable"), "{asked:?}");
    let before = runs();

    // The cases are not recorded yet, but the answers are.
    let second = Store::create(&path("second"), "made by a test").unwrap();
    let second = Store { answers: first.answers.clone(), ..second };
    describe("rejections = ['^hm']");
    let recalled = run(home.path(), &second).tally;
    assert_eq!((recalled.asked, recalled.reread), (0, recalled.recalled), "{recalled:?}");
    assert!(recalled.changed > 0, "{recalled:?}");
    assert_eq!(runs(), before);
}
