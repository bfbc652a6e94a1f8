//! `juvenal compare` between SMT solvers and `hunt solver_differential`: planted lies are proved by the evaluator, honest
//! solvers are never accused, and recorded answers are not asked for again.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use serde_json::Value;
use stage::{Run, Stage, have_solver};
use std::fs;

/// Every symbol is narrow enough for the liar to decide the script, in which `bvslt` is not `bvult`.
const SIGNED: &str = "(set-logic QF_BV)
(declare-fun a () (_ BitVec 3))
(declare-fun b () (_ BitVec 3))
(declare-fun p () Bool)
(assert (=> p (bvslt a b)))
(assert (or (bvult a #b010) (= (bvadd a b) #b111) (not p)))
(assert (ite p (bvslt b #b001) (bvult b a)))
(check-sat)
";

fn hunt(stage: &Stage, analyzers: &[&str], more: &[&str]) -> Run {
    let mut words = vec!["solver_differential", "--jobs", "1", "--seed", "1"];
    for analyzer in analyzers {
        words.extend(["--analyzer", analyzer]);
    }
    stage.hunt("out", &[&words, more])
}

/// Checks that every finding is proved, of one of these kinds, and against the liar.
fn is_proved(lie: &str, kinds: &[&str]) {
    if !have_solver("z3") {
        return;
    }
    let stage = Stage::with_solvers();
    stage.write("seed.smt2", SIGNED);
    let liar = format!("liar-smt:lie={lie}");
    let run = hunt(&stage, &[&liar, "z3"], &["--seeds", "seed.smt2", "--cases", "1"]);
    assert_eq!(run.code, Some(1), "{run}");
    let findings = stage.findings("out");
    for finding in &findings {
        assert_eq!(finding["analyzer"], "liar-smt", "{run}");
        assert!(kinds.iter().any(|kind| finding["kind"] == *kind), "{run}");
    }
    assert!(findings.iter().any(|finding| finding["evidence"] == "proved"), "{run}");
    let replayed = stage.juvenal(&["replay", "out", findings[0]["id"].as_str().unwrap()]);
    assert_eq!(replayed.code, Some(1), "{replayed}");
}

#[test]
fn a_wrong_signedness_is_proved() {
    is_proved("signed", &["soundness", "invalid-model"]);
}

#[test]
fn an_invalid_model_is_proved_although_all_agree() {
    is_proved("model", &["invalid-model"]);
}

/// Runs some hundred scripts of all theories; every shipped seed is used or skipped with a reason.
#[test]
fn nothing_is_proved_between_honest_solvers() {
    if !have_solver("z3") || !have_solver("cvc5") {
        return;
    }
    let stage = Stage::with_solvers();
    let small = ["--cases", "86", "--set", "solver_differential.scripts=6"];
    let run = hunt(&stage, &["z3", "cvc5"], &small);
    let proved: Vec<Value> =
        stage.findings("out").into_iter().filter(|finding| finding["evidence"] == "proved").collect();
    assert!(proved.is_empty(), "{proved:#?}\n{run}");
    let report = stage.report("out");
    assert_eq!(report["cases"], 86, "{run}");
}

/// The evaluator cannot check models of strings, so nothing is proved.
const STRINGS: &str = "(set-logic QF_SLIA)
(declare-fun s () String)
(declare-fun t () String)
(assert (= (str.++ s t) \"ab\"))
(assert (or (= (str.len s) 1) (= t \"b\")))
(check-sat)
";

#[test]
fn a_disagreement_without_a_checked_model_is_a_suspicion() {
    if !have_solver("z3") || !have_solver("cvc5") {
        return;
    }
    let stage = Stage::with_solvers();
    stage.write("seed.smt2", STRINGS);
    let code = "case \"$line\" in *'str.'*) said=unsat ;; *'(check-sat'*) echo \"${said:-sat}\" ;; esac";
    stage.fake(code);
    let knobs = ["--set", "solver_differential.mode=process", "--set", "solver_differential.scripts=6"];
    let more = [&["--seeds", "seed.smt2", "--cases", "1"], &knobs[..]].concat();
    let run = hunt(&stage, &["./fake.toml=bin/fake-solver", "z3", "cvc5"], &more);
    assert_eq!(run.code, Some(1), "{run}");
    let findings = stage.findings("out");
    for finding in &findings {
        assert_eq!(finding["analyzer"], "fake", "{run}");
        assert_eq!(finding["evidence"], "suspicion", "{run}");
        assert_eq!(finding["title"], "unsat where 2 others say sat", "{run}");
    }
    // Findings with the same logic and operator are examined at most three times.
    assert!(!findings.is_empty() && findings.len() < 6, "{run}");
}

/// Runs a comparison on `seed.smt2` in `out`.
fn compare(stage: &Stage, more: &[&str]) -> Run {
    let words = ["compare", "--analyzer", "liar-smt:lie=signed", "--analyzer", "z3", "--seeds", "seed.smt2"];
    let knobs = ["--set", "solver_differential.scripts=48", "--seed", "1", "--out", "out"];
    stage.juvenal(&[&words[..], &knobs[..], more].concat())
}

#[test]
fn the_report_compares_solvers_in_terms_of_sat_and_unsat() {
    if !have_solver("z3") {
        return;
    }
    let stage = Stage::with_solvers();
    stage.write("seed.smt2", SIGNED);
    let first = compare(&stage, &[]);
    assert_eq!(first.code, Some(0), "{first}");
    for words in ["liar-smt@", "proved by the evaluator", "new queries, 0 answered from the cache"] {
        assert!(first.stdout.contains(words), "`{words}` is missing\n{first}");
    }
    for file in ["checks.csv", "matrices.csv", "compare.json", "compare.html"] {
        let text = fs::read_to_string(stage.path("out").join(file)).unwrap();
        assert!(!text.contains("unsafe") || file.ends_with("html"), "{file}");
    }
    let again = stage.exits(0, &["compare", "out"]);
    assert!(again.stdout.contains("; 0 new queries"), "{again}");

    let one = stage.exits(0, &["compare", "out", "--check", "1"]);
    assert!(one.stdout.contains("(set-logic QF_BV)") && one.stdout.contains("(assert "), "{one}");
    let listed = stage.exits(0, &["compare", "out", "--where", "A=unsat", "--where", "B=sat"]);
    assert!(listed.stdout.contains("[sat B, unsat A; confirmed]"), "{listed}");
    stage.refuses(&["compare", "out", "--where", "A=safe"], &["`safe` is not an answer about a script"]);
    stage.refuses(&["compare", "out", "--check", "0"], &["there is no script 0"]);

    let before = stage.json(&["compare", "out"]);
    let asked = before["analyzers"][1]["cost"]["queries"].as_u64().unwrap();
    assert_eq!(before["checks"].as_array().unwrap().len() as u64, asked);
    let more = stage.exits(0, &["compare", "out", "--analyzer", "liar-smt:lie=none"]);
    assert!(more.stdout.contains(&format!("; {asked} new queries")), "{more}");
    let after = stage.json(&["compare", "out"]);
    assert_eq!(after["language"], "smt");
    assert_eq!(after["analyzers"].as_array().unwrap().len(), 3, "{more}");
    assert_eq!(after["analyzers"][1]["cost"]["queries"].as_u64().unwrap(), asked);
}

#[test]
fn solvers_are_compared_only_with_solvers() {
    if !have_solver("z3") || !have_solver("gcc") {
        return;
    }
    let stage = Stage::with_solvers();
    stage.refuses(&["compare", "--analyzer", "z3", "--analyzer", "exact-c"], &["SMT solver", "exact-c"]);
    stage.refuses(&["compare", "--analyzer", "z3"], &["a comparison needs two analyzers", "z3@"]);
    let knob = ["compare", "--analyzer", "z3", "--analyzer", "liar-smt", "--set"];
    stage.refuses(&[&knob[..], &["differential.batch=2"]].concat(), &["this knob has no effect"]);
    stage
        .refuses(&[&knob[..], &["solver_differential.scripts=0"]].concat(), &["solver_differential.scripts"]);
    stage.refuses(
        &["hunt", "solver_differential", "--analyzer", "z3", "--cases", "1"],
        &["solver_differential needs 2 analyzers"],
    );
}
