//! gcc agrees with our types, sizes and constants, which are static assertions in a copy of the program.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use c::{DataModel, parse};
use std::fmt::Write;
use support::{Numbers, accepts, files, with_claims};
use test_support::has;

/// Checks the type, size and value of every `stride`-th expression with gcc.
fn check(name: &str, text: &str, data_model: DataModel) -> usize {
    let program = parse(name, text, data_model).unwrap_or_else(|error| panic!("{error}"));
    let (claimed, count) = with_claims(&program, 1);
    if let Err(complaint) = accepts(&claimed, data_model) {
        panic!("{name} {data_model:?}: {complaint}");
    }
    count
}

#[test]
fn gcc_agrees_on_samples() {
    if !has("gcc") {
        return;
    }
    for file in files("samples") {
        let text = std::fs::read_to_string(&file).unwrap();
        let count = check(&file.to_string_lossy(), &text, DataModel::Lp64);
        println!("{}: {count} expressions", file.display());
    }
}

const TYPES: [&str; 30] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "enum e",
    "enum negative",
    "float",
    "double",
    "long double",
    "_Float32",
    "_Float64",
    "_Float128",
    "_Float32x",
    "_Float64x",
    "_Complex float",
    "_Complex double",
    "_Complex long double",
    "_Complex int",
    "const int",
    "volatile unsigned char",
    "__int128",
    "unsigned __int128",
];

/// Every operator on every pair of arithmetic types.
#[test]
fn gcc_agrees_on_pairs_of_arithmetic_types() {
    if !has("gcc") {
        return;
    }
    for data_model in [DataModel::Lp64, DataModel::Ilp32] {
        let count = if data_model == DataModel::Lp64 { TYPES.len() } else { TYPES.len() - 2 };
        let mut text = String::from("enum e { A }; enum negative { B = -1 };\nvoid f(");
        for (index, r#type) in TYPES.iter().enumerate().take(count) {
            write!(text, "{}{type} v{index}", if index == 0 { "" } else { ", " }).unwrap();
        }
        text.push_str(") {\n");
        for (index, r#type) in TYPES.iter().enumerate().take(count) {
            writeln!(text, "v{index}; +v{index}; -v{index}; !v{index}; ({type})1; sizeof(v{index});")
                .unwrap();
            for other in 0..count {
                writeln!(text, "v{index} + v{other}; v{index} * v{other}; 1 ? v{index} : v{other};").unwrap();
                let are_integers = [index, other].iter().all(|index| *index < 14 || *index > 25);
                if are_integers {
                    writeln!(text, "v{index} % v{other}; v{index} << v{other}; v{index} | v{other};")
                        .unwrap();
                }
            }
        }
        text.push_str("}\n");
        println!("{data_model:?}: {} expressions", check("pairs", &text, data_model));
    }
}

/// Random structures and unions with bit-fields, attributes and pragmas: sizes, alignments and offsets.
#[test]
fn gcc_agrees_on_layouts() {
    if !has("gcc") {
        return;
    }
    for data_model in [DataModel::Lp64, DataModel::Ilp32] {
        let mut numbers = Numbers(1);
        let mut text = String::new();
        for record in 0..1500 {
            write_record(&mut numbers, record, &mut text);
        }
        text.push_str("void f(void) { ; }\n");
        check("layouts", &text, data_model);
    }
}

const MEMBERS: [&str; 16] = [
    "char",
    "short",
    "int",
    "long",
    "long long",
    "unsigned char",
    "unsigned short",
    "unsigned",
    "unsigned long long",
    "_Bool",
    "float",
    "double",
    "long double",
    "void *",
    "_Complex double",
    "_Decimal64",
];

/// Writes a random record, whose members may be earlier records.
fn write_record(numbers: &mut Numbers, record: u64, text: &mut String) {
    let pack = [0, 0, 0, 0, 0, 1, 2, 4][numbers.below(8) as usize];
    if pack != 0 {
        writeln!(text, "#pragma pack(push, {pack})").unwrap();
    }
    let keyword = if numbers.below(6) == 0 { "union" } else { "struct" };
    let attribute =
        ["", "", "", "", "__attribute__((packed))", "__attribute__((aligned(8)))"][numbers.below(6) as usize];
    write!(text, "{keyword} {attribute} s{record} {{").unwrap();
    for member in 0..numbers.below(8) {
        write_member(numbers, record, member, text);
    }
    // The last member shows where the bit-fields before it end.
    writeln!(text, "{}}};", if numbers.below(4) == 0 { "" } else { "char end; " }).unwrap();
    writeln!(text, "typedef {keyword} s{record} t{record};").unwrap();
    if pack != 0 {
        writeln!(text, "#pragma pack(pop)").unwrap();
    }
}

fn write_member(numbers: &mut Numbers, record: u64, member: u64, text: &mut String) {
    let attribute = [
        "",
        "",
        "",
        "",
        "",
        " __attribute__((packed))",
        " __attribute__((aligned(4)))",
        " __attribute__((aligned))",
    ][numbers.below(8) as usize];
    match numbers.below(8) {
        0..=2 => {
            let (r#type, bits) = [
                ("char", 8),
                ("short", 16),
                ("int", 32),
                ("unsigned", 32),
                ("long long", 64),
                ("unsigned char", 8),
                ("_Bool", 1),
            ][numbers.below(7) as usize];
            match numbers.below(6) {
                0 => write!(text, "{type} : {}; ", numbers.below(bits + 1)).unwrap(),
                1 => write!(text, "{type} : 0; ").unwrap(),
                _ => write!(text, "{type} m{member} : {}{attribute}; ", 1 + numbers.below(bits)).unwrap(),
            }
        }
        3 if record > 0 => write!(text, "t{} m{member}{attribute}; ", numbers.below(record)).unwrap(),
        4 if record > 0 => {
            write!(text, "t{} m{member}[{}]; ", numbers.below(record), numbers.below(3)).unwrap()
        }
        _ => {
            let r#type = MEMBERS[numbers.below(MEMBERS.len() as u64) as usize];
            write!(text, "{type} m{member}{attribute}; ").unwrap();
        }
    }
}
