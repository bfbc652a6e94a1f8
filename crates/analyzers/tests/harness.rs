//! Runs the tests of the harness of `execute-c` and `exact-c`: `harness/tests/run`.

#![allow(clippy::disallowed_methods, reason = "the harness is tested by a script that runs compilers")]
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;

/// Tests the build that the descriptions use; without arguments, the script tests all other builds, too.
#[test]
fn the_harness_passes_its_own_tests() {
    if !test_support::has("python3") || !test_support::has("gcc") {
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("harness/tests/run");
    let output = Command::new("python3").arg(script).args(["-b", "gcc sanitized"]).output();
    let output = output.expect("python3 can be started");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}\n{}", String::from_utf8_lossy(&output.stderr));
    let is_skipped = printed.contains("skipped: gcc sanitized");
    assert!(is_skipped || printed.contains(" tests, 0 failures"), "{printed}");
    println!("{printed}");
}
