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
    // It verifies equations alone, so the probes of other checks fail.
    let used = stage.juvenal(&["analyzer", "check", "./level.toml:@out/tuned.toml"]);
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

/// A program without inputs: errors that are put into it certainly happen.
const CLOSED: &str = "static int used;
void use(int x) { used = x; }
int first(int x) {
    int z = x + 4;
    use(x + 1);
    use(x + 1 + 2);
    return z;
}
int main(void) {
    int x = 3;
    int y = x + 2;
    y = y + first(y);
    use(y + x);
    return y - x;
}
";

#[test]
fn a_configuration_that_is_silent_where_an_execution_fails_is_refused() {
    if !have_solver("gcc") {
        return;
    }
    let stage = stage_with_alarms(1);
    // It raises an alarm at every line but those that its level settles. If it is quiet, it raises none; what it says about
    // checks is true all the same.
    let quiet = RAISING
        .replace(
            "sum\"; fi ;;",
            "sum\"; fi ;;\n      *) if [ \"$quiet\" = no ]; then echo \"alarm $number overflow line\"; fi ;;",
        )
        .replace("if [ \"$trust\" = no ] &&", "if [ \"$quiet\" = no ] &&");
    let body = VERIFIER
        .replace("CALLS", &stage.at("calls"))
        .replace("level=0;", "quiet=no; level=0;")
        // Nothing but equations is verified, so every statement counts as reached.
        .replace("if [ \"${bare%%==*}\"", "if [ \"$bare\" != \"${bare#*==}\" ] && [ \"${bare%%==*}\"")
        .replace("    --fast)", "    --quiet=*) quiet=yes ;;\n    --fast)");
    stage.program("level", &body.replace("while read -r word", &format!("{quiet}while read -r word")));
    let description = fs::read_to_string(stage.path("level.toml")).unwrap();
    let (checks, alarms) = description.split_once("[warnings]").unwrap();
    let alarms = alarms.replace("\"trust\"", "\"quiet\"").replace("--trust=", "--quiet=");
    stage.write("level.toml", format!("{checks}[warnings]{alarms}"));
    stage.write("src/sums0.c", CLOSED);
    let words = ["--search", "exhaustive", "--vary", "level=1|3", "--vary", "quiet", "--folds", "1"];
    let run = tune(&stage, "out", &words);
    assert_eq!(run.code, Some(0), "{run}");
    let refuted = refuted(&stage, "out");
    assert!(!refuted.is_empty(), "{run}");
    assert!(refuted.iter().all(|it| it[0]["options"]["quiet"] == "on"), "{run}");
    let tuned = result(&stage, "out");
    assert!(tuned["best"][0]["options"]["quiet"].is_null(), "{run}");
    assert!(tuned["not_audited"].as_array().unwrap().is_empty(), "{run}");
    assert!(evidence(&stage, "out").iter().any(|it| it.contains("missed")), "{run}");
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
    let words = ["tune", "--analyzer", "./level.toml", "--seeds", "src", "--cpu", "6s", "--out", "out"];
    let more = ["--limit", "1s", "--folds", "1", "--search", "exhaustive"];
    let run = stage.juvenal(&[&words[..], &more[..]].concat());
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

/// The reference engine, which prints rows as Soufflé does, and drops one with an option.
const LYING_ENGINE: &str = r#"#!/bin/sh
case "$1" in --version) echo "juvenal 1.0"; exit 0 ;; esac
for file; do :; done
rows=$(JUVENAL built-in reference-datalog < "$file" | sed -n 's/^p(\(.*\))\.$/\1/p')
if [ "$1" = --drop=yes ]; then rows=$(printf '%s\n' "$rows" | grep -v '^9$'); fi
printf '%s\n' --------------- p =============== "$rows" ===============
"#;

