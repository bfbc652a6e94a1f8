//! pyDatalog, through its Python module.

use super::abilities::{Abilities, NegatedWildcard};
use super::python::{PRINTING, python_text};
use super::rewrite::prepare;
use super::rows::{Answers, read_marked};
use super::syntax::{
    Names, Syntax, TermSyntax, clauses, constant_text, double_equals_sign, quoted, undefined,
};
use crate::program::{Comparison, Constant, Operator, Program, Variable};
use std::fmt::Write;

struct PyDatalog {
    names: Names,
}

fn abilities() -> Abilities {
    Abilities {
        flags: false,
        wildcards: false,
        negated_wildcards: NegatedWildcard::Helper,
        operators: &[Operator::Add, Operator::Subtract, Operator::Multiply],
        ..Abilities::usual("pydatalog")
    }
}

pub(super) fn render(program: &Program) -> Result<String, String> {
    let program = prepare(program, &abilities())?;
    let pydatalog = PyDatalog { names: Names::small(&program) };
    let mut rules = String::new();
    for id in undefined(&program) {
        // Asserting and retracting a fact makes an empty relation known to pyDatalog.
        let zeros = vec!["0".to_owned(); program.relation(id).columns.len()];
        let atom = pydatalog.atom(pydatalog.names.of(id), &zeros);
        let _ = writeln!(rules, "+ {atom}\n- {atom}");
    }
    rules += &clauses(&pydatalog, &program);
    let mut shown = String::new();
    for output in program.outputs() {
        let name = pydatalog.names.of(output);
        let variables: Vec<String> = (0..program.relation(output).columns.len() as u32)
            .map(|place| pydatalog.variable(Variable(place)))
            .collect();
        let _ = writeln!(shown, "show_rows(\"{name}\", answers(\"{}\"))", pydatalog.atom(name, &variables));
    }
    Ok(format!(
        "from pyDatalog import pyDatalog\n{PRINTING}\n\ndef answers(question):\n    found = pyDatalog.ask(question)\n    return [] if found is None else found.answers\n\n\npyDatalog.load({})\n{shown}print(\"done\")\n",
        python_text(&rules)
    ))
}

impl TermSyntax for PyDatalog {
    fn variable(&self, variable: Variable) -> String {
        format!("X{}", variable.0)
    }

    fn constant(&self, constant: &Constant) -> String {
        constant_text(constant, |text| quoted(text, '"'))
    }

    fn comparison(&self, comparison: Comparison, left: &str, right: &str) -> String {
        format!("({left} {} {right})", double_equals_sign(comparison))
    }
}

impl Syntax for PyDatalog {
    fn names(&self) -> &Names {
        &self.names
    }

    fn negation(&self, atom: &str) -> String {
        format!("~{atom}")
    }

    fn rule(&self, head: &str, body: &[String]) -> String {
        format!("{head} <= {}", body.join(" & "))
    }

    fn fact(&self, atom: &str) -> String {
        format!("+ {atom}")
    }
}

pub(super) fn read(program: &Program, output: &[u8]) -> Result<Answers, String> {
    read_marked(program, &Names::small(program), output, true)
}
