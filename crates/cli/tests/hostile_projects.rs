//! Hostile projects for `juvenal split`: code of a project that a tool executes reaches nothing, what is no regular file is
//! left out with its name, and reading can be stopped.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use serde_json::Value;
use stage::planted::{self, TOOL};
use stage::{Run, Stage, tool};
use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;
use test_support::skip_without;

const SPLIT: [&str; 9] =
    ["split", "--tool", "./planted.toml", "--root", "project", "--out", "out", "--parts", "1"];

fn split(stage: &Stage, more: &[&str]) -> Run {
    stage.juvenal(&[&SPLIT, more].concat())
}

fn report(stage: &Stage) -> Value {
    serde_json::from_slice(&fs::read(stage.path("out/report.json")).unwrap()).unwrap()
}

/// A program of a project, as linters load them as plugins. It leaves a mark where it may not, and says what it could do.
const PLUGIN: &str = r#"
import os, socket
could = []
def attempt(name, action):
    try:
        action()
        could.append(name)
    except OSError:
        pass
attempt("write", lambda: open("OUTSIDE/mark", "w").close())
attempt("read", lambda: open("OUTSIDE/secret").close())
attempt("packages", lambda: open("node_modules/p/index.js").close())
attempt("poison", lambda: open("node_modules/p/index.js", "a").close())
attempt("connect", lambda: socket.socket())
modes = [os.stat(place).st_mode & 0o7777 for place in ("..", "setuid.py")]
print('{"results": [{"path": "plugin.py", "line": 1, "code": "flaw", "text": "could ' + " ".join(could)
      + " %o %o" % tuple(modes) + '"}]}')
sys.exit(0)
"#;

fn with_plugin() -> Option<Stage> {
    let stage = planted::stage()?;
    stage.write("outside/secret", "secret");
    stage.write("project/plugin.py", PLUGIN.replace("OUTSIDE", &stage.at("outside")));
    stage.write("project/node_modules/p/index.js", "");
    let setuid = stage.write("project/setuid.py", "");
    fs::set_permissions(setuid, fs::Permissions::from_mode(0o6755)).unwrap();
    Some(stage)
}

#[test]
fn code_of_a_project_that_a_tool_executes_is_confined() {
    let Some(stage) = with_plugin() else { return };
    let mode = ["--", "--mode=plugin"];
    let said = |run: &Run| {
        assert_eq!(run.code, Some(0), "{run}");
        report(&stage)["merged"]["report"]["results"][0]["message"].as_str().unwrap().to_owned()
    };
    assert_eq!(said(&split(&stage, &mode)), "could packages 700 755");
    assert!(!stage.path("outside/mark").exists());
    // The attack is real, and the results of a confined run are not taken for those of one that was trusted.
    let trusted = split(&stage, &[&["--trust-project"], &mode[..]].concat());
    let could = said(&trusted);
    assert!(could.starts_with("could write read packages poison connect"), "{could}");
    assert!(stage.path("outside/mark").exists());
    for words in [&trusted.stderr, &trusted.stdout] {
        assert!(words.contains("the tool ran with the rights of its user"), "{trusted}");
    }
    for name in ["report.json", "report.txt", "split.html"] {
        let text = fs::read_to_string(stage.path("out").join(name)).unwrap();
        assert!(text.contains("the tool ran with the rights of its user"), "{name}");
    }
}

