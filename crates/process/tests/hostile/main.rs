//! Runs some hundred hostile behaviours in every way that this machine has of keeping programs, and looks from outside
//! at what they left and reached.
//!
//! Each behaviour runs once; `JUVENAL_HOSTILE_ROUNDS=20` repeats them, and the number of runs is printed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod behaviours;
mod outside;

use behaviours::{BEHAVIOURS, Behaviour, REAL, Way, Who};
use model::{KillMode, LimitKind, Limits, MeasureMode};
use outside::{Outside, REACHED};
use process::{Command, Confinement, ConfinementMode, Ending, Runner};
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use test_support::{is_usable, skip_without};

/// The exit code of the program for a behaviour that it does not have.
const UNKNOWN: i32 = 2;
const ROUNDS: &str = "JUVENAL_HOSTILE_ROUNDS";
/// Tells the process that runs as an ordinary user where it may write.
const PLACE: &str = "HOSTILE_PLACE";
/// The user and the group "nobody", who exist everywhere.
const NOBODY: u32 = 65534;

#[test]
fn privileged_namespaces_hold() {
    if !is_usable("root", is_superuser()) {
        return;
    }
    let measures = [MeasureMode::CgroupV2, MeasureMode::CgroupV1, MeasureMode::Sampling];
    let runner = measures.into_iter().find_map(|measure| Runner::with_modes(KillMode::Namespace, measure));
    play(Way::Privileged, runner, &target());
}

#[test]
fn subreapers_hold() {
    let runner = Runner::with_modes(KillMode::Subreaper, MeasureMode::Sampling);
    let runner = runner.and_then(|runner| runner.with_confinement(ConfinementMode::Landlock));
    play(Way::Subreaper, runner, &target());
}

#[test]
fn subreapers_hold_on_older_systems() {
    let runner = Runner::with_modes(KillMode::Subreaper, MeasureMode::Sampling);
    play(Way::OldSubreaper, runner.map(Runner::without_signal_scope), &target());
}

/// The superuser runs this test again as an ordinary user.
#[test]
fn unprivileged_namespaces_hold() {
    if !is_superuser() {
        let place = std::env::var_os(PLACE).map_or_else(target, PathBuf::from);
        play(Way::Unprivileged, Runner::with_modes(KillMode::Namespace, MeasureMode::Sampling), &place);
    } else if let Err(reason) = again_as_nobody() {
        skip_without("unprivileged", reason);
    }
}

