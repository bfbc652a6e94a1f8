//! `kill -9` at any moment, in every way that juvenal has of keeping processes: nothing stays, and the resumed campaign
//! has the findings of one that was left alone.
//!
//! Each way is killed a few times; `JUVENAL_KILLS=40` makes it 40 times each.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod stage;

use stage::{Running, Stage, TINY, at_check, tool};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;
use test_support::skip_without;

const KILLS: &str = "JUVENAL_KILLS";
/// The longest time before a kill. Most campaigns of this test take a few times as long.
const LONGEST_MILLISECONDS: u64 = 1500;

/// A way of keeping processes, and the words before the command of juvenal that make it choose this way.
struct Way {
    name: &'static str,
    words: &'static [&'static str],
    /// What juvenal says about its isolation.
    isolation: &'static str,
}

const WAYS: [Way; 3] = [
    Way { name: "namespaces", words: &[], isolation: "Namespace" },
    Way {
        name: "namespaces of an ordinary user",
        words: &[
            "/usr/bin/setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            "--no-new-privs",
            "--",
        ],
        isolation: "Namespace",
    },
    Way {
        name: "subreapers",
        words: &[
            "/usr/bin/unshare",
            "-Ur",
            "/bin/sh",
            "-c",
            "echo 0 > /proc/sys/user/max_user_namespaces && echo 0 > /proc/sys/user/max_pid_namespaces && \
             exec \"$0\" \"$@\"",
        ],
        isolation: "Subreaper",
    },
];

#[test]
fn kills_leave_nothing_and_change_nothing() {
    let kills: u64 = std::env::var(KILLS).map_or(3, |text| text.parse().unwrap());
    for way in WAYS {
        let stage = Stage::new();
        // The solver lies, and leaves processes behind in sessions of their own.
        let fake = stage.fake(&at_check("setsid sleep 5 < /dev/null > /dev/null 2>&1 & echo unsat"));
        if !way.works(&stage) {
            let tool = if way.isolation == "Subreaper" { "subreaper" } else { "unprivileged" };
            skip_without(tool, format!("{} cannot be forced on this machine", way.name));
            continue;
        }
        way.survives(&stage, &fake, kills);
    }
}

impl Way {
    fn works(&self, stage: &Stage) -> bool {
        let everybody = ["-R", "65534:65534", &stage.at("")];
        if self.words.first().is_some_and(|word| word.contains("setpriv"))
            && !tool("chown", &everybody).status.success()
        {
            return false;
        }
        let doctor = self.start(stage, &["doctor"]).finish();
        doctor.stdout.contains(&format!("isolation and accounting: {}", self.isolation))
    }

    fn start(&self, stage: &Stage, words: &[&str]) -> Running {
        let plain = stage.command(words);
        let Some((first, others)) = self.words.split_first() else { return stage.start(words) };
        let mut command = Command::new(first);
        command.args(others).arg(plain.get_program()).args(plain.get_args());
        Running::of(stage.like(&plain, command))
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
