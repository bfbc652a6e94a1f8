//! Every recorded output of a bug finder yields the verdict in its row of `expected.toml`, and none if it is truncated.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use analyzers::{CRole, Catalogue, Description, Driver};
use model::{CInput, Claim, DataModel, Ending, ErrorKind, Role, Run, Verdict, Warning};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Folder {
    analyzer: String,
    version: String,
    /// The kinds for which this version has a checker.
    kinds: Vec<ErrorKind>,
    case: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Row {
    /// The name of the input and of the file with the output.
    name: String,
    command: String,
    exit: i32,
    /// The expected verdict: `claim`, or a rejection or failure with a part of its message.
    verdict: String,
    /// `line:column kind checker`, followed by an arrow and the lines of the path.
    #[serde(default)]
    warnings: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded/warnings")
}

fn folders() -> Vec<(PathBuf, Folder)> {
    let mut folders: Vec<PathBuf> = fs::read_dir(root()).unwrap().map(|it| it.unwrap().path()).collect();
    folders.sort();
    let described = folders.into_iter().filter(|folder| folder.join("expected.toml").exists());
    let parsed = described.map(|folder| {
        let text = fs::read_to_string(folder.join("expected.toml")).unwrap();
        let expected = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        (folder, expected)
    });
    parsed.collect()
}

fn description(folder: &Folder) -> Description {
    let catalogue = Catalogue::shipped().unwrap();
    catalogue.find(&folder.analyzer).unwrap().at_version(&folder.version)
}

fn program(text: &str) -> CInput {
    CInput { base: text.into(), data_model: DataModel::Lp64, annotations: Vec::new() }
}

/// Reads an output from the place where the description expects it.
fn read(role: CRole<'_>, output: &[u8], exit: i32) -> Verdict {
    let input = program("");
    let file = role.output_file().map(|_| output.to_vec());
    let run = Run { file, ..Run::new(Ending::Exited(exit), Vec::new(), output.to_vec()) };
    role.read(&input, &role.render(&input), &run)
}

fn shown(warning: &Warning) -> String {
    let place = format!("{}:{}", warning.place.line, warning.place.column);
    let path: Vec<String> = warning.path.iter().map(|event| event.place.line.to_string()).collect();
    let arrow = if path.is_empty() { "" } else { " <- " };
    format!("{place} {} {}{arrow}{}", warning.kind, warning.checker, path.join(" "))
}

fn check(role: CRole<'_>, folder: &Path, row: &Row) {
    let place = format!("{} {} ({})", folder.display(), row.name, row.command);
    let output = fs::read(folder.join(format!("{}.txt", row.name))).unwrap();
    let source = root().join("inputs").join(format!("{}.c", row.name));
    assert!(source.exists(), "{place}: no input");
    match read(role, &output, row.exit) {
        Verdict::Claim(Claim::Warnings(warnings)) => {
            let found: Vec<String> = warnings.iter().map(shown).collect();
            assert_eq!(row.verdict, "claim", "{place}");
            assert_eq!(found, row.warnings, "{place}: {found:#?}");
            check_cut_off(role, &place, &output);
        }
        Verdict::Rejected(message) => assert_eq!(row.verdict, format!("rejected {message}"), "{place}"),
        Verdict::Unreadable(message) => assert_eq!(row.verdict, format!("unreadable {message}"), "{place}"),
        other => panic!("{place}: {other:?}"),
    }
}

/// Checks that formats with an end marker are not read without it, and rows of text not without the warning
/// about the prelude.
fn check_cut_off(role: CRole<'_>, place: &str, output: &[u8]) {
    let CRole::Warnings(warnings) = role else { panic!("{place}: no bug finder") };
    let complete =
        warnings.output.complete.as_ref().unwrap_or_else(|| panic!("{place}: nothing is complete"));
    let marker = complete.captures(output).unwrap_or_else(|| panic!("{place}: not complete"));
    let start = marker.get(0).unwrap().start();
    let mut cuts = vec![0, start / 2, start];
    if warnings.output.format != analyzers::WarningFormat::Rows {
        let end = output.trim_ascii_end().len();
        cuts.extend([end / 2, end - end / 4, end - 1]);
    }
    for cut in cuts {
        let verdict = read(role, &output[..cut], 0);
        assert!(matches!(verdict, Verdict::Unreadable(_)), "{place}: {cut} bytes are read as {verdict:?}");
    }
}

#[test]
fn recorded_warnings_are_read_as_expected() {
    for (folder, expected) in folders() {
        let description = description(&expected);
        let role = description.c_role(Role::Warnings).unwrap();
        expected.case.iter().for_each(|row| check(role, &folder, row));
        let member = description.member(Driver::Program, &expected.version, &[]);
        assert_eq!(member.warnings().unwrap().kinds, expected.kinds, "{}", folder.display());
        let files = fs::read_dir(&folder).unwrap().map(|it| it.unwrap().path());
        let outputs = files.filter(|path| path.extension().is_some_and(|ending| ending == "txt"));
        let recorded: BTreeSet<String> =
            outputs.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        let rows: BTreeSet<String> = expected.case.iter().map(|row| row.name.clone()).collect();
        assert_eq!(rows, recorded, "{}", folder.display());
    }
}

/// Infer could not be run; its format is covered by the others.
#[test]
fn every_bug_finder_has_recorded_outputs() {
    let recorded: BTreeSet<String> = folders().into_iter().map(|(_, folder)| folder.analyzer).collect();
    let catalogue = Catalogue::shipped().unwrap();
    for description in catalogue.descriptions().iter().filter(|it| it.warnings.is_some()) {
        let name = &description.name;
        assert!(name == "infer" || recorded.contains(name), "no recorded warnings of {name}");
    }
}

/// Garbage is no claim and makes no reader panic.
#[test]
fn garbage_is_never_a_claim() {
    let catalogue = Catalogue::shipped().unwrap();
    let nested = [vec![b'['; 100_000], vec![b'{'; 1000]].concat();
    let odd = br#"[{"kind": 3, "locations": [{"caret": {"line": -1, "file": "program.c"}}], "path": {}}, [], null]"#;
    let odd_log = br#"{"runs": [{"results": [null, {"locations": [{"physicalLocation": 3}]}]}, 7]}"#;
    let outputs: [&[u8]; 8] =
        [b"", b"\0\xff\xfe", b"hello\n", b"[", b"<error id=\"zerodiv\" msg=\"", &nested, odd, odd_log];
    for description in catalogue.descriptions() {
        let Some(role) = description.c_role(Role::Warnings) else { continue };
        for output in outputs {
            let verdict = read(role, output, 0);
            assert!(matches!(verdict, Verdict::Unreadable(_)), "{}: {verdict:?}", description.name);
        }
    }
}

/// Replacing any byte of a real output makes no reader panic.
#[test]
fn damaged_outputs_do_not_cause_a_panic() {
    for (folder, expected) in folders() {
        let description = description(&expected);
        let role = description.c_role(Role::Warnings).unwrap();
        let mut output = fs::read(folder.join("clean.txt")).unwrap();
        for position in (0..output.len()).step_by(7) {
            let byte = std::mem::replace(&mut output[position], [b'"', 0xff, b'<', b'9'][position % 4]);
            read(role, &output, 0);
            output[position] = byte;
        }
    }
}

#[test]
fn steps_depend_on_the_version() {
    let catalogue = Catalogue::shipped().unwrap();
    for (name, version, expected) in [
        ("gcc", "11.3.0", "-fdiagnostics-format=json"),
        ("gcc", "14.2.0", "-fdiagnostics-format=json"),
        ("gcc", "15.1.0", "-fdiagnostics-format=sarif-stderr"),
        ("clang", "20.1.0", "-analyzer-checker=core,unix,alpha.security.ArrayBoundV2"),
        ("clang", "21.1.0", "-analyzer-checker=core,unix,security.ArrayBound"),
    ] {
        let description = catalogue.find(name).unwrap().at_version(version);
        let role = description.c_role(Role::Warnings).unwrap();
        let steps = role.commands("program.c", &program(""), &[], &[], &model::Limits::default());
        assert_eq!(steps.len(), 1, "{name} {version}");
        assert!(
            steps[0].arguments.iter().any(|argument| argument == expected),
            "{name} {version}: {steps:?}"
        );
    }
}

#[test]
fn versions_are_found_in_the_output() {
    let catalogue = Catalogue::shipped().unwrap();
    for (name, printed, expected) in [
        ("gcc", "gcc (Debian 12.2.0-14+deb12u1) 12.2.0\n", "12.2.0"),
        ("gcc", "gcc-11 (Debian 11.3.0-12) 11.3.0\nCopyright (C) 2021\n", "11.3.0"),
        ("cppcheck", "Cppcheck 2.10\n", "2.10"),
        ("clang-tidy", "LLVM (http://llvm.org/):\n  LLVM version 23.1.4\n  Optimized build.\n", "23.1.4"),
        ("clang-tidy", "Debian LLVM version 14.0.6\n", "14.0.6"),
    ] {
        let description = catalogue.find(name).unwrap();
        assert_eq!(description.version_in(printed.as_bytes()).as_deref(), Some(expected), "{name}");
    }
}
