//! Live processes that answer many requests.

use crate::stage::{Stage, generous, in_every_mode, marked_processes, milliseconds};
use model::{LimitKind, Limits};
use process::{Ending, Exchange, Session};

/// Acts on the lines `exit`, `hang`, `flood`, `eat` and `busy`, and echoes all others.
const ANSWERER: &str = r"
    $| = 1;
    while (<STDIN>) {
        chomp;
        print STDERR qq(noise\n) if /noise/;
        if (/exit/) { print qq(half an answer); exit 9 }
        if (/abort/) { kill ABRT => $$; sleep 10 }
        if (/hang/) { print qq(half an answer\n); if (!fork) { sleep 1000 } sleep 1000 }
        if (/flood/) { print 'x' x 1000, qq(\n) while 1 }
        if (/eat/) { my @kept; while (1) { push @kept, 'a' x 1048576; select undef, undef, undef, 0.001 } }
        if (/busy/) { my $start = (times)[0]; while ((times)[0] < $start + 0.3) { $i++ for 1..10000 } }
        print qq(answer $_\nEND\n);
    }
    exit 2;
";

fn open(stage: &Stage) -> Session {
    stage.runner.open(&stage.perl(ANSWERER), &generous()).unwrap()
}

#[test]
fn a_session_answers_many_requests() {
    in_every_mode(|stage| {
        let mut session = open(stage);
        assert!(marked_processes(&stage.marker)[0].starts_with(&format!("{}:", session.process_id())));
        for round in 0..500 {
            let exchange = session.exchange(format!("{round}\n").as_bytes(), b"END", &generous()).unwrap();
            assert_eq!(String::from_utf8_lossy(&exchange.stdout), format!("answer {round}\n"));
            assert_eq!((exchange.ending, exchange.stderr.len()), (Ending::StillAlive, 0));
            assert_eq!(exchange.cost.measure, stage.runner.measure_mode());
        }
        let exchange = session.exchange(b"noise\n", b"END", &generous()).unwrap();
        assert_eq!(exchange.stderr, b"noise\n");
    });
}

#[test]
fn exchanges_are_measured_separately() {
    in_every_mode(|stage| {
        let mut session = open(stage);
        session.exchange(b"start\n", b"END", &generous()).unwrap();
        let busy = session.exchange(b"busy\n", b"END", &generous()).unwrap().cost;
        let idle = session.exchange(b"idle\n", b"END", &generous()).unwrap().cost;
        assert!(busy.cpu_microseconds >= 250_000, "{busy:?}");
        assert!(idle.cpu_microseconds < 150_000, "{idle:?}");
    });
}

/// Requests and answers may exceed the pipe buffers in both directions at once.
#[test]
fn large_exchanges_do_not_deadlock() {
    in_every_mode(|stage| {
        let mut session = open(stage);
        let request = format!("{}\n", "r".repeat(3_000_000));
        for _ in 0..3 {
            let exchange = session.exchange(request.as_bytes(), b"END", &generous()).unwrap();
            assert_eq!(
                (exchange.stdout.len(), exchange.ending),
                (request.len() + "answer ".len(), Ending::StillAlive)
            );
        }
    });
}

/// Puts a request that ends the process. If the time is over before anything was printed, as on a loaded machine, it is
/// put again with more time.
fn last_exchange(stage: &Stage, request: &str, mut limits: Limits) -> (Session, Exchange) {
    loop {
        let mut session = open(stage);
        assert_eq!(
            session.exchange(b"first\n", b"END", &generous()).unwrap().ending,
            Ending::StillAlive,
            "{request}"
        );
        let exchange = session.exchange(format!("{request}\n").as_bytes(), b"END", &limits).unwrap();
        let is_too_early = exchange.ending == Ending::Limit(LimitKind::Time) && exchange.stdout.is_empty();
        if !is_too_early || limits.wall_milliseconds >= generous().wall_milliseconds {
            return (session, exchange);
        }
        limits.wall_milliseconds *= 4;
    }
}

#[test]
fn sessions_that_end() {
    let small = Limits { output_kilobytes: 64, ..generous() };
    let lean = Limits { memory_megabytes: 64, ..generous() };
    let rows = [
        ("exit", generous(), Ending::Exited(9), Some("half an answer")),
        ("abort", generous(), Ending::Signaled(6), Some("")),
        ("hang", milliseconds(500), Ending::Limit(LimitKind::Time), Some("half an answer\n")),
        ("flood", small, Ending::Limit(LimitKind::Output), None),
        ("eat", lean, Ending::Limit(LimitKind::Memory), Some("")),
    ];
    in_every_mode(|stage| {
        for (request, limits, expected, stdout) in rows {
            let (mut session, exchange) = last_exchange(stage, request, limits);
            assert_eq!(exchange.ending, expected, "{request}");
            if let Some(stdout) = stdout {
                assert_eq!(String::from_utf8_lossy(&exchange.stdout), stdout, "{request}");
            }
            assert_eq!(marked_processes(&stage.marker), Vec::<String>::new(), "{request}");
            let after = session.exchange(b"again\n", b"END", &generous()).unwrap();
            assert_eq!((after.ending, after.stdout.len()), (expected, 0), "{request}");
        }
    });
}

#[test]
fn dropped_sessions_leave_nothing() {
    in_every_mode(|stage| {
        let script = "use POSIX; for (1..3) { if (!fork) { POSIX::setsid(); sleep 1000 } } print qq(END\\n); \
                      $| = 1; print ''; sleep 1000";
        let mut session = stage.runner.open(&stage.perl(script), &generous()).unwrap();
        assert_eq!(session.exchange(b"", b"END", &generous()).unwrap().ending, Ending::StillAlive);
        assert_eq!(marked_processes(&stage.marker).len(), 4);
        drop(session);
    });
}
