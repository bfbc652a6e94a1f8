//! Changes between two runs of a campaign: the text of a seed, or the program of an analyzer.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use stage::{Stage, TINY, always, fake_description};

const HONEST: &[&str] = &["satisfiable", "--analyzer", "liar-smt:lie=none"];

/// What `judge` prints about cases whose answers are not all recorded.
const INCOMPLETE: &str = "could not be replayed completely";

/// Seeds of the same length.
fn seed(number: u32) -> String {
    format!("(declare-fun x () Int)\n(assert (> x {number}))\n(check-sat)\n")
}

/// A campaign stores the text of a seed when a case first reads it, and uses that text from then on.
#[test]
fn a_seed_that_changes_later_makes_no_difference() {
    let stage = Stage::new();
    stage.write("seeds/a.smt2", seed(1));
    stage.write("seeds/b.smt2", seed(2));
    let run = stage.hunt("out", &[HONEST, TINY, &["--cases", "2", "--seeds", "seeds"]]);
    assert_eq!(run.code, Some(0), "{run}");
    stage.write("seeds/b.smt2", seed(3));
    let resumed = stage.exits(0, &["resume", "out", "--cases", "4"]);
    assert!(!resumed.stdout.contains("Skipped"), "{resumed}");
    let judged = stage.exits(0, &["judge", "out"]);
    assert!(judged.stdout.contains("Replayed 4 cases"), "{judged}");
    assert!(!judged.stdout.contains(INCOMPLETE), "{judged}");
}

/// Resuming and judging do not depend on the working directory.
#[test]
fn seeds_are_found_from_any_directory() {
    let stage = Stage::new();
    stage.write("seeds/a.smt2", seed(1));
    let run = stage.hunt("out", &[HONEST, TINY, &["--cases", "1", "--seeds", "./seeds"]]);
    assert_eq!(run.code, Some(0), "{run}");
    std::fs::create_dir(stage.path("elsewhere")).unwrap();
    let out = stage.at("out");
    for words in [&["resume", out.as_str(), "--cases", "2"][..], &["judge", out.as_str()]] {
        let output = stage.command(words).current_dir(stage.path("elsewhere")).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
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

/// Answers belong to the program that gave them, not to another program of the same version.
#[test]
fn answers_of_another_build_are_not_reused() {
    let stage = Stage::new();
    stage.fake(&always("unknown"));
    let analyzer = format!("z3={}", stage.at("bin/fake-solver"));
    let words = ["satisfiable", "--analyzer", analyzer.as_str(), "--cases", "1"];
    let run = stage.hunt("out", &[&words, TINY]);
    assert_eq!(run.code, Some(3), "{run}");
    let judge = ["judge", "out", "--analyzer", analyzer.as_str()];
    let judged = stage.exits(0, &judge);
    assert!(!judged.stdout.contains(INCOMPLETE), "{judged}");
    // The same version, the same path, another program.
    stage.fake(&always("sat"));
    let judged = stage.exits(0, &judge);
    assert!(judged.stdout.contains(&format!("1 case {INCOMPLETE}")), "{judged}");
    stage.fake(&always("unknown"));
    let judged = stage.exits(0, &judge);
    assert!(!judged.stdout.contains(INCOMPLETE), "{judged}");
}

/// The answers belong to the program; the current description decides what they mean.
#[test]
fn another_reader_reads_the_recorded_outputs_again() {
    let stage = Stage::new();
    stage.fake(&always("hm"));
    let words = ["satisfiable", "--analyzer", "./fake.toml", "--cases", "1"];
    stage.hunt("out", &[&words, TINY]);
    let judge = ["judge", "out", "--analyzer", "./fake.toml"];
    let judged = stage.exits(0, &judge);
    assert!(!judged.stdout.contains(INCOMPLETE) && !judged.stdout.contains("read again"), "{judged}");
    let again = stage.exits(0, &[&judge[..], &["--reread"]].concat());
    assert!(again.stdout.contains("read again, 0 verdicts changed; 0 verdicts unchanged"), "{again}");
    assert!(!again.stdout.contains("\n0 answers read again"), "{again}");
    let rules = fake_description().replacen("rejections = [", "rejections = [\n  '^hm',", 1);
    stage.write("fake.toml", rules);
    let judged = stage.exits(0, &judge);
    assert!(!judged.stdout.contains(INCOMPLETE), "nothing is missing, because no key has changed\n{judged}");
    assert!(judged.stdout.contains("read again, ") && !judged.stdout.contains(", 0 verdicts"), "{judged}");
}

#[test]
fn numbers_agree_with_their_nouns() {
    let stage = Stage::new();
    let run = stage.hunt("out", &[HONEST, TINY, &["--cases", "1"]]);
    assert!(run.stdout.contains("\n1 case and "), "{run}");
}
