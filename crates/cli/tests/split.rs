//! `juvenal split`: what is planted at a known distance is found exactly as far as parts reach, tools that fail lose nothing
//! but their own part, and the user's sources are never touched.
#![allow(
    clippy::disallowed_methods,
    reason = "the tests run juvenal itself, a tool of their own, and real tools"
)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use serde_json::Value;
use stage::planted::{DESCRIPTION, TOOL, stage};
use stage::{Run, Stage};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use test_support::is_usable;

fn words<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["split", "--tool", "./planted.toml", "--root", "project", "--out", "out", "--jobs", "2"], more]
        .concat()
}

fn split(stage: &Stage, code: i32, more: &[&str]) -> Run {
    stage.exits(code, &words(more))
}

fn report(stage: &Stage) -> Value {
    serde_json::from_slice(&fs::read(stage.path("out/report.json")).unwrap()).unwrap()
}

/// The files that have results.
fn found(stage: &Stage) -> BTreeSet<String> {
    let report = report(stage);
    let results = report["merged"]["report"]["results"].as_array().unwrap().clone();
    results.iter().map(|result| result["place"]["file"].as_str().unwrap().to_owned()).collect()
}

/// For each distance a chain of modules, of which the last has a flaw: `c2_0` imports `c2_1`, which imports `c2_2`.
fn chains(stage: &Stage, longest: u32) {
    for length in 0..=longest {
        for at in 0..=length {
            let text =
                if at == length { "# FLAW\n".to_owned() } else { format!("import c{length}_{}\n", at + 1) };
            stage.write(&format!("project/c{length}_{at}.py"), text);
        }
    }
}

fn names(of: impl IntoIterator<Item = (u32, u32)>) -> BTreeSet<String> {
    of.into_iter().map(|(length, at)| format!("c{length}_{at}.py")).collect()
}

#[test]
fn a_flaw_is_found_exactly_as_far_as_parts_reach() {
    let Some(stage) = stage() else { return };
    chains(&stage, 5);
    let all = || (0..=5).flat_map(|length| (0..=length).map(move |at| (length, at)));
    for radius in [0, 1, 2, 3, 5] {
        // The baseline takes files by name, so that only the radius decides what a part has.
        let words = ["--way", "isolated", "--strategy", "split-merge", "--max-size", "6 files"];
        let radius_text = radius.to_string();
        let more = [&words[..], &["--radius", &radius_text, "--compare-whole", "--recut", "--json"]].concat();
        split(&stage, 0, &more);
        let reached = names(all().filter(|(length, at)| length - at <= radius));
        assert!(found(&stage).is_superset(&reached), "radius {radius}: {:?}", found(&stage));
        let counts = &report(&stage)["loss"]["counts"];
        let number = |name: &str| counts[name].as_u64().unwrap();
        assert_eq!(number("found") + number("lost"), all().count() as u64, "radius {radius}: {counts}");
        assert_eq!(number("found"), found(&stage).len() as u64, "radius {radius}: {counts}");
        assert_eq!(
            (number("new"), number("lost")),
            (0, number("lost-explained")),
            "radius {radius}: {counts}"
        );
    }
    assert_eq!(found(&stage), names(all()));
    split(&stage, 0, &["--way", "in-place", "--parts", "4"]);
    assert_eq!(found(&stage), names(all()));
}

#[test]
fn a_part_without_its_dependencies_finds_only_what_is_near() {
    let Some(stage) = stage() else { return };
    chains(&stage, 3);
    split(&stage, 0, &["--way", "isolated", "--max-size", "1 file", "--compare-whole"]);
    assert_eq!(found(&stage), names([(0, 0), (1, 1), (2, 2), (3, 3)]));
    let report = report(&stage);
    let lost = report["loss"]["lost"].as_array().unwrap();
    let distance = |file: &str| {
        let difference = lost.iter().find(|it| it["result"]["place"]["file"] == file).unwrap();
        (
            difference["cut"]["from"].as_str().unwrap().to_owned(),
            difference["cut"]["distance"].as_u64().unwrap(),
        )
    };
    assert_eq!(distance("c3_0.py"), ("c3_0.py".to_owned(), 1));
    assert!(report["loss"]["counts"]["lost"] == 6, "{report}");
}

