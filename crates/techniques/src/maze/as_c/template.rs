//! C expressions with gaps.

use super::machine::CType;

/// A C expression whose gaps are letters in braces.
///
/// `x`, `y` and `z` are the operands, cast to the type that the operator works in. The other small letters from `a` on
/// are locals that are computed of the operands first, see [`LOCALS`]. Capital letters are constants and types, see
/// [`super::form::Source::gap`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Template {
    /// The value has no bits above the width.
    Fits(&'static str),
    /// The value may have bits above the width, which must be cut off.
    Cut(&'static str),
    /// The same, and it works on signed values although it need not.
    Signed(&'static str),
}

impl Template {
    /// The text.
    pub(super) fn text(self) -> &'static str {
        match self {
            Template::Fits(text) | Template::Cut(text) | Template::Signed(text) => text,
        }
    }

    /// Whether the value may have bits above the width.
    pub(super) fn is_cut(self) -> bool {
        !matches!(self, Template::Fits(_))
    }
}

/// A local that templates use.
pub(super) struct Local {
    /// Its letter.
    pub(super) letter: char,
    /// Whether it is of the signed type.
    pub(super) is_signed: bool,
    /// How it is computed.
    pub(super) text: &'static str,
    /// How it is computed where a signed type has exactly the width and casts are wanted.
    pub(super) cast: Option<&'static str>,
}

const fn local(letter: char, is_signed: bool, text: &'static str) -> Local {
    Local { letter, is_signed, text, cast: None }
}

const fn signed_value(letter: char, text: &'static str, cast: &'static str) -> Local {
    Local { letter, is_signed: true, text, cast: Some(cast) }
}

/// The locals, each after those that it is computed of.
///
/// `a` and `b` are the operands as signed numbers, `p` and `q` their magnitudes, `r` and `m` remainders of these, `c`
/// and `e` distances of shifts and rotations, `s` and `t` the sum and the difference.
pub(super) const LOCALS: &[Local] = &[
    signed_value('a', "{x} & {S} ? -({D})({M} - {x}) - 1 : ({D}){x}", "({E}){x}"),
    signed_value('b', "{y} & {S} ? -({D})({M} - {y}) - 1 : ({D}){y}", "({E}){y}"),
    local('p', false, "{x} & {S} ? ({Z} - {x}) & {M} : {x}"),
    local('q', false, "{y} & {S} ? ({Z} - {y}) & {M} : {y}"),
    local('r', true, "{b} == 0 ? {a} : {b} == -1 ? 0 : {a} % {b}"),
    local('m', false, "{q} == 0 ? {p} : {p} % {q}"),
    local('c', false, "{y} >= {W} ? {W} - {I} : {y}"),
    local('e', false, "{y} % {W}"),
    local('s', false, "({x} + {y}) & {M}"),
    local('t', false, "({x} - {y}) & {M}"),
];

/// The letters in the gaps of a text, with repetitions.
pub(super) fn letters(text: &str) -> impl Iterator<Item = char> + '_ {
    text.split('{').skip(1).filter_map(|part| part.chars().next())
}

/// The locals that a text needs, each after those that it is computed of.
pub(super) fn locals_of(text: &str) -> Vec<&'static Local> {
    let mut needed: Vec<char> = letters(text).collect();
    let mut found = Vec::new();
    for local in LOCALS.iter().rev() {
        if needed.contains(&local.letter) {
            needed.extend(letters(local.text));
            found.push(local);
        }
    }
    found.reverse();
    found
}

/// How often an operand's letter occurs in a text and in the locals that it needs.
pub(super) fn occurrences(text: &str, letter: char) -> usize {
    let own = letters(text).filter(|it| *it == letter).count();
    let of_local = |local: &Local| letters(local.text).filter(|it| *it == letter).count();
    own + locals_of(text).into_iter().map(of_local).sum::<usize>()
}

/// The text with its gaps filled.
pub(super) fn fill(text: &str, gap: impl Fn(char) -> String) -> String {
    let mut filled = String::with_capacity(text.len() * 2);
    let mut parts = text.split('{');
    filled.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let mut characters = part.chars();
        if let Some(letter) = characters.next() {
            filled.push_str(&gap(letter));
        }
        filled.push_str(characters.as_str().strip_prefix('}').unwrap_or(characters.as_str()));
    }
    filled
}

/// An expression of C.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    /// The text.
    pub(super) text: String,
    /// Its type after promotion to at least `int`, or that of a variable.
    pub(super) c_type: CType,
    /// Whether it needs no parentheses as an operand.
    pub(super) is_primary: bool,
}

impl Expression {
    /// A name, a literal or a call.
    pub(super) fn primary(text: impl Into<String>, c_type: CType) -> Expression {
        Expression { text: text.into(), c_type, is_primary: true }
    }

    /// Any other expression.
    pub(super) fn open(text: impl Into<String>, c_type: CType) -> Expression {
        Expression { text: text.into(), c_type, is_primary: false }
    }

    /// Its text in parentheses, unless it needs none.
    pub(super) fn closed(&self) -> String {
        if self.is_primary { self.text.clone() } else { format!("({})", self.text) }
    }

    /// Its text as an operand of this type.
    pub(super) fn operand(&self, c_type: &CType) -> String {
        if self.c_type == *c_type { self.closed() } else { format!("({}){}", c_type.name(), self.closed()) }
    }
}
