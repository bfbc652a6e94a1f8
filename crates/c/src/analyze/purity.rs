//! Expressions without side effects.

use crate::syntax::program::Program;
use crate::syntax::{ExpressionId, ExpressionKind, UnaryOperator};
use crate::types::{Qualifiers, Type};

/// Which expressions of a program are pure, computed for all of them at once. Asking about each part of a long expression
/// takes less time than with [`Program::is_pure`], which looks at all of its operands each time.
pub struct Purity {
    has_effect: Vec<bool>,
}

impl Purity {
    /// Looks through a program.
    pub fn of(program: &Program) -> Purity {
        Purity { has_effect: program.expressions_with(|id| !program.does_nothing(id)) }
    }

    /// The same as [`Program::is_pure`].
    pub fn is_pure(&self, expression: ExpressionId) -> bool {
        !self.has_effect[expression.index()]
    }
}

impl Program {
    /// True if evaluating the expression changes nothing and depends only on the values of objects: no assignment, no
    /// call, no access to a volatile or atomic object.
    pub fn is_pure(&self, expression: ExpressionId) -> bool {
        self.walk(expression).all(|inner| self.does_nothing(inner))
    }

    /// The same for the node alone, regardless of its operands.
    fn does_nothing(&self, expression: ExpressionId) -> bool {
        let node = &self.expressions[expression];
        let changes = match node.kind {
            ExpressionKind::Assign { .. }
            | ExpressionKind::Call { .. }
            | ExpressionKind::StatementExpression(_)
            | ExpressionKind::CompoundLiteral(_)
            | ExpressionKind::VaArg(_) => true,
            ExpressionKind::Unary { operator, .. } => matches!(
                operator,
                UnaryOperator::PreIncrement
                    | UnaryOperator::PreDecrement
                    | UnaryOperator::PostIncrement
                    | UnaryOperator::PostDecrement
            ),
            _ => false,
        };
        !changes && (!node.is_lvalue || !self.is_volatile_or_atomic(node.r#type))
    }

    /// True if reading an object of this type is itself an effect, or may give a different value each time.
    fn is_volatile_or_atomic(&self, r#type: Type) -> bool {
        let qualifiers = self.types.qualifiers(r#type);
        qualifiers.contains(Qualifiers::VOLATILE) || qualifiers.contains(Qualifiers::ATOMIC)
    }
}
