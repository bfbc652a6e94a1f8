//! The built-in SMT liar: each planted lie is one bug with a small reproducer, and failures that are not answers are counted.
//!
//! That a lie is caught at all is checked by the conformance kit.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use serde_json::Value;
use stage::{SMALL, Stage, TINY, have_solver};
use std::collections::BTreeSet;
use std::fs;

/// The maximum size of a reduced input, in bytes.
const SMALL_INPUT: u64 = 300;

fn bugs(report: &Value) -> usize {
    report["bugs"].as_array().unwrap().len()
}

fn values(report: &Value, field: &str) -> BTreeSet<String> {
    let findings = report["findings"].as_array().unwrap();
    findings.iter().map(|finding| finding[field].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_default_liar_has_exactly_three_bugs() {
    let z3 = have_solver("z3");
    let stage = if z3 { Stage::with_solvers() } else { Stage::new() };
    let witness: &[&str] = if z3 { &["--witness", "z3"] } else { &[] };
    let run = stage.hunt("out", &[&["--analyzer", "liar-smt", "--cases", "86"], witness]);
    assert_eq!(run.code, Some(1), "{run}");
    let report = stage.report("out");
    assert_eq!(bugs(&report), 3, "{run}\n{report:#}");
    assert_eq!(report["cases"], 86);
    assert!(values(&report, "kind").contains("soundness"), "{report:#}");
    if z3 {
        assert!(values(&report, "evidence").contains("proved"), "{report:#}");
    }
}

#[test]
fn three_lies_are_three_bugs_for_other_random_seeds() {
    for seed in ["1", "2", "3"] {
        let stage = Stage::new();
        let run = stage.hunt("out", &[&["--analyzer", "liar-smt", "--cases", "86", "--seed", seed], SMALL]);
        assert_eq!(run.code, Some(1), "seed {seed}: {run}");
        let report = stage.report("out");
        assert_eq!(bugs(&report), 3, "seed {seed}: {:#}", report["bugs"]);
    }
}

/// Checks that a lie, hunted alone, is one bug with small reduced inputs.
fn is_one_bug(lie: &str, kinds: &[&str]) {
    let stage = Stage::new();
    let liar = format!("liar-smt:lie={lie}");
    let run = stage.hunt("out", &[&["--analyzer", &liar, "--cases", "86"], SMALL]);
    assert_eq!(run.code, Some(1), "{lie}: {run}");
    let report = stage.report("out");
    assert_eq!(bugs(&report), 1, "{lie}: {:#}", report["bugs"]);
    for kind in values(&report, "kind") {
        assert!(kinds.contains(&kind.as_str()), "{lie}: found as {kind}");
    }
    for row in stage.findings("out") {
        let reduced = stage.path(row["path"].as_str().unwrap()).join("reduced.smt2");
        let size = fs::metadata(&reduced).unwrap().len();
        let text = fs::read_to_string(&reduced).unwrap();
        assert!(size < SMALL_INPUT, "{lie}: {} has {size} bytes\n{text}", row["id"]);
    }
}

#[test]
fn a_wrong_signedness_is_one_bug() {
    is_one_bug("signed", &["soundness", "invalid-model"]);
}

/// A lie about values may be several bugs, because bugs are grouped by operators.
#[test]
fn an_overflow_in_a_constant_is_caught() {
    let stage = Stage::new();
    let run = stage.hunt("out", &[&["--analyzer", "liar-smt:lie=overflow", "--cases", "86"], SMALL]);
    assert_eq!(run.code, Some(1), "{run}");
    let report = stage.report("out");
    assert!(bugs(&report) >= 1);
    for kind in values(&report, "kind") {
        assert!(["soundness", "invalid-model"].contains(&kind.as_str()), "found as {kind}");
    }
}

#[test]
fn an_assertion_forgotten_after_pop_is_one_bug() {
    is_one_bug("pop", &["soundness", "invalid-model"]);
}

#[test]
fn a_crash_is_one_bug() {
    let stage = Stage::new();
    let run = stage.hunt("out", &[&["--analyzer", "liar-smt:lie=crash", "--cases", "6"], SMALL]);
    assert_eq!(run.code, Some(1), "{run}");
    let report = stage.report("out");
    assert_eq!(bugs(&report), 1, "{:#}", report["bugs"]);
    assert_eq!(values(&report, "kind"), BTreeSet::from(["crash".to_owned()]));
    let modes = &stage.statistics("out")["modes"];
    assert!(modes["process"][0].as_u64().unwrap() > 0, "a liar that dies runs as a process: {modes}");
}

/// Checks that a lie that no technique can catch is counted under a verdict, is not a finding, and does not end the campaign.
fn is_counted(lie: &str, verdict: &str, words: &[&str]) -> (Stage, stage::Run, Value) {
    let stage = Stage::new();
    let liar = format!("liar-smt:lie={lie}");
    let run = stage.hunt("out", &[&["--analyzer", &liar, "--set", "satisfiable.milliseconds=300"], words]);
    let figures = stage.statistics("out");
    assert!(figures["verdicts"][verdict].as_u64().unwrap_or(0) > 0, "{lie}: {run}\n{figures:#}");
    assert!(stage.findings("out").is_empty(), "{lie}: {run}");
    (stage, run, figures)
}

#[test]
fn hangs_and_floods_are_limits_and_the_campaign_continues() {
    for lie in ["hang", "flood"] {
        let words =
            ["--cases", "4", "--set", "satisfiable.instances=8", "--set", "satisfiable.assertions=16"];
        let (_stage, run, figures) = is_counted(lie, "limit", &words);
        assert_eq!(figures["cases"], 4, "{lie}: {run}");
        assert!(figures["verdicts"]["claim"].as_u64().unwrap_or(0) > 0, "{lie}: {figures:#}");
        assert_eq!(run.code, Some(0), "{lie}: {run}");
    }
}

#[test]
fn garbage_and_contradicting_exit_codes_are_unreadable_and_never_a_pass() {
    for lie in ["garbage", "exit-code"] {
        let words = [&["--cases", "6"], TINY].concat();
        let (stage, run, figures) = is_counted(lie, "unreadable", &words);
        assert_eq!(figures["verdicts"]["claim"].as_u64().unwrap_or(0), 0, "{lie}: {figures:#}");
        assert_eq!(run.code, Some(3), "{lie}: nothing was judged\n{run}");
        assert!(run.stdout.contains("nothing was judged"), "{lie}: {run}");
        let resumed = stage.juvenal(&["resume", "out"]);
        assert_eq!(resumed.code, Some(3), "{lie}: a resumed campaign judged nothing either\n{resumed}");
    }
}

#[test]
fn the_honest_twin_is_never_accused() {
    let stage = Stage::new();
    let words = ["--analyzer", "liar-smt:lie=none", "--cases", "172", "--set", "satisfiable.instances=60"];
    let run = stage.hunt("out", &[&words, &["--set", "satisfiable.assertions=12"]]);
    assert_eq!(run.code, Some(0), "{run}");
    let figures = stage.statistics("out");
    assert!(figures["queries"].as_u64().unwrap() > 3000, "{figures:#}");
    assert_eq!(bugs(&stage.report("out")), 0, "{run}");
    assert_eq!(figures["fleeting"], 0, "{figures:#}");
}

#[test]
fn an_unknown_lie_is_rejected() {
    let stage = Stage::new();
    let words = ["hunt", "--out", "out", "--cases", "1", "--analyzer"];
    stage.refuses(&[&words[..], &["liar-smt:lie=tall"]].concat(), &["no lie `tall`", "signed", "not-ite"]);
    stage.refuses(&[&words[..], &["liar-smt:truth=none"]].concat(), &["no key `truth`", "lie="]);
    assert!(!stage.path("out").exists(), "a refused hunt leaves nothing behind");
}
