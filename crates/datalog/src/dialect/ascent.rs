//! Ascent, a Rust macro.

use super::abilities::{ALL_OPERATORS, Abilities, NegatedWildcard};
use super::rewrite::prepare;
use super::rows::{Answers, read_marked};
use super::rust::{printing, rust_constant, rust_operation, rust_type};
use super::syntax::{Names, Syntax, TermSyntax, double_equals_sign, rule_text};
use crate::program::{Comparison, Constant, Operator, Program, Type};
use std::fmt::Write;

struct Ascent {
    names: Names,
}

fn abilities(program: &Program) -> Abilities {
    let has_texts = program.relations.iter().any(|relation| relation.columns.contains(&Type::Symbol));
    Abilities {
        numbers: i128::from(i64::MIN)..=i128::from(u64::MAX),
        operators: &ALL_OPERATORS,
        negated_wildcards: NegatedWildcard::Helper,
        // A string is itself a reference, and the macro would compare it with a reference to a reference.
        repeated_variables: !has_texts,
        ..Abilities::usual("ascent")
    }
}

/// Writes a module with a function `run` that prints the results.
pub(super) fn module(program: &Program, module: &str) -> Result<String, String> {
    let program = prepare(program, &abilities(program))?;
    let ascent = Ascent { names: Names::small(&program) };
    let mut text = format!(
        "mod {module} {{\n    use super::Show;\n\n    ascent::ascent! {{\n        pub struct Rows;\n"
    );
    for id in program.ids() {
        let columns: Vec<&str> =
            program.relation(id).columns.iter().map(|column| rust_type(*column)).collect();
        let _ = writeln!(text, "        relation {}({});", ascent.names.of(id), columns.join(", "));
    }
    for rule in &program.rules {
        let _ = writeln!(text, "        {}", rule_text(&ascent, rule));
    }
    text += "    }\n\n    pub fn run() {\n        let mut program = Rows::default();\n";
    for id in program.ids() {
        let rows: Vec<String> = program.relation(id).facts.iter().map(|row| tuple(row)).collect();
        let _ = writeln!(text, "        program.{} = vec![{}];", ascent.names.of(id), rows.join(", "));
    }
    text += "        program.run();\n";
    for output in program.outputs() {
        let name = ascent.names.of(output);
        text += &printing(name, &format!("&program.{name}"), program.relation(output).columns.len());
    }
    text += "        print!(\"done\\n\");\n    }\n}\n";
    Ok(text)
}

/// Writes a row as a tuple, even if it has one value.
fn tuple(row: &[Constant]) -> String {
    let values: String = row.iter().map(|value| format!("{}, ", rust_constant(value))).collect();
    format!("({})", values.trim_end())
}

impl TermSyntax for Ascent {
    fn constant(&self, constant: &Constant) -> String {
        rust_constant(constant)
    }

    fn comparison(&self, comparison: Comparison, left: &str, right: &str) -> String {
        format!("if {} {} {}", value(left), double_equals_sign(comparison), value(right))
    }

    fn assignment(&self, variable: &str, term: &str, _is_computed: bool) -> String {
        format!("let {variable} = &({})", value(term))
    }

    fn operation(&self, operator: Operator, operands: &[String]) -> String {
        let operands: Vec<String> = operands.iter().map(|operand| value(operand)).collect();
        rust_operation(operator, &operands)
    }
}

impl Syntax for Ascent {
    fn names(&self) -> &Names {
        &self.names
    }

    fn negation(&self, atom: &str) -> String {
        format!("!{atom}")
    }

    fn rule(&self, head: &str, body: &[String]) -> String {
        format!("{head} <-- {};", body.join(", "))
    }
}

/// Dereferences a variable: operations and comparisons need values, but variables are references.
fn value(term: &str) -> String {
    match term.strip_prefix('x') {
        Some(number) if number.bytes().all(|byte| byte.is_ascii_digit()) => format!("(*{term})"),
        _ => term.to_owned(),
    }
}

pub(super) fn read(program: &Program, output: &[u8]) -> Result<Answers, String> {
    read_marked(program, &Names::small(program), output, false)
}
