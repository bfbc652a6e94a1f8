//! Programs that try to leave processes behind. `in_every_mode` checks for them afterwards.

use crate::stage::{generous, in_every_mode, marked_processes};
use model::{KillMode, LimitKind, Limits, MeasureMode};
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

/// With a namespace or a control group, no process survives even if the program kills its guardian.
#[test]
fn nothing_survives_a_killed_guardian() {
    in_every_mode(|stage| {
        let modes = (stage.runner.kill_mode(), stage.runner.measure_mode());
        if modes == (KillMode::Subreaper, MeasureMode::Sampling) {
            return;
        }
        let script = "use POSIX; for (1..3) { if (!fork) { POSIX::setsid(); sleep 1000 } } \
                      select undef, undef, undef, 0.2; kill KILL => getppid; sleep 1; exit 4";
        let namespace = modes.0 == KillMode::Namespace;
        let expected = if namespace { Ending::Exited(4) } else { Ending::Signaled(9) };
        assert_eq!(stage.run(script, &generous()).ending, expected);
    });
}
