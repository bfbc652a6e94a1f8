//! Bad input: every kind has a clear message, nothing is lost, and the campaign continues if possible.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use serde_json::Value;
use stage::{SMALL, Stage, TINY, always, at_check, fake_description, tool};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use test_support::is_usable;

const HONEST: &[&str] = &["--analyzer", "liar-smt:lie=none"];
const GOOD: &str =
    "(set-logic QF_LIA)\n(declare-fun x () Int)\n(assert (< 0 x))\n(assert (< x 9))\n(check-sat)\n";

/// Runs a hunt that must be rejected before it creates anything.
fn refused(stage: &Stage, words: &[&str], message: &[&str]) {
    stage.refuses(&[&["hunt", "--cases", "1", "--out", "out"], words].concat(), message);
    assert!(!stage.path("out").exists(), "a refused hunt leaves nothing behind: {words:?}");
}

/// Finishes a hunt in `out` of a liar that is caught in most cases.
fn hunted() -> Stage {
    let stage = Stage::new();
    let run = stage.hunt("out", &[&["--analyzer", "liar-smt:lie=model", "--cases", "12"], SMALL]);
    assert_eq!(run.code, Some(1), "{run}");
    stage
}

#[test]
fn bad_seeds_are_skipped_and_counted_by_reason() {
    let stage = Stage::new();
    stage.write("seeds/good.smt2", GOOD);
    stage.write("seeds/empty.smt2", "");
    stage.write("seeds/blank.smt2", " \n\t\n");
    stage.write("seeds/latin.smt2", b"(assert true) ; \xe9t\xe9\n(check-sat)\n");
    stage.write(
        "seeds/broken.smt2",
        "(declare-fun x () Int)\n(assert (and\n  (< x 1)\n  (< x y)))\n(check-sat)\n",
    );
    stage.write("seeds/notes.txt", "no seed");
    // No technique of this hunt uses C programs, so these are not read.
    stage.write("seeds/program.c", "int main(void) { return 0 }");
    stage.write("seeds/task.yml", "input_files: [");
    fs::create_dir(stage.path("seeds/directory.smt2")).unwrap();
    symlink(stage.path("nowhere"), stage.path("seeds/dangling.smt2")).unwrap();
    let run = stage.hunt("out", &[HONEST, TINY, &["--cases", "6", "--seeds", "seeds"]]);
    assert_eq!(run.code, Some(0), "{run}");
    let figures = stage.statistics("out");
    assert_eq!(figures["cases"], 6);
    for (reason, count) in [
        ("the seed is empty", 2),
        ("the seed is not UTF-8", 1),
        ("the seed does not parse", 1),
        ("the seed is unreadable", 1),
    ] {
        assert_eq!(figures["skipped"][reason], count, "{reason}\n{figures:#}");
        assert!(run.stdout.contains(reason), "{run}");
    }
    for place in ["broken.smt2:4:8", "blank.smt2", "latin.smt2", "dangling.smt2"] {
        assert!(run.stdout.contains(place), "{place} is missing\n{run}");
    }
}

#[test]
fn a_hunt_with_only_unusable_seeds_does_not_pass() {
    let stage = Stage::new();
    stage.write("seeds/empty.smt2", "");
    stage.write("seeds/broken.smt2", "(assert (< x 1))\n(check-sat)\n");
    for jobs in ["1", "3"] {
        // It ends early, since another round would be the same.
        let run = stage.hunt(jobs, &[HONEST, &["--time", "10m", "--jobs", jobs, "--seeds", "seeds"]]);
        assert_eq!(run.code, Some(3), "{run}");
        assert_eq!(stage.statistics(jobs)["cases"], 2, "{run}");
        for words in
            ["None of the programs or scripts could be used", "nothing was judged", "broken.smt2:1:12"]
        {
            assert!(run.stdout.contains(words), "`{words}` is missing\n{run}");
        }
        assert!(!run.stdout.contains("Continue:"), "{run}");
        assert_eq!(stage.juvenal(&["resume", jobs]).code, Some(3));
    }
}

