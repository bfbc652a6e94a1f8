//! Reading terms: constants, arithmetic with its precedence, and aggregates.

use super::clause::{body_in_braces, head};
use super::cursor::Cursor;
use super::error::{Parse, Trouble, wrong};
use super::lexer::{DEEPEST_OPERATIONS, Kind};
use super::syntax::{Aggregation, Expression, Formula};
use crate::program::{Aggregate, Constant, Operator};

/// A term, and how deep its operations are nested.
struct Grown<'a> {
    expression: Expression<'a>,
    depth: usize,
}

impl<'a> Grown<'a> {
    fn leaf(expression: Expression<'a>) -> Grown<'a> {
        Grown { expression, depth: 0 }
    }
}

/// Words that are operations between two terms, none of which is modelled.
const UNSUPPORTED_WORDS: [&str; 9] = ["band", "bor", "bxor", "bshl", "bshr", "bshru", "land", "lor", "lxor"];
/// Signs that are operations between two terms, none of which is modelled.
const UNSUPPORTED_SIGNS: [&str; 8] = ["^", "&", "|", "&&", "||", "^^", "<<", ">>"];

/// Reads a term.
pub(super) fn expression<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Expression<'a>> {
    Ok(sum(cursor)?.expression)
}

/// True if an operation between two terms stands at this place.
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

fn sum<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Grown<'a>> {
    let first = factor(cursor)?;
    sum_from(cursor, first)
}

/// Reads on behind the first factor of a sum.
fn sum_from<'a>(cursor: &mut Cursor<'_, 'a>, first: Grown<'a>) -> Parse<Grown<'a>> {
    let mut left = product_from(cursor, first)?;
    loop {
        if is_unsupported_operator(cursor) {
            return Err(Trouble::Unsupported);
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

/// Reads on behind the first factor of a product.
fn product_from<'a>(cursor: &mut Cursor<'_, 'a>, first: Grown<'a>) -> Parse<Grown<'a>> {
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

fn apply<'a>(operator: Operator, operands: Vec<Grown<'a>>, offset: usize) -> Parse<Grown<'a>> {
    let depth = 1 + operands.iter().map(|operand| operand.depth).max().unwrap_or(0);
    if depth > DEEPEST_OPERATIONS {
        let message = format!(
            "expected at most {DEEPEST_OPERATIONS} nested operations; try to name a part of the term"
        );
        return wrong(offset, message);
    }
    let operands = operands.into_iter().map(|operand| operand.expression).collect();
    Ok(Grown { expression: Expression::Apply(operator, operands), depth })
}

/// Reads a term that no operation joins to the next one, with the signs before it.
fn factor<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Grown<'a>> {
    let offset = cursor.offset();
    let mut signs = 0;
    while cursor.take("-") {
        signs += 1;
    }
    let is_number = matches!(cursor.token().kind, Kind::Whole | Kind::Float);
    if signs == 0 || !is_number {
        let operand = primary(cursor)?;
        return negate(operand, signs, offset);
    }
    let constant = number(cursor, true)?;
    match constant {
        // What says that it is unsigned has no negative to be folded into.
        Constant::Unsigned(_) => negate(Grown::leaf(Expression::Constant(constant)), signs, offset),
        constant => negate(Grown::leaf(Expression::Constant(constant)), signs - 1, offset),
    }
}

fn negate(operand: Grown<'_>, signs: usize, offset: usize) -> Parse<Grown<'_>> {
    let mut result = operand;
    for _ in 0..signs {
        result = apply(Operator::Negate, vec![result], offset)?;
    }
    Ok(result)
}

fn primary<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Grown<'a>> {
    match (cursor.token().kind, cursor.text()) {
        (Kind::Whole | Kind::Float, _) => Ok(Grown::leaf(Expression::Constant(number(cursor, false)?))),
        (Kind::Text, _) => text(cursor).map(Grown::leaf),
        (Kind::Mark, "(") => group(cursor),
        (Kind::Mark, "[" | "$" | "@" | "~" | "&" | "{") => Err(Trouble::Unsupported),
        (Kind::Address, _) => Err(Trouble::Unsupported),
        (Kind::Name, _) => name(cursor),
        _ => cursor.unexpected("a term"),
    }
}

