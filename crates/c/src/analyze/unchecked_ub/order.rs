//! Whether the order in which compilers evaluate the operands of an expression could matter.
//!
//! Two calls in one full expression may be made in either order. The order does not matter if at most one of them
//! changes something that outlives it, and no other part of the expression sees the change. [`why_unordered`] checks
//! only the first condition and leaves the second to a second compiler; [`why_order_matters`] checks both.

use crate::Program;
use crate::syntax::{
    BinaryOperator, EntityId, EntityKind, ExpressionId, ExpressionKind, Storage, UnaryOperator,
};
use std::collections::BTreeSet;

/// Why the order of two calls could matter. Returns `None` if it does not.
pub fn why_unordered(program: &Program) -> Option<String> {
    let calls = Calls::of(program);
    let has_two = |parts: &[ExpressionId]| parts.iter().filter(|part| calls.change(**part)).count() > 1;
    any_unordered(program, has_two)
        .then(|| "the order of two calls in one expression could matter".to_owned())
}

/// Why the order of a call and of any other operand could matter. Returns `None` if it does not.
pub fn why_order_matters(program: &Program) -> Option<String> {
    let calls = Calls::of(program);
    let sees_a_change = |parts: &[ExpressionId]| {
        let beside = |place: usize| parts.iter().enumerate().filter(move |(other, _)| *other != place);
        parts.iter().enumerate().any(|(place, part)| {
            calls.change(*part)
                && beside(place)
                    .any(|(_, other)| calls.change(*other) || reads_more_than_locals(program, *other))
        })
    };
    any_unordered(program, sees_a_change)
        .then(|| "the order of calls in one expression could matter".to_owned())
}

/// True if the unordered operands of some operator satisfy a predicate.
fn any_unordered(program: &Program, is_it: impl Fn(&[ExpressionId]) -> bool) -> bool {
    program.expressions.ids().any(|id| {
        let mut operands = Vec::new();
        match program.expressions[id].kind {
            ExpressionKind::Binary { operator: BinaryOperator::And | BinaryOperator::Or, .. }
            | ExpressionKind::Comma { .. }
            | ExpressionKind::Conditional { .. } => return false,
            // The target of an assignment is not read, but it must be located.
            ExpressionKind::Assign { operator: None, target, value } => {
                program.for_each_operand(target, |operand| operands.push(operand));
                operands.push(value);
            }
            _ => program.for_each_operand(id, |operand| operands.push(operand)),
        }
        operands.len() > 1 && is_it(&operands)
    })
}

/// The functions whose calls change something that outlives them.
struct Calls<'a> {
    program: &'a Program,
    changing: BTreeSet<EntityId>,
}

impl Calls<'_> {
    fn of(program: &Program) -> Calls<'_> {
        Calls { program, changing: changing_functions(program) }
    }

    /// True if an expression has such a call.
    fn change(&self, id: ExpressionId) -> bool {
        self.program.walk(id).any(|inner| match called(self.program, inner) {
            Called::Function(entity) => self.changing.contains(&entity),
            Called::Pointer => true,
            Called::Nothing => false,
        })
    }
}

/// True if an expression reads something that a call may change: a file-scope variable, one whose address is known
/// elsewhere, or an object through a pointer.
fn reads_more_than_locals(program: &Program, id: ExpressionId) -> bool {
    program.walk(id).any(|inner| match program.expressions[inner].kind {
        ExpressionKind::Name(entity) => {
            let entity = &program.entities[entity];
            let is_variable = matches!(entity.kind, EntityKind::Variable | EntityKind::Parameter);
            let is_private =
                entity.function.is_some() && !matches!(entity.storage, Storage::Static | Storage::Extern);
            is_variable && (!is_private || entity.address_taken)
        }
        ExpressionKind::Unary { operator: UnaryOperator::Dereference, .. }
        | ExpressionKind::Member { arrow: true, .. }
        | ExpressionKind::Index { .. } => true,
        _ => false,
    })
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

/// The functions that may change something that outlives them, directly or through functions that they call.
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

/// True for an assignment, increment or decrement whose target may be something other than a variable of the function
/// itself.
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
