//! How programs end and what they inherit.

use crate::stage::{Stage, generous, in_every_mode};
use process::Ending;
use std::ffi::OsString;

#[test]
fn exit_codes_and_signals_are_reported() {
    let rows = [
        ("exit 0", Ending::Exited(0)),
        ("exit 3", Ending::Exited(3)),
        ("exit 255", Ending::Exited(255)),
        ("kill ABRT => $$", Ending::Signaled(6)),
        ("kill SEGV => $$; sleep 10", Ending::Signaled(11)),
        ("kill KILL => $$; sleep 10", Ending::Signaled(9)),
        ("kill PIPE => $$; sleep 10", Ending::Signaled(13)),
        ("kill TERM => $$; sleep 10", Ending::Signaled(15)),
        ("use POSIX; POSIX::abort()", Ending::Signaled(6)),
    ];
    in_every_mode(|stage| {
        for (script, expected) in rows {
            let outcome = stage.run(script, &generous());
            assert_eq!(outcome.ending, expected, "{script}");
            assert_eq!(outcome.cost.kill, stage.runner.kill_mode());
            assert_eq!(outcome.cost.measure, stage.runner.measure_mode());
            assert!(outcome.cost.wall_microseconds > 0);
        }
    });
}

#[test]
fn both_output_streams_are_captured() {
    in_every_mode(|stage| {
        let outcome = stage.run("print STDOUT qq(out\\n); print STDERR qq(err\\xff\\n)", &generous());
        assert_eq!(outcome.stdout, b"out\n");
        assert_eq!(outcome.stderr, b"err\xff\n");
    });
}

#[test]
fn environment_is_clean() {
    in_every_mode(|stage| {
        let directory = stage.directory.path().display();
        let mut command = stage.command("env");
        command.environment.push((OsString::from("EXTRA"), OsString::from("1")));
        let outcome = stage.runner.run(&command, &generous()).unwrap();
        let expected = format!(
            "PATH=/usr/local/bin:/usr/bin:/bin\nLANG=C\nHOME={directory}\nTMPDIR={directory}\nEXTRA=1\n"
        );
        assert_eq!(String::from_utf8_lossy(&outcome.stdout), expected);
    });
}

/// Open files, signals and the process group are reset.
#[test]
fn nothing_else_is_inherited() {
    in_every_mode(|stage| {
        let listed = printed(stage, "opendir D, '/proc/self/fd'; print join ' ', sort grep /\\d/, readdir D");
        assert_eq!(listed, "0 1 2 3", "3 is the open directory");
        let mut grep = stage.command("grep");
        grep.arguments = ["-E", "^Sig(Blk|Ign)", "/proc/self/status"].map(OsString::from).to_vec();
        let outcome = stage.runner.run(&grep, &generous()).unwrap();
        let expected = "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n";
        assert_eq!(String::from_utf8_lossy(&outcome.stdout), expected);
        assert_eq!(printed(stage, "print getpgrp == $$ ? 'own' : 'shared'"), "own");
        assert_eq!(printed(stage, "use Cwd; print getcwd"), stage.directory.path().to_string_lossy());
    });
}

#[test]
fn many_threads_share_a_runner() {
    in_every_mode(|stage| {
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for round in 0..20 {
                        let code = (thread * 20 + round) % 100;
                        let outcome = stage.run(&format!("print {code}; exit {code}"), &generous());
                        assert_eq!(outcome.ending, Ending::Exited(code));
                        assert_eq!(outcome.stdout, code.to_string().as_bytes());
                    }
                });
            }
        });
    });
}

#[test]
fn runners_and_sessions_can_move_to_other_threads() {
    fn is_shared<T: Send + Sync>() {}
    fn is_sent<T: Send>() {}
    is_shared::<process::Runner>();
    is_sent::<process::Session>();
}

fn printed(stage: &Stage, script: &str) -> String {
    let outcome = stage.run(script, &generous());
    assert_eq!(outcome.ending, Ending::Exited(0), "{script}");
    String::from_utf8(outcome.stdout).unwrap()
}
