//! `debug_check` and `runtime` with analyzers from description files, and external reducers.
//!
//! The conformance kit checks that planted lies are caught and honest analyzers are not accused; these tests check the
//! evidence, the witnesses and the finding directories.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself, compilers and what they make")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod stage;

use stage::{Run, Running, SMALL, Stage, have_solver, tool};
use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;
use test_support::is_usable;

/// The exit code of `reproduce.c`.
const SHOWN: i32 = 107;

/// An engine with the same answer for every condition: `verified` is always correct.
fn engine(status: &str) -> String {
    HEAD.to_owned()
        + &format!(
            r#"
[debug]
approximation = "neither"
reports-all = true
failing-check = "continues"
check = "evaluate({{condition}});"
check-guarded = "if ({{guard}}) evaluate({{condition}});"
check-within = "evaluate({{condition}}),"
assume = "if (!({{condition}})) return 0;"

[debug.data-models]
lp64 = []

[[debug.steps]]
arguments = ["-n", "evaluate(\\|main(", "{{file}}"]

[debug.output]
rows = [{{ pattern = '(?m)^(?<line>\d+):.*(?<values>evaluate)\(', status = "{status}" }}]
agreement = true
silent = "unknown"
complete = 'main'
"#
        )
}

const HEAD: &str = r#"
name = "planted"
title = "Planted"
summary = "An analyzer of the tests."
language = "c"
family = "planted"
homepage = "https://example.org"

[install]
by-hand = "nowhere"

[find]
programs = ["grep"]

[version]
arguments = ["--version"]
pattern = 'grep[^\n]*?(?<version>\d+\.\d+)'

[configuration]
arguments = []
"#;

/// A bug finder that warns of a kind of error on every line that contains a text.
fn reader(kind: &str, text: &str) -> String {
    HEAD.to_owned()
        + &format!(
            r#"
[warnings]
checkers = [{{ pattern = '.', kind = "{kind}" }}]

[warnings.data-models]
lp64 = []

[[warnings.steps]]
arguments = ["-n", "", "{{file}}"]

[warnings.output]
format = "rows"
complete = 'main'
rows = [{{ pattern = '(?m)^(?<line>\d+): *(?<message>(?<checker>{text})[^\n]*)$' }}]
"#
        )
}

fn hunt(stage: &Stage, technique: &str, description: &str, words: &[&str]) -> Run {
    stage.write("planted.toml", description);
    let usual = [technique, "--analyzer", "./planted.toml", "--witness", "execute-c", "--jobs", "2"];
    // The test must not depend on whether Csmith is installed.
    let without_csmith = format!("{technique}.csmith=0");
    stage.hunt("out", &[&usual, words, &["--set", &without_csmith]])
}

/// Returns the kinds and the evidence of all findings.
fn verdicts(stage: &Stage) -> BTreeSet<String> {
    let said = |finding: &serde_json::Value| {
        format!("{} {}", finding["evidence"].as_str().unwrap(), finding["kind"].as_str().unwrap())
    };
    stage.findings("out").iter().map(said).collect()
}

#[test]
fn an_engine_that_denies_everything_is_proved_wrong() {
    if !have_solver("gcc") {
        return;
    }
    let stage = Stage::with_solvers();
    let few =
        ["--set", "debug_check.size=6", "--set", "debug_check.checks=8", "--set", "debug_check.rounds=1"];
    let words = ["--cases", "2", "--candidates", "6"];
    let run = hunt(&stage, "debug_check", &engine("violated"), &[&words[..], &few].concat());
    assert_eq!(run.code, Some(1), "{run}");
    assert!(verdicts(&stage).contains("proved soundness"), "{run}");
    for finding in stage.findings("out") {
        if finding["kind"] == "soundness" {
            reproduces(&stage, finding["path"].as_str().unwrap());
        }
    }
}

#[test]
fn a_bug_finder_that_ignores_the_text_misses_errors_that_only_the_text_shows() {
    if !have_solver("gcc") {
        return;
    }
    let seen = [("uninitialized-read", r"if \(juvenal_value\)"), ("leak", "juvenal_block = 0;")];
    for (kind, text) in seen {
        let stage = Stage::with_solvers();
        let words = ["--cases", "8", "--candidates", "20", "--set", "runtime.size=15"];
        let honest = hunt(&stage, "runtime", &reader(kind, text), &words);
        assert_eq!(honest.code, Some(0), "{honest}");
        let counts = stage.statistics("out")["counts"].clone();
        assert!(counts["errors injected"].as_u64().unwrap() > 10, "{counts}");
        let stage = Stage::with_solvers();
        let blind = hunt(&stage, "runtime", &reader(kind, "no such words"), &words);
        assert_eq!(verdicts(&stage), BTreeSet::from(["proved missed".to_owned()]), "{blind}");
    }
}

