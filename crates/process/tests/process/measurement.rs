//! CPU time and memory are measured for the whole process tree, including processes that are never waited for.

use crate::stage::{generous, in_every_mode};
use process::Ending;

const BUSY: &str = "my $x = 'a' x (100 * 1048576); while ((times)[0] < 0.4) { $i++ for 1..10000 }";

#[test]
fn grandchildren_are_measured() {
    in_every_mode(|stage| {
        let script = format!("if (!fork) {{ if (!fork) {{ {BUSY} exit 0 }} wait; exit 0 }} wait; exit 0");
        let outcome = stage.run(&script, &generous());
        assert_eq!(outcome.ending, Ending::Exited(0));
        assert!(outcome.cost.cpu_microseconds >= 350_000, "{:?}", outcome.cost);
        assert!(outcome.cost.cpu_microseconds < 20_000_000, "{:?}", outcome.cost);
        assert!(outcome.cost.peak_memory_bytes >= 90 * 1024 * 1024, "{:?}", outcome.cost);
    });
}

#[test]
fn processes_that_are_never_waited_for_are_measured() {
    in_every_mode(|stage| {
        let script = format!(
            "use POSIX; $| = 1; if (!fork) {{ POSIX::setsid(); {BUSY} print 'ready'; sleep 1000 }} sleep 1000"
        );
        let outcome = stage.run_past_ready(&script);
        assert!(outcome.cost.cpu_microseconds >= 350_000, "{:?}", outcome.cost);
        assert!(outcome.cost.peak_memory_bytes >= 90 * 1024 * 1024, "{:?}", outcome.cost);
    });
}

/// A reused control group does not include the previous run.
#[test]
fn runs_are_measured_separately() {
    in_every_mode(|stage| {
        let large = stage.run(&format!("{BUSY} exit 0"), &generous()).cost;
        let small = stage.run("exit 0", &generous()).cost;
        assert!(large.peak_memory_bytes >= 90 * 1024 * 1024, "{large:?}");
        assert!(small.peak_memory_bytes < 50 * 1024 * 1024, "{small:?}");
        assert!(small.cpu_microseconds < 300_000, "{small:?}");
    });
}
