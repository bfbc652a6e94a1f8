//! `interrogation` of liars that read C: planted lies are caught and proved, and the honest twin is never accused.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself, compilers and what they make")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use serde_json::Value;
use stage::{Run, Stage, have_solver, tool};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const WITNESSES: &[&str] = &["--witness", "execute-c", "--witness", "exact-c", "--jobs", "1"];
/// The exit code of `reproduce.c` after it violates the check.
const VIOLATED: i32 = 107;

/// A lie and the walk that catches it: the program, the random seed and the number of rounds.
struct Caught {
    lie: &'static str,
    program: &'static str,
    random: &'static str,
    rounds: &'static str,
    kind: &'static str,
}

impl Caught {
    /// The arguments of the walk, without the number of cases.
    fn words(&self, stage: &Stage) -> Vec<String> {
        stage.write("seed.c", self.program);
        let liar = format!("liar-c:lie={}", self.lie);
        let rounds = format!("interrogation.rounds={}", self.rounds);
        let words = ["interrogation", "--analyzer", &liar, "--seeds", "seed.c", "--seed", self.random];
        words.iter().chain(&["--set", &rounds]).chain(WITNESSES).map(|&word| word.to_owned()).collect()
    }
}

fn hunt(stage: &Stage, out: &str, caught: &Caught, cases: &str) -> Run {
    let words = caught.words(stage);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    stage.hunt(out, &[&words, &["--cases", cases]])
}

/// Finishes a hunt of the lie in `out` and checks that every finding is proved and of the expected kind.
fn is_caught(caught: &Caught) -> Option<Stage> {
    if !have_solver("gcc") {
        return None;
    }
    let stage = Stage::with_solvers();
    let run = hunt(&stage, "out", caught, "1");
    assert_eq!(run.code, Some(1), "{}: {run}", caught.lie);
    let findings = stage.findings("out");
    assert!(!findings.is_empty(), "{}: {run}", caught.lie);
    for finding in &findings {
        assert_eq!(finding["kind"], caught.kind, "{}: {run}", caught.lie);
        assert_eq!(finding["evidence"], "proved", "{}: {run}", caught.lie);
        if caught.kind == "soundness" {
            reproduces(&stage, &stage.path(finding["path"].as_str().unwrap()));
        }
    }
    Some(stage)
}

/// Checks the files of an execution that refutes the analyzer: a program to run, and a task with its witness for validators.
fn reproduces(stage: &Stage, directory: &Path) {
    let at = |name: &str| directory.join(name).display().to_string();
    let program = stage.at("reproduce");
    let compiled =
        tool("gcc", &["-w", "-std=gnu17", "-ffp-contract=off", &at("reproduce.c"), "-o", &program, "-lm"]);
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    assert_eq!(tool(&program, &[]).status.code(), Some(VIOLATED), "{}", at("reproduce.c"));
    let task = tool("gcc", &["-w", "-fsyntax-only", &at("program.c")]);
    assert!(task.status.success(), "{}", String::from_utf8_lossy(&task.stderr));
    assert!(fs::read_to_string(at("program.c")).unwrap().contains("reach_error()"));
    let witness = fs::read_to_string(at("violation-witness.yml")).unwrap();
    for words in ["violation_sequence", "format_version: \"2.0\"", "\"program.c\"", "type: \"target\""] {
        assert!(witness.contains(words), "`{words}` is missing\n{witness}");
    }
}

const SIGNED: Caught = Caught {
    lie: "signed",
    program: include_str!("../../../bench/interrogation/programs/signed.c"),
    random: "5",
    rounds: "30",
    kind: "soundness",
};
const STACKED: Caught =
    Caught { lie: "stacked", program: SIGNED.program, random: "1", rounds: "30", kind: "soundness" };
const CALL: Caught = Caught {
    lie: "call",
    program: include_str!("../../../bench/interrogation/programs/call.c"),
    random: "1",
    rounds: "30",
    kind: "precision",
};
const NAN: Caught = Caught {
    lie: "nan",
    program: include_str!("../../../bench/interrogation/programs/nan.c"),
    random: "5",
    rounds: "30",
    kind: "soundness",
};
const LOOP_EXIT: Caught = Caught {
    lie: "loop-exit",
    program: include_str!("../../../bench/interrogation/programs/loop-exit.c"),
    random: "5",
    rounds: "30",
    kind: "soundness",
};
const NARROW: Caught = Caught {
    lie: "narrow",
    program: include_str!("../../../bench/interrogation/programs/narrow.c"),
    random: "4",
    rounds: "160",
    kind: "soundness",
};

#[test]
fn an_ignored_nan_is_proved() {
    is_caught(&NAN);
}

#[test]
fn executions_lost_after_a_loop_are_proved() {
    is_caught(&LOOP_EXIT);
}

#[test]
fn a_truncated_constant_is_proved() {
    is_caught(&NARROW);
}

#[test]
fn executions_lost_after_several_assumptions_are_proved() {
    is_caught(&STACKED);
}

#[test]
fn a_false_alarm_after_a_call_is_proved_by_running_every_input() {
    is_caught(&CALL);
}

