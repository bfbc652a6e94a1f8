//! The shipped descriptions, the errors in bad ones, and the commands for queries.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use analyzers::{Catalogue, Description, Driver, Invocation, Question, RUNNERS};
use model::{AnalyzerId, Input, Mode, Query, SmtInput};
use std::collections::BTreeSet;

const MINE: &str = r#"
name = "mine"
title = "Mine"
summary = "A solver of the user."
language = "smt"
family = "mine"
homepage = "https://example.org"
[install]
[find]
programs = ["mine"]
[version]
arguments = ["--version"]
pattern = 'mine (?<version>\S+)'
[configuration]
arguments = ["-o", "{key}={value}"]
[smt]
approximation = "exact"
theories = ["core"]
models = true
incremental = true
assuming = false
named = false
[smt.modes.process]
arguments = ["{file}"]
[smt.output]
echo = "plain"
"#;

#[test]
fn shipped_descriptions_are_complete() {
    let catalogue = Catalogue::shipped().unwrap();
    let names: BTreeSet<&str> = catalogue.descriptions().iter().map(|known| known.name.as_str()).collect();
    assert_eq!(names.len(), catalogue.descriptions().len(), "names are unique");
    for description in catalogue.descriptions() {
        let name = &description.name;
        assert!(description.summary.ends_with('.'), "{name}: the summary is a sentence");
        assert!(description.homepage.starts_with("https://"), "{name}: the homepage is an address");
        let install = &description.install;
        let hints = install.apt.len()
            + install.pip.len()
            + install.crates.len()
            + usize::from(install.by_hand.is_some());
        assert!(hints > 0, "{name}: there is a way to get it");
        if let Some(smt) = &description.smt {
            let options: BTreeSet<&str> = smt.options.iter().map(|option| &*option.name).collect();
            assert_eq!(options.len(), smt.options.len(), "{name}: options are listed once");
            assert!(smt.options.iter().all(|option| !option.values.is_empty()), "{name}: values");
            let tactics: BTreeSet<&str> = smt.tactics.iter().map(String::as_str).collect();
            assert_eq!(tactics.len(), smt.tactics.len(), "{name}: tactics are listed once");
        }
        if let Some(role) = &description.reachability {
            let known = |file: &String| analyzers::support_file(file).is_some();
            assert!(role.files.iter().all(known), "{name}: every file is one of ours");
        }
        assert!(description.find.python.is_none() || description.runner_source().is_some(), "{name}: runner");
    }
    assert!(RUNNERS.iter().all(|runner| runner.source.contains("--version")));
}

#[test]
fn related_analyzers_share_a_family() {
    let catalogue = Catalogue::shipped().unwrap();
    let family = |name: &str| catalogue.find(name).unwrap().family.clone();
    assert_eq!(family("cvc4"), family("cvc5"));
    assert_eq!(family("boolector"), family("bitwuzla"));
    assert_ne!(family("z3"), family("yices"));
}

#[test]
fn versions_are_found_in_the_output() {
    let catalogue = Catalogue::shipped().unwrap();
    for (name, printed, expected) in [
        ("z3", "Z3 version 4.8.12 - 64 bit\n", Some("4.8.12")),
        ("z3", "Z3 version 5.4.0 - 64 bit\n", Some("5.4.0")),
        ("cvc5", "This is cvc5 version 1.0.3\ncompiled with GCC version 12.2.0\n", Some("1.0.3")),
        ("cvc4", "This is CVC4 version 1.8\ncompiled with GCC version 12.2.0\n", Some("1.8")),
        ("yices", "Yices 2.6.5\nCopyright SRI International.\n", Some("2.6.5")),
        ("boolector", "1.5.118\n", Some("1.5.118")),
        ("bitwuzla", "0.9.1\n", Some("0.9.1")),
        ("z3", "bash: z3: command not found\n", None),
    ] {
        assert_eq!(
            catalogue.find(name).unwrap().version_in(printed.as_bytes()).as_deref(),
            expected,
            "{name}"
        );
    }
}

#[test]
fn an_unknown_name_gets_a_hint() {
    let catalogue = Catalogue::shipped().unwrap();
    let error = catalogue.find("bitwusla").unwrap_err();
    assert_eq!(error.to_string(), "there is no analyzer `bitwusla`; did you mean `bitwuzla`?");
    let error = catalogue.find("no-such-thing").unwrap_err();
    assert!(error.to_string().contains("known analyzers are z3, cvc5"), "{error}");
}