#[test]
fn only_parts_that_changed_are_analyzed_again() {
    let Some(stage) = stage() else { return };
    chains(&stage, 4);
    for (way, changed) in [("in-place", "c3_2.py"), ("isolated", "c3_2.py")] {
        let more = ["--way", way, "--max-size", "4 files", "--recut"];
        split(&stage, 0, &more);
        let before = report(&stage);
        stage.write(&format!("project/{changed}"), "# another comment\nimport c3_3\n");
        split(&stage, 0, &more[..4]);
        let after = report(&stage);
        assert_eq!(before["merged"], after["merged"], "{way}");
        let parts = after["parts"].as_array().unwrap();
        let fresh = parts.iter().filter(|part| part["is-recorded"] == false).count();
        assert!(fresh > 0 && fresh < parts.len(), "{way}: {fresh} of {}", parts.len());
        split(&stage, 0, &more[..4]);
        let again = report(&stage);
        assert!(again["parts"].as_array().unwrap().iter().all(|part| part["is-recorded"] == true), "{way}");
        stage.write(&format!("project/{changed}"), "import c3_3\n");
    }
}

#[test]
fn another_reader_reads_transcripts_again_and_another_program_runs() {
    let Some(stage) = stage() else { return };
    chains(&stage, 2);
    // A confined tool could not write the count.
    let more = ["--trust-project", "--way", "in-place", "--parts", "3", "--", "--count"];
    let runs = || fs::read_to_string(stage.path("runs")).unwrap().lines().count();
    let messages = || -> BTreeSet<String> {
        let report = report(&stage);
        let results = report["merged"]["report"]["results"].as_array().unwrap().clone();
        results.iter().map(|result| result["message"].as_str().unwrap().to_owned()).collect()
    };
    split(&stage, 0, &more);
    let (parts, first) = (runs(), messages());
    assert!(parts > 1 && first.contains("a flaw at distance 1"), "{first:?}");
    stage.write("planted.toml", DESCRIPTION.replace("message = \"/text\"", "message = \"/code\""));
    for _ in 0..2 {
        split(&stage, 0, &more);
        assert_eq!((runs(), messages()), (parts, BTreeSet::from(["flaw".to_owned()])));
        assert!(report(&stage)["parts"].as_array().unwrap().iter().all(|part| part["is-recorded"] == true));
    }
    stage.write("planted.toml", DESCRIPTION);
    split(&stage, 0, &more);
    assert_eq!((runs(), messages()), (parts, first.clone()));
    stage.program("planted", &TOOL.replace("a flaw at distance", "a fault at distance"));
    split(&stage, 0, &more);
    assert_eq!(runs(), 2 * parts, "the same version, but another program");
    assert!(messages().contains("a fault at distance 1"), "{:?}", messages());
    stage.program("planted", TOOL);
    split(&stage, 0, &more);
    assert_eq!((runs(), messages()), (2 * parts, first), "the first program is known");
}

#[test]
fn a_description_that_asks_for_something_else_runs_the_tool() {
    let Some(stage) = stage() else { return };
    chains(&stage, 1);
    let more = ["--trust-project", "--parts", "1", "--", "--count"];
    split(&stage, 0, &more);
    let arguments = "arguments = [\"{options}\", \"--\", \"{file}\"]";
    let changed =
        DESCRIPTION.replace(arguments, "arguments = [\"--new\", \"{options}\", \"--\", \"{file}\"]");
    assert_ne!(changed, DESCRIPTION);
    stage.write("planted.toml", changed);
    split(&stage, 0, &more);
    assert_eq!(fs::read_to_string(stage.path("runs")).unwrap().lines().count(), 2);
}

#[test]
fn commands_for_campaigns_refuse_the_directory_with_advice() {
    let Some(stage) = stage() else { return };
    chains(&stage, 1);
    split(&stage, 0, &[]);
    for command in ["report", "findings"] {
        stage.refuses(&[command, "out"], &["juvenal split", "split.html", "report.sarif"]);
    }
    for words in [&["resume", "out"][..], &["judge", "out"], &["unit", "out", "0"]] {
        stage.refuses(words, &["juvenal split", "run it again", "planted"]);
    }
    let plan = fs::read_to_string(stage.path("out/campaign.toml")).unwrap();
    let header = plan.lines().next().unwrap();
    assert!(header.contains("juvenal split") && !header.contains("resume"), "{header}");
}

