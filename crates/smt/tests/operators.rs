//! The value of each operator, in rows written from the definitions of the theories, and values that must stay unknown.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use smt::{Assignment, Command, Evaluator, Script, TermId, value_text};

const PRELUDE: &str = "
(declare-sort S 0)
(declare-fun s () S) (declare-fun p () Bool) (declare-fun i () Int) (declare-fun r () Real)
(declare-fun x () (_ BitVec 8)) (declare-fun a () (Array Int Int)) (declare-fun f (Int) Int)
(declare-fun str () String) (declare-datatype Color ((red) (green))) (declare-fun color () Color)
(declare-fun float () Float32) (declare-fun mode () RoundingMode) (declare-fun paint (Color) Int)
(define-fun twice ((n Int)) Int (+ n n))
(define-fun half ((q Real)) Real (/ q 2))
(define-fun-rec loop ((n Int)) Int (loop n))
";

fn term_of(script: &Script) -> TermId {
    let find = |command: &Command| match command {
        Command::GetValue(terms) => terms.first().copied(),
        _ => None,
    };
    script.commands.iter().find_map(find).expect("a term")
}

fn check(term: &str, expected: &str) {
    let text = format!("{PRELUDE}(get-value ({term}))");
    let script = smt::parse("row", &text).unwrap_or_else(|error| panic!("{term}: {error}"));
    let assignment = Assignment::new();
    let value = Evaluator::new(&script, &assignment).value(term_of(&script));
    let found = value.map_or("unknown".to_owned(), |value| value_text(&script, &value));
    assert_eq!(found, expected, "{term}");
}

fn check_all(rows: &[(&str, &str)]) {
    for (term, expected) in rows {
        check(term, expected);
    }
}

#[test]
fn core() {
    check_all(&[
        ("(and true false true)", "false"),
        ("(or false false true)", "true"),
        ("(xor true true true)", "true"),
        ("(xor true false true)", "false"),
        ("(=> true false)", "false"),
        ("(=> false true false)", "true"),
        ("(=> true true false)", "false"),
        ("(=> (=> false true) false)", "false"),
        ("(= 1 1 1)", "true"),
        ("(= 1 1 2)", "false"),
        ("(= 1 1.0)", "true"),
        ("(distinct 1 2 3)", "true"),
        ("(distinct 1 2 1)", "false"),
        ("(distinct 1 1.0)", "false"),
        ("(distinct true false true)", "false"),
        ("(ite true 1 2)", "1"),
        ("(ite false 1 2.5)", "(/ 5.0 2.0)"),
        ("(ite true 1 2.5)", "1.0"),
        ("(let ((y 2)) (let ((y 3) (z y)) (+ y z)))", "5"),
        ("(! (+ 1 1) :named n)", "2"),
        ("(= s s)", "true"),
    ]);
}

