//! `docs/maze-operators.md` lists how every operator is said. `JUVENAL_UPDATE=1 cargo test -p techniques maze` writes it.
#![cfg(test)]

use super::{parse, spelling};
use crate::maze::as_c::form::Form;
use crate::maze::as_c::template::{LOCALS, fill};
use crate::maze::as_c::{AsC, Wide};
use model::Random;
use smt::TermId;
use std::fmt::Write as _;

const PAGE: &str = "docs/maze-operators.md";

const INTRODUCTION: &str = "# Operators of SMT-LIB in C

Generated from the code that converts by a test; do not edit: `JUVENAL_UPDATE=1 cargo test -p techniques maze` writes it.

How terms are said in C, without undefined behaviour. One of the ways is drawn for each operator.
The technique `maze` uses the bit-vector operators of up to 64 bits and those of Core; the conversion of wider vectors, numbers and arrays is tested by execution, but no maze has such terms yet.
`x`, `y` and `z` are the operands, cast to the type that the operator works in: `unsigned int` up to 32 bits,
`unsigned long long` up to 64. The examples are for 8 bits, those with the mark 32 for 32 bits, where the least number
divided by -1 would overflow. *cut* says that the value may have bits above the width, which `& 255U` or a cast to
`unsigned char` removes. An operator whose operands occur twice is a call of a helper function, or its operands are locals.

Vectors of more than 64 bits are refused, or they are `unsigned __int128`, to which the same table applies, or structs of
32-bit limbs by value. Operators on the latter are calls of helper functions, composed as in the last column.
";

const LOCALS_INTRODUCTION: &str = "
## Locals

These are computed of the operands first. Where a signed type has the width, `a` and `b` are often casts.

| local | C |
|---|---|
";

/// The operators by section, as terms on `x` and `y` of 8 bits, `p` and `q` that are truth values, `m` and `n` that are
/// integers, `u` and `v` that are reals, `s` and `t` that are arrays.
const SECTIONS: &[(&str, &[&str])] = &[
    (
        "Core",
        &[
            "true",
            "false",
            "(not p)",
            "(and p q)",
            "(or p q)",
            "(xor p q)",
            "(=> p q)",
            "(= x y)",
            "(distinct x y)",
            "(ite p x y)",
        ],
    ),
    (
        "Bit-vectors",
        &[
            "(bvnot x)",
            "(bvneg x)",
            "(bvand x y)",
            "(bvor x y)",
            "(bvxor x y)",
            "(bvnand x y)",
            "(bvnor x y)",
            "(bvxnor x y)",
            "(bvadd x y)",
            "(bvsub x y)",
            "(bvmul x y)",
            "(bvudiv x y)",
            "(bvurem x y)",
            "(bvsdiv x y)",
            "(bvsrem x y)",
            "(bvsmod x y)",
            "(bvshl x y)",
            "(bvlshr x y)",
            "(bvashr x y)",
            "(concat x y)",
            "((_ extract 6 2) x)",
            "((_ repeat 2) x)",
            "((_ zero_extend 8) x)",
            "((_ sign_extend 8) x)",
            "((_ rotate_left 3) x)",
            "((_ rotate_right 3) x)",
            "(ext_rotate_left x y)",
            "(ext_rotate_right x y)",
            "(bvult x y)",
            "(bvule x y)",
            "(bvugt x y)",
            "(bvuge x y)",
            "(bvslt x y)",
            "(bvsle x y)",
            "(bvsgt x y)",
            "(bvsge x y)",
            "(bvcomp x y)",
            "(bvredor x)",
            "(bvredand x)",
            "(bvnego x)",
            "(bvuaddo x y)",
            "(bvsaddo x y)",
            "(bvumulo x y)",
            "(bvsmulo x y)",
            "(bvusubo x y)",
            "(bvssubo x y)",
            "(bvsdivo x y)",
        ],
    ),
    (
        "Integers and reals",
        &[
            "(+ m n)",
            "(- m n)",
            "(- m)",
            "(* m n)",
            "(div m 3)",
            "(div m (- 3))",
            "(mod m 3)",
            "(mod m (- 3))",
            "(abs m)",
            "(< m n)",
            "(<= m n)",
            "(> m n)",
            "(>= m n)",
            "((_ divisible 3) m)",
            "(/ u 3.0)",
            "(to_int v)",
            "(is_int v)",
            "(ubv_to_int x)",
            "(sbv_to_int x)",
            "((_ int_to_bv 8) m)",
        ],
    ),
    (
        "Arrays of up to 64 elements",
        &["(select s i)", "(store s i x)", "(= s t)", "((as const (Array (_ BitVec 2) (_ BitVec 8))) x)"],
    ),
];

