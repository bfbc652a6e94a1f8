//! Nemo, through its Python module.

use super::abilities::{Abilities, NegatedWildcard, Texts};
use super::python::{PRINTING, python_text};
use super::rewrite::prepare;
use super::rows::{Answers, read_marked};
use super::syntax::{Names, Syntax, TermSyntax, clauses, infix_or_call, undefined};
use crate::program::{Operator, Program, Variable};
use std::fmt::Write;

struct Nemo {
    names: Names,
}

fn abilities() -> Abilities {
    use Operator as O;
    Abilities {
        texts: Texts::Plain,
        flags: false,
        // Version 0.10.1 considers a negated atom true if all its arguments are `_`.
        negated_wildcards: NegatedWildcard::NoRowIfPartial,
        operators: &[O::Add, O::Subtract, O::Multiply, O::Minimum, O::Maximum],
        // Version 0.10.1 rejects such rules as "currently unsupported".
        bodies_without_atoms: false,
        ..Abilities::usual("nemo")
    }
}

/// Nemo returns strings with quotes. Values without quotes would be names, which our programs do not have.
const VALUES: &str = r#"

def plain(value):
    if type(value) is str:
        if len(value) < 2 or value[0] != '"' or value[-1] != '"':
            raise ValueError("no text: %r" % (value,))
        return value[1:-1]
    return value

"#;

pub(super) fn render(program: &Program) -> Result<String, String> {
    let program = prepare(program, &abilities())?;
    let nemo = Nemo { names: Names::small(&program) };
    let mut rules = String::new();
    for id in undefined(&program) {
        // A rule that derives nothing declares the number of columns.
        let variables: Vec<String> = (0..program.relation(id).columns.len() as u32)
            .map(|place| nemo.variable(Variable(place)))
            .collect();
        let atom = nemo.atom(nemo.names.of(id), &variables);
        let _ = writeln!(rules, "{}", nemo.rule(&atom, std::slice::from_ref(&atom)));
    }
    rules += &clauses(&nemo, &program);
    let mut shown = String::new();
    for output in program.outputs() {
        let name = nemo.names.of(output);
        let _ = writeln!(rules, "@export {name} :- csv{{}}.");
        let rows = format!("[[plain(value) for value in row] for row in engine.result(\"{name}\")]");
        let _ = writeln!(shown, "show_rows(\"{name}\", {rows})");
    }
    Ok(format!(
        "import nmo_python\n{PRINTING}{VALUES}\nengine = nmo_python.NemoEngine(nmo_python.load_string({}))\nengine.reason()\n{shown}print(\"done\")\n",
        python_text(&rules)
    ))
}

impl TermSyntax for Nemo {
    fn variable(&self, variable: Variable) -> String {
        format!("?x{}", variable.0)
    }

    fn operation(&self, operator: Operator, operands: &[String]) -> String {
        match operator {
            Operator::Minimum => format!("MIN({})", operands.join(", ")),
            Operator::Maximum => format!("MAX({})", operands.join(", ")),
            other => infix_or_call(other, operands),
        }
    }
}

impl Syntax for Nemo {
    fn names(&self) -> &Names {
        &self.names
    }

    fn negation(&self, atom: &str) -> String {
        format!("~{atom}")
    }
}

pub(super) fn read(program: &Program, output: &[u8]) -> Result<Answers, String> {
    read_marked(program, &Names::small(program), output, true)
}
