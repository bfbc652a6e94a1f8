//! Random terms as text, and inputs for their variables.
#![cfg(test)]

use super::batch_tests::{Row, constant};
use crate::maze::as_c::NumberBox;
use model::Random;
use smt::{Assignment, Flavour, FunctionKind, FunctionTable, Script, Value, ValuePool};
use std::collections::BTreeMap;

const BINARY: &[&str] = &[
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
];

const RELATIONS: &[&str] = &[
    "=", "distinct", "bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge", "bvuaddo",
    "bvsaddo", "bvumulo", "bvsmulo", "bvusubo", "bvssubo", "bvsdivo",
];

fn pick<'a>(items: &[&'a str], random: &mut Random) -> &'a str {
    random.choose(items).unwrap()
}

/// The variables of a script with random terms of bit-vectors.
pub(super) struct Shape {
    widths: Vec<u32>,
    widest: u32,
}

impl Shape {
    /// Three variables; every width is as likely.
    pub(super) fn drawn(widest: u32, random: &mut Random) -> Shape {
        let widths = (0..3).map(|_| random.between(1, widest as usize) as u32).collect();
        Shape { widths, widest }
    }

    pub(super) fn declarations(&self) -> String {
        let declare = |(place, width): (usize, &u32)| format!("(declare-const v{place} (_ BitVec {width}))");
        let square = "(define-fun twice ((a Bool) (b Bool)) Bool (xor a (and b a)))";
        self.widths.iter().enumerate().map(declare).chain([square.to_owned()]).collect()
    }

    pub(super) fn rows(&self, script: &Script, count: usize, random: &mut Random) -> Vec<Row> {
        drawn_rows(script, count, random)
    }

    /// A term of any width, or a truth value.
    pub(super) fn any_term(&self, depth: u32, random: &mut Random) -> String {
        if random.percent(40) {
            return self.truth(depth, random);
        }
        let width = random.between(1, self.widest as usize) as u32;
        self.vector(width, depth, random)
    }

    fn leaf(&self, width: u32, random: &mut Random) -> String {
        if random.percent(15) {
            let sign = 1 << (width - 1).min(127);
            let special = [0, 1, 2, u128::MAX, sign, sign - 1, u128::from(width)];
            let ones = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
            return format!("(_ bv{} {width})", random.choose(&special).unwrap() & ones);
        }
        let place = random.below(self.widths.len());
        let own = self.widths[place];
        match own.cmp(&width) {
            std::cmp::Ordering::Equal => format!("v{place}"),
            std::cmp::Ordering::Less if random.coin() => {
                format!("((_ sign_extend {}) v{place})", width - own)
            }
            std::cmp::Ordering::Less => format!("((_ zero_extend {}) v{place})", width - own),
            std::cmp::Ordering::Greater => {
                let low = random.between(0, (own - width) as usize) as u32;
                format!("((_ extract {} {low}) v{place})", low + width - 1)
            }
        }
    }

    fn vector(&self, width: u32, depth: u32, random: &mut Random) -> String {
        if depth == 0 {
            return self.leaf(width, random);
        }
        let below = |width: u32, random: &mut Random| self.vector(width, depth - 1, random);
        match random.below(20) {
            0 => format!("(bvnot {})", below(width, random)),
            1 => format!("(bvneg {})", below(width, random)),
            2 if width > 1 => {
                let high = random.between(1, width as usize - 1) as u32;
                format!("(concat {} {})", below(high, random), below(width - high, random))
            }
            3 if width < self.widest => {
                let own = random.between(width as usize, self.widest as usize) as u32;
                let low = random.between(0, (own - width) as usize) as u32;
                format!("((_ extract {} {low}) {})", low + width - 1, below(own, random))
            }
            4 | 5 if width > 1 => {
                let own = random.between(1, width as usize - 1) as u32;
                let name = pick(&["zero_extend", "sign_extend"], random);
                format!("((_ {name} {}) {})", width - own, below(own, random))
            }
            6 if width.is_multiple_of(2) => format!("((_ repeat 2) {})", below(width / 2, random)),
            7 => {
                let name = pick(&["rotate_left", "rotate_right"], random);
                let distance = random.below(2 * width as usize);
                format!("((_ {name} {distance}) {})", below(width, random))
            }
            8 => {
                let condition = self.truth(depth - 1, random);
                format!("(ite {condition} {} {})", below(width, random), below(width, random))
            }
            9 if width == 1 => format!("(bvcomp {} {})", below(9, random), below(9, random)),
            10 if width == 1 => format!("({} {})", pick(&["bvredor", "bvredand"], random), below(7, random)),
            11 => {
                let (left, right) = (below(width, random), below(width, random));
                format!("(let ((s {left})) (bvadd s {right} s))")
            }
            12 if width <= 30 => {
                format!(
                    "((_ int_to_bv {width}) (- (sbv_to_int {}) (ubv_to_int {})))",
                    below(width, random),
                    below(9, random)
                )
            }
            _ => format!("({} {} {})", pick(BINARY, random), below(width, random), below(width, random)),
        }
    }

