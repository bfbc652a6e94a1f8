//! `juvenal tune`: the configuration that verifies most is found, a lying one is refused and reported, recorded answers are not
//! asked for again, and bad input gets a message.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself, compilers and what they make")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use serde_json::Value;
use stage::{Run, Stage, have_solver};
use std::fs;

/// Each check is true of every value, or of all values but 7. The number of `+` is how hard the checks are.
const EASY: &str = "unsigned char __VERIFIER_nondet_uchar(void);
void assert(int);
int main(void) {
    int x = __VERIFIER_nondet_uchar();
    assert(x == x);
    assert(x + 1 == x + 1);
    assert(x != 7);
    return 0;
}
";
const HARD: &str = "unsigned char __VERIFIER_nondet_uchar(void);
void assert(int);
int main(void) {
    int x = __VERIFIER_nondet_uchar();
    assert(x + 1 + 2 == x + 1 + 2);
    assert(x + 1 + 2 + 3 == x + 1 + 2 + 3);
    assert(x + 1 != 8);
    return 0;
}
";

/// A verifier that knows that things are equal to themselves. It verifies a check with at most twice `level` signs `+`, all of
/// them if it trusts, and crashes if it must be fast at a high level. Every call leaves a line in the file CALLS.
const VERIFIER: &str = r#"#!/bin/sh
case "$1" in --version) echo "level 1.0"; exit 0 ;; esac
echo called >> CALLS
level=0; trust=no; fast=no
for word in "$@"; do
  case "$word" in
    --level=*) level=${word#--level=} ;;
    --trust=*) trust=yes ;;
    --fast) fast=yes ;;
  esac
done
if [ "$fast" = yes ] && [ "$level" -gt 1 ]; then kill -SEGV $$; fi
while read -r word number left; do
  if [ "$word" = CHECK ]; then
    left=${left%;}
    signs=$(printf '%s' "$left" | tr -cd '+' | wc -c)
    status=unknown
    case "$left" in *==*) if [ "$signs" -le $((level * 2)) ]; then status=verified; fi ;; esac
    if [ "$trust" = yes ]; then status=verified; fi
    echo "check $number $status"
  fi
done < program.c
"#;

const DESCRIPTION: &str = r#"
name = "level"
title = "Level"
summary = "Knows that things are equal to themselves."
language = "c"
family = "level"
homepage = "https://example.org"

[install]
by-hand = "a test writes it"

[find]
programs = ["PROGRAM"]

[version]
arguments = ["--version"]
pattern = 'level (?<version>\S+)'

[configuration]
arguments = ["--{key}={value}"]

[reachability]
approximation = "over"
reports-all = true
failing-check = "continues"
check = "CHECK {check} {condition};"
assume = "ASSUME {condition};"
options = [
  { name = "level", arguments = ["--level={value}"], values = ["1", "2"], ordered = true, tune = { default = "0", integers = [0, 4] } },
  { name = "noise", arguments = ["--noise={value}"], values = ["a", "b"], tune = {} },
  { name = "fast", arguments = ["--fast"], values = ["on"], tune = {} },
  { name = "trust", arguments = ["--trust={value}"], values = ["on"], TRUST },
]

[reachability.data-models]
lp64 = []

[[reachability.steps]]
arguments = ["{options}", "{file}"]

[reachability.output]
rows = [
  { pattern = '(?m)^check (?<check>\d+) verified$', status = "verified" },
  { pattern = '(?m)^check (?<check>\d+) unknown$', status = "unknown" },
]
"#;

/// A stage with the verifier and two programs. `trust` says how the option that lies is declared.
fn stage(trust: &str) -> Stage {
    let stage = Stage::with_solvers();
    let program = stage.program("level", &VERIFIER.replace("CALLS", &stage.at("calls")));
    let description = DESCRIPTION.replace("PROGRAM", &program.display().to_string());
    stage.write("level.toml", description.replace("TRUST", trust));
    stage.write("src/easy.c", EASY);
    stage.write("src/hard.c", HARD);
    stage
}

const LYING: &str = "tune = {}";

fn tune(stage: &Stage, out: &str, words: &[&str]) -> Run {
    let usual = ["tune", "--analyzer", "./level.toml", "--seeds", "src", "--cpu", "10m", "--out", out];
    stage.juvenal(&[&usual, words].concat())
}

/// Levels above 3 verify no more, and on a busy machine one of them may take less time.
fn is_best(run: &Run) {
    let is_it = |level: u32| run.stdout.contains(&format!("Best: level@1.0:level={level}\n"));
    assert!(is_it(3) || is_it(4), "{run}");
}

fn result(stage: &Stage, out: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(stage.path(out).join("tune.json")).unwrap()).unwrap()
}

fn calls(stage: &Stage) -> usize {
    fs::read_to_string(stage.path("calls")).unwrap_or_default().lines().count()
}

