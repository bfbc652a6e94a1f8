//! The functions and statements of a program into which code can be put, and the expressions that they evaluate.

use crate::Program;
use crate::syntax::{Declarator, EntityKind, ExpressionId, FunctionId, StatementId, StatementKind, Storage};
use std::collections::BTreeSet;

/// The functions into which code can be put: `main` can reach them, and they are not from system headers. Nested
/// functions are left out because their locals may belong to the enclosing function, and so are naked ones.
pub fn instrumentable_functions(program: &Program) -> Vec<FunctionId> {
    let mut functions = crate::reachable_functions(program);
    functions.retain(|id| {
        let function = &program.functions[*id];
        function.nested_in.is_none()
            && !program.lines.is_in_system_header(function.span.start)
            && !program.has_attribute(function.entity, "naked")
    });
    functions
}

/// The statements of a function, outer ones first, without those of statement expressions and nested functions.
pub fn statements_of(program: &Program, function: FunctionId) -> Vec<StatementId> {
    let mut found = Vec::new();
    let mut waiting = vec![program.functions[function].body];
    while let Some(statement) = waiting.pop() {
        found.push(statement);
        let before = waiting.len();
        for_each_inner(program, statement, |inner| waiting.push(inner));
        waiting[before..].reverse();
    }
    found
}

/// A statement and everything inside it, those of statement expressions and nested functions included, in time in
/// proportion to their number.
pub(crate) fn statements_within(
    program: &Program,
    statement: StatementId,
) -> impl Iterator<Item = StatementId> {
    let start = program.statements[statement].span.start;
    // The parser makes a statement right after those inside it. Only a function comes before its body, and is still made
    // after everything that begins before it.
    let before = (0..=statement.index()).rev().map(StatementId::at);
    before.take_while(move |inner| program.statements[*inner].span.start >= start)
}

/// Calls `visit` with the statements directly inside a statement.
pub fn for_each_inner(program: &Program, statement: StatementId, mut visit: impl FnMut(StatementId)) {
    match program.statements[statement].kind {
        StatementKind::Compound { items, .. } => {
            program.statement_lists[items].iter().copied().for_each(visit);
        }
        StatementKind::If { then, otherwise, .. } => {
            visit(then);
            otherwise.into_iter().for_each(visit);
        }
        StatementKind::While { body, .. }
        | StatementKind::DoWhile { body, .. }
        | StatementKind::Switch { body, .. }
        | StatementKind::Case { body, .. }
        | StatementKind::Default(body)
        | StatementKind::Label { body, .. } => visit(body),
        StatementKind::For(id) => visit(program.for_loops[id].body),
        _ => {}
    }
}

/// The full expressions that a statement itself evaluates when the program runs. This includes initializers in the
/// first part of a `for`, but neither constant expressions nor initializers of objects with static storage.
pub fn evaluated_expressions(program: &Program, statement: StatementId) -> Vec<ExpressionId> {
    match program.statements[statement].kind {
        StatementKind::Expression(value)
        | StatementKind::Return(Some(value))
        | StatementKind::If { condition: value, .. }
        | StatementKind::While { condition: value, .. }
        | StatementKind::DoWhile { condition: value, .. }
        | StatementKind::Switch { value, .. } => vec![value],
        StatementKind::Declaration(_) => initializers(program, statement),
        StatementKind::For(id) => {
            let parts = &program.for_loops[id];
            let mut roots = match parts.first.map(|first| program.statements[first].kind) {
                Some(StatementKind::Expression(value)) => vec![value],
                Some(StatementKind::Declaration(_)) => {
                    parts.first.map(|first| initializers(program, first)).unwrap_or_default()
                }
                _ => Vec::new(),
            };
            roots.extend(parts.condition);
            roots.extend(parts.step);
            roots
        }
        _ => Vec::new(),
    }
}

/// The initializers of the automatic variables of a declaration.
fn initializers(program: &Program, statement: StatementId) -> Vec<ExpressionId> {
    let StatementKind::Declaration(declaration) = program.statements[statement].kind else {
        return Vec::new();
    };
    let declarators = &program.declarators[program.declarations[declaration].declarators];
    let is_automatic = |storage| matches!(storage, Storage::None | Storage::Auto | Storage::Register);
    declarators
        .iter()
        .filter(|declarator| {
            let info = &program.entities[declarator.entity];
            info.function.is_some() && is_automatic(info.storage) && !info.thread_local
        })
        .filter_map(|declarator| declarator.initializer)
        .collect()
}

/// True if a statement that is an item of a block begins at a byte. Another statement can be put before it.
pub fn is_block_item_at(program: &Program, place: u32) -> bool {
    let items = block_items(program);
    program
        .statements
        .ids()
        .any(|id| program.statements[id].span.start == place && items.contains(&id.index()))
}

/// The statements that are items of a block or of the file, and so can be removed without a trace.
pub(crate) fn block_items(program: &Program) -> BTreeSet<usize> {
    let mut items: BTreeSet<usize> = program.items.iter().map(|id| id.index()).collect();
    for statement in program.statements.iter() {
        if let StatementKind::Compound { items: inner, .. } = statement.kind {
            items.extend(program.statement_lists[inner].iter().map(|id| id.index()));
        }
    }
    items
}

/// The variables with automatic storage.
pub(crate) fn local_variables(program: &Program) -> impl Iterator<Item = &Declarator> {
    let is_local = |declarator: &&Declarator| {
        let entity = &program.entities[declarator.entity];
        entity.kind == EntityKind::Variable
            && entity.function.is_some()
            && !matches!(entity.storage, Storage::Static | Storage::Extern)
    };
    program.declarators.iter().filter(is_local)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DataModel;

    #[test]
    fn the_statements_within_one_are_those_that_its_text_holds() {
        let text = "int g; int f(int c) { int x = 1; if (c) { x = 2; } else if (x) x = 3; else { ; }\
            int nested(int y) { return y + ({ int z = y; z; }); }\
            for (int i = ({ g++; 0; }); i < 3; i++) switch (i) { case 1: case 2: x++; break; default: end: ; }\
            do { while (c) c--; } while (({ int w = c; w; })); return nested(x); } int h(void) { return 1; }";
        let program = crate::parse("test.c", text, DataModel::Lp64).expect("the text is C");
        for id in program.statements.ids() {
            let is_function = matches!(program.statements[id].kind, StatementKind::Function(_));
            let span = program.statements[id].span;
            let expected: BTreeSet<StatementId> = program
                .statements
                .ids()
                .filter(|inner| span.contains(program.statements[*inner].span))
                .collect();
            let found: BTreeSet<StatementId> = statements_within(&program, id).collect();
            assert!(is_function || found == expected, "{}", program.text_of(span));
        }
    }
}
