//! Crepe, a Rust macro.

use super::abilities::{ALL_OPERATORS, Abilities, NegatedWildcard};
use super::rewrite::prepare;
use super::rows::{Answers, read_marked};
use super::rust::{printing, rust_constant, rust_operation, rust_type};
use super::syntax::{Names, Syntax, TermSyntax, clauses, double_equals_sign};
use crate::program::{Comparison, Constant, Operator, Program};
use std::fmt::Write;

struct Crepe {
    names: Names,
}

fn abilities() -> Abilities {
    Abilities {
        numbers: i128::from(i64::MIN)..=i128::from(u64::MAX),
        operators: &ALL_OPERATORS,
        flags: false,
        repeated_variables: false,
        negated_wildcards: NegatedWildcard::Helper,
        ..Abilities::usual("crepe")
    }
}

/// Writes a module with a function `run` that prints the results.
pub(super) fn module(program: &Program, module: &str) -> Result<String, String> {
    let program = prepare(program, &abilities())?;
    let crepe = Crepe { names: Names::capital(&program) };
    let mut text = format!("mod {module} {{\n    use super::Show;\n\n    crepe::crepe! {{\n");
    for id in program.ids() {
        let relation = program.relation(id);
        let columns: Vec<&str> = relation.columns.iter().map(|column| rust_type(*column)).collect();
        let output = if relation.is_output { "@output " } else { "" };
        let _ = writeln!(text, "        {output}struct {}({});", crepe.names.of(id), columns.join(", "));
    }
    for clause in clauses(&crepe, &program).lines() {
        let _ = writeln!(text, "        {clause}");
    }
    text += "    }\n\n    pub fn run() {\n        let results = Crepe::new().run();\n";
    for (place, output) in program.outputs().enumerate() {
        let columns = program.relation(output).columns.len();
        text += &printing(crepe.names.of(output), &format!("&results.{place}"), columns);
    }
    text += "        print!(\"done\\n\");\n    }\n}\n";
    Ok(text)
}

impl TermSyntax for Crepe {
    fn constant(&self, constant: &Constant) -> String {
        rust_constant(constant)
    }

    fn comparison(&self, comparison: Comparison, left: &str, right: &str) -> String {
        format!("({left} {} {right})", double_equals_sign(comparison))
    }

    fn assignment(&self, variable: &str, term: &str, _is_computed: bool) -> String {
        format!("let {variable} = {term}")
    }

    fn operation(&self, operator: Operator, operands: &[String]) -> String {
        rust_operation(operator, operands)
    }
}

impl Syntax for Crepe {
    fn names(&self) -> &Names {
        &self.names
    }

    fn negation(&self, atom: &str) -> String {
        format!("!{atom}")
    }

    fn rule(&self, head: &str, body: &[String]) -> String {
        format!("{head} <- {};", body.join(", "))
    }

    fn fact(&self, atom: &str) -> String {
        format!("{atom};")
    }
}

pub(super) fn read(program: &Program, output: &[u8]) -> Result<Answers, String> {
    read_marked(program, &Names::capital(program), output, true)
}