#[test]
fn undefined_operations_are_unknown_unless_they_do_not_matter() {
    check_all(&[
        ("(/ 1.0 0.0)", "unknown"),
        ("(div 1 0)", "unknown"),
        ("(mod 1 0)", "unknown"),
        ("(/ 6 2 0)", "unknown"),
        ("(* 0 (div 1 0))", "unknown"),
        ("(= (div 1 0) (div 1 0))", "unknown"),
        ("(and (= (div 1 0) 1) false)", "false"),
        ("(and (= (div 1 0) 1) true)", "unknown"),
        ("(or (= (div 1 0) 1) true)", "true"),
        ("(or (= (div 1 0) 1) false)", "unknown"),
        ("(=> (= (div 1 0) 1) true)", "true"),
        ("(=> false (= (div 1 0) 1))", "true"),
        ("(=> true (= (div 1 0) 1) false)", "unknown"),
        ("(xor true (= (div 1 0) 1))", "unknown"),
        ("(not (= (div 1 0) 1))", "unknown"),
        ("(ite (= (div 1 0) 1) 2 2)", "2"),
        ("(ite (= (div 1 0) 1) 2 2.0)", "2.0"),
        ("(ite (= (div 1 0) 1) 2 3)", "unknown"),
        ("(ite true 1 (div 1 0))", "1"),
        ("(= 1 (div 1 0) 2)", "false"),
        ("(= 1 (div 1 0) 1)", "unknown"),
        ("(distinct 1 (div 1 0) 1)", "false"),
        ("(distinct 1 (div 1 0) 2)", "unknown"),
        ("(< 2 1 (div 1 0))", "false"),
        ("(< 1 2 (div 1 0))", "unknown"),
        ("(f (div 1 0))", "unknown"),
        ("(select a (div 1 0))", "unknown"),
        ("(= str str)", "unknown"),
        ("(str.len str)", "unknown"),
        ("(and false (= str \"a\"))", "false"),
        ("(= color color)", "unknown"),
        ("(= red green)", "unknown"),
        ("((_ is red) color)", "unknown"),
        ("(paint color)", "unknown"),
        ("(forall ((v Color)) (= v v))", "unknown"),
        ("(= float float)", "unknown"),
        ("(= mode mode)", "unknown"),
        ("(match color ((red 1) (green 1)))", "unknown"),
        ("(= ((as const (Array Int Color)) red) ((as const (Array Int Color)) red))", "unknown"),
        ("(select ((as const (Array Color Int)) 1) red)", "unknown"),
        ("((as const (Array Color Int)) 1)", "unknown"),
        ("(loop 1)", "unknown"),
        ("(forall ((n Int)) (= n n))", "unknown"),
        ("(forall ((b (_ BitVec 9))) (= b b))", "unknown"),
        ("(^ 2 3)", "unknown"),
    ]);
}

#[test]
fn integers_and_reals() {
    check_all(&[
        ("(- 5)", "(- 5)"),
        ("(- 5 2 1)", "2"),
        ("(+ 1 2 3)", "6"),
        ("(+ 1 0.5)", "(/ 3.0 2.0)"),
        ("(* 2 3 4)", "24"),
        ("(* 2 0.25)", "(/ 1.0 2.0)"),
        ("(/ 1 3)", "(/ 1.0 3.0)"),
        ("(/ 8 2 2)", "2.0"),
        ("(div 7 2)", "3"),
        ("(div (- 7) 2)", "(- 4)"),
        ("(div 7 (- 2))", "(- 3)"),
        ("(div (- 7) (- 2))", "4"),
        ("(div 100 5 2)", "10"),
        ("(mod 7 2)", "1"),
        ("(mod (- 7) 2)", "1"),
        ("(mod 7 (- 2))", "1"),
        ("(mod (- 7) (- 2))", "1"),
        ("(mod (- 6) (- 3))", "0"),
        ("(abs (- 3))", "3"),
        ("(to_int 2.5)", "2"),
        ("(to_int (- 2.5))", "(- 3)"),
        ("(to_int (- 2.0))", "(- 2)"),
        ("(to_real 3)", "3.0"),
        ("(is_int 2.0)", "true"),
        ("(is_int 2.5)", "false"),
        ("((_ divisible 3) 9)", "true"),
        ("((_ divisible 3) (- 9))", "true"),
        ("((_ divisible 3) 10)", "false"),
        ("(< 1 2 3)", "true"),
        ("(< 1 3 2)", "false"),
        ("(<= 1 1 2)", "true"),
        ("(>= 2 1 1.5)", "false"),
        ("(> 3 2 1)", "true"),
        ("(< 1 1.5)", "true"),
        ("(twice 4)", "8"),
        ("(half 3)", "(/ 3.0 2.0)"),
        ("(half (twice 3))", "3.0"),
    ]);
}

