//! An independent reader of witnesses: it checks the format and looks up the positions in the program.

use std::collections::BTreeMap;

/// The content of a witness.
pub struct Waypoints {
    /// For each call, the text of its line up to and including the position.
    pub calls: Vec<String>,
    /// The line of the target.
    pub target: String,
}

/// Reads a witness for a program and panics if it does not conform to format 2.0.
pub fn check(name: &str, witness: &str, program: &str, hash: &str) -> Waypoints {
    let mut entries = witness.split("    - segment:\n");
    check_metadata(name, &fields(entries.next().unwrap()), hash);
    let segments: Vec<BTreeMap<String, String>> = entries.map(fields).collect();
    let (last, normal) = segments.split_last().unwrap();
    let calls = normal.iter().map(|segment| call(name, segment, program)).collect();
    assert_eq!((last["type"].as_str(), last["action"].as_str()), ("target", "follow"), "{name}");
    assert!(!last.contains_key("value"), "{name}: a target has no constraint");
    let (before, behind) = around(last, program);
    assert!(behind.starts_with("reach_error();"), "{name}: {before} | {behind}");
    check_function(name, last, program);
    Waypoints { calls, target: before + &behind }
}

/// Returns the values by key, without quotation marks. Keys are unique within a segment and within the metadata.
fn fields(text: &str) -> BTreeMap<String, String> {
    let mut fields = BTreeMap::new();
    for line in text.lines() {
        let line = line.trim_start().trim_start_matches("- ");
        let (key, value) = line.split_once(':').unwrap_or(("input_file", line));
        let unquoted = value.trim().trim_matches('"').replace("\\\\", "\\");
        let before = fields.insert(key.trim_matches('"').to_owned(), unquoted);
        assert_eq!(before, None, "{key} stands twice in\n{text}");
    }
    fields
}

fn check_metadata(name: &str, fields: &BTreeMap<String, String>, hash: &str) {
    let expected = [
        ("entry_type", "violation_sequence"),
        ("format_version", "2.0"),
        ("name", "juvenal"),
        ("input_file", "\"program.c"),
        ("specification", "G ! call(reach_error())"),
        ("data_model", "LP64"),
        ("language", "C"),
    ];
    for (key, value) in expected {
        assert_eq!(fields[key].trim_matches('"'), value.trim_matches('"'), "{name}");
    }
    if !hash.is_empty() {
        assert_eq!(fields["program.c"], hash, "{name}");
    }
    assert!(["version", "creation_time", "input_file_hashes"].iter().all(|key| fields.contains_key(*key)));
    let uuid: Vec<&str> = fields["uuid"].split('-').collect();
    assert_eq!(uuid.iter().map(|part| part.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12], "{name}");
    assert!(uuid.concat().bytes().all(|byte| byte.is_ascii_hexdigit()) && uuid[2].starts_with('5'));
}

fn call(name: &str, segment: &BTreeMap<String, String>, program: &str) -> String {
    assert_eq!(
        (segment["type"].as_str(), segment["action"].as_str()),
        ("function_return", "follow"),
        "{name}"
    );
    assert_eq!(segment["format"], "acsl_expression");
    let words: Vec<&str> = segment["value"].split(' ').collect();
    assert!(words.len() == 3 && words[0] == "\\result", "{name}: {words:?}");
    assert!(["==", "<", ">"].contains(&words[1]) && !words[2].contains("nan"), "{name}: {words:?}");
    let (before, behind) = around(segment, program);
    assert!(behind.starts_with(')'), "{name}: {before} | {behind}");
    check_function(name, segment, program);
    before.trim_start().to_owned() + ")"
}

/// Returns the line of a position, split at its column.
fn around(segment: &BTreeMap<String, String>, program: &str) -> (String, String) {
    let number = |key: &str| segment[key].parse::<usize>().unwrap();
    assert_eq!(segment["file_name"], "program.c");
    let line: Vec<char> = program.lines().nth(number("line") - 1).unwrap().chars().collect();
    let (before, behind) = line.split_at(number("column") - 1);
    (before.iter().collect(), behind.iter().collect())
}

/// Checks that the named function is the last one whose head begins a line above.
fn check_function(name: &str, segment: &BTreeMap<String, String>, program: &str) {
    let line = segment["line"].parse::<usize>().unwrap();
    let heads = program.lines().take(line).filter(|line| line.starts_with(|c: char| c.is_ascii_alphabetic()));
    let head = heads.filter(|line| line.contains('{')).last().unwrap();
    assert!(head.contains(&format!("{}(", segment["function"])), "{name}: {head}");
}
