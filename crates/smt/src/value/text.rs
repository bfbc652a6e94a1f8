//! Values as SMT-LIB text, and the names of the elements of declared sorts.

use crate::print;
use crate::script::Script;
use crate::term::Terms;
use crate::term::sort::SortId;
use crate::value::Value;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};

/// The text of a value; an element of a declared sort is a name such as `S!0`.
pub fn value_text(script: &Script, value: &Value) -> String {
    let mut out = String::new();
    write_value(&script.terms, value, &mut out);
    out
}

/// Values nest only as deeply as [`crate::Domains`] allows array sorts to nest, so recursion is safe here.
pub(crate) fn write_value(terms: &Terms, value: &Value, out: &mut String) {
    match value {
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) => out.push_str(&signed(value, "")),
        Value::Real(value) => out.push_str(&real(value)),
        Value::BitVec { width, bits } => out.push_str(&bitvec(*width, bits)),
        Value::Element { sort, index } => {
            out.push_str(&print::symbol_text(&element_name(terms, *sort, *index)))
        }
        Value::Array(array) => {
            out.push_str(&"(store ".repeat(array.entries().len()));
            let index = print::sort(terms, array.index_sort());
            let element = print::sort(terms, array.element_sort());
            out.push_str(&format!("((as const (Array {index} {element})) "));
            write_value(terms, array.default(), out);
            out.push(')');
            for (index, element) in array.entries() {
                for part in [index, element] {
                    out.push(' ');
                    write_value(terms, part, out);
                }
                out.push(')');
            }
        }
    }
}

fn signed(value: &BigInt, point: &str) -> String {
    let magnitude = value.abs();
    if value.is_negative() { format!("(- {magnitude}{point})") } else { format!("{magnitude}{point}") }
}

fn real(value: &BigRational) -> String {
    if value.denom().is_one() {
        return signed(value.numer(), ".0");
    }
    let magnitude = format!("(/ {}.0 {}.0)", value.numer().abs(), value.denom());
    if value.is_negative() { format!("(- {magnitude})") } else { magnitude }
}

fn bitvec(width: u32, bits: &num_bigint::BigUint) -> String {
    let (prefix, radix, digits) =
        if width.is_multiple_of(4) { ("#x", 16, width as usize / 4) } else { ("#b", 2, width as usize) };
    // Padding by format strings ends at 65,535 digits, but widths may be larger.
    let text = bits.to_str_radix(radix);
    format!("{prefix}{}{text}", "0".repeat(digits.saturating_sub(text.len())))
}

/// The name of an element of a declared sort: the sort, `!` and the number, unless the script uses that name.
pub fn element_name(terms: &Terms, sort: SortId, index: u32) -> String {
    let base = format!("{}!{index}", print::sort(terms, sort).replace(['(', ')', '|', ' '], "_"));
    free_name(terms, &base, sort)
}

/// The name, with `!` added until no function or variable of the script and no other sort's identifier has it.
pub(crate) fn free_name(terms: &Terms, base: &str, sort: SortId) -> String {
    let mut name = base.to_owned();
    while let Some(symbol) = terms.find_symbol(&name) {
        let is_other = terms.ascribed_sort(symbol).is_some_and(|other| other != sort);
        if terms.function(symbol).is_none() && terms.bound_sort(symbol).is_none() && !is_other {
            break;
        }
        name.push('!');
    }
    name
}
