//! Random programs: Csmith's must be read, and gcc must agree on the types of their expressions.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failing test says so by a panic")]
#![allow(clippy::disallowed_methods, reason = "this test starts csmith and gcc")]

mod support;

use c::patch::apply;
use c::{DataModel, parse};
use std::process::Command;
use support::{accepts, csmith_include, gcc, has, with_claims};

/// The preprocessed program of a seed, from a set of options that turns every feature on.
fn program(seed: usize, include: &str) -> Option<Vec<u8>> {
    let options =
        ["--bitfields", "--packed-struct", "--volatiles", "--unions", "--inline-function", "--float"];
    let output = Command::new("csmith").arg("--seed").arg(seed.to_string()).args(options).output().ok()?;
    gcc(&["-E", "-std=gnu17", include, "-x", "c"], &output.stdout).ok()
}

#[test]
fn programs_are_read_and_gcc_agrees() {
    if !has("gcc") || !has("csmith") {
        return;
    }
    let include = csmith_include();
    let (mut programs, mut claims) = (0, 0);
    for seed in 1..=30 {
        let Some(text) = program(seed, &include) else {
            println!("skipped: seed {seed}, for which csmith or the preprocessor failed");
            continue;
        };
        let program =
            parse("csmith.c", &text, DataModel::Lp64).unwrap_or_else(|error| panic!("{seed}: {error}"));
        assert_eq!(apply(&program.text, &[]).unwrap(), text);
        let (claimed, count) = with_claims(&program, 23);
        if let Err(complaint) = accepts(&claimed, DataModel::Lp64) {
            panic!("seed {seed}: {complaint}");
        }
        programs += 1;
        claims += count;
    }
    println!("{programs} programs, {claims} expressions");
    assert!(programs >= 25, "csmith is here but gave only {programs} programs");
}
