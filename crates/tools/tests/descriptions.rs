//! Descriptions: those that are shipped, those of users, and what is said about wrong ones.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use test_support::repository;
use tools::{Dependencies, Location, Tool, Toolbox};

/// The example of docs/split-tools.md.
fn example() -> String {
    let page = fs::read_to_string(repository().join("docs/split-tools.md")).unwrap();
    page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap().to_owned()
}

#[test]
fn every_file_of_the_folder_is_shipped_under_its_name() {
    let toolbox = Toolbox::shipped().unwrap_or_else(|error| panic!("{error}"));
    let mut shipped: Vec<String> = toolbox.tools().iter().map(|tool| format!("{}.toml", tool.name)).collect();
    shipped.sort();
    let files = fs::read_dir(repository().join("tools")).unwrap();
    let mut files: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    assert_eq!(shipped, files);
    for tool in toolbox.tools() {
        let text = fs::read_to_string(repository().join(format!("tools/{}.toml", tool.name))).unwrap();
        assert!(text.contains("Tested version: "), "{}: say with which version it was tried", tool.name);
        assert_eq!(toolbox.find(&tool.name).unwrap().identity(), tool.identity());
    }
}

#[test]
fn unknown_names_lead_to_known_ones() {
    let toolbox = Toolbox::shipped().unwrap();
    let error = |name: &str| toolbox.find(name).unwrap_err().to_string();
    assert_eq!(error("mypi"), "there is no tool `mypi`; did you mean `mypy`?");
    assert!(error("frama-c").starts_with("there is no tool `frama-c`; known tools are bandit, ruff, "));
}

#[test]
fn the_example_of_the_book_is_a_description() {
    let tool = Tool::parse("example.toml", &example()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(tool.version_in(b"mylint 1.2.3\n").as_deref(), Some("1.2.3"));
    assert_eq!(tool.dependencies, Dependencies::None);
    assert!(tool.takes("a/b.py") && tool.takes("b.pyi") && !tool.takes("py") && !tool.takes("a.py/b.txt"));
}

#[test]
fn errors_say_where_and_what_is_expected() {
    for (from, to, expected) in [
        (
            "name = \"mylint\"",
            "name = \"My lint\"",
            "mine.toml:1:1: the name `My lint` is not valid; expected lower-case letters",
        ),
        ("title =", "titel =", "mine.toml:2:1: unknown field `titel`, expected one of"),
        ("\"python\"", "\"cobol\"", "mine.toml:5:14: unknown variant `cobol`, expected one of `python`"),
        ("[\"python\"]", "[]", "expected at least one language"),
        (
            "{file}",
            "{files}",
            "unknown placeholder at `{files}`; expected `{file}`, `{number}`, `{root}`, `{scratch}`",
        ),
        ("(?<version>", "(", "the pattern has no group for the version"),
        ("(?<version>", "(?<version", "expected a regular expression"),
        ("\"/path\"", "\"path\"", "`path` is no JSON pointer; expected `/path`"),
        ("format = \"json\"", "format = \"text\"", "the format `text` needs `[[output.rows]]`"),
        ("dependencies = \"none\"", "dependencies = \"none\"\nmost-files = 0", "expected a number from 1"),
        (
            "dependencies = \"none\"",
            "dependencies = \"definitions\"\nmost-files = 5",
            "`most-files` does not go with `dependencies = \"definitions\"`",
        ),
        (
            "arguments = [\"--json\"",
            "arguments = [\"{flags}\"",
            "`{flags}` are those of one file; expected a step with `each = true`",
        ),
    ] {
        let text = example();
        assert!(text.contains(from), "{from}");
        let error = Tool::parse("mine.toml", &text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(expected), "{from} -> {to}: {error}");
    }
    assert!(
        Tool::parse("mine.toml", "")
            .unwrap_err()
            .to_string()
            .starts_with("mine.toml:1:1: missing field `name`")
    );
}

#[test]
fn programs_are_looked_for_in_the_directory_of_analyzers_and_then_on_the_path() {
    let toolbox = Toolbox::shipped().unwrap();
    let locations = |name: &str| toolbox.find(name).unwrap().locations();
    let on_path = |name: &str| Location::OnPath(name.to_owned());
    let in_directory = |name: &str| Location::InAnalyzerDirectory(name.to_owned());
    assert_eq!(locations("ruff"), [in_directory("tools/python/bin/ruff"), on_path("ruff")]);
    assert_eq!(locations("eslint"), [in_directory("tools/node/node_modules/.bin/eslint"), on_path("eslint")]);
    assert_eq!(locations("gcc-lto"), [on_path("gcc")]);
    let own = example().replacen("[\"mylint\"]", "[\"./bin/mylint\"]", 1);
    let own = Tool::parse("mine.toml", &own).unwrap();
    assert_eq!(own.locations(), [Location::BesideDescription("./bin/mylint".to_owned())]);
}
