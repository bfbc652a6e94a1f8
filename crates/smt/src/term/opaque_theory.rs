//! Theories that are not evaluated: which names belong to them, and the sort of their results.

use crate::term::operator::Operator;
use crate::term::sort::{Sort, SortId};
use crate::term::symbol::SymbolId;
use crate::term::{TermId, Terms};

/// Prefixes of names that belong to a theory or to a solver's extension of one.
const PREFIXES: &[&str] = &[
    "fp.",
    "str.",
    "re.",
    "seq.",
    "set.",
    "bag.",
    "rel.",
    "ff.",
    "int.",
    "tuple.",
    "table.",
    "char.",
    "sep.",
    "array.",
    "real.",
    "nullable.",
    "bv.",
];

/// Names without such a prefix.
const NAMES: &[&str] = &[
    "fp",
    "RNE",
    "RNA",
    "RTP",
    "RTN",
    "RTZ",
    "roundNearestTiesToEven",
    "roundNearestTiesToAway",
    "roundTowardPositive",
    "roundTowardNegative",
    "roundTowardZero",
    "to_fp",
    "to_fp_unsigned",
    "NaN",
    "+oo",
    "-oo",
    "+zero",
    "-zero",
    "^",
    "exp",
    "sin",
    "cos",
    "tan",
    "csc",
    "sec",
    "cot",
    "arcsin",
    "arccos",
    "arctan",
    "arccsc",
    "arcsec",
    "arccot",
    "sinh",
    "cosh",
    "tanh",
    "asin",
    "acos",
    "atan",
    "asinh",
    "acosh",
    "atanh",
    "sqrt",
    "pi",
    "euler",
    "int.pow2",
    "iand",
    "pow2",
    "map",
    "default",
    "array-ext",
    "as-array",
    "union",
    "intersection",
    "setminus",
    "subset",
    "complement",
    "member",
    "singleton",
    "insert",
    "emptyset",
    "card",
    "choose",
    "join",
    "product",
    "transpose",
    "tclosure",
    "iden",
    "univset",
    "tuple",
    "mkTuple",
    "@",
    "sep",
    "pto",
    "wand",
    "eqrange",
    "bvsmul_noovfl",
    "bvumul_noovfl",
    "bvsmul_noudfl",
    "bvumul_ovfl",
    "bvsmul_ovfl",
    "bvultbv",
    "bvsltbv",
    "bvite",
    "bvuremo",
    "is-int",
    "rem",
    "bag",
    "piand",
    "mod_total",
    "div_total",
    "/_total",
    "/0",
    "div0",
    "mod0",
];

/// Whether a plain symbol that no command declared belongs to a theory that is not evaluated.
pub(crate) fn is_theory_name(name: &str) -> bool {
    NAMES.contains(&name)
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix) && name.len() > prefix.len())
}

/// Whether some solver may take a name for an operator of its own, regardless of the script's declarations.
pub fn is_builtin_name(name: &str) -> bool {
    is_theory_name(name) || Operator::from_name(name).is_some()
}

/// The sort of an application of an opaque identifier, or the unknown sort.
pub(crate) fn opaque_result(terms: &mut Terms, identifier: SymbolId, children: &[TermId]) -> SortId {
    let text = terms.symbol(identifier).to_owned();
    let sort_of =
        |position: usize| children.get(position).map_or(SortId::UNKNOWN, |child| terms.sort(*child));
    let (first, second, third) = (sort_of(0), sort_of(1), sort_of(2));
    if let Some(inside) = text.strip_prefix("(_ ").and_then(|rest| rest.strip_suffix(')')) {
        let words: Vec<&str> = inside.split(' ').collect();
        return indexed_result(terms, &words);
    }
    match text.as_str() {
        "fp" => float_from_parts(terms, second, third),
        "fp.add" | "fp.sub" | "fp.mul" | "fp.div" | "fp.fma" | "fp.sqrt" | "fp.roundToIntegral" => second,
        "fp.to_real" => SortId::REAL,
        "fp.abs" | "fp.neg" | "fp.rem" | "fp.min" | "fp.max" => first,
        "fp.to_ieee_bv" => float_bits(terms, first),
        _ if text.starts_with("fp.") => SortId::BOOL,
        _ if is_rounding_mode(&text) => terms.opaque_sort("RoundingMode"),
        _ if text.starts_with("str.") || text.starts_with("int.") => string_result(terms, &text, first),
        _ if text.starts_with("re.") => terms.opaque_sort("RegLan"),
        _ if text.starts_with("seq.") || text.starts_with("set.") || text.starts_with("bag.") => {
            collection_result(&text, first)
        }
        "bvsmul_noovfl" | "bvumul_noovfl" | "bvsmul_noudfl" | "bvumul_ovfl" | "bvsmul_ovfl" => SortId::BOOL,
        "bvultbv" | "bvsltbv" => terms.bitvec_sort(1),
        "^" | "rem" => first,
        "sin" | "cos" | "tan" | "exp" | "sqrt" | "pi" | "real.pi" => SortId::REAL,
        _ => SortId::UNKNOWN,
    }
}

