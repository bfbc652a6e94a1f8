//! Tests: the printed rules at full width, for all pairs of integer types, against gcc and its sanitizer.

#![cfg(test)]

use super::executed_tests::Machine;
use super::prepared::prepare;
use model::DataModel;
use std::fmt::Write;
use test_support::has;

const TYPES: [&str; 13] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "enum colour",
];

const OPERATORS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

/// Values around the bounds of the types, converted to each type as it comes.
const VALUES: &str = "0, 1, 2, 3, 4, -1ull, -2ull, -3ull, -4ull, 42, 43, 127, 128, 126, 255, 254, 253, 0x7ffe, 0x7fff, 0x8000, 0xfffe, 0xffff, \
0x7ffffffc, 0x7ffffffd, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0x80000002, 0x80000003, 0xfffffffd, 0xfffffffe, 0xffffffff, 0x55555555, 0xaaaaaaab, \
0x7ffffffffffffffc, 0x7ffffffffffffffd, 0x7ffffffffffffffe, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001, 0x8000000000000002, 0x8000000000000003, \
0x5555555555555555, 0x5555555555555556, 0xaaaaaaaaaaaaaaab, 0x3fffffffffffffff, 0x4000000000000000, 0xc000000000000000, 0xbfffffffffffffff";

/// A program that compares values of all pairs of types; each pair with two of the six operators.
fn program() -> String {
    let mut functions = "enum colour { RED, GREEN, BLUE };\n".to_owned();
    let mut calls = String::new();
    for (row, left) in TYPES.iter().enumerate() {
        for (column, right) in TYPES.iter().enumerate() {
            for turn in [0, 3] {
                let operator = OPERATORS[(row + column + turn) % OPERATORS.len()];
                let name = format!("f_{row}_{column}_{turn}");
                writeln!(
                    functions,
                    "static void {name}({left} a, {right} b) {{ if (a {operator} b) {{ }} else {{ }} }}"
                )
                .unwrap();
                writeln!(calls, "{name}(({left})values[i], ({right})values[j]);").unwrap();
            }
        }
    }
    let loops = "for (int i = 0; i != sizeof values / sizeof *values; i++) for (int j = 0; j != sizeof values / sizeof *values; j++)";
    format!(
        "{functions}static const unsigned long long values[] = {{ {VALUES} }};\nint main(void) {{ {loops} {{\n{calls}}} return 0; }}\n"
    )
}

#[test]
fn every_printed_condition_holds_at_full_width() {
    if !has("gcc") {
        return;
    }
    let mut prepared = prepare("pairs.c", &program(), DataModel::Lp64).unwrap();
    let main = prepared.base.find("int main").unwrap();
    prepared.points.retain(|point| (point.place as usize) < main);
    let all: usize = prepared.points.iter().map(|point| point.derived.len()).sum();
    let reached = Machine::new().run("pairs", &prepared, "undefined", 1);
    println!("{all} conditions, {} reached", reached.len());
    // Some pairs can never be equal, greater or in the guard: a `_Bool` is never above 3, for instance.
    assert!(all > 10_000 && reached.len() * 10 > all * 9, "{} of {all}", reached.len());
}

#[test]
fn on_32_bits_long_is_as_wide_as_int() {
    let text = "int main(void) { long a = 1; unsigned b = 2; float f = 1; if (a < b) return 1; if (f < 2) return 2; }";
    let prepared = prepare("pairs.c", text, DataModel::Ilp32).unwrap();
    let conditions: Vec<&str> = prepared.points[0].derived.iter().map(|it| it.condition.as_str()).collect();
    assert!(conditions.contains(&"(unsigned long)a < (unsigned long)b"), "{conditions:?}");
    let guards: Vec<&str> = prepared.points[0].derived.iter().filter_map(|it| it.guard.as_deref()).collect();
    assert!(guards.contains(&"(unsigned long)b <= 4294967294ul"), "{guards:?}");
    // The x87 may compute a floating value twice and get two results.
    assert_eq!(prepared.points.iter().map(|point| point.origin.word()).collect::<Vec<_>>(), ["if", "else"]);
}
