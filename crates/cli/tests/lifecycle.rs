//! The life cycle of a campaign: hunt, list, report, replay, reduce, judge, kill and resume.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use serde_json::Value;
use stage::{SMALL, Stage, TINY, always, tool};
use std::fs;

const LIAR: &[&str] = &["--analyzer", "liar-smt", "--cases", "24"];

/// Finishes a hunt of the liar in `out`.
fn hunted() -> Stage {
    let stage = Stage::new();
    let run = stage.hunt("out", &[LIAR, SMALL]);
    assert_eq!(run.code, Some(1), "{run}");
    stage
}

/// Returns the reduced input of a finding.
fn reduced(stage: &Stage, row: &Value) -> String {
    fs::read_to_string(stage.path(row["path"].as_str().unwrap()).join("reduced.smt2")).unwrap()
}

#[test]
fn findings_are_listed_for_people_and_for_machines() {
    let stage = hunted();
    let rows = stage.findings("out");
    assert!(!rows.is_empty());
    let list = stage.exits(0, &["findings", "out"]).stdout;
    assert_eq!(list.lines().count(), rows.len() + 1, "{list}");
    let fields = ["analyzer", "bug", "evidence", "id", "kind", "path", "technique", "title", "version"];
    for row in &rows {
        let names: Vec<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, fields);
        for field in ["kind", "evidence", "technique", "analyzer"] {
            let value = row[field].as_str().unwrap();
            assert!(!value.is_empty() && value == value.to_lowercase(), "{field}: {value}");
        }
        assert!(
            row["id"].as_str().unwrap().starts_with('F') && row["bug"].as_str().unwrap().starts_with('B')
        );
        assert!(list.contains(row["title"].as_str().unwrap()));
        let directory = stage.path(row["path"].as_str().unwrap());
        for name in ["README.md", "finding.json", "input.smt2", "reduced.smt2", "output.txt", "replay.sh"] {
            assert!(fs::metadata(directory.join(name)).unwrap().len() > 0, "{name} of {}", row["id"]);
        }
    }
}

#[test]
fn one_finding_is_shown_in_full() {
    let stage = hunted();
    for name in ["F1", "f1", "1", "F0001"] {
        let run = stage.exits(0, &["findings", "out", name]);
        assert!(run.stdout.contains("Why this is wrong") && run.stdout.contains("liar-smt"), "{run}");
    }
    let run = stage.exits(0, &["findings", "out", "F1", "--json"]);
    let finding: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(finding["number"], 1);
    for name in ["F9999", "F0", "first"] {
        stage.refuses(&["findings", "out", name], &[&format!("there is no finding {name}"), "F1"]);
    }
}

#[test]
fn the_findings_of_one_bug_are_listed() {
    let stage = hunted();
    let rows = stage.findings("out");
    let of_bug: Vec<&Value> = rows.iter().filter(|row| row["bug"] == "B1").collect();
    assert!(!of_bug.is_empty() && of_bug.len() < rows.len());
    for name in ["B1", "b1"] {
        let list = stage.exits(0, &["findings", "out", name]).stdout;
        assert_eq!(list.lines().count(), of_bug.len() + 1, "{list}");
        let listed: Vec<Value> =
            serde_json::from_str(&stage.exits(0, &["findings", "out", name, "--json"]).stdout).unwrap();
        assert_eq!(listed.iter().collect::<Vec<_>>(), of_bug);
    }
    for name in ["B99", "B"] {
        stage.refuses(&["findings", "out", name], &[&format!("there is no bug {name}"), "B1"]);
    }
}

#[test]
fn the_report_is_made_for_people_and_for_machines() {
    let stage = hunted();
    let report = stage.report("out");
    let markdown = stage.exits(0, &["report", "out"]).stdout;
    assert_eq!(markdown, stage.exits(0, &["report", "out", "--format", "md"]).stdout);
    for bug in report["bugs"].as_array().unwrap() {
        let heading = format!("## {}:", bug["bug"].as_str().unwrap());
        assert!(markdown.contains(&heading), "{heading}\n{markdown}");
    }
    assert_eq!(report["cases"], 24);
    assert_eq!(report["findings"], Value::Array(stage.findings("out")));
}

