//! Splits a text into statements and parses each of them.

use super::clause;
use super::cursor::Cursor;
use super::directive;
use super::error::{Failure, StatementError};
use super::expand::is_modelled;
use super::lexer::{Kind, Source};
use super::syntax::Statement;

/// Parses all statements of a text.
pub(super) fn statements<'a>(source: &Source<'a>) -> Result<Vec<Statement<'a>>, Failure> {
    let mut cursor = Cursor::new(source, 0, source.count());
    let mut statements = Vec::new();
    while !cursor.is_done() {
        statements.push(match cursor.token().kind {
            Kind::Directive => directive_or_opaque(&mut cursor)?,
            Kind::Name => clause_or_opaque(&mut cursor)?,
            _ if skip_annotation(&mut cursor) => continue,
            _ => return Err(unknown(&cursor)),
        });
    }
    Ok(statements)
}

/// Skips an annotation for other tools, if one is next.
pub(super) fn skip_annotation(cursor: &mut Cursor<'_, '_>) -> bool {
    let signs = if cursor.is_mark_ahead(1, "!") { 2 } else { 1 };
    let is_annotation = cursor.is_mark("@") && cursor.is_mark_ahead(signs, "[");
    if is_annotation {
        cursor.place += signs;
        cursor.place = cursor.after_group();
    }
    is_annotation
}

fn unknown(cursor: &Cursor<'_, '_>) -> Failure {
    let found = match cursor.is_mark(".") {
        true => format!(".{}", cursor.source.text(cursor.place + 1)),
        false => cursor.text().to_owned(),
    };
    let message =
        format!("expected a statement such as `.decl` or one that begins with a relation, found `{found}`");
    Failure::new(cursor.offset(), message)
}

fn directive_or_opaque<'a>(cursor: &mut Cursor<'_, 'a>) -> Result<Statement<'a>, Failure> {
    match directive::directive(cursor) {
        Ok(statement) => Ok(statement),
        Err(StatementError::Invalid(failure)) => Err(failure),
        // The parsers of unsupported directives skip them, so this directive is unknown.
        Err(StatementError::Unsupported) => Err(unknown(cursor)),
    }
}

fn clause_or_opaque<'a>(cursor: &mut Cursor<'_, 'a>) -> Result<Statement<'a>, Failure> {
    let (source, first) = (cursor.source, cursor.place);
    let end = clause_end(source, first)?;
    cursor.place = end + 1;
    let text = source.range(first, end + 1);
    match clause::clause(&mut Cursor::new(source, first, end)) {
        Ok(clause) if is_modelled(&clause) => Ok(Statement::Clause { clause, text }),
        Ok(_) | Err(StatementError::Unsupported) => {
            Ok(Statement::OpaqueClause { heads: heads(source, first, end), text })
        }
        Err(StatementError::Invalid(failure)) => Err(failure),
    }
}

/// Returns the index of the dot that ends the clause.
pub(super) fn clause_end(source: &Source<'_>, first: usize) -> Result<usize, Failure> {
    let mut place = first;
    let mut last_link = None;
    let mut has_body = false;
    loop {
        let token = source.token(place);
        let text = source.text(place);
        match (token.kind, text) {
            (Kind::Mark, "(" | "[" | "{") => place = token.partner().max(place),
            (Kind::Mark, ".") if is_link(source, first, place, last_link, has_body) => {
                last_link = Some(place)
            }
            (Kind::Mark, ".") => return Ok(place),
            (Kind::Mark, ":-") if !has_body => has_body = true,
            (Kind::Directive | Kind::End, _) | (Kind::Mark, ":-") => {
                let message = "the clause before this is not terminated; try adding `.` at its end";
                return Err(Failure::new(source.token(place).start(), message));
            }
            _ => {}
        }
        place += 1;
    }
}

/// Returns true if the dot is part of a qualified name, `component.relation`, and does not end the clause: the first name
/// is where an atom may begin, not where a term ends.
fn is_link(
    source: &Source<'_>,
    first: usize,
    place: usize,
    last_link: Option<usize>,
    has_body: bool,
) -> bool {
    let is_name = place > first && source.token(place - 1).kind == Kind::Name;
    if !is_name || matches!(source.text(place - 1), "true" | "false") {
        return false;
    }
    let is_followed = source.token(place + 1).kind == Kind::Name
        && (source.is_mark(place + 2, "(") || source.is_mark(place + 2, "."));
    let begins = place - 1 == first
        || last_link == Some(place - 2)
        || [",", ";", "!", ":-"].iter().any(|mark| source.is_mark(place - 2, mark))
        || (!has_body && source.is_mark(place - 2, "<="));
    is_followed && begins
}

/// Returns the relations before `:-`, outside of brackets.
fn heads<'a>(source: &Source<'a>, first: usize, end: usize) -> Vec<&'a str> {
    let mut heads = Vec::new();
    let mut place = first;
    while place < end && !source.is_mark(place, ":-") {
        if source.token(place).kind == Kind::Name && source.is_mark(place + 1, "(") {
            let is_qualified = place > first && source.is_mark(place - 1, ".");
            heads.extend((!is_qualified).then(|| source.text(place)));
            place = source.token(place + 1).partner().max(place);
        }
        place += 1;
    }
    heads
}
