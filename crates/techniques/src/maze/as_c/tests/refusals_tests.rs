//! What C cannot say is refused, with the construct and its place.
#![cfg(test)]

use super::{parse, spelling};
use crate::maze::as_c::{AsC, Wide, c_type};
use model::Random;
use smt::{Script, TermId};

/// Says the last assertion of a script, with a name for every constant.
fn said(script: &Script, wide: Wide) -> Result<String, String> {
    let term: TermId = script.assertions().last().unwrap();
    let mut as_c = AsC::new(&script.terms, spelling(0, wide), Random::for_case(1, 1));
    for (place, (symbol, _)) in script.terms.functions().enumerate() {
        as_c.name(symbol, format!("x{place}"));
    }
    as_c.snippet(term).map(|snippet| snippet.expression).map_err(|refusal| refusal.to_string())
}

fn refused(text: &str, wide: Wide, construct: &str, place: &str) {
    let refusal = said(&parse(text), wide).expect_err(text);
    assert_eq!(refusal, format!("{construct} cannot be said in C, in `{place}`"), "{text}");
}

#[test]
fn constructs_are_named_with_their_place() {
    for (text, construct, place) in [
        ("(declare-const s String)(assert (= (str.len s) 0))", "the operator `str.len`", "(str.len s)"),
        ("(declare-const s String)(assert (ite true (= s s) true))", "the sort String", "s"),
        ("(assert (= \"a\" \"b\"))", "a string", "\"b\""),
        (
            "(declare-const x Int)(assert (and (> x 0) (forall ((y Int)) (= y y))))",
            "the binder `forall`",
            "(forall (= y y))",
        ),
        (
            "(declare-datatypes ((T 0)) (((one) (two))))(declare-const t T)(assert (= t one))",
            "the operator `one`",
            "one",
        ),
        (
            "(declare-const f (_ FloatingPoint 8 24))(assert (fp.lt f (fp.add RNE f f)))",
            "the operator `fp.lt`",
            "(fp.lt f (fp.add RNE f f))",
        ),
        (
            "(declare-const x (_ BitVec 65))(assert (= x x))",
            "a bit-vector of 65 bits without wide values",
            "x",
        ),
        (
            "(declare-const a (Array Int Int))(declare-const b (Array Int Int))(assert (= a b))",
            "an equality of arrays with more than 64 elements, or of arrays",
            "(= a b)",
        ),
        (
            "(declare-const x Int)(assert (= (div 7 x) 1))",
            "a division by a term that may be zero",
            "(div 7 x)",
        ),
        (
            "(declare-const x Real)(assert (= (/ 7.0 x) 1.0))",
            "a quotient of reals by a term that is no constant",
            "(/ 7.0 x)",
        ),
        (
            "(declare-const x Int)(assert (= (* x 99999999999 99999999999) 1))",
            "an integer outside `long long`",
            "(* x 99999999999 99999999999)",
        ),
        ("(define-fun-rec f ((x Int)) Int (f x))(assert (= (f 1) 1))", "a recursive function", "(f 1)"),
        (
            "(declare-fun a () (Array (Array Int Int) Int))(declare-fun b () (Array Int Int))\
             (assert (= (select a b) 1))",
            "an array as an index",
            "(select a b)",
        ),
    ] {
        refused(text, Wide::Refuse, construct, place);
    }
    let wide = "(declare-const x (_ BitVec 10000))(assert (= x x))";
    for (form, construct) in [
        (Wide::Int128, "a bit-vector of 10000 bits as `__int128`"),
        (Wide::Limbs, "a bit-vector of 10000 bits"),
    ] {
        refused(wide, form, construct, "x");
    }
    let repeated = "(declare-const x (_ BitVec 64))(assert (= ((_ repeat 100) x) ((_ repeat 100) x)))";
    refused(repeated, Wide::Limbs, "a bit-vector of 6400 bits", "((_ repeat 100) x)");
}

#[test]
fn places_are_short() {
    let name = "long_name_of_a_variable_".repeat(8);
    let text = format!("(declare-const |{name}| Int)(assert (= (div 1 |{name}|) 1))");
    let refusal = said(&parse(&text), Wide::Refuse).unwrap_err();
    assert!(refusal.len() < 200 && refusal.ends_with("...`"), "{refusal}");
}

