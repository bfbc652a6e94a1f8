//! The first element of an array for the array itself, and the other way round.
//!
//! In a comparison an array becomes a pointer to its first element, so `array` and `&array[0]` are the same value
//! of the same type.

use super::restated;
use crate::debug_check::form::{Form, Operands};
use crate::debug_check::prepared::Derived;
use crate::debug_check::shape::Shape;
use c::syntax::{ExpressionId, ExpressionKind, UnaryOperator};
use c::{Program, TypeKind};

/// The name of the rule in tables.
const NAME: &str = "first-element";

/// The other spelling of an operand that is the name of an array, or the address of its first element.
pub fn respelled(program: &Program, operand: ExpressionId) -> Option<String> {
    let node = &program.expressions[operand];
    let is_array = |id: ExpressionId| {
        let is_name = matches!(program.expressions[id].kind, ExpressionKind::Name(_));
        is_name && matches!(program.types.kind(program.expressions[id].r#type), TypeKind::Array { .. })
    };
    match node.kind {
        ExpressionKind::Name(_) if is_array(operand) => {
            Some(format!("&{}[0]", program.text_of(node.span).trim_matches(['(', ')'])))
        }
        ExpressionKind::Unary { operator: UnaryOperator::AddressOf, operand } => {
            let ExpressionKind::Index { base, index } = program.expressions[operand].kind else {
                return None;
            };
            let is_first = program.constant(index) == Some(0) && is_array(base);
            is_first
                .then(|| program.text_of(program.expressions[base].span).trim_matches(['(', ')']).to_owned())
        }
        _ => None,
    }
}

/// The known comparison with other words for an operand.
pub fn derive(number: usize, shape: &Shape, left: &str, right: &str) -> Derived {
    let (negations, body) = restated(shape);
    let operands = Operands { left, right, common: shape.domain.common() };
    let condition = operands.condition(&Form::same(negations, body));
    Derived { rule: NAME, guard: None, condition, class: number.to_string(), needs_execution: false }
}
