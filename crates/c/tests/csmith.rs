//! Programs of Csmith are parsed, and gcc agrees on the types of their expressions.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use c::patch::apply;
use c::{DataModel, parse};
use support::{accepts, csmith, with_claims};
use test_support::has;

/// Options that enable every feature.
const OPTIONS: [&str; 6] =
    ["--bitfields", "--packed-struct", "--volatiles", "--unions", "--inline-function", "--float"];

#[test]
fn programs_are_parsed_and_gcc_agrees_on_types() {
    if !has("gcc") || !has("csmith") {
        return;
    }
    let (mut programs, mut claims) = (0, 0);
    for seed in 1..=30 {
        let Some(text) = csmith(seed, &OPTIONS) else {
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
