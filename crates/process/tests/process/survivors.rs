//! Programs that try to leave processes behind. `in_every_mode` checks for them afterwards.

use crate::stage::{generous, in_every_mode, marked_processes, milliseconds};
use model::{KillMode, LimitKind, Limits};
use process::Ending;

#[test]
fn descendants_end_with_the_program() {
    let rows = [
        ("a child", "if (!fork) { sleep 1000 } exit 4"),
        ("a session of its own", "use POSIX; if (!fork) { POSIX::setsid(); sleep 1000 } exit 4"),
        (
            "a daemon",
            "use POSIX; if (!fork) { POSIX::setsid(); if (fork) { exit 0 } close STDIN; close STDOUT; \
             close STDERR; chdir '/'; sleep 1000 } wait; select undef, undef, undef, 0.1; exit 4",
        ),
        ("a writer that holds the pipes", "if (!fork) { while (1) { print 'x'; sleep 1 } } exit 4"),
        (
            "a family that ignores signals",
            "$SIG{$_} = 'IGNORE' for keys %SIG; for (1..20) { if (!fork) { fork; sleep 1 while 1 } } exit 4",
        ),
    ];
    in_every_mode(|stage| {
        for (what, script) in rows {
            assert_eq!(stage.run(script, &generous()).ending, Ending::Exited(4), "{what}");
            assert_eq!(marked_processes(&stage.marker), Vec::<String>::new(), "{what}");
        }
    });
}

#[test]
fn descendants_end_at_a_limit() {
    let rows = [
        "use POSIX; $| = 1; \
         if (!fork) { POSIX::setsid(); if (fork) { exit 0 } print 'ready'; sleep 1000 } sleep 1000",
        "$| = 1; $SIG{CHLD} = 'IGNORE'; for (1..30) { if (!fork) { fork; sleep 1000 } } print 'ready'; sleep 1000",
    ];
    in_every_mode(|stage| {
        for script in rows {
            stage.run_past_ready(script);
            assert_eq!(marked_processes(&stage.marker), Vec::<String>::new(), "{script}");
        }
    });
}

#[test]
fn a_thousand_processes_are_killed() {
    let limits = Limits { memory_megabytes: 100_000, ..generous() };
    in_every_mode(|stage| {
        let fork = "for (1..1000) { my $p = fork; die unless defined $p; if (!$p) { sleep 1000 } }";
        assert_eq!(stage.run(&format!("{fork} exit 0"), &limits).ending, Ending::Exited(0));
        let limits = Limits { wall_milliseconds: 5000, ..limits };
        let outcome = stage.run(&format!("{fork} sleep 1000"), &limits);
        assert_eq!(outcome.ending, Ending::Limit(LimitKind::Time));
    });
}

/// A chain in which each process forks the next and exits tries to outrun the kill.
#[test]
fn a_chain_of_forks_is_killed() {
    in_every_mode(|stage| {
        let script = "if (!fork) { $SIG{ALRM} = 'DEFAULT'; alarm 60; while (1) { if (fork) { exit 0 } } } \
                      select undef, undef, undef, 0.2; exit 4";
        assert_eq!(stage.run(script, &generous()).ending, Ending::Exited(4));
    });
}

/// Signals from a terminal or from the program itself do not stop the guardian.
#[test]
fn guardians_are_hard_to_stop() {
    in_every_mode(|stage| {
        let polite =
            "kill $_ => getppid for qw(INT TERM HUP QUIT USR1 ALRM); if (!fork) { sleep 1000 } exit 4";
        assert_eq!(stage.run(polite, &generous()).ending, Ending::Exited(4));
        stage.run_past_ready(
            "$| = 1; if (!fork) { sleep 1000 } kill STOP => getppid; print 'ready'; sleep 1000",
        );
    });
}

/// A program cannot kill its guardian. If another process does, nothing survives: in a namespace its init takes everything
/// with it, and without one there are two guardians, of which either is enough.
#[test]
fn nothing_survives_a_killed_guardian() {
    let script = "use POSIX; for (1..3) { if (!fork) { POSIX::setsid(); fork; sleep 1000 } } $| = 1; \
                  kill KILL => getppid; print qq(END\\n); sleep 1000";
    in_every_mode(|stage| {
        for generation in 1..=2 {
            let mut session = stage.runner.open(&stage.perl(script), &generous()).unwrap();
            assert_eq!(session.exchange(b"", b"END", &generous()).unwrap().ending, Ending::StillAlive);
            let mut victim = session.process_id();
            for _ in 0..generation {
                victim = parent_of(victim);
            }
            if victim == std::process::id() {
                assert_eq!(stage.runner.kill_mode(), KillMode::Namespace, "there is only one guardian");
                continue;
            }
            kill(victim);
            let ending = session.exchange(b"", b"END", &milliseconds(200)).unwrap().ending;
            assert!(matches!(ending, Ending::Signaled(9) | Ending::Limit(LimitKind::Time)), "{ending:?}");
            assert_eq!(marked_processes(&stage.marker), Vec::<String>::new(), "generation {generation}");
        }
    });
}

fn parent_of(process: u32) -> u32 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    status.lines().find_map(|line| line.strip_prefix("PPid:")).unwrap().trim().parse().unwrap()
}

#[allow(clippy::disallowed_methods, reason = "another process kills the guardian")]
fn kill(process: u32) {
    let killed = std::process::Command::new("kill").args(["-KILL", &process.to_string()]).status();
    assert!(killed.unwrap().success());
}
