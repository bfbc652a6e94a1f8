//! What cannot be said in C, and where it stands.

use smt::{Head, TermId, Terms};
use std::fmt;

/// Why a term cannot be said in C: the construct, and the term in which it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The construct, such as ``the operator `fp.add` ``.
    pub construct: String,
    /// The beginning of the term in which it stands.
    pub place: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} cannot be said in C, in `{}`", self.construct, self.place)
    }
}

impl Refusal {
    /// The refusal of a construct in a term.
    pub(super) fn new(terms: &Terms, construct: impl Into<String>, term: TermId) -> Refusal {
        Refusal { construct: construct.into(), place: beginning(terms, term) }
    }
}

/// Deeper parts of a term are left out of a place.
const DEEPEST: u32 = 3;
/// Texts that are longer than this are cut.
const LONGEST: usize = 80;

/// The beginning of a term. Terms are shared graphs, so the whole text may be huge.
pub(super) fn beginning(terms: &Terms, term: TermId) -> String {
    let mut text = String::new();
    write_beginning(terms, term, DEEPEST, &mut text);
    if text.len() > LONGEST {
        let end = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= LONGEST).last().unwrap_or(0);
        text.truncate(end);
        text.push_str("...");
    }
    text
}

fn write_beginning(terms: &Terms, term: TermId, depth: u32, text: &mut String) {
    let children = terms.children(term);
    if children.is_empty() {
        text.push_str(&smt::print::term(terms, term));
        return;
    }
    if depth == 0 || text.len() > LONGEST {
        text.push_str("...");
        return;
    }
    text.push('(');
    text.push_str(&head_text(terms, terms.head(term)));
    for child in children {
        if text.len() > LONGEST {
            break;
        }
        text.push(' ');
        write_beginning(terms, *child, depth - 1, text);
    }
    text.push(')');
}

/// The head of a term with children.
fn head_text(terms: &Terms, head: Head) -> String {
    match head {
        Head::Operator(operator) => match operator.indices() {
            [None, _] => operator.name().to_owned(),
            [Some(first), None] => format!("(_ {} {first})", operator.name()),
            [Some(first), Some(second)] => format!("(_ {} {first} {second})", operator.name()),
        },
        Head::Function(symbol) => smt::print::symbol_text(terms.symbol(symbol)),
        Head::Opaque(symbol) => terms.symbol(symbol).to_owned(),
        Head::Quantifier { quantifier, .. } => format!("{quantifier:?}").to_lowercase(),
        Head::Match(_) => "match".to_owned(),
        Head::Annotated(_) => "!".to_owned(),
        _ => "...".to_owned(),
    }
}
