//! User-defined tool-info modules, found through PYTHONPATH.
#![allow(clippy::disallowed_methods, reason = "the tests run juvenal itself")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod stage;

use stage::{Stage, have_solver};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// A verifier that knows which of the checks of `analyzer check` can fail.
const VERIFIER: &str = r#"#!/bin/sh
for program; do :; done
echo "analyzing" >&2
for condition in 'x < 3' 'x != 77' 'x > 10' 'x == 0'; do
    grep -q "!($condition)" "$program" && { echo "verdict: $REFUTED"; exit 1; }
done
echo "verdict: true"
"#;

/// Its module, which also prints to standard output, as no module should.
const MODULE: &str = r#"
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    def executable(self, tool_locator):
        print("looking for the tool")
        return tool_locator.find_executable("planted-verifier")

    def name(self):
        return "Planted"

    def version(self, executable):
        return "0.1 beta"

    def environment(self, executable):
        return {"newEnv": {"REFUTED": "false(unreach-call)"}}

    def determine_result(self, run):
        print("end")
        BROKEN
        return run.output[-1].partition("verdict: ")[2]
"#;

/// Returns what `analyzer check` prints for a module in which `BROKEN` is replaced by a statement.
fn check(statement: &str) -> String {
    let stage = Stage::with_solvers();
    stage.write("modules/planted/__init__.py", "");
    stage.write("modules/planted/verifier.py", MODULE.replace("BROKEN", statement));
    let tool = stage.write("tool/planted-verifier", VERIFIER);
    fs::set_permissions(tool, fs::Permissions::from_mode(0o755)).unwrap();
    let analyzer = format!("benchexec/planted.verifier={}", stage.at("tool"));
    let mut command = stage.command(&["analyzer", "check", &analyzer]);
    let output = command.env("PYTHONPATH", stage.path("modules")).output().unwrap();
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn a_user_defined_module_works() {
    if !have_solver("benchexec") {
        return;
    }
    for (statement, expected, times) in [
        ("pass", "benchexec/planted.verifier@0.1-beta at ", 1),
        ("pass", "8 queries answered as expected", 1),
        ("raise ValueError('of no use')", "the tool-info module fails: ValueError: of no use", 8),
        ("import sys; sys.exit('gone')", "the tool-info module fails: SystemExit: gone", 8),
        ("import os; os._exit(3)", "its process ended (Exited(3))", 8),
        ("return 'done'", "the tool-info module says `done`", 8),
        ("return 'false(valid-deref)'", "the tool-info module says `false(valid-deref)`", 8),
    ] {
        let printed = check(statement);
        assert_eq!(printed.matches(expected).count(), times, "{statement}: {printed}");
    }
}

#[test]
fn the_manual_and_the_hints_need_no_benchexec() {
    let stage = Stage::new();
    let page = stage.exits(0, &["explain", "benchexec/cbmc"]);
    assert!(page.stdout.starts_with("# benchexec/NAME"), "{page}");
    let run = stage.exits(2, &["analyzer", "check", "benchexec/cbmc"]);
    assert!(run.stderr.contains("try `juvenal analyzer install benchexec`"), "{run}");
}
