//! Formulog, run as `java -jar formulog.jar FILE --dump-idb`. Written from its documentation; not tested with any
//! version.

use super::abilities::{Abilities, Texts};
use super::rewrite::prepare;
use super::rows::{Answers, quoted_value, require_all, row, split_values, text_of};
use super::syntax::{Names, Syntax, TermSyntax, clauses};
use crate::program::{Comparison, Operator, Program, Relation, RelationId, Tuple, Type, Variable};
use std::collections::BTreeSet;
use std::fmt::Write;

struct Formulog {
    names: Names,
}

fn abilities() -> Abilities {
    use Operator as O;
    Abilities {
        texts: Texts::Plain,
        numbers: i128::from(i32::MIN)..=i128::from(i32::MAX),
        single_variables: false,
        operators: &[O::Add, O::Subtract, O::Multiply, O::Negate, O::Divide, O::Remainder],
        ..Abilities::usual("formulog")
    }
}

pub(super) fn render(program: &Program) -> Result<String, String> {
    let program = prepare(program, &abilities())?;
    let formulog = Formulog { names: Names::small(&program) };
    let mut text = String::new();
    for id in program.ids() {
        let columns: Vec<String> =
            program.relation(id).columns.iter().map(|column| sort(*column).to_owned()).collect();
        let _ = writeln!(text, "rel {}", formulog.atom(formulog.names.of(id), &columns));
    }
    text += &clauses(&formulog, &program);
    Ok(text)
}

fn sort(r#type: Type) -> &'static str {
    if r#type == Type::Symbol { "string" } else { "i32" }
}

impl TermSyntax for Formulog {
    fn variable(&self, variable: Variable) -> String {
        format!("X{}", variable.0)
    }

    fn comparison(&self, comparison: Comparison, left: &str, right: &str) -> String {
        let function = match comparison {
            Comparison::Equal => return format!("{left} = {right}"),
            Comparison::Different => return format!("{left} != {right}"),
            Comparison::Less => "i32_lt",
            Comparison::LessOrEqual => "i32_le",
            Comparison::Greater => "i32_gt",
            Comparison::GreaterOrEqual => "i32_ge",
        };
        format!("{function}({left}, {right}) = true")
    }

    fn operation(&self, operator: Operator, operands: &[String]) -> String {
        let function = match operator {
            Operator::Add => "i32_add",
            Operator::Subtract => "i32_sub",
            Operator::Multiply => "i32_mul",
            Operator::Divide => "i32_sdiv",
            Operator::Remainder => "i32_srem",
            // The abilities exclude the others.
            Operator::Negate | Operator::Minimum | Operator::Maximum => "i32_neg",
        };
        format!("{function}({})", operands.join(", "))
    }
}

impl Syntax for Formulog {
    fn names(&self) -> &Names {
        &self.names
    }

    fn atom(&self, name: &str, arguments: &[String]) -> String {
        match arguments {
            [] => name.to_owned(),
            _ => format!("{name}({})", arguments.join(", ")),
        }
    }

    fn negation(&self, atom: &str) -> String {
        format!("!{atom}")
    }
}

pub(super) fn read(program: &Program, output: &[u8]) -> Result<Answers, String> {
    // Formulog prints all relations, including helpers.
    let prepared = prepare(program, &abilities())?;
    let names = Names::small(&prepared);
    let mut answers = Answers::new();
    let mut lines = text_of(output)?.lines().skip_while(|line| !line.starts_with("=====")).skip(1);
    while let Some(line) = lines.next() {
        if line.is_empty() {
            continue;
        }
        let (relation, count) = heading(&names, line)
            .ok_or_else(|| format!("expected the heading of a relation, found {line:?}"))?;
        let rows: Vec<&str> = lines.by_ref().take(count).collect();
        let rows = read_rows(prepared.relation(relation), names.of(relation), &rows, count)?;
        if program.relations.get(relation.index()).is_some_and(|relation| relation.is_output) {
            answers.insert(relation, rows);
        }
    }
    require_all(program, answers)
}

/// Reads the relation and the number of rows in `---------- r0 (3) ----------`.
fn heading(names: &Names, line: &str) -> Option<(RelationId, usize)> {
    let inside = line.strip_prefix("---------- ")?.strip_suffix(") ----------")?;
    let (name, count) = inside.split_once(" (")?;
    Some((names.find(name)?, count.parse().ok()?))
}

fn read_rows(
    relation: &Relation,
    name: &str,
    lines: &[&str],
    count: usize,
) -> Result<BTreeSet<Tuple>, String> {
    let rows: Result<BTreeSet<Tuple>, String> = lines
        .iter()
        .map(|line| match line.strip_prefix(name).map(|rest| rest.strip_prefix('(')) {
            Some(Some(inside)) => row(&relation.columns, split_values(inside, ')')?.0, quoted_value),
            Some(None) => row(&relation.columns, [], quoted_value),
            None => Err(format!("the line {line:?} is not a row of {name}")),
        })
        .collect();
    match rows? {
        rows if rows.len() == count => Ok(rows),
        _ => Err(format!("{name} should have {count} rows")),
    }
}
