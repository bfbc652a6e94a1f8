//! Interprets programs on given inputs, with a strict memory model.
//!
//! A program that runs natively could corrupt whatever observes it. One that is interpreted here cannot: its pointers are
//! pairs of an object and an offset, and every access is checked for the object's lifetime, bounds, alignment and type, and
//! for bytes without a value. What the C standard does not define ends the interpretation, and so does everything that is
//! not modelled. Where the order of evaluation is unspecified, it is from left to right; programs for which that matters
//! are found by [`crate::analyze::unchecked_ub`].

mod arithmetic;
mod code;
mod compile;
mod effective;
mod every_input;
mod input;
mod library;
mod machine;
mod memory;
mod pointers;
mod stop;
mod value;

pub use every_input::find_harmful_outcome;
pub use input::Input;

use crate::Program;
use machine::Machine;
use model::FailingCheck;
use stop::{Step, Stop};

/// How to interpret a program.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The inputs, in the order in which the program asks for them.
    pub inputs: Vec<Input>,
    /// Whether the first failing check ends the execution.
    pub failing_check: FailingCheck,
    /// The number of steps after which the interpretation gives up.
    pub fuel: u64,
}

/// What an interpretation shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpretation {
    /// How it ended.
    pub outcome: Outcome,
    /// The checks that failed, in order of their first failure. A check fails by a call of `juvenal_violated`; an error
    /// call is check 0.
    pub violated: Vec<u32>,
}

/// How an interpretation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The program ended with this status.
    Ended(i64),
    /// A failing check ended it.
    CheckFailed(u32),
    /// An assumption did not hold.
    AssumptionFailed,
    /// The standard does not define what the program does next.
    Undefined(String),
    /// The program asked for other inputs than it was given.
    WrongInputs(String),
    /// It took too many steps.
    OutOfFuel,
    /// The program does something that is not modelled.
    Unsupported(String),
}

/// Interprets a program. Checks are calls of `juvenal_violated(number)`, assumptions of `juvenal_assumption_failed()`.
pub fn interpret(program: &Program, conditions: &Conditions) -> Interpretation {
    let inputs = conditions.inputs.iter().rev().cloned().collect();
    let stops_at_check = conditions.failing_check == FailingCheck::Ends;
    let mut machine = Machine::new(program, inputs, conditions.fuel, stops_at_check);
    let outcome = Outcome::of(machine.run());
    Interpretation { outcome, violated: machine.violated }
}

impl Outcome {
    fn of(end: Step<i64>) -> Outcome {
        match end {
            Ok(status) | Err(Stop::Ended(status)) => Outcome::Ended(status),
            Err(Stop::CheckFailed(check)) => Outcome::CheckFailed(check),
            Err(Stop::AssumptionFailed) => Outcome::AssumptionFailed,
            Err(Stop::Undefined(what)) => Outcome::Undefined(what),
            Err(Stop::MissingInput { name, .. }) => Outcome::WrongInputs(format!(
                "the program asks for an input of type {name} after the last one"
            )),
            Err(Stop::WrongInputs(what)) => Outcome::WrongInputs(what),
            Err(Stop::OutOfFuel) => Outcome::OutOfFuel,
            Err(Stop::Unsupported(what)) => Outcome::Unsupported(what),
        }
    }
}
