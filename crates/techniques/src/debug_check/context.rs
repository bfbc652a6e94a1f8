//! Which conditions count: those that can be evaluated again right away, with the same value and without harm.

use super::memory::Memory;
use c::syntax::{EntityKind, ExpressionId, ExpressionKind, Linkage, Storage, UnaryOperator};
use c::types::{RealKind, RecordId};
use c::{DataModel, Program, Type, TypeKind, Types, Values};
use std::collections::BTreeSet;

/// How many expressions a condition has at most.
const MOST_NODES: usize = 400;

/// A program, and what was found out about it.
pub struct Context<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its types, to compute new ones.
    pub types: Types,
    data_model: DataModel,
    values: Values<'a>,
    memory: Memory,
}

impl<'a> Context<'a> {
    /// Looks through a program.
    pub fn of(program: &'a Program, data_model: DataModel) -> Context<'a> {
        let mut values = Values::of(program);
        let memory = Memory::of(program, &mut values);
        Context { program, types: program.types.clone(), data_model, values, memory }
    }

    /// True if a condition has no effects, is not constant, and reads nothing that is volatile or may have no value.
    pub fn counts(&mut self, condition: ExpressionId) -> bool {
        let program = self.program;
        let nodes: Vec<ExpressionId> = program.walk(condition).take(MOST_NODES + 1).collect();
        nodes.len() <= MOST_NODES
            && program.constant_bits(condition).is_none()
            && self.is_scalar(program.expressions[condition].r#type)
            && program.is_pure(condition)
            && self.are_readable(&nodes)
    }

    /// True for conditions that no call in the same expression can change: all they read are locals whose address
    /// is never taken.
    pub fn is_private(&self, condition: ExpressionId) -> bool {
        let program = self.program;
        program.walk(condition).all(|id| match program.expressions[id].kind {
            ExpressionKind::Name(entity) => {
                let info = &program.entities[entity];
                let is_automatic = info.function.is_some()
                    && info.linkage == Linkage::None
                    && info.storage != Storage::Static;
                let is_constant = matches!(info.kind, EntityKind::EnumerationConstant(_));
                is_constant || is_automatic && !info.address_taken
            }
            ExpressionKind::Index { .. } => false,
            ExpressionKind::Member { arrow, .. } => !arrow,
            ExpressionKind::Unary { operator, .. } => operator != UnaryOperator::Dereference,
            _ => true,
        })
    }

    /// True for pointers, integers, and the floating types that have the same value however often they are computed.
    /// On 32 bits, the x87 computes with more precision than it stores.
    pub fn is_scalar(&self, r#type: Type) -> bool {
        match self.types.kind(r#type) {
            TypeKind::Real(RealKind::Float | RealKind::Double | RealKind::LongDouble) => {
                self.data_model == DataModel::Lp64
            }
            // An array or a function is a pointer here.
            TypeKind::Pointer(_) | TypeKind::Array { .. } | TypeKind::Function { .. } => true,
            _ => self.types.is_integer(r#type),
        }
    }

    fn are_readable(&mut self, nodes: &[ExpressionId]) -> bool {
        let program = self.program;
        // What only has its address taken is not read.
        let named: BTreeSet<ExpressionId> = nodes
            .iter()
            .filter_map(|id| match program.expressions[*id].kind {
                ExpressionKind::Unary { operator: UnaryOperator::AddressOf, operand } => Some(operand),
                _ => None,
            })
            .collect();
        nodes.iter().all(|id| self.is_readable(*id, named.contains(id)))
    }

    /// True for a node that reads nothing, or something that has a value.
    fn is_readable(&mut self, id: ExpressionId, is_only_named: bool) -> bool {
        let program = self.program;
        let node = &program.expressions[id];
        let is_number = program.types.is_arithmetic(node.r#type);
        match node.kind {
            _ if is_number && !self.is_scalar(node.r#type) => false,
            ExpressionKind::LabelAddress(_) | ExpressionKind::ConvertVector(_) => false,
            ExpressionKind::Generic { .. } | ExpressionKind::Choose { .. } => false,
            ExpressionKind::Name(entity) => {
                let info = &program.entities[entity];
                let is_register = info.storage == Storage::Register && info.linkage != Linkage::None;
                let is_read = program.types.is_scalar(node.r#type) && !is_only_named;
                let is_variable = matches!(info.kind, EntityKind::Variable | EntityKind::Parameter);
                !is_register && (!is_variable || !is_read || self.values.has_value(entity, node.span.start))
            }
            ExpressionKind::Member { base, record, .. }
                if !self.is_uniform(record) || self.record_of(base) != Some(record) =>
            {
                false
            }
            ExpressionKind::Member { .. }
            | ExpressionKind::Index { .. }
            | ExpressionKind::Unary { operator: UnaryOperator::Dereference, .. } => {
                let is_read = program.types.is_scalar(node.r#type) && !is_only_named;
                !is_read || self.memory.has_values(program, node.r#type)
            }
            _ => true,
        }
    }

    /// The structure or union that an expression is or points to. A member that belongs to another one is in a record
    /// without name inside of it, and there may be a union on the way.
    fn record_of(&self, base: ExpressionId) -> Option<RecordId> {
        let types = &self.program.types;
        let r#type = self.program.expressions[base].r#type;
        match types.kind(r#type) {
            TypeKind::Pointer(target) | TypeKind::Array { element: target, .. } => match types.kind(target) {
                TypeKind::Record(record) => Some(record),
                _ => None,
            },
            TypeKind::Record(record) => Some(record),
            _ => None,
        }
    }

    /// True for structures, and for unions that have a value as any member once they have one: all members are
    /// numbers or pointers of the same size, without bytes that say nothing.
    fn is_uniform(&self, record: RecordId) -> bool {
        let types = &self.program.types;
        let record = &types.records[record];
        record.members.iter().all(|member| {
            let has_no_gaps = types.is_integer(member.r#type) && types.kind(member.r#type) != TypeKind::Bool
                || types.is_pointer(member.r#type)
                || matches!(types.kind(member.r#type), TypeKind::Real(RealKind::Float | RealKind::Double));
            !record.is_union
                || member.width.is_none() && has_no_gaps && types.size(member.r#type) == record.size
        })
    }
}
