//! Limits on time, memory and output, and large inputs.

use crate::stage::{generous, in_every_mode};
use model::{LimitKind, Limits};
use process::Ending;

#[test]
fn wall_time_is_limited() {
    in_every_mode(|stage| {
        stage.run_past_ready("$| = 1; print 'ready'; sleep 1000");
    });
}

#[test]
fn a_run_that_is_stopped_ends_at_once() {
    let asked = std::cell::Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 3
    };
    let mut command = process::Command::new("sleep", "/", process::Confinement::None);
    command.arguments = vec!["1000".into()];
    let outcome = process::Runner::probe().run_until(&command, &generous(), &stop).unwrap();
    assert_eq!(outcome.ending, Ending::Limit(LimitKind::Time));
    assert_eq!(asked.get(), 4);
}

#[test]
fn signals_cannot_be_ignored() {
    in_every_mode(|stage| {
        stage.run_past_ready("$| = 1; $SIG{$_} = 'IGNORE' for keys %SIG; print 'ready'; sleep 1 while 1");
    });
}

#[test]
fn memory_is_limited() {
    let eat = "my @kept; while (1) { push @kept, 'a' x 1048576; select undef, undef, undef, 0.001 }";
    let scripts = [
        eat.to_owned(),
        // A grandchild uses the memory; the program waits for it and then succeeds.
        format!("if (!fork) {{ {eat} }} wait; exit 0"),
        // The eater has left the session, and the program does not wait for it.
        format!("use POSIX; if (!fork) {{ POSIX::setsid(); {eat} }} sleep 1000"),
    ];
    let limits = Limits { memory_megabytes: 64, ..generous() };
    in_every_mode(|stage| {
        for script in &scripts {
            let outcome = stage.run(script, &limits);
            assert_eq!(outcome.ending, Ending::Limit(LimitKind::Memory), "{script}");
            assert!(outcome.cost.peak_memory_bytes > 32 * 1024 * 1024, "{:?}", outcome.cost);
            assert!(outcome.cost.peak_memory_bytes < 512 * 1024 * 1024, "{:?}", outcome.cost);
        }
    });
}

/// Memory that processes share counts once.
#[test]
fn shared_memory_counts_once() {
    let script =
        "my $x = 'a' x (100 * 1048576); for (1..5) { if (!fork) { sleep 1; exit 0 } } wait for 1..5; exit 7";
    in_every_mode(|stage| {
        let limits = Limits { memory_megabytes: 300, ..generous() };
        assert_eq!(stage.run(script, &limits).ending, Ending::Exited(7));
    });
}

#[test]
fn output_is_limited() {
    let limits = Limits { output_kilobytes: 256, ..generous() };
    let flood = |stream: &str| format!("my $x = 'x' x 65536; print {stream} $x for 1..16384");
    in_every_mode(|stage| {
        let outcome = stage.run(&flood("STDOUT"), &limits);
        assert_eq!(outcome.ending, Ending::Limit(LimitKind::Output));
        assert_eq!((outcome.stdout.len(), outcome.stderr.len()), (256 * 1024, 0));
        let outcome = stage.run(&flood("STDERR"), &limits);
        assert_eq!(outcome.ending, Ending::Limit(LimitKind::Output));
        assert_eq!((outcome.stdout.len(), outcome.stderr.len()), (0, 256 * 1024));
        let both = "my $x = 'x' x 4096; while (1) { print STDOUT $x; print STDERR $x }";
        let outcome = stage.run(both, &limits);
        assert_eq!(outcome.ending, Ending::Limit(LimitKind::Output));
        assert_eq!(outcome.stdout.len() + outcome.stderr.len(), 256 * 1024);
        let outcome = stage.run("print 'x' x (256 * 1024)", &limits);
        assert_eq!(outcome.ending, Ending::Exited(0), "exactly the limit is allowed");
        let outcome = stage.run("print 'x' x (256 * 1024 + 1)", &limits);
        assert_eq!(outcome.ending, Ending::Limit(LimitKind::Output));
    });
}

#[test]
fn large_standard_input_is_delivered() {
    let input: Vec<u8> = (0..8_000_000u32).map(|index| (index % 251) as u8).collect();
    in_every_mode(|stage| {
        let mut cat = stage.command("cat");
        cat.stdin = input.clone();
        let outcome = stage.runner.run(&cat, &generous()).unwrap();
        assert_eq!(outcome.ending, Ending::Exited(0));
        assert!(outcome.stdout == input, "the output must equal the input");
        let mut deaf = stage.perl("exit 5");
        deaf.stdin = input.clone();
        assert_eq!(stage.runner.run(&deaf, &generous()).unwrap().ending, Ending::Exited(5));
        let mut closing = stage.perl("close STDIN; print 'y' x 200000; exit 6");
        closing.stdin = input.clone();
        let outcome = stage.runner.run(&closing, &generous()).unwrap();
        assert_eq!((outcome.ending, outcome.stdout.len()), (Ending::Exited(6), 200_000));
    });
}
