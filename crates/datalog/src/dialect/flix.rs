//! Flix, as a program that prints rows in the format of [`super::rows`]. Written from its documentation; not tested with
//! any version.

use super::abilities::{Abilities, NegatedWildcard, Texts};
use super::rewrite::{prepare, texts};
use super::rows::{Answers, read_marked};
use super::syntax::{Names, Syntax, TermSyntax, clauses, constant_text, double_equals_sign, undefined};
use crate::program::{Comparison, Constant, Operator, Program, RelationId, Type, Variable};
use std::fmt::Write;

struct Flix {
    names: Names,
}

fn abilities() -> Abilities {
    Abilities {
        texts: Texts::Plain,
        flags: false,
        negated_wildcards: NegatedWildcard::Helper,
        single_variables: false,
        operators: &[Operator::Add, Operator::Subtract, Operator::Multiply],
        ..Abilities::usual("flix")
    }
}

pub(super) fn render(program: &Program) -> Result<String, String> {
    if texts(program).iter().any(|text| text.contains('$')) {
        return Err("flix does not support symbols with a dollar sign".to_owned());
    }
    let program = prepare(program, &abilities())?;
    let flix = Flix { names: Names::capital(&program) };
    let mut text = String::from("def main(): Unit \\ IO =\n    let program = #{\n");
    for id in undefined(&program) {
        // A rule that derives nothing declares the types of the columns.
        let values: Vec<String> = program.relation(id).columns.iter().map(|column| zero(*column)).collect();
        let atom = flix.atom(flix.names.of(id), &values);
        let _ = writeln!(text, "        {}", flix.rule(&atom, std::slice::from_ref(&atom)));
    }
    for clause in clauses(&flix, &program).lines() {
        let _ = writeln!(text, "        {clause}");
    }
    text += "    };\n";
    for output in program.outputs() {
        text += &flix.printing(&program, output);
    }
    text += "    println(\"done\")\n";
    Ok(text)
}

/// Returns some value of a type.
fn zero(r#type: Type) -> String {
    if r#type == Type::Symbol { "\"\"".to_owned() } else { "0i64".to_owned() }
}

impl Flix {
    /// Writes the statements that print a relation.
    fn printing(&self, program: &Program, relation: RelationId) -> String {
        let name = self.names.of(relation);
        let columns = 0..program.relation(relation).columns.len() as u32;
        let variables: Vec<String> = columns.map(|place| self.variable(Variable(place))).collect();
        let values: String = variables.iter().map(|variable| format!("\\t${{{variable}}}")).collect();
        let listed = variables.join(", ");
        let tuple = if variables.len() == 1 { listed.clone() } else { format!("({listed})") };
        format!(
            "    println(\"begin {name}\");\n    foreach ({tuple} <- query program select {tuple} from {name}({listed})) println(\"{name}{values}\");\n    println(\"end {name}\");\n"
        )
    }
}

impl TermSyntax for Flix {
    fn constant(&self, constant: &Constant) -> String {
        match constant {
            Constant::Symbol(text) => format!("\"{text}\""),
            number => constant_text(number, str::to_owned) + "i64",
        }
    }

    fn comparison(&self, comparison: Comparison, left: &str, right: &str) -> String {
        format!("if ({left} {} {right})", double_equals_sign(comparison))
    }

    fn assignment(&self, variable: &str, value: &str, _is_computed: bool) -> String {
        format!("let {variable} = {value}")
    }
}

impl Syntax for Flix {
    fn names(&self) -> &Names {
        &self.names
    }
}

pub(super) fn read(program: &Program, output: &[u8]) -> Result<Answers, String> {
    read_marked(program, &Names::capital(program), output, true)
}
