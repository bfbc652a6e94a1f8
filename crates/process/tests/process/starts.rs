//! Error messages for programs that cannot be started.

use crate::stage::{Stage, generous, in_every_mode};
use process::{Command, Confinement, RunError};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// Checks that a run and a session fail with a message that contains all of these parts.
fn check(stage: &Stage, command: &Command, parts: &[&str]) {
    let run = stage.runner.run(command, &generous()).map(|_| ());
    let session = stage.runner.open(command, &generous()).map(|_| ());
    for result in [run, session] {
        let message = result.expect_err("the program must not start").to_string();
        for part in parts {
            assert!(message.contains(part), "{part:?} is not in {message:?}");
        }
    }
}

fn file(stage: &Stage, name: &str, content: &str, mode: u32) -> PathBuf {
    let path = stage.directory.path().join(name);
    fs::write(&path, content).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    path
}

#[test]
fn missing_and_unusable_programs_are_named() {
    in_every_mode(|stage| {
        let directory = stage.directory.path();
        let command = |program: PathBuf| stage.command(program);
        check(
            stage,
            &command(PathBuf::from("no-such-program")),
            &["no-such-program", "not found", "install"],
        );
        check(stage, &command(directory.join("absent")), &["absent", "not found"]);
        check(stage, &command(PathBuf::new()), &["not found"]);
        let plain = file(stage, "plain", "#!/bin/sh\n", 0o644);
        check(stage, &command(plain), &["plain", "cannot be executed", "chmod"]);
        let garbage = file(stage, "garbage", "\u{1}\u{2}", 0o755);
        check(stage, &command(garbage), &["garbage", "cannot be executed", "this machine"]);
        let orphan = file(stage, "orphan", "#!/no/such/interpreter\n", 0o755);
        check(stage, &command(orphan), &["orphan", "interpreter"]);
    });
}

#[test]
fn unusable_directories_and_arguments_are_named() {
    in_every_mode(|stage| {
        let absent = stage.directory.path().join("absent");
        check(
            stage,
            &Command::new("true", absent, Confinement::None),
            &["working directory", "absent", "cannot be entered"],
        );
        let mut command = stage.command("true");
        command.arguments = vec![OsString::from("a\0b")];
        check(stage, &command, &["true", "zero byte"]);
        command.arguments = vec![OsString::from("a".repeat(200_000)); 100];
        check(stage, &command, &["true", "longer than the system allows"]);
    });
}

#[test]
fn errors_can_be_distinguished() {
    in_every_mode(|stage| {
        let missing = stage.runner.run(&Command::new("no-such-program", "/", Confinement::None), &generous());
        assert!(matches!(missing, Err(RunError::ProgramMissing { .. })));
        let directory =
            stage.runner.run(&Command::new("true", "/no/such/directory", Confinement::None), &generous());
        assert!(matches!(directory, Err(RunError::DirectoryMissing { .. })));
    });
}