#[test]
fn missing_seeds_are_rejected() {
    let stage = Stage::new();
    fs::create_dir(stage.path("bare")).unwrap();
    fs::create_dir(stage.path("directory.smt2")).unwrap();
    refused(
        &stage,
        &[HONEST, &["--seeds", "missing"]].concat(),
        &["cannot read the seeds", "missing; check the path"],
    );
    for name in ["bare", "directory.smt2"] {
        refused(&stage, &[HONEST, &["--seeds", name]].concat(), &["no seeds below", name, ".smt2"]);
    }
    let words = &["no seeds below", "program.c", "seed files end in .smt2"];
    stage.write("program.c", "int main(void) { return 0; }");
    refused(&stage, &[HONEST, &["satisfiable", "--seeds", "program.c"]].concat(), words);
    let words = &["notes.txt is not a seed file", ".smt2, .c, .i, .yml"];
    stage.write("notes.txt", "no seed");
    refused(&stage, &[HONEST, &["--seeds", "notes.txt"]].concat(), words);
}

#[test]
fn ten_thousand_seeds_are_processed_even_if_half_are_broken() {
    let stage = Stage::new();
    fs::create_dir(stage.path("seeds")).unwrap();
    for number in 0..10_000 {
        let text = match number % 4 {
            0 => GOOD.replace('9', &(number % 90 + 3).to_string()),
            1 => GOOD.replace("(< x 9)", "(< x 9"),
            2 => GOOD.replace('x', "y"),
            _ => GOOD.replace("(< 0 x)", "(< 0 z)"),
        };
        fs::write(stage.path(&format!("seeds/{number:05}.smt2")), text).unwrap();
    }
    let few = ["instances=1", "constructed=4", "assignments=1", "search=5"]
        .map(|knob| format!("satisfiable.{knob}"));
    let knobs: Vec<&str> = few.iter().flat_map(|knob| ["--set", knob]).collect();
    let run = stage.hunt("out", &[HONEST, &knobs, &["--cases", "10000", "--seeds", "seeds"]]);
    assert_eq!(run.code, Some(0), "{run}");
    let figures = stage.statistics("out");
    assert_eq!(figures["cases"], 10_000);
    assert_eq!(figures["skipped"]["the seed does not parse"], 5000, "{figures:#}");
    assert!(run.stdout.contains("Skipped 5000 cases"), "{run}");
    assert!(run.stdout.contains("seeds/00001.smt2:"), "{run}");
}

#[test]
fn changed_seeds_are_noticed() {
    let stage = Stage::new();
    stage.write("seeds/good.smt2", GOOD);
    let run = stage.hunt("out", &[HONEST, TINY, &["--cases", "1", "--seeds", "seeds"]]);
    assert_eq!(run.code, Some(0), "{run}");
    stage.write("seeds/more.smt2", GOOD);
    stage.refuses(
        &["resume", "out", "--cases", "2"],
        &["have changed since the campaign began", "1 then, 2 now"],
    );
}

#[test]
fn unusable_analyzers_are_rejected() {
    let stage = Stage::new();
    stage.program("z3", "#!/bin/sh\necho 'Z3 version 4.8.12 - 64 bit'\n");
    let plain = stage.write("plain", "#!/bin/sh\necho 'Z3 version 1.2.3'\n").display().to_string();
    let plain = format!("z3={plain}");
    let no_solver = stage.program("no-solver", "#!/bin/sh\necho hello\n").display().to_string();
    let no_solver = format!("z3={no_solver}");
    for (analyzer, message) in [
        ("mathsat", &["mathsat is not installed", "https://"][..]),
        ("cvc5", &["cvc5 is not installed", "juvenal analyzer install cvc5"]),
        ("boolector", &["boolector is not installed", "apt-get install boolector"]),
        ("z3@9.9.9", &["z3@9.9.9 is not installed", "4.8.12 found", "juvenal analyzer install z3@9.9.9"]),
        ("cvc5@9.9.9", &["cvc5@9.9.9 is not installed", "no version found"]),
        ("z3=/nowhere/z3", &["/nowhere/z3", "was not found"]),
        ("z3=.", &["cannot run z3"]),
        (&plain, &["cannot run z3", "ermission denied"]),
        (&no_solver, &["--version` prints `hello`", "does not match the version pattern of z3"]),
        ("z4", &["z4", "did you mean `z3`"]),
        ("ctrl", &["ctrl"]),
        ("./missing.toml", &["cannot read the description ./missing.toml"]),
        ("z3:oops", &["expected key=value", "oops"]),
        ("", &["expected NAME"]),
        ("@1", &["expected NAME"]),
    ] {
        refused(&stage, &["--analyzer", analyzer], message);
        refused(&stage, &["--analyzer", "liar-smt", "--witness", analyzer], message);
        stage.refuses(&["analyzer", "check", analyzer], message);
    }
}

