//! Which objects may be without a value while the program runs, told by the types of their parts.
//!
//! What an expression reads through a pointer, an index or a member is some object of the program with a part of that
//! type: C forbids to read it as another type, but for characters. If all such objects get a value in their
//! declarations, what is read has one. Memory that functions from elsewhere hand out has none.

use c::analyze::instrumentable_functions;
use c::syntax::{EntityKind, ExpressionKind, Linkage, Storage};
use c::types::{IntegerKind, RealKind};
use c::{Program, Type, TypeKind, Values};
use std::collections::BTreeSet;

/// How many types inside of a structure are examined.
const MOST_PARTS: usize = 10_000;

/// A type of scalars, as far as reading one as the other is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Character,
    Bool,
    Integer(IntegerKind),
    Real(RealKind),
    Pointer,
}

/// What may be without a value.
#[derive(Debug)]
pub struct Memory {
    /// True if anything may.
    anything: bool,
    /// Parts of variables.
    parts: BTreeSet<Part>,
}

impl Memory {
    /// Looks through a program.
    pub fn of(program: &Program, values: &mut Values<'_>) -> Memory {
        let mut memory = Memory { anything: hands_out_memory(program), parts: BTreeSet::new() };
        // Without a function that could hold points, nothing is asked.
        if instrumentable_functions(program).is_empty() {
            memory.anything = true;
        }
        for id in program.entities.ids() {
            let info = &program.entities[id];
            let is_automatic = info.kind == EntityKind::Variable
                && info.function.is_some()
                && info.linkage == Linkage::None
                && !matches!(info.storage, Storage::Static | Storage::Extern | Storage::Typedef);
            let can_be_reached = info.address_taken || is_aggregate(program, info.r#type);
            if is_automatic && can_be_reached && !values.is_always_initialized(id) {
                memory.add(program, info.r#type);
            }
        }
        memory
    }

    /// True if every object that is read as this type has a value.
    pub fn has_values(&self, program: &Program, r#type: Type) -> bool {
        match part(program, r#type) {
            _ if self.anything => false,
            Some(Part::Character) => self.parts.is_empty(),
            Some(part) => !self.parts.contains(&part),
            None => false,
        }
    }

    /// Adds the parts of a variable.
    fn add(&mut self, program: &Program, r#type: Type) {
        let mut waiting = vec![r#type];
        let mut visits = 0;
        while let Some(r#type) = waiting.pop() {
            visits += 1;
            match program.types.kind(r#type) {
                _ if visits > MOST_PARTS => self.anything = true,
                TypeKind::Array { element, .. } => waiting.push(element),
                TypeKind::Record(record) => {
                    waiting.extend(program.types.records[record].members.iter().map(|member| member.r#type));
                }
                _ => match part(program, r#type) {
                    Some(part) => drop(self.parts.insert(part)),
                    None => self.anything = true,
                },
            }
        }
    }
}

fn is_aggregate(program: &Program, r#type: Type) -> bool {
    matches!(
        program.types.kind(r#type),
        TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Vector { .. }
    )
}

fn part(program: &Program, r#type: Type) -> Option<Part> {
    match program.types.kind(r#type) {
        TypeKind::Bool => Some(Part::Bool),
        TypeKind::Pointer(_) => Some(Part::Pointer),
        TypeKind::Real(kind) => Some(Part::Real(kind)),
        _ => match program.types.integer_kind(r#type)?.to_unsigned() {
            IntegerKind::UnsignedChar => Some(Part::Character),
            kind => Some(Part::Integer(kind)),
        },
    }
}

/// True if the program names a function from elsewhere that gives it a pointer, as a result or by way of a parameter.
fn hands_out_memory(program: &Program) -> bool {
    program.expressions.iter().any(|expression| {
        let ExpressionKind::Name(entity) = expression.kind else { return false };
        let info = &program.entities[entity];
        let is_function = matches!(info.kind, EntityKind::Function | EntityKind::ImplicitFunction);
        is_function && !info.is_initialized && gives_pointers(program, info.r#type)
    })
}

fn gives_pointers(program: &Program, function: Type) -> bool {
    let types = &program.types;
    let TypeKind::Function { result, parameters, .. } = types.kind(function) else { return true };
    let is_pointer_to_pointer =
        |parameter: &Type| types.pointee(*parameter).is_some_and(|target| types.is_pointer(target));
    types.is_pointer(result) || types.parameters(parameters).iter().any(is_pointer_to_pointer)
}