#[test]
fn replaying_reducing_and_judging_agree_with_the_hunt() {
    let stage = hunted();
    let before = stage.findings("out");
    let replayed = stage.exits(1, &["replay", "out", "F1"]);
    assert!(replayed.stdout.contains("F1 still holds"), "{replayed}");
    let reduced_run = stage.exits(0, &["reduce", "out", "F1"]);
    assert!(reduced_run.stdout.contains("no pass reduces it further"), "{reduced_run}");
    stage.exits(1, &["replay", "out", "F1"]);
    let after = stage.findings("out");
    assert_eq!(before, after, "reducing changes neither the list nor its order");
    let judged = stage.exits(0, &["judge", "out"]);
    assert!(judged.stdout.contains("Replayed 24 cases"), "{judged}");
    for word in ["overturned", "undecided", "could not be replayed completely"] {
        assert!(!judged.stdout.contains(word), "{judged}");
    }
    let upheld = judged.stdout.lines().find(|line| line.contains("upheld")).unwrap();
    assert_eq!(upheld.matches('F').count(), before.len(), "{judged}");
    assert_eq!(judged.stdout, stage.exits(0, &["judge", "out"]).stdout, "judging twice says the same");
}

#[test]
fn every_term_is_explained() {
    let stage = Stage::new();
    let everything = stage.exits(0, &["explain"]).stdout;
    let mut words = 0;
    // Long lists continue on indented lines.
    for line in everything.replace("\n    ", " ").lines() {
        for word in line.split_once(": ").unwrap().1.split(", ") {
            let page = stage.exits(0, &["explain", word]).stdout;
            assert!(page.len() > 60, "{word}: {page}");
            words += 1;
        }
    }
    assert!(words > 20, "{everything}");
    for word in [
        "soundness",
        "proved",
        "claim",
        "satisfiable",
        "z3",
        "liar-smt",
        "missed",
        "false-warning",
        "vacuity",
        "exhibit",
        "case",
        "fingerprint",
        "witness",
        "subject",
        "technique",
        "job",
        "answer",
        "bug",
        "part",
        "seed",
    ] {
        assert!(everything.contains(word), "{word}\n{everything}");
    }
    stage.refuses(&["explain", "soundnes"], &["cannot explain `soundnes`", "soundness"]);
    assert_eq!(stage.exits(0, &["explain", "z3@4.8.8"]).stdout, stage.exits(0, &["explain", "z3"]).stdout);
}

/// Kills the campaign at its first finding, and after each `resume` at the next one.
fn survives_kills(jobs: &str) {
    let stage = Stage::new();
    let jobs = ["--jobs", jobs];
    stage.hunt("whole", &[LIAR, SMALL, &jobs]);
    let words = [&["hunt", "--out", "killed", "--json"], LIAR, SMALL, &jobs].concat();
    let mut running = stage.start(&words);
    for _ in 0..3 {
        assert!(running.wait_for("\"event\":\"finding\""), "it must not end before it is killed");
        running.signal("KILL");
        assert_eq!(running.finish().code, None);
        running = stage.start(&["resume", "killed", "--json"]);
    }
    let run = running.finish();
    assert_eq!(run.code, Some(1), "{run}");
    assert_eq!(stage.essence("killed"), stage.essence("whole"));
    stage.exits(0, &["judge", "killed"]);
}

#[test]
fn a_campaign_of_one_worker_survives_kill_9() {
    survives_kills("1");
}

#[test]
fn a_campaign_of_two_workers_survives_kill_9() {
    survives_kills("2");
}

#[test]
fn ctrl_c_ends_a_campaign_cleanly_and_it_can_be_resumed() {
    for (jobs, finding) in [("1", "F1 "), ("2", "F1 ")] {
        let stage = Stage::new();
        let mut running = stage.start(&[&["hunt", "--out", "out", "--jobs", jobs], LIAR, SMALL].concat());
        assert!(running.wait_for(finding), "it must not end before it is stopped");
        running.signal("INT");
        let run = running.finish();
        assert_eq!(run.code, Some(1), "there is a finding\n{run}");
        for words in ["juvenal resume out\n", ", interrupted;"] {
            assert!(run.stdout.contains(words), "`{words}` is missing\n{run}");
        }
        let cases = stage.statistics("out")["cases"].as_u64().unwrap();
        assert!(cases < 24, "{cases} cases");
        let resumed = stage.juvenal(&["resume", "out"]);
        assert_eq!(resumed.code, Some(1), "{resumed}");
        assert_eq!(stage.report("out")["cases"], 24);
    }
}