#[test]
fn errors_in_descriptions_have_positions() {
    let rows = [
        ("name = \"mine\"", "nmae = \"mine\"", "2:1: unknown field `nmae`"),
        (
            "language = \"smt\"",
            "language = \"prolog\"",
            "5:12: unknown language `prolog`, expected one of `smt`, `c`, `datalog`",
        ),
        (
            "language = \"smt\"",
            "language = \"c\"",
            "5:1: an analyzer of `c` needs a section `[reachability]`, `[debug]` or `[warnings]`",
        ),
        ("models = true", "models = 3", "19:10: invalid type"),
        (r"'mine (?<version>\S+)'", "'('", "13:11: expected a regular expression"),
        (r"'mine (?<version>\S+)'", "'mine'", "11:1: the pattern has no group for the version"),
        ("[\"{file}\"]", "[\"{flie}\"]", "24:15: unknown placeholder in `{flie}`; expected {file}"),
        ("{key}={value}", "{kay}", "unknown placeholder in `{kay}`; expected {key} or {value}"),
        ("programs = [\"mine\"]", "programs = []", "9:1: nothing to find"),
        ("name = \"mine\"", "name = \"My solver\"", "2:1: the name `My solver` is not valid"),
        (
            "[\"core\"]",
            "[\"core\", \"bitvector\"]",
            "18:21: unknown theory `bitvector` (did you mean `bitvectors`?); expected some of core, ints, reals",
        ),
        ("[\"core\"]", "[\"pointers\"]", "18:13: unknown theory `pointers`; expected some of core, ints"),
        ("title = \"Mine\"", "title = \" \"", "3:1: `title` is empty"),
        (
            "echo = \"plain\"",
            "echo = \"plain\"\nexpected-refusals = ['.*']",
            "27:23: this pattern matches the empty",
        ),
        (
            "echo = \"plain\"",
            "echo = \"none\"\n[smt.modes.push]\narguments = []",
            "26:1: a session needs an echo",
        ),
        ("[smt.output]", "[smt.output", "25:12: unclosed table, expected `]`"),
    ];
    for (old, new, expected) in rows {
        assert!(MINE.contains(old), "{old}");
        let error = Description::parse("mine.toml", &MINE.replace(old, new)).unwrap_err().to_string();
        assert!(error.starts_with("mine.toml:") && error.contains(expected), "{new}: {error}");
    }
}

const VERIFIER: &str = r#"
name = "verifier"
title = "Verifier"
summary = "A verifier of the user."
language = "c"
family = "verifier"
homepage = "https://example.org"
[install]
[find]
programs = ["verifier"]
[version]
arguments = ["--version"]
pattern = '(?<version>\S+)'
[configuration]
arguments = ["--{key}", "{value}"]
[reachability]
approximation = "over"
reports-all = false
failing-check = "ends"
check = "if (!({condition})) reach_error();"
assume = "if (!({condition})) abort();"
files = ["unreach-call.prp"]
options = [{ name = "depth", arguments = ["--depth", "{value}"], values = ["1", "2"] }]
[reachability.data-models]
lp64 = []
[[reachability.steps]]
arguments = ["{options}", "{file}"]
[reachability.output]
rows = [{ pattern = '^TRUE', status = "verified" }]
"#;