#[test]
fn what_is_no_regular_file_is_left_out_with_its_name() {
    let Some(stage) = planted::stage() else { return };
    let project = stage.path("project");
    stage.write("project/a.py", "# FLAW\n");
    stage.write("secret.py", "# FLAW\n");
    fs::create_dir(project.join("folder")).unwrap();
    for (name, target) in [
        ("zeros.py", "/dev/zero"),
        ("absolute.py", &*stage.at("secret.py")),
        ("here", "."),
        ("folder/through.py", "../here/../secret.py"),
        ("circle.py", "other-circle.py"),
        ("other-circle.py", "circle.py"),
        ("tsconfig.json", "/dev/zero"),
    ] {
        symlink(target, project.join(name)).unwrap();
    }
    for name in ["pipe.py", "compile_commands.json"] {
        assert!(tool("mkfifo", &[&project.join(name).display().to_string()]).status.success());
    }
    File::create(project.join("endless.py")).unwrap().set_len(1 << 40).unwrap();
    stage.write(
        "project/build/compile_commands.json",
        r#"[{"directory":"/","file":"x.c","arguments":["cc","-include","/dev/zero"]}]"#,
    );
    let run = split(&stage, &[]);
    assert_eq!(run.code, Some(0), "{run}");
    let report = report(&stage);
    let results = report["merged"]["report"]["results"].as_array().unwrap();
    assert_eq!(results.len(), 1, "{report:#}");
    let left = |name: &str| {
        let all = report["left-out"].as_array().unwrap();
        all.iter().find(|left| left["path"] == name).map(|left| left["reason"].as_str().unwrap().to_owned())
    };
    for (name, reason) in [
        ("zeros.py", "a symbolic link that leads out of the project"),
        ("absolute.py", "a symbolic link that leads out of the project"),
        ("folder/through.py", "a symbolic link that leads out of the project"),
        ("circle.py", "a symbolic link that leads in a circle"),
        ("tsconfig.json", "a symbolic link that leads out of the project"),
        ("pipe.py", "a named pipe"),
        ("compile_commands.json", "a named pipe"),
        ("endless.py", "a file of more than 256 MB, which is the limit"),
        ("/dev/zero", "a file outside of the project that compile_commands.json includes"),
    ] {
        assert_eq!(left(name).as_deref(), Some(reason), "{name}");
    }
}

/// A report can name any file; its lines must not come into ours.
#[test]
fn a_tool_that_names_files_outside_shows_nothing_of_them() {
    let Some(stage) = planted::stage() else { return };
    stage.write("secret", "the secret line\n");
    stage.write("project/a.py", "\n");
    stage.write(
        "project/plugin.py",
        format!(
            "import json\nnames = ['{}', '../secret', '../../project/a.py', 'node_modules/../../secret']\n\
             print(json.dumps({{'results': [{{'path': it, 'line': 1, 'code': 'flaw', 'text': 't'}} for it in names]}}))\n\
             sys.exit(0)\n",
            stage.at("secret")
        ),
    );
    let run = split(&stage, &["--", "--mode=plugin"]);
    assert_eq!(run.code, Some(0), "{run}");
    for name in ["report.sarif", "report.json", "split.html"] {
        let text = fs::read_to_string(stage.path("out").join(name)).unwrap();
        assert!(!text.contains("the secret line"), "{name}: {text}");
    }
    // Results in the project carry a hash of their line; one of a line outside would tell what is there.
    let log = fs::read_to_string(stage.path("out/report.sarif")).unwrap();
    assert!(!log.contains("artialFingerprints"), "{log}");
}

#[test]
fn too_much_is_refused_and_reading_can_be_stopped() {
    let Some(stage) = planted::stage() else { return };
    for number in 0..65 {
        let file = File::create(stage.path(&format!("project/{number}.py"))).unwrap();
        file.set_len(256 << 20).unwrap();
    }
    stage.refuses(&SPLIT, &["more than 16 GB in its files", "--exclude"]);
    for number in 1..65 {
        fs::remove_file(stage.path(&format!("project/{number}.py"))).unwrap();
    }
    let run = split(&stage, &["--time", "1ms"]);
    assert_eq!(run.code, Some(3), "{run}");
    assert!(run.stderr.contains("stopped before any part was analyzed"), "{run}");
    assert_eq!(fs::read_dir(stage.path("tmp")).unwrap().count(), 0, "a copy is left");
}

