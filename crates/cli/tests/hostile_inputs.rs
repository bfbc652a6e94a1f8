//! Hostile inputs: what others wrote is shown as text, what is no file is refused, and juvenal can always be stopped.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod stage;

use stage::lines;
use stage::{SMALL, Stage, TINY, at_check, fake_description, tool};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::process::{Command, Output, Stdio};
use test_support::{has, skip_without};

const GOOD: &str =
    "(set-logic QF_LIA)\n(declare-fun x () Int)\n(assert (< 0 x))\n(assert (< x 9))\n(check-sat)\n";

/// A code that clears the screen, one that sets the title of the window, a C1 code, a change of the direction of writing,
/// and letters without a width.
const EVIL: &str = "\x1b[2J\x1b]0;owned\x07\u{9b}31m\u{202e}\u{2066}\u{200b}\u{e0041}\x7f\r";

/// True if a character must not reach a terminal.
fn is_evil(c: char) -> bool {
    let is_control = c.is_control() && c != '\n' && c != '\t';
    let turns =
        matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    is_control
        || turns
        || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2028}'..='\u{2029}' | '\u{e0000}'..='\u{e0fff}')
}

fn require_harmless(what: &str, output: &Output) {
    for bytes in [&output.stdout, &output.stderr] {
        let text = std::str::from_utf8(bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
        let evil = text.lines().find(|line| line.contains(is_evil));
        assert_eq!(evil.map(str::escape_debug).map(|it| it.to_string()), None, "{what}");
        assert!(!text.contains("panicked"), "{what}: {text}");
    }
}

/// Runs juvenal with these words, and requires that it prints nothing evil.
fn run(stage: &Stage, words: &[&OsStr]) -> Output {
    let output = stage.command(&[]).args(words).output().unwrap();
    require_harmless(&format!("{words:?}"), &output);
    output
}

fn words<'a>(texts: &[&'a str]) -> Vec<&'a OsStr> {
    texts.iter().copied().map(OsStr::new).collect()
}

/// A stage with a wrong solver whose description, version and output are evil.
fn evil_stage() -> (Stage, String) {
    let stage = Stage::new();
    let octal: String = EVIL.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    let behaviour = at_check(&format!("echo unsat; printf '{octal}\\n' >&2"));
    let description = stage.fake(&behaviour);
    let program = fs::read_to_string(stage.path("bin/fake-solver")).unwrap();
    let version = format!("printf 'Z3 version 9.8.7{octal}\\n'");
    stage.program("fake-solver", &program.replace("echo \"Z3 version 9.8.7 - fake\"", &version));
    let escapes: String = EVIL.chars().map(|c| format!("\\U{:08x}", u32::from(c))).collect();
    let text = fake_description()
        .replace("title = \"Z3\"", &format!("title = \"Z3{escapes}\""))
        .replace("notes = [", &format!("notes = [\n  \"{escapes}\","))
        .replace(r"(?<version>\d+\.\d+[\w.]*)", "(?<version>.*)");
    stage.write("fake.toml", text);
    (stage, description)
}