#[test]
fn errors_in_descriptions_of_verifiers_have_positions() {
    Description::parse("verifier.toml", VERIFIER).unwrap();
    let row = "[{ name = \"depth\", arguments = [\"--depth\", \"{value}\"], values = [\"1\", \"2\"] }]";
    let entries = |entries: &[&str]| {
        let entry = |rest: &&str| format!("{{ name = \"depth\", arguments = {rest} }}");
        format!("[{}]", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
    };
    let rule = "[\"--depth\", \"{value}\"]";
    let rows: Vec<(&str, String, &str)> = vec![
        ("reports-all = false", "reports-all = true".into(), "29:22: a row must name its check"),
        ("unreach-call.prp", "unreach.prp".into(), "22:11: juvenal has no support file `unreach.prp`"),
        ("'^TRUE', status", "'^TRUE', state".into(), "unknown field `state`"),
        (
            "[reachability.output]",
            "[reachability.output]\nincomplete = ['x*']".into(),
            "29:16: this pattern matches the empty text",
        ),
        (row, entries(&[&format!("{rule}, values = []")]), "the option `depth`: expected at least one value"),
        (row, entries(&["[\"--deep\"], values = [\"1\", \"2\"]"]), "only one where no argument has {value}"),
        (row, entries(&[&format!("{rule}, values = [\"1\"], ordered = true")]), "can be `ordered`"),
        (
            row,
            entries(&[&format!("{rule}, values = [\"1\", \"2\"], ordered = true, sound = false")]),
            "only two or more sound values can be `ordered`",
        ),
        (
            row,
            entries(&[&format!("{rule}, values = [\"1\"]"), &format!("{rule}, values = [\"2\"]")]),
            "the option `depth`: it is listed twice",
        ),
        (
            row,
            entries(&[
                &format!("{rule}, values = [\"1\"]"),
                &format!("{rule}, values = [\"1\"], sound = false"),
            ]),
            "the option `depth`: it is listed twice",
        ),
        (
            row,
            entries(&["[\"--deep={value}\"], values = [\"1\"], sound = false"]),
            "users cannot choose it either: [configuration] turns it into `--depth {value}`",
        ),
    ];
    for (old, new, expected) in rows {
        assert!(VERIFIER.contains(old), "{old}");
        let error =
            Description::parse("verifier.toml", &VERIFIER.replace(old, &new)).unwrap_err().to_string();
        assert!(error.starts_with("verifier.toml:") && error.contains(expected), "{new}: {error}");
    }
    let both =
        entries(&[&format!("{rule}, values = [\"1\"]"), &format!("{rule}, values = [\"2\"], sound = false")]);
    Description::parse("verifier.toml", &VERIFIER.replace(row, &both)).unwrap();
}

const FINDER: &str = r#"
name = "finder"
title = "Finder"
summary = "A bug finder of the user."
language = "c"
family = "finder"
homepage = "https://example.org"
[install]
[find]
programs = ["finder"]
[version]
arguments = ["--version"]
pattern = '(?<version>\S+)'
[configuration]
arguments = ["--{key}", "{value}"]
[warnings]
checkers = [{ pattern = '^null$', kind = "null-dereference", since = "3.1" }]
[warnings.data-models]
lp64 = []
[[warnings.steps]]
arguments = ["{options}", "{file}"]
[warnings.output]
format = "rows"
rows = [{ pattern = '(?m)^(?<line>\d+) (?<checker>\w+)$' }]
"#;

const KNOWER: &str = r#"
[debug]
approximation = "neither"
reports-all = true
failing-check = "continues"
check = "eval({condition});"
check-within = "eval({condition}),"
check-guarded = "if ({guard}) { eval({condition}); }"
assume = "if (!({condition})) exit(0);"
[debug.data-models]
lp64 = []
[[debug.steps]]
arguments = ["{options}", "{file}"]
[debug.output]
rows = [{ pattern = '^(?<line>\d+) (?<values>TRUE)', status = "verified" }]
agreement = true
silent = "unknown"
"#;

#[test]
fn errors_in_descriptions_of_bug_finders_have_positions() {
    let both = FINDER.to_owned() + KNOWER;
    let finder = Description::parse("finder.toml", &both).unwrap();
    assert!(finder.reachability.is_none() && finder.c_role(model::Role::Reachability).is_none());
    let kinds = |version| finder.member(Driver::Program, version, &[]).warnings().unwrap().kinds.clone();
    assert_eq!((kinds("3.0"), kinds("3.1")), (vec![], vec![model::ErrorKind::NullDereference]));
    for (old, new, expected) in [
        (
            "\"null-dereference\"",
            "\"null\"",
            "17:42: unknown variant `null`, expected one of `null-dereference`",
        ),
        (
            "since = \"3.1\"",
            "since = \"new\"",
            "17:70: `new` is not a version; expected numbers such as `12.2`",
        ),
        ("'^null$'", "'n*'", "17:26: this pattern matches the empty text"),
        ("checkers = [{", "checkers = []\nnone = [{", "unknown field `none`"),
        ("\"rows\"", "\"lines\"", "23:10: unknown variant `lines`, expected one of `gcc-json`, `sarif`"),
        ("\"rows\"", "\"sarif\"", "22:1: only the format `rows` takes `rows`"),
        (r"(?<checker>\w+)", r"\w+", "24:22: expected a group `(?<checker>...)`"),
        ("[[warnings.steps]]\narguments = [\"{options}\", \"{file}\"]\n", "", "missing field `steps`"),
        ("[\"{options}\", \"{file}\"]", "[\"{flie}\"]", "unknown placeholder in `{flie}`"),
        (
            "\"eval({condition}),\"",
            "\"eval({condition})\"",
            "31:1: `check-within`: expected an expression and a comma",
        ),
        ("check-within = \"eval({condition}),\"\n", "", "26:1: `[debug]` needs `check-within`"),
        ("if ({guard}) {", "{", "32:18: expected one line with the placeholder {guard} and {condition}"),
        (
            "agreement = true",
            "agreement = false",
            "38:1: expected `agreement = true` and `silent = \"unknown\"`",
        ),
        (
            "silent = \"unknown\"",
            "silent = \"verified\"",
            "expected `agreement = true` and `silent = \"unknown\"`",
        ),
        ("(?<values>TRUE)", "TRUE", "39:22: a row must keep the word that was printed"),
    ] {
        assert!(both.contains(old), "{old}");
        let error = Description::parse("finder.toml", &both.replacen(old, new, 1)).unwrap_err().to_string();
        assert!(error.starts_with("finder.toml:") && error.contains(expected), "{new}: {error}");
    }
}

fn script(options: &str, logic: Option<&str>, body: &str, checks: u32) -> SmtInput {
    SmtInput { options: options.into(), logic: logic.map(Into::into), body: body.into(), checks }
}

fn query(name: &str, script: SmtInput, mode: Mode) -> Query {
    Query::new(AnalyzerId::new(name, "1", &[]), Input::Smt(script), mode)
}

/// The arguments and what is written to standard input or to the file.
fn run(
    name: &str,
    driver: Driver,
    configuration: &[(String, String)],
    script: SmtInput,
) -> (Vec<String>, Vec<u8>, Option<String>) {
    let catalogue = Catalogue::shipped().unwrap();
    let mine = Description::parse("mine.toml", MINE).unwrap();
    let description = if name == mine.name { &mine } else { catalogue.find(name).unwrap() };
    let query = query(name, script, Mode::Process);
    let request = Question::new(Invocation::new(description, driver, configuration), &query).request;
    let [run] = &request.runs[..] else { panic!("{name} takes several runs") };
    let arguments = run.steps[0].arguments.clone();
    match &run.file {
        Some((file, bytes)) => {
            assert!(run.stdin.is_empty(), "{name}");
            (arguments, bytes.clone(), Some(file.clone()))
        }
        None => (arguments, run.stdin.clone(), None),
    }
}

#[test]
fn a_process_gets_its_arguments_and_its_script() {
    let one = || script("(set-option :a true)\n", Some("QF_BV"), "(check-sat)\n", 1);
    let two = || script("", Some("QF_BV"), "(check-sat)\n(check-sat)\n", 2);
    let rows: [(&str, Driver, SmtInput, &str); 9] = [
        ("z3", Driver::Program, one(), "rlimit=5000000 -T:9 -in"),
        ("cvc5", Driver::Program, one(), "--rlimit-per=200000 --tlimit=9000 --lang=smt2 -q"),
        ("cvc5", Driver::Program, two(), "--rlimit-per=200000 --tlimit=9000 --lang=smt2 -q --incremental"),
        ("cvc5", Driver::Python, two(), "--rlimit-per=200000 --incremental=false --incremental=true"),
        ("yices", Driver::Program, one(), "--smt2-model-format"),
        ("yices", Driver::Program, two(), "--smt2-model-format --incremental"),
        ("bitwuzla", Driver::Python, one(), ""),
        ("boolector", Driver::Program, one(), "-t 9 --smt2"),
        ("mine", Driver::Program, one(), "input.smt2"),
    ];
    for (name, driver, script, expected) in rows {
        let text = script.text().into_bytes();
        let (arguments, written, file) = run(name, driver, &[], script);
        assert_eq!((arguments.join(" ").as_str(), written), (expected, text), "{name}");
        assert_eq!(file.as_deref(), (name == "mine").then_some("input.smt2"), "{name}");
    }
}

#[test]
fn a_file_can_be_part_of_an_argument() {
    let text = MINE.replace("[\"{file}\"]", "[\"--input={file}\"]");
    let description = Description::parse("mine.toml", &text).unwrap();
    let query = query("mine", script("", None, "(check-sat)\n", 1), Mode::Process);
    let request = Question::new(Invocation::new(&description, Driver::Program, &[]), &query).request;
    assert_eq!(request.runs[0].steps[0].arguments, ["--input=input.smt2"]);
    assert_eq!(request.runs[0].file.as_ref().map(|(name, _)| name.as_str()), Some("input.smt2"));
}

#[test]
fn configurations_become_arguments_and_a_missing_logic_is_filled_in() {
    let choice = [("smt.random_seed".to_owned(), "{key}".to_owned())];
    let no_logic = || script("", None, "(check-sat)\n", 1);
    let z3 = run("z3", Driver::Program, &choice, no_logic());
    assert_eq!(z3.0, ["rlimit=5000000", "smt.random_seed={key}", "-T:9", "-in"]);
    assert_eq!(z3.1, b"(check-sat)\n");
    let mine = run("mine", Driver::Program, &choice, no_logic());
    assert_eq!(mine.0, ["-o", "smt.random_seed={key}", "input.smt2"]);
    let yices = run("yices", Driver::Program, &[], no_logic());
    assert_eq!(yices.1, b"(set-logic ALL)\n(check-sat)\n");
}

/// The arguments, the opening and the text of a script in a session, and the name of the session.
fn session(name: &str, script: SmtInput, mode: Mode) -> Option<(Vec<String>, String, String, String)> {
    let catalogue = Catalogue::shipped().unwrap();
    let query = query(name, script, mode);
    let invocation = Invocation::new(catalogue.find(name).unwrap(), Driver::Program, &[]);
    let run = Question::new(invocation, &query).request.runs.remove(0);
    let session = run.session?;
    let text = String::from_utf8(run.stdin).unwrap();
    Some((run.steps[0].arguments.clone(), session.opening, text, session.name))
}

#[test]
fn sessions_are_opened_asked_and_marked() {
    let input = || script("(set-option :a true)\n", Some("QF_BV"), "(check-sat)", 1);
    let (arguments, opening, text, _) = session("z3", input(), Mode::Push).unwrap();
    assert_eq!(arguments, ["rlimit=5000000", "-in"]);
    assert_eq!(opening, "(set-option :a true)\n(set-logic QF_BV)\n");
    assert_eq!(text, "(push 1)\n(check-sat)\n(pop 1)\n");
    let (_, opening, text, _) = session("z3", input(), Mode::Reset).unwrap();
    assert_eq!(opening, "");
    assert_eq!(text, "(reset)\n(set-option :a true)\n(set-logic QF_BV)\n(check-sat)\n");
    assert_eq!(session("z3", input(), Mode::Process), None);
    assert_eq!(session("boolector", input(), Mode::Reset), None);
    let catalogue = Catalogue::shipped().unwrap();
    let marker =
        |name| Invocation::new(catalogue.find(name).unwrap(), Driver::Program, &[]).marker_line("m7");
    assert_eq!((marker("z3"), marker("cvc5")), ("m7".to_owned(), "\"m7\"".to_owned()));
    assert_eq!(Invocation::echo("m7"), "(echo \"m7\")\n");
}

#[test]
fn sessions_are_shared_only_if_scripts_cannot_affect_each_other() {
    let name = |options: &str, logic, mode| session("z3", script(options, logic, "", 0), mode).unwrap().3;
    let bv = Some("QF_BV");
    assert_eq!(name("", bv, Mode::Push), name("", bv, Mode::Push));
    assert_ne!(name("", bv, Mode::Push), name("", Some("QF_LIA"), Mode::Push));
    assert_eq!(name("", bv, Mode::Reset), name("", Some("QF_LIA"), Mode::Reset));
    assert_ne!(name("", bv, Mode::Reset), name("(set-option :smt.relevancy 0)\n", bv, Mode::Reset));
    assert_ne!(name("", bv, Mode::Push), name("", bv, Mode::Reset));
}

#[test]
fn analyzer_infos_contain_what_the_file_declares() {
    let catalogue = Catalogue::shipped().unwrap();
    let bitwuzla = catalogue.find("bitwuzla").unwrap();
    assert_eq!(bitwuzla.member(Driver::Python, "0.9.1", &[]).modes, [Mode::Process, Mode::Reset]);
    let z3 = catalogue.find("z3").unwrap();
    let choice = [("smt.random_seed".to_owned(), "3".to_owned())];
    let member = z3.member(Driver::Program, "4.8.12", &choice);
    assert_eq!(member.id.as_str(), "z3@4.8.12:smt.random_seed=3");
    assert_eq!(member.modes, Mode::ALL);
    let abilities = member.smt().unwrap();
    assert!(abilities.tactics.iter().any(|tactic| tactic == "(then dom-simplify smt)"));
    assert!(abilities.options.iter().any(|option| option.name == "smt.arith.solver"));
    assert_ne!(z3.identity(), bitwuzla.identity());
}