#[test]
fn one_signal_ends_what_comes_before_the_first_part() {
    for signal in ["TERM", "INT"] {
        let Some(stage) = planted::stage() else { return };
        stage.write("project/a.py", "\n");
        let began = stage.at("began");
        assert!(tool("mkfifo", &[&began]).status.success());
        let slow = format!(
            "    open('{began}', 'w').close()\n    time.sleep(1000000)\n    print(\"planted 1.0.0\")"
        );
        stage.program("planted", &TOOL.replace("    print(\"planted 1.0.0\")", &slow));
        let running = stage.start(&SPLIT);
        // Reading ends when the tool has been asked for its version.
        fs::read(&began).unwrap();
        running.signal(signal);
        let run = running.finish();
        assert_eq!(run.code, Some(3), "{run}");
        assert!(run.stderr.contains("stopped before any part was analyzed"), "{run}");
        assert_eq!(fs::read_dir(stage.path("tmp")).unwrap().count(), 0, "a directory is left");
    }
}

/// Nobody owns nothing, so files without permissions are unreadable even where the tests run as root.
#[test]
fn a_file_that_cannot_be_read_is_left_out() {
    let Some(stage) = planted::stage() else { return };
    stage.write("project/a.py", "# FLAW\n");
    for name in ["project/closed.py", "project/folder/b.py"] {
        stage.write(name, "# FLAW\n");
    }
    for name in ["project/closed.py", "project/folder"] {
        fs::set_permissions(stage.path(name), fs::Permissions::from_mode(0o000)).unwrap();
    }
    // The interpreter of the tool must be one that everybody can reach.
    let python = TOOL.replace("/usr/bin/env python3", "/usr/bin/python3");
    stage.program("planted", &python);
    let plain = stage.command(&SPLIT);
    let mut command = Command::new("/usr/bin/setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs", "--"]);
    command.arg(plain.get_program()).args(plain.get_args());
    let is_there = std::path::Path::new("/usr/bin/python3").exists();
    if !is_there || !tool("chown", &["-R", "65534:65534", &stage.at("")]).status.success() {
        return skip_without("root", "only root can become another user");
    }
    let run = stage::Running::of(stage.like(&plain, command)).finish();
    assert_eq!(run.code, Some(0), "{run}");
    let left = report(&stage)["left-out"].to_string();
    for words in ["closed.py", "a file that cannot be read", "\"folder\"", "a folder that cannot be read"] {
        assert!(left.contains(words), "`{words}` is missing: {left}");
    }
    assert_eq!(report(&stage)["merged"]["report"]["results"].as_array().unwrap().len(), 1, "{run}");
}

#[test]
fn a_full_disk_ends_with_a_sentence_and_its_advice_works() {
    let Some(stage) = planted::stage() else { return };
    for number in 0..8 {
        stage.write(&format!("project/{number}.py"), format!("# FLAW {}\n", "x".repeat(100_000)));
    }
    fs::create_dir(stage.path("small")).unwrap();
    // First there is no room for a copy, then there is none for the results.
    let script = "/bin/mount -t tmpfs -o size=400k none small || exit 77; TMPDIR=$PWD/small \"$0\" \"$@\"; first=$?; \
                  \"$0\" \"$@\" --out small/out; second=$?; /bin/mount -o remount,size=64m small; \
                  TMPDIR=$PWD/small \"$0\" \"$@\"; third=$?; \"$0\" \"$@\" --out small/out; exit $((first * 27 + second * 9 + third * 3 + $?))";
    let plain = stage.command(&[&SPLIT[..5], &SPLIT[7..]].concat());
    let mut command = Command::new("/usr/bin/unshare");
    command.args(["--user", "--map-root-user", "--mount", "/bin/sh", "-c", script]);
    command.arg(plain.get_program()).args(plain.get_args());
    for number in 0..40 {
        stage.write(&format!("project/small-{number}.py"), "# FLAW\n".repeat(10));
    }
    let run = stage::Running::of(stage.like(&plain, command)).finish();
    if run.code.is_none_or(|code| code == 1 || code == 77) {
        return skip_without("unprivileged", format!("a small disk cannot be mounted: {run}"));
    }
    for words in ["set TMPDIR to a directory with room", "small"] {
        assert!(run.stderr.contains(words), "`{words}` is missing: {run}");
    }
    // 2 for the copy that finds no room, then everything is well.
    assert!(matches!(run.code, Some(54 | 72)), "{run}");
}
