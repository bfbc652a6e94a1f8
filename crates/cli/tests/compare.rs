//! `juvenal compare` and `hunt differential`: planted lies are proved, the honest twin is never accused, and recorded
//! answers are not asked for again.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself, compilers and what they make")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use stage::{Run, Stage, have_solver};
use std::fs;

/// Never 10, but many other numbers: an analyzer that reads 48 as 10 verifies a check that can fail.
const MANY: &str = "unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned char byte = __VERIFIER_nondet_uchar();
    int many = byte | 16;
    if (many == 48)
        many = many + 1;
    int more = many + 17;
    return more;
}
";

/// The values after the loop are obvious.
const LOOP: &str = "_Bool __VERIFIER_nondet_bool(void);
int main(void) {
    int count = 0;
    _Bool odd = __VERIFIER_nondet_bool();
    for (int i = 0; i < 3; i++) {
        count = count + 2;
    }
    int sum = count + odd;
    return sum;
}
";

fn hunt(stage: &Stage, liar: &str, program: &str) -> Run {
    stage.write("seed.c", program);
    let words = ["differential", "--analyzer", liar, "--analyzer", "exact-c", "--seeds", "seed.c"];
    let knobs = ["--set", "differential.budget=24", "--seed", "1", "--cases", "1", "--jobs", "1"];
    stage.hunt("out", &[&words, &knobs])
}

/// Checks that every finding is proved, of this kind, and against the liar.
fn is_proved(liar: &str, program: &str, kind: &str) {
    if !have_solver("gcc") {
        return;
    }
    let stage = Stage::with_solvers();
    let run = hunt(&stage, liar, program);
    assert_eq!(run.code, Some(1), "{run}");
    let findings = stage.findings("out");
    assert!(findings.iter().any(|finding| finding["kind"] == kind), "{run}");
    for finding in &findings {
        assert_eq!(finding["analyzer"], "liar-c", "{run}");
        assert_eq!(finding["evidence"], "proved", "{run}");
    }
    let replayed = stage.juvenal(&["replay", "out", findings[0]["id"].as_str().unwrap()]);
    assert_eq!(replayed.code, Some(1), "{replayed}");
}

#[test]
fn misread_constants_are_proved() {
    is_proved("liar-c:lie=scaled", MANY, "soundness");
}

#[test]
fn values_forgotten_after_a_loop_are_proved() {
    is_proved("liar-c:lie=loop", LOOP, "precision");
}

#[test]
fn the_honest_twin_is_not_accused() {
    if !have_solver("gcc") {
        return;
    }
    for program in [MANY, LOOP] {
        let stage = Stage::with_solvers();
        stage.write("seed.c", program);
        // GCC's analyzer often disagrees, but it makes no guarantees.
        let words =
            ["differential", "--analyzer", "liar-c:lie=none", "--analyzer", "gcc", "--seeds", "seed.c"];
        let knobs = ["--set", "differential.budget=16", "--seed", "1", "--cases", "1", "--jobs", "1"];
        let run = stage.hunt("out", &[&words, &knobs]);
        let disagreements = stage.juvenal(&["report", "out"]).stdout;
        assert!(disagreements.contains("batches on which analyzers disagree"), "{disagreements}");
        for finding in stage.findings("out") {
            assert_eq!(
                (&finding["analyzer"], &finding["evidence"]),
                (&"gcc".into(), &"suspicion".into()),
                "{run}"
            );
        }
    }
}

/// Runs a comparison on `seed.c` in `out`.
fn compare(stage: &Stage, more: &[&str]) -> Run {
    let words = ["compare", "--analyzer", "exact-c", "--analyzer", "liar-c:lie=scaled", "--seeds", "seed.c"];
    let knobs = ["--set", "differential.budget=8", "--seed", "1", "--out", "out"];
    stage.juvenal(&[&words[..], &knobs[..], more].concat())
}

#[test]
fn recorded_answers_are_not_asked_for_again() {
    if !have_solver("gcc") {
        return;
    }
    let stage = Stage::with_solvers();
    stage.write("seed.c", MANY);
    let first = compare(&stage, &[]);
    assert_eq!(first.code, Some(0), "{first}");
    for words in
        ["Relative precision", "liar-c@", "proved by execution", "new queries, 0 answered from the cache"]
    {
        assert!(first.stdout.contains(words), "`{words}` is missing\n{first}");
    }
    for file in ["checks.csv", "matrices.csv", "compare.json", "compare.html"] {
        assert!(!fs::read(stage.path("out").join(file)).unwrap().is_empty(), "{file}");
    }
    let again = stage.exits(0, &["compare", "out"]);
    assert!(again.stdout.contains("; 0 new queries"), "{again}");
    let tables = |run: &Run| run.stdout.split("\nCost\n").next().map(str::to_owned);
    assert_eq!(tables(&first), tables(&again));

    let before = stage.json(&["compare", "out"]);
    let asked = before["analyzers"][0]["cost"]["queries"].as_u64().unwrap();
    let more = stage.exits(0, &["compare", "out", "--analyzer", "liar-c:lie=none"]);
    // Only the new analyzer is asked: without further disagreements, no execution is needed.
    assert!(!more.stdout.contains("; 0 new queries"), "{more}");
    let after = stage.json(&["compare", "out"]);
    assert_eq!(after["analyzers"].as_array().unwrap().len(), 3, "{more}");
    assert_eq!(after["analyzers"][0]["cost"]["queries"].as_u64().unwrap(), asked);
}

#[test]
fn checks_can_be_shown() {
    if !have_solver("gcc") {
        return;
    }
    let stage = Stage::with_solvers();
    stage.write("seed.c", MANY);
    compare(&stage, &[]);
    let one = stage.exits(0, &["compare", "out", "--check", "1"]);
    assert!(one.stdout.contains("assert(") && one.stdout.contains("exact-c@"), "{one}");
    let listed = stage.exits(0, &["compare", "out", "--where", "A=unsafe", "--where", "B=safe"]);
    assert!(listed.stdout.contains("[unsafe A, safe B; violated]"), "{listed}");
    stage.refuses(&["compare", "out", "--check", "0"], &["there is no check 0"]);
    stage.refuses(&["compare", "out", "--where", "C=safe"], &["there is no analyzer C", "A to B"]);
    stage.refuses(&["compare", "out", "--where", "A=fine"], &["A=safe"]);
}

#[test]
fn bad_comparisons_are_rejected() {
    if !have_solver("gcc") {
        return;
    }
    let stage = Stage::with_solvers();
    stage.write("seed.c", MANY);
    let one = ["compare", "--analyzer", "exact-c", "--seeds", "seed.c"];
    stage.refuses(&one, &["a comparison needs two analyzers", "exact-c"]);
    let knob = |knob: &'static str| [&one[..], &["--analyzer", "execute-c", "--set", knob]].concat();
    stage.refuses(&knob("differential.budget=candidates *"), &["differential.budget", "candidates *"]);
    stage.refuses(&knob("differential.strategy=clever"), &["uniform", "guided-walk"]);
    stage.refuses(&knob("interrogation.rounds=3"), &["this knob has no effect"]);
    stage.refuses(&["compare", "nowhere"], &["nowhere"]);
    hunt(&stage, "liar-c:lie=none", LOOP);
    stage.refuses(
        &["compare", "out", "--analyzer", "execute-c"],
        &["already been turned into findings", "another directory"],
    );
}