#[test]
fn the_best_level_is_found_and_a_lying_option_is_refused_and_reported() {
    if !have_solver("gcc") {
        return;
    }
    let stage = stage(LYING);
    let run = tune(&stage, "out", &["--folds", "1"]);
    assert_eq!(run.code, Some(0), "{run}");
    is_best(&run);
    assert!(run.stdout.contains("It leaves 0 of 4 checks open where the default leaves 3"), "{run}");
    assert!(run.stdout.contains("refused, because executions refute them"), "{run}");
    let recipe = fs::read_to_string(stage.path("out/tuned.toml")).unwrap();
    let (_, options) = recipe.split_once("[ingredients.options]\n").unwrap();
    assert!(["\"level\" = \"3\"\n", "\"level\" = \"4\"\n"].contains(&options), "{recipe}");
    for (recipe, _) in result(&stage, "out")["refuted"].as_array().unwrap().iter().map(|it| (&it[0], &it[1]))
    {
        assert_eq!(recipe[0]["options"]["trust"], "on", "{recipe}");
    }
    let findings = stage.exits(0, &["findings", "out", "--json"]);
    let findings: Vec<Value> = serde_json::from_str(&findings.stdout).unwrap();
    assert!(!findings.is_empty());
    for finding in &findings {
        assert_eq!(
            (&finding["kind"], &finding["evidence"]),
            (&"soundness".into(), &"proved".into()),
            "{finding}"
        );
    }
    let used = stage.exits(0, &["analyzer", "check", "./level.toml:@out/tuned.toml"]);
    assert!(used.stdout.contains("level@1.0:level="), "{used}");
}

#[test]
fn a_continued_search_asks_nothing_again_and_finds_the_same() {
    if !have_solver("gcc") {
        return;
    }
    let stage = stage(LYING);
    let run = tune(&stage, "out", &["--jobs", "1"]);
    assert_eq!(run.code, Some(0), "{run}");
    let (first, asked) = (result(&stage, "out"), calls(&stage));
    let again = stage.exits(0, &["resume", "out", "--analyzer", "./level.toml"]);
    assert_eq!(result(&stage, "out"), first, "{again}");
    // Only the version is asked for again.
    assert_eq!(calls(&stage), asked, "{again}");
    let other = tune(&stage, "other", &["--jobs", "2"]);
    let second = result(&stage, "other");
    for field in ["best", "verdict", "recipes"] {
        assert_eq!(first[field], second[field], "{field}: {other}");
    }
}

#[test]
fn what_one_ingredient_verifies_is_assumed_by_the_next_one() {
    if !have_solver("gcc") {
        return;
    }
    let stage = stage("sound = false");
    // One analysis at level 3 is as good as two, so that two ingredients never pay.
    let run = tune(&stage, "out", &["--folds", "1", "--ingredients", "2"]);
    is_best(&run);
}

#[test]
fn every_search_and_objective_works() {
    if !have_solver("gcc") {
        return;
    }
    let stage = stage("sound = false");
    for search in
        ["random", "domain-aware", "annealing", "hill-climbing", "racing", "surrogate", "exhaustive"]
    {
        let run = tune(&stage, search, &["--folds", "1", "--search", search]);
        is_best(&run);
    }
    for objective in ["time", "memory"] {
        let run = tune(&stage, objective, &["--folds", "1", "--objective", objective]);
        assert_eq!(run.code, Some(0), "{run}");
    }
}

#[test]
fn bad_input_gets_a_message() {
    if !have_solver("gcc") {
        return;
    }
    let stage = stage("sound = false");
    let words = |words: &[&'static str]| {
        ["tune", "--analyzer", "./level.toml", "--seeds", "src"]
            .iter()
            .chain(words)
            .copied()
            .collect::<Vec<&str>>()
    };
    stage.refuses(&["tune"], &["name the analyzer"]);
    stage.refuses(&words(&["--vary", "levle"]), &["no option `levle`", "did you mean `level`?"]);
    stage.refuses(&words(&["--vary", "level=9"]), &["no value `9`", "0, 1, 2, 3, 4"]);
    stage.refuses(&words(&["--vary", "level=0"]), &["only one configuration"]);
    stage.refuses(&words(&["--search", "magic"]), &["surrogate, racing"]);
    stage.refuses(&words(&["--subject", "alarms"]), &["no section [warnings]"]);
    stage
        .refuses(&["tune", "--analyzer", "./level.toml:@nothing.toml"], &["cannot use the file after the @"]);
    let spaceless = fs::read_to_string(stage.path("level.toml")).unwrap();
    let lines = spaceless.lines().map(|line| match line.split_once(", tune =") {
        Some((before, _)) => format!("{before} }},"),
        None => line.to_owned(),
    });
    stage.write("spaceless.toml", lines.collect::<Vec<String>>().join("\n"));
    stage.refuses(&["tune", "--analyzer", "./spaceless.toml"], &["declares no space"]);
    assert!(!stage.path("juvenal-out").exists(), "a refused search makes no directory");
}

#[test]
fn programs_that_cannot_be_used_are_named_and_limits_that_are_too_low_are_said() {
    if !have_solver("gcc") {
        return;
    }
    let stage = stage("sound = false");
    stage.write("src/easy.c", "int main(void) { return 1 + ; }\n");
    stage.write("src/hard.c", "int main(void) { return missing; }\n");
    let run = tune(&stage, "out", &[]);
    assert_eq!(run.code, Some(3), "{run}");
    assert!(run.stdout.contains("No program could be used.") && run.stdout.contains("easy.c"), "{run}");
    stage.write("src/easy.c", EASY);
    stage.program("level", &VERIFIER.replace("echo called >> CALLS", "sleep 9"));
    let run = tune(&stage, "slow", &["--limit", "200ms", "--folds", "1"]);
    assert!(run.stdout.contains("raise --limit"), "{run}");
}
