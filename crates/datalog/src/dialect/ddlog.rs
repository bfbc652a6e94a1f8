//! Differential Datalog. Its compiler produces a program that reads [`commands`]. Written from its documentation; not
//! tested with any version.

use super::abilities::{Abilities, NegatedWildcard, Texts};
use super::rewrite::prepare;
use super::rows::{Answers, output_of, quoted_row, require_all, split_values, text_of};
use super::syntax::{Names, Syntax, TermSyntax, clauses, double_equals_sign};
use crate::program::{Comparison, Operator, Program, RelationId, Tuple, Type};
use std::collections::BTreeSet;
use std::fmt::Write;

struct DifferentialDatalog {
    names: Names,
}

fn abilities() -> Abilities {
    Abilities {
        texts: Texts::Plain,
        flags: false,
        negated_wildcards: NegatedWildcard::Helper,
        operators: &[Operator::Add, Operator::Subtract, Operator::Multiply],
        ..Abilities::usual("ddlog")
    }
}

pub(super) fn render(program: &Program) -> Result<String, String> {
    let program = prepare(program, &abilities())?;
    let ddlog = DifferentialDatalog { names: Names::capital(&program) };
    let mut text = String::new();
    for id in program.ids() {
        let relation = program.relation(id);
        let columns = relation.columns.iter().enumerate();
        let columns: Vec<String> =
            columns.map(|(place, column)| format!("c{place}: {}", sort(*column))).collect();
        let output = if relation.is_output { "output " } else { "" };
        let _ = writeln!(text, "{output}relation {}({})", ddlog.names.of(id), columns.join(", "));
    }
    text += &clauses(&ddlog, &program);
    Ok(text)
}

/// Writes the commands that print every output relation between marker lines.
pub(super) fn commands(program: &Program) -> String {
    let names = Names::capital(program);
    let mut text = String::from("start;\ncommit;\n");
    for output in program.outputs() {
        let name = names.of(output);
        let _ = writeln!(text, "echo begin {name};\ndump {name};\necho end {name};");
    }
    text += "echo done;\nexit;\n";
    text
}

fn sort(r#type: Type) -> &'static str {
    if r#type == Type::Symbol { "string" } else { "signed<64>" }
}

impl TermSyntax for DifferentialDatalog {
    fn comparison(&self, comparison: Comparison, left: &str, right: &str) -> String {
        format!("{left} {} {right}", double_equals_sign(comparison))
    }

    fn assignment(&self, variable: &str, value: &str, _is_computed: bool) -> String {
        format!("var {variable} = {value}")
    }
}

impl Syntax for DifferentialDatalog {
    fn names(&self) -> &Names {
        &self.names
    }
}

pub(super) fn read(program: &Program, output: &[u8]) -> Result<Answers, String> {
    let names = Names::capital(program);
    let mut answers = Answers::new();
    let mut open: Option<(RelationId, BTreeSet<Tuple>)> = None;
    let mut is_done = false;
    for line in text_of(output)?.lines() {
        if let Some(name) = line.strip_prefix("begin ")
            && open.is_none()
        {
            open = Some((output_of(program, &names, name.trim_end())?, BTreeSet::new()));
        } else if line.starts_with("end ")
            && let Some((relation, rows)) = open.take()
        {
            answers.insert(relation, rows);
        } else if line.trim_end() == "done" && open.is_none() {
            is_done = true;
        } else if let Some((relation, rows)) = &mut open {
            rows.insert(read_row(&program.relation(*relation).columns, names.of(*relation), line)?);
        } else {
            return Err(format!("cannot read the line {line:?}"));
        }
    }
    match is_done {
        true => require_all(program, answers),
        false => Err("the output was cut off".to_owned()),
    }
}

/// Reads a row such as `R0{.c0 = 1, .c1 = "a"}`, with or without the names of columns.
fn read_row(columns: &[Type], name: &str, line: &str) -> Result<Tuple, String> {
    let inside = line.strip_prefix(name).and_then(|rest| rest.strip_prefix('{'));
    let inside = inside.ok_or_else(|| format!("the line {line:?} is not a row of {name}"))?;
    let (values, after) = split_values(inside, '}')?;
    if !after.trim().is_empty() {
        return Err(format!("unexpected text after the row {line:?}"));
    }
    let value = |value: &&'_ str| value.starts_with(".c").then(|| value.find('=')).flatten();
    let values = values.iter().map(|text| value(text).map_or(*text, |place| text[place + 1..].trim()));
    quoted_row(columns, values.collect())
}
