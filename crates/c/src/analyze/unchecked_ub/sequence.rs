//! Unsequenced accesses: expressions that change an object and access it elsewhere in no fixed order (C11 6.5,
//! paragraph 2).
//!
//! Operands are evaluated in any order, except for `&&`, `||`, `?:` and the comma. The arguments of a call are complete
//! before the function begins. The effects inside a function do not count: calls never overlap.

use crate::syntax::{
    BinaryOperator, EntityId, EntityKind, ExpressionId, ExpressionKind, StatementKind, UnaryOperator,
};
use crate::{Program, TypeKind};
use std::collections::BTreeSet;

/// True if some expression may have two unsequenced accesses to one object, at least one of them a change.
pub fn has_unsequenced(program: &Program) -> bool {
    let mut inner: BTreeSet<ExpressionId> = BTreeSet::new();
    for id in program.expressions.ids() {
        program.for_each_operand(id, |operand| {
            inner.insert(operand);
        });
    }
    let is_statement_expression =
        |id: &ExpressionId| matches!(program.expressions[*id].kind, ExpressionKind::StatementExpression(_));
    let has_code = program.statements.iter().any(|it| matches!(it.kind, StatementKind::Asm(_)));
    has_code
        || program.expressions.ids().any(|id| is_statement_expression(&id))
        || program
            .expressions
            .ids()
            .filter(|id| !inner.contains(id))
            .any(|root| accesses(program, root).is_none())
}

/// An accessed object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Object {
    Variable(EntityId),
    /// An object accessed through a pointer.
    Anything,
}

/// The accesses of an evaluation.
#[derive(Default)]
struct Accesses {
    /// Everything that is read or changed.
    all: Vec<Object>,
    /// What is changed.
    changed: Vec<Object>,
    /// Objects whose change may not be complete when the expression has its value.
    open: Vec<Object>,
}

/// The purpose of evaluating an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Value,
    /// The object that it designates, which is not read.
    Place,
}

/// The accesses of an expression; none if two of them conflict. A chain such as `a + b + c` is as deep as it is long, so
/// this does not call itself.
fn accesses(program: &Program, root: ExpressionId) -> Option<Accesses> {
    let mut nodes = vec![Node::of(program, root, Use::Value)];
    loop {
        let node = nodes.last_mut()?;
        if let Some((operand, purpose)) = node.waiting.pop() {
            nodes.push(Node::of(program, operand, purpose));
            continue;
        }
        let Node { id, purpose, parts, .. } = nodes.pop()?;
        let whole = joined(program, id, purpose, parts)?;
        match nodes.last_mut() {
            Some(parent) => parent.parts.push(whole),
            None => return Some(whole),
        }
    }
}

/// An expression some of whose operands are still to be looked at.
struct Node {
    id: ExpressionId,
    purpose: Use,
    /// The operands to be looked at, the first one last.
    waiting: Vec<(ExpressionId, Use)>,
    /// The accesses of the operands before them.
    parts: Vec<Accesses>,
}

impl Node {
    fn of(program: &Program, id: ExpressionId, purpose: Use) -> Node {
        let kind = program.expressions[id].kind;
        let mut waiting = Vec::new();
        if !matches!(kind, ExpressionKind::SizeofExpression(_) | ExpressionKind::AlignofExpression(_)) {
            let place = match kind {
                ExpressionKind::Assign { operator: None, target, .. } => Some(target),
                ExpressionKind::Unary { operator: UnaryOperator::AddressOf, operand } => Some(operand),
                _ => None,
            };
            program.for_each_operand(id, |operand| {
                waiting.push((operand, if place == Some(operand) { Use::Place } else { Use::Value }));
            });
            waiting.reverse();
        }
        Node { id, purpose, waiting, parts: Vec::new() }
    }
}

/// The accesses of an expression, given those of its operands; none if two of them conflict.
fn joined(program: &Program, id: ExpressionId, purpose: Use, parts: Vec<Accesses>) -> Option<Accesses> {
    let kind = program.expressions[id].kind;
    if let ExpressionKind::SizeofExpression(_) | ExpressionKind::AlignofExpression(_) = kind {
        return Some(Accesses::default());
    }
    let is_ordered = matches!(
        kind,
        ExpressionKind::Binary { operator: BinaryOperator::And | BinaryOperator::Or, .. }
            | ExpressionKind::Comma { .. }
            | ExpressionKind::Conditional { .. }
    );
    if !is_ordered
        && !parts.iter().enumerate().all(|(place, part)| {
            let mut others = parts.iter().enumerate().filter(|(other, _)| *other != place);
            others.all(|(_, other)| !conflict(program, &part.changed, &other.all))
        })
    {
        return None;
    }
    // The first part is extended, not copied, because it is the long one of a chain.
    let mut parts = parts.into_iter();
    let mut whole = parts.next().unwrap_or_default();
    for part in parts {
        whole.all.extend(part.all);
        whole.changed.extend(part.changed);
        whole.open.extend(part.open);
    }
    if let ExpressionKind::Call { .. } = kind {
        whole.open.clear();
    }
    if let Some(object) = read_here(program, id).filter(|_| purpose == Use::Value) {
        whole.all.push(object);
    }
    if let Some(target) = changed_here(program, id) {
        let object = object_of(program, target);
        if conflict(program, &[object], &whole.open) {
            return None;
        }
        whole.all.push(object);
        whole.changed.push(object);
        whole.open.push(object);
    }
    Some(whole)
}