#[allow(clippy::disallowed_methods, reason = "the test itself changes its user")]
fn again_as_nobody() -> Result<(), String> {
    let place = tempfile::tempdir_in(target()).unwrap();
    let program = place.path().join("test");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    chown(place.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    let user = format!("--reuid={NOBODY}");
    let group = format!("--regid={NOBODY}");
    let as_nobody = |program: &Path| {
        let mut command = std::process::Command::new("setpriv");
        command.args([&user, &group, "--clear-groups", "--no-new-privs"]).arg(program);
        command.env("HOME", place.path()).env(PLACE, place.path());
        command
    };
    let can_enter = as_nobody(Path::new("ls")).arg(&program).output();
    if !can_enter.is_ok_and(|output| output.status.success()) {
        return Err(format!("nobody may not enter {}, or there is no setpriv", place.path().display()));
    }
    let status =
        as_nobody(&program).args(["--exact", "unprivileged_namespaces_hold", "--nocapture"]).status();
    assert!(status.unwrap().success(), "the test failed as an ordinary user");
    Ok(())
}

/// Runs every behaviour, and fails if one is not contained that should be.
fn play(way: Way, runner: Option<Runner>, place: &Path) {
    let Some(runner) = runner.filter(|_| is_usable("gcc", Path::new("/usr/bin/gcc").exists())) else {
        let tool = if way == Way::Unprivileged { "unprivileged" } else { "confinement" };
        return skip_without(tool, format!("{way:?} does not work on this machine"));
    };
    let work = tempfile::tempdir().unwrap();
    let helper = compile(work.path());
    let rounds: usize = std::env::var(ROUNDS).map_or(1, |text| text.parse().unwrap());
    let mut score = Score::default();
    for _ in 0..rounds {
        for behaviour in BEHAVIOURS {
            for who in behaviour.who.iter().filter(|who| is_played(way, behaviour, **who)) {
                let traces = run(&runner, &helper, place, behaviour, *who);
                score.add(way, behaviour, *who, &traces);
            }
        }
    }
    println!("{way:?}: {} runs, {} not contained as listed", score.runs, score.exceptions.len());
    score.print_stale(way);
    assert!(score.failures.is_empty(), "{way:?}:\n{}", score.failures.join("\n"));
}

/// On older systems only analyzers are tested, and what could not be contained would end the test itself.
fn is_played(way: Way, behaviour: &Behaviour, who: Who) -> bool {
    way != Way::OldSubreaper || who == Who::Analyzer && behaviour.exception(way, who).is_none()
}

#[derive(Default)]
struct Score {
    runs: usize,
    /// The behaviours that were not contained as listed, once for each run.
    exceptions: Vec<(&'static str, Who)>,
    failures: Vec<String>,
}

impl Score {
    fn add(&mut self, way: Way, behaviour: &'static Behaviour, who: Who, traces: &[String]) {
        self.runs += 1;
        match (traces, behaviour.exception(way, who)) {
            ([], _) => {}
            (_, Some(why)) => {
                self.exceptions.push((behaviour.name, who));
                println!("{way:?} {who:?} {}: {}; {why}", behaviour.name, traces.join(", "));
            }
            (_, None) => self.failures.push(format!("{who:?} {}: {}", behaviour.name, traces.join(", "))),
        }
    }

    /// Exceptions that did not occur. Some depend on the machine, so they are only shown.
    fn print_stale(&self, way: Way) {
        for behaviour in BEHAVIOURS {
            for who in behaviour.who.iter().filter(|who| behaviour.exception(way, **who).is_some()) {
                let is_played = way != Way::OldSubreaper;
                if is_played && !self.exceptions.contains(&(behaviour.name, *who)) {
                    println!(
                        "{way:?} {who:?} {}: contained, although listed as an exception",
                        behaviour.name
                    );
                }
            }
        }
    }
}

/// An attack that never reaches anything would be contained everywhere.
#[test]
fn attacks_are_real() {
    if !is_usable("gcc", Path::new("/usr/bin/gcc").exists()) {
        return;
    }
    let work = tempfile::tempdir().unwrap();
    let helper = compile(work.path());
    let runner = Runner::with_modes(KillMode::Subreaper, MeasureMode::Sampling).unwrap();
    for name in REAL {
        let behaviour = BEHAVIOURS.iter().find(|behaviour| behaviour.name == *name).unwrap();
        let outside = Outside::new(&helper, &target());
        let reached = attack(&runner, &helper, &outside, behaviour, Confinement::None);
        let traces = outside.traces_of_confined();
        assert!(!reached.is_empty() || !traces.is_empty(), "{name} reaches nothing without confinement");
    }
    let no_behaviour = Behaviour { name: "nothing", ..*BEHAVIOURS.first().unwrap() };
    assert!(!run(&runner, &helper, &target(), &no_behaviour, Who::Analyzer).is_empty());
}

/// Runs one behaviour and returns what it left or reached.
fn run(runner: &Runner, helper: &Path, place: &Path, behaviour: &Behaviour, who: Who) -> Vec<String> {
    let outside = Outside::new(helper, place);
    let confinement = if who == Who::Program { Confinement::Program } else { Confinement::None };
    let mut traces = attack(runner, helper, &outside, behaviour, confinement);
    if who == Who::Program {
        traces.extend(outside.traces_of_confined());
    }
    traces
}

/// Runs one behaviour and returns which processes it left, and what it or its end says.
fn attack(
    runner: &Runner,
    helper: &Path,
    outside: &Outside,
    behaviour: &Behaviour,
    confinement: Confinement,
) -> Vec<String> {
    let program = outside.run.path().join("hostile");
    // A copy that is being written cannot be executed, and processes that other threads make share open files for a moment.
    fs::hard_link(helper, &program).unwrap();
    let mut command = Command::new(&program, outside.run.path(), confinement);
    command.arguments = outside.words(behaviour.name);
    let outcome = runner.run(&command, &limits(behaviour));
    let mut traces = outside.traces_of_anyone();
    match outcome.map(|outcome| outcome.ending) {
        Ok(Ending::Exited(REACHED)) => traces.push("reached what it must not".to_owned()),
        Ok(Ending::Exited(UNKNOWN)) => traces.push("is no behaviour".to_owned()),
        Ok(ending) => {
            let expected = behaviour.limit.map(Ending::Limit);
            if expected.is_some_and(|expected| expected != ending) {
                traces.push(format!("ended with {ending:?}"));
            }
        }
        Err(error) => traces.push(error.to_string()),
    }
    traces
}

fn limits(behaviour: &Behaviour) -> Limits {
    let roomy = Limits { wall_milliseconds: 20_000, memory_megabytes: 2048, output_kilobytes: 64 };
    match behaviour.limit {
        _ if behaviour.is_brief => Limits { wall_milliseconds: 250, ..roomy },
        Some(LimitKind::Memory) => Limits { memory_megabytes: 96, ..roomy },
        _ => roomy,
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "the hostile program is compiled once, outside of any confinement"
)]
fn compile(directory: &Path) -> PathBuf {
    let (source, program) = (directory.join("hostile.c"), directory.join("hostile"));
    fs::write(&source, include_str!("hostile.c")).unwrap();
    let mut gcc = std::process::Command::new("gcc");
    gcc.args(["-O1", "-pthread", "-w", "-o"]).args([&program, &source]).arg("-lrt");
    assert!(gcc.status().unwrap().success());
    fs::set_permissions(directory, fs::Permissions::from_mode(0o755)).unwrap();
    program
}

fn is_superuser() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    status.lines().any(|line| line.starts_with("Uid:\t0\t"))
}

/// A directory that confined programs can see.
fn target() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}
