//! Sites: places between two statements where a check may be put, with the variables that it may read.
//!
//! Only functions that `main` can reach have sites, and no statement expression has any: the value of its last
//! statement would be lost.

use crate::initialized::Jumps;
use crate::program::Program;
use crate::syntax::{
    Entity, EntityId, EntityKind, ExpressionKind, FunctionId, ScopeId, StatementId, StatementKind, Storage,
};
use std::collections::BTreeSet;

/// A place where a statement may be inserted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The byte before which it is.
    pub place: u32,
    /// The function that it is in.
    pub function: FunctionId,
    /// The innermost scope around it.
    pub scope: ScopeId,
    /// The variables of arithmetic type that have a value here, the innermost first.
    pub numbers: Vec<EntityId>,
    /// The variables of pointer type that have a value here, the innermost first. What they point to may be gone.
    pub pointers: Vec<EntityId>,
}

/// The sites of a program, in the order of its text.
pub fn sites(program: &Program) -> Vec<Site> {
    let mut sites = Vec::new();
    for function in reachable_functions(program) {
        let jumps = Jumps::of(program, function);
        for (place, scope) in places(program, program.functions[function].body) {
            let (numbers, pointers) = variables(program, &jumps, place, scope);
            sites.push(Site { place, function, scope, numbers, pointers });
        }
    }
    sites.sort_by_key(|site| site.place);
    sites
}

/// The functions that `main` may call, by way of any mention of their names; all if there is no `main`.
pub fn reachable_functions(program: &Program) -> Vec<FunctionId> {
    let definition = |entity: EntityId| {
        program.functions.ids().find(|function| program.functions[*function].entity == entity)
    };
    let Some(main) = program.find("main").and_then(definition) else {
        return program.functions.ids().collect();
    };
    let mut found = BTreeSet::from([main.index()]);
    let mut waiting = vec![main];
    while let Some(function) = waiting.pop() {
        for entity in mentioned(program, function) {
            if let Some(callee) = definition(entity).filter(|callee| found.insert(callee.index())) {
                waiting.push(callee);
            }
        }
    }
    found.into_iter().map(FunctionId::at).collect()
}

/// The functions whose names stand inside a function.
fn mentioned(program: &Program, function: FunctionId) -> Vec<EntityId> {
    let span = program.functions[function].span;
    let inside = program.expressions.iter().filter(|expression| span.contains(expression.span));
    let mut entities: Vec<EntityId> = inside
        .filter_map(|expression| match expression.kind {
            ExpressionKind::Name(entity) if program.entities[entity].kind == EntityKind::Function => {
                Some(entity)
            }
            _ => None,
        })
        .collect();
    entities.sort_by_key(|entity| entity.index());
    entities.dedup();
    entities
}

/// The places between the items of the compound statements below a statement, each with its scope.
fn places(program: &Program, root: StatementId) -> Vec<(u32, ScopeId)> {
    let mut places = Vec::new();
    let mut waiting = vec![(root, false)];
    while let Some((statement, in_switch)) = waiting.pop() {
        let node = &program.statements[statement];
        if let StatementKind::Compound { scope, items } = node.kind {
            let items = &program.statement_lists[items];
            // What stands before the first case of a switch is never executed.
            let mut reached = !in_switch;
            for item in items {
                reached |= is_case(program, *item);
                let start = program.statements[*item].span.start;
                if reached && may_follow(program, *item, in_switch) && !follows_pragma(program, start) {
                    places.push((start, scope));
                }
            }
            let ends_in_jump = items.last().is_some_and(|last| is_jump(program, *last));
            if reached && !ends_in_jump {
                places.push((node.span.end.saturating_sub(1), scope));
            }
        }
        inner_statements(program, statement, |inner, in_switch| waiting.push((inner, in_switch)));
    }
    places
}

/// The statements directly inside a statement; true for the body of a switch.
fn inner_statements(program: &Program, statement: StatementId, mut visit: impl FnMut(StatementId, bool)) {
    match program.statements[statement].kind {
        StatementKind::Compound { items, .. } => {
            program.statement_lists[items].iter().for_each(|item| visit(*item, false));
        }
        StatementKind::If { then, otherwise, .. } => {
            visit(then, false);
            otherwise.into_iter().for_each(|branch| visit(branch, false));
        }
        StatementKind::While { body, .. }
        | StatementKind::DoWhile { body, .. }
        | StatementKind::Case { body, .. }
        | StatementKind::Default(body)
        | StatementKind::Label { body, .. } => visit(body, false),
        StatementKind::For(id) => visit(program.for_loops[id].body, false),
        StatementKind::Switch { body, .. } => visit(body, true),
        _ => {}
    }
}

fn is_case(program: &Program, statement: StatementId) -> bool {
    matches!(program.statements[statement].kind, StatementKind::Case { .. } | StatementKind::Default(_))
}

/// True if another statement may be put before this one. Before a case it would belong to the case before, which
/// mostly ends in `break`, so that nothing would reach it; before a `__label__` nothing may stand.
fn may_follow(program: &Program, statement: StatementId, in_switch: bool) -> bool {
    let is_label_declaration =
        matches!(program.statements[statement].kind, StatementKind::LabelDeclaration(_));
    !(is_label_declaration || in_switch && is_case(program, statement))
}

fn is_jump(program: &Program, statement: StatementId) -> bool {
    matches!(
        program.statements[statement].kind,
        StatementKind::Return(_)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Goto(_)
            | StatementKind::ComputedGoto(_)
    )
}

/// Some pragmas must stand directly before a loop.
fn follows_pragma(program: &Program, place: u32) -> bool {
    let before = program.text.get(..place as usize).unwrap_or(&[]).trim_ascii_end();
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or(&[]);
    line.trim_ascii_start().starts_with(b"#")
}

/// The variables that can be named and have a value at a place: numbers and pointers.
fn variables(program: &Program, jumps: &Jumps, place: u32, scope: ScopeId) -> (Vec<EntityId>, Vec<EntityId>) {
    let (mut numbers, mut pointers) = (Vec::new(), Vec::new());
    let mut hidden = BTreeSet::new();
    let mut next = Some(scope);
    while let Some(scope) = next {
        let scope = &program.scopes[scope];
        for entity in program.entity_lists[scope.entities].iter().rev() {
            let info = &program.entities[*entity];
            if info.visible_from > place || !hidden.insert(info.name) || !is_readable(program, info) {
                continue;
            }
            if is_global(info) || jumps.is_initialized(program, *entity, place) {
                if program.types.is_pointer(info.r#type) {
                    pointers.push(*entity);
                } else {
                    numbers.push(*entity);
                }
            }
        }
        next = scope.parent;
    }
    (numbers, pointers)
}

/// True for steady variables and parameters of arithmetic or pointer type that this text defines.
fn is_readable(program: &Program, info: &Entity) -> bool {
    let is_variable = matches!(info.kind, EntityKind::Variable | EntityKind::Parameter);
    let is_elsewhere = info.storage == Storage::Extern && !info.is_initialized;
    let types = &program.types;
    let is_number = types.is_integer(info.r#type) || types.is_real_floating(info.r#type);
    is_variable
        && !is_elsewhere
        && (is_number || types.is_pointer(info.r#type))
        && !program.is_unsteady(info.r#type)
}

/// Variables that live as long as the program begin with zero.
fn is_global(info: &Entity) -> bool {
    info.function.is_none() || info.storage == Storage::Static
}