#[test]
fn nothing_evil_is_printed_by_any_subcommand() {
    let (stage, description) = evil_stage();
    fs::create_dir(stage.path("seeds")).unwrap();
    for (name, text) in [
        (format!("good{EVIL}.smt2").into_bytes(), GOOD),
        (format!("two\nlines{EVIL}.smt2").into_bytes(), "(assert"),
        (b"\xff\x1b[31m.smt2".to_vec(), "(assert |\x1b]0;x\x07|)"),
    ] {
        fs::write(stage.path("seeds").join(OsString::from_vec(name)), text).unwrap();
    }
    // `doctor` quotes what a program prints instead of its version.
    let octal: String = EVIL.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    stage.program("z3", &format!("#!/bin/sh\nprintf '{octal}\\n'\n"));
    stage.write("evil.toml", format!("name = \"{EVIL}\"\n"));
    lines::prepare(&stage, "echo \"$name:1: rule: message\"");
    stage.write("seeds-c/evil.c", format!("#error {EVIL}\n"));
    stage.write("seeds-c/evil.yml", format!("input_files: 'a{EVIL}.c'\n"));
    let hunt = ["--analyzer", &description, "--cases", "3", "--seeds", "seeds"];
    for (out, more) in [("out", &[][..]), ("events", &["--json"])] {
        let output =
            run(&stage, &words(&[&["hunt", "satisfiable", "--out", out], &hunt[..], more, TINY].concat()));
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    }
    for (code, texts) in [
        (0, &["findings", "out"][..]),
        (0, &["findings", "out", "--json"]),
        (0, &["findings", "out", "F1"]),
        (0, &["findings", "out", "F1", "--json"]),
        (0, &["report", "out"]),
        (0, &["report", "out", "--format", "json"]),
        (1, &["replay", "out", "F1", "--analyzer", &description]),
        (0, &["reduce", "out", "F1", "--candidates", "5", "--analyzer", &description]),
        (0, &["judge", "out", "--analyzer", &description]),
        (1, &["resume", "out", "--analyzer", &description]),
        (2, &["replay", "out", "F1"]),
        (1, &["analyzer", "check", &description]),
        (2, &["analyzer", "check", "./evil.toml"]),
        (0, &["analyzer", "list"]),
        (0, &["doctor"]),
        (0, &["explain"]),
        (2, &["explain", EVIL]),
        (2, &["findings", EVIL]),
        (2, &["findings", "out", EVIL]),
        (2, &["report", EVIL]),
        (2, &["hunt", EVIL]),
        (2, &["hunt", "--seeds", EVIL]),
        (2, &["hunt", "--analyzer", EVIL]),
        (2, &["hunt", "--set", EVIL]),
        (2, &["hunt", "--time", EVIL]),
        (2, &["hunt", "--jobs", EVIL]),
        (2, &["hunt", &format!("--{EVIL}")]),
        (2, &[EVIL]),
        (2, &["compare", "--where", EVIL, "out"]),
        (2, &["analyzer", "install", EVIL]),
        (2, &["built-in", EVIL]),
        (2, &["split", "--tool", EVIL]),
        (2, &["split", "--tool", "./evil.toml"]),
        (2, &["split", "--tool", &format!("ruff={EVIL}")]),
        (2, &["split", "--tool", "./lines.toml", "--root", EVIL]),
        (2, &["split", "--tool", "./lines.toml", "--exclude", &format!("{EVIL}[")]),
        (2, &["split", "--tool", "./lines.toml", "--max-size", EVIL]),
        (2, &["tune", EVIL]),
        (2, &["tune", "--analyzer", EVIL]),
        (2, &["tune", "--analyzer", &format!("z3:@{EVIL}")]),
        (2, &["tune", "--analyzer", &description, "--vary", EVIL]),
        (2, &["tune", "--analyzer", &description, "--seeds", EVIL]),
        (2, &["generate", "satisfiable", "--seeds", EVIL]),
        (2, &["generate", "interrogation", "--count", "1", "--seeds", "seeds-c"]),
    ] {
        let output = run(&stage, &words(texts));
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{texts:?}: {printed}");
    }
    let not_text = OsStr::from_bytes(b"\xff\x1b[31m");
    assert_eq!(run(&stage, &[OsStr::new("report"), not_text]).status.code(), Some(2));
    // The files of the finding are read in terminals, too.
    let readme = stage.findings("out")[0]["path"].as_str().unwrap().to_owned() + "/README.md";
    let text = fs::read_to_string(stage.path(&readme)).unwrap();
    assert!(text.contains("\\u{1b}[2J") && !text.contains(is_evil), "{text}");
}

