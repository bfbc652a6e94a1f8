//! Parses terms: constants, arithmetic with precedence, and aggregates.

use super::clause::{body_in_braces, head};
use super::cursor::Cursor;
use super::error::{Parse, StatementError, invalid};
use super::lexer::{Kind, MAX_AGGREGATE_DEPTH, MAX_OPERATION_DEPTH};
use super::syntax::{Aggregation, Expression, Formula};
use crate::program::{Aggregate, Constant, Operator};

/// A term and the depth of its operations.
struct NestedTerm<'a> {
    expression: Expression<'a>,
    depth: usize,
}

impl<'a> NestedTerm<'a> {
    fn leaf(expression: Expression<'a>) -> NestedTerm<'a> {
        NestedTerm { expression, depth: 0 }
    }
}

/// Binary operators that are words, none of which is modelled.
const UNSUPPORTED_WORDS: [&str; 9] = ["band", "bor", "bxor", "bshl", "bshr", "bshru", "land", "lor", "lxor"];
/// Binary operators that are symbols, none of which is modelled.
const UNSUPPORTED_SIGNS: [&str; 8] = ["^", "&", "|", "&&", "||", "^^", "<<", ">>"];

/// Parses a term.
pub(super) fn expression<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Expression<'a>> {
    Ok(sum(cursor)?.expression)
}

/// Returns true if a binary operator is next.
pub(super) fn is_operator(cursor: &Cursor<'_, '_>) -> bool {
    let is_sign = cursor.token().kind == Kind::Mark && matches!(cursor.text(), "+" | "-" | "*" | "/" | "%");
    is_sign || is_unsupported_operator(cursor)
}

fn is_unsupported_operator(cursor: &Cursor<'_, '_>) -> bool {
    match cursor.token().kind {
        Kind::Name => UNSUPPORTED_WORDS.contains(&cursor.text()),
        Kind::Mark => UNSUPPORTED_SIGNS.contains(&cursor.text()),
        _ => false,
    }
}

fn sum<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<NestedTerm<'a>> {
    let first = factor(cursor)?;
    sum_from(cursor, first)
}

/// Parses the rest of a sum after its first factor.
fn sum_from<'a>(cursor: &mut Cursor<'_, 'a>, first: NestedTerm<'a>) -> Parse<NestedTerm<'a>> {
    let mut left = product_from(cursor, first)?;
    loop {
        if is_unsupported_operator(cursor) {
            return Err(StatementError::Unsupported);
        }
        let operator = match cursor.text() {
            "+" => Operator::Add,
            "-" => Operator::Subtract,
            _ => return Ok(left),
        };
        let offset = cursor.offset();
        cursor.place += 1;
        let right = factor(cursor)?;
        let right = product_from(cursor, right)?;
        left = apply(operator, vec![left, right], offset)?;
    }
}

/// Parses the rest of a product after its first factor.
fn product_from<'a>(cursor: &mut Cursor<'_, 'a>, first: NestedTerm<'a>) -> Parse<NestedTerm<'a>> {
    let mut left = first;
    loop {
        let operator = match cursor.text() {
            "*" => Operator::Multiply,
            "/" => Operator::Divide,
            "%" => Operator::Remainder,
            _ => return Ok(left),
        };
        let offset = cursor.offset();
        cursor.place += 1;
        let right = factor(cursor)?;
        left = apply(operator, vec![left, right], offset)?;
    }
}

fn apply<'a>(operator: Operator, operands: Vec<NestedTerm<'a>>, offset: usize) -> Parse<NestedTerm<'a>> {
    let depth = 1 + operands.iter().map(|operand| operand.depth).max().unwrap_or(0);
    if depth > MAX_OPERATION_DEPTH {
        let message = format!(
            "expected at most {MAX_OPERATION_DEPTH} nested operations; try binding a part of the term to a variable"
        );
        return invalid(offset, message);
    }
    let operands = operands.into_iter().map(|operand| operand.expression).collect();
    Ok(NestedTerm { expression: Expression::Apply(operator, operands), depth })
}

