//! Variables that may be read without a value, and functions that may end without their result.

use crate::analyze::{INJECTED_VARIABLES, local_variables, statements_within};
use crate::syntax::{
    Declarator, EntityId, EntityKind, Expression, ExpressionId, ExpressionKind, Function, StatementId,
    StatementKind, UnaryOperator,
};
use crate::{Program, TypeKind, Values};
use std::collections::BTreeSet;

/// Functions that give memory without values.
const BARE_MEMORY: [&str; 13] = [
    "malloc",
    "realloc",
    "reallocarray",
    "alloca",
    "aligned_alloc",
    "memalign",
    "posix_memalign",
    "valloc",
    "pvalloc",
    "__builtin_alloca",
    "__builtin_alloca_with_align",
    "__builtin_malloc",
    "__builtin_realloc",
];

/// Why an object might be read without a value. Returns `None` if that is impossible.
///
/// Every variable must get its values where it is named: memory from the heap has no initializer to inspect, and values
/// written through a pointer or part by part are not tracked.
pub fn why_uninitialized(program: &Program) -> Option<String> {
    let takes_arguments = |it: &Expression| matches!(it.kind, ExpressionKind::VaArg(_));
    let is_bare_memory = |it: &Expression| match it.kind {
        ExpressionKind::Name(entity) => {
            BARE_MEMORY.contains(&program.name(program.entities[entity].name).as_ref())
        }
        _ => false,
    };
    if program.expressions.iter().any(is_bare_memory) {
        return Some("it uses memory that has no values at first".to_owned());
    }
    if program.expressions.iter().any(takes_arguments) {
        return Some("a function takes any number of arguments".to_owned());
    }
    if let Some(declarator) = possibly_uninitialized(program).next() {
        return Some(format!("`{}` may be read without a value", program.text_of(declarator.name)));
    }
    let function = program.functions.iter().find(|function| !always_returns_value(program, function))?;
    let name = program.name(program.entities[function.entity].name);
    Some(format!("`{name}` may end without its result"))
}

