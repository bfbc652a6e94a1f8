//! Logica on SQLite, through its Python module. It unrolls recursion to a fixed depth, so recursive programs are
//! rejected.

use super::abilities::{Abilities, NegatedWildcard, Texts};
use super::python::{PRINTING, python_text};
use super::rewrite::prepare;
use super::rows::{Answers, read_marked};
use super::syntax::{Names, Syntax, TermSyntax, clauses, double_equals_sign, infix_or_call, undefined};
use crate::program::{Comparison, Operator, Program, Type, Variable};
use std::fmt::Write;

struct Logica {
    names: Names,
}

fn abilities() -> Abilities {
    use Operator as O;
    Abilities {
        texts: Texts::Plain,
        recursion: false,
        flags: false,
        wildcards: false,
        negated_wildcards: NegatedWildcard::Helper,
        operators: &[O::Add, O::Subtract, O::Multiply, O::Minimum, O::Maximum],
        ..Abilities::usual("logica")
    }
}

/// Compiles a predicate to SQL and runs it, which avoids parsing the tables that Logica prints.
const RUNNING: &str = r#"
from logica.common import sqlite3_logica
from logica.compiler import universe
from logica.parser_py import parse


def rows_of(rules, name):
    program = universe.LogicaProgram(parse.ParseFile(rules)["rule"])
    program.FormattedPredicateSql(name)
    cursor = sqlite3_logica.SqliteConnect().cursor()
    for statements in [program.execution.preamble] + program.execution.defines_and_exports:
        cursor.executescript(statements)
    cursor.execute(program.execution.main_predicate_sql)
    return cursor.fetchall()

"#;

pub(super) fn render(program: &Program) -> Result<String, String> {
    let program = prepare(program, &abilities())?;
    let logica = Logica { names: Names::capital(&program) };
    let mut rules = String::from("@Engine(\"sqlite\");\n");
    for id in undefined(&program) {
        let columns = &program.relation(id).columns;
        let (variables, mut body): (Vec<String>, Vec<String>) =
            columns.iter().enumerate().map(|(place, column)| logica.typed(place, *column)).unzip();
        body.push("1 == 0".to_owned());
        let _ = writeln!(rules, "{}", logica.rule(&logica.atom(logica.names.of(id), &variables), &body));
    }
    rules += &clauses(&logica, &program);
    let mut shown = String::new();
    for output in program.outputs() {
        let name = logica.names.of(output);
        let _ = writeln!(shown, "show_rows(\"{name}\", rows_of(rules, \"{name}\"))");
    }
    Ok(format!("{PRINTING}{RUNNING}\nrules = {}\n{shown}print(\"done\")\n", python_text(&rules)))
}

impl Logica {
    /// Returns a variable and an equality that determines its type.
    fn typed(&self, place: usize, column: Type) -> (String, String) {
        let variable = self.variable(Variable(place as u32));
        let value = if column == Type::Symbol { "\"\"" } else { "0" };
        let equality = format!("{variable} == {value}");
        (variable, equality)
    }
}

impl TermSyntax for Logica {
    fn comparison(&self, comparison: Comparison, left: &str, right: &str) -> String {
        format!("{left} {} {right}", double_equals_sign(comparison))
    }

    fn operation(&self, operator: Operator, operands: &[String]) -> String {
        match operator {
            Operator::Minimum => format!("Least({})", operands.join(", ")),
            Operator::Maximum => format!("Greatest({})", operands.join(", ")),
            other => infix_or_call(other, operands),
        }
    }
}

impl Syntax for Logica {
    fn names(&self) -> &Names {
        &self.names
    }

    fn negation(&self, atom: &str) -> String {
        format!("~{atom}")
    }

    fn rule(&self, head: &str, body: &[String]) -> String {
        format!("{head} distinct :- {};", body.join(", "))
    }

    fn fact(&self, atom: &str) -> String {
        // Predicates are multisets unless all their rules are `distinct`.
        format!("{atom} distinct;")
    }
}

pub(super) fn read(program: &Program, output: &[u8]) -> Result<Answers, String> {
    read_marked(program, &Names::capital(program), output, true)
}
