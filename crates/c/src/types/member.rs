//! Finds members of structures and unions, through anonymous ones.

use crate::syntax::name::Name;
use crate::syntax::program::Program;
use crate::syntax::{ExpressionId, ExpressionKind, UnaryOperator};
use crate::types::{RecordId, Type, TypeKind, Types};

/// Where a member was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundMember {
    /// The record that has the member itself.
    pub record: RecordId,
    /// The position in its members.
    pub index: u32,
    /// The position, in the members of the searched record, of the member itself or of the anonymous record around
    /// it.
    pub outer_index: u32,
    /// The offset in bits from the beginning of the searched record.
    pub offset: u64,
    /// Its type.
    pub r#type: Type,
}

impl Types {
    /// Finds a member by name.
    pub fn find_member(&self, record: RecordId, name: Name) -> Option<FoundMember> {
        for (index, member) in self.records[record].members.iter().enumerate() {
            let index = index as u32;
            if member.name == Some(name) {
                let (offset, r#type) = (member.offset, member.r#type);
                return Some(FoundMember { record, index, outer_index: index, offset, r#type });
            }
            let TypeKind::Record(inner) = self.kind(member.r#type) else {
                continue;
            };
            // Anonymous records nest in the text, so the recursion is bounded by the parser's limit on nesting.
            if member.name.is_none()
                && let Some(found) = self.find_member(inner, name)
            {
                let offset = member.offset + found.offset;
                return Some(FoundMember { outer_index: index, offset, ..found });
            }
        }
        None
    }
}

impl Program {
    /// The width of the bit-field that an expression reads or has just written.
    pub fn bit_width(&self, expression: ExpressionId) -> Option<u32> {
        use UnaryOperator as U;
        let mut current = expression;
        loop {
            current = match self.expressions[current].kind {
                ExpressionKind::Member { record, index, .. } => {
                    return self.types.records[record].members.get(index as usize)?.width;
                }
                ExpressionKind::Assign { target, .. } => target,
                ExpressionKind::Comma { right, .. } => right,
                ExpressionKind::Unary {
                    operator: U::PreIncrement | U::PreDecrement | U::PostIncrement | U::PostDecrement,
                    operand,
                } => operand,
                _ => return None,
            };
        }
    }
}
