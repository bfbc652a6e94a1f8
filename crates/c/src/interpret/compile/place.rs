//! Expressions as places in memory.

use super::super::code::Operation;
use super::super::memory::Access;
use super::super::stop::{Step, unsupported};
use super::{Compiler, is_static};
use crate::syntax::{EntityId, EntityKind, ExpressionId, ExpressionKind, UnaryOperator};
use crate::types::{RecordId, Type, TypeKind};

impl Compiler<'_> {
    /// Whether an expression designates an object.
    pub(super) fn is_place(&self, id: ExpressionId) -> bool {
        self.program.expressions[id].is_lvalue
    }

    /// Translates an expression whose address is pushed, and says how to access what is there.
    pub(super) fn place(&mut self, id: ExpressionId) -> Step<Access> {
        let outer = self.span;
        self.span = self.program.expressions[id].span;
        let result = self.nested(|compiler| compiler.place_kind(id));
        self.span = outer;
        result
    }

    fn place_kind(&mut self, id: ExpressionId) -> Step<Access> {
        use ExpressionKind as K;
        let node = self.program.expressions[id];
        match node.kind {
            K::Name(entity) => self.variable(entity),
            K::String(string) | K::FunctionName(string) => {
                self.emit(Operation::String(string));
                Ok(named(node.r#type))
            }
            K::Index { base, index } => self.indexed(base, index, node.r#type),
            K::Member { base, record, index, arrow } => self.member(base, record, index, arrow),
            K::Unary { operator: UnaryOperator::Dereference, operand } => {
                self.value(operand)?;
                Ok(self.pointed(node.r#type))
            }
            K::CompoundLiteral(list) => self.compound_literal(list, node.r#type),
            K::Generic { selected, .. } | K::Choose { selected, .. } => self.place(selected),
            _ if self.is_record(node.r#type) && !node.is_lvalue => {
                self.value(id)?;
                self.makes_temporaries = true;
                self.emit(Operation::Materialize(node.r#type));
                Ok(named(node.r#type))
            }
            _ => unsupported("an lvalue of this kind"),
        }
    }

    fn variable(&mut self, entity: EntityId) -> Step<Access> {
        let node = &self.program.entities[entity];
        if !matches!(node.kind, EntityKind::Variable | EntityKind::Parameter) {
            return unsupported("the address of something that is not a variable");
        }
        match self.slots.get(&entity) {
            Some(slot) => self.emit(Operation::Local(*slot)),
            None if is_static(self.program, entity) => self.emit(Operation::Static(entity)),
            None => return unsupported("a variable of another function"),
        }
        Ok(named(self.program.entities[entity].r#type))
    }

    /// What a pointer to a type points to.
    fn pointed(&self, r#type: Type) -> Access {
        let alignment = self.program.types.member_alignment(r#type).max(1);
        Access { r#type, bits: None, is_checked: true, alignment }
    }

    fn indexed(&mut self, base: ExpressionId, index: ExpressionId, r#type: Type) -> Step<Access> {
        let types = &self.program.types;
        let is_number = |id| types.is_integer(self.type_of(id));
        let is_swapped = is_number(base);
        let (pointer, number) = if is_swapped { (index, base) } else { (base, index) };
        let is_array = matches!(types.kind(self.type_of(pointer)), TypeKind::Array { .. });
        let size = self.element_size(r#type)?;
        if is_swapped {
            self.integer_value(number)?;
        }
        let access = if is_array {
            let whole = self.place(pointer)?;
            if let Some(size) = self.program.types.size(whole.r#type) {
                self.emit(Operation::Narrow(size));
            }
            Access { r#type, bits: None, ..whole }
        } else {
            self.value(pointer)?;
            self.pointed(r#type)
        };
        if is_swapped {
            self.emit(Operation::Swap);
        } else {
            self.integer_value(number)?;
        }
        self.emit(Operation::Index(size));
        Ok(access)
    }

    fn member(&mut self, base: ExpressionId, record: RecordId, index: u32, arrow: bool) -> Step<Access> {
        let types = &self.program.types;
        let base_type = self.type_of(base);
        let outer = if arrow {
            self.program.types.pointee(base_type).or_else(|| element(types, base_type))
        } else {
            Some(base_type)
        };
        let Some(TypeKind::Record(outer_record)) = outer.map(|outer| types.kind(outer)) else {
            return unsupported("a member of something that is not a record");
        };
        let Some(member) = types.records[record].members.get(index as usize).copied() else {
            return unsupported("a member that is not there");
        };
        let found = member.name.and_then(|name| types.find_member(outer_record, name));
        let Some(found) = found else { return unsupported("a member without a name") };
        let around = types.records[outer_record].alignment;
        let is_union = outer.is_some_and(|outer| types.has_union(outer));
        let natural = types.member_alignment(member.r#type).max(1);
        let whole = if arrow {
            self.value(base)?;
            self.pointed(outer.unwrap_or(base_type))
        } else {
            self.place(base)?
        };
        let is_aligned = around >= natural && (found.offset / 8).is_multiple_of(natural);
        let alignment = if is_aligned { whole.alignment.min(natural) } else { 1 };
        let is_checked = whole.is_checked && !is_union;
        if let Some(width) = member.width {
            self.emit(Operation::Member { offset: 0, size: None });
            let bits = Some((found.offset, width));
            return Ok(Access { r#type: member.r#type, bits, is_checked, alignment: 1 });
        }
        let size = self.program.types.size(member.r#type);
        self.emit(Operation::Member { offset: (found.offset / 8) as i64, size });
        Ok(Access { r#type: member.r#type, bits: None, is_checked, alignment })
    }

    fn compound_literal(&mut self, list: ExpressionId, r#type: Type) -> Step<Access> {
        let Some(block) = self.open.last().copied() else {
            return unsupported("a compound literal outside of a function");
        };
        let object = self.new_object(block, None, r#type);
        if object.is_variable {
            return unsupported("a compound literal of an incomplete type");
        }
        self.emit(Operation::Local(object.slot));
        self.initializer(r#type, list)?;
        self.emit(Operation::Local(object.slot));
        Ok(named(r#type))
    }
}

/// The type of the elements of an array.
fn element(types: &crate::types::Types, r#type: Type) -> Option<Type> {
    match types.kind(r#type) {
        TypeKind::Array { element, .. } => Some(element),
        _ => None,
    }
}

/// The access to an object by its name, which has the right type and alignment.
fn named(r#type: Type) -> Access {
    Access { r#type, bits: None, is_checked: false, alignment: 1 }
}
