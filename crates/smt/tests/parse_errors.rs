//! Invalid scripts and their exact error messages.

use smt::parse;

fn check(text: &str, expected: &str) {
    let found = parse("f.smt2", text).err().map(|error| error.to_string());
    assert_eq!(found, Some(format!("f.smt2:{expected}")), "{text}");
}

const ROWS: &[(&str, &str)] = &[
    ("x", "1:1: expected a command that starts with `(`, found `x`"),
    ("(check-sat", "1:11: expected `)` at the end of the command, found the end of the file"),
    ("(chek-sat)", "1:2: expected a command, found `chek-sat`, which no known solver has"),
    ("(check-sat)\n  (check-sat 1)", "2:14: expected `)` at the end of the command, found `1`"),
    ("(maximize x", "1:1: expected a `)` for this `(`, found the end of the file"),
    ("(set-info :a |b", "1:14: expected a `|` that closes this symbol, found the end of the file"),
    ("(echo \"b", "1:7: expected a `\"` that closes this string, found the end of the file"),
    ("(assert #q1)", "1:9: expected `#b` with binary digits or `#x` with hexadecimal digits, found `#q1`"),
    ("(assert #b)", "1:9: expected `#b` with binary digits or `#x` with hexadecimal digits, found `#b`"),
    ("(assert 1x)", "1:9: expected a number or a symbol, found `1x`"),
    ("(assert é)", "1:9: expected a token, found the character 'é'"),
    ("(assert ; é\n é)", "2:2: expected a token, found the character 'é'"),
    ("(assert x)", "1:9: unknown symbol `x`"),
    ("(assert (f 1))", "1:10: unknown symbol `f`"),
    ("(assert (not (as f Int)))", "1:18: unknown symbol `f`"),
    ("(assert ())", "1:10: expected the name of a function, found `)`"),
    ("(assert (not))", "1:13: expected an argument, found `)`"),
    ("(assert :k)", "1:9: expected a term, found `:k`"),
    ("(assert 1)", "1:9: expected Bool as the sort of an assertion, found Int"),
    ("(assert (and true 1))", "1:9: expected Bool as argument 2 of `and`, found Int"),
    ("(assert (not true false))", "1:9: expected 1 arguments of `not`, found 2"),
    ("(assert (= 1))", "1:9: expected at least 2 arguments of `=`, found 1"),
    ("(assert (= 1 true))", "1:9: expected Int as argument 2 of `=`, found Bool"),
    ("(assert (or true\n (< 1 #b1)))", "2:2: expected Int or Real as argument 2 of `<`, found (_ BitVec 1)"),
    ("(assert (= 1 (mod 1.5 2)))", "1:14: expected Int as argument 1 of `mod`, found Real"),
    ("(assert (= #b01 #b1))", "1:9: expected (_ BitVec 2) as argument 2 of `=`, found (_ BitVec 1)"),
    ("(assert (bvult #b01 #b1))", "1:9: expected (_ BitVec 2) as argument 2 of `bvult`, found (_ BitVec 1)"),
    ("(assert (bvult 1 #b1))", "1:9: expected a bit-vector as argument 1 of `bvult`, found Int"),
    (
        "(assert (= #b1 ((_ extract 2 0) #b01)))",
        "1:16: expected a high index of `extract` that is below the width 2, found 2",
    ),
    (
        "(assert (= #b1 ((_ extract 0 1) #b01)))",
        "1:16: expected a low index of `extract` that is at most 0, found 1",
    ),
    (
        "(assert (= #b1 ((_ extract 0) #b01)))",
        "1:17: expected the indices of `extract`, found `(_ extract 0)`",
    ),
    ("(assert (= #b1 (_ bv1 0)))", "1:19: expected a positive width of a bit-vector, found `0`"),
    ("(declare-const x (_ BitVec 0))", "1:28: expected a positive width of a bit-vector, found `0`"),
    ("(declare-const x Foo)", "1:18: unknown sort `Foo`"),
    ("(declare-const x (Int Int))", "1:19: expected 0 arguments of the sort `Int`, found 1"),
    ("(declare-sort U 1)(declare-const x U)", "1:36: expected 1 arguments of the sort `U`, found 0"),
    (
        "(declare-const x Int)(declare-const x Bool)",
        "1:37: expected a new name, found `x`, which is already declared",
    ),
    (
        "(declare-fun f (Int) Int)(assert (= (f true) 1))",
        "1:37: expected Int as argument 1 of `f`, found Bool",
    ),
    ("(declare-fun f (Int) Int)(assert (= (f 1 2) 1))", "1:37: expected 1 arguments of `f`, found 2"),
    ("(define-fun f () Bool 1)", "1:23: expected Bool as the sort of the body, found Int"),
    ("(define-fun f ((x Int) (x Int)) Int x)", "1:25: expected different variables, found `x` twice"),
    ("(define-fun f ((x Int)) Int x)(assert (= x 1))", "1:42: unknown symbol `x`"),
    ("(assert (let ((x 1) (x 2)) true))", "1:26: expected different names in one `let`, found `x` twice"),
    ("(assert (let ((x 1)) true) x)", "1:28: expected `)` at the end of the command, found `x`"),
    ("(assert (let () true))", "1:15: expected `(` before a binding of `let`, found `)`"),
    ("(assert (forall () true))", "1:17: expected at least one variable, found `()`"),
    ("(assert (forall ((x Int)) x))", "1:9: expected Bool as argument 1 of `forall`, found Int"),
    ("(assert (! true))", "1:16: expected an attribute, found `)`"),
    (
        "(assert (forall ((x Bool)) (! x :named n)))",
        "1:40: expected a term without bound variables under the name `n`",
    ),
    ("(push 1)(declare-const x Bool)(pop 1)(assert x)", "1:46: unknown symbol `x`"),
    ("(pop 1)", "1:1: expected at most 0 levels to pop, found 1"),
    ("(push -1)", "1:7: expected a number of levels, found `-1`"),
    ("(push 99999999999)", "1:7: expected a number of levels below 2^32, found `99999999999`"),
    (
        "(declare-const a (Array Int Bool))(assert (select a true))",
        "1:43: expected Int as argument 2 of `select`, found Bool",
    ),
    ("(assert (select 1 2))", "1:9: expected an array as argument 1 of `select`, found Int"),
    (
        "(declare-datatype C ((red)))(declare-datatype D ((blue)))(assert (= red blue))",
        "1:66: expected C as argument 2 of `=`, found D",
    ),
    ("(check-sat-assuming (1))", "1:21: expected Bool as the sort of an assumption, found Int"),
    ("(assert true))", "1:14: expected a command that starts with `(`, found `)`"),
];