#[test]
fn bit_vectors() {
    check_all(&[
        ("(bvudiv #x07 #x00)", "#xff"),
        ("(bvurem #x07 #x00)", "#x07"),
        ("(bvsdiv #x07 #x00)", "#xff"),
        ("(bvsdiv #xf9 #x00)", "#x01"),
        ("(bvsrem #xf9 #x00)", "#xf9"),
        ("(bvsmod #xf9 #x00)", "#xf9"),
        ("(bvsdiv #x80 #xff)", "#x80"),
        ("(bvsrem #xf9 #x02)", "#xff"),
        ("(bvsmod #xf9 #x02)", "#x01"),
        ("(bvsmod #x07 #xfe)", "#xff"),
        ("(bvshl #x81 #x01)", "#x02"),
        ("(bvshl #x81 #x08)", "#x00"),
        ("(bvlshr #x81 #x01)", "#x40"),
        ("(bvlshr #x81 #xff)", "#x00"),
        ("(bvashr #x81 #x01)", "#xc0"),
        ("(bvashr #x81 #x08)", "#xff"),
        ("(bvashr #x71 #x08)", "#x00"),
        ("(concat #b1 #x0)", "#b10000"),
        ("(concat #b1 #b0 #b1)", "#b101"),
        ("((_ extract 6 3) #x5a)", "#xb"),
        ("((_ repeat 3) #b10)", "#b101010"),
        ("((_ zero_extend 4) #xf)", "#x0f"),
        ("((_ sign_extend 4) #x8)", "#xf8"),
        ("((_ sign_extend 0) #x8)", "#x8"),
        ("((_ rotate_left 9) #x81)", "#x03"),
        ("((_ rotate_right 1) #x81)", "#xc0"),
        ("((_ rotate_right 16) #x81)", "#x81"),
        ("(ext_rotate_left #x81 #x09)", "#x03"),
        ("(bvcomp #x0 #x0)", "#b1"),
        ("(bvcomp #x0 #x1)", "#b0"),
        ("(bvredor #x00)", "#b0"),
        ("(bvredor #x10)", "#b1"),
        ("(bvredand #xff)", "#b1"),
        ("(bvredand #xfe)", "#b0"),
        ("(bvnand #b1100 #b1010)", "#x7"),
        ("(bvnor #b1100 #b1010)", "#x1"),
        ("(bvxnor #b1100 #b1010)", "#x9"),
        ("(bvxor #b1100 #b1010 #b1111)", "#x9"),
        ("(bvadd #xff #x01 #x01)", "#x01"),
        ("(bvmul #x10 #x10 #x01)", "#x00"),
        ("(bvsub #x00 #x01)", "#xff"),
        ("(bvneg #x80)", "#x80"),
        ("(bvslt #x80 #x7f)", "true"),
        ("(bvult #x80 #x7f)", "false"),
        ("(bvsge #xff #xff)", "true"),
        ("(bvnego #x80)", "true"),
        ("(bvnego #x7f)", "false"),
        ("(bvuaddo #xff #x01)", "true"),
        ("(bvuaddo #xfe #x01)", "false"),
        ("(bvsaddo #x7f #x01)", "true"),
        ("(bvsaddo #x80 #xff)", "true"),
        ("(bvsaddo #x7f #xff)", "false"),
        ("(bvumulo #x10 #x10)", "true"),
        ("(bvsmulo #x80 #xff)", "true"),
        ("(bvsmulo #x40 #xfe)", "false"),
        ("(bvusubo #x00 #x01)", "true"),
        ("(bvssubo #x80 #x01)", "true"),
        ("(bvssubo #x00 #x80)", "true"),
        ("(bvsdivo #x80 #xff)", "true"),
        ("(bvsdivo #x80 #x00)", "false"),
        ("(bv2nat #xff)", "255"),
        ("(ubv_to_int #xff)", "255"),
        ("(sbv_to_int #xff)", "(- 1)"),
        ("((_ int2bv 4) (- 1))", "#xf"),
        ("((_ int_to_bv 4) 17)", "#x1"),
        ("((_ nat2bv 4) (- 1))", "unknown"),
        ("(= ((_ zero_extend 2000000) #x0) ((_ zero_extend 2000000) #x0))", "unknown"),
    ]);
}

