//! What changed between two runs of a campaign: the text of a seed, the program of an analyzer.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself")]
#![allow(clippy::unwrap_used, reason = "the helpers of tests fail by panicking, too")]

mod stage;

use stage::{Stage, TINY, always};

const HONEST: &[&str] = &["satisfiable", "--analyzer", "liar-smt:lie=none"];

/// Seeds of the same length.
fn seed(number: u32) -> String {
    format!("(declare-fun x () Int)\n(assert (> x {number}))\n(check-sat)\n")
}

/// A seed is read when its case comes; a campaign does not go on with another text under the same name and size.
#[test]
fn a_seed_with_another_text_is_named() {
    let stage = Stage::new();
    stage.write("seeds/a.smt2", seed(1));
    stage.write("seeds/b.smt2", seed(2));
    let run = stage.hunt("out", &[HONEST, TINY, &["--cases", "2", "--seeds", "seeds"]]);
    assert_eq!(run.code, Some(0), "{run}");
    stage.write("seeds/b.smt2", seed(3));
    stage.exits(0, &["resume", "out", "--cases", "3"]);
    let changed = ["the seed seeds/b.smt2 has changed", "put it back", "juvenal resume"];
    stage.refuses(&["resume", "out", "--cases", "4"], &changed);
    stage.refuses(&["judge", "out"], &changed);
    stage.write("seeds/b.smt2", seed(2));
    stage.exits(0, &["resume", "out", "--cases", "4"]);
    stage.exits(0, &["judge", "out"]);
}

/// A seed that no case has read yet may change.
#[test]
fn a_seed_that_was_not_read_yet_may_change() {
    let stage = Stage::new();
    stage.write("seeds/a.smt2", seed(1));
    stage.write("seeds/b.smt2", seed(2));
    stage.hunt("out", &[HONEST, TINY, &["--cases", "1", "--seeds", "seeds"]]);
    stage.write("seeds/b.smt2", seed(3));
    stage.exits(0, &["resume", "out", "--cases", "4"]);
}

/// Answers belong to the program that gave them: another program under the same version is not credited with them.
#[test]
fn answers_of_another_build_are_not_recalled() {
    let stage = Stage::new();
    stage.fake(&always("unknown"));
    let analyzer = format!("z3={}", stage.at("bin/fake-solver"));
    let words = ["satisfiable", "--analyzer", analyzer.as_str(), "--cases", "1"];
    let run = stage.hunt("out", &[&words, TINY]);
    assert_eq!(run.code, Some(3), "{run}");
    let judge = ["judge", "out", "--analyzer", analyzer.as_str()];
    let judged = stage.exits(0, &judge);
    assert!(!judged.stdout.contains("lack an answer"), "{judged}");
    // The same version, the same path, another program.
    stage.fake(&always("sat"));
    let judged = stage.exits(0, &judge);
    assert!(judged.stdout.contains("1 case could not be walked to the end"), "{judged}");
    stage.fake(&always("unknown"));
    let judged = stage.exits(0, &judge);
    assert!(!judged.stdout.contains("lack an answer"), "{judged}");
}

#[test]
fn numbers_agree_with_their_nouns() {
    let stage = Stage::new();
    let run = stage.hunt("out", &[HONEST, TINY, &["--cases", "1"]]);
    assert!(run.stdout.contains("\n1 case and "), "{run}");
}
