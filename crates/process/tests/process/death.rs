//! No process survives when juvenal itself is killed with SIGKILL.

use crate::stage::{MODES, directory, fresh_marker, generous, marked_processes};
use process::{Command, Runner, remove_leftovers};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

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
    let mut command = Command::new("perl", place.path());
    command.arguments = ["-e", SLEEPERS, &marker].map(OsString::from).to_vec();
    let _session = runner.open(&command, &generous()).unwrap();
    let _outcome = runner.run(&command, &generous());
}

#[test]
fn process_trees_die_with_juvenal() {
    for (index, (kill, measure)) in MODES.into_iter().enumerate() {
        if Runner::with_modes(kill, measure).is_none() {
            eprintln!("skipped: {kill:?} with {measure:?} does not work on this machine");
            continue;
        }
        let marker = fresh_marker();
        let mut victim = start_victim(index, &marker);
        wait_until("everything is running", || {
            marked_processes(&marker).len() >= 2 * SLEEPING_IN_ONE_TREE + 3
        });
        victim.kill().unwrap();
        let number = victim.id();
        victim.wait().unwrap();
        wait_until("nothing is left", || marked_processes(&marker).is_empty());
        remove_leftovers();
        assert_eq!(groups_of(number), Vec::<PathBuf>::new(), "{kill:?} {measure:?}");
    }
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