/// Hunts a fake solver on tiny instances, which must not abort the campaign. Returns the statistics.
fn hunt_fake(behaviour: &str, mode: &str, cases: u64, words: &[&str]) -> (Option<i32>, Value) {
    let stage = Stage::new();
    let fake = stage.fake(behaviour);
    let mode = format!("satisfiable.mode={mode}");
    let count = cases.to_string();
    let words =
        [&["--analyzer", &fake, "--cases", &count, "--set", &mode, "--set", "satisfiable.models=0"], words];
    let run = stage.hunt("out", &[TINY, &words.concat()]);
    let mut figures = stage.statistics("out");
    assert_eq!(figures["cases"], cases, "the campaign must continue\n{run}");
    figures["rows"] = Value::Array(stage.findings("out"));
    (run.code, figures)
}

fn count(figures: &Value, verdict: &str) -> u64 {
    figures["verdicts"][verdict].as_u64().unwrap_or(0)
}

/// Few queries with tight limits, for fakes that always reach a limit.
const IMPATIENT: &[&str] = &["--set", "satisfiable.instances=3", "--set", "satisfiable.milliseconds=500"];

#[test]
fn a_solver_that_crashes_is_a_finding() {
    for mode in ["process", "reset"] {
        let (code, figures) = hunt_fake(&at_check("kill -SEGV $$"), mode, 2, &[]);
        assert_eq!(code, Some(1), "{mode}: {figures:#}");
        assert!(count(&figures, "crash") > 0, "{mode}: {figures:#}");
        for row in figures["rows"].as_array().unwrap() {
            assert_eq!(row["kind"], "crash", "{mode}");
        }
    }
}

#[test]
fn a_solver_that_hangs_is_limited() {
    for mode in ["process", "reset"] {
        let (code, figures) = hunt_fake(&at_check("sleep 1000"), mode, 2, IMPATIENT);
        assert_eq!(code, Some(3), "{mode}: {figures:#}");
        assert!(count(&figures, "limit") > 0 && count(&figures, "claim") == 0, "{mode}: {figures:#}");
    }
}

#[test]
fn a_solver_that_eats_memory_is_limited() {
    if !is_usable(
        "python3",
        tool("sh", &["-c", "PATH=/usr/local/bin:/usr/bin:/bin command -v python3"]).status.success(),
    ) {
        return;
    }
    let eat = at_check("exec python3 -c \"\nhoard = []\nwhile True: hoard.append(b'x' * (64 << 20))\n\"");
    let words = ["--jobs", "1", "--set", "satisfiable.instances=1", "--set", "satisfiable.assignments=1"];
    let (code, figures) = hunt_fake(&eat, "process", 1, &words);
    assert_eq!(code, Some(3), "{figures:#}");
    assert!(count(&figures, "limit") > 0 && count(&figures, "claim") == 0, "{figures:#}");
}

#[test]
fn a_solver_that_prints_a_gigabyte_is_limited() {
    for (mode, stream) in [("process", ""), ("process", " >&2"), ("reset", "")] {
        let print = at_check(&format!("head -c 1000000000 /dev/zero | tr '\\0' 'x'{stream}"));
        let words = ["--set", "satisfiable.instances=3", "--set", "satisfiable.milliseconds=20000"];
        let (code, figures) = hunt_fake(&print, mode, 1, &words);
        assert_eq!(code, Some(3), "{mode}{stream}: {figures:#}");
        assert!(count(&figures, "limit") > 0 && count(&figures, "claim") == 0, "{mode}{stream}: {figures:#}");
    }
}

#[test]
fn half_an_answer_in_a_session_is_no_claim() {
    for mode in ["reset", "push"] {
        for death in ["exit 0", "exit 7"] {
            // Three answers, then half an answer.
            let die = format!("n=$((n+1)); if [ $n -gt 3 ]; then printf unsa; {death}; fi; echo unknown");
            let (code, figures) = hunt_fake(&at_check(&die), mode, 3, &[]);
            assert_eq!(code, Some(3), "{mode}, {death}: {figures:#}");
            assert!(count(&figures, "unreadable") > 0, "{mode}, {death}: {figures:#}");
            assert!(
                count(&figures, "unknown") > count(&figures, "unreadable"),
                "{mode}, {death}: {figures:#}"
            );
            assert_eq!(count(&figures, "claim"), 0, "{mode}, {death}: {figures:#}");
        }
    }
}