#[test]
fn parts_are_the_same_whatever_the_number_of_workers() {
    let Some(stage) = stage() else { return };
    chains(&stage, 5);
    let mut seen = BTreeSet::new();
    for (out, jobs) in [("one", "1"), ("three", "3")] {
        let words = ["split", "--tool", "./planted.toml", "--root", "project", "--out", out, "--jobs", jobs];
        stage.exits(0, &[&words[..], &["--way", "isolated", "--max-size", "5 files"]].concat());
        let log = fs::read_to_string(stage.path(out).join("report.sarif")).unwrap();
        seen.insert((fs::read_to_string(stage.path(out).join("parts.json")).unwrap(), log));
    }
    assert_eq!(seen.len(), 1);
}

#[test]
fn a_crash_costs_one_file() {
    let Some(stage) = stage() else { return };
    chains(&stage, 3);
    stage.write("project/bad.py", "# CRASH FLAW\nimport c2_0\n");
    let run = split(&stage, 1, &["--way", "in-place", "--parts", "2"]);
    assert!(run.stdout.contains("1 part failed"), "{run}");
    assert!(run.stdout.contains("planted crash"), "{run}");
    assert!(run.stdout.contains("split again"), "{run}");
    assert_eq!(found(&stage).len(), 10, "{run}");
    let failures = report(&stage)["merged"]["report"]["failures"].clone();
    assert_eq!(failures.as_array().unwrap().len(), 1, "{failures}");
    assert_eq!(failures[0]["file"], "bad.py");
    let log: Value = serde_json::from_slice(&fs::read(stage.path("out/report.sarif")).unwrap()).unwrap();
    assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], false, "{log}");
}

#[test]
fn a_file_that_takes_too_long_costs_one_file() {
    let Some(stage) = stage() else { return };
    chains(&stage, 1);
    stage.write("project/bad.py", "# HANG\n");
    let run = split(&stage, 1, &["--parts", "1", "--limit", "3s"]);
    assert!(run.stdout.contains("longer than the time limit"), "{run}");
    assert_eq!(found(&stage).len(), 3, "{run}");
}

#[test]
fn tools_that_report_nothing_readable_are_named() {
    let Some(stage) = stage() else { return };
    chains(&stage, 1);
    for (mode, message) in [
        ("nothing", "its output cannot be read"),
        ("invalid", "its output cannot be read"),
        ("refuse", "the tool refused it: unknown argument"),
    ] {
        let option = format!("--mode={mode}");
        let run = split(&stage, 3, &["--parts", "1", "--", &option]);
        assert!(run.stdout.contains(message), "{mode}: {run}");
        assert!(found(&stage).is_empty());
    }
}

#[test]
fn sources_are_never_written_to() {
    let Some(stage) = stage() else { return };
    chains(&stage, 2);
    let text = |name: &str| fs::read_to_string(stage.path("project").join(name)).unwrap();
    let before: Vec<String> = ["c0_0.py", "c2_2.py"].map(text).to_vec();
    let run = split(&stage, 0, &["--parts", "1", "--", "--mode=touch"]);
    let failures = report(&stage)["merged"]["report"]["failures"].to_string();
    assert!(failures.contains("the tool changed"), "{failures}\n{run}");
    assert_eq!(before, ["c0_0.py", "c2_2.py"].map(text));
    let names: Vec<_> = fs::read_dir(stage.path("project")).unwrap().collect();
    assert_eq!(names.len(), 6);
    // The next run begins from the sources again.
    split(&stage, 0, &["--parts", "1"]);
    assert_eq!(found(&stage).len(), 6);
}

