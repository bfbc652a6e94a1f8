//! Where a test plays: a runner in one mode, a directory, and a marker by which its processes are known.

use model::{KillMode, Limits, MeasureMode};
use process::{Command, Outcome, Runner};
use std::ffi::OsString;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

static NEXT: AtomicU64 = AtomicU64::new(0);

/// One runner with a fresh directory and a marker.
pub struct Stage {
    pub runner: Runner,
    pub directory: tempfile::TempDir,
    pub marker: String,
}

/// Every pair of modes that is worth a test.
pub const MODES: [(KillMode, MeasureMode); 6] = [
    (KillMode::Namespace, MeasureMode::CgroupV2),
    (KillMode::Namespace, MeasureMode::CgroupV1),
    (KillMode::Namespace, MeasureMode::Sampling),
    (KillMode::Subreaper, MeasureMode::CgroupV2),
    (KillMode::Subreaper, MeasureMode::CgroupV1),
    (KillMode::Subreaper, MeasureMode::Sampling),
];

/// Plays the scene in every mode, and looks after each for processes left behind.
pub fn in_every_mode(scene: impl Fn(&Stage)) {
    for (kill, measure) in MODES {
        let Some(runner) = Runner::with_modes(kill, measure) else {
            eprintln!("skipped: {kill:?} with {measure:?} does not work on this machine");
            continue;
        };
        eprintln!("mode: {kill:?} with {measure:?}");
        let stage = Stage { runner, directory: directory(), marker: fresh_marker() };
        scene(&stage);
        assert_eq!(marked_processes(&stage.marker), Vec::<String>::new(), "{kill:?} {measure:?}");
    }
}

impl Stage {
    /// A Perl script; all its forked processes carry the marker in their command line.
    pub fn perl(&self, script: &str) -> Command {
        let mut command = Command::new("perl", self.directory.path());
        command.arguments = ["-e", script, &self.marker].map(OsString::from).to_vec();
        command
    }

    /// Runs a Perl script.
    pub fn run(&self, script: &str, limits: &Limits) -> Outcome {
        self.runner.run(&self.perl(script), limits).unwrap()
    }
}

/// A directory that is removed when the test ends.
pub fn directory() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// A word that stands in no other command line.
pub fn fresh_marker() -> String {
    format!("marker-{}-{}-of-test", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Limits that no test reaches by accident.
pub fn generous() -> Limits {
    Limits { wall_milliseconds: 60_000, memory_megabytes: 4096, output_kilobytes: 64 * 1024 }
}

/// The same with less time.
pub fn milliseconds(wall_milliseconds: u64) -> Limits {
    Limits { wall_milliseconds, ..generous() }
}

/// Process ids and command lines of the living that carry the marker.
pub fn marked_processes(marker: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter_map(|entry| {
            let line = fs::read(entry.path().join("cmdline")).ok()?;
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            line.contains(marker).then(|| format!("{}: {line}", entry.file_name().display()))
        })
        .collect()
}