/// Reads a term in parentheses. A negative number alone in them is the operation on the number, for that is how one is
/// written.
fn group<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Grown<'a>> {
    let offset = cursor.offset();
    cursor.place += 1;
    let is_short = cursor.is_mark("-") && cursor.is_mark_ahead(2, ")");
    let mut ahead = Cursor { place: cursor.place + 1, ..*cursor };
    let is_number = matches!(ahead.token().kind, Kind::Whole | Kind::Float);
    if is_short && is_number {
        let constant = number(&mut ahead, false)?;
        if !matches!(constant, Constant::Unsigned(_)) {
            cursor.place = ahead.place + 1;
            return apply(Operator::Negate, vec![Grown::leaf(Expression::Constant(constant))], offset);
        }
    }
    let inside = sum(cursor)?;
    cursor.expect(")")?;
    Ok(inside)
}

fn name<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Grown<'a>> {
    let word = cursor.text();
    cursor.place += 1;
    match word {
        "_" => Ok(Grown::leaf(Expression::Anything)),
        "count" if cursor.is_mark(":") => aggregate(cursor, Aggregate::Count, None),
        "sum" if !cursor.is_mark(":") => {
            let term = sum(cursor)?;
            aggregate(cursor, Aggregate::Sum, Some(term))
        }
        "min" => least_or_greatest(cursor, Aggregate::Minimum, Operator::Minimum),
        "max" => least_or_greatest(cursor, Aggregate::Maximum, Operator::Maximum),
        "mean" | "nil" | "bnot" | "lnot" | "__LINE__" | "__FILE__" => Err(Trouble::Unsupported),
        "count" => cursor.unexpected("`:` behind `count`"),
        "sum" => cursor.unexpected("what is summed up"),
        // Every other function is one that is not modelled.
        _ if cursor.is_mark("(") => Err(Trouble::Unsupported),
        word => Ok(Grown::leaf(Expression::Name(word))),
    }
}

/// Reads on behind `min` or `max`, which is an operation on the terms in parentheses, or an aggregate.
fn least_or_greatest<'a>(
    cursor: &mut Cursor<'_, 'a>,
    function: Aggregate,
    operator: Operator,
) -> Parse<Grown<'a>> {
    let offset = cursor.offset();
    if !has_several_operands(cursor) {
        let term = sum(cursor)?;
        return aggregate(cursor, function, Some(term));
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

/// True if parentheses with a comma in them are next.
fn has_several_operands(cursor: &Cursor<'_, '_>) -> bool {
    if !cursor.is_mark("(") {
        return false;
    }
    let end = cursor.behind_group().saturating_sub(1);
    let mut inside = Cursor { place: cursor.place + 1, end, ..*cursor };
    while !inside.is_done() && !inside.is_mark(",") {
        let is_open = ["(", "[", "{"].iter().any(|open| inside.is_mark(open));
        inside.place = if is_open { inside.behind_group() } else { inside.place + 1 };
    }
    !inside.is_done()
}

fn aggregate<'a>(
    cursor: &mut Cursor<'_, 'a>,
    function: Aggregate,
    term: Option<Grown<'a>>,
) -> Parse<Grown<'a>> {
    cursor.expect(":")?;
    let body = if cursor.is_mark("{") { body_in_braces(cursor)? } else { Formula::Atom(head(cursor)?) };
    let term = term.map(|term| term.expression);
    Ok(Grown::leaf(Expression::Aggregate(Box::new(Aggregation { function, term, body }))))
}

/// Reads a number, with a sign before it if that is said. Without a suffix it is signed for now, and becomes what its
/// surroundings are when those are known.
fn number(cursor: &mut Cursor<'_, '_>, is_negative: bool) -> Parse<Constant> {
    let (kind, written, offset) = (cursor.token().kind, cursor.text(), cursor.offset());
    cursor.place += 1;
    let constant = match kind {
        Kind::Float => float(written, is_negative),
        _ => whole(written, is_negative),
    };
    match constant {
        Some(constant) => Ok(constant),
        None => wrong(offset, format!("expected a number of at most 64 bits, found `{written}`")),
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

/// Reads a text. Souffle's versions do not agree on other escapes than these, which are left to it.
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
                _ => return Err(Trouble::Unsupported),
            },
            letter => letter,
        });
    }
    Ok(Expression::Constant(Constant::Symbol(value.into())))
}
