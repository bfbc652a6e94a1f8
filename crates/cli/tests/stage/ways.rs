//! The ways in which juvenal keeps processes, each of which can be forced on most machines.

use super::{Running, Stage, tool};
use std::process::Command;
use test_support::skip_without;

/// A way of keeping processes, and the words before the command of juvenal that make it choose this way.
pub struct Way {
    /// Its name.
    pub name: &'static str,
    /// The words before the command.
    pub words: &'static [&'static str],
    /// What juvenal says about its isolation.
    pub isolation: &'static str,
}

pub const WAYS: [Way; 3] = [
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

impl Way {
    /// Returns whether it can be forced here, and notes that a part of a test is skipped if it cannot.
    pub fn is_usable(&self, stage: &Stage) -> bool {
        let works = self.works(stage);
        if !works {
            let tool = if self.isolation == "Subreaper" { "subreaper" } else { "unprivileged" };
            skip_without(tool, format!("{} cannot be forced on this machine", self.name));
        }
        works
    }

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

    /// Starts juvenal in this way.
    pub fn start(&self, stage: &Stage, words: &[&str]) -> Running {
        let plain = stage.command(words);
        let Some((first, others)) = self.words.split_first() else { return stage.start(words) };
        let mut command = Command::new(first);
        command.args(others).arg(plain.get_program()).args(plain.get_args());
        Running::of(stage.like(&plain, command))
    }
}
