//! Whether the order in which compilers evaluate the operands of an expression could matter.
//!
//! Two calls in one full expression may be made in either order. That is no matter if at most one of them changes
//! something that outlives it, and no other part of the expression sees the change. The second half is left to
//! sanitizers and to a second compiler: here programs with two such calls are refused.

use c::Program;
use c::syntax::{BinaryOperator, EntityId, ExpressionId, ExpressionKind, Storage, UnaryOperator};
use std::collections::BTreeSet;

/// Why the order could matter; none if it does not.
pub fn why_unordered(program: &Program) -> Option<String> {
    let changing = changing_functions(program);
    let is_changing = |id: &ExpressionId| match called(program, *id) {
        Called::Function(entity) => changing.contains(&entity),
        Called::Pointer => true,
        Called::Nothing => false,
    };
    // Two operands of one operator are evaluated in either order, but for these operators.
    let has_two = |id: ExpressionId| {
        let mut count = 0;
        program.for_each_operand(id, |operand| {
            count += usize::from(program.walk(operand).any(|inner| is_changing(&inner)));
        });
        count > 1
    };
    let unordered = |id: ExpressionId| match program.expressions[id].kind {
        ExpressionKind::Binary { operator: BinaryOperator::And | BinaryOperator::Or, .. }
        | ExpressionKind::Comma { .. }
        | ExpressionKind::Conditional { .. } => false,
        _ => has_two(id),
    };
    program
        .expressions
        .ids()
        .any(unordered)
        .then(|| "the order of two calls in one expression could matter".to_owned())
}

enum Called {
    Function(EntityId),
    Pointer,
    Nothing,
}

fn called(program: &Program, id: ExpressionId) -> Called {
    let ExpressionKind::Call { function, .. } = program.expressions[id].kind else { return Called::Nothing };
    match program.expressions[function].kind {
        ExpressionKind::Name(entity) => Called::Function(entity),
        _ => Called::Pointer,
    }
}

/// The functions that may change what outlives them, directly or by what they call.
fn changing_functions(program: &Program) -> BTreeSet<EntityId> {
    let mut changing = BTreeSet::new();
    let mut calls: Vec<(EntityId, EntityId)> = Vec::new();
    for function in program.functions.iter() {
        let inside = |id: &ExpressionId| function.span.contains(program.expressions[*id].span);
        for id in program.expressions.ids().filter(inside) {
            match called(program, id) {
                Called::Function(entity) => calls.push((function.entity, entity)),
                Called::Pointer => drop(changing.insert(function.entity)),
                Called::Nothing if changes_more_than_locals(program, id) => {
                    changing.insert(function.entity);
                }
                Called::Nothing => {}
            }
        }
    }
    let defined: BTreeSet<EntityId> = program.functions.iter().map(|function| function.entity).collect();
    loop {
        let is_found = |callee: &EntityId| changing.contains(callee) || !defined.contains(callee);
        let found: Vec<EntityId> = calls
            .iter()
            .filter(|(caller, callee)| is_found(callee) && !changing.contains(caller))
            .map(|(caller, _)| *caller)
            .collect();
        if found.is_empty() {
            return changing;
        }
        changing.extend(found);
    }
}

/// True for an assignment or step whose target is not surely a variable of the function itself.
fn changes_more_than_locals(program: &Program, id: ExpressionId) -> bool {
    use UnaryOperator as U;
    let target = match program.expressions[id].kind {
        ExpressionKind::Assign { target, .. } => target,
        ExpressionKind::Unary { operator, operand }
            if [U::PreIncrement, U::PreDecrement, U::PostIncrement, U::PostDecrement].contains(&operator) =>
        {
            operand
        }
        _ => return false,
    };
    let ExpressionKind::Name(entity) = program.expressions[target].kind else { return true };
    let entity = &program.entities[entity];
    entity.function.is_none() || matches!(entity.storage, Storage::Static | Storage::Extern)
}
