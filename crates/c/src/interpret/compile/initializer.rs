//! Initializers.

use super::super::code::Operation;
use super::super::memory::Access;
use super::super::stop::{Step, unsupported};
use super::Compiler;
use crate::syntax::arena::List;
use crate::syntax::{Designator, ExpressionId, ExpressionKind, InitializedPart, InitializerItem};
use crate::types::{Type, TypeKind};

/// The most elements that a range of designators may name.
const LONGEST_RANGE: u64 = 4096;

impl Compiler<'_> {
    /// Initializes the object whose address is on the stack, and removes the address.
    pub(super) fn initializer(&mut self, r#type: Type, value: ExpressionId) -> Step<()> {
        let part = InitializedPart { offset: 0, r#type, width: None };
        self.nested(|compiler| compiler.part(&part, value))
    }

    /// Initializes a part of the object whose address is on the stack, and removes the address.
    fn part(&mut self, part: &InitializedPart, value: ExpressionId) -> Step<()> {
        let r#type = part.r#type;
        let node = self.program.expressions[value];
        let is_array = matches!(self.program.types.kind(r#type), TypeKind::Array { .. });
        match node.kind {
            ExpressionKind::InitializerList(items) => self.list(part, items),
            ExpressionKind::String(string) | ExpressionKind::FunctionName(string) if is_array => {
                self.emit_offset(part);
                self.emit(Operation::WriteString(string, r#type));
                Ok(())
            }
            ExpressionKind::CompoundLiteral(list) if is_array => self.part(part, list),
            _ if is_array => unsupported("an array is initialized by another"),
            _ => {
                let access = self.part_access(part);
                self.value_as(value, r#type)?;
                self.emit(Operation::Initialize(access));
                Ok(())
            }
        }
    }

    fn list(&mut self, part: &InitializedPart, items: List<InitializerItem>) -> Step<()> {
        let r#type = part.r#type;
        let is_aggregate =
            matches!(self.program.types.kind(r#type), TypeKind::Array { .. } | TypeKind::Record(_));
        let is_zeroed = part.width.is_none();
        if part.width.is_none() {
            self.emit_offset(part);
        }
        if is_zeroed {
            self.emit(Operation::Duplicate);
            self.emit(Operation::Zero(r#type));
        }
        for item in &self.program.initializer_items[items] {
            let Some(inner) = item.part else { continue };
            let inner = match part.width {
                // A bit-field in braces: the address is still that of the record.
                Some(_) => *part,
                None => inner,
            };
            if !is_aggregate
                && matches!(self.program.expressions[item.value].kind, ExpressionKind::InitializerList(_))
            {
                return unsupported("a scalar in several braces");
            }
            for offset in self.offsets(item, &inner)? {
                self.emit(Operation::Duplicate);
                let result =
                    self.nested(|compiler| compiler.part(&InitializedPart { offset, ..inner }, item.value));
                result?;
            }
        }
        self.emit(Operation::Pop);
        Ok(())
    }

    /// Where an entry goes: to one place, or to every element of a range.
    fn offsets(&self, item: &InitializerItem, part: &InitializedPart) -> Step<Vec<u64>> {
        let designators = &self.program.designators[item.designators];
        let range = designators.iter().find_map(|designator| match designator {
            Designator::Range(first, last) => Some((*first, *last)),
            _ => None,
        });
        let Some((first, last)) = range else { return Ok(vec![part.offset]) };
        let count =
            self.program.constant(last).zip(self.program.constant(first)).map(|(last, first)| last - first);
        let count = count.and_then(|count| u64::try_from(count).ok()).filter(|count| *count < LONGEST_RANGE);
        match count {
            Some(count) if designators.len() == 1 => {
                let size = self.size(part.r#type)? * 8;
                Ok((0..=count).rev().map(|index| part.offset.saturating_sub(index * size)).collect())
            }
            _ => unsupported("a range of designators of this kind"),
        }
    }

    fn emit_offset(&mut self, part: &InitializedPart) {
        let size = self.program.types.size(part.r#type);
        if part.offset != 0 {
            self.emit(Operation::Member { offset: (part.offset / 8) as i64, size });
        }
    }

    fn part_access(&mut self, part: &InitializedPart) -> Access {
        let access = Access { r#type: part.r#type, bits: None, is_checked: false, alignment: 1 };
        match part.width {
            Some(width) => Access { bits: Some((part.offset, width)), ..access },
            None => {
                self.emit_offset(part);
                access
            }
        }
    }
}
