//! The statements of a program that may hold points, and the expressions that they evaluate.

use c::Program;
use c::syntax::{ExpressionId, FunctionId, StatementId, StatementKind, Storage};

/// The functions that may hold points: `main` can reach them, and they are not from system headers. Functions in
/// functions are left alone, since their locals may belong to the function around them, and so are naked ones.
pub fn functions(program: &Program) -> Vec<FunctionId> {
    let mut functions = c::reachable_functions(program);
    functions.retain(|id| {
        let function = &program.functions[*id];
        function.nested_in.is_none()
            && !program.lines.is_in_system_header(function.span.start)
            && !program.has_attribute(function.entity, "naked")
    });
    functions
}

/// The statements of a function, outer ones first. Those of statement expressions and of functions in it are not
/// among them.
pub fn statements(program: &Program, function: FunctionId) -> Vec<StatementId> {
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

/// The whole expressions that a statement itself evaluates when the program runs. The first part of a `for` that
/// declares something is among them; constant expressions, and initializers of what lives as long as the program,
/// are not.
pub fn roots(program: &Program, statement: StatementId) -> Vec<ExpressionId> {
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