#[test]
fn findings_do_not_depend_on_interruptions() {
    let stage = Stage::new();
    stage.hunt("whole", &[LIAR, SMALL]);
    let rows = stage.findings("whole").len();
    for stop_at in (1..rows).step_by(2) {
        let out = format!("stopped-{stop_at}");
        let mut running =
            stage.start(&[&["hunt", "--out", &out, "--json", "--jobs", "2"], LIAR, SMALL].concat());
        for _ in 0..stop_at {
            running.wait_for("\"event\":\"finding\"");
        }
        running.signal("INT");
        running.finish();
        stage.juvenal(&["resume", &out]);
        assert_eq!(stage.essence(&out), stage.essence("whole"), "stopped after {stop_at} findings");
    }
}

#[test]
fn findings_do_not_depend_on_the_time_limit() {
    let stage = Stage::new();
    stage.hunt("whole", &[LIAR, SMALL]);
    for time in ["100ms", "200ms", "350ms", "500ms", "700ms"] {
        let out = format!("short-{time}");
        stage.hunt(&out, &[LIAR, SMALL, &["--time", time]]);
        let run = stage.juvenal(&["resume", &out, "--time", "10m"]);
        assert_eq!(run.code, Some(1), "{run}");
        assert_eq!(stage.essence(&out), stage.essence("whole"), "{time}");
    }
}

#[test]
fn resuming_a_finished_campaign_repeats_its_result() {
    for (lie, code) in [("none", 0), ("not-ite", 1), ("garbage", 3)] {
        let stage = Stage::new();
        let liar = format!("liar-smt:lie={lie}");
        let run = stage.hunt("out", &[&["--analyzer", &liar, "--cases", "24"], SMALL]);
        assert_eq!(run.code, Some(code), "{lie}: {run}");
        let again = stage.juvenal(&["resume", "out"]);
        assert_eq!(again.code, Some(code), "{lie}, resumed: {again}");
    }
}

#[test]
fn a_finished_campaign_can_be_extended() {
    let stage = Stage::new();
    stage.hunt("whole", &[LIAR, SMALL]);
    stage.hunt("out", &[&["--analyzer", "liar-smt", "--cases", "10"], SMALL]);
    let run = stage.juvenal(&["resume", "out", "--cases", "24"]);
    assert_eq!(run.code, Some(1), "{run}");
    assert_eq!(stage.essence("out"), stage.essence("whole"));
}

#[test]
fn a_directory_in_use_can_be_read_but_not_changed() {
    let stage = Stage::new();
    let words = ["hunt", "--analyzer", "liar-smt:lie=none", "--time", "10m", "--out", "out", "--json"];
    let mut running = stage.start(&words);
    assert!(running.wait_for("\"event\":\"started\""));
    for words in [&["resume", "out"][..], &["judge", "out"], &["reduce", "out", "F1"]] {
        stage.refuses(words, &["out is in use by another juvenal"]);
    }
    stage.refuses(
        &["hunt", "--cases", "1", "--out", "out"],
        &["already holds a campaign", "juvenal resume out"],
    );
    assert!(stage.findings("out").is_empty());
    stage.exits(0, &["report", "out"]);
    running.signal("INT");
    let run = running.finish();
    assert!(matches!(run.code, Some(0 | 3)), "{run}");
    stage.exits(0, &["judge", "out"]);
}

