//! A solver small enough to be obviously correct: it enumerates small domains and otherwise tries a few assignments.
//!
//! It answers `sat` only with an assignment under which every assertion is true, `unsat` only after trying every
//! assignment, and otherwise `unknown`.

use super::lie::{Lie, distort};
use model::Random;
use smt::{Assignment, Command, Evaluator, Flavour, FunctionKind, Script, Sort, SymbolId, TermId, Value};
use std::fmt::Write;

/// The maximum number of assignments that are enumerated.
const ENUMERATED: u64 = 256;
/// The number of random assignments that are tried if there are too many to enumerate.
const DRAWN: usize = 24;

/// The work that all evaluations of a script may do, some seconds. It bounds what goes on in the background when juvenal
/// no longer waits for the answer.
const FUEL: u64 = 60_000_000;

/// Returns what the solver prints for a script.
pub(super) fn answer(text: &str, lies: &[Lie]) -> String {
    match smt::parse("input", text) {
        Ok(script) => Run::new(script, lies).all_commands(),
        Err(error) => format!("(error \"{}\")\n", error.to_string().replace('"', "\"\"")),
    }
}

enum Outcome {
    Sat(Assignment),
    Unsat,
    Unknown,
}

struct Run<'a> {
    script: Script,
    lies: &'a [Lie],
    scopes: Vec<Vec<TermId>>,
    model: Option<Assignment>,
    output: String,
    /// What is left of [`FUEL`].
    fuel: u64,
}

