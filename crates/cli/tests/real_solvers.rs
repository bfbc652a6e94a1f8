//! Real solvers: every installed one is called correctly, understood, judged and not accused.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use stage::{Stage, have_solver};

/// Checks that a short hunt on the shipped seeds judges something and finds nothing.
fn is_not_accused(name: &str, mode: &str) {
    let stage = Stage::with_solvers();
    let mode = format!("satisfiable.mode={mode}");
    let knobs = ["--set", &mode, "--set", "satisfiable.instances=12", "--set", "satisfiable.assertions=12"];
    let run = stage.hunt("out", &[&["--analyzer", name, "--witness", name, "--cases", "6"], &knobs]);
    assert_eq!(run.code, Some(0), "{name}, {mode}: {run}");
    let figures = stage.statistics("out");
    assert!(figures["verdicts"]["claim"].as_u64().unwrap_or(0) > 0, "{name}, {mode}: {figures:#}");
    assert!(stage.findings("out").is_empty(), "{name}, {mode}: {run}");
}

fn is_read_right(name: &str) {
    if !have_solver(name) {
        return;
    }
    let run = Stage::with_solvers().exits(0, &["analyzer", "check", name]);
    assert!(run.stdout.contains("ok") && !run.stdout.contains("MISREAD"), "{run}");
    is_not_accused(name, "mixed");
}

#[test]
fn z3_in_each_mode() {
    is_read_right("z3");
    if have_solver("z3") {
        ["process", "reset", "push"].iter().for_each(|mode| is_not_accused("z3", mode));
    }
}

#[test]
fn cvc5() {
    is_read_right("cvc5");
}

#[test]
fn cvc4() {
    is_read_right("cvc4");
}

#[test]
fn yices() {
    is_read_right("yices");
}

#[test]
fn bitwuzla() {
    is_read_right("bitwuzla");
}

#[test]
fn boolector() {
    is_read_right("boolector");
}
