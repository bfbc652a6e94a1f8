//! Inputs that nest deeply, on a stack of the size of a worker's: no parser, printer or evaluator recurses as deep as
//! its input says.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use fuzz::TARGETS;
use std::thread;

/// How often each construct nests.
const DEPTHS: [usize; 2] = [100, 12_000];

/// Targets, and what is before, opens, is inside of, closes and is after the nested construct.
type Row = (&'static [&'static str], &'static str, &'static str, &'static str, &'static str, &'static str);

const DATALOG: &[&str] = &["datalog_program", "datalog_opening", "bddbddb_program"];
const SMT: &[&str] = &["smt_script", "smt_opening"];
const C: &[&str] = &["c_program", "c_interpretation", "c_reduction", "c_opening", "c_prepared"];
const JSON: &[&str] = &["stored_json", "outcome", "tool_message"];
const TOML: &[&str] = &["description", "campaign_file", "recipe"];

const FACTS: &str = ".decl e(a:number)\n.decl p(a:number)\n.output p\ne(1).\n";
const INT: &str = "(declare-const x Int)(declare-const b Bool)(declare-const v (_ BitVec 8))";

const ROWS: &[Row] = &[
    (DATALOG, FACTS, "min ", "x : e(x)", "", "."),
    (DATALOG, FACTS, "p(x) :- e(x), x = ", "1", "", "."),
    (DATALOG, ".decl p(a:number)\np(x) :- x = ", "min ", "x : e(x)", "", "."),
    (DATALOG, ".decl p(a:number)\np(x) :- x = ", "sum ", "x", " : e(x)", "."),
    (DATALOG, ".decl p(a:number)\np(x) :- x = ", "max 1 + ", "x", " : e(x)", "."),
    (DATALOG, ".decl p(a:number)\np(x) :- ", "x = count : { ", "e(x)", " }", "."),
    (DATALOG, ".decl p(a:number)\np(x) :- x = ", "count : e(", "x", ")", "."),
    (DATALOG, ".decl p(a:number)\np(x) :- x = ", "-", "1", "", "."),
    (DATALOG, ".decl p(a:number)\np(x) :- x = ", "(", "1", ")", "."),
    (DATALOG, ".decl p(a:number)\np(x) :- x = ", "min(1, ", "1", ")", "."),
    (DATALOG, ".decl p(a:number)\np(x) :- x = 1", " + 1", "", "", "."),
    (DATALOG, ".decl p(a:number)\np(x) :- ", "!", "e(x)", "", "."),
    (DATALOG, ".decl p(a:number)\np(x) :- ", "!(", "e(x)", ")", "."),
    (DATALOG, ".decl p(a:number)\np(x) :- ", "(e(x); ", "e(x)", ")", "."),
    (DATALOG, ".decl p(a:number)\np(x) :- ", "e(x), ", "e(x)", "", "."),
    (DATALOG, "", ".comp C { ", "", "}", ""),
    (DATALOG, ".type t = ", "[a:", "number", "]", ""),
    (DATALOG, ".decl p(a:number) ", "choice-domain (", "a", ")", ""),
    (SMT, "(declare-const x ", "(Array Int ", "Int", ")", ")(assert (= x x))"),
    (SMT, "(declare-const x ", "(Seq ", "Int", ")", ")(assert (= x x))"),
    (SMT, "(define-sort D (X) (Array Int X))(declare-const x ", "(D ", "Int", ")", ")(assert (= x x))"),
    (SMT, "(assert ", "(not ", "true", ")", ")(check-sat)"),
    (SMT, "(declare-const x Int)(assert (> 0 ", "(+ x ", "1", ")", "))(check-sat)"),
    (SMT, "(declare-const x Int)(assert (> 0 ", "(ite (> x 0) x ", "1", ")", "))(check-sat)"),
    (SMT, "(declare-const v (_ BitVec 8))(assert (= v ", "(bvnot ", "v", ")", "))(check-sat)"),
    (SMT, "(declare-const a (Array Int Int))(assert (= a ", "(store ", "a", " 1 2)", "))(check-sat)"),
    (SMT, INT, "(push 1)", "(assert b)", "(pop 1)", "(check-sat)"),
    (SMT, "(assert ", "(let ((y true)) ", "y", ")", ")(check-sat)"),
    (SMT, "(assert ", "(let ((y ", "true", ")) y)", ")(check-sat)"),
    (SMT, "(assert ", "(forall ((y Int)) ", "(> y 0)", ")", ")(check-sat)"),
    (SMT, "(assert ", "(! ", "true", " :named a)", ")(check-sat)"),
    (SMT, "(set-info :a ", "(", "b", ")", ")(check-sat)"),
    (SMT, "", "(", "", ")", ""),
    (&["smt_model", "smt_answer"], "((define-fun x () Int ", "(- ", "1", ")", "))"),
    (&["smt_model", "smt_answer"], "((define-fun x () Int ", "(ite true 1 ", "1", ")", "))"),
    (&["smt_model", "smt_answer"], "((define-fun x () Int ", "(let ((y 1)) ", "1", ")", "))"),
    (&["smt_model", "smt_answer"], "((define-fun a () (Array Int Bool) ", "(store ", "a", " 1 true)", "))"),
    (&["smt_model", "smt_answer"], "((define-fun q () ", "(Array Int ", "Int", ")", " 1))"),
    (&["smt_model", "smt_answer"], "sat\n", "(", "", ")", ""),
    (C, "int x = ", "(", "1", ")", ";"),
    (C, "int x = ", "-", "1", "", ";"),
    (C, "int x = ", "!", "1", "", ";"),
    (C, "int x = ", "1 ? 1 : ", "1", "", ";"),
    (C, "int x = ", "sizeof ", "1", "", ";"),
    (C, "int x = ", "(int)", "1", "", ";"),
    (C, "int x = 1", " + 1", "", "", ";"),
    (C, "int x; int main(void) { ", "x = ", "1", "", "; return 0; }"),
    (C, "int x; int main(void) { x", "[0]", "", "", "; return 0; }"),
    (C, "int f(int x) { return ", "f(", "1", ")", "; } int main(void) { return f(1); }"),
    (C, "int main(void) { ", "{", "", "}", " return 0; }"),
    (C, "int main(void) { int x = 1; ", "if (x) ", "x = 2;", "", " return 0; }"),
    (C, "int main(void) { int x = 1; ", "while (x) ", "x = 2;", "", " return 0; }"),
    (C, "int main(void) { int x = 1; ", "if (x) ; else ", "x = 2;", "", " return 0; }"),
    (C, "int main(void) { int x = 1; ", "switch (x) ", "x = 2;", "", " return 0; }"),
    (C, "int main(void) { ", "a: ", ";", "", " return 0; }"),
    (C, "int main(void) { return ", "({ ", "1;", "; })", "; }"),
    (C, "int ", "*", "x", "", ";"),
    (C, "int ", "(", "x", ")", ";"),
    (C, "int x", "[1]", "", "", ";"),
    (C, "int f(", "int (*a)(", "void", ")", ");"),
    (C, "int x = ", "{", "1", "}", ";"),
    (C, "", "struct { ", "int x;", "} y;", ""),
    (C, "__typeof__(", "__typeof__(", "int", ")", ") x;"),
    (C, "__attribute__((", "a(", "", ")", ")) int x;"),
    (C, "int x = _Generic(1, default: ", "_Generic(1, default: ", "1", ")", ");"),
    (JSON, "", "[", "", "]", ""),
    (JSON, "{\"queries\": ", "{\"a\": ", "1", "}", "}"),
    (JSON, "{\"relation\": ", "{\"and\": [", "1", "]}", "}"),
    (TOML, "x = ", "[", "1", "]", ""),
    (TOML, "x = ", "{ a = ", "1", "}", ""),
    (TOML, "[x", ".a", "", "", "]"),
    (TOML, "x = \"", "(", "a", ")", "\""),
    (TOML, "name = \"z3\"\n[version]\npattern = \"", "(", "a", ")", "\""),
    (&["task"], "a: ", "[", "1", "]", ""),
    (&["task"], "", "- ", "1", "", ""),
    (&["task"], "", "a: ", "1", "", ""),
    (&["warnings"], "<?xml version=\"1.0\"?>", "<a>", "", "</a>", ""),
    (&["warnings"], "{\"runs\": ", "[", "1", "]", "}"),
    (&["datalog_answer"], "", "(and ", "true", ")", ""),
    (&["datalog_answer"], "e(", "[", "1", "]", ")"),
    (&["c_answer"], "", "(", "1", ")", ""),
    (&["specification", "knob"], "", "[", "1", "]", ""),
];

#[test]
fn nothing_overflows_its_stack() {
    for (targets, before, open, inside, close, after) in ROWS {
        for name in *targets {
            let target = TARGETS.iter().find(|target| target.name == *name).unwrap();
            for depth in DEPTHS {
                // An overflow ends the process, so the name comes first.
                println!("{name}: {before}{open}…, {depth} deep");
                let text = format!("{before}{}{inside}{}{after}", open.repeat(depth), close.repeat(depth));
                thread::spawn(move || (target.read)(text.as_bytes())).join().unwrap();
            }
        }
    }
}
