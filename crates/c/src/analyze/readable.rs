//! Readables: the lvalues that a check at a site may read, as text with a type.
//!
//! Variables come first. Members of structures and elements of arrays with a constant index follow, if every part of
//! the variable has a value: it has static storage, or its initializer has braces. Unions are left out, and so are
//! structures that are assigned as a whole somewhere, because the copied object may lack values.

use crate::analyze::initialized::Initialized;
use crate::analyze::mentions::Mentions;
use crate::syntax::name::Name;
use crate::syntax::program::Program;
use crate::syntax::{Entity, EntityId, EntityKind, FunctionId, Linkage, ScopeId, StatementKind, Storage};
use crate::types::{ArrayLength, Qualifiers, RealKind, RecordId, Type, TypeKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The greatest number of file-scope variables that are readable in a function. It keeps the sites of a program with
/// very many variables in proportion to its text. Variables that the function mentions come first.
const MOST_GLOBALS: usize = 100;

/// The greatest number of local declarations that are considered at a site, the innermost and latest first, for the same
/// reason. Programs that people write stay below it.
const MOST_LOCALS: usize = 100;

/// The greatest number of readable members and elements of one variable.
const MOST_PARTS: usize = 16;

/// The greatest number of structures, arrays and parts that are visited for one variable.
const MOST_VISITS: usize = 200;

/// An lvalue that can be named and has a value at a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readable {
    /// The expression: `x`, `s.m`, `a[2]`.
    pub text: Arc<str>,
    /// Its type, with qualifiers; for a bit-field the declared type.
    pub r#type: Type,
    /// The width if it is a bit-field. It affects promotion: see [`crate::Types::promoted`].
    pub width: Option<u32>,
    /// The variable that it is, or is a part of.
    pub entity: EntityId,
}

/// What can be read of the variables of a program.
pub(crate) struct Readables<'a> {
    program: &'a Program,
    mentions: &'a Mentions,
    /// The file-scope variables that this text defines, with the offset of their first declaration, in that order.
    globals: Vec<(u32, EntityId)>,
    /// The same places by variable.
    declared: BTreeMap<EntityId, u32>,
    /// The names that are declared in any scope but that of the file.
    local_names: BTreeSet<Name>,
    /// The readables of each variable that was needed so far.
    known: BTreeMap<EntityId, Arc<[Readable]>>,
}

/// What can be read in one function.
pub(crate) struct FunctionReadables<'a, 'b> {
    readables: &'b mut Readables<'a>,
    initialized: Initialized,
    /// The file-scope variables, in the order in which they are offered.
    globals: Vec<EntityId>,
    /// The declarations of the scopes that were needed so far, with the places from which they count, in that order.
    declared: BTreeMap<ScopeId, Vec<(u32, EntityId)>>,
    /// The readables of the sets of variables seen at sites. Most sites share their set with others.
    shared: BTreeMap<Vec<EntityId>, NumbersAndPointers>,
}

/// Two lists that sites share.
type NumbersAndPointers = (Arc<[Readable]>, Arc<[Readable]>);

/// The variables that can be read at a site.
#[derive(Default)]
struct Gathered {
    scalars: Vec<EntityId>,
    aggregates: Vec<EntityId>,
    hidden: BTreeSet<Name>,
    /// Whether there are more local declarations than are considered.
    leaves_out_locals: bool,
}

impl<'a> Readables<'a> {
    /// Looks through the variables of the file.
    pub(crate) fn of(program: &'a Program, mentions: &'a Mentions) -> Readables<'a> {
        let globals = globals(program);
        let declared = globals.iter().map(|(from, entity)| (*entity, *from)).collect();
        let local_names = local_names(program);
        Readables { program, mentions, globals, declared, local_names, known: BTreeMap::new() }
    }

    /// Turns to a function.
    pub(crate) fn in_function(&mut self, function: FunctionId) -> FunctionReadables<'a, '_> {
        let initialized = Initialized::of(self.program, self.mentions, function);
        let globals = self.globals_for(function);
        FunctionReadables {
            readables: self,
            initialized,
            globals,
            declared: BTreeMap::new(),
            shared: BTreeMap::new(),
        }
    }

    /// The file-scope variables that a function mentions, then others, the last declared first.
    fn globals_for(&self, function: FunctionId) -> Vec<EntityId> {
        let start = self.program.functions[function].span.start;
        let visible = &self.globals[..self.globals.partition_point(|(from, _)| *from <= start)];
        let mut mentioned: Vec<(u32, EntityId)> = self
            .mentions
            .variables(function)
            .iter()
            .filter_map(|entity| Some((*self.declared.get(entity)?, *entity)))
            .filter(|(from, _)| *from <= start)
            .collect();
        mentioned.sort_unstable();
        mentioned.dedup();
        let is_mentioned = |global: &&(u32, EntityId)| mentioned.binary_search(global).is_ok();
        let others = visible.iter().rev().filter(|global| !is_mentioned(global));
        mentioned.iter().rev().chain(others).take(MOST_GLOBALS).map(|(_, entity)| *entity).collect()
    }

    /// What can be read of variables: numbers and pointers.
    fn of_variables(&mut self, variables: &[EntityId]) -> NumbersAndPointers {
        let (program, mentions) = (self.program, self.mentions);
        let (mut numbers, mut pointers) = (Vec::new(), Vec::new());
        for entity in variables {
            let readables = self.known.entry(*entity);
            for readable in readables.or_insert_with(|| parts(program, mentions, *entity).into()).iter() {
                let is_pointer = program.types.is_pointer(readable.r#type);
                let list = if is_pointer { &mut pointers } else { &mut numbers };
                list.push(readable.clone());
            }
        }
        (numbers.into(), pointers.into())
    }
}

