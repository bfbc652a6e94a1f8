//! `debug_check` and `runtime` with analyzers from description files, and external reducers.
//!
//! The conformance kit checks that planted lies are caught and honest analyzers are not accused; these tests check the
//! evidence, the witnesses and the finding directories.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself, compilers and what they make")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use stage::{Run, SMALL, Stage, have_solver, tool};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use test_support::is_usable;

/// The exit code of `reproduce.c`.
const SHOWN: i32 = 107;

/// An engine with the same answer for every condition: `verified` is always correct.
fn engine(status: &str) -> String {
    HEAD.to_owned()
        + &format!(
            r#"
[debug]
approximation = "neither"
reports-all = true
failing-check = "continues"
check = "evaluate({{condition}});"
check-guarded = "if ({{guard}}) evaluate({{condition}});"
check-within = "evaluate({{condition}}),"
assume = "if (!({{condition}})) return 0;"

[debug.data-models]
lp64 = []

[[debug.steps]]
arguments = ["-n", "evaluate(\\|main(", "{{file}}"]

[debug.output]
rows = [{{ pattern = '(?m)^(?<line>\d+):.*(?<values>evaluate)\(', status = "{status}" }}]
agreement = true
silent = "unknown"
complete = 'main'
"#
        )
}

const HEAD: &str = r#"
name = "planted"
title = "Planted"
summary = "An analyzer of the tests."
language = "c"
family = "planted"
homepage = "https://example.org"

[install]
by-hand = "nowhere"

[find]
programs = ["grep"]

[version]
arguments = ["--version"]
pattern = 'grep[^\n]*?(?<version>\d+\.\d+)'

[configuration]
arguments = []
"#;

/// A bug finder that warns of a kind of error on every line that contains a text.
fn reader(kind: &str, text: &str) -> String {
    HEAD.to_owned()
        + &format!(
            r#"
[warnings]
checkers = [{{ pattern = '.', kind = "{kind}" }}]

[warnings.data-models]
lp64 = []

[[warnings.steps]]
arguments = ["-n", "", "{{file}}"]

[warnings.output]
format = "rows"
complete = 'main'
rows = [{{ pattern = '(?m)^(?<line>\d+): *(?<message>(?<checker>{text})[^\n]*)$' }}]
"#
        )
}

fn hunt(stage: &Stage, technique: &str, description: &str, words: &[&str]) -> Run {
    stage.write("planted.toml", description);
    let usual = [technique, "--analyzer", "./planted.toml", "--witness", "execute-c", "--jobs", "2"];
    // The test must not depend on whether Csmith is installed.
    let without_csmith = format!("{technique}.csmith=0");
    stage.hunt("out", &[&usual, words, &["--set", &without_csmith]])
}

/// Returns the kinds and the evidence of all findings.
fn verdicts(stage: &Stage) -> BTreeSet<String> {
    let said = |finding: &serde_json::Value| {
        format!("{} {}", finding["evidence"].as_str().unwrap(), finding["kind"].as_str().unwrap())
    };
    stage.findings("out").iter().map(said).collect()
}

#[test]
fn an_engine_that_denies_everything_is_proved_wrong() {
    if !have_solver("gcc") {
        return;
    }
    let stage = Stage::with_solvers();
    let few =
        ["--set", "debug_check.size=6", "--set", "debug_check.checks=8", "--set", "debug_check.rounds=1"];
    let words = ["--cases", "2", "--candidates", "6"];
    let run = hunt(&stage, "debug_check", &engine("violated"), &[&words[..], &few].concat());
    assert_eq!(run.code, Some(1), "{run}");
    assert!(verdicts(&stage).contains("proved soundness"), "{run}");
    for finding in stage.findings("out") {
        if finding["kind"] == "soundness" {
            reproduces(&stage, finding["path"].as_str().unwrap());
        }
    }
}

#[test]
fn a_bug_finder_that_ignores_the_text_misses_errors_that_only_the_text_shows() {
    if !have_solver("gcc") {
        return;
    }
    let seen = [("uninitialized-read", r"if \(juvenal_value\)"), ("leak", "juvenal_block = 0;")];
    for (kind, text) in seen {
        let stage = Stage::with_solvers();
        let words = ["--cases", "8", "--candidates", "20", "--set", "runtime.size=15"];
        let honest = hunt(&stage, "runtime", &reader(kind, text), &words);
        assert_eq!(honest.code, Some(0), "{honest}");
        let counts = stage.statistics("out")["counts"].clone();
        assert!(counts["errors injected"].as_u64().unwrap() > 10, "{counts}");
        let stage = Stage::with_solvers();
        let blind = hunt(&stage, "runtime", &reader(kind, "no such words"), &words);
        assert_eq!(verdicts(&stage), BTreeSet::from(["proved missed".to_owned()]), "{blind}");
    }
}

#[test]
fn a_false_warning_is_proved_by_the_execution_that_passes_it() {
    if !have_solver("gcc") {
        return;
    }
    let stage = Stage::with_solvers();
    let words = ["--cases", "2", "--candidates", "60", "--set", "runtime.size=15"];
    let run = hunt(
        &stage,
        "runtime",
        &reader("division-by-zero", "printf"),
        &[&words[..], &["--set", "runtime.rounds=0"]].concat(),
    );
    assert_eq!(verdicts(&stage), BTreeSet::from(["proved false-warning".to_owned()]), "{run}");
    for finding in stage.findings("out") {
        reproduces(&stage, finding["path"].as_str().unwrap());
    }
}

