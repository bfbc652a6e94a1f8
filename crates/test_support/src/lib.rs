//! Helpers that the tests of several crates share: tools that may be missing, and the files of the repository.
#![allow(clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "tests start the tools that they compare with")]

use std::env;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns whether the environment variable `JUVENAL_REQUIRE`, a list separated by commas, names this tool.
///
/// A test skips what it cannot do without a tool, unless the tool is required.
pub fn is_required(tool: &str) -> bool {
    is_listed(tool, &env::var("JUVENAL_REQUIRE").unwrap_or_default())
}

fn is_listed(tool: &str, required: &str) -> bool {
    required.split(',').any(|name| name.trim() == tool)
}

/// Notes that a test, or a part of one, is skipped without this tool.
///
/// # Panics
///
/// Panics if the tool is required.
pub fn skip_without(tool: &str, reason: impl Display) {
    assert!(!is_required(tool), "JUVENAL_REQUIRE names {tool}: {reason}");
    println!("skipped: {reason}");
}

/// Returns `is_available`, and notes that the test is skipped if it is false.
///
/// # Panics
///
/// Panics if the tool is required and not available.
pub fn is_usable(tool: &str, is_available: bool) -> bool {
    if !is_available {
        skip_without(tool, format_args!("{tool} is not available"));
    }
    is_available
}

/// Returns whether `tool --version` runs, and notes that the test is skipped if it does not.
///
/// # Panics
///
/// Panics if the tool is required and does not run.
pub fn has(tool: &str) -> bool {
    // Csmith writes a file into its working directory even then.
    let output = Command::new(tool).arg("--version").current_dir(env::temp_dir()).output();
    is_usable(tool, output.is_ok_and(|output| output.status.success()))
}

/// The root of the workspace.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_whole() {
        for (tool, required, expected) in
            [("gcc", "", false), ("gcc", "z3,gcc", true), ("gcc", "z3, gcc ", true), ("gcc", "gcc-12", false)]
        {
            assert_eq!(is_listed(tool, required), expected, "{tool} in {required:?}");
        }
    }

    #[test]
    fn a_missing_tool_is_a_skip() {
        assert!(!has("a-tool-that-does-not-exist"));
        assert!(has("cargo"));
    }
}
