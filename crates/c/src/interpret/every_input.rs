//! Interpreting a program on every input.

use super::Outcome;
use super::input::Input;
use super::machine::Machine;
use super::stop::Stop;
use crate::Program;
use model::FailingCheck;

/// What an interpretation costs before its first step, for each expression of the program.
const STEPS_TO_COMPILE: u64 = 4;

/// Interprets a program on every input and returns the first outcome that is not harmless, if there is one.
///
/// The fuel is that of all interpretations together; if it does not suffice, the outcome is [`Outcome::OutOfFuel`].
pub fn find_harmful_outcome(
    program: &Program,
    failing_check: FailingCheck,
    fuel: u64,
    is_harmless: impl Fn(&Outcome) -> bool,
) -> Option<Outcome> {
    let cost_of_start = STEPS_TO_COMPILE * program.expressions.len() as u64 + 100;
    let mut fuel = fuel;
    let mut inputs: Vec<Counter> = Vec::new();
    loop {
        let Some(rest) = fuel.checked_sub(cost_of_start) else { return Some(Outcome::OutOfFuel) };
        let given = inputs.iter().rev().map(Counter::input).collect();
        let mut machine = Machine::new(program, given, rest, failing_check == FailingCheck::Ends);
        let end = machine.run();
        fuel = machine.fuel;
        if let Err(Stop::MissingInput { name, bits }) = end {
            inputs.push(Counter { name, bits, value: 0 });
            continue;
        }
        let outcome = Outcome::of(end);
        if !is_harmless(&outcome) {
            return Some(outcome);
        }
        if !advance(&mut inputs) {
            return None;
        }
    }
}

/// An input, and which of its values comes next.
struct Counter {
    name: String,
    bits: u32,
    value: u128,
}

impl Counter {
    fn input(&self) -> Input {
        Input { name: self.name.clone(), bits: self.value }
    }

    fn is_last(&self) -> bool {
        self.bits < u128::BITS && self.value + 1 == 1 << self.bits
    }
}

/// Moves on to the next inputs. Returns false after the last ones.
fn advance(inputs: &mut Vec<Counter>) -> bool {
    while inputs.pop_if(|input| input.is_last()).is_some() {}
    let Some(input) = inputs.last_mut() else { return false };
    input.value += 1;
    true
}
