//! No process survives when juvenal itself is killed with SIGKILL.

use crate::stage::{MODES, directory, fresh_marker, generous, marked_processes};
use model::{KillMode, MeasureMode};
use process::{Command, Confinement, Runner, remove_leftovers};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use test_support::skip_without;

const VICTIM_MODE: &str = "VICTIM_MODE";
const VICTIM_MARKER: &str = "VICTIM_MARKER";
/// Children that leave the session and outlive their parents, and a program that stops its guardian.
const SLEEPERS: &str = "use POSIX; for (1..3) { if (!fork) { POSIX::setsid(); fork; sleep 1000 } } \
                        if (!fork) { exit 0 } kill STOP => getppid; sleep 1000";
/// Each tree: the program, three children, and one child of each. The victim and its guardians carry the
/// marker too.
const SLEEPING_IN_ONE_TREE: usize = 7;

/// Not a test: the process that is killed.
#[test]
fn victim() {
    let (Ok(mode), Ok(marker)) = (std::env::var(VICTIM_MODE), std::env::var(VICTIM_MARKER)) else { return };
    let (kill, measure) = MODES[mode.parse::<usize>().unwrap()];
    let runner = Runner::with_modes(kill, measure).unwrap();
    let place = directory();
    let mut command = Command::new("perl", place.path(), Confinement::None);
    command.arguments = ["-e", SLEEPERS, &marker].map(OsString::from).to_vec();
    let _session = runner.open(&command, &generous()).unwrap();
    let _outcome = runner.run(&command, &generous());
}

#[test]
fn process_trees_die_with_juvenal() {
    require_kill_modes();
    for (index, (kill_mode, measure)) in MODES.into_iter().enumerate() {
        if Runner::with_modes(kill_mode, measure).is_none() {
            eprintln!("skipped: {kill_mode:?} with {measure:?} does not work on this machine");
            continue;
        }
        for death in [Death::Alone, Death::WithSharers] {
            let marker = fresh_marker();
            let mut victim = start_victim(index, &marker);
            wait_until("everything is running", || {
                marked_processes(&marker).len() >= 2 * SLEEPING_IN_ONE_TREE + 3
            });
            let number = victim.id();
            kill(&death.victims(number));
            victim.wait().unwrap();
            wait_until("nothing is left", || marked_processes(&marker).is_empty());
            remove_leftovers();
            assert_eq!(groups_of(number), Vec::<PathBuf>::new(), "{kill_mode:?} {measure:?} {death:?}");
        }
    }
}

/// Each way to kill must work with one way to measure, if it is required.
fn require_kill_modes() {
    for (kill, tool) in [(KillMode::Namespace, "namespaces"), (KillMode::Subreaper, "subreaper")] {
        let works = |mode: &(KillMode, MeasureMode)| Runner::with_modes(mode.0, mode.1).is_some();
        if !MODES.iter().filter(|mode| mode.0 == kill).any(works) {
            skip_without(tool, format!("{kill:?} does not work on this machine"));
        }
    }
}

/// Who dies with juvenal.
#[derive(Clone, Copy, Debug)]
enum Death {
    Alone,
    /// When memory is short, the system kills all processes that share the memory of its victim.
    WithSharers,
}

impl Death {
    fn victims(self, juvenal: u32) -> Vec<u32> {
        let mut victims = vec![juvenal];
        if matches!(self, Death::WithSharers) {
            let threads = std::fs::read_dir(format!("/proc/{juvenal}/task")).unwrap().flatten();
            let children =
                threads.map(|thread| std::fs::read_to_string(thread.path().join("children")).unwrap());
            let children: String = children.collect();
            victims.extend(children.split_whitespace().map(|child| child.parse::<u32>().unwrap()));
            assert_eq!(victims.len(), 3, "juvenal has a guardian for each of its two trees");
        }
        victims
    }
}

#[allow(clippy::disallowed_methods, reason = "another process kills juvenal")]
fn kill(processes: &[u32]) {
    let words = processes.iter().map(u32::to_string);
    let killed = std::process::Command::new("kill").arg("-KILL").args(words).status();
    assert!(killed.unwrap().success());
}

#[allow(clippy::disallowed_methods, reason = "the victim must be a process of its own")]
fn start_victim(mode: usize, marker: &str) -> std::process::Child {
    std::process::Command::new(std::env::current_exe().unwrap())
        // The marker is passed as the name of another test, which does not exist.
        .args(["--exact", "death::victim", marker])
        .env(VICTIM_MODE, mode.to_string())
        .env(VICTIM_MARKER, marker)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap()
}

fn wait_until(what: &str, condition: impl Fn() -> bool) {
    for _ in 0..600 {
        if condition() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("timed out waiting until {what}");
}

/// Returns the control groups that a process created and that still exist.
fn groups_of(process: u32) -> Vec<PathBuf> {
    let prefix = format!("juvenal-{process}-");
    let mut found = Vec::new();
    let mut pending = vec![PathBuf::from("/sys/fs/cgroup")];
    while let Some(directory) = pending.pop() {
        for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
            let path: &Path = &entry.path();
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                continue;
            }
            if entry.file_name().to_string_lossy().starts_with(&prefix) {
                found.push(path.to_owned());
            }
            pending.push(path.to_owned());
        }
    }
    found
}