fn declarations(width: u32) -> String {
    format!(
        "(declare-const x (_ BitVec {width}))(declare-const y (_ BitVec {width}))(declare-const p Bool)\
         (declare-const q Bool)(declare-const m Int)(declare-const n Int)(declare-const u Real)(declare-const v Real)\
         (declare-const s (Array (_ BitVec 2) (_ BitVec 8)))(declare-const t (Array (_ BitVec 2) (_ BitVec 8)))\
         (declare-const i (_ BitVec 2))"
    )
}

/// Gives what a writer makes of a term at a width.
fn with_writer<T>(term: &str, width: u32, wide: Wide, see: impl FnOnce(&mut AsC<'_>, TermId) -> T) -> T {
    let script = parse(&format!("{}(get-value ({term}))", declarations(width)));
    let Some(smt::Command::GetValue(terms)) = script.commands.last() else { panic!("{term}") };
    let mut as_c = AsC::new(&script.terms, spelling(0, wide), Random::for_case(1, 1));
    for (symbol, _) in script.terms.functions() {
        as_c.name(symbol, script.terms.symbol(symbol).to_owned());
    }
    let quarters = crate::maze::as_c::NumberBox { low: -20, high: 20, denominator: 4 };
    let real = script.terms.find_symbol("v").unwrap();
    as_c.bound(real, quarters);
    see(&mut as_c, terms[0])
}

/// All ways of a form, with the letters of operands and locals.
fn ways(form: &Form) -> Vec<String> {
    let gap = |letter: char| form.source.gap(letter).unwrap_or_else(|| letter.to_string());
    let written = |template: &crate::maze::as_c::template::Template| {
        let mark = if template.is_cut() && form.mask.is_some() { " *cut*" } else { "" };
        format!("`{}`{mark}", fill(template.text(), gap).replace('|', "\\|"))
    };
    form.templates.iter().map(written).collect()
}

/// The cell of an operator, and that of the limbs.
fn cells(term: &str, is_vector: bool) -> (String, String) {
    let ways_at = |width: u32| {
        with_writer(term, width, Wide::Refuse, |as_c, term| {
            let node = as_c.lower(term).unwrap();
            as_c.form(node).map(|form| ways(&form))
        })
    };
    let Some(mut own) = ways_at(8) else {
        let snippet = with_writer(term, 8, Wide::Refuse, |as_c, term| {
            let node = as_c.lower(term).unwrap();
            let (_, expressions) = as_c.write_all(&[node], term).unwrap();
            expressions[0].text.clone()
        });
        return (format!("`{snippet}`"), String::new());
    };
    if ["(bvsdiv ", "(bvsrem ", "(bvsmod "].iter().any(|name| term.contains(name)) {
        let full = ways_at(32).unwrap_or_default();
        let mark = |way: String| format!("32: {}", way.replace(" *cut*", ""));
        own.extend(full.into_iter().map(mark));
    }
    let limbs = if is_vector {
        with_writer(term, 100, Wide::Limbs, |as_c, term| match as_c.snippet(term) {
            Ok(_) => {
                let mut names: Vec<&str> = as_c
                    .defined
                    .iter()
                    .map(String::as_str)
                    .filter(|name| !name.starts_with("struct"))
                    .collect();
                names.retain(|name| name.contains("100") || name.contains("200"));
                names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            }
            Err(_) => "refused".to_owned(),
        })
    } else {
        String::new()
    };
    (own.join("<br>"), limbs)
}

fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    for (section, terms) in SECTIONS {
        let heads = match *section {
            "Bit-vectors" => "| SMT-LIB | C | helper functions for 100 bits in limbs |\n|---|---|---|",
            _ => "| SMT-LIB | C |\n|---|---|",
        };
        let _ = write!(page, "\n## {section}\n\n{heads}\n");
        for term in *terms {
            let (own, limbs) = cells(term, *section == "Bit-vectors");
            let _ = if *section == "Bit-vectors" {
                writeln!(page, "| `{term}` | {own} | {limbs} |")
            } else {
                writeln!(page, "| `{term}` | {own} |")
            };
        }
    }
    page.push_str(LOCALS_INTRODUCTION);
    let form = with_writer("(bvadd x y)", 8, Wide::Refuse, |as_c, term| {
        let node = as_c.lower(term).unwrap();
        as_c.form(node).unwrap()
    });
    let gap = |letter: char| form.source.gap(letter).unwrap_or_else(|| letter.to_string());
    for local in LOCALS {
        let cast = local.cast.map_or(String::new(), |cast| format!("<br>`{}`", fill(cast, gap)));
        let _ =
            writeln!(page, "| `{}` | `{}`{cast} |", local.letter, fill(local.text, gap).replace('|', "\\|"));
    }
    page
}

#[test]
fn the_table_is_the_code() {
    let path = test_support::repository().join(PAGE);
    let page = page();
    if std::env::var_os("JUVENAL_UPDATE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "{PAGE} has changed; run JUVENAL_UPDATE=1 cargo test -p techniques maze");
}
