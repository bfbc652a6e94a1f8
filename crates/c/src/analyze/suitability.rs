//! Programs that no technique can judge.

use super::has_folded_error;
use crate::Program;

/// Refuses programs that no technique can judge. The error is one of a few reasons, and the details.
pub fn refuse_unsuitable(name: &str, program: &Program) -> Result<(), (&'static str, String)> {
    if has_folded_error(program) {
        let detail =
            format!("{name}: a constant expression overflows, divides by zero or shifts by too many bits");
        return Err(("the seed has undefined behaviour", detail));
    }
    if has_arguments(program) {
        let detail = format!(
            "{name}: program arguments are inputs that cannot be enumerated; make it `int main(void)` with `__VERIFIER_nondet_int()`"
        );
        return Err(("main has parameters", detail));
    }
    if let Some(bits) = widest_field(program).filter(|bits| *bits > INT_BITS) {
        let detail =
            format!("{name}: in which type a bit-field of {bits} bits is computed differs between compilers");
        return Err(("compilers disagree on what the program means", detail));
    }
    Ok(())
}

/// The width of `int`. Narrower bit-fields are computed in `int` or `unsigned int` by every compiler.
const INT_BITS: u32 = 32;

/// The width of the widest bit-field that the program reads or writes.
fn widest_field(program: &Program) -> Option<u32> {
    program.expressions.ids().filter_map(|id| program.bit_width(id)).max()
}

/// True if `main` takes arguments.
fn has_arguments(program: &Program) -> bool {
    let main = program.find("main");
    let definition = program.functions.iter().find(|function| Some(function.entity) == main);
    definition.is_some_and(|main| !program.entity_lists[main.parameters].is_empty())
}