/// Parses an operand with its unary minus signs.
fn factor<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<NestedTerm<'a>> {
    let offset = cursor.offset();
    let mut signs = 0;
    while cursor.take("-") {
        signs += 1;
    }
    let is_number = matches!(cursor.token().kind, Kind::Integer | Kind::Float);
    if signs == 0 || !is_number {
        let operand = primary(cursor)?;
        return negate(operand, signs, offset);
    }
    let constant = number(cursor, true)?;
    match constant {
        // An explicitly unsigned constant cannot absorb the sign.
        Constant::Unsigned(_) => negate(NestedTerm::leaf(Expression::Constant(constant)), signs, offset),
        constant => negate(NestedTerm::leaf(Expression::Constant(constant)), signs - 1, offset),
    }
}

fn negate(operand: NestedTerm<'_>, signs: usize, offset: usize) -> Parse<NestedTerm<'_>> {
    let mut result = operand;
    for _ in 0..signs {
        result = apply(Operator::Negate, vec![result], offset)?;
    }
    Ok(result)
}

fn primary<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<NestedTerm<'a>> {
    match (cursor.token().kind, cursor.text()) {
        (Kind::Integer | Kind::Float, _) => {
            Ok(NestedTerm::leaf(Expression::Constant(number(cursor, false)?)))
        }
        (Kind::Text, _) => text(cursor).map(NestedTerm::leaf),
        (Kind::Mark, "(") => group(cursor),
        (Kind::Mark, "[" | "$" | "@" | "~" | "&" | "{") => Err(StatementError::Unsupported),
        (Kind::Address, _) => Err(StatementError::Unsupported),
        (Kind::Name, _) => name(cursor),
        _ => cursor.unexpected("a term"),
    }
}

/// Parses a term in parentheses. `(-1)` is the negation of a number rather than a constant, because that is how a
/// negation is printed.
fn group<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<NestedTerm<'a>> {
    let offset = cursor.offset();
    cursor.place += 1;
    let is_short = cursor.is_mark("-") && cursor.is_mark_ahead(2, ")");
    let mut ahead = Cursor { place: cursor.place + 1, ..*cursor };
    let is_number = matches!(ahead.token().kind, Kind::Integer | Kind::Float);
    if is_short && is_number {
        let constant = number(&mut ahead, false)?;
        if !matches!(constant, Constant::Unsigned(_)) {
            cursor.place = ahead.place + 1;
            return apply(Operator::Negate, vec![NestedTerm::leaf(Expression::Constant(constant))], offset);
        }
    }
    let inside = sum(cursor)?;
    cursor.expect(")")?;
    Ok(inside)
}

fn name<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<NestedTerm<'a>> {
    let word = cursor.text();
    cursor.place += 1;
    match word {
        "_" => Ok(NestedTerm::leaf(Expression::Wildcard)),
        "count" if cursor.is_mark(":") => aggregate(cursor, Aggregate::Count),
        "sum" if !cursor.is_mark(":") => aggregate(cursor, Aggregate::Sum),
        "min" => min_or_max(cursor, Aggregate::Minimum, Operator::Minimum),
        "max" => min_or_max(cursor, Aggregate::Maximum, Operator::Maximum),
        "mean" | "nil" | "bnot" | "lnot" | "__LINE__" | "__FILE__" => Err(StatementError::Unsupported),
        "count" => cursor.unexpected("`:` after `count`"),
        "sum" => cursor.unexpected("a term to sum"),
        // No other function is modelled.
        _ if cursor.is_mark("(") => Err(StatementError::Unsupported),
        word => Ok(NestedTerm::leaf(Expression::Name(word))),
    }
}

/// Parses the rest of a `min` or `max`, which is an operation on the terms in parentheses or an aggregate.
fn min_or_max<'a>(
    cursor: &mut Cursor<'_, 'a>,
    function: Aggregate,
    operator: Operator,
) -> Parse<NestedTerm<'a>> {
    let offset = cursor.offset();
    if !has_several_operands(cursor) {
        return aggregate(cursor, function);
    }
    cursor.place += 1;
    let mut result = sum(cursor)?;
    while cursor.take(",") {
        let next = sum(cursor)?;
        result = apply(operator, vec![result, next], offset)?;
    }
    cursor.expect(")")?;
    Ok(result)
}

