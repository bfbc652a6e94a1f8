//! Whether the order in which compilers evaluate the operands of an expression could matter.
//!
//! Two calls in one full expression may be made in either order. The order does not matter if at most one of them
//! changes something that outlives it, and no other part of the expression sees the change. [`why_unordered`] checks
//! only the first condition and leaves the second to a second compiler; [`why_order_matters`] checks both.

use crate::Program;
use crate::analyze::functions_by_offset::FunctionsByOffset;
use crate::syntax::{
    BinaryOperator, EntityId, EntityKind, ExpressionId, ExpressionKind, Storage, UnaryOperator,
};
use std::collections::{BTreeMap, BTreeSet};

/// Why the order of two calls could matter. Returns `None` if it does not.
pub fn why_unordered(program: &Program) -> Option<String> {
    let changes = changing_expressions(program);
    let has_two = |parts: &[ExpressionId]| parts.iter().filter(|part| changes[part.index()]).count() > 1;
    any_unordered(program, has_two)
        .then(|| "the order of two calls in one expression could matter".to_owned())
}

/// Why the order of a call and of any other operand could matter. Returns `None` if it does not.
pub fn why_order_matters(program: &Program) -> Option<String> {
    let changes = changing_expressions(program);
    let reads = program.expressions_with(|id| reads_more_than_locals(program, id));
    let sees_a_change = |parts: &[ExpressionId]| {
        let beside = |place: usize| parts.iter().enumerate().filter(move |(other, _)| *other != place);
        parts.iter().enumerate().any(|(place, part)| {
            changes[part.index()]
                && beside(place).any(|(_, other)| changes[other.index()] || reads[other.index()])
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

/// For each expression, whether it has a call that changes something which outlives it.
fn changing_expressions(program: &Program) -> Vec<bool> {
    let changing = changing_functions(program);
    program.expressions_with(|id| match called(program, id) {
        Called::Function(entity) => changing.contains(&entity),
        Called::Pointer => true,
        Called::Nothing => false,
    })
}

/// True if an expression by itself reads something that a call may change: a file-scope variable, one whose address is
/// known elsewhere, or an object through a pointer.
fn reads_more_than_locals(program: &Program, id: ExpressionId) -> bool {
    match program.expressions[id].kind {
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
    }
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

/// The functions that may change something that outlives them, directly or through functions that they call. Functions
/// that the program does not define may change anything, but are not among them.
fn changing_functions(program: &Program) -> BTreeSet<EntityId> {
    let functions = FunctionsByOffset::of(program);
    let defined: BTreeSet<EntityId> = program.functions.iter().map(|function| function.entity).collect();
    let mut callers: BTreeMap<EntityId, Vec<EntityId>> = BTreeMap::new();
    let mut waiting: Vec<EntityId> = Vec::new();
    for id in program.expressions.ids() {
        let around = || {
            let functions = functions.around(program.expressions[id].span.start);
            functions.map(|function| program.functions[function].entity)
        };
        match called(program, id) {
            Called::Function(entity) if defined.contains(&entity) => {
                callers.entry(entity).or_default().extend(around());
            }
            Called::Function(_) | Called::Pointer => waiting.extend(around()),
            Called::Nothing if changes_more_than_locals(program, id) => waiting.extend(around()),
            Called::Nothing => {}
        }
    }
    let mut changing = BTreeSet::new();
    while let Some(function) = waiting.pop() {
        if changing.insert(function) {
            waiting.extend(callers.remove(&function).unwrap_or_default());
        }
    }
    changing
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DataModel;

    #[test]
    fn changes_are_seen_through_calls_and_in_deep_operands() {
        for (expression, expected) in [
            ("1 + (2 * last(3))", false),
            ("g + (2 * last(3))", true),
            ("first(1) + (2 * last(3))", true),
            ("g + pure(1)", false),
            ("foreign(1) + g", false),
            ("calls_foreign(1) + (g - 1)", true),
            ("first(g)", false),
            ("first(1) && g", false),
        ] {
            let text = format!(
                "int g; int foreign(int); int first(int); int calls_foreign(int x) {{ return foreign(x); }}\
                 int pure(int x) {{ x = x + 1; return x; }} int last(int x) {{ g = x; return x; }}\
                 int middle(int x) {{ return last(x); }} int first(int x) {{ return middle(x); }}\
                 int main(void) {{ return {expression}; }}"
            );
            let program = crate::parse("test.c", &text, DataModel::Lp64).expect("the text is C");
            assert_eq!(why_order_matters(&program).is_some(), expected, "{expression}");
        }
    }
}
