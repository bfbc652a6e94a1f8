//! clingo: answer set programming. A stratified program has one answer set, which is read from `clingo FILE 0 -V0`.

use super::abilities::{ALL_AGGREGATES, ALL_OPERATORS, Abilities};
use super::rewrite::prepare;
use super::rows::{Answers, output_of, quoted_value, row, split_values, text_of};
use super::syntax::{
    AggregateParts, Names, Syntax, TermSyntax, clauses, constant_text, infix_or_call, quoted,
};
use crate::program::{Aggregate, Constant, Operator, Program, RelationId, Tuple, Variable};
use std::collections::BTreeSet;
use std::fmt::Write;

struct Clingo {
    names: Names,
}

fn abilities() -> Abilities {
    Abilities {
        numbers: i128::from(i32::MIN)..=i128::from(i32::MAX),
        operators: &ALL_OPERATORS,
        aggregates: &ALL_AGGREGATES,
        // clingo has no such functions, and expressing them by absolute values might overflow 32 bits.
        min_max_by_rules: true,
        ..Abilities::usual("clingo")
    }
}

pub(super) fn render(program: &Program) -> Result<String, String> {
    let program = prepare(program, &abilities())?;
    let clingo = Clingo { names: Names::small(&program) };
    let mut text = clauses(&clingo, &program);
    // Without any `#show`, clingo prints all relations.
    for output in program.outputs() {
        let columns = program.relation(output).columns.len();
        let _ = writeln!(text, "#show {}/{columns}.", clingo.names.of(output));
    }
    Ok(text)
}

impl TermSyntax for Clingo {
    fn variable(&self, variable: Variable) -> String {
        format!("X{}", variable.0)
    }

    fn constant(&self, constant: &Constant) -> String {
        // clingo has no escape for tabs.
        constant_text(constant, |text| quoted(text, '"').replace("\\t", "\t"))
    }

    fn operation(&self, operator: Operator, operands: &[String]) -> String {
        match (operator, operands) {
            (Operator::Remainder, [left, right]) => format!("({left} \\ {right})"),
            _ => infix_or_call(operator, operands),
        }
    }

    fn aggregate(&self, parts: &AggregateParts) -> String {
        // Elements form a set: with all local variables in them, each solution counts once.
        let first = parts.term.clone().unwrap_or_else(|| "0".to_owned());
        let tuple: Vec<&str> = std::iter::once(&first).chain(&parts.local).map(String::as_str).collect();
        let (function, none) = match parts.function {
            Aggregate::Count => ("#count", None),
            Aggregate::Sum => ("#sum", None),
            Aggregate::Minimum => ("#min", Some("#sup")),
            Aggregate::Maximum => ("#max", Some("#inf")),
        };
        let result = &parts.result;
        let value = format!("{result} = {function} {{ {} : {} }}", tuple.join(","), parts.body.join(", "));
        match none {
            Some(none) => format!("{value}, {result} != {none}"),
            None => value,
        }
    }
}

impl Syntax for Clingo {
    fn names(&self) -> &Names {
        &self.names
    }

    fn atom(&self, name: &str, arguments: &[String]) -> String {
        match arguments {
            [] => name.to_owned(),
            _ => format!("{name}({})", arguments.join(",")),
        }
    }
}

pub(super) fn read(program: &Program, output: &[u8]) -> Result<Answers, String> {
    // Line breaks in strings are escaped, so the answer set is one line.
    let lines: Vec<&str> = text_of(output)?.lines().collect();
    let [atoms, "SATISFIABLE"] = lines.as_slice() else {
        return Err(format!("expected one answer set, found {} lines", lines.len()));
    };
    let names = Names::small(program);
    let mut answers: Answers = program.outputs().map(|id| (id, BTreeSet::new())).collect();
    let mut rest = *atoms;
    while !rest.is_empty() {
        let (relation, row, after) = read_atom(program, &names, rest)?;
        answers.entry(relation).or_default().insert(row);
        rest = after.strip_prefix(' ').unwrap_or(after);
    }
    Ok(answers)
}

/// Reads an atom at the start of a text and returns it with the rest.
fn read_atom<'a>(
    program: &Program,
    names: &Names,
    text: &'a str,
) -> Result<(RelationId, Tuple, &'a str), String> {
    let end = text.find([' ', '(']).unwrap_or(text.len());
    let relation = output_of(program, names, &text[..end])?;
    let (values, rest) = match text[end..].strip_prefix('(') {
        Some(inside) => split_values(inside, ')')?,
        None => (Vec::new(), &text[end..]),
    };
    let row = row(&program.relation(relation).columns, values, quoted_value)?;
    Ok((relation, row, rest))
}