#[test]
fn strange_trees_are_analyzed_as_far_as_they_can_be() {
    let Some(stage) = stage() else { return };
    chains(&stage, 1);
    let project = stage.path("project");
    symlink("circle", project.join("circle")).unwrap();
    symlink("..", project.join("up")).unwrap();
    symlink("c0_0.py", project.join("other_name.py")).unwrap();
    fs::create_dir(project.join("folder")).unwrap();
    symlink(".", project.join("folder/itself")).unwrap();
    fs::write(project.join(std::ffi::OsStr::from_bytes(b"latin\xe9.py")), "# FLAW\n").unwrap();
    fs::write(project.join("latin.py"), b"# caf\xe9 FLAW\n").unwrap();
    fs::write(project.join("new\nline.py"), "# FLAW\n").unwrap();
    rustix_fifo(&project.join("pipe.py"));
    stage.write("project/large.py", format!("# FLAW\n{}", "# much\n".repeat(3000)));
    let run = split(&stage, 0, &["--max-size", "2kB"]);
    let expected = ["c0_0.py", "c1_0.py", "c1_1.py", "large.py", "latin.py"].map(str::to_owned);
    assert_eq!(found(&stage), BTreeSet::from(expected), "{run}");
    let report = report(&stage);
    assert_eq!(report["oversized"], serde_json::json!(["large.py"]), "{run}");
    let left = report["left-out"].to_string();
    for word in ["pipe.py", "a named pipe", "up", "leads out of the project", "is not UTF-8"] {
        assert!(left.contains(word), "`{word}` is missing in {left}");
    }
    let failures = report["merged"]["report"]["failures"].to_string();
    assert!(failures.contains("line.py"), "{failures}");
    assert!(run.stdout.contains("1 file is larger than a part may be"), "{run}");
}

