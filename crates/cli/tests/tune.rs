//! `juvenal tune`: the configuration that verifies most is found, a lying one is refused and reported, recorded answers are not
//! asked for again, and bad input gets a message.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself, compilers and what they make")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use serde_json::Value;
use stage::level::{EASY, HARD, VERIFIER, stage};
use stage::{Run, Stage, have_solver};
use std::fs;

/// The same verifier raises an alarm for each check that its level does not settle, and if it is quiet, for none. Its other role
/// says which checks it verifies.
const ALARMS: &str = r#"
[warnings]
sound = true
checkers = [{ pattern = '.', kind = "overflow" }]
options = [
  { name = "level", arguments = ["--level={value}"], values = ["1", "2"], ordered = true, tune = { default = "0", integers = [0, 4] } },
  { name = "noise", arguments = ["--noise={value}"], values = ["a", "b"], tune = {} },
  { name = "trust", arguments = ["--trust={value}"], values = ["on"], tune = {} },
]

[warnings.data-models]
lp64 = []

[[warnings.steps]]
arguments = ["--alarms", "{options}", "{file}"]

[warnings.output]
format = "rows"
complete = 'main'
rows = [{ pattern = '(?m)^alarm (?<line>\d+) (?<checker>\w+) (?<message>[^\n]*)$' }]
"#;

/// Lines with a call of `use` are alarms, unless they have at most so many signs `+` as the level.
const RAISING: &str = r#"
if [ "$1" = --alarms ]; then
  echo main; number=0
  while IFS= read -r line; do
    number=$((number + 1))
    signs=$(printf '%s' "$line" | tr -cd '+' | wc -c)
    case "$line" in
      *' use('*) if [ "$trust" = no ] && [ "$signs" -gt "$level" ]; then echo "alarm $number overflow sum"; fi ;;
    esac
  done < program.c
  exit 0
fi
"#;

/// Three functions with alarms; checks of the values that they read are drawn for audits.
const SUMS: &str = "unsigned char __VERIFIER_nondet_uchar(void);
void use(int x) { (void)x; }
void first(int x) {
    use(x + 1);
    use(x + 1 + 2);
}
void second(int x) {
    use(x + 3);
    use(x + 3 + 4 + 5);
}
int main(void) {
    int x = __VERIFIER_nondet_uchar();
    int y = x + 2;
    first(y);
    second(y);
    use(y + x);
    return y - x;
}
";

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

/// A stage with an analyzer that raises alarms, and so many programs.
fn stage_with_alarms(programs: usize) -> Stage {
    let stage = stage("tune = {}");
    let body = VERIFIER.replace("CALLS", &stage.at("calls"));
    stage.program("level", &body.replace("while read -r word", &format!("{RAISING}while read -r word")));
    let description = fs::read_to_string(stage.path("level.toml")).unwrap();
    stage.write("level.toml", description + ALARMS);
    fs::remove_dir_all(stage.path("src")).unwrap();
    for number in 0..programs {
        stage.write(&format!("src/sums{number}.c"), SUMS.replace("+ 2;", &format!("+ {};", number + 2)));
    }
    stage
}

fn refuted(stage: &Stage, out: &str) -> Vec<Value> {
    result(stage, out)["refuted"].as_array().unwrap().iter().map(|it| it[0].clone()).collect()
}

fn evidence(stage: &Stage, out: &str) -> Vec<String> {
    let findings = stage.exits(0, &["findings", out, "--json"]);
    let findings: Vec<Value> = serde_json::from_str(&findings.stdout).unwrap();
    findings.iter().map(|it| format!("{} {}", it["evidence"], it["kind"])).collect()
}

#[test]
fn a_configuration_that_hides_alarms_is_refused_while_the_search_runs() {
    if !have_solver("gcc") {
        return;
    }
    let stage = stage_with_alarms(3);
    let run = tune(&stage, "out", &["--search", "exhaustive"]);
    assert_eq!(run.code, Some(0), "{run}");
    let tuned = result(&stage, "out");
    assert!(tuned["best"][0]["options"]["trust"].is_null(), "{run}");
    assert_eq!(tuned["verdict"], "improved", "{run}");
    let refuted = refuted(&stage, "out");
    assert!(!refuted.is_empty() && refuted.iter().all(|it| it[0]["options"]["trust"] == "on"), "{run}");
    for fold in tuned["validation"].as_array().unwrap() {
        assert!(fold["recipe"][0]["options"]["trust"].is_null(), "{fold}");
    }
    for member in tuned["front"].as_array().unwrap() {
        assert!(member[0][0]["options"]["trust"].is_null(), "{member}");
    }
    assert!(evidence(&stage, "out").contains(&"\"proved\" \"soundness\"".to_owned()), "{run}");
    let judged = stage.exits(0, &["judge", "out", "--analyzer", "./level.toml"]);
    assert!(judged.stdout.contains("Judged the findings of a search"), "{judged}");
    assert!(judged.stdout.contains("upheld") && !judged.stdout.contains("could not"), "{judged}");
    stage.refuses(&["unit", "out", "0", "--analyzer", "./level.toml"], &["units of `tune` cannot run alone"]);
    let asked = calls(&stage);
    let again = stage.exits(0, &["tune", "out", "--analyzer", "./level.toml"]);
    assert_eq!(result(&stage, "out"), tuned, "{again}");
    assert_eq!(calls(&stage), asked, "{again}");
}