#[test]
fn a_false_warning_is_proved_by_the_execution_that_passes_it() {
    if !have_solver("gcc") {
        return;
    }
    let stage = Stage::with_solvers();
    let words = ["--cases", "2", "--candidates", "60", "--set", "runtime.size=15"];
    let run = hunt(
        &stage,
        "runtime",
        &reader("division-by-zero", "printf"),
        &[&words[..], &["--set", "runtime.rounds=0"]].concat(),
    );
    assert_eq!(verdicts(&stage), BTreeSet::from(["proved false-warning".to_owned()]), "{run}");
    for finding in stage.findings("out") {
        reproduces(&stage, finding["path"].as_str().unwrap());
    }
}

/// Finds a program on the search path.
fn search(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join(name)).find(|program| program.is_file())
}

/// An engine that crashes on every program with a function `main`.
fn dying_engine() -> String {
    let dies = "complete = 'main'\ncrashes = [{ pattern = '(?<what>main)' }]";
    engine("verified").replace("complete = 'main'", dies)
}

/// Runs a campaign in `out` whose first finding is an unreduced crash, and returns the program of that finding.
fn crashed() -> (Stage, String) {
    let stage = Stage::with_solvers();
    let words = ["--cases", "1", "--candidates", "0", "--set", "debug_check.size=6"];
    let run = hunt(&stage, "debug_check", &dying_engine(), &words);
    assert_eq!(run.code, Some(1), "{run}");
    let program = program_of_first(&stage);
    (stage, program)
}

/// Returns the reduced program of the first finding in `out`, without checks.
fn program_of_first(stage: &Stage) -> String {
    let findings = stage.findings("out");
    let path = stage.path(findings[0]["path"].as_str().unwrap()).join("finding.json");
    let finding: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    finding["reduced"]["queries"][0]["input"]["c"]["base"].as_str().unwrap().to_owned()
}

const AGAIN: [&str; 2] = ["--analyzer", "./planted.toml"];

#[test]
fn a_candidate_is_judged_by_the_exit_code() {
    let (stage, program) = crashed();
    let before = stage.findings("out");
    for (name, text, code) in [
        ("same.c", program.as_str(), 0),
        ("small.c", "int main(void) { return 0; }", 0),
        ("no-main.c", "int other(void) { return 0; }", 1),
        ("no-program.c", "int main(", 1),
        ("no-value.c", "int main(void) { int x; return x; }", 1),
        ("empty.c", "", 1),
    ] {
        stage.write(name, text);
        let words = ["reduce", "out", "F1", "--candidate", name];
        let run = stage.juvenal(&[&words[..], &AGAIN].concat());
        assert_eq!(run.code, Some(code), "{name}: {run}");
    }
    stage.write("latin.c", b"int main(void) { return '\xe9'; }");
    let latin = stage.juvenal(&[&["reduce", "out", "F1", "--candidate", "latin.c"][..], &AGAIN].concat());
    assert_eq!(latin.code, Some(1), "{latin}");
    assert_eq!(stage.findings("out"), before, "judging a candidate stores nothing");
    stage.refuses(
        &[&["reduce", "out", "F1", "--candidate", "nowhere.c"][..], &AGAIN].concat(),
        &["nowhere.c"],
    );
    stage.refuses(&[&["reduce", "out", "F7", "--candidate", "same.c"][..], &AGAIN].concat(), &["F7"]);
    let both = ["reduce", "out", "F1", "--candidate", "same.c", "--with", "cvise"];
    stage.refuses(&both, &["--candidate", "--with"]);
}

#[test]
fn cvise_shrinks_a_program() {
    if !is_usable("cvise", search("cvise").is_some()) {
        return;
    }
    let (stage, program) = crashed();
    let run =
        stage.exits(0, &[&["reduce", "out", "F1", "--with", "cvise", "--jobs", "2"][..], &AGAIN].concat());
    // juvenal's own passes come later, so C-Vise has done this alone.
    let (begin, end) = (bytes_after(&run, "C-Vise begins"), bytes_after(&run, "C-Vise ends"));
    assert!(end * 5 < begin && !run.stderr.contains("C-Vise failed"), "{run}");
    let small = program_of_first(&stage);
    assert!(small.contains("main") && small.len() * 5 < program.len(), "{small}\n{run}");
    assert_eq!(fs::read_dir(stage.path("tmp")).unwrap().count(), 0, "nothing is left behind");
}