#[test]
fn a_wrong_signedness_is_proved_and_its_finding_can_be_shown_replayed_and_judged() {
    let Some(stage) = is_caught(&SIGNED) else { return };
    let run = stage.exits(1, &["replay", "out", "F1"]);
    assert!(run.stdout.contains("F1 still holds"), "{run}");
    let shown = stage.exits(0, &["findings", "out", "F1"]);
    for words in ["Why this is wrong", "check(", "assume(", "reproduce.c"] {
        assert!(shown.stdout.contains(words), "`{words}` is missing\n{shown}");
    }
    let judged = stage.exits(0, &["judge", "out"]);
    assert!(judged.stdout.contains("Replayed 1 case"), "{judged}");
    assert!(judged.stdout.contains("upheld") && !judged.stdout.contains("overturned"), "{judged}");
}

#[test]
fn a_killed_campaign_resumes_to_the_same_findings() {
    if !have_solver("gcc") {
        return;
    }
    let stage = Stage::with_solvers();
    let run = hunt(&stage, "whole", &SIGNED, "2");
    assert_eq!(run.code, Some(1), "{run}");
    let words = SIGNED.words(&stage);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let first = ["hunt", "--out", "killed", "--json", "--cases", "2"];
    let mut running = stage.start(&[&first[..], &words].concat());
    assert!(running.wait_for("\"event\":\"finding\""), "it must not end before it is killed");
    running.signal("KILL");
    assert_eq!(running.finish().code, None);
    let resumed = stage.exits(1, &["resume", "killed"]);
    assert_eq!(stage.essence("killed"), stage.essence("whole"), "{resumed}");
    let judged = ["killed", "whole"].map(|out| {
        let judged = stage.exits(0, &["judge", out]).stdout;
        judged.lines().find(|line| line.contains("upheld")).map(str::to_owned)
    });
    assert!(judged[0].is_some() && judged[0] == judged[1], "{judged:?}");
}

/// Checks that an honest analyzer is never accused on the first shipped seeds.
fn is_silent(analyzer: &str, cases: &str, rounds: &str, least: u64) {
    if !have_solver("gcc") {
        return;
    }
    let stage = Stage::with_solvers();
    let rounds = format!("interrogation.rounds={rounds}");
    let words = ["interrogation", "--analyzer", analyzer, "--cases", cases, "--set", &rounds];
    let run = stage.hunt("out", &[&words, WITNESSES]);
    assert_eq!(run.code, Some(0), "{analyzer}: {run}");
    let figures = stage.statistics("out");
    assert!(figures["queries"].as_u64().unwrap() >= least, "{analyzer}: {figures:#}");
    assert_eq!(figures["bugs"], 0, "{analyzer}: {figures:#}");
    assert_eq!(figures["fleeting"], 0, "{analyzer}: {figures:#}");
    assert_eq!(figures["counts"]["pairs that contradict each other"], Value::Null, "{analyzer}: {figures:#}");
}

#[test]
fn the_honest_twin_is_never_accused() {
    is_silent("liar-c:lie=none", "10", "40", 250);
}

#[test]
fn exact_execution_is_never_accused() {
    is_silent("exact-c", "8", "30", 180);
}

#[test]
fn an_unknown_lie_is_rejected() {
    if !have_solver("gcc") {
        return;
    }
    let stage = Stage::with_solvers();
    let words = ["hunt", "interrogation", "--out", "out", "--cases", "1", "--analyzer"];
    stage.refuses(&[&words[..], &["liar-c:lie=tall"]].concat(), &["no lie `tall`", "signed", "stacked"]);
    assert!(!stage.path("out").exists(), "a refused hunt leaves nothing behind");
}

#[test]
fn the_manual_page_has_the_knobs_and_the_baselines() {
    let stage = Stage::new();
    let page = stage.exits(0, &["explain", "interrogation"]).stdout;
    for words in ["interrogation.rounds=", "interrogation.oracle=", "interrogation.knowledge=", "reproduce.c"]
    {
        assert!(page.contains(words), "`{words}` is missing\n{page}");
    }
    let liar = stage.exits(0, &["explain", "liar-c"]).stdout;
    for lie in ["conjunct", "signed", "nan", "narrow", "loop-exit", "call", "stacked"] {
        assert!(liar.contains(&format!("| {lie} |")), "{lie}\n{liar}");
    }
}

#[test]
fn generated_programs_keep_the_text_of_the_seed() {
    let stage = Stage::new();
    let text = "extern unsigned char __VERIFIER_nondet_uchar(void);\n\nint main(void) {\n    \
                int x = __VERIFIER_nondet_uchar();\n    return x > 3;\n}\n";
    stage.write("seed.c", text);
    let words = ["generate", "interrogation", "--seeds", "seed.c", "--count", "20"];
    let run = stage.exits(0, &words);
    let items: Vec<&str> = run.stdout.split("// juvenal item ").skip(1).collect();
    assert_eq!(items.len(), 20, "{run}");
    let distinct: BTreeSet<&str> =
        items.iter().filter_map(|item| item.split_once('\n')).map(|it| it.1).collect();
    assert!(distinct.len() > 10, "{run}");
    for item in &items {
        assert!(item.contains("check(") || item.contains("assume("), "{item}");
        let kept: Vec<&str> = item.lines().skip(1).filter(|line| !is_added(line)).collect();
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(&kept.join("\n")), words(text), "{item}");
    }
    assert_eq!(run.stdout, stage.exits(0, &words).stdout, "the same seed gives the same bytes");
    assert_ne!(run.stdout, stage.exits(0, &[&words[..], &["--seed", "1"]].concat()).stdout);
}

fn is_added(line: &str) -> bool {
    line.starts_with("check(") || line.starts_with("assume(")
}