#[test]
fn rows() {
    for (text, expected) in ROWS {
        check(text, expected);
    }
}

const TOO_LARGE: &str =
    "expected a sort that takes at most 65536 bytes when it is written out, found a larger one";

/// Definitions of sorts that hold the one before twice.
fn doubled(part: &str, application: impl Fn(usize) -> String) -> String {
    let sorts = (1..60).map(|number| format!("(define-sort s{number} () {})\n", application(number - 1)));
    format!("{part}(define-sort s0 () Int)\n{}(declare-const x s59)", sorts.collect::<String>())
}

#[test]
fn sorts_that_are_huge_when_written_out_are_refused() {
    let nested = format!("{}Int{}", "(D ".repeat(60), ")".repeat(60));
    let scripts = [
        doubled("", |part| format!("(Array s{part} s{part})")),
        doubled("(declare-sort P 2)\n", |part| format!("(P s{part} s{part})")),
        doubled("", |part| format!("(Tuple s{part} s{part})")),
        doubled("(declare-datatypes ((T 1)) ((par (X) ((c)))))\n", |part| {
            format!("(T (Array s{part} s{part}))")
        }),
        format!("(define-sort D (X) (Array X X))(declare-const x {nested})"),
        format!("(define-sort D (X) (Array Int (Array X X)))(assert (forall ((x {nested})) true))"),
    ];
    for script in scripts {
        let error = parse("f.smt2", &script).unwrap_err();
        assert_eq!(error.message, TOO_LARGE, "{script}");
    }
}

#[test]
fn sorts_that_are_huge_together_are_refused() {
    let doublings: String =
        (1..11).map(|number| format!("(define-sort s{number} () (Array s{0} s{0}))", number - 1)).collect();
    let script = |count: usize| {
        let constants = (0..count).map(|number| format!("(declare-const x{number} s10)\n"));
        format!("(define-sort s0 () Int){doublings}{}", constants.collect::<String>())
    };
    assert!(parse("f.smt2", &script(50)).is_ok());
    let error = parse("f.smt2", &script(1_000)).unwrap_err();
    assert!(error.message.starts_with("expected sorts that take at most 4"), "{error}");
    let nested = format!("(declare-const x {}Int{})", "(Seq ".repeat(5_000), ")".repeat(5_000));
    let error = parse("f.smt2", &nested).unwrap_err();
    assert!(error.message.starts_with("expected sorts that take at most 4"), "{error}");
}