/// The object that an expression reads by itself, regardless of its operands.
fn read_here(program: &Program, id: ExpressionId) -> Option<Object> {
    let expression = &program.expressions[id];
    let is_named = match expression.kind {
        ExpressionKind::Name(entity) => {
            let is_variable =
                matches!(program.entities[entity].kind, EntityKind::Variable | EntityKind::Parameter);
            return is_variable.then_some(Object::Variable(entity));
        }
        ExpressionKind::Unary { operator: UnaryOperator::Dereference, .. } => false,
        ExpressionKind::Index { .. } | ExpressionKind::Member { .. } => {
            matches!(object_of(program, id), Object::Variable(_))
        }
        _ => return None,
    };
    (!is_named).then_some(Object::Anything)
}

/// The target of an assignment, increment or decrement.
fn changed_here(program: &Program, id: ExpressionId) -> Option<ExpressionId> {
    use UnaryOperator as U;
    match program.expressions[id].kind {
        ExpressionKind::Assign { target, .. } => Some(target),
        ExpressionKind::Unary { operator, operand } => {
            let steps = [U::PreIncrement, U::PreDecrement, U::PostIncrement, U::PostDecrement];
            steps.contains(&operator).then_some(operand)
        }
        _ => None,
    }
}

/// The object that an lvalue designates.
fn object_of(program: &Program, id: ExpressionId) -> Object {
    let is_array = |id: ExpressionId| {
        matches!(program.types.kind(program.expressions[id].r#type), TypeKind::Array { .. })
    };
    match program.expressions[id].kind {
        ExpressionKind::Name(entity) => Object::Variable(entity),
        ExpressionKind::Index { base, .. } if is_array(base) => object_of(program, base),
        ExpressionKind::Member { base, arrow: false, .. } => object_of(program, base),
        _ => Object::Anything,
    }
}

fn conflict(program: &Program, some: &[Object], others: &[Object]) -> bool {
    some.iter().any(|one| others.iter().any(|other| may_be_one(program, *one, *other)))
}

/// True if two objects may be the same, or one a part of the other.
fn may_be_one(program: &Program, one: Object, other: Object) -> bool {
    match (one, other) {
        (Object::Variable(one), Object::Variable(other)) => one == other,
        (Object::Anything, Object::Anything) => true,
        (Object::Variable(entity), Object::Anything) | (Object::Anything, Object::Variable(entity)) => {
            let entity = &program.entities[entity];
            let is_array = matches!(program.types.kind(entity.r#type), TypeKind::Array { .. });
            entity.address_taken || is_array
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DataModel;

    #[test]
    fn changes_beside_uses_are_seen() {
        for (expression, expected) in [
            ("g = g + 1", false),
            ("g = h = 1", false),
            ("a[i++] = 1", false),
            ("*p++ = *q++", false),
            ("g = f(g++)", false),
            ("i++ && i", false),
            ("(i++, i)", false),
            ("g ? i++ : i--", false),
            ("p = p->next", false),
            ("g = sizeof(g++)", false),
            ("g = g++", true),
            ("i++ + i", true),
            ("f(i++) + i", true),
            ("a[i++] = i", true),
            ("a[i] = i++", true),
            ("(g && f(i++)) + i", true),
            ("*r = taken++", true),
            ("*r + (taken = 1)", true),
            ("*r = *s = 1", true),
            ("f2(i++, i)", true),
            ("g += (g = 2)", true),
        ] {
            let text = format!(
                "struct list {{ struct list *next; }}; int f(int); int f2(int, int); int g, h;\
                 void test(struct list *p, struct list *q, int *r, int *s) {{\
                 int a[3] = {{0}}; int i = 0; int taken = 0; int *t = &taken; {expression}; }}"
            );
            let program = crate::parse("test.c", &text, DataModel::Lp64).expect("the text is C");
            assert_eq!(has_unsequenced(&program), expected, "{expression}");
        }
    }
}
