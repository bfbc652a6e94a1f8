//! Undefined or unspecified behaviour that no sanitizer detects.
//!
//! An execution proves something only about a program without such behaviour, and reduction must not introduce any.

mod order;
mod sequence;
mod values;

pub use order::why_unordered;
pub use sequence::has_unsequenced;
pub use values::{always_returns_value, is_surely_initialized, possibly_uninitialized, why_uninitialized};

use super::determinism::with_checks_as_statements;
use crate::{Program, parse_input};
use model::{CInput, UNPARSED_PROGRAM};

/// Why an execution of a program, its checks included, might do something that the C standard does not define and
/// sanitizers do not detect. Returns `None` if that is impossible.
pub fn why_possible(program: &CInput) -> Option<String> {
    match parse_input("program", &with_checks_as_statements(program)) {
        Ok(program) => why_possible_in(&program),
        Err(_) => Some(UNPARSED_PROGRAM.to_owned()),
    }
}

/// The same for a parsed program.
pub fn why_possible_in(program: &Program) -> Option<String> {
    let why_unsequenced = || {
        let words = "one expression changes something and uses it, in no fixed order";
        has_unsequenced(program).then(|| words.to_owned())
    };
    why_uninitialized(program).or_else(why_unsequenced).or_else(|| order::why_order_matters(program))
}
