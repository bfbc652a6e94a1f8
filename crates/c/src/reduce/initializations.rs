//! Initializes variables where they are declared, and gives functions a result at their end.

use super::Alternatives;
use crate::analyze::{local_variables, unchecked_ub};
use crate::syntax::{Declarator, Function};
use crate::{Edit, Program, TypeKind};

/// For each local variable without an initializer: an initializer. For each function that may end without its result:
/// a final `return`.
pub fn proposals(program: &Program) -> Vec<Alternatives> {
    let uninitialized = local_variables(program).filter(|declarator| declarator.initializer.is_none());
    let initializers = uninitialized.filter_map(|declarator| initializer(program, declarator));
    let results = program.functions.iter().filter_map(|function| final_return(program, function));
    initializers.chain(results).map(|edit| vec![vec![edit]]).collect()
}

fn initializer(program: &Program, declarator: &Declarator) -> Option<Edit> {
    let value = match program.types.kind(declarator.r#type) {
        // For a union, `{0}` initializes only the first member and perhaps not all bytes.
        TypeKind::Array { .. } | TypeKind::Record(_) if program.types.has_union(declarator.r#type) => {
            return None;
        }
        TypeKind::Array { .. } | TypeKind::Record(_) => " = {0}",
        _ => " = 0",
    };
    Some(Edit::insert(declarator.span.end, value))
}

fn final_return(program: &Program, function: &Function) -> Option<Edit> {
    let end = program.statements[function.body].span.end.checked_sub(1)?;
    let TypeKind::Function { result, .. } = program.types.kind(program.entities[function.entity].r#type)
    else {
        return None;
    };
    let has_zero = program.types.is_arithmetic(result) || program.types.is_pointer(result);
    let is_needed = has_zero && !unchecked_ub::always_returns_value(program, function);
    is_needed.then(|| Edit::insert(end, " return 0; "))
}
