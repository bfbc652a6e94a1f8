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

/// A set of objects.
#[derive(Default)]
struct Objects {
    variables: BTreeSet<EntityId>,
    /// Whether a pointer may point to one of the variables.
    has_exposed: bool,
    /// Whether there is an object accessed through a pointer.
    has_anything: bool,
}

impl Objects {
    fn insert(&mut self, program: &Program, object: Object) {
        match object {
            Object::Variable(entity) => {
                self.variables.insert(entity);
                self.has_exposed |= is_exposed(program, entity);
            }
            Object::Anything => self.has_anything = true,
        }
    }

    /// Adds the objects of another set. The smaller set is copied, so that the sets of a long expression are joined in
    /// little more time than its length.
    fn join(&mut self, mut other: Objects) {
        if self.variables.len() < other.variables.len() {
            std::mem::swap(self, &mut other);
        }
        self.variables.extend(other.variables);
        self.has_exposed |= other.has_exposed;
        self.has_anything |= other.has_anything;
    }

    /// True if an object of one set may be one of the other, or a part of it.
    fn may_meet(&self, other: &Objects) -> bool {
        let (few, many) =
            if self.variables.len() < other.variables.len() { (self, other) } else { (other, self) };
        self.has_anything && (other.has_anything || other.has_exposed)
            || self.has_exposed && other.has_anything
            || few.variables.iter().any(|variable| many.variables.contains(variable))
    }

    /// The same for one object.
    fn may_have(&self, program: &Program, object: Object) -> bool {
        match object {
            Object::Variable(entity) => {
                self.variables.contains(&entity) || self.has_anything && is_exposed(program, entity)
            }
            Object::Anything => self.has_anything || self.has_exposed,
        }
    }
}

/// The accesses of an evaluation.
#[derive(Default)]
struct Accesses {
    /// Everything that is read or changed.
    all: Objects,
    /// What is changed.
    changed: Objects,
    /// Objects whose change may not be complete when the expression has its value.
    open: Objects,
}

impl Accesses {
    fn conflict(&self, other: &Accesses) -> bool {
        self.changed.may_meet(&other.all) || other.changed.may_meet(&self.all)
    }

    fn join(&mut self, other: Accesses) {
        self.all.join(other.all);
        self.changed.join(other.changed);
        self.open.join(other.open);
    }
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

/// An expression some of whose operands are pending.
struct Node {
    id: ExpressionId,
    purpose: Use,
    /// The pending operands, the first one last.
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
    let mut whole = Accesses::default();
    for part in parts {
        // A part that conflicts with none of those before it, joined, conflicts with no single one.
        if !is_ordered && whole.conflict(&part) {
            return None;
        }
        whole.join(part);
    }
    if let ExpressionKind::Call { .. } = kind {
        whole.open = Objects::default();
    }
    if let Some(object) = read_here(program, id).filter(|_| purpose == Use::Value) {
        whole.all.insert(program, object);
    }
    if let Some(target) = changed_here(program, id) {
        let object = object_of(program, target);
        if whole.open.may_have(program, object) {
            return None;
        }
        for objects in [&mut whole.all, &mut whole.changed, &mut whole.open] {
            objects.insert(program, object);
        }
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

/// True if a pointer may point to a variable.
fn is_exposed(program: &Program, entity: EntityId) -> bool {
    let entity = &program.entities[entity];
    entity.address_taken || matches!(program.types.kind(entity.r#type), TypeKind::Array { .. })
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
            ("f2(g++, i++) + h++", false),
            ("f2(g++, i++) + h++ + g", true),
            ("f2(*r, a[i])", false),
            ("f2(*r = 1, a[i])", true),
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