impl<'a> Run<'a> {
    fn new(script: Script, lies: &'a [Lie]) -> Run<'a> {
        Run { script, lies, scopes: vec![Vec::new()], model: None, output: String::new(), fuel: FUEL }
    }

    fn all_commands(mut self) -> String {
        for command in self.script.commands.clone() {
            match command {
                Command::Assert(term) => {
                    self.scopes.last_mut().into_iter().for_each(|scope| scope.push(term))
                }
                Command::Push(levels) => (0..levels).for_each(|_| self.scopes.push(Vec::new())),
                Command::Pop(levels) => self.pop(levels),
                Command::CheckSat => self.check(&[]),
                Command::CheckSatAssuming(literals) => self.check(&literals),
                Command::GetModel => self.print_model(),
                Command::Echo(text) => self.say(&text),
                Command::ResetAssertions => self.scopes = vec![Vec::new()],
                Command::CheckSatUsing(_) => self.say("(error \"tactics are not supported\")"),
                Command::Exit => break,
                _ => {}
            }
        }
        self.output
    }

    fn say(&mut self, line: &str) {
        self.output.push_str(line);
        self.output.push('\n');
    }

    fn pop(&mut self, levels: u32) {
        let left = self.scopes.len().saturating_sub(levels as usize).max(1);
        self.scopes.truncate(left);
        if self.lies.contains(&Lie::Pop) {
            self.scopes.last_mut().and_then(Vec::pop);
        }
    }

    fn check(&mut self, assumptions: &[TermId]) {
        let mut assertions: Vec<TermId> = self.scopes.concat();
        assertions.extend(assumptions);
        let outcome = match distort(&mut self.script, &assertions, self.lies) {
            Some(assertions) => solve(&self.script, &assertions, &mut self.fuel),
            None => Outcome::Unknown,
        };
        if self.lies.contains(&Lie::Garbage) {
            self.say("c ready");
        }
        self.model = None;
        match outcome {
            Outcome::Sat(assignment) => {
                self.model = Some(assignment);
                self.say("sat");
            }
            Outcome::Unsat => self.say("unsat"),
            Outcome::Unknown => self.say("unknown"),
        }
    }

    fn print_model(&mut self) {
        let Some(mut model) = self.model.clone() else {
            return self.say("(error \"there is no model\")");
        };
        if self.lies.contains(&Lie::Model) {
            corrupt(&self.script, &mut model);
        }
        let description = model.describe(&self.script);
        // Writing to a String cannot fail.
        let _ = writeln!(self.output, "(\n{description})");
    }
}

/// Changes the value of one symbol.
fn corrupt(script: &Script, model: &mut Assignment) {
    for symbol in declared(script) {
        let changed = match model.constant(symbol) {
            Some(Value::Bool(value)) => Value::Bool(!value),
            Some(Value::Int(value)) => Value::integer(value + 1),
            Some(Value::BitVec { width, bits }) => {
                Value::bitvec(*width, bits ^ &num_bigint::BigUint::from(1u32))
            }
            _ => continue,
        };
        model.set_constant(symbol, changed);
        return;
    }
}

fn declared(script: &Script) -> Vec<SymbolId> {
    let functions = script.terms.functions();
    functions.filter(|(_, info)| info.kind == FunctionKind::Declared).map(|(symbol, _)| symbol).collect()
}

fn solve(script: &Script, assertions: &[TermId], fuel: &mut u64) -> Outcome {
    match domain(script) {
        Some(domain) => enumerate(script, assertions, &domain, fuel),
        None => draw(script, assertions, fuel),
    }
}

/// Returns every symbol with its values, if all combinations can be enumerated.
fn domain(script: &Script) -> Option<Vec<(SymbolId, Vec<Value>)>> {
    let mut domain = Vec::new();
    let mut combinations = 1u64;
    for symbol in declared(script) {
        let info = script.function(symbol)?;
        if !info.parameters.is_empty() {
            return None;
        }
        let values: Vec<Value> = match script.terms.sort_of(info.result) {
            Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Sort::BitVec(width) if *width <= 8 => {
                (0..1u32 << width).map(|bits| Value::bitvec(*width, bits)).collect()
            }
            _ => return None,
        };
        combinations = combinations.saturating_mul(values.len() as u64);
        if combinations > ENUMERATED {
            return None;
        }
        domain.push((symbol, values));
    }
    Some(domain)
}

fn enumerate(
    script: &Script,
    assertions: &[TermId],
    domain: &[(SymbolId, Vec<Value>)],
    fuel: &mut u64,
) -> Outcome {
    let combinations: u64 = domain.iter().map(|(_, values)| values.len() as u64).product();
    let mut is_uncertain = false;
    for number in 0..combinations {
        let assignment = combination(domain, number);
        match truth(script, assertions, &assignment, fuel) {
            Some(true) => return Outcome::Sat(assignment),
            Some(false) => {}
            None => is_uncertain = true,
        }
    }
    if is_uncertain { Outcome::Unknown } else { Outcome::Unsat }
}

fn combination(domain: &[(SymbolId, Vec<Value>)], mut number: u64) -> Assignment {
    let mut assignment = Assignment::new();
    for (symbol, values) in domain {
        assignment.set_constant(*symbol, values[(number % values.len() as u64) as usize].clone());
        number /= values.len() as u64;
    }
    assignment
}

fn draw(script: &Script, assertions: &[TermId], fuel: &mut u64) -> Outcome {
    // A fixed seed makes the answers reproducible.
    let mut random = Random::for_case(0, 0);
    for flavour in Flavour::ALL.iter().cycle().take(DRAWN) {
        let assignment = smt::search::draw_assignment(script, &mut random, *flavour);
        if truth(script, assertions, &assignment, fuel) == Some(true) {
            return Outcome::Sat(assignment);
        }
        if *fuel == 0 {
            break;
        }
    }
    Outcome::Unknown
}

/// Evaluates the conjunction of all assertions. Returns `None` if its value is unknown.
fn truth(script: &Script, assertions: &[TermId], assignment: &Assignment, fuel: &mut u64) -> Option<bool> {
    let mut evaluator = Evaluator::new(script, assignment);
    evaluator.limit(*fuel);
    let mut truth = Some(true);
    for assertion in assertions {
        match evaluator.truth(*assertion) {
            Some(true) => {}
            Some(false) => {
                truth = Some(false);
                break;
            }
            None => truth = None,
        }
    }
    *fuel = evaluator.left();
    truth
}
