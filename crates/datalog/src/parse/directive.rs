//! Parses statements that begin with a dot.

use super::cursor::Cursor;
use super::error::Parse;
use super::lexer::Kind;
use super::statement::skip_annotation;
use super::syntax::{Declaration, Request, Requests, Statement, TypeDefinition};

/// Parses a statement that begins with a dot and a word.
pub(super) fn directive<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Statement<'a>> {
    let first = cursor.place;
    let word = cursor.text();
    cursor.place += 1;
    match word {
        ".decl" => declaration(cursor, first),
        ".type" | ".number_type" | ".symbol_type" => type_definition(cursor, first, word),
        ".input" => requests(cursor, Request::Input),
        ".output" => requests(cursor, Request::Output),
        ".printsize" => requests(cursor, Request::PrintSize),
        ".limitsize" => requests(cursor, Request::LimitSize),
        ".plan" => plan(cursor),
        ".pragma" => pragma(cursor),
        ".once" => Ok(Statement::Hint),
        ".include" => {
            string(cursor)?;
            Ok(Statement::Include(cursor.source.range(first, cursor.place)))
        }
        _ => {
            skip_unsupported(cursor, word)?;
            Ok(Statement::Opaque(cursor.source.range(first, cursor.place)))
        }
    }
}

/// Reads a name that may be qualified with the names of components.
fn qualified_name<'a>(cursor: &mut Cursor<'_, 'a>, what: &str) -> Parse<(&'a str, usize)> {
    let (first, offset) = (cursor.place, cursor.offset());
    cursor.name(what)?;
    while cursor.is_mark(".")
        && cursor.source.token(cursor.place + 1).kind == Kind::Name
        && cursor.place > first
    {
        let is_joined = cursor.source.token(cursor.place - 1).end() == cursor.offset();
        if !is_joined {
            break;
        }
        cursor.place += 2;
    }
    Ok((cursor.source.range(first, cursor.place), offset))
}

fn names<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Vec<(&'a str, usize)>> {
    let mut names = vec![qualified_name(cursor, "the name of a relation")?];
    while cursor.take(",") {
        names.push(qualified_name(cursor, "the name of a relation")?);
    }
    Ok(names)
}

fn declaration<'a>(cursor: &mut Cursor<'_, 'a>, first: usize) -> Parse<Statement<'a>> {
    let names = names(cursor)?;
    // A relation declared as the delta of another one.
    if cursor.take("=") {
        qualified_name(cursor, "a function of a relation")?;
        skip_group(cursor, "(")?;
        return Ok(Statement::Opaque(cursor.source.range(first, cursor.place)));
    }
    let open = cursor.place;
    if !cursor.is_mark("(") {
        return cursor.unexpected("`(` and the columns");
    }
    let after = cursor.after_group();
    let columns_text =
        cursor.source.between(cursor.token().end(), cursor.source.token(after.saturating_sub(1)).start());
    let columns = columns(&mut Cursor { place: open + 1, end: after.saturating_sub(1), ..*cursor })?;
    cursor.place = after;
    let mut declaration = Declaration {
        names,
        columns_text,
        columns,
        qualifiers: Vec::new(),
        is_input: false,
        is_output: false,
        choice: None,
    };
    qualifiers(cursor, &mut declaration)?;
    Ok(Statement::Declaration(declaration))
}

/// Reads the types of columns. Returns `None` if a column is more than a name and a type name.
fn columns<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Option<Vec<(&'a str, usize)>>> {
    let mut columns = Vec::new();
    while !cursor.is_done() {
        while skip_annotation(cursor) {}
        cursor.name("the name of a column")?;
        cursor.expect(":")?;
        columns.push(qualified_name(cursor, "the type of the column")?);
        match cursor.text() {
            // A lattice column.
            "<" | ";" => return Ok(None),
            "," => cursor.place += 1,
            _ if cursor.is_done() => return Ok(Some(columns)),
            _ => return cursor.unexpected("`,` or `)` after the column"),
        }
        if cursor.is_done() {
            return cursor.unexpected("another column after `,`");
        }
    }
    Ok(Some(columns))
}

/// The qualifiers that may follow the columns.
const QUALIFIERS: [&str; 10] = [
    "brie",
    "btree",
    "btree_delete",
    "eqrel",
    "inline",
    "no_inline",
    "magic",
    "no_magic",
    "overridable",
    "provenance",
];

fn qualifiers<'a>(cursor: &mut Cursor<'_, 'a>, declaration: &mut Declaration<'a>) -> Parse<()> {
    while cursor.token().kind == Kind::Name {
        match cursor.text() {
            "input" => declaration.is_input = true,
            "output" | "printsize" => declaration.is_output = true,
            "choice" if cursor.is_mark_ahead(1, "-") => {
                let first = cursor.place;
                choice(cursor)?;
                declaration.choice = Some(cursor.source.range(first, cursor.place));
                continue;
            }
            word if QUALIFIERS.contains(&word) => declaration.qualifiers.push(word),
            // The next statement begins.
            _ => break,
        }
        cursor.place += 1;
    }
    Ok(())
}

/// Skips `choice-domain` and its columns.
fn choice(cursor: &mut Cursor<'_, '_>) -> Parse<()> {
    cursor.place += 2;
    cursor.name("`domain`")?;
    loop {
        match cursor.is_mark("(") {
            true => cursor.place = cursor.after_group(),
            false => {
                cursor.name("a column")?;
            }
        }
        if !cursor.take(",") {
            return Ok(());
        }
    }
}

