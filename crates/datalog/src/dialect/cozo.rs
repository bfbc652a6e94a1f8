//! CozoDB, through its Python module. Each output is a separate query over the same rules.

use super::abilities::{Abilities, NegatedWildcard, Texts};
use super::python::{PRINTING, python_text};
use super::rewrite::prepare;
use super::rows::{Answers, read_marked};
use super::syntax::{Names, Syntax, TermSyntax, double_equals_sign, infix_or_call, rule_text};
use crate::program::{Comparison, Constant, Operator, Program, RelationId, Variable};
use std::fmt::Write;

struct Cozo {
    names: Names,
}

fn abilities() -> Abilities {
    use Operator as O;
    Abilities {
        texts: Texts::Plain,
        flags: false,
        negated_wildcards: NegatedWildcard::NoRowIfPartial,
        free_heads: false,
        operators: &[O::Add, O::Subtract, O::Multiply, O::Remainder, O::Negate, O::Minimum, O::Maximum],
        ..Abilities::usual("cozo")
    }
}

pub(super) fn render(program: &Program) -> Result<String, String> {
    let program = prepare(program, &abilities())?;
    let cozo = Cozo { names: Names::small(&program) };
    let mut rules = String::new();
    for (id, own) in program.ids().zip(program.rules_by_relation()) {
        rules += &cozo.relation(&program, id, &own);
    }
    let mut shown = String::new();
    for output in program.outputs() {
        let name = cozo.names.of(output);
        let columns = cozo.columns(&program, output);
        let query = format!("rules + \"?[{columns}] := {name}[{columns}]\\n\"");
        let _ = writeln!(
            shown,
            "show_rows(\"{name}\", CozoDbPy(\"mem\", \"\", \"{{}}\").run_script({query}, {{}}, True)[\"rows\"])"
        );
    }
    Ok(format!(
        "from cozo_embedded import CozoDbPy\n{PRINTING}\n\nrules = {}\n{shown}print(\"done\")\n",
        python_text(&rules)
    ))
}

impl Cozo {
    fn columns(&self, program: &Program, relation: RelationId) -> String {
        let columns = 0..program.relation(relation).columns.len() as u32;
        columns.map(|place| self.variable(Variable(place))).collect::<Vec<_>>().join(", ")
    }

    /// Writes the facts and rules of a relation. If it has both, the facts need a relation of their own.
    fn relation(&self, program: &Program, relation: RelationId, rules: &[usize]) -> String {
        let (name, columns) = (self.names.of(relation), self.columns(program, relation));
        let facts = &program.relation(relation).facts;
        let row = |row: &Vec<Constant>| {
            let values: Vec<String> = row.iter().map(|value| self.constant(value)).collect();
            format!("[{}]", values.join(", "))
        };
        let rows = facts.iter().map(row).collect::<Vec<_>>().join(", ");
        let rules: Vec<String> = rules.iter().map(|rule| rule_text(self, &program.rules[*rule])).collect();
        match (facts.is_empty(), rules.is_empty()) {
            (_, true) => format!("{name}[{columns}] <- [{rows}]\n"),
            (true, false) => rules.join("\n") + "\n",
            (false, false) => format!(
                "f_{name}[{columns}] <- [{rows}]\n{name}[{columns}] := f_{name}[{columns}]\n{}\n",
                rules.join("\n")
            ),
        }
    }
}

impl TermSyntax for Cozo {
    fn comparison(&self, comparison: Comparison, left: &str, right: &str) -> String {
        format!("{left} {} {right}", double_equals_sign(comparison))
    }

    fn assignment(&self, variable: &str, value: &str, _is_computed: bool) -> String {
        format!("{variable} = {value}")
    }

    fn operation(&self, operator: Operator, operands: &[String]) -> String {
        infix_or_call(operator, operands)
    }
}

impl Syntax for Cozo {
    fn names(&self) -> &Names {
        &self.names
    }

    fn atom(&self, name: &str, arguments: &[String]) -> String {
        format!("{name}[{}]", arguments.join(", "))
    }

    fn rule(&self, head: &str, body: &[String]) -> String {
        format!("{head} := {}", body.join(", "))
    }
}

pub(super) fn read(program: &Program, output: &[u8]) -> Result<Answers, String> {
    read_marked(program, &Names::small(program), output, true)
}