/// The size of the program in a line such as `F1: C-Vise ends with a program of 20 bytes.`
fn bytes_after(run: &Run, words: &str) -> usize {
    let line =
        run.stdout.lines().find(|line| line.contains(words)).unwrap_or_else(|| panic!("{words}: {run}"));
    let number = line.rsplit(' ').nth(1).and_then(|word| word.parse().ok());
    number.unwrap_or_else(|| panic!("{line}"))
}

/// A program that claims to be C-Vise. It tries to reach a home, the campaign and the network, and then asks questions that
/// are none.
/// `ask` moves a directory to the questions and prints the answer, for which it waits some seconds. What it has reached is
/// printed as one line, since juvenal shows the last lines.
const HOSTILE_REDUCER: &str = r#"#!/bin/sh
exec 4>&2 > said 2> errors
for name; do case "$name" in */still_shows.sh) questions=${name%/*}/questions ;; esac; done
ask() {
  [ -p "$1/answer" ] || mkfifo "$1/answer"
  exec 3<>"$1/answer"
  mv "$1" "$questions/$1"
  timeout "$2" head -n 1 <&3
  exec 3<&-
}
cat HOME/secret && echo reached the home
cat CAMPAIGN/campaign.toml && echo reached the campaign
bash -c 'echo x > /dev/tcp/127.0.0.1/PORT' && echo reached the network
echo x > HOME/written; echo x > CAMPAIGN/written; echo x >> HOME/secret; echo x > /var/tmp/juvenal-written
ln -s HOME/asked "$questions/link"
ln -s / "$questions/root"
mkfifo "$questions/pipe"
mkdir "$questions/empty" "$questions/without-pipe" linked fifo huge nothing directory
cp program.c "$questions/without-pipe"
mkdir pointed; cp program.c pointed; ln -s HOME/secret pointed/answer; mv pointed "$questions"
mkdir regular; cp program.c regular; echo x > regular/answer; mv regular "$questions"
mkdir abandoned; cp program.c abandoned; mkfifo abandoned/answer; mv abandoned "$questions"
for number in $(seq 300); do : > "$questions/file$number"; done
: > "$questions/$(printf '\377')"
ln -s HOME/asked/program.c linked/program.c
mkfifo fifo/program.c
mkdir directory/program.c
truncate -s 100M huge/program.c
for name in linked fifo huge nothing directory; do [ -z "$(ask $name 1)" ] || echo "reached by $name"; done
mkdir fair; echo 'int main(void) { return 0; }' > fair/program.c
echo "the fair question: $(ask fair 60)"
tr '\n' ' ' < said >&4
exit 1
"#;

/// Runs `reduce --with cvise` with another program in the place of C-Vise, and with a home in the stage.
fn reduce_with(stage: &Stage, reducer: &str) -> Running {
    stage.program("cvise", &reducer.replace("HOME", &stage.at("home")).replace("CAMPAIGN", &stage.at("out")));
    stage.write("home/secret", "the secret");
    stage.write("home/asked/program.c", "int main(void) { return 0; }");
    let mut command =
        stage.command(&[&["reduce", "out", "F1", "--with", "cvise", "--jobs", "2"][..], &AGAIN].concat());
    let path = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{}:{path}", stage.at("bin"))).env("HOME", stage.path("home"));
    Running::of(command)
}

#[test]
fn a_hostile_reducer_reaches_nothing() {
    let (stage, _) = crashed();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let port = server.local_addr().unwrap().port().to_string();
    let run = reduce_with(&stage, &HOSTILE_REDUCER.replace("PORT", &port)).finish();
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stderr.contains("the fair question: 0"), "it came to its end, and was answered: {run}");
    assert!(!run.stderr.contains("reached") && !run.stderr.contains("the secret"), "{run}");
    assert!(server.accept().is_err(), "no connection was made");
    assert_eq!(fs::read_to_string(stage.path("home/secret")).unwrap(), "the secret");
    for name in ["home/written", "out/written", "/var/tmp/juvenal-written"] {
        assert!(!stage.path(name).exists(), "{name}");
    }
    assert!(stage.path("home/asked/program.c").exists(), "removing a link leaves what it leads to");
    assert_eq!(fs::read_dir(stage.path("tmp")).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn a_reducer_that_leaves_no_program_is_an_error() {
    let (stage, program) = crashed();
    let deep = format!("mkdir -p {}; mv deep questions/deep; sleep 60", vec!["deep"; 50].join("/"));
    let rows = [
        ("ln -sf HOME/asked/program.c program.c", "symbolic link"),
        ("rm program.c; mkfifo program.c", "named pipe"),
        ("rm program.c", "No such file"),
        ("truncate -s 100M program.c", "larger than"),
        (deep.as_str(), "nested too deeply"),
    ]
    .map(|(ending, words)| (format!("#!/bin/sh\n{ending}\n"), words));
    for (reducer, words) in rows {
        let run = reduce_with(&stage, &reducer).finish();
        assert!(run.code == Some(2) && run.stderr.contains(words), "{words}: {run}");
        assert_eq!(program_of_first(&stage), program, "{words}");
    }
    assert_eq!(fs::read_dir(stage.path("tmp")).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn an_interrupt_ends_the_reducer_and_all_that_it_started() {
    let stubborn = "#!/bin/sh\ntrap '' INT TERM HUP\nsetsid sh -c 'sleep 300; :' still_shows.sh &\nwhile :; do sleep 1; done\n";
    let real = search("cvise").filter(|path| is_usable("cvise", path.is_file()));
    let real = real.map(|path| format!("#!/bin/sh\nexec {} \"$@\"\n", path.display()));
    for reducer in [Some(stubborn.to_owned()), real].into_iter().flatten() {
        for signal in ["INT", "TERM"] {
            let (stage, _) = crashed();
            let mut running = reduce_with(&stage, &reducer);
            assert!(running.wait_for("C-Vise begins"));
            // The arguments of C-Vise itself end with the program.
            wait_until(|| processes_about(&stage).iter().any(|line| line.ends_with("still_shows.sh\0")));
            running.signal(signal);
            let run = running.finish();
            assert!(run.code.is_some(), "{signal}: {run}");
            wait_until(|| processes_about(&stage).is_empty());
            assert_eq!(fs::read_dir(stage.path("tmp")).unwrap().count(), 0, "nothing is left behind");
        }
    }
}

/// The command lines of C-Vise and of all that it started, which have inherited its environment.
fn processes_about(stage: &Stage) -> Vec<String> {
    let variable = format!("PYTHONPATH={}/juvenal-run-", stage.at("tmp"));
    let text_of = |path: PathBuf| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    processes
        .filter(|process| text_of(process.join("environ")).is_ok_and(|text| text.contains(&variable)))
        .filter_map(|process| text_of(process.join("cmdline")).ok())
        .collect()
}

fn wait_until(holds: impl Fn() -> bool) {
    for _ in 0..6000 {
        if holds() {
            return;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("it does not hold within a minute");
}

#[test]
fn programs_of_csmith_are_not_silently_replaced() {
    let stage = Stage::new();
    let words = ["generate", "debug_check", "--count", "1", "--set", "debug_check.csmith=50"];
    let output = stage.command(&words).env("PATH", stage.path("tmp")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("debug_check.csmith=50") && said.contains("libcsmith-dev"), "{said}");
}

#[test]
fn unusable_external_reducers_are_rejected() {
    let (stage, _) = crashed();
    // A search path with nothing but the analyzer.
    std::os::unix::fs::symlink(search("grep").unwrap(), stage.path("bin/grep")).unwrap();
    let words = [&["reduce", "out", "F1", "--with", "cvise"][..], &AGAIN].concat();
    let output = stage.command(&words).env("PATH", stage.path("bin")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("C-Vise is not installed") && said.contains("apt-get install cvise"), "{said}");
    let solvers = Stage::new();
    let run = solvers.hunt("out", &[&["--analyzer", "liar-smt:lie=model", "--cases", "12"], SMALL]);
    assert_eq!(run.code, Some(1), "{run}");
    solvers.write("program.c", "int main(void) { return 0; }");
    for words in [["--with", "cvise"], ["--candidate", "program.c"]] {
        solvers.refuses(&[&["reduce", "out", "F1"][..], &words].concat(), &[words[0], "SMT-LIB script"]);
    }
}

/// Checks that `reproduce.c` of a finding demonstrates the proof.
fn reproduces(stage: &Stage, finding: &str) {
    let source = stage.path(finding).join("reproduce.c").display().to_string();
    let program = stage.at("reproduce");
    let compiled = tool("gcc", &["-w", "-std=gnu17", &source, "-o", &program, "-lm"]);
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    assert_eq!(tool(&program, &[]).status.code(), Some(SHOWN), "{source}");
}
