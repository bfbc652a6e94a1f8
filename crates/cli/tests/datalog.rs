//! Datalog engines: planted lies are few bugs with small reproducers, and honest engines are not accused in many cases.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use stage::{Run, Stage};
use std::fs;

const BOTH: [&str; 2] = ["precedence_graph", "conjunctive_query"];
/// The maximum size of a reduced program, in bytes.
const SMALL_PROGRAM: u64 = 400;

fn hunted(stage: &Stage, analyzer: &str, more: &[&str]) -> Run {
    stage.hunt(
        "out",
        &[&BOTH, &["--analyzer", analyzer, "--witness", "reference-datalog", "--seed", "1"], more],
    )
}

/// Checks that a lie is caught, grouped into few bugs, and reduced to a small program.
fn is_caught(lie: &str, cases: &str) {
    let stage = Stage::new();
    let run = hunted(&stage, &format!("liar-datalog:lie={lie}"), &["--cases", cases]);
    assert_eq!(run.code, Some(1), "{lie}: {run}");
    let bugs = stage.report("out")["bugs"].as_array().unwrap().len();
    assert!((1..=4).contains(&bugs), "{lie}: {bugs} bugs\n{run}");
    let mut smallest = u64::MAX;
    for row in stage.findings("out") {
        assert_eq!(row["kind"], "soundness", "{lie}: {row}");
        let reduced = stage.path(row["path"].as_str().unwrap()).join("reduced.dl");
        smallest = smallest.min(fs::metadata(&reduced).map_or(u64::MAX, |it| it.len()));
    }
    assert!(smallest < SMALL_PROGRAM, "{lie}: {smallest} bytes");
}

#[test]
fn a_wrong_join_on_a_repeated_variable_is_caught() {
    is_caught("repeated-variable", "60");
}

#[test]
fn rows_lost_by_an_index_are_found() {
    is_caught("index", "100");
}

#[test]
fn a_counter_that_is_too_small_is_caught() {
    is_caught("counter", "400");
}

#[test]
fn a_row_lost_by_magic_sets_is_found() {
    is_caught("magic-sets", "150");
}

/// An engine that changes its answer is caught by asking twice.
#[test]
fn an_engine_with_several_answers_is_caught() {
    let stage = Stage::new();
    let run = hunted(&stage, "liar-datalog:lie=unsteady", &["--cases", "20"]);
    assert_eq!(run.code, Some(1), "{run}");
    let titles: Vec<String> = stage.findings("out").iter().map(|row| row["title"].to_string()).collect();
    assert!(titles.iter().any(|title| title.contains("when asked again")), "{titles:?}");
}

/// The reference engine is checked against the relations between programs, the honest twin against the reference engine.
#[test]
fn honest_engines_are_not_accused() {
    for analyzer in ["reference-datalog", "liar-datalog:lie=none"] {
        let stage = Stage::new();
        let run = hunted(&stage, analyzer, &["--cases", "300"]);
        assert_eq!(run.code, Some(0), "{analyzer}: {run}");
        let asked = stage.statistics("out")["answers"].as_u64().unwrap();
        assert!(asked > 2000, "{analyzer}: {asked} answers");
        assert!(run.stdout.contains("programs with an empty output"), "{run}");
    }
}

#[test]
fn the_number_of_workers_does_not_change_the_findings() {
    let stage = Stage::new();
    for (out, jobs) in [("one", "1"), ("three", "3")] {
        let words = ["--analyzer", "liar-datalog", "--witness", "reference-datalog", "--seed", "5"];
        let run = stage.hunt(out, &[&BOTH, &words, &["--cases", "40", "--jobs", jobs]]);
        assert_eq!(run.code, Some(1), "{run}");
    }
    assert!(stage.essence("one") == stage.essence("three"), "the workers found different things");
}

#[test]
fn the_reference_engine_runs_as_a_program() {
    let stage = Stage::new();
    let text = ".decl e(x:number, y:number)\ne(1, 2). e(2, 3).\n.decl p(x:number, y:number)\n.output p\n\
                p(x, y) :- e(x, y).\np(x, z) :- p(x, y), e(y, z).\n";
    stage.write("program.dl", text);
    let printed = stage.exits(0, &["explain", "reference-datalog"]);
    assert!(printed.stdout.contains("semi-naive"), "{printed}");
    stage.write("broken.dl", ".decl e(x:number)\n.output e\ne(x) :- !e(x).\n");
    let run = stage
        .hunt("out", &[&BOTH, &["--analyzer", "reference-datalog", "--seeds", "broken.dl", "--cases", "1"]]);
    assert!(run.to_string().contains("not safe or not stratified"), "{run}");
    let run = stage.hunt(
        "other",
        &[&BOTH, &["--analyzer", "reference-datalog", "--seeds", "program.dl", "--cases", "4"]],
    );
    assert_eq!(run.code, Some(0), "{run}");
}
