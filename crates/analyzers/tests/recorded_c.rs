//! Every recorded output about a C program yields the verdict in its row of `expected.toml`, and none if it is truncated.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use analyzers::{CRole, Description, ReachabilityRole, Rendered, read_checks};
use model::{
    Annotation, AnnotationKind, Approximation, CInput, CheckClaim, CheckStatus, ChecksClaim, Claim,
    DataModel, Ending, LimitKind, Run, Verdict,
};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Folder {
    analyzer: String,
    case: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Row {
    name: String,
    #[serde(default = "reachability")]
    role: model::Role,
    command: String,
    input: Option<String>,
    lines: Vec<(u32, u32)>,
    ending: String,
    verdict: String,
}

fn reachability() -> model::Role {
    model::Role::Reachability
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded/c")
}

fn files_of(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    files.sort();
    files
}

/// Returns the shipped descriptions of analyzers for C programs.
fn descriptions() -> BTreeMap<String, Description> {
    let folder = test_support::repository().join("analyzers");
    let parsed = files_of(&folder, "toml").into_iter().map(|path| {
        let text = fs::read_to_string(&path).unwrap();
        Description::parse(&path.display().to_string(), &text).unwrap_or_else(|error| panic!("{error}"))
    });
    parsed.filter(|it| it.reachability.is_some()).map(|it| (it.name.clone(), it)).collect()
}

fn folders() -> Vec<(PathBuf, Folder)> {
    let mut folders: Vec<PathBuf> =
        fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let described = folders.into_iter().filter(|folder| folder.join("expected.toml").exists());
    let parsed = described.map(|folder| {
        let text = fs::read_to_string(folder.join("expected.toml")).unwrap();
        let expected = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        (folder, expected)
    });
    parsed.collect()
}

fn ending(text: &str) -> Ending {
    match text.split_once(' ') {
        Some(("exit", code)) => Ending::Exited(code.parse().unwrap()),
        Some(("signal", number)) => Ending::Signaled(number.parse().unwrap()),
        Some(("limit", "time")) => Ending::Limit(LimitKind::Time),
        _ => panic!("no ending: {text}"),
    }
}

/// Prints the status of every check, with the words of the output if they are kept.
fn claim_text(claim: &ChecksClaim) -> String {
    let word = |status| match status {
        CheckStatus::Verified => "verified",
        CheckStatus::Violated => "violated",
        CheckStatus::Unknown => "unknown",
    };
    let values = |values: &Option<String>| values.as_ref().map_or(String::new(), |it| format!("({it})"));
    let shown = |claim: &CheckClaim| format!("{}{}", word(claim.status), values(&claim.values));
    let words: Vec<String> = claim.checks.iter().map(shown).collect();
    let undefined = if claim.undefined.is_some() { "; undefined behaviour" } else { "" };
    format!("claim {}{undefined}", words.join(" "))
}

fn verdict_text(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Claim(Claim::Checks(claim)) => claim_text(claim),
        Verdict::Claim(Claim::Smt(_) | Claim::Warnings(_) | Claim::Rows(_) | Claim::Report(_)) => {
            "another claim".to_owned()
        }
        Verdict::Unknown => "unknown".to_owned(),
        Verdict::Limit(kind) => format!("limit {kind:?}").to_lowercase(),
        Verdict::Crash(text) => format!("crash {text}"),
        Verdict::Rejected(text) => format!("rejected {text}"),
        Verdict::Unreadable(text) => format!("unreadable {text}"),
    }
}

/// Compares a verdict with the expected one, which may contain only a part of a message.
fn fits(found: &str, expected: &str) -> bool {
    match expected.split_once(' ') {
        Some((word @ ("rejected" | "unreadable"), part)) => found.starts_with(word) && found.contains(part),
        _ => found == expected,
    }
}

fn read(role: &ReachabilityRole, row: &Row, output: &[u8], ending: Ending) -> Verdict {
    let annotation = |(_, check): &(u32, u32)| Annotation::new(0, AnnotationKind::Check(*check), "1");
    let program = CInput {
        base: "".into(),
        data_model: DataModel::Lp64,
        annotations: row.lines.iter().map(annotation).collect(),
    };
    let rendered = Rendered { text: String::new(), lines: row.lines.iter().copied().collect() };
    read_checks(role, &program, &rendered, &Run::new(ending, output.to_vec(), Vec::new()))
}

fn check(role: &ReachabilityRole, folder: &Path, row: &Row) {
    let place = format!("{} {} ({})", folder.display(), row.name, row.command);
    let output = fs::read(folder.join(format!("{}.txt", row.name))).unwrap();
    let found = verdict_text(&read(role, row, &output, ending(&row.ending)));
    assert!(fits(&found, &row.verdict), "{place}: expected `{}`, read `{found}`", row.verdict);
    if let Some(input) = &row.input {
        assert!(root().join("inputs").join(format!("{input}.c")).exists(), "{place}: no input {input}");
    }
    check_cut_off(role, &place, row, &output);
}

/// Checks that an output without the line that marks it as complete is no claim.
fn check_cut_off(role: &ReachabilityRole, place: &str, row: &Row, output: &[u8]) {
    if !row.verdict.starts_with("claim") {
        return;
    }
    let complete = role.output.complete.as_ref().unwrap_or_else(|| panic!("{place}: nothing is complete"));
    let whole = complete.captures(output).unwrap_or_else(|| panic!("{place}: not complete"));
    let start = whole.get(0).unwrap().start();
    for cut in [&output[..0], &output[..start / 2], &output[..start]] {
        let found = verdict_text(&read(role, row, cut, Ending::Exited(0)));
        assert!(fits(&found, "unreadable cut off"), "{place}: {} bytes are read as `{found}`", cut.len());
    }
}

