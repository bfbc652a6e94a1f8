//! Real verifiers for C: every installed one is called correctly, and a short hunt understands every answer.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use stage::{Stage, have_solver};

/// Checks that the verifier gives the known answers for tiny programs, in every data model.
fn is_read_right(name: &str, installed_as: &str) {
    if !have_solver(installed_as) {
        return;
    }
    let run = Stage::with_solvers().exits(0, &["analyzer", "check", name]);
    assert!(run.stdout.contains("  ok ") && run.stdout.contains("answered as expected"), "{run}");
    assert!(!run.stdout.contains("FAILED"), "{run}");
}

#[test]
fn frama_c_is_read_correctly() {
    is_read_right("frama-c", "frama-c");
}

#[test]
fn gcc_is_read_correctly() {
    is_read_right("gcc", "gcc");
}

#[test]
fn clang_is_read_correctly() {
    is_read_right("clang", "clang");
}

#[test]
fn bug_finders_are_read_correctly() {
    is_read_right("cppcheck", "cppcheck");
    is_read_right("clang-tidy", "clang-tidy");
}

#[test]
fn executions_are_read_correctly() {
    is_read_right("exact-c", "gcc");
    is_read_right("execute-c", "gcc");
}

#[test]
fn every_answer_of_frama_c_in_a_short_hunt_is_understood() {
    if !have_solver("frama-c") {
        return;
    }
    let stage = Stage::with_solvers();
    let words = ["interrogation", "--analyzer", "frama-c", "--cases", "4", "--seed", "1"];
    let knobs = ["--set", "interrogation.rounds=12", "--witness", "execute-c"];
    let run = stage.hunt("out", &[&words, &knobs]);
    // An abstract interpreter may be suspected of imprecision, but of nothing worse.
    assert!(matches!(run.code, Some(0 | 1)), "{run}");
    let figures = stage.statistics("out");
    assert_eq!(figures["cases"], 4, "{run}");
    assert!(figures["verdicts"]["claim"].as_u64().unwrap_or(0) > 20, "{figures:#}");
    for verdict in ["unreadable", "rejected", "crash"] {
        assert_eq!(figures["verdicts"][verdict].as_u64().unwrap_or(0), 0, "{verdict}: {figures:#}");
    }
    for finding in stage.findings("out") {
        assert_ne!(finding["evidence"], "proved", "{run}");
    }
}
