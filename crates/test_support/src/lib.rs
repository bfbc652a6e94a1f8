//! Helpers that the tests of several crates share: tools that may be missing, and the files of the repository.
#![allow(clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "tests start the tools that they compare with")]

mod counting;
mod field_page;
mod forgeries;

pub use counting::{
    CountingAllocator, count_syntax_trees, own_cpu_nanoseconds, peak_memory_of, thread_cpu_nanoseconds,
    thread_number,
};

pub use field_page::FieldPage;
pub use forgeries::{FORGERIES, Forgery, forged_program};

use std::env;
use std::fmt::Display;
use std::fs;
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

/// Every Rust source file below a directory, sorted.
///
/// # Panics
///
/// Panics if the directory cannot be read.
pub fn source_files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut waiting = vec![directory.to_owned()];
    while let Some(directory) = waiting.pop() {
        let cannot_read = |error| panic!("cannot read {}: {error}", directory.display());
        for entry in fs::read_dir(&directory).unwrap_or_else(cannot_read).flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The code of a Rust file without what is compiled for tests only.
///
/// # Panics
///
/// Panics if the file cannot be read.
pub fn code_without_tests(path: &Path) -> String {
    let cannot_read = |error| panic!("cannot read {}: {error}", path.display());
    without_tests(&fs::read_to_string(path).unwrap_or_else(cannot_read))
}

fn without_tests(text: &str) -> String {
    if text.contains("#![cfg(test)]") {
        return String::new();
    }
    let mut parts = text.split("#[cfg(test)]\n");
    let mut code = parts.next().unwrap_or("").to_owned();
    for part in parts {
        // An item ends with its first line, or with the brace that closes it.
        let first_line = part.lines().find(|line| !line.starts_with("#[")).unwrap_or("");
        let end = if first_line.ends_with(';') { ";\n" } else { "\n}\n" };
        code.push_str(part.split_once(end).map_or("", |(_, after)| after));
    }
    code
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

    #[test]
    fn code_is_checked_and_tests_are_not() {
        let text = "a\n#[cfg(test)]\nmod fixtures;\nb\n#[cfg(test)]\n#[rustfmt::skip]\nmod tests {\n    c();\n}\nd\n";
        assert_eq!(without_tests(text), "a\nb\nd\n");
        assert_eq!(without_tests("//! Tests.\n#![cfg(test)]\na\n"), "");
    }
}
