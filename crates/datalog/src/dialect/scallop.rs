//! Scallop, run as `scli FILE`. Written from its documentation; not tested with any version.

use super::abilities::{Abilities, Texts};
use super::rewrite::prepare;
use super::rows::{Answers, output_of, quoted_row, require_all, split_values, text_of};
use super::rust::rust_type;
use super::syntax::{Names, Syntax, TermSyntax, clauses, double_equals_sign};
use crate::program::{Comparison, Operator, Program, Tuple, Type};
use std::collections::BTreeSet;
use std::fmt::Write;

struct Scallop {
    names: Names,
}

fn abilities() -> Abilities {
    Abilities {
        texts: Texts::Plain,
        flags: false,
        operators: &[Operator::Add, Operator::Subtract, Operator::Multiply],
        ..Abilities::usual("scallop")
    }
}

pub(super) fn render(program: &Program) -> Result<String, String> {
    let program = prepare(program, &abilities())?;
    let scallop = Scallop { names: Names::small(&program) };
    let mut text = String::new();
    for id in program.ids() {
        let columns: Vec<&str> = program.relation(id).columns.iter().map(|column| sort(*column)).collect();
        let _ = writeln!(text, "type {}({})", scallop.names.of(id), columns.join(", "));
    }
    text += &clauses(&scallop, &program);
    for output in program.outputs() {
        let _ = writeln!(text, "query {}", scallop.names.of(output));
    }
    Ok(text)
}

fn sort(r#type: Type) -> &'static str {
    if r#type == Type::Symbol { "String" } else { rust_type(r#type) }
}

impl TermSyntax for Scallop {
    fn comparison(&self, comparison: Comparison, left: &str, right: &str) -> String {
        format!("{left} {} {right}", double_equals_sign(comparison))
    }
}

impl Syntax for Scallop {
    fn names(&self) -> &Names {
        &self.names
    }

    fn rule(&self, head: &str, body: &[String]) -> String {
        format!("rel {head} = {}", body.join(" and "))
    }

    fn fact(&self, atom: &str) -> String {
        format!("rel {atom}")
    }
}

pub(super) fn read(program: &Program, output: &[u8]) -> Result<Answers, String> {
    let names = Names::small(program);
    let mut answers = Answers::new();
    for line in text_of(output)?.lines() {
        let problem = || format!("cannot read the line {line:?}");
        let (name, rows) = line.split_once(": {").ok_or_else(problem)?;
        let rows = rows.strip_suffix('}').ok_or_else(problem)?;
        let relation = output_of(program, &names, name)?;
        let rows = read_rows(&program.relation(relation).columns, rows)?;
        if answers.insert(relation, rows).is_some() {
            return Err(format!("{name} is printed twice"));
        }
    }
    require_all(program, answers)
}

/// Reads rows such as `(1, "a"), (2, "b")`. A row with one value may have a trailing comma.
fn read_rows(columns: &[Type], text: &str) -> Result<BTreeSet<Tuple>, String> {
    let mut rows = BTreeSet::new();
    let mut rest = text;
    while !rest.is_empty() {
        let inside = rest.strip_prefix('(').ok_or_else(|| format!("expected a row, found {rest:?}"))?;
        let (mut values, after) = split_values(inside, ')')?;
        if values.len() == 2 && values.last() == Some(&"") {
            values.pop();
        }
        rows.insert(quoted_row(columns, values)?);
        rest = after.strip_prefix(", ").unwrap_or(after);
    }
    Ok(rows)
}
