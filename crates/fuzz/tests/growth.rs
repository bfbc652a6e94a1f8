//! Ten times the input must not take the square of the work.
//!
//! Work is the CPU time of the thread. No time is asserted, only the ratio of two, and each is the least of all
//! measurements, since other processes can only add to it. Linear work grows tenfold, and up to fifteenfold where it sorts or outgrows a cache; the square grows a
//! hundredfold.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use c::DataModel;
use datalog::Dialect;
use model::Seed;
use std::fmt::Write;
use test_support::own_cpu_nanoseconds;

/// The most that the work may grow where the input grows tenfold.
const MOST_GROWTH: f64 = 15.0;
/// What grows too much is measured again so often: other processes disturb the caches.
const ATTEMPTS: usize = 20;
/// Each measurement takes the least of so many runs.
const RUNS: usize = 3;

/// A kind of input: its name, its size, how it is made, and what reads it.
type Row = (&'static str, usize, fn(usize) -> String, fn(&str));

fn work(read: fn(&str), input: &str) -> u64 {
    let run = |_| {
        let start = own_cpu_nanoseconds();
        read(input);
        own_cpu_nanoseconds() - start
    };
    (0..RUNS).map(run).min().unwrap_or(0).max(1)
}

fn check(rows: &[Row]) {
    let mut faults = Vec::new();
    for (name, size, make, read) in rows {
        let (small, large) = (make(*size), make(10 * size));
        assert!(large.len() >= 9 * small.len(), "{name}: the large input is ten times as large");
        let (mut least_small, mut least_large) = (u64::MAX, u64::MAX);
        let mut growth = f64::INFINITY;
        for _ in 0..ATTEMPTS {
            least_small = least_small.min(work(*read, &small));
            least_large = least_large.min(work(*read, &large));
            growth = least_large as f64 / least_small as f64;
            if growth <= MOST_GROWTH {
                break;
            }
        }
        println!("{name}: {growth:.1}");
        if growth > MOST_GROWTH {
            faults.push(format!("{name}: ten times the input takes {growth:.1} times the work"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A text with a part for each number.
fn parts(before: &str, count: usize, part: impl Fn(usize, &mut String), after: &str) -> String {
    let mut text = before.to_owned();
    (0..count).for_each(|number| part(number, &mut text));
    text + after
}

macro_rules! part {
    ($($format:tt)*) => { |number, text: &mut String| write!(text, $($format)*, number = number).unwrap() };
}

/// What a hunt does with a script before it asks anything.
fn use_script(text: &str) {
    let script = smt::parse("input", text).unwrap_or_else(|error| panic!("{error}"));
    assert!(!smt::print::script(&script).is_empty());
    open("solver_differential", text, model::Language::SMT);
}

fn evaluate_datalog(text: &str) -> datalog::Program {
    let program = datalog::parse("input", text).unwrap_or_else(|error| panic!("{error}"));
    let strata = datalog::check(&program).unwrap();
    let _ = datalog::reference::evaluate(&program, &strata, 1_000_000);
    program
}

fn use_datalog(text: &str) {
    let program = evaluate_datalog(text);
    for dialect in Dialect::ALL {
        let _ = dialect.render(&program);
    }
}

fn parse_c(text: &str) -> c::Program {
    c::parse("input.c", text, DataModel::Lp64).unwrap_or_else(|error| panic!("{error}"))
}

fn use_c(text: &str) {
    let program = parse_c(text);
    c::analyze::unchecked_ub::why_possible_in(&program);
    c::analyze::sites(&program);
    c::analyze::constants(&program);
}

/// Opens a case, which prepares its seed.
fn open(technique: &str, text: &str, language: model::Language) {
    let technique = techniques::find(techniques::all(), technique).unwrap();
    let seed = Seed {
        name: "input".into(),
        text: text.into(),
        language,
        data_model: DataModel::Lp64,
        is_generated: false,
    };
    let opening = techniques::Opening {
        seed: &seed,
        lineup: &model::Lineup::default(),
        settings: &model::Settings::default(),
        random: model::Random::for_case(0, 0),
    };
    assert!((technique.open)(opening).is_ok());
}

#[test]
fn scripts() {
    check(&[
        (
            "declarations",
            2_000,
            |n| parts("", n, part!("(declare-const x{number} Int)\n"), "(assert (> x0 x1))(check-sat)"),
            use_script,
        ),
        (
            "assertions",
            2_000,
            |n| parts("(declare-const x Int)", n, part!("(assert (> x {number}))\n"), "(check-sat)"),
            use_script,
        ),
        (
            "definitions",
            1_000,
            |n| {
                let definition = part!("(define-fun f{number} ((x Int)) Int (+ x {number}))\n");
                parts("", n, definition, "(assert (= (f0 1) 2))(check-sat)")
            },
            use_script,
        ),
        (
            "a long term",
            5_000,
            |n| parts("(declare-const x Int)(assert (and true", n, part!(" (> x {number})"), "))(check-sat)"),
            use_script,
        ),
        (
            "scopes",
            1_000,
            |n| {
                parts(
                    "(declare-const x Int)",
                    n,
                    part!("(push 1)(assert (> x {number}))(pop 1)\n"),
                    "(check-sat)",
                )
            },
            use_script,
        ),
        (
            "lets",
            1_000,
            |n| {
                let bindings = parts(
                    "(declare-const x Int)(assert ",
                    n,
                    part!("(let ((y{number} (+ x {number}))) "),
                    "(> x 1)",
                );
                bindings + &")".repeat(n) + ")(check-sat)"
            },
            use_script,
        ),
    ]);
}

#[test]
fn datalog_programs() {
    const DECLARATIONS: &str = ".decl e(a:number, b:number)\ne(1, 1).\n.decl r(a:number)\n.output r\n";
    check(&[
        (
            "literals in a chain",
            200,
            |n| {
                parts(
                    &format!("{DECLARATIONS}r(x0) :- e(x0, x0)"),
                    n,
                    part!(", e(x{number}, y{number})"),
                    ".\n",
                )
            },
            use_datalog,
        ),
        (
            "recursive literals",
            200,
            |n| {
                parts(
                    &format!("{DECLARATIONS}r(1).\nr(x) :- e(x, x)"),
                    n,
                    part!(", r(x), {number} = {number}"),
                    ".\n",
                )
            },
            use_datalog,
        ),
        (
            "equalities",
            300,
            |n| {
                parts(
                    &format!("{DECLARATIONS}r(x) :- e(x, x0)"),
                    n,
                    part!(", y{number} = x + {number}"),
                    ".\n",
                )
            },
            |text| drop(evaluate_datalog(text)),
        ),
        ("rules", 500, |n| parts(DECLARATIONS, n, part!("r(x) :- e(x, {number}).\n"), ""), use_datalog),
        ("facts", 1_000, |n| parts(DECLARATIONS, n, part!("e({number}, 2).\n"), ""), use_datalog),
        (
            "relations",
            300,
            |n| {
                let relation =
                    part!(".decl p{number}(a:number)\np{number}(x) :- e(x, _).\n.output p{number}\n");
                parts(DECLARATIONS, n, relation, "")
            },
            |text| drop(evaluate_datalog(text)),
        ),
    ]);
}

#[test]
fn c_programs() {
    check(&[
        (
            "functions",
            300,
            |n| {
                parts(
                    "",
                    n,
                    part!("int f{number}(int x) {{ return x + {number}; }}\n"),
                    "int main(void) { return 0; }",
                )
            },
            |text| drop(parse_c(text)),
        ),
        (
            "statements",
            500,
            |n| parts("int main(void) { int x = 1; ", n, part!("x = x + {number};\n"), "return x; }"),
            use_c,
        ),
        (
            "variables",
            500,
            |n| parts("int main(void) { ", n, part!("int x{number} = {number};\n"), "return x0; }"),
            // Every site lists the variables that it can read, so the sites of many variables are as many as their square.
            |text| drop(parse_c(text)),
        ),
        (
            "a long expression",
            500,
            |n| parts("int main(void) { int x = 1; return x", n, part!(" + {number}"), "; }"),
            |text| drop(parse_c(text)),
        ),
        (
            "branches",
            300,
            |n| {
                parts("int main(void) { int x = 1; ", n, part!("if (x) {{ x = {number}; }}\n"), "return x; }")
            },
            use_c,
        ),
        (
            "globals",
            500,
            |n| parts("", n, part!("int g{number} = {number};\n"), "int main(void) { return 0; }"),
            use_c,
        ),
    ]);
}

#[test]
fn answers() {
    fn rows(text: &str) {
        let program = ".decl e(a:number, b:number)\n.decl d(a:number)\nd(1).\ne(x, x) :- d(x).\n.output e\n";
        let program = datalog::parse("program.dl", program).unwrap();
        for dialect in Dialect::ALL {
            let _ = dialect.read(&program, text.as_bytes());
        }
    }
    fn model(text: &str) {
        let mut script = smt::parse("script", "(declare-fun f (Int) Int)(assert (> (f 1) 0))").unwrap();
        smt::model::read_model(&mut script, text).unwrap_or_else(|error| panic!("{error:?}"));
    }
    check(&[
        (
            "rows",
            2_000,
            |n| {
                parts("---------------\ne\n===============\n", n, part!("{number}\t1\n"), "===============\n")
            },
            rows,
        ),
        ("atoms", 2_000, |n| parts("Answer: 1\n", n, part!("e({number},1) "), "\nSATISFIABLE\n"), rows),
        (
            "a table of a model",
            500,
            |n| {
                let table =
                    parts("((define-fun f ((x Int)) Int ", n, part!("(ite (= x {number}) {number} "), "0");
                table + &")".repeat(n) + "))"
            },
            model,
        ),
    ]);
}

#[test]
fn programs_that_are_searched_and_interpreted() {
    fn interpret(text: &str) {
        let program = parse_c(text);
        c::interpret::find_harmful_outcome(&program, model::FailingCheck::Ends, u64::MAX, |_| true);
    }
    check(&[
        (
            "a text without directives",
            20_000,
            |n| parts("", n, part!("int x{number}; /* # */ char *s = \"# {number}\";\n"), ""),
            |text| assert_eq!(c::find_unprepared(text), None),
        ),
        (
            "a script without files",
            5_000,
            |n| parts("", n, part!("(anything \"x{number}\")(assert (f \"a/{number}\"))\n"), ""),
            |text| assert_eq!(smt::file_access(text), None),
        ),
        (
            "interpreted statements",
            500,
            |n| parts("int main(void) { int x = 1; ", n, part!("x = (x + {number}) % 7;\n"), "return x; }"),
            interpret,
        ),
    ]);
}

#[test]
fn files_of_users_and_outputs_of_bug_finders() {
    fn warnings(text: &str) {
        let run = model::Run {
            file: Some(text.as_bytes().to_vec()),
            ..model::Run::new(model::Ending::Exited(0), text.as_bytes().to_vec(), Vec::new())
        };
        let catalogue = analyzers::Catalogue::shipped().unwrap();
        for role in catalogue.descriptions().iter().filter_map(|description| description.warnings.as_ref()) {
            analyzers::read_warnings(role, &run);
        }
    }
    check(&[
        (
            "XML of warnings",
            2_000,
            |n| {
                let error = part!(
                    "<error id=\"nullPointer\" severity=\"error\" msg=\"a\" verbose=\"b\"><location file=\"program.c\" \
                     line=\"{number}\" column=\"1\"/></error>\n"
                );
                let head =
                    "<?xml version=\"1.0\"?><results version=\"2\"><cppcheck version=\"2.10\"/><errors>";
                parts(head, n, error, "</errors></results>")
            },
            warnings,
        ),
        (
            "SARIF",
            1_000,
            |n| {
                let result = part!(
                    "{{\"ruleId\": \"x\", \"message\": {{\"text\": \"t\"}}, \"locations\": [{{\"physicalLocation\": \
                     {{\"region\": {{\"startLine\": {number}}}}}}}]}},\n"
                );
                parts("{\"runs\": [{\"results\": [", n, result, "{}]}]}")
            },
            warnings,
        ),
        (
            "a task",
            500,
            |n| {
                let head = "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n";
                let property = part!("  - property_file: ../p{number}.prp\n    expected_verdict: true\n");
                parts(head, n, property, "options:\n  language: C\n  data_model: LP64\n")
            },
            |text| drop(engine::TaskDefinition::read(std::path::Path::new("folder/input.yml"), text)),
        ),
        (
            "facts",
            2_000,
            |n| parts("", n, part!("{number}\tname{number}\t1.5\n"), ""),
            |text| {
                let program = ".decl e(a:number, b:symbol, c:float)\n.input e\n.output e\n";
                let found = |_: &str| Some(text.to_owned());
                assert!(datalog::parse_with_facts("input.dl", program, &found).is_ok());
            },
        ),
    ]);
}

/// Reads a report as the shipped tool of this name prints it, and merges it.
fn use_report(tool: &str, text: &str) {
    let toolbox = tools::Toolbox::shipped().unwrap();
    let run = model::Run {
        file: Some(text.as_bytes().to_vec()),
        ..model::Run::new(model::Ending::Exited(0), text.as_bytes().to_vec(), text.as_bytes().to_vec())
    };
    let command = tools::ToolCommand { program: None, arguments: Vec::new(), file: None, output: None };
    let directories = tools::Directories { root: "/tmp/run/project", scratch: "/tmp/run/scratch" };
    let outcome = tools::Outcome { command: &command, run: &run };
    let verdict = toolbox.find(tool).unwrap().read(directories, &[outcome]);
    if let model::Verdict::Claim(model::Claim::Report(report)) = verdict {
        let part = splitting::Part::owning(vec![0]);
        let files = [splitting::SourceFile { name: "a.py".to_owned(), bytes: 1, lines: 1 }];
        splitting::merge(&files, &[splitting::PartReport { part, analyzed: vec![0], report }]);
    }
}

#[test]
fn reports_of_tools() {
    const SARIF: &str = r#"{"version":"2.1.0","runs":[{"results":[{"message":{"text":"m"}}"#;
    check(&[
        (
            "results in SARIF",
            1_000,
            |n| {
                let result = part!(
                    ",{{\"ruleId\":\"r{number}\",\"message\":{{\"text\":\"m\"}},\"locations\":[{{\"physicalLocation\":{{\"artifactLocation\":{{\"uri\":\"a.py\"}},\"region\":{{\"startLine\":{number}}}}}}}]}}"
                );
                parts(SARIF, n, result, "]}]}")
            },
            |text| use_report("ruff", text),
        ),
        (
            "rules in SARIF",
            1_000,
            |n| {
                let rules = parts("", n, part!("{{\"id\":\"r{number}\"}},"), "{}");
                let start = format!(
                    "{{\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":{{\"rules\":[{rules}]}}}},\"results\":[{{\"message\":{{\"text\":\"m\"}}}}"
                );
                let result = part!(",{{\"ruleId\":\"r{number}\",\"message\":{{\"text\":\"m\"}}}}");
                parts(&start, n, result, "]}]}")
            },
            |text| use_report("ruff", text),
        ),
        (
            "a long text that many results refer to",
            1_000,
            |n| {
                let long = "x".repeat(10 * n);
                let start = format!(
                    "{{\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":{{\"rules\":[{{\"id\":\"{long}\"}}]}}}},\"originalUriBaseIds\":{{\"B\":{{\"uri\":\"{long}\"}}}},\"results\":[{{\"message\":{{\"text\":\"m\"}}}}"
                );
                let result = part!(
                    ",{{\"ruleIndex\":0,\"message\":{{\"text\":\"{number}\"}},\"locations\":[{{\"physicalLocation\":{{\"artifactLocation\":{{\"uri\":\"a\",\"uriBaseId\":\"B\"}}}}}}]}}"
                );
                parts(&start, n, result, "]}]}")
            },
            |text| use_report("ruff", text),
        ),
        (
            "results in JSON, grouped by file",
            1_000,
            |n| {
                let file = "x".repeat(10 * n);
                let start = format!("[{{\"filePath\":\"{file}\",\"messages\":[{{\"message\":\"m\"}}");
                parts(&start, n, part!(",{{\"ruleId\":\"r\",\"message\":\"m\",\"line\":{number}}}"), "]}]")
            },
            |text| use_report("eslint", text),
        ),
        (
            "results on lines of JSON",
            1_000,
            |n| {
                let line = part!(
                    "{{\"file\":\"a.py\",\"line\":{number},\"message\":\"m\",\"code\":\"c\",\"severity\":\"error\"}}\n"
                );
                parts("", n, line, "")
            },
            |text| use_report("mypy", text),
        ),
        (
            "rows of text",
            2_000,
            |n| parts("", n, part!("a.c:{number}:1: warning: m [-Wa]\na.c:{number}:2: note: n\n"), ""),
            |text| use_report("gcc-analyze", text),
        ),
        (
            "continued rows of text",
            2_000,
            |n| parts("a.ts(1,1): error TS1: m\n", n, part!("  more {number}\n"), ""),
            |text| use_report("tsc", text),
        ),
        (
            "errors in XML",
            1_000,
            |n| {
                let error = part!(
                    "<error id=\"e\" severity=\"error\" msg=\"m\"><location file=\"a.c\" line=\"{number}\" column=\"1\"/></error>\n"
                );
                parts("<results version=\"2\"><errors>\n", n, error, "</errors></results>")
            },
            |text| use_report("cppcheck", text),
        ),
        (
            "attributes in XML",
            5_000,
            |n| parts("<results><error ", n, part!("a{number}=\"\" "), "></error></results>"),
            |text| use_report("cppcheck", text),
        ),
        (
            "a compilation database",
            1_000,
            |n| {
                let entry = part!(
                    "{{\"directory\":\"/p\",\"file\":\"{number}.c\",\"command\":\"cc -Ia -c {number}.c\"}},"
                );
                parts("[", n, entry, "{\"directory\":\"/p\",\"file\":\"z.c\"}]")
            },
            |text| drop(tools::CompileCommands::parse(text, "/p").unwrap()),
        ),
    ]);
}

fn references_of(name: &str, text: &str) -> splitting::languages::References {
    splitting::languages::references(name, text.as_bytes())
}

#[test]
fn sources_of_projects() {
    check(&[
        (
            "imports in Python",
            1_000,
            |n| parts("", n, part!("import a{number}\n"), ""),
            |text| {
                references_of("a.py", text);
            },
        ),
        (
            "names from a long module in Python",
            1_000,
            |n| {
                let start = format!("from {} import (", "x".repeat(3 * n));
                parts(&start, n, part!("a{number}, "), "b)\n")
            },
            |text| drop(references_of("a.py", text)),
        ),
        (
            "a chain of calls in Python",
            1_000,
            |n| parts("f", n, part!("(1).a{number}"), "()\n"),
            |text| drop(references_of("a.py", text)),
        ),
        (
            "nesting in Python",
            1_000,
            |n| "(".repeat(n) + "a" + &")".repeat(n),
            |text| drop(references_of("a.py", text)),
        ),
        (
            "requires in JavaScript",
            1_000,
            |n| parts("", n, part!("const a{number} = require('./a{number}');\n"), ""),
            |text| drop(references_of("a.js", text)),
        ),
        (
            "a chain of calls in JavaScript",
            1_000,
            |n| parts("f", n, part!("(1).a{number}"), "();\n"),
            |text| drop(references_of("a.js", text)),
        ),
        (
            "types in TypeScript",
            1_000,
            |n| parts("", n, part!("let a{number}: A<B{number}> = {number};\n"), ""),
            |text| drop(references_of("a.ts", text)),
        ),
        (
            "classes in Java",
            500,
            |n| {
                parts(
                    "package p;\n",
                    n,
                    part!("class A{number} {{ B{number} f() {{ return C.d(); }} }}\n"),
                    "",
                )
            },
            |text| drop(references_of("A.java", text)),
        ),
        (
            "a chain of names in Java",
            1_000,
            |n| parts("class A { int b = c", n, part!(".d{number}"), "; }"),
            |text| drop(references_of("A.java", text)),
        ),
        (
            "nested classes in Java",
            300,
            |n| parts("", n, part!("class A{number} {{ "), "") + &"}".repeat(n),
            |text| drop(references_of("A.java", text)),
        ),
        (
            "functions in C",
            500,
            |n| parts("", n, part!("int f{number}(int x) {{ return g{number}(x); }}\n"), ""),
            |text| drop(references_of("a.c", text)),
        ),
        (
            "declarators in C",
            1_000,
            |n| parts("int a", n, part!(", *a{number}[3]"), ";\n"),
            |text| drop(references_of("a.c", text)),
        ),
        (
            "macros in C",
            1_000,
            |n| parts("", n, part!("#define A{number}(x) f(x, {number})\n"), ""),
            |text| drop(references_of("a.h", text)),
        ),
        (
            "includes in C",
            1_000,
            |n| parts("", n, part!("#include \"a{number}.h\"\n/* */ \"s\"\n"), ""),
            |text| drop(references_of("a.c", text)),
        ),
        (
            "namespaces in C++",
            500,
            |n| parts("", n, part!("int a::B{number}::f() {{ return c::d{number}; }}\n"), ""),
            |text| drop(references_of("a.cpp", text)),
        ),
        (
            "imports in Go",
            1_000,
            |n| parts("package a\nimport (\n", n, part!("\t\"m/a{number}\"\n"), ")\n"),
            |text| drop(references_of("a.go", text)),
        ),
    ]);
}

/// Looks up a project that is given as lines: a file, and what it says, with bars for the ends of its lines.
fn use_project(text: &str) {
    let mut files: Vec<(String, String)> = text
        .lines()
        .map(|line| line.split_once(' ').unwrap())
        .map(|(name, text)| (name.to_owned(), text.replace('|', "\n")))
        .collect();
    files.sort();
    let (configuration, sources): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|(name, _)| splitting::languages::is_configuration(name));
    let references: Vec<_> = sources.iter().map(|(name, text)| references_of(name, text)).collect();
    let names: Vec<String> = sources.into_iter().map(|(name, _)| name).collect();
    splitting::languages::resolve(&names, &references, &configuration);
}

#[test]
fn projects_that_are_looked_up() {
    check(&[
        (
            "modules of one name in Python",
            300,
            |n| parts("", n, part!("a{number}/x/util.py import x.util\n"), ""),
            use_project,
        ),
        (
            "packages in Python",
            300,
            |n| parts("a/__init__.py #\n", n, part!("a/m{number}.py from . import m0, m{number}\n"), ""),
            use_project,
        ),
        (
            "packages of one name in JavaScript",
            300,
            |n| {
                let package =
                    part!("a{number}/package.json {{\"name\":\"p\"}}\na{number}/i.js import 'p';\n");
                parts("", n, package, "")
            },
            use_project,
        ),
        (
            "patterns in TypeScript",
            300,
            |n| {
                let patterns = parts("", n, part!("\"p{number}/*\":[\"a/*\"],"), "");
                let start = format!("tsconfig.json {{\"compilerOptions\":{{\"paths\":{{{patterns}}}}}}}\n");
                parts(&start, n.min(1000), part!("a{number}.ts import 'p{number}/b';\n"), "")
                    + &parts("", n - n.min(1000), part!("b{number}.ts import './a0';          \n"), "")
            },
            use_project,
        ),
        (
            "imports on demand in Java",
            300,
            |n| {
                let files = parts(
                    "",
                    n,
                    part!("p{number}/A{number}.java package p{number};|class A{number} {{}}\n"),
                    "",
                );
                let imports = parts("Z.java ", n, part!("import p{number}.*;"), "class Z {");
                files + &parts(&imports, n, part!("A{number} a{number};"), "}\n")
            },
            use_project,
        ),
        (
            "headers of one name in C",
            300,
            |n| {
                parts("", n, part!("a{number}/x.h #include_next <x.h>\na{number}/b.c #include \"x.h\"\n"), "")
            },
            use_project,
        ),
        (
            "modules of one name in Go",
            300,
            |n| {
                let module =
                    part!("a{number}/go.mod module m\na{number}/a.go package a{number}|import \"m/none\"\n");
                parts("", n, module, "")
            },
            use_project,
        ),
        (
            "packages in one folder in Go",
            300,
            |n| parts("", n, part!("a{number}.go package a{number}\na{number}_test.go package t\n"), ""),
            use_project,
        ),
    ]);
}

/// Results on each file of a chain, all of which lead to one missing file; the other project has none of them.
#[test]
fn results_that_a_cut_explains() {
    fn explain(text: &str) {
        let count = text.len() as u32;
        let files: Vec<splitting::SourceFile> = (0..=count)
            .map(|number| splitting::SourceFile { name: format!("{number:08}.py"), bytes: 1, lines: 1 })
            .collect();
        let mut targets: Vec<Vec<u32>> = (0..count).map(|number| vec![number + 1]).collect();
        targets.push(Vec::new());
        let graph = splitting::DependencyGraph::new(targets);
        let result = |number: u32| model::ToolResult {
            rule: "r".to_owned(),
            level: model::Level::default(),
            message: "m".to_owned(),
            place: Some(model::ResultPlace::line(format!("{number:08}.py"), 1)),
            related: Vec::new(),
            fingerprints: Default::default(),
            suppressed: false,
        };
        let whole = model::ProjectReport {
            results: (0..count).map(result).collect(),
            ..model::ProjectReport::default()
        };
        let part = [splitting::Part::owning((0..count).collect())];
        let loss = splitting::loss(&whole, &model::ProjectReport::default(), &files, &part, &graph);
        assert_eq!(loss.counts.lost_explained, u64::from(count));
    }
    check(&[("a chain of files", 1_000, |n| "x".repeat(n), explain)]);
}
