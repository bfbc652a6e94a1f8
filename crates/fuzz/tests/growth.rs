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