#[test]
fn meaningless_answers_are_unreadable_and_do_not_pass() {
    for (behaviour, verdict) in [
        (":".to_owned(), "unreadable"),
        (always("maybe"), "unreadable"),
        (always("'sat unsat'"), "unreadable"),
        (always("\"$(head -c 3000 /dev/urandom)\""), "unreadable"),
        (at_check("echo sat; echo sat"), "unreadable"),
        (at_check("echo '(error \"line 1 column 1: broken inside\")'; echo sat"), "rejected"),
    ] {
        for mode in ["process", "reset"] {
            let (code, figures) = hunt_fake(&behaviour, mode, 2, &[]);
            assert!(count(&figures, verdict) > 0, "{mode}, {behaviour}: {figures:#}");
            assert_eq!(count(&figures, "claim"), 0, "{mode}, {behaviour}: {figures:#}");
            assert_eq!(code, Some(3), "{mode}, {behaviour}: {figures:#}");
        }
    }
}

#[test]
fn errors_in_descriptions_have_positions() {
    let stage = Stage::new();
    stage.program("fake-solver", "#!/bin/sh\necho 'Z3 version 9.8.7'\n");
    let good = fake_description();
    let line_of = |text: &str, word: &str| text.lines().position(|line| line.contains(word)).unwrap() + 1;
    // The original text, its replacement, the line of the error, and a part of the message.
    for (old, new, line, message) in [
        ("[smt]", "[smt", "[smt", "expected"),
        ("incremental = true", "incremental = \"yes\"", "incremental", "expected a boolean"),
        ("incremental = true", "incremantal = true", "incremantal", "incremental"),
        ("echo = \"plain\"", "echo = \"loud\"", "echo = ", "plain"),
        ("(?<version>", "(?<version", "pattern = 'Z3", "expected a regular expression"),
        ("(?<version>", "(?<number>", "[version]", "(?<version>"),
        ("-T:{seconds}", "-T:{minutes}", "-T:{minutes}", "{seconds}"),
        ("name = \"fake\"", "name = \"Fake Solver\"", "name = \"Fake", "lower-case"),
        ("\"bitvectors\"", "\"bitvector\"", "\"bitvector\"", "did you mean `bitvectors`"),
    ] {
        let text = good.replacen(old, new, 1);
        assert_ne!(text, good, "{old} occurs in the description");
        stage.write("mistaken.toml", &text);
        let place = format!("./mistaken.toml:{}:", line_of(&text, line));
        for words in [&["analyzer", "check"][..], &["hunt", "--out", "out", "--cases", "1", "--analyzer"]] {
            let run = stage.exits(2, &[words, &["./mistaken.toml"]].concat());
            assert!(
                run.stderr.contains(&place) && run.stderr.contains(message),
                "{new}: {place} and `{message}`\n{run}"
            );
        }
    }
    let missing = good.replacen("homepage = ", "# homepage = ", 1);
    stage.write("mistaken.toml", missing);
    stage.refuses(&["analyzer", "check", "./mistaken.toml"], &["./mistaken.toml:", "homepage"]);
    stage.write("mistaken.toml", b"name = \"\xff\"");
    stage.refuses(&["analyzer", "check", "./mistaken.toml"], &["./mistaken.toml"]);
}

#[test]
fn unusable_output_directories_are_rejected() {
    let stage = hunted();
    stage.write("foreign/thesis.tex", "years of work");
    stage.write("file", "a file");
    fs::create_dir(stage.path("empty")).unwrap();
    let hunt = |out: &str, message: &[&str]| {
        stage.refuses(&["hunt", "--analyzer", "liar-smt", "--cases", "1", "--out", out], message);
    };
    hunt("foreign", &["foreign is not empty", "choose another --out"]);
    hunt("file", &["file", "choose another --out"]);
    hunt("file/below", &["file/below", "choose another --out"]);
    hunt("/proc/nowhere/out", &["/proc/nowhere/out", "choose another with --out"]);
    hunt("out", &["out already holds a campaign", "juvenal resume out"]);
    assert_eq!(fs::read_to_string(stage.path("foreign/thesis.tex")).unwrap(), "years of work");
    assert_eq!(fs::read_dir(stage.path("foreign")).unwrap().count(), 1, "nothing was added");
    let run = stage.hunt("empty", &[HONEST, TINY, &["--cases", "2"]]);
    assert_eq!(run.code, Some(0), "an empty directory is as good as a new one\n{run}");
    for directory in ["foreign", "file", "missing"] {
        for command in ["resume", "findings", "report", "judge"] {
            stage.refuses(&[command, directory], &[directory, "holds no campaign"]);
        }
    }
}

