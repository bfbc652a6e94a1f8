//! Reads values by the types of their columns, and rows in the format that our own scripts print.
//!
//! In that format, each output relation is a line `begin NAME`, a line with `NAME` and the tab-separated values for each
//! row, and a line `end NAME`. The last line is `done`. Values escape backslashes, tabs and line breaks as `\\`, `\t` and
//! `\n`.

use super::syntax::Names;
use crate::program::{Constant, Program, RelationId, Tuple, Type};
use std::collections::{BTreeMap, BTreeSet};

/// The rows of each output.
pub(super) type Answers = BTreeMap<RelationId, BTreeSet<Tuple>>;

/// Returns the output of an engine as a string.
pub(super) fn text_of(output: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(output).map_err(|problem| format!("the output is not valid UTF-8: {problem}"))
}

/// Returns an error if the engine did not print all output relations.
pub(super) fn require_all(program: &Program, answers: Answers) -> Result<Answers, String> {
    match program.outputs().find(|id| !answers.contains_key(id)) {
        Some(missing) => Err(format!("the output lacks {}", program.relation(missing).name)),
        None => Ok(answers),
    }
}

/// Finds an output relation by its name in the dialect.
pub(super) fn output_of(program: &Program, names: &Names, name: &str) -> Result<RelationId, String> {
    names
        .find(name)
        .filter(|id| program.relation(*id).is_output)
        .ok_or_else(|| format!("there is no output relation {name}"))
}

/// Parses a number of a type.
pub(super) fn number(text: &str, r#type: Type) -> Result<Constant, String> {
    let problem = || format!("{text} is not of type {type}");
    match r#type {
        Type::Signed => text.parse().map(Constant::Signed).map_err(|_| problem()),
        Type::Unsigned => text.parse().map(Constant::Unsigned).map_err(|_| problem()),
        Type::Float => text.parse().map(Constant::float).map_err(|_| problem()),
        Type::Symbol => Err(problem()),
    }
}

/// Parses a row from the texts of its values.
pub(super) fn row<'a>(
    columns: &[Type],
    values: impl IntoIterator<Item = &'a str>,
    read: impl Fn(&str, Type) -> Result<Constant, String>,
) -> Result<Tuple, String> {
    let values: Vec<&str> = values.into_iter().collect();
    if values.len() != columns.len() {
        return Err(format!("a row has {} values instead of {}", values.len(), columns.len()));
    }
    values.into_iter().zip(columns).map(|(value, r#type)| read(value, *r#type)).collect()
}

/// Reads the format of our own scripts. `widened` tells that nullary relations were given a column.
pub(super) fn read_marked(
    program: &Program,
    names: &Names,
    output: &[u8],
    widened: bool,
) -> Result<Answers, String> {
    let mut answers = Answers::new();
    let mut open: Option<(RelationId, BTreeSet<Tuple>)> = None;
    let mut is_done = false;
    for line in text_of(output)?.lines() {
        if is_done {
            return Err(format!("the line {line:?} comes after the end"));
        }
        match (&mut open, line.split_once(' ')) {
            (None, Some(("begin", name))) => open = Some((output_of(program, names, name)?, BTreeSet::new())),
            (None, None) if line == "done" => is_done = true,
            (Some((relation, _)), Some(("end", name))) if names.of(*relation) == name => {
                if let Some((relation, rows)) = open.take()
                    && answers.insert(relation, rows).is_some()
                {
                    return Err(format!("{name} is printed twice"));
                }
            }
            (Some((relation, rows)), _) => {
                let row = marked_row(program, *relation, names.of(*relation), line, widened)?;
                rows.insert(row);
            }
            (None, _) => return Err(format!("cannot read the line {line:?}")),
        }
    }
    match is_done {
        true => require_all(program, answers),
        false => Err("the output was cut off".to_owned()),
    }
}

fn marked_row(
    program: &Program,
    relation: RelationId,
    name: &str,
    line: &str,
    widened: bool,
) -> Result<Tuple, String> {
    let mut parts = line.split('\t');
    if parts.next() != Some(name) {
        return Err(format!("the line {line:?} is not a row of {name}"));
    }
    let columns = &program.relation(relation).columns;
    if columns.is_empty() && widened {
        return flag_row(parts);
    }
    row(columns, parts, marked_value)
}

/// Reads the row of a nullary relation that was given a column, which must be zero.
pub(super) fn flag_row<'a>(values: impl IntoIterator<Item = &'a str>) -> Result<Tuple, String> {
    row(&[Type::Signed], values, number).and_then(|row| match row == [Constant::Signed(0)] {
        true => Ok(Vec::new()),
        false => Err("the column of a nullary relation is not zero".to_owned()),
    })
}

fn marked_value(text: &str, r#type: Type) -> Result<Constant, String> {
    match r#type {
        Type::Symbol => unescaped(text).map(|text| Constant::Symbol(text.into())),
        other => number(text, other),
    }
}

/// Resolves the escapes `\\`, `\t`, `\n` and escaped quotes.
pub(super) fn unescaped(text: &str) -> Result<String, String> {
    let mut result = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, letter == '\\') {
            (letter, false) => result.push(letter),
            (_, true) => result.push(match letters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some(quote @ ('\\' | '"' | '\'')) => quote,
                _ => return Err(format!("unknown escape in {text}")),
            }),
        }
    }
    Ok(result)
}

/// Splits comma-separated values up to a closing character, and returns them with the rest. Strings are quoted.
pub(super) fn split_values(text: &str, closing: char) -> Result<(Vec<&str>, &str), String> {
    let (mut values, mut start, mut is_quoted, mut is_escaped) = (Vec::new(), 0, false, false);
    for (place, letter) in text.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if !is_quoted && (letter == ',' || letter == closing) => {
                values.push(text[start..place].trim());
                start = place + 1;
                if letter == closing {
                    return Ok((values, &text[start..]));
                }
            }
            _ => {}
        }
    }
    Err("a row was cut off".to_owned())
}

/// Parses a number or a quoted string.
pub(super) fn quoted_value(text: &str, r#type: Type) -> Result<Constant, String> {
    match (r#type, text.strip_prefix('"').and_then(|text| text.strip_suffix('"'))) {
        (Type::Symbol, Some(inside)) => unescaped(inside).map(|text| Constant::Symbol(text.into())),
        (other, _) => number(text, other),
    }
}

/// Parses a row whose strings are quoted. Nullary relations were given a column, which must be zero.
pub(super) fn quoted_row(columns: &[Type], values: Vec<&str>) -> Result<Tuple, String> {
    match columns {
        [] => flag_row(values),
        columns => row(columns, values, quoted_value),
    }
}