#[test]
fn arrays() {
    check_all(&[
        ("(select (store a 1 2) 1)", "2"),
        ("(select (store a 1 2) 2)", "0"),
        ("(= (store (store a 1 2) 1 0) a)", "true"),
        ("(= (store a 1 2) (store a 2 1))", "false"),
        ("(= (store (store a 1 2) 2 1) (store (store a 2 1) 1 2))", "true"),
        ("(select ((as const (Array Int Real)) 1) 5)", "1.0"),
        ("(select (store ((as const (Array Real Int)) 0) 1 7) 1.0)", "7"),
        (
            "(= (store (store ((as const (Array Bool Int)) 0) true 1) false 1) ((as const (Array Bool Int)) 1))",
            "true",
        ),
        (
            "(= (store ((as const (Array (_ BitVec 1) Int)) 0) #b1 1) \
                (store ((as const (Array (_ BitVec 1) Int)) 1) #b0 0))",
            "true",
        ),
        ("(= (store ((as const (Array S Int)) 0) s 1) ((as const (Array S Int)) 1))", "true"),
        (
            "(let ((c ((as const (Array (Array Bool Bool) Int)) 0)) (t ((as const (Array Bool Bool)) true))) \
                (= (select (store c t 5) (store (store t true false) true true)) 5))",
            "true",
        ),
    ]);
}

#[test]
fn finite_quantifiers_are_enumerated() {
    check_all(&[
        ("(forall ((b Bool)) (or b (not b)))", "true"),
        ("(exists ((b (_ BitVec 8))) (= (bvmul b #x03) #x01))", "true"),
        ("(exists ((b (_ BitVec 8))) (= (bvmul b #x02) #x01))", "false"),
        ("(forall ((b (_ BitVec 4)) (c (_ BitVec 4))) (= (bvadd b c) (bvadd c b)))", "true"),
        ("(forall ((b (_ BitVec 4))) (exists ((c (_ BitVec 4))) (= (bvadd b c) #x0)))", "true"),
        ("(forall ((b Bool)) (exists ((b Bool)) b))", "true"),
        ("(forall ((t S)) (= t s))", "true"),
        ("(exists ((b Bool)) (and b (= (div 1 0) 1)))", "unknown"),
        ("(exists ((b Bool)) (or b (= (div 1 0) 1)))", "true"),
        ("(forall ((b Bool)) (and b (= (div 1 0) 1)))", "false"),
        ("(forall ((b Bool)) (! (= b b) :pattern ((f (div 1 0)))))", "true"),
        ("(forall ((t (Array Bool Bool))) (= (store t true (select t true)) t))", "true"),
    ]);
}

#[test]
fn deep_and_expensive_terms_terminate() {
    let depth = 100_000;
    check(&format!("{}0{}", "(+ 1 ".repeat(depth), ")".repeat(depth)), &depth.to_string());
    check(&format!("{}true{}", "(not ".repeat(depth), ")".repeat(depth)), "true");
    let squares: String =
        (0..64).map(|step| format!("(let ((y{} (* y{step} y{step}))) ", step + 1)).collect();
    check(&format!("(let ((y0 3)) {squares}(> y64 0){})", ")".repeat(64)), "unknown");
    let quotients: String =
        (0..64).map(|step| format!("(let ((y{} (/ y{step} (+ y{step} 1)))) ", step + 1)).collect();
    check(&format!("(let ((y0 3.0)) {quotients}(> y64 0.0){})", ")".repeat(64)), "true");
}

/// Memoizing calls keeps definitions cheap that would double the work at every level.
#[test]
fn definitions_that_call_each_other_twice_stay_cheap() {
    let mut text = String::from("(define-fun f0 ((n Int)) Int (+ n 1))\n");
    for level in 1..60 {
        let below = level - 1;
        text += &format!("(define-fun f{level} ((n Int)) Int (+ (f{below} n) (* 0 (f{below} (+ n 0)))))\n");
    }
    let script = smt::parse("row", &format!("{text}(get-value ((f59 1)))")).unwrap();
    let assignment = Assignment::new();
    let value = Evaluator::new(&script, &assignment).value(term_of(&script));
    assert_eq!(value_text(&script, &value.unwrap()), "2");
}