impl FunctionReadables<'_, '_> {
    /// The numbers and the pointers at a place.
    pub(crate) fn at(&mut self, place: u32, scope: ScopeId) -> NumbersAndPointers {
        let mut gathered = Gathered::default();
        self.gather_locals(place, scope, &mut gathered);
        self.gather_globals(&mut gathered);
        let mut variables = gathered.scalars;
        variables.append(&mut gathered.aggregates);
        if let Some(shared) = self.shared.get(&variables) {
            return shared.clone();
        }
        let made = self.readables.of_variables(&variables);
        self.shared.insert(variables, made.clone());
        made
    }

    fn gather_locals(&mut self, place: u32, scope: ScopeId, gathered: &mut Gathered) {
        let program = self.readables.program;
        let mut room = MOST_LOCALS;
        for scope in local_scopes(program, scope) {
            let declared = self.declared.entry(scope).or_insert_with(|| declarations(program, scope));
            let before = declared.partition_point(|(from, _)| *from <= place);
            for (_, entity) in declared[..before].iter().rev().take(room) {
                let info = &program.entities[*entity];
                let is_first = gathered.hidden.insert(info.name);
                if is_first
                    && info.linkage == Linkage::None
                    && has_value(program, &self.initialized, *entity, place)
                {
                    gathered.add(program, *entity);
                }
            }
            gathered.leaves_out_locals |= before > room;
            room = room.saturating_sub(before);
        }
    }

    fn gather_globals(&self, gathered: &mut Gathered) {
        let program = self.readables.program;
        for entity in &self.globals {
            let name = program.entities[*entity].name;
            // A local that was left out might hide it. To be safe, any local of the same name does.
            let is_hidden = gathered.hidden.contains(&name)
                || gathered.leaves_out_locals && self.readables.local_names.contains(&name);
            if !is_hidden {
                gathered.add(program, *entity);
            }
        }
    }
}

