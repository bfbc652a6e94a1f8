//! Parses facts and rules.

use super::cursor::Cursor;
use super::error::{Parse, StatementError, invalid};
use super::lexer::Kind;
use super::syntax::{Clause, Expression, Formula, WrittenAtom};
use super::term::{expression, is_operator};
use crate::program::Comparison;

/// Parses a clause without its final dot.
pub(super) fn clause<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Clause<'a>> {
    let mut heads = vec![head(cursor)?];
    while cursor.take(",") {
        heads.push(head(cursor)?);
    }
    // Subsumption is not modelled.
    if cursor.is_mark("<=") {
        return Err(StatementError::Unsupported);
    }
    if cursor.is_done() && heads.len() == 1 {
        return Ok(Clause { heads, body: None });
    }
    if !cursor.take(":-") {
        return cursor.unexpected("`:-` or `.` after the head");
    }
    let body = disjunction(cursor)?;
    match cursor.is_done() {
        true => Ok(Clause { heads, body: Some(body) }),
        false => cursor.unexpected("`,`, `;` or `.` in the body"),
    }
}

/// Parses an atom in a head.
pub(super) fn head<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<WrittenAtom<'a>> {
    let offset = cursor.offset();
    let name = cursor.name("a relation")?;
    if cursor.is_mark(".") {
        return Err(StatementError::Unsupported);
    }
    atom(cursor, name, offset)
}

fn atom<'a>(cursor: &mut Cursor<'_, 'a>, name: &'a str, offset: usize) -> Parse<WrittenAtom<'a>> {
    cursor.expect("(")?;
    let mut arguments = Vec::new();
    if !cursor.take(")") {
        arguments.push(expression(cursor)?);
        while cursor.take(",") {
            arguments.push(expression(cursor)?);
        }
        if !cursor.take(")") {
            return cursor.unexpected("`,` or `)` after an argument");
        }
    }
    Ok(WrittenAtom { name, offset, arguments })
}

/// Parses formulas separated by `;`.
fn disjunction<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Formula<'a>> {
    let first = conjunction(cursor)?;
    if !cursor.is_mark(";") {
        return Ok(first);
    }
    let mut parts = vec![first];
    while cursor.take(";") {
        parts.push(conjunction(cursor)?);
    }
    Ok(Formula::Any(parts))
}

/// Parses formulas separated by `,`.
fn conjunction<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Formula<'a>> {
    let mut parts = vec![literal(cursor)?];
    while cursor.take(",") {
        parts.push(literal(cursor)?);
    }
    Ok(Formula::All(parts))
}

/// Parses the body of an aggregate.
pub(super) fn body_in_braces<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Formula<'a>> {
    cursor.expect("{")?;
    let body = disjunction(cursor)?;
    match cursor.take("}") {
        true => Ok(body),
        false => cursor.unexpected("`,` or `}` in the body of the aggregate"),
    }
}

/// Parses one literal or a formula in parentheses.
fn literal<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Formula<'a>> {
    let mut is_negated = false;
    while cursor.take("!") {
        is_negated = !is_negated;
    }
    let formula = match (cursor.token().kind, cursor.text()) {
        (Kind::Mark, "(") if !is_term_in_parentheses(cursor) => {
            cursor.place += 1;
            let inside = disjunction(cursor)?;
            cursor.expect(")")?;
            inside
        }
        (Kind::Name, word @ ("true" | "false")) if !cursor.is_mark_ahead(1, "(") => {
            cursor.place += 1;
            Formula::Truth(word == "true")
        }
        (Kind::Name, _) if cursor.is_mark_ahead(1, ".") => return Err(StatementError::Unsupported),
        (Kind::Name, word) if cursor.is_mark_ahead(1, "(") && !matches!(word, "min" | "max" | "sum") => {
            atom_or_function(cursor)?
        }
        _ => comparison(cursor)?,
    };
    Ok(if is_negated { Formula::Not(Box::new(formula)) } else { formula })
}

/// Returns true if the parenthesis begins a term rather than a formula.
fn is_term_in_parentheses(cursor: &Cursor<'_, '_>) -> bool {
    let after = Cursor { place: cursor.after_group(), ..*cursor };
    sign(&after).is_some() || is_operator(&after)
}

/// Parses an atom. If an operator or a comparison follows, it is a call of a function, which is not modelled.
fn atom_or_function<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Formula<'a>> {
    let after = Cursor { place: cursor.place + 1, ..*cursor };
    let after = Cursor { place: after.after_group(), ..*cursor };
    let is_function = sign(&after).is_some() || is_operator(&after);
    if is_function || matches!(cursor.text(), "match" | "contains" | "not_match" | "not_contains") {
        return Err(StatementError::Unsupported);
    }
    let offset = cursor.offset();
    let name = cursor.name("a relation")?;
    Ok(Formula::Atom(atom(cursor, name, offset)?))
}

fn comparison<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Formula<'a>> {
    let offset = cursor.offset();
    let left = expression(cursor)?;
    let Some(comparison) = sign(cursor) else {
        return match left {
            Expression::Name(name) => invalid(
                offset,
                format!("expected a relation or a comparison, found `{name}`; try `{name}()`"),
            ),
            _ => cursor.unexpected("a comparison such as `=`"),
        };
    };
    cursor.place += 1;
    let right = expression(cursor)?;
    Ok(Formula::Compare(comparison, left, right))
}

fn sign(cursor: &Cursor<'_, '_>) -> Option<Comparison> {
    if cursor.token().kind != Kind::Mark {
        return None;
    }
    match cursor.text() {
        "=" => Some(Comparison::Equal),
        "!=" => Some(Comparison::Different),
        "<" => Some(Comparison::Less),
        "<=" => Some(Comparison::LessOrEqual),
        ">" => Some(Comparison::Greater),
        ">=" => Some(Comparison::GreaterOrEqual),
        _ => None,
    }
}