/// The sort `(_ FloatingPoint exponent significand)`.
pub(crate) fn float_sort(terms: &mut Terms, exponent: u32, significand: u32) -> SortId {
    terms.opaque_sort(&format!("(_ FloatingPoint {exponent} {significand})"))
}

fn is_rounding_mode(name: &str) -> bool {
    matches!(name, "RNE" | "RNA" | "RTP" | "RTN" | "RTZ") || name.starts_with("round")
}

fn indexed_result(terms: &mut Terms, words: &[&str]) -> SortId {
    let number = |position: usize| words.get(position).and_then(|word| word.parse::<u32>().ok());
    match (words.first().copied().unwrap_or(""), number(1), number(2)) {
        (
            "to_fp" | "to_fp_unsigned" | "NaN" | "+oo" | "-oo" | "+zero" | "-zero",
            Some(exponent),
            Some(significand),
        ) => float_sort(terms, exponent, significand),
        ("fp.to_ubv" | "fp.to_sbv", Some(width), None) => terms.bitvec_sort(width),
        ("char", _, _) => terms.opaque_sort("String"),
        ("re.^" | "re.loop", _, _) => terms.opaque_sort("RegLan"),
        ("is" | "divisible" | "at-most" | "at-least" | "pbeq" | "pble" | "pbge", _, _) => SortId::BOOL,
        ("iand", _, _) => SortId::INT,
        _ => SortId::UNKNOWN,
    }
}

fn float_from_parts(terms: &mut Terms, exponent: SortId, fraction: SortId) -> SortId {
    match (terms.sort_of(exponent), terms.sort_of(fraction)) {
        (&Sort::BitVec(exponent), &Sort::BitVec(fraction)) => {
            float_sort(terms, exponent, fraction.saturating_add(1))
        }
        _ => SortId::UNKNOWN,
    }
}

/// The bit-vector sort that holds the bits of a floating-point sort.
fn float_bits(terms: &mut Terms, float: SortId) -> SortId {
    let &Sort::Opaque(symbol) = terms.sort_of(float) else { return SortId::UNKNOWN };
    let Some(indices) = terms.symbol(symbol).strip_prefix("(_ FloatingPoint ") else {
        return SortId::UNKNOWN;
    };
    let total: Option<u32> =
        indices.trim_end_matches(')').split(' ').map(|word| word.parse::<u32>().ok()).sum::<Option<u32>>();
    total.map_or(SortId::UNKNOWN, |width| terms.bitvec_sort(width))
}

fn string_result(terms: &mut Terms, text: &str, first: SortId) -> SortId {
    match text {
        "str.len" | "str.indexof" | "str.indexof_re" | "str.to_int" | "str.to.int" | "str.to_code" => {
            SortId::INT
        }
        "str.<" | "str.<=" | "str.prefixof" | "str.suffixof" | "str.contains" | "str.in_re" | "str.in.re"
        | "str.is_digit" => SortId::BOOL,
        "str.to_re" | "str.to.re" => terms.opaque_sort("RegLan"),
        "str.from_int" | "str.from_code" | "int.to.str" | "int.to_str" => terms.opaque_sort("String"),
        "int.pow2" => SortId::INT,
        // These also work on sequences in some solvers.
        _ => first,
    }
}

fn collection_result(text: &str, first: SortId) -> SortId {
    match text {
        "seq.len" | "seq.indexof" | "seq.last_indexof" | "set.card" | "bag.card" | "bag.count" => SortId::INT,
        "seq.prefixof" | "seq.suffixof" | "seq.contains" | "seq.in_re" | "seq.in.re" => SortId::BOOL,
        "set.member" | "set.subset" | "set.is_empty" | "set.is_singleton" => SortId::BOOL,
        "bag.member" | "bag.subbag" => SortId::BOOL,
        "seq.++" | "seq.extract" | "seq.at" | "seq.replace" | "seq.rev" | "seq.update" => first,
        "set.union" | "set.inter" | "set.minus" | "set.complement" => first,
        "bag.union_max" | "bag.union_disjoint" | "bag.inter_min" => first,
        _ => SortId::UNKNOWN,
    }
}