/// Runs a statement on the store of a campaign. Returns false if that is not possible on this machine.
fn change_store(stage: &Stage, statement: &str) -> bool {
    if !is_usable("python3", tool("python3", &["-c", "import sqlite3"]).status.success()) {
        return false;
    }
    let code =
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()";
    let output = tool("python3", &["-c", code, &stage.at("out/store.db"), statement]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    true
}

const READING: &[&[&str]] = &[&["findings", "out"], &["report", "out"], &["replay", "out", "F1"]];
const WORKING: &[&[&str]] = &[&["resume", "out"], &["judge", "out"], &["reduce", "out", "F1"]];

#[test]
fn a_campaign_of_another_version_is_left_alone() {
    let stage = hunted();
    if !change_store(&stage, "PRAGMA user_version=99") {
        return;
    }
    for words in [READING, WORKING].concat() {
        stage.refuses(words, &["newer juvenal", "format 99", "use that version"]);
    }
    assert!(change_store(&stage, "PRAGMA user_version=1"));
    for words in [READING, WORKING].concat() {
        stage.refuses(words, &["older juvenal", "format 1", "out/findings can be read"]);
    }
    assert!(change_store(&stage, &format!("PRAGMA user_version={}", store::FORMAT_VERSION)));
    stage.exits(0, &["findings", "out"]);
}

#[test]
fn a_damaged_campaign_file_is_named_and_findings_stay_readable() {
    for text in ["", "techniques = [", "\u{0}\u{1}", "juvenal = 3\n"] {
        let stage = hunted();
        stage.write("out/campaign.toml", text);
        for words in WORKING {
            stage.refuses(words, &["campaign.toml is damaged"]);
        }
        assert!(!stage.findings("out").is_empty());
        stage.exits(0, &["report", "out"]);
    }
}

/// Makes a damaged store of a good one.
type Damage = fn(Vec<u8>) -> Vec<u8>;

#[test]
fn a_damaged_store_is_named() {
    let damages: [(&str, Damage); 4] = [
        ("nonsense", |bytes| bytes.iter().map(|byte| byte.wrapping_mul(7).wrapping_add(3)).collect()),
        ("short", |bytes| bytes[..bytes.len() / 3].to_vec()),
        ("text", |_| b"this is no database, this is a letter\n".repeat(500)),
        ("holes", |mut bytes| {
            bytes.iter_mut().skip(4096).step_by(3).for_each(|byte| *byte = 0xaa);
            bytes
        }),
    ];
    for (name, damage) in damages {
        let stage = hunted();
        let path = stage.path("out/store.db");
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, damage(bytes)).unwrap();
        for words in [READING, WORKING].concat() {
            let run = stage.exits(2, words);
            assert!(run.stderr.contains("damaged"), "{name}: {words:?}\n{run}");
        }
        assert!(fs::read_dir(stage.path("out/findings")).unwrap().count() > 0, "{name}");
    }
}

#[test]
fn an_emptied_store_is_not_a_campaign() {
    let stage = hunted();
    fs::write(stage.path("out/store.db"), "").unwrap();
    for words in [READING, WORKING].concat() {
        stage.refuses(words, &["holds no complete campaign"]);
    }
}

#[test]
fn a_damaged_row_is_named() {
    let stage = hunted();
    if !change_store(&stage, "UPDATE findings SET body = x'01ff00ff' WHERE number = 1") {
        return;
    }
    for words in READING {
        stage.refuses(words, &["row of the store is damaged"]);
    }
}

/// A small file system that is unmounted on drop.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(stage: &Stage) -> Option<SmallDisk> {
        let path = stage.path("disk");
        fs::create_dir(&path).unwrap();
        let output = tool("mount", &["-t", "tmpfs", "-o", "size=24m", "tmpfs", path.to_str().unwrap()]);
        is_usable("mount", output.status.success()).then(|| SmallDisk(path))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        tool("umount", &[self.0.to_str().unwrap()]);
    }
}

/// The size of the small disk, in bytes.
const DISK: usize = 24 << 20;

