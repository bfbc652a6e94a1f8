//! Makes the bit-vectors of a reduced script narrower.
//!
//! A narrowing rewrites the text, because the width of a symbol is part of its declaration, of the literals next to it and
//! of its value. The caller must check that the result is well sorted and still holds.

use super::judge;
use super::prepared::reachable;
use super::rename::tokens;
use smt::{Head, Script, Sort};
use std::collections::BTreeSet;

/// One way of making bit-vectors narrower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Narrowing {
    /// Halves every width and every index, which keeps concatenations and extractions consistent.
    HalfOfAll,
    /// Replaces one width by a smaller one.
    One {
        /// The old width.
        from: u32,
        /// The new width.
        to: u32,
    },
}

/// Returns the narrowings to try on a script, the greatest steps first.
pub fn narrowings(script: &Script) -> Vec<Narrowing> {
    let widths = widths(script);
    let mut found = Vec::new();
    for from in &widths {
        let smaller = (0..16).map(|power| 1u32 << power).filter(|to| to < from);
        found.extend(smaller.map(|to| Narrowing::One { from: *from, to }));
    }
    if widths.len() > 1 && widths.iter().all(|width| width % 2 == 0) {
        found.insert(0, Narrowing::HalfOfAll);
    }
    found
}

/// Returns the widths of all terms of the script.
fn widths(script: &Script) -> BTreeSet<u32> {
    let terms = &script.terms;
    let mut sorts = Vec::new();
    for term in reachable(script, &judge::what_must_hold(script)) {
        sorts.push(terms.sort(term));
        if let Head::Function(symbol) = terms.head(term)
            && let Some(info) = terms.function(symbol)
        {
            sorts.extend(info.parameters.iter());
        }
    }
    let mut widths = BTreeSet::new();
    while let Some(sort) = sorts.pop() {
        match terms.sort_of(sort) {
            Sort::BitVec(width) => drop(widths.insert(*width)),
            Sort::Array(index, element) => sorts.extend([*index, *element]),
            _ => {}
        }
    }
    widths
}

impl Narrowing {
    /// Returns the text with narrower bit-vectors, or `None` if it has a syntax that is not supported.
    pub fn apply(self, text: &str) -> Option<String> {
        let mut result = String::with_capacity(text.len());
        // The words before the current one, the nearest first, which identify `(_ extract 7 0)`.
        let mut before = ["", "", ""];
        for token in tokens(text) {
            match self.rewrite(token, before)? {
                Some(rewritten) => result.push_str(&rewritten),
                None => result.push_str(token),
            }
            if !token.trim().is_empty() {
                before = [token, before[0], before[1]];
            }
        }
        Some(result)
    }

    /// Returns the replacement of a token, if it has one. The outer `None` means that the text is not supported.
    fn rewrite(self, token: &str, before: [&str; 3]) -> Option<Option<String>> {
        if let Some(bits) = literal_bits(token) {
            let kept = self.width(bits.len() as u32) as usize;
            let low_bits = &bits[bits.len() - kept..];
            return Some((kept < bits.len()).then(|| format!("#b{low_bits}")));
        }
        let Ok(number) = token.parse::<u32>() else { return Some(None) };
        let rewritten = match before {
            ["BitVec", "_", _] => self.width(number),
            ["extract", "_", _] => self.index(number.checked_add(1)?).checked_sub(1)?,
            [_, "extract", "_"] => self.low_index(number),
            ["zero_extend" | "sign_extend", "_", _] if self == Narrowing::HalfOfAll => number / 2,
            // juvenal never prints literals such as `(_ bv5 8)`.
            [word, "_", _] if word.starts_with("bv") => return None,
            _ => return Some(None),
        };
        Some(Some(rewritten.to_string()))
    }

    fn width(self, width: u32) -> u32 {
        match self {
            Narrowing::HalfOfAll => width / 2,
            Narrowing::One { from, to } if from == width => to,
            Narrowing::One { .. } => width,
        }
    }

    /// One past the highest extracted bit.
    fn index(self, end: u32) -> u32 {
        match self {
            Narrowing::HalfOfAll => end / 2,
            Narrowing::One { to, .. } => end.min(to),
        }
    }

    fn low_index(self, index: u32) -> u32 {
        match self {
            Narrowing::HalfOfAll => index / 2,
            Narrowing::One { to, .. } => index.min(to - 1),
        }
    }
}

/// Returns the binary digits of a bit-vector literal.
fn literal_bits(token: &str) -> Option<String> {
    if let Some(bits) = token.strip_prefix("#b") {
        return Some(bits.to_owned());
    }
    let digits = token.strip_prefix("#x")?.chars();
    digits.map(|digit| digit.to_digit(16).map(|value| format!("{value:04b}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_literals_and_indices_shrink_together() {
        let text = "(declare-fun a () (_ BitVec 8))(assert (= ((_ extract 7 4) a) #xf))(assert (= a #xf3))";
        for (narrowing, expected) in [
            (
                Narrowing::HalfOfAll,
                "(declare-fun a () (_ BitVec 4))(assert (= ((_ extract 3 2) a) #b11))(assert (= a #b0011))",
            ),
            (
                Narrowing::One { from: 8, to: 2 },
                "(declare-fun a () (_ BitVec 2))(assert (= ((_ extract 1 1) a) #xf))(assert (= a #b11))",
            ),
        ] {
            assert_eq!(narrowing.apply(text).as_deref(), Some(expected));
        }
        assert_eq!(Narrowing::HalfOfAll.apply("(_ bv5 8)"), None);
    }

    #[test]
    fn every_smaller_power_of_two_is_tried() {
        let text = "(declare-fun a () (_ BitVec 5))(assert (bvult a #b00010))(check-sat)";
        let script = smt::parse("test", text).unwrap();
        let targets: Vec<Narrowing> = [1, 2, 4].map(|to| Narrowing::One { from: 5, to }).into();
        assert_eq!(narrowings(&script), targets);
    }
}
