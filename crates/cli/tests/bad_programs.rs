//! Bad C programs as seeds: each is skipped or contained, counted and reported, and the hunt continues.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use serde_json::Value;
use stage::{Stage, have_solver};

const BYTE: &str = "extern unsigned char __VERIFIER_nondet_uchar(void);\n";
const EXACT: &[&str] =
    &["--analyzer", "exact-c", "--witness", "execute-c", "--set", "interrogation.rounds=4"];

/// Hunts with these programs and returns the statistics.
fn hunted(stage: &Stage, programs: &[(&str, &str)]) -> (stage::Run, Value) {
    for (name, text) in programs {
        stage.write(&format!("seeds/{name}"), text.replace("BYTE\n", BYTE));
    }
    let cases = programs.len().to_string();
    let words = ["interrogation", "--seeds", "seeds", "--cases", &cases];
    let run = stage.hunt("out", &[&words, EXACT]);
    let figures = stage.statistics("out");
    assert_eq!(figures["cases"].as_u64(), Some(programs.len() as u64), "{run}");
    (run, figures)
}

/// A bad program: why it is skipped, and what else is reported about it.
struct Bad {
    name: &'static str,
    text: &'static str,
    reason: &'static str,
    said: &'static str,
}

const BAD: &[Bad] = &[
    Bad { name: "blank.c", text: " \n\t\n", reason: "the seed is empty", said: "blank.c" },
    Bad {
        name: "syntax.c",
        text: "int main(void) {\n    int x = 1;\n    return x\n}\n",
        reason: "the seed does not compile",
        said: "syntax.c:3:",
    },
    Bad {
        name: "undeclared.c",
        text: "int main(void) {\n    int x = 1;\n    return x + missing;\n}\n",
        reason: "the seed does not compile",
        said: "undeclared.c:3:",
    },
    Bad {
        name: "header.c",
        text: "#include <no/such/header.h>\nint main(void) { int x = 1; return x; }\n",
        reason: "the seed includes a file that is missing",
        said: "no/such/header.h",
    },
    Bad {
        name: "overflow.c",
        text: "BYTE\nint main(void) {\n    int x = 2147483400;\n    x = x + __VERIFIER_nondet_uchar();\n    \
               return x > 3;\n}\n",
        reason: "the seed has undefined behaviour",
        said: "add_overflow uchar:248",
    },
    Bad {
        name: "nothing.c",
        text: "int main(void) { }\n",
        reason: "the program has no place for a check",
        said: "nothing.c",
    },
    Bad {
        name: "endless.c",
        text: "BYTE\nint main(void) {\n    int x = __VERIFIER_nondet_uchar();\n    while (x >= 0) { x = x / 2; }\n    \
               return x;\n}\n",
        reason: "exact-c does not analyze the seed",
        said: "unknown",
    },
];

#[test]
fn each_bad_program_is_skipped_with_its_reason() {
    if !have_solver("gcc") {
        return;
    }
    for bad in BAD {
        let stage = Stage::with_solvers();
        let (run, figures) = hunted(&stage, &[(bad.name, bad.text)]);
        assert_eq!(run.code, Some(3), "{}: {run}", bad.name);
        assert_eq!(figures["skipped"][bad.reason], 1, "{}: {figures:#}", bad.name);
        for words in [bad.reason, bad.said] {
            assert!(run.stdout.contains(words), "{}: `{words}` is missing\n{run}", bad.name);
        }
    }
}

#[test]
fn programs_that_reach_out_are_contained_and_the_others_are_judged() {
    if !have_solver("gcc") {
        return;
    }
    let stage = Stage::with_solvers();
    let marker = stage.at("made-by-a-seed");
    let writes = format!(
        "#include <stdio.h>\nint main(void) {{\n    int made = 0;\n    FILE *file = fopen(\"{marker}\", \"w\");\n    \
         made = file != 0;\n    return made;\n}}\n"
    );
    let (run, figures) = hunted(
        &stage,
        &[
            (
                "good.c",
                "BYTE\nint main(void) {\n    int x = __VERIFIER_nondet_uchar();\n    return x > 3;\n}\n",
            ),
            (
                "forks.c",
                "extern int fork(void);\nint main(void) {\n    int x = 0;\n    \
                 for (int i = 0; i < 20; i++) { x += fork(); }\n    return x;\n}\n",
            ),
            (
                "socket.c",
                "#include <sys/socket.h>\nint main(void) {\n    int x = socket(AF_INET, SOCK_STREAM, 0);\n    \
                 return x < 0;\n}\n",
            ),
            ("writes.c", &writes),
        ],
    );
    assert_eq!(run.code, Some(0), "{run}");
    assert!(!stage.path("made-by-a-seed").exists(), "a seed wrote outside its directory");
    assert_eq!(figures["skipped"]["exact-c does not analyze the seed"], 3, "{figures:#}");
    assert!(figures["verdicts"]["claim"].as_u64().unwrap() >= 4, "{figures:#}");
    assert_eq!(figures["bugs"], 0, "{run}");
}
