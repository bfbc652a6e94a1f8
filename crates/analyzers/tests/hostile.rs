//! Hostile output: reading always terminates, and only a rule of the description yields a claim.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use analyzers::{Catalogue, read};
use model::{Ending, LimitKind, Random, Verdict};

/// Standard output and standard error.
type Printed<'a> = (&'a [u8], &'a [u8]);

fn check(name: &str, stdout: &[u8], stderr: &[u8], ending: Ending, checks: u32, expected: &str) {
    let catalogue = Catalogue::shipped().unwrap();
    let verdict = read(catalogue.find(name).unwrap().smt.as_ref().unwrap(), stdout, stderr, ending, checks);
    let shown = String::from_utf8_lossy(&stdout[..stdout.len().min(60)]).into_owned();
    assert_eq!(verdict.word(), expected, "{name} {shown:?}: {verdict:?}");
}

#[test]
fn garbage_is_never_a_claim() {
    let nested = [b"sat\n".to_vec(), vec![b'('; 100_000]].concat();
    let closed = [b"sat\n".to_vec(), vec![b'('; 100_000], vec![b')'; 100_000]].concat();
    let quotes = vec![b'"'; 100_001];
    let rows: [(&[u8], u32, &str); 22] = [
        (b"", 1, "unreadable"),
        (b"hello\n", 1, "unreadable"),
        (b"sat\nhello\n", 1, "unreadable"),
        (b"hello\nsat\n", 1, "unreadable"),
        (b"sat hello\n", 1, "unreadable"),
        (b"sat unsat\n", 2, "unreadable"),
        (b"satunsat\n", 1, "unreadable"),
        (b"SAT\n", 1, "unreadable"),
        (b"sat\nsat\n", 1, "unreadable"),
        (b"sat\n", 2, "unreadable"),
        (b"sat\n)\n", 1, "unreadable"),
        (b"s\0at\n", 1, "unreadable"),
        (b"\0\0\0\n", 1, "unreadable"),
        (b"\xff\xfe sat\n", 1, "unreadable"),
        (b"sat\n\"never closed", 1, "unreadable"),
        (b"sat\n(model \"never closed)", 1, "unreadable"),
        (b"sat\n(error", 2, "claim"),
        (b"(error \"never closed\nsat\n", 1, "rejected"),
        (b"(errors 1)\nsat\n", 1, "claim"),
        (&nested, 1, "unreadable"),
        (&closed, 1, "claim"),
        (&quotes, 1, "unreadable"),
    ];
    for (stdout, checks, expected) in rows {
        check("z3", stdout, b"", Ending::StillAlive, checks, expected);
    }
}

#[test]
fn verdicts_depend_on_both_ending_and_output() {
    let fatal = b"Fatal failure within void f() at ./src/x.cpp:7\n";
    let violation = b"ASSERTION VIOLATION\nFile: ../src/smt/x.cpp\nLine: 12\nUNEXPECTED CODE WAS REACHED.\n";
    let rows: [(&str, Printed<'_>, Ending, &str); 16] = [
        ("z3", (b"sat\n", b""), Ending::Exited(0), "claim"),
        ("z3", (b"sat\n", b""), Ending::Exited(1), "unreadable"),
        ("z3", (b"sat\n", b""), Ending::Exited(77), "unreadable"),
        ("z3", (b"sat\n", b""), Ending::Signaled(11), "crash"),
        ("z3", (b"", b""), Ending::Signaled(9), "limit"),
        ("z3", (b"", b""), Ending::Signaled(15), "unreadable"),
        ("z3", (b"", b""), Ending::Limit(LimitKind::Time), "limit"),
        ("z3", (b"sat\n((", b""), Ending::Limit(LimitKind::Output), "claim"),
        ("z3", (b"unknown\n", b""), Ending::Limit(LimitKind::Time), "limit"),
        ("z3", (b"sat\ntimeout\n", b""), Ending::Exited(0), "limit"),
        ("z3", (b"", violation), Ending::Limit(LimitKind::Time), "crash"),
        ("cvc5", (b"sat\n", fatal), Ending::Signaled(6), "crash"),
        ("boolector", (b"sat\n", b""), Ending::Exited(10), "claim"),
        ("boolector", (b"sat\n", b""), Ending::Exited(20), "unreadable"),
        ("boolector", (b"unsat\n", b""), Ending::Exited(10), "unreadable"),
        ("yices", (b"", b""), Ending::Exited(22), "crash"),
    ];
    for (name, (stdout, stderr), ending, expected) in rows {
        check(name, stdout, stderr, ending, 1, expected);
    }
}

#[test]
fn crash_signatures_name_the_place() {
    let catalogue = Catalogue::shipped().unwrap();
    let rows: [(&str, &[u8], &str); 4] = [
        (
            "z3",
            b"ASSERTION VIOLATION\nFile: /tmp/build-7/src/smt/x.cpp\nLine: 12\nUNEXPECTED CODE WAS REACHED.\n",
            "UNEXPECTED CODE WAS REACHED at x.cpp Line: 12",
        ),
        ("z3", b"Failed to verify: m_util.is_numeral(rhs)\n", "Failed to verify at m_util.is_numeral(rhs)"),
        ("cvc5", b"Fatal failure within void f(int) at ./src/a/b.cpp:73\n", "void f(int) at b.cpp:73"),
        (
            "cvc5",
            b"Traceback (most recent call last):\n  File \"x.py\", line 3, in <module>\nSystemError: 0x7f00aa\n",
            "SystemError: 0x#",
        ),
    ];
    for (name, stderr, expected) in rows {
        let verdict =
            read(catalogue.find(name).unwrap().smt.as_ref().unwrap(), b"", stderr, Ending::Exited(1), 1);
        assert_eq!(verdict, Verdict::Crash(expected.to_owned()));
    }
}

/// Random outputs made of meaningful pieces.
#[test]
fn reading_terminates_on_random_output() {
    let pieces: [&[u8]; 16] = [
        b"sat",
        b"unsat",
        b"unknown",
        b"\n",
        b" ",
        b"(",
        b")",
        b"\"",
        b"|",
        b";",
        b"(error \"",
        b"\xff",
        b"\0",
        b"timeout",
        b"success",
        b"unsupported",
    ];
    let catalogue = Catalogue::shipped().unwrap();
    let mut random = Random::for_case(1, 1);
    for _ in 0..3000 {
        let length = random.below(12);
        let output: Vec<&[u8]> = (0..length).filter_map(|_| random.choose(&pieces).copied()).collect();
        let output = output.concat();
        for role in catalogue.descriptions().iter().filter_map(|description| description.smt.as_ref()) {
            let verdict = read(role, &output, &output, Ending::Exited(0), 1);
            if let Verdict::Claim(_) = verdict {
                let text = String::from_utf8_lossy(&output);
                assert!(text.lines().any(|line| line.trim_start().contains("sat")), "{text:?}");
            }
        }
    }
}
