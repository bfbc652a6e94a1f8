//! Reads models as solvers print them, and prints and reads assignments.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use model::Random;
use smt::model::{Model, read_model};
use smt::search::{draw_assignment, local_search};
use smt::{Assignment, Evaluator, Flavour, Interpretation, Script, Value, value_text};

const DECLARATIONS: &str = "
(declare-sort S 0)
(declare-fun a () S) (declare-fun b () S) (declare-fun c () S)
(declare-fun f (S Int) S) (declare-fun g (Int) Real)
(declare-fun m () (Array Int Int)) (declare-fun n () (Array S Bool))
(declare-fun mm () (Array Int (Array Int Bool)))
(declare-fun |a b| () Real) (declare-fun bv () (_ BitVec 8)) (declare-fun h ((Array Int Int)) (_ BitVec 8))
";

const ASSERTIONS: &str = "
(assert (distinct a b c)) (assert (= (f a 1) b)) (assert (= (f b 2) c))
(assert (= (g 1) (- (/ 1.0 2.0)))) (assert (= (g (- 2)) 3.0))
(assert (= (select m 1) 5)) (assert (= (select m (- 2)) (- 5)))
(assert (select n a)) (assert (not (select n b)))
(assert (select (select mm 1) 2)) (assert (< |a b| (/ 1.0 3.0))) (assert (= (h m) bv))
";

fn parse(text: &str) -> Script {
    smt::parse("test", text).unwrap_or_else(|error| panic!("{error}"))
}

