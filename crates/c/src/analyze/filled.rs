//! Loops that give every element of an array a value.
//!
//! Generated programs fill arrays with `for (i = 0; i < 3; i++) a[i] = 1;` at the beginning of a block, with one loop
//! for each dimension. After such a loop the array has a value just as after an initializer.

use crate::analyze::mentions::Mentions;
use crate::syntax::program::Program;
use crate::syntax::span::Span;
use crate::syntax::{
    BinaryOperator, EntityId, Expression, ExpressionId, ExpressionKind, ForLoop, StatementId, StatementKind,
    UnaryOperator,
};
use crate::types::{ArrayLength, Type, TypeKind};
use std::collections::{BTreeMap, BTreeSet};

/// An array that a statement fills.
pub(crate) struct Filled {
    pub(crate) array: EntityId,
    /// Whether the elements have no parts of their own that may be left without a value.
    pub(crate) in_parts: bool,
}

/// The array that a statement fills from its first element to its last, if nothing can have read it before.
pub(crate) fn filled(program: &Program, mentions: &Mentions, statement: StatementId) -> Option<Filled> {
    let (target, counters) = counted_assignment(program, statement)?;
    let (array, element) = target_of(program, target, &counters)?;
    let span = program.statements[statement].span;
    mentions
        .reads(program)
        .is_unread(array, span)
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

/// Where the objects of a program may be read. It is computed once, because a program may fill very many arrays.
pub(crate) struct Reads {
    /// For each array, where its declaration ends.
    declared: BTreeMap<EntityId, u32>,
    /// For each array, where its name is used for more than its address, in order of the text.
    named: BTreeMap<EntityId, Vec<u32>>,
    /// Where a pointer is dereferenced or a function is called that might know any object, in order of the text.
    hidden: Vec<u32>,
}

impl Reads {
    /// Looks through a program.
    pub(crate) fn of(program: &Program) -> Reads {
        let mut reads = Reads { declared: BTreeMap::new(), named: BTreeMap::new(), hidden: Vec::new() };
        for declarator in program.declarators.iter() {
            if matches!(program.types.kind(declarator.r#type), TypeKind::Array { .. }) {
                reads.declared.entry(declarator.entity).or_insert(declarator.span.end);
            }
        }
        let addressed = addressed(program);
        for id in program.expressions.ids().filter(|id| !addressed.contains(id)) {
            reads.look(program, id);
        }
        reads.hidden.sort_unstable();
        reads.named.values_mut().for_each(|places| places.sort_unstable());
        reads
    }

    fn look(&mut self, program: &Program, id: ExpressionId) {
        let place = program.expressions[id].span.start;
        let is_hidden = match program.expressions[id].kind {
            ExpressionKind::Name(entity) if self.declared.contains_key(&entity) => {
                self.named.entry(entity).or_default().push(place);
                false
            }
            ExpressionKind::Call { .. } | ExpressionKind::StatementExpression(_) => true,
            ExpressionKind::Unary { operator: UnaryOperator::Dereference, .. } => true,
            // An element of a named array is accessed without following a pointer.
            ExpressionKind::Index { base, .. } => !is_named_array(program, base),
            ExpressionKind::Member { arrow, .. } => arrow,
            _ => false,
        };
        if is_hidden {
            self.hidden.push(place);
        }
    }

    /// True if nothing that could be the array is read from its declaration to the end of the loop that fills it: its name
    /// is only used for its address and once as the target, no pointer is dereferenced, and no function is called that
    /// might know it.
    fn is_unread(&self, array: EntityId, fill: Span) -> bool {
        let Some(declared) = self.declared.get(&array) else { return false };
        let within = |places: &[u32]| {
            let before = |end: u32| places.partition_point(|place| *place < end);
            before(fill.end).saturating_sub(before(*declared))
        };
        within(&self.hidden) == 0 && self.named.get(&array).map_or(0, |places| within(places)) <= 1
    }
}

/// The expressions whose address is taken, and the enclosing objects.
fn addressed(program: &Program) -> BTreeSet<ExpressionId> {
    let operand = |expression: &Expression| match expression.kind {
        ExpressionKind::Unary { operator: UnaryOperator::AddressOf, operand } => Some(operand),
        _ => None,
    };
    program.expressions.iter().filter_map(operand).flat_map(|operand| objects(program, operand)).collect()
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
