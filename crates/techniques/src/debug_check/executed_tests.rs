//! Tests: programs in which every derived condition is asserted are run, and none fails.

#![cfg(test)]
#![allow(clippy::disallowed_methods, reason = "the tests run compilers and what they compile")]

use super::prepared::{Origin, Point, Prepared, prepare};
use model::DataModel;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;
use test_support::has;

/// Defines the inputs of programs, and the function that their assertions call.
const SUPPORT: &str = include_str!("executed_tests.c");

/// The program with every derived condition as an assertion, the first one numbered 0.
pub fn asserted(prepared: &Prepared) -> String {
    let mut text = "void juvenal_require(int holds, int number);\n".to_owned();
    let (mut done, mut number) = (0, 0);
    for point in &prepared.points {
        text.push_str(&prepared.base[done..point.place as usize]);
        done = point.place as usize;
        for derived in &point.derived {
            let call = format!("juvenal_require(({}) ? 1 : 0, {number})", derived.condition);
            number += 1;
            match (&derived.guard, point.within) {
                (None, true) => writeln!(text, "\n{call},").unwrap(),
                (Some(guard), false) => writeln!(text, "\nif ({guard}) {call};").unwrap(),
                (None, false) => writeln!(text, "\n{call};").unwrap(),
                (Some(_), true) => panic!("a guard inside of an expression"),
            }
        }
    }
    text.push_str(&prepared.base[done..]);
    text
}

/// A directory with the compiled support.
pub struct Machine {
    directory: TempDir,
}

