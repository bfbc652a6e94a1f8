//! `kill -9` at any moment, in every way that juvenal has of keeping processes: nothing stays, and the resumed campaign
//! has the findings of one that was left alone.
//!
//! Each way is killed a few times; `JUVENAL_KILLS=40` makes it 40 times each.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod stage;

use serde_json::Value;
use stage::ways::{WAYS, Way};
use stage::{Running, Stage, TINY, at_check, level, lines};
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;
use test_support::has;

const KILLS: &str = "JUVENAL_KILLS";
/// The longest time before a kill. Most campaigns of this test take a few times as long.
const LONGEST_MILLISECONDS: u64 = 1500;

#[test]
fn kills_leave_nothing_and_change_nothing() {
    let kills: u64 = std::env::var(KILLS).map_or(3, |text| text.parse().unwrap());
    for way in WAYS {
        let stage = Stage::new();
        // The solver lies, and leaves processes behind in sessions of their own.
        let fake = stage.fake(&at_check("setsid sleep 5 < /dev/null > /dev/null 2>&1 & echo unsat"));
        if !way.is_usable(&stage) {
            continue;
        }
        way.survives(&stage, &fake, kills);
    }
}

#[test]
fn kills_of_an_analysis_in_parts_leave_nothing_and_change_nothing() {
    for way in WAYS {
        let stage = Stage::new();
        // It leaves processes behind in sessions of their own.
        lines::prepare(
            &stage,
            "/usr/bin/setsid /bin/sleep 5 < /dev/null > /dev/null 2>&1 & /bin/sleep 0.1; echo \"$name:1: flaw: one\"",
        );
        for number in 0..12 {
            stage.write(&format!("project/m{number}.py"), format!("# FLAW {number}\n"));
        }
        if !way.is_usable(&stage) {
            continue;
        }
        let words =
            ["split", "--tool", "./lines.toml", "--root", "project", "--max-size", "1 file", "--jobs", "2"];
        let split = |out: &str| way.start(&stage, &[&words[..], &["--out", out]].concat());
        let result = |out: &str| {
            let text = fs::read_to_string(stage.path(out).join("report.json")).unwrap();
            let report: Value = serde_json::from_str(&text).unwrap();
            let sarif = fs::read_to_string(stage.path(out).join("report.sarif")).unwrap();
            (report["merged"].clone(), report["weaknesses"].clone(), sarif)
        };
        let whole = split("whole").finish();
        assert_eq!(whole.code, Some(0), "{}: {whole}", way.name);
        let expected = result("whole");
        assert_eq!(expected.0["report"]["results"].as_array().unwrap().len(), 12, "{whole}");
        let is_weak = way.isolation == "Subreaper";
        let weakness = "no process-id namespaces here";
        assert_eq!(expected.1.to_string().contains(weakness), is_weak, "{whole}");
        assert_eq!(whole.stdout.contains(weakness), is_weak, "{whole}");
        way.kill_until_done(&stage, "killed", &|| split("killed"));
        assert_eq!(result("killed"), expected, "{}", way.name);
    }
}

#[test]
fn kills_of_a_search_leave_nothing_and_change_nothing() {
    if !has("gcc") {
        return;
    }
    for way in WAYS {
        let stage = level::stage("tune = {}");
        if !way.is_usable(&stage) {
            continue;
        }
        let usual = ["tune", "--analyzer", "./level.toml", "--seeds", "src", "--cpu", "10m", "--folds", "1"];
        let tune = |out: &str| {
            let begin = [&usual[..], &["--out", out]].concat();
            match stage.path(out).join("campaign.toml").exists() {
                true => way.start(&stage, &["resume", out, "--analyzer", "./level.toml"]),
                false => way.start(&stage, &begin),
            }
        };
        let result = |out: &str| {
            let text = fs::read_to_string(stage.path(out).join("tune.json")).unwrap();
            let tuned: Value = serde_json::from_str(&text).unwrap();
            // Levels above 3 verify no more, and time decides between them.
            let level = tuned["best"][0]["options"]["level"].as_str().unwrap_or_default().to_owned();
            let is_lie_refused = tuned["refuted"].to_string().contains("\"trust\"");
            (
                tuned["verdict"].clone(),
                level == "3" || level == "4",
                is_lie_refused,
                tuned["weaknesses"].clone(),
            )
        };
        let whole = tune("whole").finish();
        assert_eq!(whole.code, Some(0), "{}: {whole}", way.name);
        let expected = result("whole");
        assert!(expected.1 && expected.2, "{whole}");
        let is_weak = way.isolation == "Subreaper";
        assert_eq!(expected.3.to_string().contains("no process-id namespaces here"), is_weak, "{whole}");
        way.kill_until_done(&stage, "killed", &|| tune("killed"));
        assert_eq!(result("killed"), expected, "{}", way.name);
    }
}

