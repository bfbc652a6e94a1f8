//! Gives the symbols of a reduced script short names.

use smt::{FunctionKind, Script};
use std::collections::{BTreeMap, BTreeSet};

/// Returns new names for the declared and defined symbols with longer names, by printed name.
pub fn renaming(script: &Script) -> BTreeMap<String, String> {
    let terms = &script.terms;
    let printed: Vec<String> = terms
        .functions()
        .filter(|(_, info)| matches!(info.kind, FunctionKind::Declared | FunctionKind::Defined))
        .map(|(symbol, _)| smt::print::symbol_text(terms.symbol(symbol)))
        .collect();
    let mut taken: BTreeSet<String> = printed.iter().filter(|name| is_short(name)).cloned().collect();
    let mut renaming = BTreeMap::new();
    let mut candidates = short_names();
    for name in printed.into_iter().filter(|name| !is_short(name)) {
        let Some(short) = candidates.find(|candidate| !taken.contains(candidate)) else { break };
        taken.insert(short.clone());
        renaming.insert(name, short);
    }
    renaming
}

fn short_names() -> impl Iterator<Item = String> {
    (0u32..).take(10_000).map(|number| match (char::from(b'a' + (number % 26) as u8), number / 26) {
        (letter, 0) => letter.to_string(),
        (letter, round) => format!("{letter}{round}"),
    })
}

fn is_short(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|c| c.is_ascii_lowercase())
        && characters.all(|c| c.is_ascii_digit())
        && name.len() < 4
}

/// Replaces whole symbols in an SMT-LIB text. Strings, quoted symbols and comments are single tokens.
pub fn apply(text: &str, renaming: &BTreeMap<String, String>) -> String {
    tokens(text).map(|token| renaming.get(token).map_or(token, String::as_str)).collect()
}

/// Splits an SMT-LIB text into tokens, including white space; their concatenation is the text.
pub fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let (token, after) = rest.split_at(token_length(rest, first));
        rest = after;
        Some(token)
    })
}

/// Returns the length of the first token of a non-empty text.
fn token_length(text: &str, first: char) -> usize {
    let until = |stop: fn(char) -> bool| text.find(stop).unwrap_or(text.len());
    let closed_by = |quote: char| text[1..].find(quote).map_or(text.len(), |index| index + 2);
    match first {
        '"' => closed_by('"'),
        '|' => closed_by('|'),
        ';' => until(|c| c == '\n'),
        '(' | ')' => 1,
        c if c.is_whitespace() => c.len_utf8(),
        _ => until(|c| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '|' | ';')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_symbols_are_replaced_and_nothing_else() {
        let renaming =
            BTreeMap::from([("xy".to_owned(), "a".to_owned()), ("|p q|".to_owned(), "b".to_owned())]);
        let text = "(assert (= xy |p q| xyz \"xy\")) ; xy\n(f xy)";
        assert_eq!(apply(text, &renaming), "(assert (= a b xyz \"xy\")) ; xy\n(f a)");
    }
}