#[test]
fn events_are_json_lines() {
    let stage = Stage::new();
    let run = stage.hunt("out", &[LIAR, SMALL, &["--json"]]);
    assert_eq!(run.code, Some(1), "{run}");
    let events: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(names.first(), Some(&"started"), "{run}");
    assert_eq!(names.last(), Some(&"finished"), "{run}");
    let mut found: Vec<&str> =
        events.iter().filter(|it| it["event"] == "finding").map(|it| it["id"].as_str().unwrap()).collect();
    let rows = stage.findings("out");
    let mut listed: Vec<&str> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
    found.sort_unstable();
    listed.sort_unstable();
    assert_eq!(found, listed);
    assert!(run.stderr.is_empty(), "{run}");
}

#[test]
fn the_same_seed_gives_the_same_findings_whatever_the_number_of_workers() {
    let stage = Stage::new();
    for (out, jobs) in [("one", "1"), ("again", "1"), ("two", "2"), ("five", "5")] {
        stage.hunt(out, &[LIAR, SMALL, &["--seed", "7", "--jobs", jobs]]);
        assert_eq!(stage.essence(out), stage.essence("one"), "{jobs} workers");
    }
    stage.hunt("other", &[LIAR, SMALL, &["--seed", "8"]]);
    assert_ne!(stage.essence("other"), stage.essence("one"), "another random seed gives another campaign");
}

/// Hunts a fake solver that answers `unsat` to everything, in one mode.
fn hunted_fake(mode: &str) -> (Stage, String) {
    let stage = Stage::new();
    let fake = stage.fake(&always("unsat"));
    let mode = format!("satisfiable.mode={mode}");
    let run = stage.hunt("out", &[&["--analyzer", &fake, "--cases", "3", "--set", &mode], TINY]);
    assert_eq!(run.code, Some(1), "{run}");
    (stage, fake)
}

#[test]
fn the_script_of_a_finding_reproduces_it_without_juvenal() {
    for mode in ["process", "reset", "push"] {
        let (stage, _) = hunted_fake(mode);
        for row in stage.findings("out") {
            let directory = stage.path(row["path"].as_str().unwrap());
            let script = directory.join("replay.sh");
            let output = tool("sh", &[script.to_str().unwrap()]);
            let shown = String::from_utf8(output.stdout).unwrap();
            assert!(shown.lines().any(|line| line == "unsat"), "{mode}: {} shows {shown}", row["id"]);
            let text = fs::read_to_string(&script).unwrap();
            let runs_juvenal = text.lines().any(|line| !line.starts_with('#') && line.contains("juvenal "));
            assert!(!runs_juvenal, "{mode}: {text}");
            let recorded = fs::read_to_string(directory.join("output.txt")).unwrap();
            assert!(recorded.contains("unsat"), "{mode}: {recorded}");
        }
    }
}

#[test]
fn a_finding_no_longer_holds_once_the_solver_is_repaired() {
    for mode in ["process", "push"] {
        let (stage, fake) = hunted_fake(mode);
        let again = ["--analyzer", fake.as_str()];
        stage.exits(1, &[&["replay", "out", "F1"][..], &again].concat());
        stage.fake(&always("unknown"));
        let run = stage.exits(0, &[&["replay", "out", "F1"][..], &again].concat());
        assert!(run.stdout.contains("F1 no longer holds"), "{mode}: {run}");
        let run = stage.exits(0, &[&["reduce", "out", "F1"][..], &again].concat());
        assert!(run.stdout.contains("no longer holds"), "{mode}: {run}");
        let row = &stage.findings("out")[0];
        assert!(reduced(&stage, row).contains("(check-sat"), "the finding itself stays");
        stage.exits(0, &[&["judge", "out"][..], &again].concat());
    }
}

#[test]
fn fail_on_decides_whether_findings_make_the_exit_code_one() {
    for (lie, fail_on, code) in [
        ("model", "any", 1),
        ("model", "soundness", 0),
        ("model", "never", 0),
        ("not-ite", "soundness", 1),
        ("not-ite", "never", 0),
        ("none", "any", 0),
    ] {
        let stage = Stage::new();
        let liar = format!("liar-smt:lie={lie}");
        let run = stage.hunt("out", &[&["--analyzer", &liar, "--cases", "40", "--fail-on", fail_on], SMALL]);
        assert_eq!(run.code, Some(code), "{lie} --fail-on {fail_on}: {run}");
    }
}