impl Gathered {
    fn add(&mut self, program: &Program, entity: EntityId) {
        let is_aggregate = is_aggregate(program, program.entities[entity].r#type);
        if is_aggregate { &mut self.aggregates } else { &mut self.scalars }.push(entity);
    }
}

fn local_names(program: &Program) -> BTreeSet<Name> {
    let scopes = program.scopes.ids().filter(|scope| *scope != program.file_scope);
    let entities = scopes.flat_map(|scope| &program.entity_lists[program.scopes[scope].entities]);
    entities.map(|entity| program.entities[*entity].name).collect()
}

/// The scopes around a place in a function, the innermost first, without that of the file.
fn local_scopes(program: &Program, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
    let is_local = |scope: &ScopeId| *scope != program.file_scope;
    std::iter::successors(Some(scope).filter(is_local), move |scope| {
        program.scopes[*scope].parent.filter(is_local)
    })
}

/// The declarations of a scope, with the places from which they count, in that order. An `extern` declaration inside a
/// function belongs to the file. To be safe, it hides the name in the whole block.
fn declarations(program: &Program, scope: ScopeId) -> Vec<(u32, EntityId)> {
    let from = |entity: &EntityId| {
        let info = &program.entities[*entity];
        if info.linkage == Linkage::None { info.visible_from } else { 0 }
    };
    let entities = &program.entity_lists[program.scopes[scope].entities];
    let mut declarations: Vec<(u32, EntityId)> =
        entities.iter().map(|entity| (from(entity), *entity)).collect();
    declarations.sort_by_key(|(from, _)| *from);
    declarations
}

/// True if a local variable has a value, in all its parts.
fn has_value(program: &Program, initialized: &Initialized, entity: EntityId, place: u32) -> bool {
    let info = &program.entities[entity];
    info.storage == Storage::Static
        || if is_aggregate(program, info.r#type) {
            initialized.has_parts(entity, place)
        } else {
            initialized.has_value(program, entity, place)
        }
}

/// The variables that the items of the file define.
fn globals(program: &Program) -> Vec<(u32, EntityId)> {
    let mut seen = BTreeSet::new();
    let mut globals = Vec::new();
    for item in &program.items {
        let StatementKind::Declaration(declaration) = program.statements[*item].kind else { continue };
        for declarator in &program.declarators[program.declarations[declaration].declarators] {
            let info = &program.entities[declarator.entity];
            if info.kind == EntityKind::Variable && is_defined_here(info) && seen.insert(declarator.entity) {
                globals.push((declarator.span.end, declarator.entity));
            }
        }
    }
    globals
}

/// False for variables that another text defines, and for machine registers.
fn is_defined_here(info: &Entity) -> bool {
    match info.storage {
        Storage::Extern => info.is_initialized,
        Storage::Register => false,
        _ => true,
    }
}

fn is_aggregate(program: &Program, r#type: Type) -> bool {
    matches!(program.types.kind(r#type), TypeKind::Record(_) | TypeKind::Array { .. })
}

/// What can be read of a variable that has a value: itself, or its members and elements.
fn parts(program: &Program, mentions: &Mentions, entity: EntityId) -> Vec<Readable> {
    let info = &program.entities[entity];
    let is_variable = matches!(info.kind, EntityKind::Variable | EntityKind::Parameter);
    let Some(name) = std::str::from_utf8(program.names.bytes(info.name)).ok().filter(|_| is_variable) else {
        return Vec::new();
    };
    // A pointer to it may be passed to a function that copies bytes without a value into it.
    if is_aggregate(program, info.r#type) && info.address_taken && mentions.copies_memory {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut waiting = vec![Part { text: name.to_owned(), r#type: info.r#type, width: None }];
    let mut visits = 0;
    while let Some(part) = waiting.pop() {
        visits += 1;
        if visits > MOST_VISITS || found.len() == MOST_PARTS {
            break;
        }
        match program.types.kind(part.r#type) {
            _ if !is_ordinary(part.r#type) && !is_aggregate(program, part.r#type) => {}
            TypeKind::Array { element, length: ArrayLength::Known(length) } => {
                part.push_elements(element, length, &mut waiting);
            }
            TypeKind::Record(record)
                if is_ordinary(part.r#type) && !mentions.assigned_records.contains(&record.index()) =>
            {
                part.push_members(program, record, &mut waiting);
            }
            kind if is_scalar(kind) => found.push(Readable {
                text: part.text.into(),
                r#type: part.r#type,
                width: part.width,
                entity,
            }),
            _ => {}
        }
    }
    found
}

/// True if reading an object of the type has no effect and gives the same value each time, from ordinary memory.
fn is_ordinary(r#type: Type) -> bool {
    use Qualifiers as Q;
    let others = [Q::VOLATILE, Q::ATOMIC, Q::SEG_FS, Q::SEG_GS];
    !others.iter().any(|qualifier| r#type.qualifiers().contains(*qualifier))
}

/// True for pointers and for numbers that can be compared with any other number. Decimal floating types cannot.
fn is_scalar(kind: TypeKind) -> bool {
    match kind {
        TypeKind::Real(kind) => {
            !matches!(kind, RealKind::Decimal32 | RealKind::Decimal64 | RealKind::Decimal128)
        }
        TypeKind::Bool | TypeKind::Integer(_) | TypeKind::Enumeration(_) | TypeKind::Pointer(_) => true,
        _ => false,
    }
}

/// A part of a variable that has not been visited yet.
struct Part {
    text: String,
    r#type: Type,
    width: Option<u32>,
}

impl Part {
    /// The first two elements and the last one.
    fn push_elements(&self, element: Type, length: u64, waiting: &mut Vec<Part>) {
        let mut indices = vec![0, 1, length.saturating_sub(1)];
        indices.sort_unstable();
        indices.dedup();
        for index in indices.into_iter().filter(|index| *index < length).rev() {
            waiting.push(Part { text: format!("{}[{index}]", self.text), r#type: element, width: None });
        }
    }

    /// The members of a structure, including those of anonymous structures in it.
    fn push_members(&self, program: &Program, record: RecordId, waiting: &mut Vec<Part>) {
        let record = &program.types.records[record];
        if record.is_union {
            return;
        }
        for member in record.members.iter().take(MOST_VISITS).rev() {
            let text = match member.name.map(|name| std::str::from_utf8(program.names.bytes(name))) {
                Some(Ok(name)) => format!("{}.{name}", self.text),
                None if member.width.is_none() => self.text.clone(),
                _ => continue,
            };
            // The elements of an array member of a constant structure are constant too, but nothing depends on that.
            let r#type = member.r#type.with(self.r#type.qualifiers());
            waiting.push(Part { text, r#type, width: member.width });
        }
    }
}
