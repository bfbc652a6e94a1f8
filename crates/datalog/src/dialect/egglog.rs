//! egglog, through its Python module. It has no negation.

use super::abilities::{Abilities, Texts};
use super::python::{PRINTING, python_text};
use super::rewrite::prepare;
use super::rows::{Answers, read_marked};
use super::syntax::{Names, Syntax, TermSyntax, clauses};
use crate::program::{Comparison, Operator, Program, Type};
use std::collections::BTreeSet;
use std::fmt::Write;

struct Egglog {
    names: Names,
}

/// Loads only the compiled part of the package: the rest has many dependencies and is not needed.
const LOADING: &str = r#"import importlib.util
import sys
import types

package = types.ModuleType("egglog")
package.__path__ = list(importlib.util.find_spec("egglog").submodule_search_locations)
sys.modules["egglog"] = package

from egglog.bindings import EGraph
"#;

/// egglog prints each row twice, as `(r 1 "a") -> (r 1 "a")`, between lines with a parenthesis.
const ROWS: &str = r#"
import re


def rows_of(name, text):
    rows = []
    lines = text.strip().split("\n")
    if lines[0].strip() != "(" or lines[-1].strip() != ")":
        raise ValueError("no rows: %r" % text)
    for line in lines[1:-1]:
        match = re.fullmatch(r'\s*\((\w+)((?: (?:-?\d+|"[^"]*"))*)\) -> .*', line)
        if match is None or match.group(1) != name:
            raise ValueError("no row: %r" % line)
        values = re.findall(r'-?\d+|"[^"]*"', match.group(2))
        rows.append([value[1:-1] if value[0] == '"' else int(value) for value in values])
    return rows


def rows_in(graph, name):
    outputs = graph.run_program(*graph.parse_program("(print-function %s 100000000)" % name))
    return rows_of(name, "".join(str(output) for output in outputs))

"#;

fn abilities() -> Abilities {
    use Operator as O;
    Abilities {
        texts: Texts::Plain,
        negation: false,
        operators: &[O::Add, O::Subtract, O::Multiply, O::Divide, O::Remainder, O::Minimum, O::Maximum],
        ..Abilities::usual("egglog")
    }
}

pub(super) fn render(program: &Program) -> Result<String, String> {
    let program = prepare(program, &abilities())?;
    let egglog = Egglog { names: Names::small(&program) };
    let mut rules = String::new();
    for id in program.ids() {
        let columns: Vec<&str> = program.relation(id).columns.iter().map(|column| sort(*column)).collect();
        let _ = writeln!(rules, "(relation {} ({}))", egglog.names.of(id), columns.join(" "));
    }
    // egglog rejects duplicate rules.
    let mut known = BTreeSet::new();
    for clause in clauses(&egglog, &program).lines().filter(|clause| known.insert(clause.to_string())) {
        let _ = writeln!(rules, "{clause}");
    }
    rules += "(run-schedule (saturate (run)))\n";
    let mut shown = String::new();
    for output in program.outputs() {
        let name = egglog.names.of(output);
        let _ = writeln!(shown, "show_rows(\"{name}\", rows_in(graph, \"{name}\"))");
    }
    Ok(format!(
        "{LOADING}{PRINTING}{ROWS}\ngraph = EGraph()\ngraph.run_program(*graph.parse_program({}))\n{shown}print(\"done\")\n",
        python_text(&rules)
    ))
}

fn sort(r#type: Type) -> &'static str {
    match r#type {
        Type::Symbol => "String",
        Type::Float => "f64",
        Type::Signed | Type::Unsigned => "i64",
    }
}

impl TermSyntax for Egglog {
    fn comparison(&self, comparison: Comparison, left: &str, right: &str) -> String {
        format!("({comparison} {left} {right})")
    }

    fn operation(&self, operator: Operator, operands: &[String]) -> String {
        let function = match operator {
            Operator::Minimum => "min",
            Operator::Maximum => "max",
            other => other.sign().unwrap_or("-"),
        };
        format!("({function} {})", operands.join(" "))
    }
}

impl Syntax for Egglog {
    fn names(&self) -> &Names {
        &self.names
    }

    fn atom(&self, name: &str, arguments: &[String]) -> String {
        match arguments {
            [] => format!("({name})"),
            _ => format!("({name} {})", arguments.join(" ")),
        }
    }

    fn rule(&self, head: &str, body: &[String]) -> String {
        format!("(rule ({}) ({head}))", body.join(" "))
    }

    fn fact(&self, atom: &str) -> String {
        atom.to_owned()
    }
}

pub(super) fn read(program: &Program, output: &[u8]) -> Result<Answers, String> {
    read_marked(program, &Names::small(program), output, false)
}
