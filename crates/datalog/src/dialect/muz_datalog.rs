//! z3's engine for fixed points, with rules in the syntax of its `.datalog` files. There is a single domain of numbers;
//! strings are numbered.
//!
//! z3 takes constants in facts literally but numbers those in rules in the order in which it reads them, so constants in
//! rules move into relations with a single fact. It accepts a variable in a comparison only after a positive or negated
//! atom with that variable, so comparisons come last, which does not change the meaning.

use super::abilities::Abilities;
use super::muz::{self, decoded, greatest};
use super::rewrite::{prepare, texts};
use super::rows::{Answers, output_of, require_all, text_of};
use super::syntax::{Names, Syntax, TermSyntax, clauses, constant_text};
use crate::program::{Constant, Literal, Program, Rule, Tuple, Type};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

struct MuzDatalog {
    names: Names,
}

fn abilities() -> Abilities {
    Abilities { flags: false, or_equal: false, constants_in_rules: false, ..muz::abilities("muz-datalog") }
}

pub(super) fn render(program: &Program) -> Result<String, String> {
    let program = prepare(program, &abilities())?;
    if program.rules.iter().any(has_variable_outside_of_atoms) {
        return Err("muz-datalog does not support variables without a positive atom".to_owned());
    }
    let muz = MuzDatalog { names: Names::small(&program) };
    let mut text = format!("N {}\n\n", greatest(&program) + 1);
    for id in program.ids() {
        let relation = program.relation(id);
        let columns: Vec<String> = (0..relation.columns.len()).map(|place| format!("c{place}:N")).collect();
        let printed = if relation.is_output { " printtuples" } else { "" };
        let _ = writeln!(text, "{}({}){printed}", muz.names.of(id), columns.join(","));
    }
    text.push('\n');
    text += &clauses(&muz, &program);
    Ok(text)
}

/// Returns true if a variable occurs in comparisons or in the head, and in no positive atom.
fn has_variable_outside_of_atoms(rule: &Rule) -> bool {
    let mut in_atoms = BTreeSet::new();
    for literal in rule.body.iter().filter(|literal| matches!(literal, Literal::Positive(_))) {
        literal.for_each_variable(&mut |variable| {
            in_atoms.insert(variable);
        });
    }
    let mut is_outside = false;
    rule.for_each_variable(&mut |variable| is_outside |= !in_atoms.contains(&variable));
    is_outside
}

impl TermSyntax for MuzDatalog {
    fn constant(&self, constant: &Constant) -> String {
        constant_text(constant, |_| "0".to_owned())
    }
}

impl Syntax for MuzDatalog {
    fn names(&self) -> &Names {
        &self.names
    }

    fn atom(&self, name: &str, arguments: &[String]) -> String {
        format!("{name}({})", arguments.join(","))
    }

    fn negation(&self, atom: &str) -> String {
        format!("!{atom}")
    }

    fn rule(&self, head: &str, body: &[String]) -> String {
        let is_atom = |literal: &&String| literal.ends_with(')');
        let atoms = body.iter().filter(is_atom);
        let comparisons = body.iter().filter(|literal| !is_atom(literal));
        let ordered: Vec<&str> = atoms.chain(comparisons).map(String::as_str).collect();
        format!("{head} :- {}.", ordered.join(", "))
    }
}

pub(super) fn read(program: &Program, output: &[u8]) -> Result<Answers, String> {
    let (names, texts) = (Names::small(program), texts(program));
    let mut answers = Answers::new();
    let mut open = None;
    let mut is_whole = false;
    for line in text_of(output)?.lines() {
        if let Some(name) = line.strip_prefix("Tuples in ").and_then(|rest| rest.trim_end().strip_suffix(':'))
        {
            let relation = output_of(program, &names, name)?;
            if answers.insert(relation, BTreeSet::new()).is_some() {
                return Err(format!("{name} is printed twice"));
            }
            open = Some(relation);
        } else if let (Some(relation), Some(row)) = (open, line.strip_prefix('\t')) {
            let row = read_row(&program.relation(relation).columns, row, &texts)?;
            answers.entry(relation).or_default().insert(row);
        } else if line.starts_with("Parsing: ") {
            is_whole = true;
        } else if !line.starts_with("Time: ") {
            return Err(format!("cannot read the line {line:?}"));
        }
    }
    if !is_whole {
        return Err("the output was cut off before the final times".to_owned());
    }
    require_all(program, answers)
}

/// Reads a row such as `(c0=1(1),c1=4(4))`.
fn read_row(columns: &[Type], line: &str, texts: &[Arc<str>]) -> Result<Tuple, String> {
    let problem = || format!("cannot read the row {line:?}");
    let inside =
        line.trim_end().strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).ok_or_else(problem)?;
    let values: Vec<u64> = inside.split(',').map(read_value).collect::<Option<_>>().ok_or_else(problem)?;
    match (columns, values.as_slice()) {
        ([], [0]) => Ok(Vec::new()),
        _ if columns.len() == values.len() => {
            columns.iter().zip(values).map(|(column, value)| decoded(value, *column, texts)).collect()
        }
        _ => Err(problem()),
    }
}

/// Reads the value in `c0=4(4)`. Its name and its number must be equal, or z3 confused its constants.
fn read_value(text: &str) -> Option<u64> {
    let (name, number) = text.split_once('=')?.1.strip_suffix(')')?.split_once('(')?;
    if name == number { number.parse().ok() } else { None }
}