#[test]
fn an_analysis_in_parts_shows_evil_names_and_messages_as_text() {
    let stage = Stage::new();
    let octal: String = EVIL.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    lines::prepare(&stage, &format!("printf \"$name:1: rule{octal}: message{octal}\\n\""));
    // Names with control characters cannot be given to a tool; those with other hidden characters can.
    let hidden = "\u{202e}\u{2066}\u{200b}\u{e0041}";
    for name in [format!("m{EVIL}.py"), format!("n{hidden}.py"), "plain.py".to_owned()] {
        stage.write(&format!("project/{name}"), "# a line\n");
    }
    let split = ["split", "--tool", "./lines.toml", "--root", "project", "--out", "out", "--frontier"];
    for more in [&[][..], &["--json"]] {
        let output = run(&stage, &words(&[&split, more].concat()));
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    run(&stage, &words(&["resume", "out"]));
    for name in ["report.txt", "report.json", "report.sarif", "parts.json", "split.html", "frontier.csv"] {
        let text = fs::read_to_string(stage.path("out").join(name)).unwrap().replace("\r\n", "\n");
        assert!(!text.contains(is_evil), "{name}: {}", text.escape_debug());
    }
    let parts = fs::read_to_string(stage.path("out/parts.json")).unwrap();
    assert!(parts.contains("\\u202e") && parts.contains("\\u001b"), "{parts}");
}

#[test]
fn programs_for_a_search_that_are_no_files_are_refused_with_their_names() {
    let stage = Stage::new();
    let description = stage.fake(&stage::always("unknown"));
    make_pipe(&stage, "pipe.smt2");
    symlink("/dev/zero", stage.path("zeros.smt2")).unwrap();
    make_pipe(&stage, "recipe.toml");
    let tune = ["tune", "--analyzer", &description, "--out", "out"];
    for name in ["pipe.smt2", "zeros.smt2"] {
        stage.refuses(
            &[&tune[..], &["--seeds", name]].concat(),
            &[name, "neither a file nor a directory of seeds"],
        );
    }
    let with_recipe = format!("{description}:@recipe.toml");
    stage.refuses(&["tune", "--analyzer", &with_recipe], &["recipe.toml", "a named pipe"]);
    stage.refuses(&["tune", "--analyzer", "z3:@/dev/zero"], &["/dev/zero", "a device"]);
}

#[test]
fn a_comparison_shows_evil_names_as_text() {
    let (stage, description) = evil_stage();
    stage.write(&format!("seeds/{EVIL}.smt2"), GOOD);
    let compare = ["compare", "--out", "out", "--seeds", "seeds", "--analyzer", "liar-smt:lie=none"];
    let output = run(&stage, &words(&[&compare[..], &["--analyzer", &description]].concat()));
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    for more in [&["--json"][..], &["--check", "1"], &["--where", "A=unsat"]] {
        run(&stage, &words(&[&["compare", "out", "--analyzer", &description], more].concat()));
    }
    for name in ["checks.csv", "matrices.csv", "compare.html"] {
        let text = fs::read_to_string(stage.path("out").join(name)).unwrap().replace("\r\n", "\n");
        assert!(!text.contains(is_evil), "{name}: {}", text.escape_debug());
    }
}

fn make_pipe(stage: &Stage, name: &str) {
    assert!(tool("mkfifo", &[&stage.at(name)]).status.success());
}

#[test]
fn what_is_no_regular_file_is_refused_with_its_name() {
    let stage = Stage::new();
    stage.write("seeds/good.smt2", GOOD);
    make_pipe(&stage, "seeds/pipe.smt2");
    symlink("/dev/zero", stage.path("seeds/zeros.smt2")).unwrap();
    symlink("circle.smt2", stage.path("seeds/circle.smt2")).unwrap();
    symlink("..", stage.path("seeds/upwards")).unwrap();
    let _listener = UnixListener::bind(stage.path("seeds/socket.smt2")).unwrap();
    File::create(stage.path("seeds/huge.smt2")).unwrap().set_len(1 << 40).unwrap();
    let honest = ["--analyzer", "liar-smt:lie=none"];
    let run = stage.hunt("out", &[&honest, &["satisfiable", "--cases", "6", "--seeds", "seeds"], TINY]);
    assert_eq!(run.code, Some(0), "{run}");
    let figures = stage.statistics("out");
    for (reason, count) in
        [("the seed is not a regular file", 3), ("the seed is too large", 1), ("the seed is unreadable", 1)]
    {
        assert_eq!(figures["skipped"][reason], count, "{reason}\n{figures:#}");
    }
    assert!(run.stdout.contains("pipe.smt2: it is a named pipe, not a regular file"), "{run}");
    assert!(run.stdout.contains("huge.smt2: it has more than 16 MB"), "{run}");

    for name in ["seeds/pipe.smt2", "seeds/zeros.smt2", "seeds/socket.smt2"] {
        stage.refuses(&["hunt", "--seeds", name], &[name, "neither a file nor a directory of seeds"]);
    }
    make_pipe(&stage, "pipe.toml");
    stage.refuses(&["hunt", "--analyzer", "./pipe.toml"], &["the description ./pipe.toml", "a named pipe"]);
    symlink("/dev/zero", stage.path("zeros.toml")).unwrap();
    stage.refuses(&["analyzer", "check", "./zeros.toml"], &["./zeros.toml", "a device"]);
    stage.refuses(&["analyzer", "check", &format!("z3={}", stage.at("pipe.toml"))], &["pipe.toml"]);
    stage.refuses(&["reduce", "out", "F1", "--candidate", "pipe.toml"], &["pipe.toml", "a named pipe"]);
}

#[test]
fn tasks_and_facts_that_are_no_files_are_skipped_with_their_names() {
    let stage = Stage::new();
    stage.write("tasks/pipe.yml", "input_files: ../pipe.c\n");
    make_pipe(&stage, "pipe.c");
    make_pipe(&stage, "tasks/task.yml");
    let run = stage.juvenal(&["generate", "interrogation", "--count", "2", "--seeds", "tasks"]);
    for words in ["pipe.c: it is a named pipe", "task.yml: it is a named pipe"] {
        assert!(run.stderr.contains(words), "`{words}` is missing\n{run}");
    }
    stage.write("facts/program.dl", ".decl a(x:number)\n.input a\n.output a\n");
    make_pipe(&stage, "facts/a.facts");
    let run = stage.juvenal(&["generate", "precedence_graph", "--count", "1", "--seeds", "facts"]);
    assert!(run.stderr.contains("a.facts: it is a named pipe"), "{run}");
}

#[test]
fn a_temporary_directory_that_cannot_be_used_is_an_error() {
    let stage = Stage::new();
    stage.write("file", "no directory");
    for (name, sentence) in
        [("missing", "set TMPDIR to a directory that exists"), ("file", "is not a directory")]
    {
        let output = stage.command(&["doctor"]).env("TMPDIR", stage.path(name)).output().unwrap();
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{printed}");
        for words in ["TMPDIR", name, sentence] {
            assert!(printed.contains(words), "`{words}` is missing: {printed}");
        }
    }
    assert!(!stage.path("missing").exists(), "it was created");
}

/// Finishes a hunt in `out` of a liar that is caught in most cases.
fn hunted() -> Stage {
    let stage = Stage::new();
    let run = stage.hunt("out", &[&["--analyzer", "liar-smt", "--cases", "8"], SMALL]);
    assert_eq!(run.code, Some(1), "{run}");
    stage
}

#[test]
fn a_full_or_closed_standard_output_is_no_panic() {
    let stage = hunted();
    for texts in [
        &["findings", "out"][..],
        &["findings", "out", "F1"],
        &["report", "out"],
        &["judge", "out"],
        &["explain"],
        &["doctor"],
        &["--help"],
        &["generate", "satisfiable", "--count", "2"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = stage.command(texts).stdout(full).output().unwrap();
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{texts:?}: {printed}");
        assert!(printed.contains("No space left on device") && !printed.contains("panicked"), "{printed}");

        let mut child = stage.command(texts).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{texts:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{texts:?}");
    }
}

#[test]
fn a_limit_on_the_size_of_files_ends_with_a_sentence_and_the_campaign_continues() {
    let stage = hunted();
    for blocks in [64, 400, 700] {
        let out = format!("out-{blocks}");
        // The shell starts juvenal with the limit, in blocks of 512 or 1024 bytes.
        let command = stage.command(&[]);
        let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut limited = Command::new("/bin/sh");
        limited.args(["-c", &script]).arg(command.get_program());
        limited.args(["hunt", "--out", &out, "--analyzer", "liar-smt", "--cases", "8"]).args(SMALL);
        limited.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        limited.current_dir(stage.path(""));
        let output = limited.output().unwrap();
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{blocks}: {:?} {printed}", output.status);
        if stage.path(&out).join("campaign.toml").exists() {
            for words in ["all saved results are intact", "`ulimit -f`", &format!("resume {out}")] {
                assert!(printed.contains(words), "`{words}` is missing: {printed}");
            }
            let resumed = stage.juvenal(&["resume", &out]);
            assert_eq!(resumed.code, Some(1), "{resumed}");
            assert_eq!(stage.essence(&out), stage.essence("out"), "{blocks}");
        }
    }
}

#[test]
fn a_full_disk_ends_with_a_sentence_and_the_campaign_continues() {
    const NOT_HERE: i32 = 77;
    let stage = hunted();
    fs::create_dir(stage.path("small")).unwrap();
    let script = "/bin/mount -t tmpfs -o size=400k none small || exit 77; \"$0\" hunt --out small/out \"$@\"; first=$?; \
                  /bin/mount -o remount,size=64m small; \"$0\" resume small/out; second=$?; /bin/cp -r small/out kept; \
                  exit $((10 * first + second))";
    let command = stage.command(&[]);
    let mut full = Command::new("/usr/bin/unshare");
    full.args(["--user", "--map-root-user", "--mount", "/bin/sh", "-c", script]).arg(command.get_program());
    full.args(["--analyzer", "liar-smt", "--cases", "8"]).args(SMALL);
    full.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    full.current_dir(stage.path(""));
    let output = full.output().unwrap();
    let printed = String::from_utf8_lossy(&output.stderr);
    if output.status.code().is_none_or(|code| code == 1 || code == NOT_HERE) {
        return skip_without("unprivileged", format!("a small disk cannot be mounted: {printed}"));
    }
    assert_eq!(output.status.code(), Some(21), "{printed}");
    assert!(printed.contains("resume small/out"), "{printed}");
    assert_eq!(stage.essence("kept"), stage.essence("out"));
}

#[test]
fn one_signal_ends_a_hunt_whose_solver_never_answers() {
    for signal in ["TERM", "INT"] {
        let stage = Stage::new();
        make_pipe(&stage, "began");
        let description = stage.fake(&at_check(&format!("echo > {}; sleep 1000000", stage.at("began"))));
        let hunt = ["hunt", "satisfiable", "--out", "out", "--jobs", "1", "--cases", "3"];
        let running = stage.start(&[&hunt[..], &["--analyzer", &description], TINY].concat());
        // Reading ends when the solver has written, which it does when it is asked.
        fs::read(stage.path("began")).unwrap();
        running.signal(signal);
        let run = running.finish();
        assert_eq!(run.code, Some(3), "{run}");
        assert!(run.stdout.contains("interrupted"), "{run}");
        // The query neither ran into its time limit nor was it recorded.
        assert_eq!(stage.statistics("out")["verdicts"].to_string().matches("limit").count(), 0, "{run}");
        assert_eq!(stage.report("out")["answers"], 0, "{run}");
    }
}

#[test]
fn one_signal_ends_a_hunt_that_preprocesses_for_ever() {
    if !has("gcc") {
        return;
    }
    let stage = Stage::with_solvers();
    stage.write("seeds/endless.c", "#include \"endless.h\"\nint main(void) { return 0; }\n");
    make_pipe(&stage, "seeds/endless.h");
    let running = stage.start(&[
        "hunt",
        "interrogation",
        "--out",
        "out",
        "--cases",
        "1",
        "--analyzer",
        "liar-c",
        "--seeds",
        "seeds",
    ]);
    // Opening a pipe for writing ends when the compiler has opened it for reading.
    let _writer = File::options().write(true).open(stage.path("seeds/endless.h")).unwrap();
    running.signal("TERM");
    let run = running.finish();
    assert_eq!(run.code, Some(3), "{run}");
    assert!(run.stdout.contains("interrupted") && !run.stdout.contains("Skipped"), "{run}");
}

/// A Datalog rule with so many literals that rewriting it takes far longer than the hunt may.
fn endless_rule() -> String {
    const LITERALS: usize = 200_000;
    let body: Vec<String> = (0..LITERALS).map(|index| format!("e(x{index}, x{})", index + 1)).collect();
    let declarations = ".decl e(a: number, b: number)\n.decl p(a: number, b: number)\n.output p\n";
    format!("{declarations}e(1, 2).\np(x0, x{LITERALS}) :- {}.\n", body.join(", "))
}

#[test]
fn time_and_signals_end_a_hunt_in_the_middle_of_its_own_work() {
    for (technique, analyzer, name, text) in [
        ("precedence_graph", "liar-datalog", "seeds/endless.dl", endless_rule()),
        ("satisfiable", "liar-smt:lie=none", "seeds/endless.smt2", endless_calls()),
    ] {
        let hunt =
            ["hunt", technique, "--out", "out", "--jobs", "1", "--analyzer", analyzer, "--seeds", "seeds"];
        for end in [&["--time", "1s"][..], &[]] {
            let stage = Stage::new();
            stage.write(name, &text);
            let mut running = stage.start(&[&hunt[..], end].concat());
            if end.is_empty() {
                assert!(running.wait_for("Hunting"));
                running.signal("TERM");
            }
            let run = running.finish();
            assert!(run.stdout.contains("unfinished case") || run.stdout.contains("interrupted"), "{run}");
            assert!(!run.stderr.contains("overflow"), "{run}");
        }
    }
}

/// A script whose value takes more calls than can be made: each function calls the one before twice.
fn endless_calls() -> String {
    let functions = (0..60)
        .map(|number| format!("(define-fun f{} ((y Int)) Int (f{number} (f{number} y)))\n", number + 1));
    let first = "(declare-const x Int)\n(define-fun f0 ((y Int)) Int (+ y 3))\n";
    let asserts = "(assert (> (f60 x) 0))\n".to_owned();
    format!("{first}{}{asserts}(check-sat)\n", functions.collect::<String>())
}
