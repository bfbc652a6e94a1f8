//! A campaign whose units run in processes of their own, which share nothing but the plan and the store, has the same findings
//! as one whose units run in threads.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself")]
#![allow(clippy::unwrap_used, reason = "the helpers of tests fail by panicking, too")]

mod stage;

use stage::Stage;
use std::collections::BTreeMap;
use std::path::Path;

/// Every file below a directory, by its path.
fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut waiting = vec![root.to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in std::fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().display().to_string();
                files.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    files
}

fn check(words: &[&str], least_findings: usize) {
    let stage = Stage::new();
    for (out, more) in [("threads", &[][..]), ("processes", &["--unit-processes"])] {
        let run = stage.hunt(out, &[words, &["--seed", "1", "--jobs", "2", "--candidates", "60"], more]);
        assert_eq!(run.code, Some(1), "{run}");
    }
    let threads = files(&stage.path("threads/findings"));
    let processes = files(&stage.path("processes/findings"));
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&threads), names(&processes));
    for (name, bytes) in &threads {
        assert!(processes[name] == *bytes, "{name} differs");
    }
    let asked = |out: &str| {
        let log = std::fs::read_to_string(stage.path(out).join("stats.jsonl")).unwrap();
        let last: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
        last["queries"].as_u64().unwrap()
    };
    assert!(asked("processes") > 0, "the queries of other processes are counted");
    let findings = std::fs::read_dir(stage.path("threads/findings")).unwrap().count();
    assert!(findings >= least_findings, "only {findings} findings");
}

#[test]
fn units_of_a_hunt_of_a_solver_can_run_in_processes_of_their_own() {
    check(&["satisfiable", "--analyzer", "liar-smt", "--witness", "liar-smt:lie=none", "--cases", "4"], 1);
}

/// These techniques sample common exhibits, so the second stage of a unit runs in a process, too.
#[test]
fn units_of_a_hunt_of_datalog_engines_can_run_in_processes_of_their_own() {
    let techniques = ["precedence_graph", "conjunctive_query"];
    let analyzers = ["--analyzer", "liar-datalog", "--witness", "reference-datalog", "--cases", "12"];
    check(&[&techniques[..], &analyzers].concat(), 2);
}

/// Times differ from run to run, so only the table of answers is compared.
#[test]
fn units_of_a_comparison_can_run_in_processes_of_their_own() {
    let stage = Stage::new();
    let tables = ["threads", "processes"].map(|out| {
        let analyzers = ["--analyzer", "liar-smt:lie=none", "--analyzer", "liar-smt:lie=signed"];
        let more = if out == "threads" { &[][..] } else { &["--unit-processes"] };
        let limits = ["--jobs", "2", "--cases", "4", "--out", out];
        let run = stage.juvenal(&[&["compare"], &analyzers[..], &limits, more].concat());
        assert_eq!(run.code, Some(0), "{run}");
        assert!(!run.stdout.contains(" 0 new queries"), "{run}");
        std::fs::read_to_string(stage.path(out).join("matrices.csv")).unwrap()
    });
    assert_eq!(tables[0], tables[1]);
}

/// A unit on another machine has the store, but not the files of the seeds.
#[test]
fn units_need_no_seed_files() {
    let stage = Stage::new();
    let seed = "(declare-fun x () Int)(assert (< x 3))(check-sat)\n";
    std::fs::create_dir(stage.path("seeds")).unwrap();
    std::fs::write(stage.path("seeds/a.smt2"), seed).unwrap();
    let words =
        ["satisfiable", "--analyzer", "liar-smt:lie=none", "--witness", "liar-smt:lie=none", "--cases", "1"];
    let run = stage.hunt("out", &[&words, &["--seeds", "seeds"]]);
    assert_eq!(run.code, Some(0), "{run}");
    std::fs::remove_dir_all(stage.path("seeds")).unwrap();
    let unit = stage.juvenal(&["unit", "out", "0"]);
    assert_eq!(unit.code, Some(0), "{unit}");
    assert!(unit.stdout.contains("a.smt2"), "{unit}");
    stage.refuses(&["unit", "out", "0", "--job", "compare"], &["the directory of a hunt", "--job"]);
}
