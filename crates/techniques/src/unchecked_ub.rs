//! What may be undefined, or left open by the C standard, in a program without any sanitizer noticing.
//!
//! An execution proves something only of a program about which there is no such doubt, and reduction must not bring any
//! in. The answers are on the safe side.

mod order;
mod sequence;
mod steady;
mod values;

pub(crate) use order::why_unordered;
pub(crate) use steady::{is_steady, spelled_out};
pub(crate) use values::{ends_in_result, is_surely_initialized, unfollowed, why_unfollowed};

use crate::front_end;
use c::Program;
use model::CInput;

/// Why an execution of a program, its checks included, might do what the standard does not say, in a few words; none if
/// it does not.
pub(crate) fn why_doubtful(program: &CInput) -> Option<String> {
    match front_end::parse("program", &spelled_out(program)) {
        Ok(program) => why_open(&program),
        Err(_) => Some("juvenal does not understand the program".to_owned()),
    }
}

fn why_open(program: &Program) -> Option<String> {
    let why_unsequenced = || {
        let words = "one expression changes something and uses it, in no fixed order";
        sequence::has_unsequenced(program).then(|| words.to_owned())
    };
    why_unfollowed(program).or_else(why_unsequenced).or_else(|| order::why_order_matters(program))
}

/// True if an expression of the second program may change something that it also uses in no fixed order, and none of the
/// first does.
pub(crate) fn brings_unsequenced(before: &Program, after: &Program) -> bool {
    sequence::has_unsequenced(after) && !sequence::has_unsequenced(before)
}

/// What is said of a finding about a program that is in doubt.
pub(crate) fn sentence(why: &str) -> String {
    format!("This is no proof: {why}, so that other executions may be allowed, or none.")
}
