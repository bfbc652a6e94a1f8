//! Inputs that define things in terms of two of the thing before: short texts whose meaning, written out, would fill every
//! memory. Whoever prints or walks such a structure must know that its parts are shared.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use fuzz::TARGETS;
use std::fmt::Write;
use test_support::{CountingAllocator, peak_memory_of};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// How often each row doubles.
const DOUBLINGS: usize = 60;
const MOST_MEMORY: usize = 64 << 20;

/// Text before, a part for each number, and text after.
fn doubled(before: &str, part: impl Fn(usize, usize) -> String, after: impl Fn(usize) -> String) -> String {
    let mut text = before.to_owned();
    for number in 0..DOUBLINGS {
        text.write_str(&part(number, number + 1)).unwrap();
    }
    text + &after(DOUBLINGS)
}

fn check(targets: &[&str], texts: &[String]) {
    for name in targets {
        let target = TARGETS.iter().find(|target| target.name == *name).unwrap();
        for text in texts {
            println!("{name}: {}", text.lines().take(3).collect::<Vec<_>>().join(" "));
            let ((), peak) = peak_memory_of(|| (target.read)(text.as_bytes()));
            assert!(peak < MOST_MEMORY, "{name}: {peak} bytes for {text}");
        }
    }
}

#[test]
fn scripts() {
    let lets = |first: &str, twice: &str, last: &str| {
        let part = |old: usize, new: usize| {
            let value = twice.replace('y', &format!("y{old}"));
            format!("(let ((y{new} {value})) ")
        };
        let before =
            format!("(declare-const x Int)(declare-const v (_ BitVec 8))(assert (let ((y0 {first})) ");
        doubled(&before, part, |n| last.replace('y', &format!("y{n}")) + &")".repeat(n + 2))
    };
    let sorts = |before: &str, application: &str| {
        let part = |old: usize, new: usize| {
            format!("(define-sort s{new} () {})\n", application.replace('s', &format!("s{old}")))
        };
        let before = format!("{before}(define-sort s0 () Int)\n");
        doubled(&before, part, |n| format!("(declare-const z s{n})(assert (= z z))(check-sat)"))
    };
    let functions = doubled(
        "(declare-const x Int)(define-fun f0 ((y Int)) Int (+ y 3))\n",
        |old, new| format!("(define-fun f{new} ((y Int)) Int (f{old} (f{old} y)))\n"),
        |n| format!("(assert (> (f{n} x) 0))(check-sat)"),
    );
    let named = doubled(
        "(declare-const x Int)(assert (! (> x 0) :named a0))\n",
        |old, new| format!("(assert (! (and a{old} a{old}) :named a{new}))\n"),
        |_| "(check-sat)".to_owned(),
    );
    let constants = doubled(
        "(declare-const x Int)(define-fun c0 () Int x)\n",
        |old, new| format!("(define-fun c{new} () Int (+ c{old} c{old}))\n"),
        |n| format!("(assert (> c{n} 0))(check-sat)"),
    );
    check(
        &["smt_script", "smt_opening"],
        &[
            sorts("", "(Array s s)"),
            sorts("(declare-sort P 2)", "(P s s)"),
            sorts("", "(Tuple s s)"),
            format!(
                "(define-sort D (X) (Array X X))(declare-const z {}Int{})(assert (= z z))",
                "(D ".repeat(DOUBLINGS),
                ")".repeat(DOUBLINGS)
            ),
            lets("(+ x 1)", "(+ y y)", "(> y 0)"),
            lets("(+ x 3)", "(* y y)", "(> y 0)"),
            lets("v", "(concat y y)", "(= y y)"),
            lets("(> x 1)", "(and y (not y))", "y"),
            lets("(str.++ \"a\" \"b\")", "(str.++ y y)", "(= y y)"),
            lets("(> x 1)", "(ite y y (not y))", "(forall ((z Int)) (or (> z x) y))"),
            functions,
            named,
            constants,
        ],
    );
}

#[test]
fn programs_in_c() {
    const MAIN: &str = "int main(void) { int x = 1; return x; }\n";
    let types = |first: &str, next: &str, last: &str| {
        let part = |old: usize, new: usize| {
            next.replace("NEW", &format!("t{new}")).replace("OLD", &format!("t{old}")) + "\n"
        };
        doubled(first, part, |n| last.replace("LAST", &format!("t{n}")) + MAIN)
    };
    check(
        &["c_program", "c_interpretation", "c_opening"],
        &[
            types("typedef int (*t0)(int);\n", "typedef OLD (*NEW)(OLD, OLD);", "LAST g;\n"),
            types("typedef int (*t0)(int);\n", "typedef OLD (*NEW)(OLD, OLD);", "LAST g; extern LAST g;\n"),
            types(
                "typedef int (*t0)(int); typedef int (*ut0)(int);\n",
                "typedef OLD (*NEW)(OLD, OLD); typedef uOLD (*uNEW)(uOLD, uOLD);",
                "extern LAST g; extern uLAST g;\n",
            ),
            types(
                "typedef int (*t0)(int); typedef int (*ut0)();\n",
                "typedef OLD (*NEW)(OLD, OLD); typedef uOLD (*uNEW)(uOLD, uOLD);",
                "extern LAST g; extern uLAST g;\n",
            ),
            types("struct t0 { int a; };\n", "struct NEW { struct OLD p, q; };", "struct t25 g = {0};\n"),
            types("struct t0 { int a; };\n", "struct NEW { struct OLD p, q; };", "struct t12 g, h;\n"),
            types("enum { t0 = 1 };\n", "enum { NEW = OLD + OLD };", "int g;\n"),
            types("int t0 = 1;\n", "__typeof__(OLD + OLD) NEW;", "int g;\n"),
            types("typedef int t0[2];\n", "typedef OLD NEW[2];", "extern LAST g;\n"),
            types("int t0(int x) { return x; }\n", "int NEW(int x) { return OLD(x) + OLD(x); }", "int g;\n"),
        ],
    );
}

#[test]
fn programs_in_datalog() {
    const HEAD: &str = ".decl e(a:number)\n.decl p(a:number)\n.output p\ne(1).\n";
    let relations = |qualifier: &str, rule: &str| {
        let part = |old: usize, new: usize| {
            let rule = rule.replace("NEW", &format!("r{new}")).replace("OLD", &format!("r{old}"));
            format!(".decl r{new}(a:number) {qualifier}\n{rule}\n")
        };
        let before = format!("{HEAD}.decl r0(a:number) {qualifier}\nr0(x) :- e(x).\n");
        doubled(&before, part, |n| format!("p(x) :- r{n}(x).\n"))
    };
    let alternatives = vec!["(e(x); e(x))"; DOUBLINGS].join(", ");
    check(
        &["datalog_program", "datalog_opening"],
        &[
            relations("inline", "NEW(x) :- OLD(x), OLD(x)."),
            relations("inline", "NEW(x) :- OLD(x).\nNEW(x) :- OLD(x)."),
            relations("", "NEW(x) :- OLD(x), OLD(y), x = y."),
            relations("", "NEW(x + y) :- OLD(x), OLD(y)."),
            doubled(
                ".type t0 <: number\n",
                |old, new| format!(".type t{new} = t{old} | t{old}\n"),
                |n| format!(".decl p(a:t{n})\n.output p\np(1).\n"),
            ),
            format!("{HEAD}p(x) :- {alternatives}.\n"),
        ],
    );
}