/// Returns true if parentheses with a comma in them are next.
fn has_several_operands(cursor: &Cursor<'_, '_>) -> bool {
    if !cursor.is_mark("(") {
        return false;
    }
    let end = cursor.after_group().saturating_sub(1);
    let mut inside = Cursor { place: cursor.place + 1, end, ..*cursor };
    while !inside.is_done() && !inside.is_mark(",") {
        let is_open = ["(", "[", "{"].iter().any(|open| inside.is_mark(open));
        inside.place = if is_open { inside.after_group() } else { inside.place + 1 };
    }
    !inside.is_done()
}

/// Parses the rest of an aggregate after its name.
fn aggregate<'a>(cursor: &mut Cursor<'_, 'a>, function: Aggregate) -> Parse<NestedTerm<'a>> {
    if cursor.aggregates >= MAX_AGGREGATE_DEPTH {
        let message = format!(
            "expected at most {MAX_AGGREGATE_DEPTH} nested aggregates; try moving this one into a relation of its own"
        );
        return invalid(cursor.offset(), message);
    }
    cursor.aggregates += 1;
    let term = match function {
        Aggregate::Count => None,
        Aggregate::Sum | Aggregate::Minimum | Aggregate::Maximum => Some(sum(cursor)?.expression),
    };
    cursor.expect(":")?;
    let body = if cursor.is_mark("{") { body_in_braces(cursor)? } else { Formula::Atom(head(cursor)?) };
    cursor.aggregates -= 1;
    Ok(NestedTerm::leaf(Expression::Aggregate(Box::new(Aggregation { function, term, body }))))
}

/// Parses a number. Without a suffix it is signed until its context determines its type.
fn number(cursor: &mut Cursor<'_, '_>, is_negative: bool) -> Parse<Constant> {
    let (kind, written, offset) = (cursor.token().kind, cursor.text(), cursor.offset());
    cursor.place += 1;
    let constant = match kind {
        Kind::Float => float(written, is_negative),
        _ => whole(written, is_negative),
    };
    match constant {
        Some(constant) => Ok(constant),
        None => invalid(offset, format!("expected a number of at most 64 bits, found `{written}`")),
    }
}

fn float(written: &str, is_negative: bool) -> Option<Constant> {
    let value: f64 = written.parse().ok()?;
    value.is_finite().then(|| Constant::float(if is_negative { -value } else { value }))
}

fn whole(written: &str, is_negative: bool) -> Option<Constant> {
    let digits = written.trim_end_matches(['u', 'U']);
    let is_unsigned = digits.len() < written.len();
    let magnitude = match digits.get(..2) {
        Some("0x" | "0X") => u64::from_str_radix(digits.get(2..)?, 16),
        Some("0b" | "0B") => u64::from_str_radix(digits.get(2..)?, 2),
        _ => digits.parse(),
    };
    let magnitude = magnitude.ok()?;
    if is_unsigned {
        return Some(Constant::Unsigned(magnitude));
    }
    match i64::try_from(magnitude) {
        Ok(number) if is_negative => Some(Constant::Signed(-number)),
        Ok(number) => Some(Constant::Signed(number)),
        Err(_) if is_negative => i64::try_from(-i128::from(magnitude)).ok().map(Constant::Signed),
        Err(_) => Some(Constant::Unsigned(magnitude)),
    }
}

/// Parses a string. Soufflé's versions do not agree on other escapes, so strings with those are not modelled.
fn text<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Expression<'a>> {
    let written = cursor.text();
    cursor.place += 1;
    let inside = written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
    let mut value = String::with_capacity(inside.len());
    let mut letters = inside.chars();
    while let Some(letter) = letters.next() {
        value.push(match letter {
            '\\' => match letters.next() {
                Some('"') => '"',
                Some('\\') => '\\',
                Some('n') => '\n',
                Some('t') => '\t',
                _ => return Err(StatementError::Unsupported),
            },
            letter => letter,
        });
    }
    Ok(Expression::Constant(Constant::Symbol(value.into())))
}
