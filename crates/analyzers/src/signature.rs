//! Crash signatures: what of a failure's text identifies the place and stays the same from run to run.

use crate::description::Crash;
use regex::Regex;
use regex::bytes;
use std::sync::LazyLock;

/// What C and C++ runtimes and sanitizers print when any program dies. Order matters: the most telling come first.
const RUNTIME_CRASHES: [&str; 5] = [
    r"(?m)SUMMARY: (?P<what>\w+Sanitizer): (?P<place>[^\n]+)$",
    r"(?m)^[^\n]*?(?P<place>[\w./-]+\.\w+:\d+:\d+): runtime error: (?P<what>[^\n]+)$",
    r"terminate called after throwing an instance of '(?P<what>[^']+)'(?:\s+what\(\):\s*(?P<place>[^\n]+))?",
    r"(?m)^[^\n]*?(?P<place>[\w./-]+:\d+): (?P<what>[^\n]*Assertion [^\n]* failed)",
    r"(?m)^(?P<what>double free or corruption|free\(\): invalid [^\n]+|malloc\(\): [^\n]+|corrupted size vs\. prev_size|\*\*\* stack smashing detected \*\*\*|pure virtual method called)",
];

/// The longest signature that is kept.
const LONGEST: usize = 200;

/// What varies from run to run, and what stands for it.
const VARYING: [(&str, &str); 5] = [
    (r"0x[0-9a-fA-F]+", "0x#"),
    (r"(?:[\w.~+-]*/)+([\w.+-]+)", "$1"),
    (r"\bline \d+,? column \d+", "line # column #"),
    (r"<(?:stdin|string)>:\d+[.:]\d+", "<input>"),
    (r"\d{5,}", "#"),
];

static RUNTIME_PATTERNS: LazyLock<Vec<bytes::Regex>> =
    LazyLock::new(|| RUNTIME_CRASHES.iter().filter_map(|text| bytes::Regex::new(text).ok()).collect());

/// The signature of the first declared crash text in these outputs.
pub(crate) fn declared_signature(declared: &[Crash], stdout: &[u8], stderr: &[u8]) -> Option<String> {
    [stderr, stdout].into_iter().find_map(|output| {
        let captures = declared.iter().find_map(|crash| crash.pattern.captures(output))?;
        Some(signature_of(&captures))
    })
}

/// The signature of what the C and C++ runtimes and sanitizers print to standard error.
pub(crate) fn runtime_signature(stderr: &[u8]) -> Option<String> {
    RUNTIME_PATTERNS.iter().find_map(|pattern| Some(signature_of(&pattern.captures(stderr)?)))
}

/// Joins the captures `what` and `place`, or takes the whole match.
fn signature_of(captures: &bytes::Captures<'_>) -> String {
    let text = |found: bytes::Match<'_>| String::from_utf8_lossy(found.as_bytes()).trim().to_owned();
    let parts: Vec<String> =
        ["what", "place"].into_iter().filter_map(|name| captures.name(name).map(text)).collect();
    let whole = captures.get(0).map(text).unwrap_or_default();
    normalize(&if parts.is_empty() { whole } else { parts.join(" at ") })
}

/// Removes what varies: addresses, directories, positions in the input, long numbers.
pub(crate) fn normalize(text: &str) -> String {
    let mut normal = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (pattern, replacement) in VARYING {
        if let Ok(pattern) = Regex::new(pattern) {
            normal = pattern.replace_all(&normal, replacement).into_owned();
        }
    }
    normal.chars().filter(|letter| !letter.is_control()).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_hold_nothing_that_varies() {
        for (text, expected) in [
            ("at ./src/smt/solver_engine_state.cpp:73", "at solver_engine_state.cpp:73"),
            ("File: /tmp/.run-77/../src/a.cpp Line: 7", "File: a.cpp Line: 7"),
            ("address 0x7ffd3a10 of 1234567 bytes", "address 0x# of # bytes"),
            ("line 12 column 7: canceled", "line # column #: canceled"),
            ("two\n\n  lines\u{7}", "two lines"),
        ] {
            assert_eq!(normalize(text), expected, "{text}");
        }
    }

    #[test]
    fn the_runtime_patterns_compile_and_match() {
        for (output, expected) in [
            (
                "SUMMARY: AddressSanitizer: heap-use-after-free /b/src/x.cc:10 in f\n",
                "AddressSanitizer at heap-use-after-free x.cc:10 in f",
            ),
            (
                "terminate called after throwing an instance of 'std::bad_cast'\n  what():  std::bad_cast\n",
                "std::bad_cast at std::bad_cast",
            ),
            ("z: ../src/a.c:12: f: Assertion `x' failed.\n", "f: Assertion `x' failed at a.c:12"),
            ("double free or corruption (out)\n", "double free or corruption"),
            ("a/b.cpp:1:2: runtime error: shift exponent 64\n", "shift exponent 64 at b.cpp:1:2"),
        ] {
            assert_eq!(runtime_signature(output.as_bytes()).as_deref(), Some(expected), "{output}");
        }
        assert_eq!(RUNTIME_PATTERNS.len(), RUNTIME_CRASHES.len());
    }
}