#[test]
fn a_full_disk_loses_nothing_that_was_saved() {
    let stage = Stage::new();
    let Some(_disk) = SmallDisk::mount(&stage) else { return };
    let words = [&["--analyzer", "liar-smt", "--cases", "24"], SMALL].concat();
    stage.hunt("whole", &[&words]);
    // The free space is less than the campaign needs and runs out at a different point each time.
    for free in [400, 500, 600, 800, 1000, 1300] {
        let out = format!("disk/out-{free}");
        let ballast = stage.write("disk/ballast", vec![7u8; DISK - (free << 10)]);
        let run = stage.hunt(&out, &[&words]);
        assert_eq!(run.code, Some(2), "{free} KB: {run}");
        assert!(["full", "No space left"].iter().any(|word| run.stderr.contains(word)), "{free} KB: {run}");
        for word in ["make room", &format!("juvenal resume {out}")] {
            assert!(run.stderr.contains(word), "{free} KB: `{word}` is missing\n{run}");
        }
        stage.exits(0, &["findings", &out]);
        stage.exits(0, &["report", &out]);
        let again = stage.juvenal(&["resume", &out]);
        assert_eq!(again.code, Some(2), "{free} KB: still full\n{again}");
        fs::remove_file(ballast).unwrap();
        let resumed = stage.juvenal(&["resume", &out]);
        assert_eq!(resumed.code, Some(1), "{free} KB: {resumed}");
        assert_eq!(stage.essence(&out), stage.essence("whole"), "{free} KB");
        fs::remove_dir_all(stage.path(&out)).unwrap();
    }
}

#[test]
fn files_of_findings_that_could_not_be_written_are_written_after_resuming() {
    let stage = Stage::new();
    let words = [&["--analyzer", "liar-smt", "--cases", "24"], SMALL].concat();
    stage.hunt("whole", &[&words]);
    let mut running = stage.start(&[&["hunt", "--out", "out", "--json"][..], &words].concat());
    assert!(running.wait_for("\"event\":\"started\""));
    // A file replaces the directory of findings, so nothing can be written there.
    fs::rename(stage.path("out/findings"), stage.path("away")).unwrap();
    stage.write("out/findings", "in the way");
    let run = running.finish();
    assert_eq!(run.code, Some(2), "{run}");
    for word in ["out/findings", "juvenal resume out"] {
        assert!(run.stderr.contains(word), "`{word}` is missing\n{run}");
    }
    fs::remove_file(stage.path("out/findings")).unwrap();
    fs::rename(stage.path("away"), stage.path("out/findings")).unwrap();
    let resumed = stage.juvenal(&["resume", "out"]);
    assert_eq!(resumed.code, Some(1), "{resumed}");
    assert_eq!(stage.essence("out"), stage.essence("whole"));
}

#[test]
fn invalid_knobs_times_and_names_are_rejected() {
    let stage = Stage::new();
    for (words, message) in [
        (&["--set", "depth"][..], &["--set depth", "TECHNIQUE.KEY=VALUE"][..]),
        (&["--set", "satisfiable.deepness=3"], &["no knob `satisfiable.deepness`", "satisfiable.depth"]),
        (&["--set", "unsatisfiable.depth=3"], &["no knob `unsatisfiable.depth`"]),
        (&["--set", "satisfiable.depth=deep"], &["satisfiable.depth", "deep", "expected"]),
        (&["--set", "satisfiable.depth=-1"], &["satisfiable.depth", "-1", "expected"]),
        (&["--set", "satisfiable.instances=many"], &["satisfiable.instances", "many", "expected"]),
        (&["--set", "satisfiable.mode=fast"], &["satisfiable.mode", "fast", "process, reset, push"]),
        (&["--set", "satisfiable.tactics=maybe"], &["satisfiable.tactics", "on, off"]),
        (&["--set", "satisfiable.models=101"], &["satisfiable.models=101", "from 0 to 100"]),
        (&["--set", "satisfiable.instances=0"], &["satisfiable.instances=0", "at least 1"]),
        (&["--set", "debug_check.csmith=101"], &["debug_check.csmith=101", "from 0 to 100"]),
        (&["--set", "debug_check.size=0"], &["debug_check.size=0", "from 1 to 10000"]),
        (&["--set", "runtime.size=0"], &["runtime.size=0", "from 1 to 10000"]),
        (&["--set", "interrogation.rounds=0"], &["interrogation.rounds=0", "at least 1"]),
        (&["--set", "interrogation.doublings=13"], &["interrogation.doublings=13", "from 0 to 12"]),
        (&["--set", "interrogation.milliseconds=0"], &["interrogation.milliseconds=0", "from 1 to"]),
        (&["--set", "runtime.size=9"], &["--set runtime.size", "used: satisfiable"]),
        (&["satisfiable", "--set", "runtime.size=9"], &["--set runtime.size", "used: satisfiable"]),
        (&["--time", "10"], &["--time", "10s", "10m"]),
        (&["--time", "soon"], &["--time", "soon", "60s"]),
        (&["--time", "1d"], &["--time", "1d", "ms, s, m or h"]),
        (&["--time", "1.2.3s"], &["--time", "1.2.3s"]),
        (&["--time", ""], &["--time"]),
        (&["--time", "0s"], &["--time", "above zero"]),
        (&["--jobs", "0"], &["--jobs", "0 is not in"]),
        (&["--set", "depth=3"], &["no knob `depth`", "`satisfiable.depth`"]),
        (&["z3"], &["no technique `z3`", "to hunt the analyzer z3: ", "juvenal hunt --analyzer z3"]),
        (&["--time=-1s"], &["--time", "-1s"]),
        (&["--time", "99999999999999999999999999h"], &["--time"]),
        (&["--jobs", "-3"], &["-3"]),
        (&["--seed", "x"], &["--seed", "x"]),
        (&["--fail-on", "sometimes"], &["--fail-on", "soundness", "any", "never"]),
        (&["satisfyable"], &["no technique `satisfyable`", "satisfiable"]),
        (&["--frobnicate"], &["--frobnicate"]),
    ] {
        refused(&stage, &[HONEST, words].concat(), message);
    }
    stage.refuses(&["hunt", "--cases", "few", "--out", "out"], &["--cases", "few"]);
    stage.refuses(&["generate", "satisfyable"], &["no technique `satisfyable`"]);
    stage.refuses(&["hurt"], &["hurt", "hunt"]);
}