fn read(script: &mut Script, text: &str) -> Model {
    read_model(script, text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Checks that all assertions hold under a model that lacks only these symbols.
fn check_model(script_text: &str, model_text: &str, omitted: &[&str]) {
    let mut script = parse(script_text);
    let model = read(&mut script, model_text);
    let mut evaluator = Evaluator::new(&script, &model.assignment);
    for assertion in script.assertions() {
        let truth = evaluator.truth(assertion);
        assert_eq!(truth, Some(true), "{}\n{model_text}", smt::print::term(&script.terms, assertion));
    }
    let names: Vec<&str> = model.omitted.iter().map(|symbol| script.terms.symbol(*symbol)).collect();
    assert_eq!(names, omitted);
}

#[test]
fn z3() {
    check_model(&format!("{DECLARATIONS}{ASSERTIONS}"), include_str!("models/z3.txt"), &[]);
}

#[test]
fn cvc5() {
    check_model(&format!("{DECLARATIONS}{ASSERTIONS}"), include_str!("models/cvc5.txt"), &[]);
}

#[test]
fn cvc4() {
    check_model(&format!("{DECLARATIONS}{ASSERTIONS}"), include_str!("models/cvc4.txt"), &[]);
}

#[test]
fn other_formats_are_read() {
    let integers = "(declare-fun x () Int) (declare-fun y () Int) ";
    let rows: &[(&str, &str, &[&str])] = &[
        ("(assert (= x 0)) (assert (= y 5))", "((define-fun y () Int 5))", &["x"]),
        (
            "(assert (= x (- 3)))",
            "sat\n(model (define-fun x () Int (- 3)) (define-fun label () Bool true))",
            &["y"],
        ),
        ("(assert (= x 3))", "(= x 3)\n(= y 0)\n", &[]),
        ("(assert (= x 3))", "((define-const x Int 3))", &["y"]),
        ("(assert (= x 7))", "((define-fun x () Int (let ((z 3) (w 4)) (+ z w))))", &["y"]),
        (
            "(assert (= x 2))",
            "((define-fun x () Int (aux 1)) (define-fun aux ((v Int)) Int (* v 2)))",
            &["y"],
        ),
    ];
    for (assertions, model, omitted) in rows {
        check_model(&format!("{integers}{assertions}"), model, omitted);
    }
}

#[test]
fn values_of_all_sorts_are_read() {
    let rows = [
        ("Real", "1", "1.0"),
        ("Real", "(/ 1 2)", "(/ 1.0 2.0)"),
        ("Real", "(- (/ 1 2))", "(- (/ 1.0 2.0))"),
        ("Real", "(/ (- 1) 2)", "(- (/ 1.0 2.0))"),
        ("Real", "(- 0.5)", "(- (/ 1.0 2.0))"),
        ("(_ BitVec 8)", "(_ bv5 8)", "#x05"),
        ("(_ BitVec 8)", "#b00000101", "#x05"),
        ("(_ BitVec 6)", "#b000101", "#b000101"),
        ("Bool", "true", "true"),
        (
            "(Array Int Int)",
            "(store ((as const (Array Int Int)) 0) 1 2)",
            "(store ((as const (Array Int Int)) 0) 1 2)",
        ),
        (
            "(Array Int Int)",
            "(lambda ((x Int)) (ite (= x 1) 2 (ite (= 5 x) 3 0)))",
            "(store (store ((as const (Array Int Int)) 0) 1 2) 5 3)",
        ),
        (
            "(Array Bool Bool)",
            "(lambda ((x Bool)) (not x))",
            "(store ((as const (Array Bool Bool)) false) false true)",
        ),
    ];
    for (sort, written, expected) in rows {
        let mut script = parse(&format!("(declare-fun x () {sort})"));
        let symbol = script.terms.functions().next().unwrap().0;
        for model in [format!("((define-fun x () {sort} {written}))"), format!("(= x {written})")] {
            let model = read(&mut script, &model);
            let value = model.assignment.constant(symbol).unwrap();
            assert_eq!(value_text(&script, value), expected);
        }
    }
}

#[test]
fn as_array_refers_to_an_auxiliary_function() {
    let model = "(model
  (define-fun m () (Array Int Int) (_ as-array k!0))
  (define-fun k!0 ((x!0 Int)) Int (ite (= x!0 1) 5 (ite (= x!0 (- 2)) (- 5) 0))))";
    check_model(
        "(declare-fun m () (Array Int Int)) (assert (= (select m 1) 5)) (assert (= (select m (- 2)) (- 5)))",
        model,
        &[],
    );
}

#[test]
fn tables_of_yices_are_read() {
    let script = "(declare-sort S 0) (declare-fun s () S) (declare-fun t () S) (declare-fun f (Int S) Int)
        (declare-fun m () (Array Int Int)) (declare-fun k () (Array Int Int))
        (assert (distinct s t)) (assert (= (f 1 s) 4)) (assert (= (f 2 t) 9))
        (assert (= (select m 3) 8)) (assert (= (select m 0) 1)) (assert (= k m))";
    let model = "(= s const_0)\n(= t const_1)\n(= k @fun_7)
(function f (type (-> int S int)) (= (f 1 const_0) 4) (default 9))
(function m (type (-> int int)) (= (m 3) 8) (default 1))
(function @fun_7 (type (-> int int)) (= (@fun_7 3) 8) (default 1))";
    check_model(script, model, &[]);
}

/// An array is defined as the function from its indices to its elements.
#[test]
fn arrays_of_yices_are_read() {
    let script = "
        (declare-fun a () (Array Int Int)) (declare-fun b () (Array Int Bool))
        (declare-fun |c d| () (Array Real Real)) (declare-fun x!0 () (Array Int Real))
        (declare-fun n () (Array Int (Array Int Real))) (declare-fun m () (Array (Array Int Int) Int))
        (declare-fun v () (Array (_ BitVec 2) (_ BitVec 8))) (declare-fun w () (Array Bool Bool))
        (declare-fun u () (Array Int Int)) (declare-fun f (Int) (Array Int Int))
        (declare-fun g ((Array Int Int) Bool) Int)
        (assert (= (select a 1) 2)) (assert (= (select a 5) (- 3)))
        (assert (select b 3)) (assert (not (select b 4)))
        (assert (= (select |c d| 0.5) (- 2.5))) (assert (= (select |c d| 1.0) (- 2.0)))
        (assert (= (select x!0 1) (select x!0 2) 1.0)) (assert (= (select x!0 3) (/ (- 1) 3)))
        (assert (= (select (select n 1) 2) 7.0)) (assert (= (select (select n 2) 2) 0.5))
        (assert (= (select m a) 4)) (assert (distinct (select m (store a 7 7)) 4))
        (assert (distinct (select v #b00) (select v #b01) (select v #b10) (select v #b11)))
        (assert (not (select w true))) (assert (select w false))
        (assert (= (select (f 3) 3) 4)) (assert (= (g a true) 5)) (assert (= (g a false) 6))";
    check_model(script, include_str!("models/yices.txt"), &[]);
}

#[test]
fn arrays_defined_as_functions_are_read_exactly() {
    let rows = [
        ("Int", "Int", "3", "((as const (Array Int Int)) 3)"),
        ("Int", "Int", "(ite (= x 1) 2 3)", "(store ((as const (Array Int Int)) 3) 1 2)"),
        // The first of two cases for an index counts, and an element that equals the default is no entry.
        ("Int", "Int", "(ite (= x 1) 2 (ite (= x 1) 9 3))", "(store ((as const (Array Int Int)) 3) 1 2)"),
        ("Int", "Int", "(ite (= x 1) 3 3)", "((as const (Array Int Int)) 3)"),
        ("Int", "Real", "(ite (= x 1) 2 (/ 1 2))", "(store ((as const (Array Int Real)) (/ 1.0 2.0)) 1 2.0)"),
        ("Bool", "Bool", "(not x)", "(store ((as const (Array Bool Bool)) false) false true)"),
        // No index has the default.
        ("Bool", "Int", "(ite (= x true) 1 (ite (= x false) 1 7))", "((as const (Array Bool Int)) 1)"),
        (
            "(_ BitVec 8)",
            "Bool",
            "(ite (= x #x01) false true)",
            "(store ((as const (Array (_ BitVec 8) Bool)) true) #x01 false)",
        ),
        (
            "Int",
            "(Array Int Bool)",
            "(ite (= x 1) (store ((as const (Array Int Bool)) true) 3 false) ((as const (Array Int Bool)) false))",
            "(store ((as const (Array Int (Array Int Bool))) ((as const (Array Int Bool)) false)) 1 \
             (store ((as const (Array Int Bool)) true) 3 false))",
        ),
    ];
    for (index, element, body, expected) in rows {
        let mut script = parse(&format!("(declare-fun a () (Array {index} {element}))"));
        let symbol = script.terms.functions().next().unwrap().0;
        let model = read(&mut script, &format!("(model (define-fun a ((x {index})) {element} {body}))"));
        let value = model.assignment.constant(symbol).unwrap();
        assert_eq!(value_text(&script, value), expected, "{body}");
    }
}

/// A function that is not a finite table keeps its definition, and an unused one is not read.
#[test]
fn functions_may_keep_their_definition() {
    let script = "(declare-fun f (Int) Int) (declare-fun g (Int Int) Int)
        (assert (= (f 7) 15)) (assert (= (g 1 5) 2)) (assert (= (g 1 6) 2)) (assert (= (g 2 6) 0))";
    let model =
        "((define-fun f ((x Int)) Int (+ x x 1)) (define-fun g ((x Int) (y Int)) Int (ite (= x 1) 2 0))
        (define-fun unused ((x String)) String (str.rev x)))";
    check_model(script, model, &[]);
    let mut script = parse(script);
    let first = read(&mut script, model);
    let described = first.assignment.describe(&script);
    let second = read(&mut script, &described);
    assert_eq!(described, second.assignment.describe(&script));
}

#[test]
fn errors_name_what_cannot_be_read() {
    let rows = [
        ("(declare-fun x () Real)", "((define-fun x () Real (root-obj (+ (^ x 2) (- 2)) 2)))", "`x`"),
        ("(declare-fun x () Real)", "((define-fun x () Real (/ 1.0 0.0)))", "`x`"),
        ("(declare-fun x () Real)", "((define-fun x () Real 1.4142?))", "model"),
        ("(declare-fun x () Int)", "((define-fun x () Int (unknown 3)))", "`x`"),
        ("(declare-fun x () Int)", "((define-fun x () Bool true))", "`x`"),
        ("(declare-fun x () Int)", "((define-fun x () Int true))", "`x`"),
        ("(declare-fun x () Int)", "((define-fun x () Int", "cut"),
        ("(declare-fun x () Int)", "(error \"no model\")", "error"),
        (
            "(declare-fun x () (Array Int Int))",
            "((define-fun x () (Array Int Int) (lambda ((y Int)) (+ y 1))))",
            "`x`",
        ),
        ("(declare-fun x () (Array Int Int))", "((define-fun x ((y Int)) Int (+ y 1)))", "finite table"),
        ("(declare-fun x () (Array Int Int))", "((define-fun x ((y Int)) Int (ite (< y 1) 2 3)))", "finite"),
        ("(declare-fun x () (Array Int Int))", "((define-fun x ((y Int)) Int (x y)))", "`x`"),
        ("(declare-fun x () (Array Int Int))", "((define-fun x ((y Int)) Int true))", "`x`"),
        ("(declare-fun x () (Array Int Int))", "((define-fun x ((y Real)) Int 3))", "1 parameters"),
        ("(declare-fun x () (Array Int Real))", "((define-fun x ((y Int)) Int 3))", "1 parameters"),
        ("(declare-fun x () (Array Int Int))", "((define-fun x ((y Int) (z Int)) Int 3))", "2 parameters"),
        (
            "(declare-fun x () (Array Int (Array Int Int)))",
            "((define-fun x ((y Int) (z Int)) Int 3))",
            "2 parameters",
        ),
        (
            "(push 1) (declare-fun x () (Array Int Int)) (pop 1) (declare-fun x (Int) Int)",
            "((define-fun x ((y Int)) Int 3))",
            "twice",
        ),
        (
            "(declare-fun x () (Array Int Int)) (declare-fun z () Int)",
            "((define-fun x ((y Int)) Int 3) (define-fun z () Int (x 1)))",
            "`z`",
        ),
        ("(declare-fun x () Int)", "((define-fun x () Int (+ x 1)))", "found `x`"),
        ("(declare-fun x () Int)", "((define-fun x () Int y) (define-fun y () Int x))", "found `x`"),
    ];
    for (script, model, expected) in rows {
        let error = read_model(&mut parse(script), model).expect_err(model);
        assert!(error.to_string().contains(expected), "{model}: {error}");
    }
}

/// Values of unsupported sorts do not affect the rest of a model.
#[test]
fn values_of_other_theories_are_skipped() {
    check_model(
        "(declare-fun s () String) (declare-fun x () Int) (assert (= x 4))",
        "((define-fun s () String \"a(b\") (define-fun x () Int 4))",
        &[],
    );
}

#[test]
fn a_deep_model_is_read() {
    let depth = 20_000;
    let stores: String = (0..depth).map(|index| format!(" {} 1)", index % 50)).collect();
    let value = format!("{}((as const (Array Int Int)) 0){stores}", "(store ".repeat(depth));
    check_model(
        "(declare-fun m () (Array Int Int)) (assert (= (select m 49) 1)) (assert (= (select m 50) 0))",
        &format!("((define-fun m () (Array Int Int) {value}))"),
        &[],
    );
}

#[test]
fn assignments_are_described_and_read_back() {
    let mut script = parse(DECLARATIONS);
    for case in 0..200 {
        let mut random = Random::for_case(5, case);
        let drawn = draw_assignment(&script, &mut random, Flavour::ALL[case as usize % Flavour::ALL.len()]);
        let described = drawn.describe(&script);
        let model = read(&mut script, &described);
        assert!(model.omitted.is_empty(), "{described}");
        assert_eq!(model.assignment.universes(), drawn.universes(), "{described}");
        for (symbol, interpretation) in drawn.interpretations() {
            check_same(interpretation, model.assignment.interpretation(symbol).unwrap(), &described);
        }
    }
}

/// Two tables agree wherever one of them has an entry.
fn check_same(left: &Interpretation, right: &Interpretation, text: &str) {
    let (Interpretation::Table(left), Interpretation::Table(right)) = (left, right) else {
        panic!("tables: {text}")
    };
    for arguments in left.entries.keys().chain(right.entries.keys()) {
        let of = |table: &smt::FunctionTable| table.entries.get(arguments).unwrap_or(&table.default).clone();
        assert_eq!(of(left), of(right), "{text}");
    }
    if left.entries.is_empty() {
        assert_eq!(left.default, right.default, "{text}");
    }
}

#[test]
fn pins_hold_under_their_assignment_and_are_valid_scripts() {
    let script = parse(DECLARATIONS);
    for case in 0..100 {
        let mut random = Random::for_case(6, case);
        let drawn = draw_assignment(&script, &mut random, Flavour::Mixed);
        let pins = drawn.pins(&script).unwrap();
        let mut pinned = parse(&format!("{DECLARATIONS}{pins}"));
        // The description also names the elements, which are constants of the pinned script.
        let elements: String = pins
            .lines()
            .filter_map(|line| line.strip_prefix("(declare-fun S!")?.split(' ').next())
            .map(|index| format!("(define-fun S!{index} () S e{index})\n"))
            .collect();
        let described = drawn.describe(&script).replace("S!", "e") + &elements;
        let model = read(&mut pinned, &described);
        let mut evaluator = Evaluator::new(&pinned, &model.assignment);
        for assertion in pinned.assertions() {
            assert_eq!(
                evaluator.truth(assertion),
                Some(true),
                "{}",
                smt::print::term(&pinned.terms, assertion)
            );
        }
    }
}

#[test]
fn pins_are_rejected_if_a_name_means_two_functions() {
    let script = parse("(push 1)(declare-fun x () Int)(pop 1)(declare-fun x () Bool)");
    assert_eq!(Assignment::new().pins(&script), None);
}

#[test]
fn the_search_finds_small_solutions() {
    let rows = [
        "(declare-fun x () Int) (declare-fun y () Int) (assert (= (+ x y) 17)) (assert (> x 16))",
        "(declare-fun x () Real) (assert (= (* 2.0 x) 1.0))",
        "(declare-fun x () (_ BitVec 32)) (assert (bvslt x #x00000000)) (assert (bvugt x #xfffffffe))",
        "(declare-sort S 0) (declare-fun a () S) (declare-fun b () S) (declare-fun f (S) S)
         (assert (distinct a b)) (assert (= (f a) b)) (assert (= (f b) a))",
        "(declare-fun m () (Array Int Int)) (assert (> (select m 3) (select m 4)))",
        "(declare-fun p () Bool) (declare-fun q () Bool) (declare-fun r () Bool)
         (assert (xor p q)) (assert (=> p r)) (assert (not r)) (assert q)",
    ];
    for text in rows {
        let script = parse(text);
        let assertions: Vec<smt::TermId> = script.assertions().collect();
        let mut random = Random::for_case(1, 1);
        let found = local_search(&script, &assertions, &mut random, 5000);
        let found = found.unwrap_or_else(|| panic!("nothing found for {text}"));
        let mut evaluator = Evaluator::new(&script, &found);
        assert!(assertions.iter().all(|assertion| evaluator.value(*assertion) == Some(Value::Bool(true))));
    }
    let impossible = parse("(declare-fun x () Int) (assert (< x x))");
    let assertions: Vec<smt::TermId> = impossible.assertions().collect();
    assert_eq!(local_search(&impossible, &assertions, &mut Random::for_case(1, 1), 500), None);
}

/// cvc4 prints the number of elements and declares other names, too.
#[test]
fn names_beyond_the_announced_elements_are_no_elements() {
    let script = "(declare-sort S 0)(declare-fun a () S)(declare-fun b () S)(assert (= a b))";
    let text = "(model\n; cardinality of S is 1\n(declare-sort S 0)\n(declare-fun groundTerm_1 () S)\n\
        (define-fun a () S @uc_S_0)\n(define-fun b () S @uc_S_0)\n)";
    check_model(script, text, &[]);
    let mut parsed = parse(script);
    let model = read(&mut parsed, text);
    assert_eq!(model.assignment.universes().values().copied().collect::<Vec<_>>(), [1]);
    let two = text.replace("b () S @uc_S_0", "b () S @uc_S_1");
    assert!(read_model(&mut parse(script), &two).is_err());
}

/// The description of a model includes auxiliary functions, without which it could not be read back.
#[test]
fn auxiliary_functions_are_described() {
    let script = "(declare-fun f (Int) Int)(assert (= (f 3) 7))(assert (= (f 4) 1))";
    let text = "((define-fun k!0 ((x Int)) Int (ite (> x 3) 1 0))\n(define-fun f!1 ((x Int)) Int (ite (= x 1) 1 7))\n\
        (define-fun f ((x Int)) Int (f!1 (k!0 x))))";
    let mut parsed = parse(script);
    let described = read(&mut parsed, text).assignment.describe(&parsed);
    check_model(script, &described, &[]);
}

/// With definitions in place of declarations, every assertion has a value.
#[test]
fn definitions_replace_declarations() {
    let script = parse(DECLARATIONS);
    for case in 0..50 {
        let mut random = Random::for_case(8, case);
        let drawn = draw_assignment(&script, &mut random, Flavour::Mixed);
        let definitions = drawn.definitions(&script).unwrap();
        let defined = parse(&format!("(declare-sort S 0)\n{definitions}"));
        let declared: Vec<&str> = defined
            .terms
            .functions()
            .filter(|(_, info)| info.definition.is_none())
            .map(|(symbol, _)| defined.terms.symbol(symbol))
            .collect();
        assert!(declared.iter().all(|name| name.starts_with("S!")), "{declared:?}\n{definitions}");
    }
}
