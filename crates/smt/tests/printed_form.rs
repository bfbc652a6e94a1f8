//! Small scripts and their printed form, which is read back unchanged.

#![allow(clippy::panic, reason = "a panic is how the shared check of a test fails")]

use smt::{parse, print};

fn check(name: &str, text: &str, expected: &str) {
    let script = parse(name, text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let printed = print::script(&script);
    assert_eq!(printed.trim_end(), expected, "{name}");
    let again = parse(name, &printed).unwrap_or_else(|error| panic!("{name}, printed: {error}"));
    assert_eq!(print::script(&again), printed, "{name}: printing is no fixpoint");
    assert_eq!(again.terms.functions().count(), script.terms.functions().count(), "{name}: functions");
}

/// A row whose text is already in printed form.
const SAME: &str = "";

const ROWS: &[(&str, &str, &str)] = &[
    ("logic", "(set-logic QF_LIA)", SAME),
    (
        "info",
        "(set-info :status sat) ; a comment\n(set-info :source |a\nb|)",
        "(set-info :status sat)\n(set-info :source |a\nb|)",
    ),
    ("option", "(set-option :produce-models true)", SAME),
    ("lone keyword", "(set-info :lonely)", SAME),
    ("bare push", "(push)(pop)", "(push 1)\n(pop 1)"),
    (
        "no-argument commands",
        "(check-sat)\n(get-model)\n(get-proof)\n(get-assertions)\n(get-assignment)\n(get-unsat-core)\n(get-unsat-assumptions)\n(reset-assertions)\n(reset)\n(exit)",
        SAME,
    ),
    ("echo", "(echo \"a \"\"b\"\" c\")", SAME),
    ("get-info", "(get-info :name)\n(get-option :print-success)", SAME),
    ("check-sat-using", "(check-sat-using (then simplify smt))", SAME),
    (
        "extensions",
        "(declare-const x Int)\n(maximize   x)\n(assert-soft (> x 1) :weight 2)\n(simplify (+ x  1))\n(set-simplifier (then a b))",
        SAME,
    ),
    ("declare", "(declare-const x Int)\n(declare-fun f (Int (Array Int Bool)) (_ BitVec 8))", SAME),
    ("declare-sort", "(declare-sort U 0)\n(declare-sort P 2)\n(declare-const x (P U (P Int U)))", SAME),
    (
        "define-sort",
        "(define-sort M (A B) (Array A (Array B A)))\n(declare-const x (M Int Bool))",
        "(define-sort M (A B) (Array A (Array B A)))\n(declare-const x (Array Int (Array Bool Int)))",
    ),
    ("define-sort of an opaque sort", "(define-sort S (A) (Seq A))\n(declare-const x (S Int))", SAME),
    ("define-fun", "(define-fun f ((x Int) (y Int)) Int (+ x y))\n(assert (= (f 1 2) 3))", SAME),
    ("define-const", "(define-const c Int 5)\n(assert (> c 4))", SAME),
    ("define-fun-rec", "(define-fun-rec f ((x Int)) Int (ite (> x 0) (f (- x 1)) 0))", SAME),
    (
        "define-funs-rec",
        "(define-funs-rec ((e ((x Int)) Bool) (o ((x Int)) Bool)) ((or (= x 0) (o (- x 1))) (and (not (= x 0)) (e (- x 1)))))",
        SAME,
    ),
    (
        "a parameter named as its recursive function",
        "(define-fun-rec f ((f Int)) Int (f f))",
        "(define-fun-rec f ((f!1 Int)) Int (f f!1))",
    ),
    (
        "datatypes",
        "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))\n(declare-const l L)\n(assert ((_ is cons) (cons (head l) nil)))",
        SAME,
    ),
    ("datatype", "(declare-datatype C ((red) (green)))\n(assert (distinct red green))", SAME),
    (
        "datatype with par",
        "(declare-datatype L (par (T) ((nil) (cons (head T) (tail (L T))))))\n(declare-const l (L Int))\n(assert (= l (as nil (L Int))))\n(assert (= l (cons 1 (as nil (L Int)))))",
        SAME,
    ),
    (
        "old datatypes",
        "(declare-datatypes () ((C red green) (P (mk (l C) (r Int)))))\n(assert (= red (l (mk green 1))))\n(assert (is-mk (mk red 2)))",
        SAME,
    ),
    (
        "old datatypes with parameters",
        "(declare-datatypes (T) ((L nil (cons (head T) (tail L)))))\n(declare-const l (L Int))\n(assert (= (head l) 1))",
        SAME,
    ),
    (
        "match",
        "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))\n(declare-const l L)\n(assert (match l ((nil true) ((cons h t) (> h 0)))))\n(assert (match l ((nil true) (x (= x l)))))",
        SAME,
    ),
    (
        "check-sat-assuming",
        "(declare-const p Bool)\n(check-sat-assuming (p (not p)))\n(get-value (p (and p p)))",
        SAME,
    ),
    ("core", "(declare-const p Bool)\n(assert (=> p (xor p (not p) false) (ite p true p)))", SAME),
    (
        "aliases",
        "(declare-const p Bool)\n(assert (implies p (iff p (if p p p))))",
        "(declare-const p Bool)\n(assert (=> p (= p (ite p p p))))",
    ),
    (
        "arithmetic",
        "(declare-const x Int)\n(assert (< 1 (- x) (- x 1 2) (* 2 (div x 3) (mod x 4) (abs x)) (to_int (/ 1.0 2))))\n(assert ((_ divisible 3) x))",
        SAME,
    ),
    (
        "numerals in a logic of reals",
        "(set-logic QF_LRA)\n(declare-const x Real)\n(assert (= x (/ 1 3)))",
        SAME,
    ),
    ("decimals", "(declare-const x Real)\n(assert (= x 1.500))", SAME),
    ("integers where reals are expected", "(declare-fun f (Real) Real)\n(assert (> (f 1) 2 0.5))", SAME),
    (
        "bit-vector literals",
        "(declare-const x (_ BitVec 8))\n(assert (= x #xAb #b00000001 (_ bv255 8) (_ bv256 8)))\n(assert (= #b01 (_ bv3 2)))",
        "(declare-const x (_ BitVec 8))\n(assert (= x #xab #x01 #xff #x00))\n(assert (= #b01 #b11))",
    ),
    ("a wide literal", "(declare-const x (_ BitVec 65))\n(assert (= x (_ bv7 65)))", SAME),
    (
        "bit-vector operators",
        "(declare-const x (_ BitVec 8))\n(assert (= ((_ extract 7 4) x) ((_ extract 3 0) (bvadd x x x))))\n(assert (bvult (concat x x) ((_ zero_extend 8) x)))\n(assert (= (bv2nat x) (ubv_to_int x) (sbv_to_int x)))\n(assert (= x ((_ int2bv 8) 5) ((_ int_to_bv 8) 5) ((_ repeat 2) #xf) ((_ rotate_left 3) x)))\n(assert (= (bvcomp x x) (bvredor x) (bvredand x)))\n(assert (bvsdivo x x))",
        SAME,
    ),
    (
        "arrays",
        "(declare-const a (Array Int Bool))\n(assert (= a (store ((as const (Array Int Bool)) true) 1 (select a 2))))",
        SAME,
    ),
    (
        "quoted symbols",
        "(declare-const |a b| Int)\n(declare-const |abc| Int)\n(declare-const |let| Int)\n(declare-const || Int)\n(declare-const |1x| Int)\n(assert (= |a b| abc |let| || |1x| |abc|))",
        "(declare-const |a b| Int)\n(declare-const abc Int)\n(declare-const |let| Int)\n(declare-const || Int)\n(declare-const |1x| Int)\n(assert (= |a b| abc |let| || |1x| abc))",
    ),
    ("named", "(declare-const p Bool)\n(assert (! p :named a))\n(assert (or a (not p)))", SAME),
    ("named with a quoted name", "(assert (! true :named |a b|))\n(check-sat-assuming (|a b|))", SAME),
    (
        "attributes",
        "(declare-fun f (Int) Int)\n(assert (forall ((x Int)) (! (> (f x) 0) :pattern ((f x)) :qid |q 1| :weight 5)))\n(assert (forall ((x Int)) (! (> (f x) 0) :no-pattern (f x) :flag)))",
        SAME,
    ),
    ("quantifiers", "(assert (forall ((x Int) (y Real)) (exists ((z Int)) (= x y z))))", SAME),
    (
        "a bound variable with the name of a constant",
        "(declare-const x Int)\n(assert (forall ((x Int)) (> x 0)))",
        "(declare-const x Int)\n(assert (forall ((x!1 Int)) (> x!1 0)))",
    ),
    (
        "nested binders of one name",
        "(assert (forall ((x Int)) (exists ((x Bool)) x)))\n(assert (exists ((x Bool)) x))",
        "(assert (forall ((x Int)) (exists ((x!1 Bool)) x!1)))\n(assert (exists ((x Bool)) x))",
    ),
    (
        "a let that would capture",
        "(assert (forall ((y Int)) (let ((z y)) (forall ((y Int)) (= z y)))))",
        "(assert (forall ((y Int)) (forall ((y!1 Int)) (= y y!1))))",
    ),
    ("lambda", "(declare-const a (Array Int Int))\n(assert (= a (lambda ((x Int)) (+ x 1))))", SAME),
    (
        "parallel let",
        "(declare-const x Int)\n(declare-const y Int)\n(assert (let ((x y) (y x)) (< x y)))",
        "(declare-const x Int)\n(declare-const y Int)\n(assert (< y x))",
    ),
    (
        "nested let",
        "(declare-const x Int)\n(assert (let ((y (+ x 1))) (let ((z (* y y))) (= z y))))",
        "(declare-const x Int)\n(assert (= (* (+ x 1) (+ x 1)) (+ x 1)))",
    ),
    (
        "sharing",
        "(declare-const x Int)\n(assert (let ((y (+ x 1 2))) (= (* y 3) (- y) (* y 3))))",
        "(declare-const x Int)\n(assert (let ((v!1 (+ x 1 2))) (let ((v!2 (* v!1 3))) (= v!2 (- v!1) v!2))))",
    ),
    (
        "sharing of siblings",
        "(declare-const x Int)\n(assert (let ((y (+ x 1 2)) (z (+ x 1 3))) (< y z y z)))",
        "(declare-const x Int)\n(assert (let ((v!1 (+ x 1 2)) (v!2 (+ x 1 3))) (< v!1 v!2 v!1 v!2)))",
    ),
    (
        "sharing with a taken prefix",
        "(declare-const v!1 Int)\n(assert (let ((y (+ v!1 1 2))) (< y y)))",
        "(declare-const v!1 Int)\n(assert (let ((v!!1 (+ v!1 1 2))) (< v!!1 v!!1)))",
    ),
    (
        "sharing inside binders",
        "(declare-const c Int)\n(assert (forall ((x Int)) (exists ((y Int)) (< (+ c 1 2) (+ x c 3) (+ x y 4) (+ x y 4) (+ x c 3) (+ c 1 2)))))",
        "(declare-const c Int)\n(assert (let ((v!1 (+ c 1 2))) (forall ((x Int)) (let ((v!2 (+ x c 3))) (exists ((y Int)) (let ((v!3 (+ x y 4))) (< v!1 v!2 v!3 v!3 v!2 v!1)))))))",
    ),
    (
        "sharing under an annotation",
        "(declare-fun f (Int Int Int) Int)\n(assert (forall ((x Int)) (! (= (f x x x) (- (f x x x))) :pattern ((f x x x)))))",
        "(declare-fun f (Int Int Int) Int)\n(assert (forall ((x Int)) (! (let ((v!1 (f x x x))) (= v!1 (- v!1))) :pattern ((f x x x)))))",
    ),
    (
        "sharing of a named term",
        "(declare-const p Bool)\n(assert (let ((q (! p :named n))) (and q (or q n))))",
        "(declare-const p Bool)\n(assert (let ((v!1 (! p :named n))) (and v!1 (or v!1 n))))",
    ),
    (
        "sharing in one body of two binders",
        "(assert (and (forall ((x Int)) (< (+ x 1 2) (+ x 1 2))) (exists ((x Int)) (< (+ x 1 2) (+ x 1 2)))))",
        "(assert (and (forall ((x Int)) (let ((v!1 (+ x 1 2))) (< v!1 v!1))) (exists ((x Int)) (let ((v!2 (+ x 1 2))) (< v!2 v!2)))))",
    ),
    (
        "sharing in a match",
        "(declare-datatype L ((nil) (cons (head Int) (tail L))))\n(declare-const l L)\n(assert (match l ((nil true) ((cons h t) (< (+ h 1 2) (+ h 1 2))))))",
        "(declare-datatype L ((nil) (cons (head Int) (tail L))))\n(declare-const l L)\n(assert (match l ((nil true) ((cons h t) (let ((v!1 (+ h 1 2))) (< v!1 v!1))))))",
    ),
    (
        "a let value under a binder of the same name",
        "(assert (let ((a (exists ((x Int)) (> (+ x 1 2) 0)))) (forall ((x Int)) (and (> (+ x 1 2) (+ x 1 2)) a))))",
        "(assert (forall ((x Int)) (let ((v!1 (+ x 1 2))) (and (> v!1 v!1) (exists ((x!1 Int)) (> (+ x!1 1 2) 0))))))",
    ),
    (
        "a shared let value under a binder of the same name",
        "(assert (let ((a (exists ((x Int)) (> x 0)))) (and a (forall ((x Int)) (=> (> x 1) a a)))))",
        "(assert (let ((v!1 (exists ((x!1 Int)) (> x!1 0)))) (and (exists ((x Int)) (> x 0)) (forall ((x Int)) (=> (> x 1) v!1 v!1)))))",
    ),
    (
        "a let value that is the body of a case",
        "(declare-datatype L ((nil) (cons (head Int) (tail L))))\n(define-fun f ((l L)) Bool (let ((a (match l ((nil true) ((cons h t) (> h 0)))))) (match l ((nil a) ((cons h t) a)))))",
        "(declare-datatype L ((nil) (cons (head Int) (tail L))))\n(define-fun f ((l L)) Bool (match l ((nil (match l ((nil true) ((cons h t) (> h 0))))) ((cons h t) (match l ((nil true) ((cons h!1 t!1) (> h!1 0))))))))",
    ),
    (
        "a bound function",
        "(assert (forall ((f (-> Int Bool))) (let ((g f)) (and (f 1) (g 2)))))",
        "(assert (forall ((f (-> Int Bool))) (and (@ f 1) (@ f 2))))",
    ),
    (
        "values of uninterpreted sorts",
        "(declare-sort U 0)\n(declare-const u U)\n(assert (= u (as @U_0 U)))",
        SAME,
    ),
    (
        "functions as values",
        "(set-logic HO_ALL)\n(declare-fun f (Int Int) Int)\n(declare-const g (-> Int Int))\n(assert (= g (f 1)))\n(assert (= (g 1) (f 1 1)))",
        SAME,
    ),
    (
        "sharing in a definition",
        "(define-fun f ((x Int)) Bool (let ((y (+ x 1 2))) (< y y)))",
        "(define-fun f ((x Int)) Bool (let ((v!1 (+ x 1 2))) (< v!1 v!1)))",
    ),
    (
        "popped declarations",
        "(push 1)\n(declare-const x Int)\n(assert (> x 0))\n(pop 1)\n(declare-const x Bool)\n(assert x)",
        SAME,
    ),
    (
        "global declarations",
        "(set-option :global-declarations true)\n(push 1)\n(declare-const x Int)\n(pop 1)\n(assert (> x 0))",
        SAME,
    ),
    (
        "overloading",
        "(declare-fun f (Int) Int)\n(declare-fun f (Bool) Int)\n(assert (= (f 1) (f true)))",
        SAME,
    ),
    (
        "a function with the name of an operator",
        "(declare-fun select (Bool) Int)\n(declare-const a (Array Int Int))\n(assert (= (select true) (select a 1)))",
        SAME,
    ),
    (
        "qualified constants",
        "(declare-const x Int)\n(assert (= (as x Int) 1))",
        "(declare-const x Int)\n(assert (= x 1))",
    ),
    (
        "floating point",
        "(declare-const x Float32)\n(declare-const r RoundingMode)\n(assert (fp.lt (fp.add r x ((_ to_fp 8 24) RNE 1.5)) (fp #b0 #x7f #b00000000000000000000000)))\n(assert (= x (_ +oo 8 24)))\n(assert (= ((_ fp.to_sbv 8) RTZ x) #x01))",
        "(declare-const x (_ FloatingPoint 8 24))\n(declare-const r RoundingMode)\n(assert (fp.lt (fp.add r x ((_ to_fp 8 24) RNE 1.5)) (fp #b0 #x7f #b00000000000000000000000)))\n(assert (= x (_ +oo 8 24)))\n(assert (= ((_ fp.to_sbv 8) RTZ x) #x01))",
    ),
    (
        "strings",
        "(declare-const s String)\n(assert (= (str.len (str.++ s \"a\"\"b\" (_ char #x41))) 3))\n(assert (str.in_re s (re.+ (str.to_re \"a\"))))\n(assert (= s (str.substr s 0 1)))",
        SAME,
    ),
    (
        "sequences",
        "(declare-const s (Seq Int))\n(assert (= s (seq.++ (as seq.empty (Seq Int)) (seq.unit 1))))\n(assert (= (seq.nth s 0) 1))",
        SAME,
    ),
];

#[test]
fn rows() {
    for (name, text, expected) in ROWS {
        check(name, text, if *expected == SAME { text } else { expected });
    }
}