    fn truth(&self, depth: u32, random: &mut Random) -> String {
        if depth == 0 {
            return pick(&["true", "false"], random).to_owned();
        }
        let below = |random: &mut Random| self.truth(depth - 1, random);
        match random.below(10) {
            0 => format!("(not {})", below(random)),
            1 => format!(
                "({} {} {})",
                pick(&["and", "or", "xor", "=>", "="], random),
                below(random),
                below(random)
            ),
            2 => format!("(ite {} {} {})", below(random), below(random), below(random)),
            3 => format!("(twice {} {})", below(random), below(random)),
            _ => {
                let width = random.between(1, self.widest as usize) as u32;
                let (left, right) =
                    (self.vector(width, depth - 1, random), self.vector(width, depth - 1, random));
                format!("({} {left} {right})", pick(RELATIONS, random))
            }
        }
    }
}

/// Meanings of all declared functions, drawn from a pool of interesting values.
fn drawn_rows(script: &Script, count: usize, random: &mut Random) -> Vec<Row> {
    let pool = ValuePool::new(script);
    let assignment = Assignment::new();
    let domains = assignment.domains(script);
    let draw = |sort, random: &mut Random| pool.draw(script, domains, sort, Flavour::Mixed, random).unwrap();
    let mut rows = Vec::new();
    for _ in 0..count {
        let declared = script.terms.functions().filter(|(_, info)| info.kind == FunctionKind::Declared);
        let mut row = Vec::new();
        for (_, info) in declared {
            let mut table = constant(draw(info.result, random));
            for _ in 0..if info.parameters.is_empty() { 0 } else { 6 } {
                let arguments = info.parameters.iter().map(|sort| draw(*sort, random)).collect();
                table.entries.insert(arguments, draw(info.result, random));
            }
            row.push(table);
        }
        rows.push(row);
    }
    rows
}

/// Two integers and two reals.
pub(super) const NUMBERS: &str =
    "(declare-const m Int)(declare-const n Int)(declare-const u Real)(declare-const v Real)";

/// Values within the boxes; the ends are as likely as all others together.
pub(super) fn number_rows(boxes: &[NumberBox], count: usize, random: &mut Random) -> Vec<Row> {
    let mut rows = Vec::new();
    for _ in 0..count {
        let mut row = Vec::new();
        for (place, number_box) in boxes.iter().enumerate() {
            let span = (i64::from(number_box.high) - i64::from(number_box.low)) as usize;
            let step =
                if random.coin() { random.between(0, span) } else { *random.choose(&[0, span]).unwrap() };
            let numerator = i64::from(number_box.low) + step as i64;
            let value = if place < 2 {
                Value::integer(numerator)
            } else {
                Value::rational(numerator, number_box.denominator)
            };
            row.push(FunctionTable { default: value, entries: BTreeMap::new() });
        }
        rows.push(row);
    }
    rows
}

fn integer(depth: u32, random: &mut Random) -> String {
    if depth == 0 || random.percent(15) {
        return pick(&["m", "n", "0", "1", "7", "(- 3)", "2147483647", "(- 2147483648)"], random).to_owned();
    }
    let below = |random: &mut Random| integer(depth - 1, random);
    match random.below(12) {
        0 => format!("(- {})", below(random)),
        1 => format!("(abs {})", below(random)),
        2 | 3 => format!("(div {} {})", below(random), pick(&["n", "3", "(- 5)", "(- 1)", "(- n)"], random)),
        4 | 5 => format!("(mod {} {})", below(random), pick(&["n", "3", "(- 5)", "(- 1)", "(- n)"], random)),
        6 => format!("(ite {} {} {})", truth_of_numbers(depth - 1, random), below(random), below(random)),
        7 => format!("(to_int {})", real(depth - 1, random)),
        8 => format!("(ubv_to_int ((_ int_to_bv 5) {}))", below(random)),
        name => format!("({} {} {})", ["+", "-", "*"][name % 3], below(random), below(random)),
    }
}

fn real(depth: u32, random: &mut Random) -> String {
    if depth == 0 || random.percent(15) {
        return pick(&["u", "v", "0.5", "(- 1.25)", "(/ 1.0 3.0)", "2.0"], random).to_owned();
    }
    let below = |random: &mut Random| real(depth - 1, random);
    match random.below(8) {
        0 => format!("(- {})", below(random)),
        1 => format!("(to_real {})", integer(depth - 1, random)),
        2 => format!("(/ {} {})", below(random), pick(&["2.0", "(- 3.0)", "1.5", "(- 0.25)"], random)),
        3 => format!("(ite {} {} {})", truth_of_numbers(depth - 1, random), below(random), below(random)),
        name => format!("({} {} {})", ["+", "-", "*"][name % 3], below(random), below(random)),
    }
}