fn rustix_fifo(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

#[test]
fn a_killed_run_continues_with_the_same_result() {
    let Some(stage) = stage() else { return };
    chains(&stage, 3);
    let more = ["--way", "isolated", "--max-size", "1 file", "--", "--mode=slow"];
    let words = words(&more);
    let running = stage.start(&words);
    std::thread::sleep(std::time::Duration::from_millis(1500));
    running.signal("KILL");
    running.finish();
    split(&stage, 0, &more);
    let report = report(&stage);
    let recorded =
        report["parts"].as_array().unwrap().iter().filter(|part| part["is-recorded"] == true).count();
    assert!(recorded < 10, "{recorded}");
    assert_eq!(found(&stage), names([(0, 0), (1, 1), (2, 2), (3, 3)]));
}

#[test]
fn an_interrupted_run_says_so_and_continues() {
    let Some(stage) = stage() else { return };
    chains(&stage, 4);
    let more = ["--way", "isolated", "--max-size", "1 file", "--time", "1s", "--", "--mode=slow"];
    let run = stage.juvenal(&words(&more));
    assert!(run.code == Some(1) || run.code == Some(3), "{run}");
    assert!(run.stdout.contains("the same command continues"), "{run}");
    let more = ["--way", "isolated", "--max-size", "1 file", "--", "--mode=slow"];
    split(&stage, 0, &more);
}

#[test]
fn a_size_is_chosen_by_probes() {
    let Some(stage) = stage() else { return };
    chains(&stage, 6);
    let run = split(&stage, 0, &["--max-size", "auto", "--way", "isolated"]);
    assert!(run.stderr.contains("probe of") || run.stdout.contains("probe of"), "{run}");
    let more = ["--target-recall", "1.0", "--way", "isolated", "--radius", "9", "--recut", "--compare-whole"];
    split(&stage, 0, &more);
    assert_eq!(report(&stage)["loss"]["counts"]["lost"], 0);
}

#[test]
fn other_cuts_are_measured() {
    let Some(stage) = stage() else { return };
    chains(&stage, 4);
    split(&stage, 0, &["--frontier", "--parts", "2"]);
    let table = fs::read_to_string(stage.path("out/frontier.csv")).unwrap();
    assert!(table.lines().count() > 5, "{table}");
    assert!(table.contains("\nwhole,in place,"), "{table}");
    let page = fs::read_to_string(stage.path("out/split.html")).unwrap();
    assert!(page.contains("Recall by the time of the longest part"));
}

#[test]
fn bad_words_are_refused_with_advice() {
    let Some(stage) = stage() else { return };
    stage.refuses(&words(&[]), &["there is no file for Planted", "--root"]);
    chains(&stage, 1);
    stage.refuses(&["split", "--tool", "pylnt", "--root", "project"], &["pylint"]);
    stage.refuses(&["split", "--tool", "./missing.toml", "--root", "project"], &["missing.toml"]);
    stage.refuses(&["split", "--root", "project"], &["--tool"]);
    stage.refuses(&words(&["--max-size", "2"]), &["expected a size such as 2MB"]);
    stage.refuses(&words(&["--strategy", "best"]), &["growing"]);
    stage.refuses(&words(&["--root", "planted.toml"])[..], &["cannot be used multiple times"]);
    stage.refuses(&["split", "--tool", "./planted.toml", "--root", "planted.toml"], &["is not a directory"]);
    stage.refuses(&words(&["--exclude", "a[b"]), &["--exclude a[b"]);
    split(&stage, 0, &[]);
    stage.refuses(&["resume", "out"], &["split --tool TOOL --root DIR --out out", "the tool planted"]);
    stage.write("out/parts.json", "{");
    stage.refuses(&words(&[]), &["parts.json is damaged", "--recut"]);
    split(&stage, 0, &["--recut"]);
    let other = DESCRIPTION.replace("name = \"planted\"", "name = \"other\"");
    stage.write("other.toml", other);
    let run = ["split", "--tool", "./other.toml", "--root", "project", "--out", "out"];
    stage.refuses(&run, &["holds the results of planted", "--out"]);
}

/// A file for each language with something that each tool reports.
const SAMPLES: [(&str, &str); 10] = [
    (
        "py/a.py",
        "import subprocess\nfrom b import f\n\n\ndef g(x: int) -> int:\n    subprocess.call(\"ls\", shell=True)\n    return f(x) + ''\n",
    ),
    ("py/b.py", "import os\n\n\ndef f(x: int) -> int:\n    return x\n"),
    ("py/c.py", "import os\nfrom b import f\n\nf('x')\neval('1')\n"),
    (
        "py/.semgrep.yml",
        "rules:\n- {id: evil, languages: [python], severity: ERROR, message: evil, pattern: eval(...)}\n",
    ),
    ("js/a.ts", "import { f } from './b';\nconst unused: number = f('x');\n"),
    ("js/b.ts", "export function f(x: number): number { debugger; return x; }\n"),
    ("js/c.js", "if (a = 1) { debugger; }\n"),
    ("c/a.c", "#include \"b.h\"\nint main(void) { int *p = find(); return *p; }\n"),
    (
        "c/b.c",
        "#include \"b.h\"\nint *find(void) { return 0; }\nint unused(void) { int a[2]; int *q = 0; a[2] = 1; return *q; }\n",
    ),
    ("c/b.h", "int *find(void);\nint unused(void);\n"),
];

/// Names in the C files of the samples, and those in a second set of them: a tool that follows calls loses results unless a
/// part holds both files of a set.
const SECOND_SET: [(&str, &str); 5] =
    [("a.c", "d.c"), ("b.", "e."), ("find", "seek"), ("unused", "spared"), ("main", "more")];

#[test]
fn shipped_tools_report_the_same_in_parts() {
    let list = Stage::with_solvers().exits(0, &["split", "--list"]).stdout;
    for (tool, root) in [
        ("ruff", "py"),
        ("bandit", "py"),
        ("pylint", "py"),
        ("mypy", "py"),
        ("semgrep", "py"),
        ("eslint", "js"),
        ("tsc", "js"),
        ("cppcheck", "c"),
        ("clang-tidy", "c"),
        ("clang-analyze", "c"),
        ("gcc-analyze", "c"),
        ("gcc-lto", "c"),
    ] {
        let stage = Stage::with_solvers();
        let is_here =
            list.lines().any(|line| line.starts_with(&format!("{tool} ")) && !line.contains("not installed"));
        if !is_usable(tool, is_here) {
            continue;
        }
        for (name, text) in SAMPLES {
            stage.write(name, text);
        }
        for (name, text) in SAMPLES.iter().filter(|(name, _)| name.starts_with("c/")) {
            let renamed = |text: &str| {
                SECOND_SET.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
            };
            stage.write(&renamed(name), renamed(text));
        }
        // Semgrep has no rules of its own without the network.
        let options: &[&str] = if tool == "semgrep" { &["--", "--config", ".semgrep.yml"] } else { &[] };
        let words =
            ["split", "--tool", tool, "--root", root, "--out", "out", "--parts", "2", "--compare-whole"];
        let run = stage.exits(0, &[&words, options].concat());
        let report = report(&stage);
        let counts = &report["loss"]["counts"];
        assert!(counts["found"].as_u64().unwrap() > 0, "{tool}: {run}");
        assert_eq!((&counts["lost"], &counts["new"]), (&Value::from(0), &Value::from(0)), "{tool}: {run}");
    }
}