impl Machine {
    pub fn new() -> Machine {
        let machine = Machine { directory: TempDir::new().unwrap() };
        std::fs::write(machine.path().join("support.c"), SUPPORT).unwrap();
        machine.compile("support", &["-w", "-O1", "-c", "support.c", "-o", "support.o"]);
        machine
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    fn compile(&self, name: &str, arguments: &[&str]) {
        let output = Command::new("gcc").args(arguments).current_dir(self.path()).output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Compiles a program that calls the support.
    pub fn build(&self, name: &str, text: &str, sanitizers: &str) {
        std::fs::write(self.path().join("program.c"), text).unwrap();
        let sanitize = format!("-fsanitize={sanitizers}");
        let arguments = ["-w", "-std=gnu17", &sanitize, "-fno-sanitize-recover=all", "program.c"];
        self.compile(name, &[&arguments[..], &["support.o", "-o", "program"]].concat());
    }

    /// What the compiled program prints with some inputs, and what it complains of.
    pub fn execute(&self, seed: u32) -> (Option<i32>, String, String) {
        let mut command = Command::new(self.path().join("program"));
        command.env("SEED", seed.to_string()).env("ASAN_OPTIONS", "detect_leaks=0");
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    }

    /// Runs a program with some inputs; the numbers of the assertions that were reached. None may fail, and no
    /// sanitizer may complain.
    pub fn run(&self, name: &str, prepared: &Prepared, sanitizers: &str, runs: u32) -> BTreeSet<usize> {
        self.build(name, &asserted(prepared), sanitizers);
        let conditions: Vec<String> = prepared
            .points
            .iter()
            .flat_map(|point| point.derived.iter().map(move |it| format!("{:?} {it:?}", point.origin)))
            .collect();
        let mut reached = BTreeSet::new();
        for seed in 0..runs {
            let (code, lines, complaints) = self.execute(seed);
            let failed = complaints.split_once("condition ").and_then(|(_, rest)| rest.split(' ').next());
            let failed = failed.and_then(|number| conditions.get(number.parse::<usize>().ok()?));
            assert!(code.is_some() && complaints.is_empty(), "{name}: {failed:?} {complaints}");
            reached.extend(
                lines.lines().filter_map(|line| line.strip_prefix("reached ")?.parse::<usize>().ok()),
            );
        }
        reached
    }
}

/// For each number of an assertion, its point.
fn points_by_number(prepared: &Prepared) -> Vec<&Point> {
    prepared.points.iter().flat_map(|point| point.derived.iter().map(move |_| point)).collect()
}

/// What is known at the points, as the program says it: `if: x < 3`.
fn known(prepared: &Prepared) -> Vec<String> {
    let mut known = Vec::new();
    for point in &prepared.points {
        let plain = point.derived.iter().filter(|it| ["condition", "conjunct"].contains(&it.rule));
        let texts: Vec<&str> = plain.map(|it| it.condition.as_str()).collect();
        known.push(format!("{}: {}", point.origin.word(), texts.join("; ")));
    }
    known
}

/// Statements inside of a function with `int x`, `int y`, `unsigned u`, `double d`, `int *p` and an array `int a[5]`,
/// and what is known in them.
const ROWS: &[(&str, &[&str])] = &[
    ("if (x < 3) y = 1;", &["if: x < 3", "else: !(x < 3)"]),
    ("if (x < 3 && y > 2) x = 1; else y = 2;", &["and: x < 3", "if: x < 3; y > 2", "else: "]),
    ("if (x < 3 || u) { x ^= 1; }", &["or: !(x < 3)", "if: ", "else: !(x < 3); !u"]),
    // A dangling else belongs to the inner condition.
    (
        "if (x > 1) if (y > 1) x = 5; else x = 6;",
        &["if: x > 1", "if: y > 1", "else: !(y > 1)", "else: !(x > 1)"],
    ),
    (
        "if (x == 1) y = 1; else if (x == 2) y = 2; else if (x != u) y = 3;",
        &["if: x == 1", "else: !(x == 1)", "if: x == 2", "else: !(x == 2)", "if: x != u", "else: !(x != u)"],
    ),
    ("x &= 7; while (x < 5) x++;", &["while: x < 5", "loop-exit: !(x < 5)"]),
    ("x &= 7; while (x < 5) { x++; if (y) break; }", &["while: x < 5", "if: ", "else: !y"]),
    ("for (int i = 0; i < 3; i++) y ^= i;", &["for: i < 3"]),
    ("int i; for (i = 0; i < 3; i++) y ^= i;", &["for: i < 3", "loop-exit: !(i < 3)"]),
    // The break of an inner loop or switch does not leave the outer loop.
    (
        "int i; for (i = 0; i < 3; i++) { for (;;) break; switch (y) { case 1: break; } }",
        &["for: i < 3", "case: y == 1", "loop-exit: !(i < 3)"],
    ),
    ("x &= 3; do x++; while (x < 5);", &["do-exit: !(x < 5)"]),
    ("x &= 3; do { if (y < 1) break; x++; } while (x < 5);", &["if: y < 1", "else: !(y < 1)"]),
    ("x &= 3; do { if (y < 1) continue; } while (x++ < 5);", &["if: y < 1", "else: !(y < 1)"]),
    (
        "switch (x) { case 1: y = 1; break; case 2: y = 2; case 3: y = 3; break; default: y = 9; }",
        &["case: x == 1", "case: x == 2", "default: x != 1; x != 2; x != 3"],
    ),
    (
        "switch (u & 3) { case 0: case 1: y = 1; return 0; case -1: y = 2; }",
        &["case: (u & 3) == 4294967295u"],
    ),
    ("switch (x) { int x; case 5: x = 1; y = x; break; }", &[]),
    (
        "switch (x & 7) { case 2 ... 4: y = 1; break; label: case 6: y = 2; }",
        &["case: (x & 7) >= 2; (x & 7) <= 4"],
    ),
    (
        "switch (x & 1) { case 0: { y = 1; break; } case 1: { goto end; } default: y = 3; } end:;",
        &["case: (x & 1) == 0", "case: (x & 1) == 1", "default: (x & 1) != 0; (x & 1) != 1"],
    ),
    // A case is converted to the type of the value.
    ("switch (x) { case 0x100000001L: y = 1; }", &["case: x == 1"]),
    ("y = x < 3 ? x : 4;", &["conditional: x < 3", "conditional: !(x < 3)"]),
    ("y = x > 0 && y > 0 && u > 0;", &["and: x > 0", "and: x > 0; y > 0"]),
    ("y = x ?: u;", &["conditional: !x"]),
    ("y = !x || !!u;", &["or: "]),
    // A label at the beginning of a branch follows the point.
    (
        "if (x < 3) again: y++; if (y < 9 && y > 0) goto again;",
        &["if: x < 3", "else: !(x < 3)", "and: y < 9", "if: y < 9; y > 0", "else: "],
    ),
    // Effects, calls, volatile objects and constants.
    (
        "if ((x ^= 1) < 3) y = 1; if (next() < 3) y = 2; volatile int v = 1; if (v) y = 3; while (1) break;",
        &[],
    ),
    ("if (x < 3 && next() < 3) y = 1;", &["and: x < 3"]),
    // What may have no value.
    ("int z; if (x < 3) z = 1; if (z < 1) y = 2;", &["if: x < 3", "else: !(x < 3)"]),
    ("int z[3]; z[0] = 1; if (*p < 1) y = 2; if (d < 1) y = 3;", &["if: d < 1", "else: !(d < 1)"]),
    ("int z; z = 1; if (z < 1) y = 2;", &["if: z < 1", "else: !(z < 1)"]),
    // A call elsewhere may change what others can reach.
    ("y = next() + (*p < 3 ? 1 : 2) + (x < 3 ? 1 : 2);", &["conditional: x < 3", "conditional: !(x < 3)"]),
    // Operands that are not evaluated, or must be constant.
    ("y = sizeof(x < 3 ? 1 : 2); static int z = 1 ? 2 : 3; y = __builtin_constant_p(x && y);", &[]),
    (
        "int *q = x < 3 ? 0 : p; q = x < 4 ? (void *)0 : p; y = q != 0;",
        &["conditional: !(x < 3)", "conditional: !(x < 4)"],
    ),
    ("y = ({ if (x < 3) y = 2; x < 4 ? 1 : 2; });", &[]),
    (
        "if (p) y = 1; if (p == &a[2]) y = 2; if (p < a + 3) y = 3;",
        &[
            "if: ",
            "else: !p",
            "if: p == (&a[2])",
            "else: !(p == (&a[2]))",
            "if: p < (a + 3)",
            "else: !(p < (a + 3))",
        ],
    ),
    (
        "if (a[x & 3] < a[y & 3]) y = a[1] / a[2 + 2];",
        &["if: a[x & 3] < a[y & 3]", "else: !(a[x & 3] < a[y & 3])"],
    ),
    (
        "if (y != 0 && 100 / (y & 7 | 1) > x) y = 2;",
        &["and: y != 0", "if: y != 0; (100 / (y & 7 | 1)) > x", "else: "],
    ),
    (
        "if (d < 2.5) y = 1; if (d) y = 2; if (!(d == x)) y = 3;",
        &["if: d < 2.5", "else: !(d < 2.5)", "if: ", "else: !d", "if: !(d == x)", "else: d == x"],
    ),
    (
        "if (x > 0 && y > x) y = 1; if (u >= 3 && x == u) y = 2; if (!(x < y || 7 < x)) x = 3;",
        &[
            "and: x > 0",
            "if: x > 0; y > x",
            "else: ",
            "and: u >= 3",
            "if: u >= 3; x == u",
            "else: ",
            "or: !(x < y)",
            "if: !(x < y); !(7 < x)",
            "else: ",
        ],
    ),
    // Bit-fields are compared as what they are promoted to.
    (
        "struct { unsigned f : 3; int g : 4; unsigned long h : 40; } s = {x, y, u}; if (s.f > s.g) y = 1; if (s.h < -1) y = 2;",
        &["if: s.f > s.g", "else: !(s.f > s.g)", "if: s.h < (-1)", "else: !(s.h < (-1))"],
    ),
    (
        "if ((x < y) == (y < x)) y = 1; if (x\n  <\n y) y = 2;",
        &["if: (x < y) == (y < x)", "else: !((x < y) == (y < x))", "if: x < y", "else: !(x < y)"],
    ),
];

fn program_of(row: &str) -> String {
    format!(
        "int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void); double __VERIFIER_nondet_double(void);
static int shared; static int next(void) {{ return shared++; }}
static int run(int x, int y, unsigned u, double d) {{ int a[5] = {{1, -2, 3, 4, 5}}; int *p = &a[y & 3]; {row} return shared ^ y ^ *p; }}
static int dead(int x) {{ if (x < 77) return 1; return 2; }}
int main(void) {{ for (;;) {{ if (shared >= 200) break; shared++; run(__VERIFIER_nondet_int(), __VERIFIER_nondet_int() % 1000, __VERIFIER_nondet_uint(), __VERIFIER_nondet_double());
run(__VERIFIER_nondet_int() % 8, __VERIFIER_nondet_int() % 4, __VERIFIER_nondet_uint() % 4, __VERIFIER_nondet_int() % 3); }} return 0; }}
"
    )
}

/// The points of a row, without those of `main`.
fn prepared_row(row: &str) -> Prepared {
    let mut prepared = prepare("row.c", &program_of(row), DataModel::Lp64)
        .unwrap_or_else(|(reason, detail)| panic!("{row}: {reason} {detail}"));
    let main = prepared.base.find("int main").unwrap();
    prepared.points.retain(|point| (point.place as usize) < main);
    prepared
}

#[test]
fn points_are_where_only_their_condition_leads() {
    for (row, expected) in ROWS {
        assert_eq!(known(&prepared_row(row)), *expected, "{row}");
    }
}

#[test]
fn nothing_but_braces_else_and_parentheses_is_added() {
    let squeeze = |text: &str| -> String {
        text.replace("else", "").chars().filter(|it| !it.is_whitespace() && !"(){}".contains(*it)).collect()
    };
    for (row, _) in ROWS {
        assert_eq!(squeeze(&prepared_row(row).base), squeeze(&program_of(row)), "{row}");
    }
}

#[test]
fn every_derived_condition_holds_when_the_rows_are_run() {
    if !has("gcc") {
        return;
    }
    let machine = Machine::new();
    let mut counts: BTreeMap<Origin, usize> = BTreeMap::new();
    for (row, _) in ROWS.iter() {
        let prepared = prepared_row(row);
        let reached = machine.run(row, &prepared, "undefined,address", 2);
        let points = points_by_number(&prepared);
        reached.iter().for_each(|number| *counts.entry(points[*number].origin).or_default() += 1);
    }
    println!("assertions reached: {counts:?}");
    assert_eq!(counts.len(), 11, "every origin is reached: {counts:?}");
}

#[test]
fn every_derived_condition_holds_when_the_seeds_are_run() {
    if !has("gcc") {
        return;
    }
    let machine = Machine::new();
    let folder = test_support::repository().join("seeds/c");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    let (mut origins, mut rules) = (BTreeMap::new(), BTreeMap::new());
    let (mut all, mut hit) = (0, 0);
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy();
        let Ok(prepared) = prepare(&name, &text, DataModel::Lp64) else {
            println!("{name}: no points");
            continue;
        };
        for point in &prepared.points {
            *origins.entry(point.origin.word()).or_insert(0) += 1;
            point.derived.iter().for_each(|it| *rules.entry(it.rule).or_insert(0) += 1);
        }
        all += prepared.points.iter().map(|point| point.derived.len()).sum::<usize>();
        hit += machine.run(&name, &prepared, "undefined,address", 8).len();
    }
    println!(
        "{} seeds, {all} conditions, {hit} reached\npoints {origins:?}\nconditions {rules:?}",
        files.len()
    );
    assert!(hit * 2 > all, "most are reached: {hit} of {all}");
}

#[test]
fn very_long_and_very_deep_conditions_are_no_danger() {
    let chain = |operator: &str| format!("y = {};", vec!["x"; 50_000].join(operator));
    let nested = format!("y = {}1{};", "x > 1 ? (".repeat(100), ") : 2".repeat(100));
    let otherwise = format!("y = {}3;", "x > 1 ? 2 : ".repeat(100));
    let branches = format!("{}y = 1;", "if (x > 1) y = 2; else ".repeat(2_000));
    let inner = format!("{}y = 1;", "if (x > 1) ".repeat(100));
    for row in [chain(" && "), chain(" || "), chain(" + "), nested, otherwise, branches, inner] {
        let prepared = prepare("row.c", &program_of(&row), DataModel::Lp64);
        println!("{} points", prepared.map_or(0, |prepared| prepared.points.len()));
    }
}