/// The used variables that may be read without a value: on some path to a read they have none, or they are filled
/// through a pointer or part by part, and not by a loop. Variables of an injected error do not count.
pub fn possibly_uninitialized(program: &Program) -> impl Iterator<Item = &Declarator> {
    let mut values = Values::of(program);
    let named: BTreeSet<EntityId> = program.expressions.iter().filter_map(named).collect();
    let read_uninitialized = read_uninitialized(program);
    local_variables(program).filter(move |declarator| {
        let entity = declarator.entity;
        let has_parts =
            matches!(program.types.kind(declarator.r#type), TypeKind::Array { .. } | TypeKind::Record(_));
        let is_filled_unseen = has_parts || program.entities[entity].address_taken;
        let is_open =
            read_uninitialized.contains(&entity) || is_filled_unseen && !values.is_always_initialized(entity);
        let is_injected = INJECTED_VARIABLES.contains(&&*program.text_of(declarator.name));
        is_open && named.contains(&entity) && !is_injected && !values.is_filled(entity)
    })
}

fn named(expression: &Expression) -> Option<EntityId> {
    match expression.kind {
        ExpressionKind::Name(entity) => Some(entity),
        _ => None,
    }
}

/// The variables that are read where they may have no value.
fn read_uninitialized(program: &Program) -> BTreeSet<EntityId> {
    let locals: BTreeSet<EntityId> = local_variables(program).map(|declarator| declarator.entity).collect();
    let mut unread: BTreeSet<ExpressionId> = BTreeSet::new();
    for expression in program.expressions.iter() {
        match expression.kind {
            ExpressionKind::Assign { operator: None, target, .. } => drop(unread.insert(target)),
            ExpressionKind::Unary { operator: UnaryOperator::AddressOf, operand } => {
                unread.insert(operand);
            }
            _ => {}
        }
    }
    let mut values = Values::of(program);
    let mut read_uninitialized = BTreeSet::new();
    for id in program.expressions.ids().filter(|id| !unread.contains(id)) {
        let expression = &program.expressions[id];
        let Some(entity) = named(expression).filter(|entity| locals.contains(entity)) else { continue };
        if !values.has_value(entity, expression.span.start) {
            read_uninitialized.insert(entity);
        }
    }
    read_uninitialized
}

/// True if no variable of a function can be read without a value: each is initialized in its declaration, nothing jumps
/// past a declaration, and every function with a result returns one.
pub fn is_surely_initialized(program: &Program) -> bool {
    let mut values = Values::of(program);
    let is_local = |declarator: &&Declarator| {
        let entity = &program.entities[declarator.entity];
        entity.kind == EntityKind::Variable && entity.function.is_some()
    };
    let mut locals = program.declarators.iter().filter(is_local);
    program.functions.iter().all(|function| always_returns_value(program, function))
        && locals.all(|local| values.is_always_initialized(local.entity))
}

/// True if a function has no result, or returns one on every path to its end.
pub fn always_returns_value(program: &Program, function: &Function) -> bool {
    let is_bare = |id: StatementId| matches!(program.statements[id].kind, StatementKind::Return(None));
    program.is_main(function.entity)
        || is_void(program, function)
        || always_returns(program, function.body) && !statements_within(program, function.body).any(is_bare)
}

/// True if a statement never completes without returning a value. A chain of `else if` is as deep as it is long, so this
/// does not call itself.
fn always_returns(program: &Program, statement: StatementId) -> bool {
    let mut waiting = vec![statement];
    while let Some(statement) = waiting.pop() {
        match program.statements[statement].kind {
            StatementKind::Return(Some(_)) => {}
            StatementKind::Compound { items, .. } => match program.statement_lists[items].last() {
                Some(last) => waiting.push(*last),
                None => return false,
            },
            StatementKind::If { then, otherwise: Some(otherwise), .. } => waiting.extend([then, otherwise]),
            StatementKind::Label { body, .. }
            | StatementKind::Case { body, .. }
            | StatementKind::Default(body) => waiting.push(body),
            StatementKind::Switch { body, .. } if is_left_only_at_its_end(program, body) => {
                waiting.push(body)
            }
            _ => return false,
        }
    }
    true
}

/// True if one of the cases in the body of a switch is always taken, and nothing breaks out of it.
fn is_left_only_at_its_end(program: &Program, body: StatementId) -> bool {
    let mut has_default = false;
    for statement in statements_within(program, body) {
        match program.statements[statement].kind {
            // A nested switch has breaks and defaults of its own.
            StatementKind::Break | StatementKind::Switch { .. } => return false,
            StatementKind::Default(_) => has_default = true,
            _ => {}
        }
    }
    has_default
}

fn is_void(program: &Program, function: &Function) -> bool {
    match program.types.kind(program.entities[function.entity].r#type) {
        TypeKind::Function { result, .. } => program.types.kind(result) == TypeKind::Void,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DataModel;

    #[test]
    fn a_declaration_is_jumped_over_only_from_before_it() {
        for (body, is_sure) in [
            ("int x = 1; if (x) goto end; x = 2; end: return x;", true),
            ("int x = 1; again: x++; if (x < 9) goto again; return x;", true),
            ("goto end; int x = 1; end: return x;", false),
            ("int y = 0; if (y) goto end; { int x = 1; end: return x; }", false),
            ("int y = 1; switch (y) { case 1: return 1; default: y = 2; } return y;", true),
            ("int y = 1; switch (y) { int x = 1; case 1: return x; default: y = 2; } return y;", false),
            ("void *p = &&end; int x = 1; goto *p; end: return x;", false),
            ("int x; x = 1; return x;", false),
        ] {
            let text = format!("int f(void) {{ {body} }} int main(void) {{ return f(); }}");
            let program = crate::parse("test.c", &text, DataModel::Lp64).expect("the text is C");
            assert_eq!(is_surely_initialized(&program), is_sure, "{body}");
        }
    }

    #[test]
    fn what_may_lack_a_value_is_seen() {
        for (body, expected) in [
            ("int x; x = 1; return x;", None),
            ("int x; int *p = &x; *p = 1; return x;", Some("`x`")),
            ("int x; if (c) x = 1; return x;", Some("`x`")),
            ("int x; while (c) { x = 3; c = 0; } return x;", Some("`x`")),
            ("int x = 1; { int x; if (c) { x = 2; } c = x; } return x;", Some("`x`")),
            ("switch (c) { int z = 0; case 3: c = z; } return c;", Some("`z`")),
            ("switch (c) { int z = 0; int *p; case 3: p = &z; *p = 5; c = z; } return c;", Some("`z`")),
            ("int a[2]; a[0] = 1; return a[0];", Some("`a`")),
            ("int a[2]; int i; for (i = 0; i < 2; i++) a[i] = 1; return a[0];", None),
            ("int *p = malloc(4); return *p;", Some("memory")),
            ("if (c) return 1;", Some("`f` may end")),
            ("if (c) return 1; else return 2;", None),
            ("switch (c) { case 1: return 1; default: return 2; }", None),
            ("switch (c) { case 1: return 1; }", Some("`f` may end")),
            ("switch (c) { case 1: break; default: return 2; }", Some("`f` may end")),
            ("if (c) return 1; exit(1);", Some("`f` may end")),
        ] {
            let text = format!("void *malloc(unsigned long); void exit(int); int f(int c) {{ {body} }}");
            let program = crate::parse("test.c", &text, DataModel::Lp64).expect("the text is C");
            let why = why_uninitialized(&program);
            let fits = match (&why, expected) {
                (Some(why), Some(words)) => why.contains(words),
                (why, expected) => why.is_none() && expected.is_none(),
            };
            assert!(fits, "{body}: {why:?}");
        }
    }
}
