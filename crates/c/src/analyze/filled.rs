//! Loops that give every element of an array a value.
//!
//! Generated programs fill arrays with `for (i = 0; i < 3; i++) a[i] = 1;` at the beginning of a block, with one loop
//! for each dimension. After such a loop the array has a value just as after an initializer.

use crate::syntax::program::Program;
use crate::syntax::span::Span;
use crate::syntax::{
    BinaryOperator, EntityId, ExpressionId, ExpressionKind, ForLoop, StatementId, StatementKind,
    UnaryOperator,
};
use crate::types::{ArrayLength, Type, TypeKind};

/// An array that a statement fills.
pub(crate) struct Filled {
    pub(crate) array: EntityId,
    /// Whether the elements have no parts of their own that may be left without a value.
    pub(crate) in_parts: bool,
}

/// The array that a statement fills from its first element to its last, if nothing can have read it before.
pub(crate) fn filled(program: &Program, statement: StatementId) -> Option<Filled> {
    let (target, counters) = counted_assignment(program, statement)?;
    let (array, element) = target_of(program, target, &counters)?;
    let span = program.statements[statement].span;
    is_unread(program, array, target, span)
        .then(|| Filled { array, in_parts: !matches!(program.types.kind(element), TypeKind::Record(_)) })
}

/// A variable that counts from zero up to the limit.
struct Counter {
    variable: EntityId,
    below: i128,
}

/// The assignment inside nested loops that contain nothing else, and the counters of these loops, outermost first.
fn counted_assignment(program: &Program, statement: StatementId) -> Option<(ExpressionId, Vec<Counter>)> {
    let mut counters: Vec<Counter> = Vec::new();
    let mut inner = statement;
    loop {
        match program.statements[inner].kind {
            StatementKind::Compound { items, .. } => match &program.statement_lists[items] {
                [only] => inner = *only,
                _ => return None,
            },
            StatementKind::For(parts) => {
                let parts = program.for_loops[parts];
                let counter = counter_of(program, &parts)?;
                if counters.iter().any(|outer| outer.variable == counter.variable) {
                    return None;
                }
                counters.push(counter);
                inner = parts.body;
            }
            StatementKind::Expression(expression) => {
                let ExpressionKind::Assign { operator: None, target, value } =
                    program.expressions[expression].kind
                else {
                    return None;
                };
                return program.is_pure(value).then_some((target, counters));
            }
            _ => return None,
        }
    }
}

/// The counter of `for (i = 0; i < number; i++)`, if nothing else can change it.
fn counter_of(program: &Program, parts: &ForLoop) -> Option<Counter> {
    let StatementKind::Expression(first) = program.statements[parts.first?].kind else { return None };
    let ExpressionKind::Assign { operator: None, target, value } = program.expressions[first].kind else {
        return None;
    };
    let variable = named(program, target)?;
    let entity = &program.entities[variable];
    let is_private = entity.function.is_some() && !entity.address_taken;
    let is_integer = matches!(program.types.kind(entity.r#type), TypeKind::Integer(_));
    let starts_at_zero = program.constant(value) == Some(0);
    let counts = parts.step.is_some_and(|step| increments(program, step, variable));
    let below = bound(program, parts.condition?, variable)?;
    (is_private && is_integer && starts_at_zero && counts).then_some(Counter { variable, below })
}

/// The number in `variable < number`.
fn bound(program: &Program, condition: ExpressionId, variable: EntityId) -> Option<i128> {
    match program.expressions[condition].kind {
        ExpressionKind::Binary { operator: BinaryOperator::Less, left, right } => {
            (named(program, left) == Some(variable)).then(|| program.constant(right))?
        }
        _ => None,
    }
}

/// True for `variable++` and `++variable`.
fn increments(program: &Program, step: ExpressionId, variable: EntityId) -> bool {
    match program.expressions[step].kind {
        ExpressionKind::Unary {
            operator: UnaryOperator::PreIncrement | UnaryOperator::PostIncrement,
            operand,
        } => named(program, operand) == Some(variable),
        _ => false,
    }
}

fn named(program: &Program, expression: ExpressionId) -> Option<EntityId> {
    match program.expressions[expression].kind {
        ExpressionKind::Name(entity) => Some(entity),
        _ => None,
    }
}

/// The array of `array[i][j]` and the type of its elements, if the counters cover all of its indices.
fn target_of(program: &Program, target: ExpressionId, counters: &[Counter]) -> Option<(EntityId, Type)> {
    let mut indices = Vec::new();
    let mut base = target;
    while let ExpressionKind::Index { base: inner, index } = program.expressions[base].kind {
        indices.push(named(program, index)?);
        base = inner;
    }
    indices.reverse();
    let array = named(program, base)?;
    let mut element = program.entities[array].r#type;
    for index in &indices {
        let TypeKind::Array { element: inner, length: ArrayLength::Known(length) } =
            program.types.kind(element)
        else {
            return None;
        };
        let counter = counters.iter().find(|counter| counter.variable == *index)?;
        if counter.below != i128::from(length) {
            return None;
        }
        element = inner;
    }
    // A counter twice is the diagonal alone.
    let is_complete = !matches!(program.types.kind(element), TypeKind::Array { .. });
    let all_count = counters.iter().all(|counter| indices.contains(&counter.variable));
    (is_complete && all_count && indices.len() == counters.len() && !indices.is_empty())
        .then_some((array, element))
}

/// True if nothing that could be the array is read from its declaration to the end of the loop that fills it: its name
/// is only used for its address, no pointer is dereferenced, and no function is called that might know it.
fn is_unread(program: &Program, array: EntityId, target: ExpressionId, fill: Span) -> bool {
    let Some(declaration) = program.declarators.iter().find(|it| it.entity == array) else { return false };
    let part = Span::new(declaration.span.end, fill.end);
    let inside: Vec<ExpressionId> =
        program.expressions.ids().filter(|id| part.contains(program.expressions[*id].span)).collect();
    let mut places = objects(program, target);
    for id in &inside {
        if let ExpressionKind::Unary { operator: UnaryOperator::AddressOf, operand } =
            program.expressions[*id].kind
        {
            places.extend(objects(program, operand));
        }
    }
    inside.iter().all(|id| match program.expressions[*id].kind {
        _ if places.contains(id) => true,
        ExpressionKind::Name(entity) => entity != array,
        ExpressionKind::Call { .. } | ExpressionKind::StatementExpression(_) => false,
        ExpressionKind::Unary { operator: UnaryOperator::Dereference, .. } => false,
        // An element of a named array is accessed without following a pointer.
        ExpressionKind::Index { base, .. } => is_named_array(program, base),
        ExpressionKind::Member { arrow, .. } => !arrow,
        _ => true,
    })
}

/// True for a named array and for its elements.
fn is_named_array(program: &Program, expression: ExpressionId) -> bool {
    let is_array =
        matches!(program.types.kind(program.expressions[expression].r#type), TypeKind::Array { .. });
    match program.expressions[expression].kind {
        ExpressionKind::Name(_) => is_array,
        ExpressionKind::Index { base, .. } => is_array && is_named_array(program, base),
        _ => false,
    }
}

/// An expression whose object is written or whose address is taken, and the enclosing objects. None of them is read.
fn objects(program: &Program, expression: ExpressionId) -> Vec<ExpressionId> {
    let mut found = vec![expression];
    let mut inner = expression;
    loop {
        inner = match program.expressions[inner].kind {
            ExpressionKind::Index { base, .. } if is_named_array(program, base) => base,
            ExpressionKind::Member { base, arrow: false, .. } => base,
            _ => return found,
        };
        found.push(inner);
    }
}