#[test]
fn extreme_knob_values_work() {
    let stage = Stage::new();
    for (knob, least) in [
        ("depth", "0"),
        ("assertions", "1"),
        ("length", "1"),
        ("constructed", "0"),
        ("instances", "1"),
        ("assignments", "1"),
        ("models", "0"),
        ("search", "0"),
    ] {
        let setting = format!("satisfiable.{knob}={least}");
        let run = stage.hunt(&format!("out-{knob}"), &[HONEST, TINY, &["--cases", "3", "--set", &setting]]);
        assert!(matches!(run.code, Some(0 | 3)), "{setting}: {run}");
    }
}

#[test]
fn an_analyzer_given_by_path_must_be_named_again() {
    let stage = Stage::new();
    let fake = stage.fake(&always("unsat"));
    let program = format!("z3={}", stage.at("bin/fake-solver"));
    for (out, analyzer) in [("by-file", fake.as_str()), ("by-path", program.as_str())] {
        let words = ["--analyzer", analyzer, "--cases", "1", "--set", "satisfiable.mode=process"];
        let run = stage.hunt(out, &[&words, TINY]);
        assert_eq!(run.code, Some(1), "{run}");
        for words in [&["resume", out][..], &["replay", out, "F1"], &["reduce", out, "F1"], &["judge", out]] {
            stage.refuses(words, &["name it again with --analyzer"]);
        }
        stage.exits(1, &["resume", out, "--analyzer", analyzer, "--cases", "2"]);
        stage.exits(1, &["replay", out, "F1", "--analyzer", analyzer]);
    }
}

#[test]
fn a_program_given_by_path_is_not_replaced_by_another_of_the_same_version() {
    let stage = Stage::new();
    stage.fake(&always("unsat"));
    let program = format!("z3={}", stage.at("bin/fake-solver"));
    let words = ["--analyzer", &program, "--cases", "1", "--set", "satisfiable.mode=process"];
    let run = stage.hunt("out", &[&words, TINY]);
    assert_eq!(run.code, Some(1), "{run}");
    fs::copy(stage.path("bin/fake-solver"), stage.path("bin/z3")).unwrap();
    stage.refuses(&["resume", "out", "--cases", "2"], &["name it again with --analyzer"]);
    stage.refuses(&["replay", "out", "F1"], &["name it again with --analyzer"]);
}

#[test]
fn a_relative_path_of_a_program_works() {
    let stage = Stage::new();
    stage.fake(&always("unsat"));
    for analyzer in ["z3=bin/fake-solver", "z3=./bin/fake-solver", "./fake.toml"] {
        let out = format!("out-{}", analyzer.len());
        let words = ["--analyzer", analyzer, "--cases", "1", "--set", "satisfiable.mode=process"];
        let run = stage.hunt(&out, &[&words, TINY]);
        assert_eq!(run.code, Some(1), "{analyzer}: {run}");
        let row = &stage.findings(&out)[0];
        let script = stage.path(row["path"].as_str().unwrap()).join("replay.sh");
        let shown = tool("sh", &[script.to_str().unwrap()]);
        assert!(
            String::from_utf8_lossy(&shown.stdout).contains("unsat"),
            "{analyzer}: replay.sh says {shown:?}"
        );
    }
}

