//! Sites: places between two statements where a check may be inserted, with the variables that it may read.
//!
//! Only functions that `main` can reach and that are not from system headers have sites. Statement expressions have
//! none, because the value of their last statement would be lost.

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
    /// The lvalues of arithmetic type: variables, the innermost first, then members and elements of variables. Of the
    /// local variables, the nearest 100 count. Of those of the file, at most 100 do, first those that the function mentions.
    pub numbers: Arc<[Readable]>,
    /// The lvalues of pointer type, in the same order. The objects that they point to may be gone.
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

/// False for functions of system headers, and for naked ones, which may contain only `asm`.
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
            // Statements before the first case of a switch are never executed.
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

/// True if another statement may be inserted before this one. Before a case it would belong to the previous case, which
/// usually ends in `break`, and would not be reached. A `__label__` must come first in its block.
fn may_follow(program: &Program, statement: StatementId, in_switch: bool) -> bool {
    let is_label_declaration =
        matches!(program.statements[statement].kind, StatementKind::LabelDeclaration(_));
    !(is_label_declaration || in_switch && is_case(program, statement))
}

/// True if control never continues after a statement, regardless of labels before it.
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

/// Some pragmas must directly precede a loop.
fn follows_pragma(program: &Program, place: u32) -> bool {
    let before = program.text.get(..place as usize).unwrap_or(&[]).trim_ascii_end();
    let Some(last) = before.len().checked_sub(1) else { return false };
    let line = &before[program.lines.line_start(last as u32) as usize..];
    // The line before a place is usually a statement, and its first character decides without reading the rest.
    let Some(directive) = line.trim_ascii_start().strip_prefix(b"#") else { return false };
    directive.trim_ascii_start().starts_with(b"pragma")
}
