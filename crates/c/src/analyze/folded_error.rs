//! Errors in constant expressions. Compilers fold these before a sanitizer is inserted, so no execution shows them.

use crate::Program;
use crate::syntax::{BinaryOperator, ExpressionId, ExpressionKind, UnaryOperator};

/// True if some constant expression overflows, divides by zero or shifts by too many bits.
pub fn has_folded_error(program: &Program) -> bool {
    program.expressions.ids().any(|id| is_error(program, id))
}

fn is_error(program: &Program, id: ExpressionId) -> bool {
    let node = &program.expressions[id];
    let types = &program.types;
    if !types.is_integer(node.r#type) {
        return false;
    }
    let Some(bits) = types.size(node.r#type).map(|size| size * 8).filter(|bits| *bits <= 64) else {
        return false;
    };
    let is_signed = types.is_signed(node.r#type);
    let value = |id: ExpressionId| program.constant(id);
    let fits = |value: i128| !is_signed || (-(1_i128 << (bits - 1))..1_i128 << (bits - 1)).contains(&value);
    match node.kind {
        ExpressionKind::Unary { operator: UnaryOperator::Minus, operand } => {
            value(operand).is_some_and(|operand| !fits(-operand))
        }
        ExpressionKind::Binary { operator, left, right } => {
            let (left, right) = (value(left), value(right));
            let is_shift = matches!(operator, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight);
            if is_shift && right.is_some_and(|count| count < 0 || count >= i128::from(bits)) {
                return true;
            }
            let is_division = matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder);
            if is_division && right == Some(0) {
                return true;
            }
            let (Some(left), Some(right)) = (left, right) else { return false };
            match operator {
                BinaryOperator::Add => !fits(left + right),
                BinaryOperator::Subtract => !fits(left - right),
                BinaryOperator::Multiply => !fits(left.saturating_mul(right)),
                BinaryOperator::Divide | BinaryOperator::Remainder => !fits(left / right),
                BinaryOperator::ShiftLeft => is_signed && (left < 0 || !fits(left << right)),
                _ => false,
            }
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_constants_are_seen() {
        for (expression, expected) in [
            ("(-2147483647 - 1) - 1", true),
            ("-2147483647 - 1", false),
            ("2147483647 + 1", true),
            ("2147483647u + 1", false),
            ("2147483647L + 1", false),
            ("-(-2147483647 - 1)", true),
            ("1 << 31", true),
            ("1u << 31", false),
            ("1 << 32", true),
            ("x << 32", true),
            ("x >> 31", false),
            ("x / 0", true),
            ("x / 2", false),
            ("(-2147483647 - 1) / -1", true),
            ("65536 * 65536", true),
            ("x + 2147483647", false),
        ] {
            let text = format!("int f(int x) {{ return {expression}; }}");
            let program = crate::parse("test", text, crate::DataModel::Lp64).expect("the text is C");
            assert_eq!(has_folded_error(&program), expected, "{expression}");
        }
    }
}