#[test]
fn a_program_next_to_its_description_is_found_from_any_directory() {
    let stage = Stage::new();
    stage.fake(&always("unsat"));
    let text = fake_description().replace("\"fake-solver\"", "\"../bin/fake-solver\"");
    stage.write("mine/fake.toml", text);
    for words in [&["analyzer", "check", "mine/fake.toml"][..], &["analyzer", "check", "./mine/fake.toml"]] {
        let run = stage.exits(1, words);
        assert!(run.stdout.contains("FAILED Boolean, sat (process): expected sat, got unsat\n"), "{run}");
        assert!(run.stdout.contains("ok     Boolean, unsat (process)\n"), "{run}");
    }
    fs::remove_file(stage.path("bin/fake-solver")).unwrap();
    let missing = ["fake is not installed", "bin/fake-solver", "--analyzer ./mine/fake.toml=/path"];
    stage.refuses(&["analyzer", "check", "./mine/fake.toml"], &missing);
}

#[test]
fn a_path_can_be_given_for_a_description_file() {
    let stage = Stage::new();
    stage.fake(&always("unsat"));
    stage.write("fake.toml", fake_description().replace("\"fake-solver\"", "\"nowhere\""));
    stage.refuses(&["analyzer", "check", "./fake.toml"], &["--analyzer ./fake.toml=/path"]);
    let run = stage.exits(1, &["analyzer", "check", "./fake.toml=bin/fake-solver"]);
    assert!(run.stdout.contains("fake@9.8.7 at "), "{run}");
}

#[test]
fn a_program_without_a_version_is_not_reported_as_missing() {
    let stage = Stage::new();
    stage.program("z3", "#!/bin/sh\necho 'Zed-three, of course'\n");
    let words = ["/z3 --version` prints `Zed-three, of course`", "does not match"];
    refused(&stage, &["--analyzer", "z3"], &words);
    refused(&stage, &["--analyzer", "z3@4.8.8"], &words);
    let doctor = stage.exits(0, &["doctor"]).stdout;
    let line = doctor.lines().find(|line| line.starts_with("z3 ")).unwrap();
    assert!(line.contains("unusable") && line.contains(words[0]), "{doctor}");
}

#[test]
fn analyzers_with_the_same_id_are_distinguished_or_used_once() {
    let stage = Stage::new();
    stage.fake(&always("unsat"));
    fs::copy(stage.path("bin/fake-solver"), stage.path("bin/z3")).unwrap();
    fs::copy(stage.path("bin/fake-solver"), stage.path("bin/other")).unwrap();
    let same_name = fake_description().replace("name = \"fake\"", "name = \"z3\"") + "\n# Another text.\n";
    stage.write("mine.toml", same_name);
    for words in [
        &["--analyzer", "./mine.toml"][..],
        &["--analyzer", "./mine.toml", "--witness", "z3"],
        &["--analyzer", "z3", "--analyzer", "./mine.toml"],
    ] {
        refused(&stage, words, &["are called z3@9.8.7", "different descriptions", "choose another name"]);
    }
    let other = ["--analyzer", "z3=bin/z3", "--analyzer", "z3=bin/other"];
    refused(&stage, &other, &["two programs have the identity z3@9.8.7", "bin/other"]);
    let twice = ["--analyzer", "z3", "--analyzer", "z3@9.8.7", "--cases", "1", "--json"];
    let run = stage.hunt("out", &[&twice, TINY]);
    assert!(run.stdout.contains("\"analyzers\":[\"z3@9.8.7\"]"), "{run}");
    // A program given by path replaces the one that was found.
    let run = stage.hunt("by-path", &[&["--analyzer", "z3=bin/other", "--cases", "1"], TINY]);
    assert_eq!(run.code, Some(1), "{run}");
}

#[test]
fn analyzers_without_a_wheel_are_not_installed_with_pip() {
    let stage = Stage::new();
    for (name, words) in [("mathsat", "https://mathsat.fbk.eu"), ("boolector", "apt-get install boolector")] {
        let run = stage.exits(2, &["analyzer", "install", name]);
        assert!(run.stderr.contains(words) && !run.stdout.contains("pip"), "{run}");
    }
}
