//! The fixture of a test: a runner in one mode, a directory, and a marker that identifies its processes.

use model::{KillMode, LimitKind, Limits, MeasureMode};
use process::{Command, Confinement, ConfinementMode, Ending, Outcome, Runner};
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use test_support::{is_required, skip_without};

static NEXT: AtomicU64 = AtomicU64::new(0);

/// One runner with a fresh directory and a marker.
pub struct Stage {
    pub runner: Runner,
    pub directory: tempfile::TempDir,
    pub marker: String,
    /// The confinement of the scripts.
    pub confinement: Confinement,
}

/// The pairs of modes that are tested.
pub const MODES: [(KillMode, MeasureMode); 6] = [
    (KillMode::Namespace, MeasureMode::CgroupV2),
    (KillMode::Namespace, MeasureMode::CgroupV1),
    (KillMode::Namespace, MeasureMode::Sampling),
    (KillMode::Subreaper, MeasureMode::CgroupV2),
    (KillMode::Subreaper, MeasureMode::CgroupV1),
    (KillMode::Subreaper, MeasureMode::Sampling),
];

/// The pairs that are also tested with confinement. Confinement does not depend on the other modes, so
/// a few are enough.
const CONFINED_MODES: [(KillMode, MeasureMode); 4] = [MODES[0], MODES[1], MODES[2], MODES[5]];

/// Runs the scene in every mode and checks that no process is left behind.
pub fn in_every_mode(scene: impl Fn(&Stage)) {
    for (kill, tool) in [(KillMode::Namespace, "namespaces"), (KillMode::Subreaper, "subreaper")] {
        let measures = MODES.iter().filter(|mode| mode.0 == kill).map(|mode| mode.1);
        let played: Vec<bool> =
            measures.map(|measure| play(kill, measure, Confinement::None, None, &scene)).collect();
        if !played.contains(&true) {
            skip_without(tool, format!("{kill:?} does not work on this machine"));
        }
    }
    for (kill, measure) in CONFINED_MODES {
        play(kill, measure, Confinement::Program, None, &scene);
    }
}

/// Runs the scene with every kind of confinement that this machine supports. `JUVENAL_REQUIRE=confinement`
/// requires all of them.
pub fn in_every_confinement(scene: impl Fn(&Stage)) {
    for mode in ConfinementMode::ALL.into_iter().filter(|mode| mode.hides_network()) {
        let played = CONFINED_MODES
            .map(|(kill, measure)| play(kill, measure, Confinement::Program, Some(mode), &scene));
        assert!(played.contains(&true) || !is_required("confinement"), "{mode:?} does not work");
    }
}

/// Runs the scene in one mode. Returns false if this machine does not support it.
fn play(
    kill: KillMode,
    measure: MeasureMode,
    confinement: Confinement,
    mode: Option<ConfinementMode>,
    scene: impl Fn(&Stage),
) -> bool {
    let what = format!("{kill:?} with {measure:?}, {confinement:?} confined by {mode:?}");
    let runner = Runner::with_modes(kill, measure);
    let runner = runner.and_then(|runner| match mode {
        Some(mode) => runner.with_confinement(mode),
        None => Some(runner),
    });
    let confines = |runner: &Runner| {
        confinement == Confinement::None || runner.confinement_mode() != ConfinementMode::Nothing
    };
    let Some(runner) = runner.filter(confines) else {
        eprintln!("skipped: {what} does not work on this machine");
        return false;
    };
    eprintln!("mode: {what}");
    let stage = Stage { runner, directory: directory(), marker: fresh_marker(), confinement };
    scene(&stage);
    assert_eq!(marked_processes(&stage.marker), Vec::<String>::new(), "{what}");
    true
}

impl Stage {
    /// A Perl script; all its forked processes carry the marker in their command line.
    pub fn perl(&self, script: &str) -> Command {
        let mut command = self.command("perl");
        command.arguments = ["-e", script, &self.marker].map(OsString::from).to_vec();
        command
    }

    /// A program in the directory of the stage, with the confinement of the stage.
    pub fn command(&self, program: impl Into<PathBuf>) -> Command {
        Command::new(program, self.directory.path(), self.confinement)
    }

    /// Runs a Perl script.
    pub fn run(&self, script: &str, limits: &Limits) -> Outcome {
        self.runner.run(&self.perl(script), limits).unwrap()
    }

    /// Runs a Perl script that prints `ready` and never ends. It must end at its time limit.
    ///
    /// The limit grows until the script gets that far, because a loaded machine may need any time for it.
    pub fn run_past_ready(&self, script: &str) -> Outcome {
        for wall in [500, 2_000, 8_000, 32_000] {
            let outcome = self.run(script, &milliseconds(wall));
            assert_eq!(outcome.ending, Ending::Limit(LimitKind::Time), "{script}");
            assert!(outcome.cost.wall_microseconds >= wall * 1000, "{script}: {:?}", outcome.cost);
            if outcome.stdout == b"ready" {
                return outcome;
            }
        }
        panic!("never ready: {script}");
    }
}

/// A directory that is removed when the test ends.
pub fn directory() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Returns a word that occurs in no other command line.
pub fn fresh_marker() -> String {
    format!("marker-{}-{}-of-test", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Limits that no test reaches by accident.
pub fn generous() -> Limits {
    Limits { wall_milliseconds: 60_000, memory_megabytes: 4096, output_kilobytes: 64 * 1024 }
}

/// Generous limits, except for the wall time.
pub fn milliseconds(wall_milliseconds: u64) -> Limits {
    Limits { wall_milliseconds, ..generous() }
}

/// Returns the ids and command lines of running processes that carry the marker.
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