#[test]
fn a_hunt_ends_with_its_time() {
    let stage = Stage::new();
    let run = stage.hunt("out", &[&["--analyzer", "liar-smt:lie=none", "--time", "1s"]]);
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stdout.contains("juvenal resume out"), "{run}");
    assert!(stage.statistics("out")["queries"].as_u64().unwrap() > 0);
}

/// Returns the words of the command that the summary suggests for resuming.
fn offered(run: &stage::Run) -> Option<Vec<String>> {
    let line = run.stdout.lines().find_map(|line| line.strip_prefix("Continue:"))?;
    Some(line.split_whitespace().map(str::to_owned).collect())
}

#[test]
fn the_suggested_command_for_resuming_works() {
    let stage = Stage::new();
    let fake = stage.fake(&always("unsat"));
    let run = stage.hunt("out", &[&["--analyzer", &fake, "--cases", "2"], TINY]);
    let offered = offered(&run).unwrap();
    assert_eq!(offered[0], env!("CARGO_BIN_EXE_juvenal"), "as it was started: {run}");
    assert_eq!(offered[1..], ["resume", "out", "--analyzer", &fake, "--cases", "4"], "{run}");
    let words: Vec<&str> = offered[1..].iter().map(String::as_str).collect();
    stage.exits(1, &words);
    assert_eq!(stage.report("out")["cases"], 4);
}

#[test]
fn the_summary_counts_answers_and_shows_an_example_if_nothing_was_judged() {
    let stage = Stage::new();
    for (word, describe_verdict) in
        [("maybe", "gave an unreadable answer: "), ("unknown", "answered unknown")]
    {
        let fake = stage.fake(&always(word));
        let run = stage.hunt(word, &[&["--analyzer", &fake, "--cases", "1"], TINY]);
        assert_eq!(run.code, Some(3), "{run}");
        for words in ["Answers: ", "nothing was judged. For example, on ", "fake@9.8.7 ", describe_verdict] {
            assert!(run.stdout.contains(words), "`{words}` is missing\n{run}");
        }
        assert_eq!(offered(&run), None, "more of the same will not help\n{run}");
    }
}

#[test]
fn generated_items_are_mutants_of_all_seeds_in_turn() {
    let stage = Stage::new();
    for number in 0..5 {
        let name = format!("only{number}");
        let text = format!("(declare-fun {name} () Int)\n(assert (> {name} 1))\n(check-sat)\n");
        stage.write(&format!("seeds/{number}.smt2"), text);
    }
    stage.write("seeds/broken.smt2", "(assert");
    let run = stage.exits(0, &["generate", "satisfiable", "--seeds", "seeds", "--count", "6"]);
    let items: Vec<&str> = run.stdout.split("; juvenal item ").skip(1).collect();
    assert_eq!(items.len(), 6, "{run}");
    for (index, item) in items.iter().enumerate() {
        assert!(item.starts_with(&format!("{}\n; expected sat\n", index + 1)), "{item}");
        assert!(item.contains(&format!("only{}", index % 5)), "seeds take turns: {run}");
    }
    assert!(run.stderr.contains("seeds/broken.smt2:1:"), "{run}");
    stage.refuses(
        &["generate", "satisfiable", "--seeds", "seeds/broken.smt2"],
        &["seeds/broken.smt2:1:", "no seed can be used with satisfiable"],
    );
}

#[test]
fn without_a_solver_the_liar_is_hunted_as_a_demonstration() {
    let stage = Stage::new();
    let run = stage.hunt("out", &[&["--cases", "5"]]);
    assert_eq!(run.code, Some(0), "{run}");
    for words in [
        "No suitable analyzer is installed",
        "liar-smt",
        "juvenal analyzer install z3",
        "scripts/install-analyzers",
        "F1 B1",
    ] {
        assert!(run.stdout.contains(words), "`{words}` is missing\n{run}");
    }
    let resumed = stage.juvenal(&["resume", "out"]);
    assert_eq!(resumed.code, Some(0), "{resumed}");
}

#[test]
fn nothing_is_left_in_the_temporary_directory() {
    let (stage, _) = hunted_fake("process");
    let left: Vec<String> = fs::read_dir(stage.path("tmp"))
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
