//! C inputs in the words of the front end, which knows nothing of the model.

use crate::reduction;
use c::Program;
use model::{CInput, DataModel};

/// The program without its annotations; an error if it does not parse.
pub(crate) fn parse(name: &str, input: &CInput) -> Result<Program, c::SyntaxError> {
    let data_model = match input.data_model {
        DataModel::Lp64 => c::DataModel::Lp64,
        DataModel::Ilp32 => c::DataModel::Ilp32,
    };
    c::parse(name, input.base.as_bytes(), data_model)
}

/// Refuses programs that no technique can judge; the error is one of a few reasons, and what exactly.
pub(crate) fn refuse_useless(name: &str, program: &Program) -> Result<(), (&'static str, String)> {
    if reduction::has_folded_error(program) {
        let detail =
            format!("{name}: an expression of constants overflows, divides by zero or shifts too far");
        return Err(("the seed has undefined behaviour", detail));
    }
    if has_arguments(program) {
        let detail = format!(
            "{name}: the arguments of a program are inputs that nobody can run through; make it `int main(void)` with `__VERIFIER_nondet_int()`"
        );
        return Err(("main has parameters", detail));
    }
    Ok(())
}

/// True if `main` takes arguments.
fn has_arguments(program: &Program) -> bool {
    let main = program.find("main");
    let definition = program.functions.iter().find(|function| Some(function.entity) == main);
    definition.is_some_and(|main| !program.entity_lists[main.parameters].is_empty())
}