/// A truth value over integers and reals.
pub(super) fn truth_of_numbers(depth: u32, random: &mut Random) -> String {
    let relation = pick(&["<", "<=", ">", ">=", "=", "distinct"], random);
    let smaller = depth.saturating_sub(1);
    match random.below(8) {
        0 if depth > 0 => format!("(not {})", truth_of_numbers(smaller, random)),
        1 => format!("(is_int {})", real(smaller, random)),
        2 => format!("((_ divisible 3) {})", integer(smaller, random)),
        3 | 4 => format!("({relation} {} {})", real(smaller, random), real(smaller, random)),
        5 => format!("({relation} {0} {1} {0})", integer(smaller, random), integer(smaller, random)),
        _ => format!("({relation} {} {})", integer(smaller, random), integer(smaller, random)),
    }
}

/// Small arrays, arrays whose elements are inputs, functions, a defined function.
pub(super) const ARRAYS: &str = "(declare-const s (Array (_ BitVec 2) (_ BitVec 8)))\
    (declare-const t (Array (_ BitVec 2) (_ BitVec 8)))\
    (declare-const a (Array (_ BitVec 32) (_ BitVec 8)))\
    (declare-const b (Array (_ BitVec 32) (_ BitVec 8)))\
    (declare-const nested (Array (_ BitVec 8) (Array (_ BitVec 32) (_ BitVec 8))))\
    (declare-const i (_ BitVec 2))(declare-const j (_ BitVec 32))(declare-const k (_ BitVec 8))\
    (declare-const p Bool)\
    (declare-fun f ((_ BitVec 8)) (_ BitVec 8))(declare-fun g ((_ BitVec 8) Bool) (_ BitVec 32))\
    (define-fun read ((x (_ BitVec 32)) (o (_ BitVec 8))) (_ BitVec 8) (bvadd (select a x) (f o)))";

pub(super) fn array_rows(script: &Script, count: usize, random: &mut Random) -> Vec<Row> {
    drawn_rows(script, count, random)
}

fn small_array(depth: u32, random: &mut Random) -> String {
    if depth == 0 {
        return pick(&["s", "t"], random).to_owned();
    }
    let below = |random: &mut Random| small_array(depth - 1, random);
    match random.below(4) {
        0 => format!("((as const (Array (_ BitVec 2) (_ BitVec 8))) {})", byte(depth - 1, random)),
        1 => format!("(ite {} {} {})", truth_of_arrays(depth - 1, random), below(random), below(random)),
        _ => format!(
            "(store {} {} {})",
            below(random),
            pick(&["i", "#b01", "#b11"], random),
            byte(depth - 1, random)
        ),
    }
}

fn large_array(depth: u32, random: &mut Random) -> String {
    if depth == 0 {
        return pick(&["a", "b", "(select nested k)", "(select nested #x01)"], random).to_owned();
    }
    let below = |random: &mut Random| large_array(depth - 1, random);
    match random.below(5) {
        0 => format!("((as const (Array (_ BitVec 32) (_ BitVec 8))) {})", byte(depth - 1, random)),
        1 => format!("(ite {} {} {})", truth_of_arrays(depth - 1, random), below(random), below(random)),
        2 => format!("(select (store nested {} {}) k)", byte(depth - 1, random), below(random)),
        _ => format!("(store {} {} {})", below(random), word(depth - 1, random), byte(depth - 1, random)),
    }
}

fn word(depth: u32, random: &mut Random) -> String {
    if depth == 0 {
        return pick(&["j", "#x00000000", "#x00000001", "((_ zero_extend 24) k)"], random).to_owned();
    }
    match random.below(3) {
        0 => format!("(g {} {})", byte(depth - 1, random), truth_of_arrays(depth - 1, random)),
        1 => format!("(bvadd {} #x00000001)", word(depth - 1, random)),
        _ => format!("((_ zero_extend 24) {})", byte(depth - 1, random)),
    }
}

fn byte(depth: u32, random: &mut Random) -> String {
    if depth == 0 {
        return pick(&["k", "#x00", "#x01", "((_ extract 7 0) j)"], random).to_owned();
    }
    match random.below(7) {
        0 | 1 => {
            format!("(select {} {})", small_array(depth - 1, random), pick(&["i", "#b01", "#b00"], random))
        }
        2 | 3 => format!("(select {} {})", large_array(depth - 1, random), word(depth - 1, random)),
        4 => format!("(f {})", byte(depth - 1, random)),
        5 => format!("(read {} {})", word(depth - 1, random), byte(depth - 1, random)),
        _ => format!("(bvsub {} {})", byte(depth - 1, random), byte(depth - 1, random)),
    }
}

/// A truth value over arrays and functions.
pub(super) fn truth_of_arrays(depth: u32, random: &mut Random) -> String {
    if depth == 0 {
        return pick(&["p", "(= k #x01)", "true"], random).to_owned();
    }
    match random.below(4) {
        0 => format!("(= {} {})", small_array(depth - 1, random), small_array(depth - 1, random)),
        1 => format!("(distinct {} {})", small_array(depth - 1, random), small_array(depth - 1, random)),
        _ => format!("(= {} {})", byte(depth, random), byte(depth, random)),
    }
}