fn type_definition<'a>(cursor: &mut Cursor<'_, 'a>, first: usize, word: &str) -> Parse<Statement<'a>> {
    let (name, _) = qualified_name(cursor, "the name of a type")?;
    let parts = match word {
        ".number_type" => Some(vec!["number"]),
        ".symbol_type" => Some(vec!["symbol"]),
        _ if cursor.take("<:") => Some(vec![qualified_name(cursor, "a type")?.0]),
        _ if cursor.take("=") => type_parts(cursor)?,
        // The oldest syntax for a type, whose values are strings.
        _ => Some(vec!["symbol"]),
    };
    let text = cursor.source.range(first, cursor.place);
    Ok(Statement::Type(TypeDefinition { name, parts, text }))
}

/// Reads the types of which a type is the union. Returns `None` for records and algebraic data types.
fn type_parts<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Option<Vec<&'a str>>> {
    let mut parts = Some(Vec::new());
    loop {
        while skip_annotation(cursor) {}
        if cursor.is_mark("[") {
            cursor.place = cursor.after_group();
            parts = None;
        } else {
            let (part, _) = qualified_name(cursor, "a type")?;
            if let Some(parts) = &mut parts {
                parts.push(part);
            }
        }
        if cursor.is_mark("{") {
            cursor.place = cursor.after_group();
            parts = None;
        }
        if !cursor.take("|") {
            return Ok(parts);
        }
    }
}

fn requests<'a>(cursor: &mut Cursor<'_, 'a>, request: Request) -> Parse<Statement<'a>> {
    let names = names(cursor)?;
    let mut requests = Requests { request, names, parameters: Vec::new(), parameters_text: "" };
    if cursor.is_mark("(") {
        let (first, after) = (cursor.place, cursor.after_group());
        requests.parameters_text = cursor.source.range(first, after);
        let inside = Cursor { place: first + 1, end: after - 1, ..*cursor };
        requests.parameters = parameters(inside)?;
        cursor.place = after;
    }
    Ok(Statement::Requests(requests))
}

fn parameters<'a>(mut cursor: Cursor<'_, 'a>) -> Parse<Vec<(&'a str, &'a str)>> {
    let mut parameters = Vec::new();
    while !cursor.is_done() {
        let name = cursor.name("the name of a parameter")?;
        cursor.expect("=")?;
        let first = cursor.place;
        while !cursor.is_done() && !cursor.is_mark(",") {
            cursor.place += 1;
        }
        if cursor.place == first {
            return cursor.unexpected("the value of the parameter");
        }
        parameters.push((name, cursor.source.range(first, cursor.place)));
        cursor.take(",");
    }
    Ok(parameters)
}

/// Skips a `.plan`, which sets the join order of the last clause.
fn plan<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Statement<'a>> {
    loop {
        if cursor.token().kind != Kind::Integer {
            return cursor.unexpected("the number of a version in `.plan`");
        }
        cursor.place += 1;
        cursor.expect(":")?;
        skip_group(cursor, "(")?;
        if !cursor.take(",") {
            return Ok(Statement::Hint);
        }
    }
}

fn pragma<'a>(cursor: &mut Cursor<'_, 'a>) -> Parse<Statement<'a>> {
    string(cursor)?;
    while cursor.token().kind == Kind::Text {
        cursor.place += 1;
    }
    Ok(Statement::Hint)
}

fn string(cursor: &mut Cursor<'_, '_>) -> Parse<()> {
    match cursor.token().kind {
        Kind::Text => {
            cursor.place += 1;
            Ok(())
        }
        _ => cursor.unexpected("a quoted string"),
    }
}

fn skip_group(cursor: &mut Cursor<'_, '_>, open: &str) -> Parse<()> {
    if !cursor.is_mark(open) {
        return cursor.unexpected(&format!("`{open}`"));
    }
    cursor.place = cursor.after_group();
    Ok(())
}

/// Skips a statement that is not modelled.
fn skip_unsupported(cursor: &mut Cursor<'_, '_>, word: &str) -> Parse<()> {
    match word {
        ".comp" | ".lattice" => skip_to_braces(cursor),
        ".init" => {
            cursor.name("the name of an instance")?;
            cursor.expect("=")?;
            qualified_name(cursor, "the name of a component")?;
            skip_angles(cursor)
        }
        ".functor" => {
            cursor.name("the name of a function")?;
            skip_group(cursor, "(")?;
            cursor.expect(":")?;
            qualified_name(cursor, "the type of the function")?;
            cursor.take_word("stateful");
            Ok(())
        }
        _ => names(cursor).map(|_| ()),
    }
}

/// Skips everything up to and including the next braces, which must come before the next statement.
fn skip_to_braces(cursor: &mut Cursor<'_, '_>) -> Parse<()> {
    cursor.name("a name")?;
    while !cursor.is_mark("{") {
        if matches!(cursor.token().kind, Kind::End | Kind::Directive) {
            return cursor.unexpected("`{`");
        }
        cursor.place += 1;
    }
    skip_group(cursor, "{")
}

/// Skips the parameters of a component, if there are any.
fn skip_angles(cursor: &mut Cursor<'_, '_>) -> Parse<()> {
    if !cursor.take("<") {
        return Ok(());
    }
    let mut depth = 1;
    while depth > 0 {
        match cursor.text() {
            "<" => depth += 1,
            ">" => depth -= 1,
            ">>" => depth -= 2,
            _ if matches!(cursor.token().kind, Kind::End | Kind::Directive) => {
                return cursor.unexpected("`>`");
            }
            _ => {}
        }
        cursor.place += 1;
    }
    Ok(())
}