#[test]
fn recorded_outputs_are_read_as_expected() {
    let descriptions = descriptions();
    for (folder, expected) in folders() {
        for row in &expected.case {
            match descriptions[&expected.analyzer].c_role(row.role) {
                Some(CRole::Checks(role)) => check(role, &folder, row),
                _ => panic!("{}: no such role", folder.display()),
            }
        }
        let stem = |path: PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
        let recorded: BTreeSet<String> = files_of(&folder, "txt").into_iter().map(stem).collect();
        let rows: BTreeSet<String> = expected.case.iter().map(|row| row.name.clone()).collect();
        assert_eq!(rows, recorded, "{}", folder.display());
    }
}

/// Analyzers that write a file or execute the program are tested in `reachability`;
/// those with tool-info modules are tested in the engine.
#[test]
fn every_analyzer_has_recorded_outputs() {
    let recorded: BTreeSet<String> = folders().into_iter().map(|(_, folder)| folder.analyzer).collect();
    let elsewhere = ["frama-c", "exact-c", "execute-c", "execute-clang", "benchexec"];
    for name in descriptions().keys().filter(|name| !elsewhere.contains(&name.as_str())) {
        assert!(recorded.contains(name), "no recorded output of {name}");
    }
}

#[test]
fn garbage_is_never_a_claim() {
    let row = Row {
        name: String::new(),
        role: reachability(),
        command: String::new(),
        input: None,
        lines: vec![(1, 1)],
        ending: String::new(),
        verdict: String::new(),
    };
    let nested = vec![b'('; 100_000];
    for (name, description) in descriptions() {
        let role = description.reachability.as_ref().unwrap();
        for output in [&b""[..], b"\0\xff\xfe", b"hello\n", b"verified\nsafe\nOK\n", &nested] {
            let verdict = read(role, &row, output, Ending::Exited(0));
            assert!(matches!(verdict, Verdict::Unreadable(_)), "{name}: {verdict:?}");
        }
    }
}

#[test]
fn unsound_options_are_never_drawn_and_weaken_the_claim() {
    let descriptions = descriptions();
    for (name, choice, expected) in [
        ("cbmc", None, Approximation::Exact),
        ("cbmc", Some(("unwind", "2")), Approximation::Exact),
        ("cbmc", Some(("depth", "100")), Approximation::Under),
        ("cbmc", Some(("depth", "7")), Approximation::Under),
        ("klee", Some(("max-forks", "64")), Approximation::Under),
        ("klee", Some(("search", "dfs")), Approximation::Exact),
        ("ikos", Some(("opt", "aggressive")), Approximation::Neither),
        ("ikos", Some(("domain", "dbm")), Approximation::Over),
        ("goblint", Some(("sem.unknown_function.invalidate.globals", "false")), Approximation::Neither),
        ("clang", Some(("max-nodes", "10")), Approximation::Neither),
    ] {
        let choices: Vec<(String, String)> =
            choice.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let member = descriptions[name].member(analyzers::Driver::Program, "1", &choices);
        let member = member.reachability().unwrap();
        assert_eq!(member.approximation, expected, "{name} {choice:?}");
        let drawn = |option: &str| member.options.iter().any(|known| known.name == option);
        assert!(!["depth", "max-forks", "max-depth", "opt"].into_iter().any(drawn), "{name}");
    }
}

/// An option has the same meaning whether a user chooses it or it is drawn.
#[test]
fn chosen_options_equal_drawn_options() {
    for (name, description) in descriptions() {
        let rules = &description.configuration.arguments;
        for option in &description.reachability.as_ref().unwrap().options {
            let chosen: Vec<String> = rules.iter().map(|rule| rule.replace("{key}", &option.name)).collect();
            let flags = |arguments: &[String]| arguments.first().cloned().unwrap_or_default();
            let same_flag =
                flags(&chosen) == flags(&option.arguments) && chosen.len() == option.arguments.len();
            assert!(!same_flag || chosen == option.arguments, "{name}: {}", option.name);
        }
    }
}

#[test]
fn versions_are_found_in_the_output() {
    let descriptions = descriptions();
    for (name, printed, expected) in [
        ("clang", "Debian clang version 14.0.6\nTarget: x86_64-pc-linux-gnu\n", "14.0.6"),
        ("clang", "Debian clang version 19.1.7 (3~deb12u1)\n", "19.1.7"),
        ("cbmc", "6.3.1 ()\n", "6.3.1"),
        ("klee", "KLEE 3.2 (https://klee-se.org/)\n  Build mode: Release (Asserts: OFF)\n", "3.2"),
        ("frama-c", "25.0-beta (Manganese)", "25.0-beta"),
        ("esbmc", "ESBMC version 7.6.1 64-bit x86_64 linux\n", "7.6.1"),
        ("cpachecker", "CPAchecker 3.0 (OpenJDK 64-Bit Server VM 17.0.9)\n", "3.0"),
        ("ultimate", "This is Ultimate 0.3.1-dev-35a8436538\n", "0.3.1-dev-35a8436538"),
        ("smack", "SMACK version 2.4.0\n", "2.4.0"),
        ("goblint", "Goblint version: heads/master-0-gba99aff-2.5.0\n", "2.5.0"),
        ("2ls", "0.10.0\n", "0.10.0"),
    ] {
        assert_eq!(descriptions[name].version_in(printed.as_bytes()).as_deref(), Some(expected), "{name}");
    }
}