/// A term that is nested this deep.
fn nested(depth: usize) -> String {
    format!(
        "(declare-const p Bool)(declare-const q Bool)(assert {}p{})",
        "(and q (not ".repeat(depth),
        "))".repeat(depth)
    )
}

#[test]
fn deep_terms_are_refused_and_do_not_overflow_the_stack() {
    let refusal = said(&parse(&nested(100_000)), Wide::Refuse).unwrap_err();
    let place = "(and q (not (and q ...)))";
    assert_eq!(refusal, format!("a term of more than 20000 nodes cannot be said in C, in `{place}`"));
    let text = said(&parse(&nested(5_000)), Wide::Refuse).unwrap();
    assert!(text.len() < 200, "the rest is in locals: {text}");
}

const EQUATIONS: &str = "(declare-const a (Array Int Int))(declare-const b (Array Int Int))(declare-const i Int)\
    (define-fun stored () (Array Int Int) (store a i 5))";

/// Which of the assertions are taken as definitions.
fn taken(assertions: &str) -> Vec<bool> {
    let script = parse(&format!("{EQUATIONS}{assertions}"));
    let mut as_c = AsC::new(&script.terms, spelling(0, Wide::Refuse), Random::for_case(1, 1));
    script.assertions().map(|assertion| as_c.take_equation(assertion)).collect()
}

#[test]
fn equations_define_arrays_that_do_not_depend_on_themselves() {
    assert_eq!(taken("(assert (= b stored))(assert (= b a))(assert (= stored a))"), [true, false, false]);
    assert_eq!(taken("(assert (= a b))(assert (= b stored))"), [true, false]);
    assert_eq!(taken("(assert (= stored b))(assert (= i 5))(assert (distinct a b))"), [true, false, false]);
}

#[test]
fn equations_stand_for_arrays() {
    let script = parse(&format!("{EQUATIONS}(assert (= b stored))(assert (= (select b (+ i 1)) 7))"));
    let terms: Vec<TermId> = script.assertions().collect();
    let mut as_c = AsC::new(&script.terms, spelling(0, Wide::Refuse), Random::for_case(1, 1));
    let i = script.terms.find_symbol("i").unwrap();
    as_c.name(i, "i".to_owned());
    assert!(as_c.take_equation(terms[0]));
    as_c.snippet(terms[1]).unwrap();
    let read = as_c.reads().first().unwrap();
    assert_eq!(Some(read.symbol), script.terms.find_symbol("a"), "b is read through the store to a");
}

#[test]
fn sorts_have_types() {
    let script = parse(
        "(declare-const a (_ BitVec 1))(declare-const b (_ BitVec 9))(declare-const c (_ BitVec 33))\
         (declare-const d Bool)(declare-const e Int)(declare-const f (Array (_ BitVec 3) (_ BitVec 100)))\
         (declare-sort S 0)(declare-const g S)",
    );
    let types: Vec<String> = script
        .terms
        .functions()
        .map(|(_, info)| c_type(&script.terms, info.result, Wide::Limbs).unwrap())
        .collect();
    let expected = [
        "unsigned char",
        "unsigned short",
        "unsigned long long",
        "_Bool",
        "int",
        "struct array_3_bits_100",
        "unsigned int",
    ];
    assert_eq!(types, expected);
}

#[test]
fn types_are_defined_before_they_are_used() {
    let script = parse("(declare-const f (Array (_ BitVec 1) (_ BitVec 100)))");
    let mut as_c = AsC::new(&script.terms, spelling(0, Wide::Limbs), Random::for_case(1, 1));
    for (symbol, _) in script.terms.functions() {
        as_c.name(symbol, "f".to_owned());
        as_c.name(symbol, "g".to_owned());
    }
    let expected = "struct bits_100 { unsigned int limb[4]; };\n\
                    struct array_1_bits_100 { struct bits_100 at[2]; };\n";
    assert_eq!(as_c.definitions(), expected);
}
