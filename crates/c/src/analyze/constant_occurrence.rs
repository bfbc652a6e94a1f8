//! The constants that a program mentions: literals, and constant expressions such as case labels and array lengths.

use crate::syntax::program::Program;
use crate::syntax::span::Span;
use crate::syntax::{
    DeclarationId, EntityKind, ExpressionId, ExpressionKind, StatementKind, Storage, UnaryOperator,
};
use crate::types::{RealKind, Type, TypeKind};
use std::collections::BTreeSet;

/// A constant and its first occurrence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConstantOccurrence {
    /// Its value.
    pub value: ConstantValue,
    /// Its type, without qualifiers: a character constant or an enumerator is an `int`.
    pub r#type: Type,
    /// Its bytes.
    pub span: Span,
}

/// The value of a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ConstantValue {
    /// Of an integer type.
    Integer(i128),
    /// Of a real floating type. It is exact for `float` and `double`. Literals of wider types are rounded to
    /// `double`, and only their bytes give the exact value.
    Real(f64),
}

/// The constants of functions and variable definitions outside system headers: each literal, and each constant
/// expression that is not part of a larger one. Each pair of type and value occurs once, in order of the text.
/// Declarations of types, functions and external objects count only where they are used, because preprocessed programs
/// contain very many of them.
pub fn constants(program: &Program) -> Vec<ConstantOccurrence> {
    let parts = defining_parts(program);
    let inner = inner_constants(program);
    let mut found: Vec<ConstantOccurrence> = program
        .expressions
        .ids()
        .filter(|id| is_literal(program, *id) || !inner[id.index()])
        .filter(|id| is_inside(&parts, program.expressions[*id].span.start))
        .filter_map(|id| occurrence(program, id))
        .collect();
    found.sort_by_key(|occurrence| (occurrence.span.start, occurrence.span.end));
    let mut seen = BTreeSet::new();
    found.retain(|occurrence| seen.insert((occurrence.r#type, occurrence.value.bits())));
    found
}

impl ConstantValue {
    /// Distinct for distinct values and for the two zeros. A type has values of one kind only.
    fn bits(self) -> i128 {
        match self {
            ConstantValue::Integer(value) => value,
            ConstantValue::Real(value) => i128::from(value.to_bits()),
        }
    }
}

/// The bytes of the items that define something here, in ascending order.
fn defining_parts(program: &Program) -> Vec<Span> {
    let is_defining = |kind: StatementKind| match kind {
        StatementKind::Function(_) => true,
        StatementKind::Declaration(declaration) => defines_variable(program, declaration),
        _ => false,
    };
    let statements = program.items.iter().map(|item| &program.statements[*item]);
    statements
        .filter(|item| is_defining(item.kind) && !program.lines.is_in_system_header(item.span.start))
        .map(|item| item.span)
        .collect()
}

fn defines_variable(program: &Program, declaration: DeclarationId) -> bool {
    program.declarators[program.declarations[declaration].declarators].iter().any(|declarator| {
        let info = &program.entities[declarator.entity];
        info.kind == EntityKind::Variable && info.storage != Storage::Extern
            || declarator.initializer.is_some()
    })
}

fn is_inside(parts: &[Span], place: u32) -> bool {
    let before = parts.partition_point(|part| part.start <= place);
    before.checked_sub(1).is_some_and(|last| place < parts[last].end)
}

/// For each expression, whether it is an operand of a constant expression.
fn inner_constants(program: &Program) -> Vec<bool> {
    let mut inner = vec![false; program.expressions.len()];
    for id in program.expressions.ids() {
        if value(program, id).is_some() {
            program.for_each_operand(id, |operand| inner[operand.index()] = true);
        }
    }
    inner
}

fn is_literal(program: &Program, id: ExpressionId) -> bool {
    use ExpressionKind as K;
    matches!(program.expressions[id].kind, K::Integer(_) | K::Character(_) | K::Real(_))
}

fn occurrence(program: &Program, id: ExpressionId) -> Option<ConstantOccurrence> {
    let node = &program.expressions[id];
    let value = value(program, id)?;
    Some(ConstantOccurrence { value, r#type: node.r#type.unqualified(), span: node.span })
}

/// The value of a constant of arithmetic type: an integer constant expression, or a floating literal with a sign.
fn value(program: &Program, id: ExpressionId) -> Option<ConstantValue> {
    let node = &program.expressions[id];
    match program.types.kind(node.r#type) {
        TypeKind::Bool | TypeKind::Integer(_) | TypeKind::Enumeration(_) => {
            program.constant(id).map(ConstantValue::Integer)
        }
        TypeKind::Real(RealKind::Decimal32 | RealKind::Decimal64 | RealKind::Decimal128) => None,
        TypeKind::Real(_) => real(program, id).map(ConstantValue::Real),
        _ => None,
    }
}

fn real(program: &Program, id: ExpressionId) -> Option<f64> {
    match program.expressions[id].kind {
        ExpressionKind::Real(value) => Some(value),
        ExpressionKind::Unary { operator: UnaryOperator::Minus, operand } => {
            match program.expressions[operand].kind {
                ExpressionKind::Real(value) => Some(-value),
                _ => None,
            }
        }
        _ => None,
    }
}
