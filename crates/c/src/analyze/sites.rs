//! Sites: places between two statements where a check may be put, with the variables that it may read.
//!
//! Only functions that `main` can reach and that are not from system headers have sites, and no statement expression
//! has any: the value of its last statement would be lost.

use crate::analyze::mentions::Mentions;
use crate::analyze::readable::{Readable, Readables};
use crate::syntax::program::Program;
use crate::syntax::{FunctionId, ScopeId, StatementId, StatementKind};
use std::sync::Arc;

/// A place where a statement may be inserted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The byte before which it is.
    pub place: u32,
    /// The function that it is in.
    pub function: FunctionId,
    /// The innermost scope around it.
    pub scope: ScopeId,
    /// What has an arithmetic value here: variables, the innermost first, then members and elements of variables. At
    /// most 100 variables of the file are among them, first those that the function mentions.
    pub numbers: Arc<[Readable]>,
    /// What has a pointer as value here, in the same order. What they point to may be gone.
    pub pointers: Arc<[Readable]>,
}

/// The sites of a program, in the order of its text.
pub fn sites(program: &Program) -> Vec<Site> {
    let mentions = Mentions::of(program);
    let mut readables = Readables::of(program, &mentions);
    let mut sites = Vec::new();
    for function in mentions.reachable_functions(program) {
        if !may_have_sites(program, function) {
            continue;
        }
        let mut readables = readables.in_function(function);
        for (place, scope) in places(program, program.functions[function].body) {
            let (numbers, pointers) = readables.at(place, scope);
            sites.push(Site { place, function, scope, numbers, pointers });
        }
    }
    sites.sort_by_key(|site| site.place);
    sites
}

/// False for functions of system headers, and for naked ones, which may hold nothing but `asm`.
fn may_have_sites(program: &Program, function: FunctionId) -> bool {
    let function = &program.functions[function];
    !program.lines.is_in_system_header(function.span.start)
        && !program.has_attribute(function.entity, "naked")
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

/// True if nothing gets past a statement, whatever labels stand before it.
fn is_jump(program: &Program, statement: StatementId) -> bool {
    let mut current = statement;
    loop {
        match program.statements[current].kind {
            StatementKind::Label { body, .. }
            | StatementKind::Case { body, .. }
            | StatementKind::Default(body) => current = body,
            StatementKind::Return(_)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Goto(_)
            | StatementKind::ComputedGoto(_) => return true,
            _ => return false,
        }
    }
}

/// Some pragmas must stand directly before a loop.
fn follows_pragma(program: &Program, place: u32) -> bool {
    let before = program.text.get(..place as usize).unwrap_or(&[]).trim_ascii_end();
    let Some(last) = before.len().checked_sub(1) else { return false };
    let line = &before[program.lines.line_start(last as u32) as usize..];
    // The last line before a place is mostly a statement: its first letter decides without reading it all.
    let Some(directive) = line.trim_ascii_start().strip_prefix(b"#") else { return false };
    directive.trim_ascii_start().starts_with(b"pragma")
}
