//! Terms are evaluated, and executed as C by two compilers with sanitizers.
#![cfg(test)]

mod batch_tests;
mod random_terms_tests;
mod refusals_tests;
mod table_tests;

use super::{NumberBox, Spelling, Wide};
use batch_tests::{Batch, Group, Row, constant};
use model::Random;
use random_terms_tests::Shape;
use smt::{Command, Script, Value};

/// All mixtures of helper functions and casts.
const MIXTURES: [(u32, u32); 4] = [(0, 0), (100, 0), (0, 100), (50, 50)];

fn spelling(number: usize, wide: Wide) -> Spelling {
    let (functions, casts) = MIXTURES[number % MIXTURES.len()];
    Spelling { functions, casts, wide }
}

fn parse(text: &str) -> Script {
    smt::parse("test.smt2", text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Every operator on `x`, `y` of one width, `b` of one bit, `p` and `q` that are truth values.
fn operators(width: u32) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    for name in [
        "bvand",
        "bvor",
        "bvxor",
        "bvnand",
        "bvnor",
        "bvxnor",
        "bvadd",
        "bvsub",
        "bvmul",
        "bvudiv",
        "bvurem",
        "bvsdiv",
        "bvsrem",
        "bvsmod",
        "bvshl",
        "bvlshr",
        "bvashr",
        "ext_rotate_left",
        "ext_rotate_right",
        "bvcomp",
        "bvult",
        "bvule",
        "bvugt",
        "bvuge",
        "bvslt",
        "bvsle",
        "bvsgt",
        "bvsge",
        "bvuaddo",
        "bvsaddo",
        "bvumulo",
        "bvsmulo",
        "bvusubo",
        "bvssubo",
        "bvsdivo",
        "concat",
        "=",
        "distinct",
    ] {
        terms.push(format!("({name} x y)"));
    }
    for name in ["bvnot", "bvneg", "bvredor", "bvredand", "bvnego"] {
        terms.push(format!("({name} x)"));
    }
    for distance in [0, 1, 2, width - 1, width, width + 1, 3 * width + 2] {
        terms.push(format!("((_ rotate_left {distance}) x)"));
        terms.push(format!("((_ rotate_right {distance}) x)"));
    }
    for extra in [0, 1, 3, 29, 31] {
        terms.push(format!("((_ zero_extend {extra}) x)"));
        terms.push(format!("((_ sign_extend {extra}) x)"));
    }
    for times in [1, 2, 3] {
        terms.push(format!("((_ repeat {times}) x)"));
    }
    for (high, low) in
        [(0, 0), (width - 1, 0), (width - 1, width - 1), (width - 1, width / 2), (width / 2, width / 4)]
    {
        terms.push(format!("((_ extract {high} {low}) x)"));
    }
    for literal in [0, width - 1, width] {
        let literal =
            format!("(_ bv{} {width})", u128::from(literal) & (u128::MAX >> (128 - width.min(128))));
        for name in [
            "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr", "bvumulo",
            "bvsmulo",
        ] {
            terms.push(format!("({name} x {literal})"));
            terms.push(format!("({name} {literal} y)"));
        }
        terms.push(format!("(bvudiv {literal} {literal})"));
        terms.push(format!("(bvumulo {literal} {literal})"));
    }
    for term in [
        "(bvadd x y x)",
        "(bvand x y x)",
        "(concat y x y)",
        "(= x y x)",
        "(distinct x y (bvnot x))",
        "(ite p x y)",
        "(ite p q (not p))",
        "(and p q)",
        "(or p q)",
        "(xor p q)",
        "(=> p q)",
        "(=> p q p)",
        "(not p)",
        "(= p q)",
        "(distinct p q)",
        "(and p)",
        "(xor p q p)",
        "true",
        "false",
        "(! (bvadd x y) :named sum)",
        "(bvult x y)",
    ] {
        terms.push(term.to_owned());
    }
    terms
}

/// A script that asks for the values of terms.
fn asking(declarations: &str, terms: &[String]) -> Script {
    parse(&format!("{declarations}(get-value ({}))", terms.join(" ")))
}

fn vectors(width: u32) -> String {
    format!(
        "(declare-const x (_ BitVec {width}))(declare-const y (_ BitVec {width}))\
         (declare-const p Bool)(declare-const q Bool)"
    )
}

/// All values of two vectors; the truth values are some of their bits.
fn all_rows(width: u32) -> Vec<Row> {
    let mut rows = Vec::new();
    for x in 0..1u128 << width {
        for y in 0..1u128 << width {
            rows.push(row(width, x, y));
        }
    }
    rows
}

fn row(width: u32, x: u128, y: u128) -> Row {
    let truths = [Value::Bool(x & 1 == 1), Value::Bool((x ^ y) & 1 == 1)];
    [Value::bitvec(width, x), Value::bitvec(width, y)].into_iter().chain(truths).map(constant).collect()
}

/// Pairs of values at the ends of ranges, and some in between.
fn special_rows(width: u32, random: &mut Random) -> Vec<Row> {
    let ones = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
    let sign = 1u128 << (width - 1);
    let between = |random: &mut Random| u128::from(random.word()) << 64 | u128::from(random.word());
    let values = [0, 1, 2, 7, u128::from(width), ones, ones - 1, sign, sign - 1, sign + 1, sign / 2];
    let mut rows = Vec::new();
    for x in values {
        for y in values {
            rows.push(row(width, x & ones, y & ones));
        }
    }
    for _ in 0..24 {
        let short = random.below(width as usize) as u32;
        rows.push(row(width, between(random) & ones, (between(random) & ones) >> short));
        rows.push(row(width, (between(random) & ones) >> short, between(random) & ones));
    }
    rows
}

/// Operators that a form of wide values can say at a width.
fn sayable(width: u32, wide: Wide) -> Vec<String> {
    let widest = match wide {
        Wide::Refuse => 64,
        Wide::Int128 => 128,
        Wide::Limbs => 4096,
    };
    let script_of = |term: &String| asking(&vectors(width), std::slice::from_ref(term));
    let width_of = |term: &String| {
        let script = script_of(term);
        let Some(Command::GetValue(terms)) = script.commands.last() else { panic!("{term}") };
        match script.terms.sort_of(script.terms.sort(terms[0])) {
            smt::Sort::BitVec(width) => *width,
            _ => 1,
        }
    };
    operators(width).into_iter().filter(|term| width_of(term) <= widest).collect()
}

fn every_operator(batch: &mut Batch, width: u32, wide: Wide, rows: &[Row], spellings: usize) {
    let script = asking(&vectors(width), &sayable(width, wide));
    for number in 0..spellings {
        let random = Random::for_case(u64::from(width), number as u64);
        let group = Group { script: &script, spelling: spelling(number, wide), boxes: Vec::new(), rows };
        assert_eq!(batch.add(&group, random), Vec::<String>::new(), "nothing is refused");
    }
}

#[test]
fn every_operator_on_every_input_of_small_widths() {
    let mut batch = Batch::default();
    for width in 1..=4 {
        every_operator(&mut batch, width, Wide::Refuse, &all_rows(width), 12);
    }
    batch.check("small", 4 * 12 * 60);
}

#[test]
fn every_operator_at_the_ends_of_types() {
    let mut batch = Batch::default();
    for width in [7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64] {
        let rows = special_rows(width, &mut Random::for_case(3, u64::from(width)));
        let spellings = if matches!(width, 8 | 16 | 32 | 64) { 12 } else { 4 };
        every_operator(&mut batch, width, Wide::Refuse, &rows, spellings);
    }
    batch.check("ends", 60 * 60);
}

fn every_wide_operator(name: &str, wide: Wide, widths: &[u32]) {
    let mut batch = Batch::default();
    for width in widths {
        let rows = special_rows(*width, &mut Random::for_case(4, u64::from(*width)));
        every_operator(&mut batch, *width, wide, &rows, 4);
    }
    batch.check(name, widths.len() * 4 * 50);
}

#[test]
fn every_operator_in_128_bits() {
    every_wide_operator("int128", Wide::Int128, &[40, 65, 100, 127, 128]);
}

#[test]
fn every_operator_on_limbs() {
    every_wide_operator("limbs", Wide::Limbs, &[40, 65, 95, 96, 97, 128]);
}

/// Random terms on variables of all widths up to one.
fn random_terms_up_to(name: &str, widest: u32, wide: Wide, count: u64) {
    let mut batch = Batch::default();
    let mut refused = 0;
    for number in 0..count {
        let mut random = Random::for_case(u64::from(widest), number);
        let shape = Shape::drawn(widest, &mut random);
        let terms: Vec<String> = (0..6).map(|_| shape.any_term(4, &mut random)).collect();
        let script = asking(&shape.declarations(), &terms);
        let rows = shape.rows(&script, 24, &mut random);
        let spelling = spelling(number as usize, wide);
        let group = Group { script: &script, spelling, boxes: Vec::new(), rows: &rows };
        refused += batch.add(&group, random).len();
    }
    // No term is wider than the widest variable may be.
    assert_eq!(refused, 0);
    batch.check(name, count as usize * 6);
}

#[test]
fn random_terms_of_up_to_64_bits() {
    random_terms_up_to("random", 64, Wide::Refuse, 80);
}

#[test]
fn random_terms_of_up_to_128_bits() {
    random_terms_up_to("random_int128", 128, Wide::Int128, 24);
}

#[test]
fn random_terms_of_limbs() {
    random_terms_up_to("random_limbs", 200, Wide::Limbs, 24);
}

#[test]
fn numbers_in_boxes() {
    let mut batch = Batch::default();
    let mut refused = 0;
    for number in 0..150u64 {
        let mut random = Random::for_case(6, number);
        let terms: Vec<String> =
            (0..8).map(|_| random_terms_tests::truth_of_numbers(3, &mut random)).collect();
        let script = asking(random_terms_tests::NUMBERS, &terms);
        let boxes = number_boxes(number);
        let rows = random_terms_tests::number_rows(&boxes, 40, &mut random);
        let group =
            Group { script: &script, spelling: spelling(number as usize, Wide::Refuse), boxes, rows: &rows };
        refused += batch.add(&group, random).len();
    }
    assert!(refused < 600, "{refused} of 1200 refused");
    batch.check("numbers", 600);
}

/// The boxes of `m`, `n`, `u` and `v`: small ones, and those that reach the ends of `int`.
fn number_boxes(number: u64) -> Vec<NumberBox> {
    let integers = [(-9, 9), (0, 255), (i32::MIN, i32::MAX), (-1, 1)][number as usize % 4];
    let whole = NumberBox { low: integers.0, high: integers.1, denominator: 1 };
    let real = NumberBox { low: -20, high: 25, denominator: [1, 2, 3, 6][number as usize % 4] };
    vec![whole, NumberBox { low: 1, high: 7, denominator: 1 }, real, NumberBox { denominator: 4, ..real }]
}

#[test]
fn arrays_and_functions() {
    let mut batch = Batch::default();
    let mut refused = Vec::new();
    for number in 0..160u64 {
        let mut random = Random::for_case(7, number);
        let wide = [Wide::Refuse, Wide::Limbs][number as usize % 2];
        let terms: Vec<String> =
            (0..5).map(|_| random_terms_tests::truth_of_arrays(3, &mut random)).collect();
        let script = asking(random_terms_tests::ARRAYS, &terms);
        let rows = random_terms_tests::array_rows(&script, 24, &mut random);
        let group = Group {
            script: &script,
            spelling: spelling(number as usize, wide),
            boxes: Vec::new(),
            rows: &rows,
        };
        refused.extend(batch.add(&group, random));
    }
    assert_eq!(refused, Vec::<String>::new());
    batch.check("arrays", 800);
}
