//! Points between statements of a program in normal form: where a condition has just held or failed, and no other way
//! leads.

use super::context::Context;
use super::fact::{Fact, case_fact, facts};
use super::prepared::Origin;
use super::shape::Relation;
use c::syntax::{ExpressionId, ExpressionKind, ScopeId, StatementId, StatementKind};
use c::{Program, Span};
use std::collections::BTreeSet;

/// How many cases the default of a switch is compared with.
const MOST_CASES: usize = 8;

/// A point between statements where something is known.
#[derive(Clone, Debug)]
pub struct KnownPoint {
    /// The byte before which it is.
    pub offset: u32,
    /// What led there.
    pub origin: Origin,
    /// What is known.
    pub facts: Vec<Fact>,
}

/// Finds the points of a program.
pub struct KnownPoints {
    /// The loops and switches that a `break` leaves.
    broken: BTreeSet<StatementId>,
}

impl KnownPoints {
    /// Looks through a program.
    pub fn of(program: &Program) -> KnownPoints {
        KnownPoints { broken: broken(program) }
    }

    /// The points directly inside a statement, or after it.
    pub fn of_statement(&self, context: &mut Context<'_>, statement: StatementId) -> Vec<KnownPoint> {
        let program = context.program;
        let mut points = Vec::new();
        let mut add = |context: &mut Context<'_>, offset, origin, condition, holds| {
            let facts = facts(context, condition, holds);
            points.extend(KnownPoint::new(offset, origin, facts));
        };
        match program.statements[statement].kind {
            StatementKind::If { condition, then, otherwise } => {
                if let Some(offset) = beginning(program, then) {
                    add(context, offset, Origin::If, condition, true);
                }
                if let Some(offset) = otherwise.and_then(|branch| beginning(program, branch)) {
                    add(context, offset, Origin::Else, condition, false);
                }
            }
            StatementKind::While { condition, body } => {
                if let Some(offset) = beginning(program, body) {
                    add(context, offset, Origin::While, condition, true);
                }
            }
            StatementKind::For(id) => {
                let parts = &program.for_loops[id];
                if let (Some(condition), Some(offset)) = (parts.condition, beginning(program, parts.body)) {
                    add(context, offset, Origin::For, condition, true);
                }
            }
            StatementKind::Compound { items, .. } => {
                for item in &program.statement_lists[items] {
                    if let Some((offset, origin, condition)) = self.exit(program, *item) {
                        add(context, offset, origin, condition, false);
                    }
                }
            }
            StatementKind::Switch { value, body } => return arms(context, value, body),
            _ => {}
        }
        points
    }

    /// The point after an item of a block if it is a loop that is left only when its condition fails. A jump into the
    /// loop does no harm, since the condition is evaluated before the loop is left; a jump out of it does not lead to
    /// this point, since any label follows it.
    fn exit(&self, program: &Program, item: StatementId) -> Option<(u32, Origin, ExpressionId)> {
        let mut statement = item;
        loop {
            statement = match program.statements[statement].kind {
                StatementKind::Label { body, .. }
                | StatementKind::Case { body, .. }
                | StatementKind::Default(body) => body,
                _ if self.broken.contains(&statement) => return None,
                StatementKind::While { condition, .. } => {
                    return Some((program.statements[item].span.end, Origin::LoopExit, condition));
                }
                StatementKind::DoWhile { condition, .. } => {
                    return Some((program.statements[item].span.end, Origin::Do, condition));
                }
                StatementKind::For(id) => {
                    let parts = &program.for_loops[id];
                    // What the loop declares is gone after it.
                    let declares = parts.first.is_some_and(|first| {
                        !matches!(program.statements[first].kind, StatementKind::Expression(_))
                    });
                    let condition = parts.condition.filter(|_| !declares)?;
                    return Some((program.statements[item].span.end, Origin::LoopExit, condition));
                }
                _ => return None,
            };
        }
    }
}

impl KnownPoint {
    fn new(offset: u32, origin: Origin, facts: Vec<Fact>) -> Option<KnownPoint> {
        if facts.is_empty() { None } else { Some(KnownPoint { offset, origin, facts }) }
    }
}

/// The point after the opening brace of a compound statement, before everything that it declares. Only the condition
/// leads there: labels follow it.
fn beginning(program: &Program, statement: StatementId) -> Option<u32> {
    let node = &program.statements[statement];
    let StatementKind::Compound { items, .. } = node.kind else { return None };
    let first = program.statement_lists[items].first().map(|first| program.statements[*first].kind);
    // Nothing may stand before a `__label__`; a brace may also be spelled `<%`.
    let is_usual = program.text.get(node.span.start as usize) == Some(&b'{');
    let is_free = !matches!(first, Some(StatementKind::LabelDeclaration(_)));
    (is_usual && is_free).then_some(node.span.start + 1)
}

