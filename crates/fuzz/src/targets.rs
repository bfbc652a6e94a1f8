//! The targets: everything that reads untrusted bytes.

use crate::dictionaries::*;
use crate::projects::*;
use crate::readers::*;

/// A parser or reader.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// The folders of the repository with its corpus, besides its own.
    pub folders: &'static [&'static str],
    /// Words of its format.
    pub dictionary: &'static [&'static str],
    /// Reads an input.
    pub read: fn(&[u8]),
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target {
        name: "smt_script",
        folders: &["seeds/smt", "crates/analyzers/recorded/inputs"],
        dictionary: SMT,
        read: smt_script,
    },
    Target { name: "smt_opening", folders: &["seeds/smt"], dictionary: SMT, read: smt_opening },
    Target { name: "smt_model", folders: &[], dictionary: SMT, read: smt_model },
    Target {
        name: "smt_answer",
        folders: &[
            "crates/analyzers/recorded/z3-5.4.0",
            "crates/analyzers/recorded/cvc5-1.4.2",
            "crates/analyzers/recorded/bitwuzla-0.9.1",
            "crates/analyzers/recorded/boolector-1.5.118",
            "crates/analyzers/recorded/cvc4-1.8",
            "crates/analyzers/recorded/yices-2.6.5",
        ],
        dictionary: SMT,
        read: smt_answer,
    },
    Target {
        name: "c_program",
        folders: &["seeds/c", "crates/c/tests/micro"],
        dictionary: C,
        read: c_program,
    },
    Target { name: "c_opening", folders: &["seeds/c"], dictionary: C, read: c_opening },
    Target { name: "c_prepared", folders: &["seeds/c"], dictionary: DIRECTIVES, read: c_prepared },
    Target {
        name: "c_interpretation",
        folders: &["seeds/c", "crates/c/tests/micro"],
        dictionary: C,
        read: c_interpretation,
    },
    Target { name: "c_inputs", folders: &[], dictionary: INPUTS, read: c_inputs },
    Target { name: "c_reduction", folders: &["seeds/c"], dictionary: C, read: c_reduction },
    Target {
        name: "c_answer",
        folders: &["crates/analyzers/recorded/c"],
        dictionary: CHECKS,
        read: c_answer,
    },
    Target {
        name: "warnings",
        folders: &["crates/analyzers/recorded/warnings"],
        dictionary: WARNINGS,
        read: warnings,
    },
    Target {
        name: "datalog_program",
        folders: &["seeds/datalog"],
        dictionary: DATALOG,
        read: datalog_program,
    },
    Target {
        name: "datalog_opening",
        folders: &["seeds/datalog"],
        dictionary: DATALOG,
        read: datalog_opening,
    },
    Target { name: "datalog_facts", folders: &[], dictionary: &["\t", "\n", "-", "a"], read: datalog_facts },
    Target { name: "bddbddb_program", folders: &[], dictionary: DATALOG, read: bddbddb_program },
    Target {
        name: "datalog_answer",
        folders: &["crates/analyzers/recorded/datalog"],
        dictionary: ROWS,
        read: datalog_answer,
    },
    Target { name: "description", folders: &["analyzers"], dictionary: TOML, read: description },
    Target { name: "version", folders: &[], dictionary: VERSIONS, read: version },
    Target { name: "tool_message", folders: &[], dictionary: JSON, read: tool_message },
    Target { name: "campaign_file", folders: &[], dictionary: TOML, read: campaign_file },
    Target { name: "task", folders: &[], dictionary: YAML, read: task },
    Target { name: "stored_json", folders: &[], dictionary: JSON, read: stored_json },
    Target { name: "stored_row", folders: &[], dictionary: JSON, read: stored_row },
    Target { name: "outcome", folders: &[], dictionary: JSON, read: outcome },
    Target { name: "recipe", folders: &[], dictionary: TOML, read: recipe },
    Target { name: "specification", folders: &[], dictionary: SPECIFICATION, read: specification },
    Target { name: "tool_sarif", folders: &[], dictionary: WARNINGS, read: tool_sarif },
    Target { name: "tool_json", folders: &[], dictionary: WARNINGS, read: tool_json },
    Target { name: "tool_json_lines", folders: &[], dictionary: WARNINGS, read: tool_json_lines },
    Target { name: "tool_text", folders: &[], dictionary: WARNINGS, read: tool_text },
    Target { name: "tool_xml", folders: &[], dictionary: WARNINGS, read: tool_xml },
    Target { name: "tool_description", folders: &["tools"], dictionary: TOML, read: tool_description },
    Target { name: "compile_commands", folders: &[], dictionary: JSON, read: compile_commands },
    Target { name: "parts_file", folders: &[], dictionary: JSON, read: parts_file },
    Target {
        name: "source_python",
        folders: &["crates/tools/recorded/projects/python/shop"],
        dictionary: PYTHON,
        read: source_python,
    },
    Target { name: "source_javascript", folders: &[], dictionary: JAVASCRIPT, read: source_javascript },
    Target {
        name: "source_typescript",
        folders: &["crates/tools/recorded/projects/javascript/src"],
        dictionary: JAVASCRIPT,
        read: source_typescript,
    },
    Target { name: "source_java", folders: &[], dictionary: JAVA, read: source_java },
    Target {
        name: "source_c",
        folders: &["crates/tools/recorded/projects/c", "crates/c/tests/micro"],
        dictionary: C,
        read: source_c,
    },
    Target { name: "source_cpp", folders: &[], dictionary: CPP, read: source_cpp },
    Target { name: "source_go", folders: &[], dictionary: GO, read: source_go },
    Target { name: "project_configuration", folders: &[], dictionary: JSON, read: project_configuration },
    Target { name: "knob", folders: &[], dictionary: SPECIFICATION, read: knob },
];