/// Finds a program on the search path.
fn search(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join(name)).find(|program| program.is_file())
}

/// An engine that crashes on every program with a function `main`.
fn dying_engine() -> String {
    let dies = "complete = 'main'\ncrashes = [{ pattern = '(?<what>main)' }]";
    engine("verified").replace("complete = 'main'", dies)
}

/// Runs a campaign in `out` whose first finding is an unreduced crash, and returns the program of that finding.
fn crashed() -> (Stage, String) {
    let stage = Stage::with_solvers();
    let words = ["--cases", "1", "--candidates", "0", "--set", "debug_check.size=6"];
    let run = hunt(&stage, "debug_check", &dying_engine(), &words);
    assert_eq!(run.code, Some(1), "{run}");
    let program = program_of_first(&stage);
    (stage, program)
}

/// Returns the reduced program of the first finding in `out`, without checks.
fn program_of_first(stage: &Stage) -> String {
    let findings = stage.findings("out");
    let path = stage.path(findings[0]["path"].as_str().unwrap()).join("finding.json");
    let finding: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    finding["reduced"]["queries"][0]["input"]["c"]["base"].as_str().unwrap().to_owned()
}

const AGAIN: [&str; 2] = ["--analyzer", "./planted.toml"];

#[test]
fn a_candidate_is_judged_by_the_exit_code() {
    let (stage, program) = crashed();
    let before = stage.findings("out");
    for (name, text, code) in [
        ("same.c", program.as_str(), 0),
        ("small.c", "int main(void) { return 0; }", 0),
        ("no-main.c", "int other(void) { return 0; }", 1),
        ("no-program.c", "int main(", 1),
        ("no-value.c", "int main(void) { int x; return x; }", 1),
        ("empty.c", "", 1),
    ] {
        stage.write(name, text);
        let words = ["reduce", "out", "F1", "--candidate", name];
        let run = stage.juvenal(&[&words[..], &AGAIN].concat());
        assert_eq!(run.code, Some(code), "{name}: {run}");
    }
    stage.write("latin.c", b"int main(void) { return '\xe9'; }");
    let latin = stage.juvenal(&[&["reduce", "out", "F1", "--candidate", "latin.c"][..], &AGAIN].concat());
    assert_eq!(latin.code, Some(1), "{latin}");
    assert_eq!(stage.findings("out"), before, "judging a candidate stores nothing");
    stage.refuses(
        &[&["reduce", "out", "F1", "--candidate", "nowhere.c"][..], &AGAIN].concat(),
        &["nowhere.c"],
    );
    stage.refuses(&[&["reduce", "out", "F7", "--candidate", "same.c"][..], &AGAIN].concat(), &["F7"]);
    let both = ["reduce", "out", "F1", "--candidate", "same.c", "--with", "cvise"];
    stage.refuses(&both, &["--candidate", "--with"]);
}

#[test]
fn cvise_shrinks_a_program() {
    if !is_usable("cvise", search("cvise").is_some()) {
        return;
    }
    let (stage, program) = crashed();
    let run =
        stage.exits(0, &[&["reduce", "out", "F1", "--with", "cvise", "--jobs", "2"][..], &AGAIN].concat());
    assert!(run.stdout.contains("C-Vise begins") && run.stdout.contains("C-Vise ends"), "{run}");
    let small = program_of_first(&stage);
    assert!(small.contains("main") && small.len() * 5 < program.len(), "{small}\n{run}");
    assert_eq!(fs::read_dir(stage.path("tmp")).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn programs_of_csmith_are_not_silently_replaced() {
    let stage = Stage::new();
    let words = ["generate", "debug_check", "--count", "1", "--set", "debug_check.csmith=50"];
    let output = stage.command(&words).env("PATH", stage.path("tmp")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("debug_check.csmith=50") && said.contains("libcsmith-dev"), "{said}");
}

#[test]
fn unusable_external_reducers_are_rejected() {
    let (stage, _) = crashed();
    // A search path with nothing but the analyzer.
    std::os::unix::fs::symlink(search("grep").unwrap(), stage.path("bin/grep")).unwrap();
    let words = [&["reduce", "out", "F1", "--with", "cvise"][..], &AGAIN].concat();
    let output = stage.command(&words).env("PATH", stage.path("bin")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("C-Vise is not installed") && said.contains("apt-get install cvise"), "{said}");
    let solvers = Stage::new();
    let run = solvers.hunt("out", &[&["--analyzer", "liar-smt:lie=model", "--cases", "12"], SMALL]);
    assert_eq!(run.code, Some(1), "{run}");
    solvers.write("program.c", "int main(void) { return 0; }");
    for words in [["--with", "cvise"], ["--candidate", "program.c"]] {
        solvers.refuses(&[&["reduce", "out", "F1"][..], &words].concat(), &[words[0], "SMT-LIB script"]);
    }
}

/// Checks that `reproduce.c` of a finding demonstrates the proof.
fn reproduces(stage: &Stage, finding: &str) {
    let source = stage.path(finding).join("reproduce.c").display().to_string();
    let program = stage.at("reproduce");
    let compiled = tool("gcc", &["-w", "-std=gnu17", &source, "-o", &program, "-lm"]);
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    assert_eq!(tool(&program, &[]).status.code(), Some(SHOWN), "{source}");
}