/// The loops and switches of a program that a `break` leaves. Of one in a statement expression compilers do not agree
/// which it leaves, if it stands in the condition of a loop.
fn broken(program: &Program) -> BTreeSet<StatementId> {
    let expressions: Vec<Span> = program
        .expressions
        .iter()
        .filter(|it| matches!(it.kind, ExpressionKind::StatementExpression(_)))
        .map(|it| it.span)
        .collect();
    let mut order: Vec<(Span, StatementId, bool)> = Vec::new();
    for id in program.statements.ids() {
        let node = &program.statements[id];
        match node.kind {
            StatementKind::Break => order.push((node.span, id, true)),
            StatementKind::While { .. }
            | StatementKind::DoWhile { .. }
            | StatementKind::For(_)
            | StatementKind::Switch { .. } => order.push((node.span, id, false)),
            _ => {}
        }
    }
    order.sort_unstable_by_key(|(span, ..)| (span.start, std::cmp::Reverse(span.end)));
    let mut broken = BTreeSet::new();
    let mut open: Vec<(Span, StatementId)> = Vec::new();
    for (span, id, is_break) in order {
        while open.pop_if(|(around, _)| around.end <= span.start).is_some() {}
        if is_break {
            let is_inside = expressions.iter().any(|around| around.contains(span));
            let left = if is_inside { 0 } else { open.len().saturating_sub(1) };
            broken.extend(open[left..].iter().map(|(_, around)| *around));
        } else {
            open.push((span, id));
        }
    }
    broken
}

/// The points after the cases of a switch that nothing falls into.
fn arms(context: &mut Context<'_>, value: ExpressionId, body: StatementId) -> Vec<KnownPoint> {
    let program = context.program;
    let StatementKind::Compound { scope, items } = program.statements[body].kind else { return Vec::new() };
    let items = &program.statement_lists[items];
    let mut points = Vec::new();
    let mut is_entered = false;
    for item in items {
        if !is_entered && let Some((offset, origin)) = arm(program, *item) {
            let facts = match origin {
                Origin::SwitchDefault => default_facts(context, value, items),
                _ => arm_facts(context, value, *item),
            };
            if are_names_visible(program, value, scope, offset) {
                points.extend(KnownPoint::new(offset, origin, facts));
            }
        }
        // What is declared before the first case is not executed; everything else may fall into what follows.
        let is_declaration = matches!(program.statements[*item].kind, StatementKind::Declaration(_));
        is_entered = if is_declaration { is_entered } else { !ends_in_jump(program, *item) };
    }
    points
}

/// The point after the colon of an item that is a single case or default. With a label before it or another case
/// next to it, there are other ways to that point.
fn arm(program: &Program, item: StatementId) -> Option<(u32, Origin)> {
    let (body, origin) = match program.statements[item].kind {
        StatementKind::Case { body, .. } => (body, Origin::SwitchArm),
        StatementKind::Default(body) => (body, Origin::SwitchDefault),
        _ => return None,
    };
    let inner = &program.statements[body];
    let is_single = !matches!(inner.kind, StatementKind::Case { .. } | StatementKind::Default(_));
    // Attributes after the colon would become those of what is inserted.
    let head = program.text_of(Span::new(program.statements[item].span.start, inner.span.start));
    let has_attributes = head.contains("__attribute") || head.contains("[[") || head.contains('#');
    let is_usual = !matches!(inner.kind, StatementKind::Attributes(_) | StatementKind::LabelDeclaration(_));
    (is_single && is_usual && !has_attributes).then_some((inner.span.start, origin))
}

/// The value is that of the case, or between those of a range.
fn arm_facts(context: &mut Context<'_>, value: ExpressionId, item: StatementId) -> Vec<Fact> {
    match context.program.statements[item].kind {
        StatementKind::Case { first, last: None, .. } => {
            case_fact(context, value, Relation::Equal, first).into_iter().collect()
        }
        StatementKind::Case { first, last: Some(last), .. } => {
            let lower = case_fact(context, value, Relation::AtLeast, first);
            let upper = case_fact(context, value, Relation::AtMost, last);
            lower.into_iter().chain(upper).collect()
        }
        _ => Vec::new(),
    }
}

/// The value is none of the cases.
fn default_facts(context: &mut Context<'_>, value: ExpressionId, items: &[StatementId]) -> Vec<Fact> {
    let program = context.program;
    let mut found = Vec::new();
    for item in items {
        let mut statement = *item;
        loop {
            statement = match program.statements[statement].kind {
                StatementKind::Case { first, last, body } => {
                    if last.is_none() && found.len() < MOST_CASES {
                        found.extend(case_fact(context, value, Relation::Unequal, first));
                    }
                    body
                }
                StatementKind::Default(body) | StatementKind::Label { body, .. } => body,
                _ => break,
            };
        }
    }
    found
}

/// True if nothing gets past a statement.
fn ends_in_jump(program: &Program, statement: StatementId) -> bool {
    let mut current = statement;
    loop {
        current = match program.statements[current].kind {
            StatementKind::Label { body, .. }
            | StatementKind::Case { body, .. }
            | StatementKind::Default(body) => body,
            StatementKind::Compound { items, .. } => match program.statement_lists[items].last() {
                Some(last) => *last,
                None => return false,
            },
            StatementKind::Return(_)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Goto(_)
            | StatementKind::ComputedGoto(_) => return true,
            _ => return false,
        };
    }
}

/// True if the names in an expression outside of a block mean the same at a point in the block.
fn are_names_visible(program: &Program, expression: ExpressionId, scope: ScopeId, point: u32) -> bool {
    let declared = &program.entity_lists[program.scopes[scope].entities];
    program.walk(expression).all(|id| match program.expressions[id].kind {
        ExpressionKind::Name(entity) => !declared.iter().any(|other| {
            let (other, info) = (&program.entities[*other], &program.entities[entity]);
            other.name == info.name && other.visible_from <= point
        }),
        _ => true,
    })
}