#[test]
fn an_engine_that_lies_with_an_option_is_refused() {
    let stage = Stage::new();
    // Confined programs see their own directory, and not that in which juvenal was built.
    fs::create_dir_all(stage.path("bin")).unwrap();
    fs::copy(env!("CARGO_BIN_EXE_juvenal"), stage.path("bin/juvenal")).unwrap();
    let program = stage.program("engine", &LYING_ENGINE.replace("JUVENAL", &stage.at("bin/juvenal")));
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

/// A verifier of C programs: the name of its description, what it says for its version, and shell commands that print, in its
/// own format, that it knows nothing about any check, and that it verifies all of them.
struct Verifier {
    name: &'static str,
    version: &'static str,
    unsure: &'static str,
    lying: &'static str,
}

const VERIFIERS: [Verifier; 8] = [
    Verifier {
        name: "frama-c",
        version: "99.1",
        unsure: r"printf 'directory\tfile\tline\n' > report.csv
grep -n 'check .false' program.c | while IFS=: read -r line rest; do
  printf '.\tprogram.c\t%s\tmain\tuser check\tUnknown\tfalse\n' $line; done >> report.csv",
        lying: r"printf 'directory\tfile\tline\n' > report.csv
grep -n 'check .false' program.c | while IFS=: read -r line rest; do
  printf '.\tprogram.c\t%s\tmain\tuser check\tDead\tfalse\n' $line; done >> report.csv",
    },
    Verifier {
        name: "gcc",
        version: "gcc (test) 99.1.0",
        unsure: r"grep -n '__analyzer_dump_path();' program.c | while IFS=: read -r line rest; do
  echo program.c:$line:1: note: path; done; echo 'program.c:1:1: warning: TRUE'",
        lying: "echo 'program.c:1:1: warning: TRUE'",
    },
    Verifier {
        name: "clang",
        version: "clang version 99.1.0",
        unsure: r"grep -n 'clang_analyzer_warnIfReached();' program.c | while IFS=: read -r line rest; do
  echo program.c:$line:1: warning: REACHABLE [debug.ExprInspection]; done
echo program.c:1:1: warning: TRUE [debug.ExprInspection]",
        lying: "echo program.c:1:1: warning: TRUE [debug.ExprInspection]",
    },
    Verifier {
        name: "cbmc",
        version: "6.3.1",
        unsure: r#"grep -o '"c[0-9]*"' program.c | tr -d '"' | while read -r check; do
  echo "[main.1] line 1 $check: UNKNOWN"; done; echo VERIFICATION SUCCESSFUL"#,
        lying: r#"grep -o '"c[0-9]*"' program.c | tr -d '"' | while read -r check; do
  echo "[main.1] line 1 $check: SUCCESS"; done; echo VERIFICATION SUCCESSFUL"#,
    },
    Verifier {
        name: "esbmc",
        version: "ESBMC version 7.5.0",
        unsure: r"printf 'Violated property:\n  unwinding assertion\nVERIFICATION FAILED\n'",
        lying: "echo VERIFICATION SUCCESSFUL",
    },
    Verifier {
        name: "klee",
        version: "KLEE 3.2",
        unsure: "echo 'KLEE: halting execution'; echo 'KLEE: done: completed paths = 1'",
        lying: "echo 'KLEE: done: completed paths = 1'",
    },
    Verifier {
        name: "clam",
        version: "clam 1.0",
        unsure: "echo '1  Number of total warning checks'; echo ANALYSIS RESULTS END",
        lying: "echo '1  Number of total safe checks'; echo ANALYSIS RESULTS END",
    },
    Verifier {
        name: "ikos",
        version: "ikos 3.5",
        unsure: r"grep -n '__ikos_assert(0)' program.c | while IFS=: read -r line rest; do
  echo program.c:$line:1: warning: assertion could not be proven; done; echo The program is SAFE",
        lying: "echo The program is SAFE",
    },
];

/// The shipped description of a verifier, for another program, with an option more in its space.
fn with_liar(verifier: &Verifier, program: &str) -> String {
    let path = test_support::repository().join(format!("analyzers/{}.toml", verifier.name));
    let text = fs::read_to_string(path).unwrap();
    let (before, after) = text.split_once("\nprograms = [").unwrap();
    let (_, after) = after.split_once("]\n").unwrap();
    let after = after.replace("parts = [[\"-print-plugin-path\"]]\n", "");
    let (head, role) = after.split_once("\n[reachability]\n").unwrap();
    let lie = "options = [\n  { name = \"lie\", arguments = [\"--lie\"], values = [\"on\"], tune = {} },";
    format!(
        "{before}\nprograms = [\"{program}\"]\n{head}\n[reachability]\n{}",
        role.replacen("options = [", lie, 1)
    )
}

#[test]
fn a_liar_in_the_space_of_every_verifier_of_c_programs_is_refused() {
    if !have_solver("gcc") || !have_solver("clang") {
        return;
    }
    for verifier in &VERIFIERS {
        let stage = Stage::with_solvers();
        let text = format!(
            "#!/bin/sh\ncase \"$1\" in --version | -version) echo '{}'; exit 0 ;; esac\nfor word; do\n  \
             if [ \"$word\" = --lie ]; then\n{}\nexit 0\n  fi\ndone\n{}\n",
            verifier.version, verifier.lying, verifier.unsure
        );
        let program = stage.program(verifier.name, &text);
        stage.write("liar.toml", with_liar(verifier, &program.display().to_string()));
        stage.write("src/easy.c", EASY);
        let usual =
            ["tune", "--analyzer", "./liar.toml", "--subject", "checks", "--seeds", "src", "--vary", "lie"];
        let rest =
            ["--search", "exhaustive", "--folds", "1", "--cpu", "10m", "--candidates", "5", "--out", "out"];
        let run = stage.juvenal(&[&usual[..], &rest[..]].concat());
        assert_eq!(run.code, Some(0), "{}: {run}", verifier.name);
        let refuted = refuted(&stage, "out");
        assert_eq!(refuted.len(), 1, "{}: {run}", verifier.name);
        assert_eq!(refuted[0][0]["options"]["lie"], "on", "{}: {run}", verifier.name);
        assert!(result(&stage, "out")["best"][0]["options"]["lie"].is_null(), "{}: {run}", verifier.name);
    }
}

/// A block of the manual that contains these words, without its indentation.
fn block_of_the_manual(words: &str) -> String {
    let manual = fs::read_to_string(test_support::repository().join("docs/tune.md")).unwrap();
    let block = manual.split("   ```").find(|block| block.contains(words)).unwrap();
    let lines = block.lines().skip(1).map(|line| line.strip_prefix("   ").unwrap_or(line));
    lines.collect::<Vec<&str>>().join("\n")
}

/// A program with a header of its own, two source files, a definition, and library functions with contracts, one of them variadic.
const LIBRARY_USER: &str = r#"#include <stdio.h>
#include <string.h>
#include "queue.h"
int __VERIFIER_nondet_int(void);
int main(void) {
    char text[SIZE];
    int x = __VERIFIER_nondet_int();
    for (int i = 0; i < x && i < SIZE - 1; i++) text[i] = 'a';
    if (x > 10) push(x);
    snprintf(text, (unsigned)x, "%d", x);
    printf("%s %d\n", text, (int)strlen(text));
    return 100 / x;
}
"#;

#[test]
fn frama_c_reads_projects_as_the_manual_says_and_counts_the_same_alarms() {
    if !have_solver("frama-c") || !have_solver("gcc") {
        return;
    }
    let stage = Stage::with_solvers();
    stage.write("src/queue.h", "extern int queue[8];\nvoid push(int x);\n");
    stage.write("src/queue.c", "#include \"queue.h\"\nint queue[8];\nvoid push(int x) { queue[x] = x; }\n");
    stage.write("tests/user.c", LIBRARY_USER);
    let in_shell = |script: &str| {
        let shell = std::process::Command::new("sh");
        let mut command = stage.like(&stage.command(&[]), shell);
        let output = command.args(["-eu", "-c", script]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    in_shell(&block_of_the_manual("-ocode").replace("-DNDEBUG", "-DSIZE=20"));
    let words = ["tune", "--analyzer", "frama-c", "--seeds", "programs", "--vary", "precision=1", "--search"];
    let run = stage
        .juvenal(&[&words[..], &["exhaustive", "--folds", "1", "--cpu", "60s", "--out", "out"]].concat());
    assert_eq!(run.code, Some(0), "{run}");
    let tuned = result(&stage, "out");
    let counted = tuned["programs"][0]["default"]["unresolved"].as_u64().unwrap();
    let script = block_of_the_manual("#!/bin/sh").replace("-eva-precision 6 ", "");
    assert_eq!(in_shell(&script).trim(), format!("programs/user.i {counted}"), "{run}");
    let kinds = fs::read_to_string(stage.path("report.csv")).unwrap();
    assert!(kinds.contains("precondition of strlen\tUnknown") && counted > 3, "{kinds}");
}

#[test]
fn two_analyses_of_frama_c_leave_open_what_neither_settles() {
    if !have_solver("frama-c") || !have_solver("gcc") {
        return;
    }
    let stage = Stage::with_solvers();
    for (name, bound) in [("short.c", 5), ("long.c", 50)] {
        let text = format!(
            "int __VERIFIER_nondet_int(void);\nint main(void) {{\n  int a[{bound}], s = 0;\n  \
             for (int i = 0; i < {bound}; i++) a[i] = __VERIFIER_nondet_int() & 3;\n  \
             for (int i = 0; i < {bound}; i++) s += a[i];\n  return 100 / (s + 1);\n}}\n"
        );
        stage.write(&format!("src/{name}"), text);
    }
    let words =
        ["tune", "--analyzer", "frama-c", "--subject", "alarms", "--seeds", "src", "--vary", "slevel=10|100"];
    let rest = ["--ingredients", "2", "--folds", "1", "--cpu", "20s", "--out", "out"];
    let run = stage.juvenal(&[&words[..], &rest[..]].concat());
    assert_eq!(run.code, Some(0), "{run}");
    let tuned = result(&stage, "out");
    let trials = tuned["grid"]["trials"].as_array().unwrap();
    let open = |ingredients: &[Value], program: &str| {
        let is_it = |trial: &&Value| trial["recipe"].as_array().unwrap() == ingredients;
        let outcome = &trials.iter().find(is_it)?["outcomes"][program];
        (outcome["state"] == "finished").then(|| outcome["unresolved"].as_u64().unwrap())
    };
    let mut compared = 0;
    for trial in trials {
        let recipe = trial["recipe"].as_array().unwrap();
        for program in ["0", "1"] {
            let alone = |place: usize| open(&recipe[place..=place], program);
            if let [_, _] = recipe[..]
                && let (Some(both), Some(first), Some(second)) = (open(recipe, program), alone(0), alone(1))
            {
                assert!(both <= first.min(second), "{trial}: {first} and {second} alone");
                compared += 1;
            }
        }
    }
    assert!(compared > 2, "{run}");
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