/// What a way does with the jobs of this test.
trait Kills {
    /// The start of a hunt and its reports say so if the machine has no namespaces.
    fn says_what_it_cannot_promise(&self, stage: &Stage, started: &str);
    /// Kills a job some times, each time after a while, and lets it end then.
    fn kill_until_done(&self, stage: &Stage, out: &str, start: &dyn Fn() -> Running);
    /// Kills hunts and resumes them.
    fn survives(&self, stage: &Stage, fake: &str, kills: u64);
}

impl Kills for Way {
    /// Kills a job some times, each time after a while, and lets it end then.
    fn kill_until_done(&self, stage: &Stage, out: &str, start: &dyn Fn() -> Running) {
        let kills: u64 = std::env::var(KILLS).map_or(3, |text| text.parse().unwrap());
        let mut moment = 1;
        for _ in 0..kills {
            let mut running = start();
            moment = (moment * 16_807) % 2_147_483_647;
            sleep(Duration::from_millis(200 + moment % LONGEST_MILLISECONDS));
            if running.has_ended() {
                running.finish();
                continue;
            }
            running.signal("KILL");
            running.finish();
            wait_until_nothing_runs_in(&stage.path("tmp"));
        }
        let run = start().finish();
        assert_eq!(run.code, Some(0), "{}: {out}: {run}", self.name);
        assert_eq!(
            fs::read_dir(stage.path("tmp")).unwrap().count(),
            0,
            "{}: directories are left",
            self.name
        );
    }

    /// The start of a hunt and its reports say so if the machine has no namespaces.
    fn says_what_it_cannot_promise(&self, stage: &Stage, started: &str) {
        let words = "no process-id namespaces here";
        let is_weak = self.isolation == "Subreaper";
        assert_eq!(started.contains(words), is_weak, "{started}");
        let report = self.start(stage, &["report", "whole"]).finish();
        assert_eq!(report.stdout.contains(words), is_weak, "{report}");
        let report = self.start(stage, &["report", "whole", "--format", "json"]).finish();
        assert_eq!(report.stdout.contains(words), is_weak, "{report}");
    }

    fn survives(&self, stage: &Stage, fake: &str, kills: u64) {
        let liar = ["--analyzer", fake, "--cases", "24", "--jobs", "2"];
        let hunt = |out: &str| {
            self.start(stage, &[&["hunt", "--out", out, "--seed", "7"], &liar[..], TINY].concat())
        };
        let whole = hunt("whole").finish();
        assert_eq!(whole.code, Some(1), "{whole}");
        let expected = stage.essence("whole");
        self.says_what_it_cannot_promise(stage, &whole.stderr);
        let (mut campaigns, mut killed, mut moment) = (0, 0, 1);
        while killed < kills {
            campaigns += 1;
            let out = format!("killed-{campaigns}");
            let mut running = hunt(&out);
            // A campaign that was killed before its directory was made is started again.
            while killed < kills {
                moment = (moment * 16_807) % 2_147_483_647;
                sleep(Duration::from_millis(moment % LONGEST_MILLISECONDS));
                if running.has_ended() {
                    break;
                }
                running.signal("KILL");
                running.finish();
                killed += 1;
                wait_until_nothing_runs_in(&stage.path("tmp"));
                running = match stage.path(&out).join("campaign.toml").exists() {
                    true => self.start(stage, &["resume", &out, "--analyzer", fake]),
                    false => hunt(&out),
                };
            }
            let run = running.finish();
            assert_eq!(run.code, Some(1), "{}: {run}", self.name);
            assert_eq!(stage.essence(&out), expected, "{}: {out}", self.name);
        }
        let left = fs::read_dir(stage.path("tmp")).unwrap().count();
        assert_eq!(left, 0, "{}: run directories are left", self.name);
        println!("{}: {killed} kills in {campaigns} campaigns", self.name);
    }
}

/// Waits until no process has its working directory in there. Guardians need a moment to end what they guard.
fn wait_until_nothing_runs_in(directory: &Path) {
    let directory = directory.canonicalize().unwrap();
    let runs = || -> Vec<String> {
        let processes = fs::read_dir("/proc").unwrap().flatten();
        let is_inside =
            |path: &Path| fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd.starts_with(&directory));
        processes
            .filter(|entry| is_inside(&entry.path()))
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect()
    };
    for _ in 0..300 {
        if runs().is_empty() {
            return;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("these processes are left: {:?}", runs());
}