#[test]
fn the_functions_of_the_only_program_are_held_out() {
    if !have_solver("gcc") {
        return;
    }
    let stage = stage_with_alarms(1);
    let run = tune(&stage, "out", &["--search", "exhaustive", "--vary", "level"]);
    let tuned = result(&stage, "out");
    assert_eq!(tuned["validation"].as_array().unwrap().len(), 3, "{run}");
    assert_eq!(tuned["verdict"], "improved", "{run}");
    let names: Vec<String> =
        tuned["programs"].as_array().unwrap().iter().map(|it| it["name"].to_string()).collect();
    assert_eq!(names, ["\"sums0.c: first\"", "\"sums0.c: second\"", "\"sums0.c: main\""], "{run}");
}

#[test]
fn defaults_that_lie_about_every_program_end_the_search() {
    if !have_solver("gcc") {
        return;
    }
    let stage = stage(LYING);
    let usual = ["tune", "--analyzer", "./level.toml:trust=on", "--seeds", "src", "--cpu", "10m"];
    let run = stage.juvenal(&[&usual[..], &["--out", "out"]].concat());
    assert_eq!(run.code, Some(3), "{run}");
    assert!(run.stdout.contains("the default configuration makes a false claim about it"), "{run}");
    assert!(evidence(&stage, "out").contains(&"\"proved\" \"soundness\"".to_owned()), "{run}");
}

#[test]
fn a_small_space_is_validated() {
    if !have_solver("gcc") {
        return;
    }
    let stage = stage("sound = false");
    stage.write("src/other.c", HARD.replace("+ 2", "+ 5"));
    let run = tune(&stage, "out", &["--vary", "level=3"]);
    let tuned = result(&stage, "out");
    assert_eq!(tuned["validation"].as_array().unwrap().len(), 3, "{run}");
    assert_eq!(tuned["verdict"], "improved", "{run}");
}

#[test]
fn trials_that_sleep_use_up_the_time_of_the_analyzer() {
    if !have_solver("gcc") {
        return;
    }
    let stage = stage("sound = false");
    stage.program("level", &VERIFIER.replace("echo called >> CALLS", "sleep 9"));
    let words = ["--limit", "1s", "--cpu", "6s", "--folds", "1", "--search", "exhaustive"];
    let run = tune(&stage, "out", &words);
    let tuned = result(&stage, "out");
    assert!(tuned["spent_microseconds"].as_u64().unwrap() >= 6_000_000, "{run}");
    assert!(tuned["recipes"].as_u64().unwrap() <= 8, "{run}");
}

/// Solves `(> x 4)`, and lies with one value of an option.
const LYING_SOLVER: &str = r#"case "$line" in
    *'smt.relevancy 0'*) lie=yes ;;
    *'(check-sat'*) if [ -n "$lie" ]; then echo unsat; else echo sat; fi ;;
    *'(get-model'*) if [ -z "$lie" ]; then echo '((define-fun x () Int 5))'; fi ;;
  esac"#;

#[test]
fn a_solver_that_lies_with_an_option_is_refused() {
    let stage = Stage::new();
    let fake = stage.fake(LYING_SOLVER);
    stage.write("src/a.smt2", "(declare-fun x () Int)\n(assert (> x 4))\n(check-sat)\n");
    let words = ["--seeds", "src", "--vary", "smt.relevancy=0|1", "--search", "exhaustive", "--cpu", "10m"];
    let run =
        stage.juvenal(&[&["tune", "--analyzer", &fake, "--out", "out", "--folds", "1"], &words[..]].concat());
    assert_eq!(run.code, Some(0), "{run}");
    let refuted = refuted(&stage, "out");
    assert_eq!(refuted.len(), 1, "{run}");
    assert_eq!(refuted[0][0]["options"]["smt.relevancy"], "0", "{run}");
    assert!(evidence(&stage, "out").iter().any(|it| it.contains("soundness")), "{run}");
}

/// The reference engine, which drops a row with an option.
const LYING_ENGINE: &str = r#"#!/bin/sh
case "$1" in --version) echo "juvenal 1.0"; exit 0 ;; esac
for file; do :; done
if [ "$1" = --drop=yes ]; then
  JUVENAL built-in reference-datalog < "$file" | grep -v '^9$'
else
  JUVENAL built-in reference-datalog < "$file"
fi
"#;

#[test]
fn an_engine_that_lies_with_an_option_is_refused() {
    let stage = Stage::new();
    let program = stage.program("engine", &LYING_ENGINE.replace("JUVENAL", env!("CARGO_BIN_EXE_juvenal")));
    let description = fs::read_to_string(
        test_support::repository().join("crates/analyzers/src/built_in/reference-datalog.toml"),
    )
    .unwrap()
    .replace("name = \"reference-datalog\"", "name = \"engine\"")
    .replace("programs = [\"juvenal\"]", &format!("programs = [\"{}\"]", program.display()))
    .replace(
        "arguments = [\"built-in\", \"reference-datalog\"]",
        "arguments = [\"{options}\", \"{file}\"]\noptions = [{ name = \"drop\", arguments = [\"--drop={value}\"], values = [\"yes\", \"no\"], tune = {} }]",
    )
    .replace("[install]\n", "[install]\nby-hand = \"a test writes it\"\n")
    .replace("homepage = \"juvenal explain reference-datalog\"", "homepage = \"https://example.org\"");
    stage.write("engine.toml", description);
    stage.write("src/a.dl", ".decl p(x:number)\n.output p\np(1).\np(2).\np(9).\n");
    let words = ["--seeds", "src", "--search", "exhaustive", "--cpu", "10m", "--folds", "1", "--out", "out"];
    let run = stage.juvenal(&[&["tune", "--analyzer", "./engine.toml"], &words[..]].concat());
    assert_eq!(run.code, Some(0), "{run}");
    let refuted = refuted(&stage, "out");
    assert_eq!(refuted.len(), 1, "{run}");
    assert_eq!(refuted[0][0]["options"]["drop"], "yes", "{run}");
    assert!(!evidence(&stage, "out").is_empty(), "{run}");
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
