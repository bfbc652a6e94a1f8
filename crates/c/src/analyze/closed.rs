//! Closed programs: programs with exactly one execution, in which sanitizers show every error.

use super::{has_folded_error, unchecked_ub};
use crate::syntax::{ExpressionId, ExpressionKind, StatementKind};
use crate::{Program, TypeKind};
use model::ErrorKind;
use std::collections::BTreeSet;

/// Undefined functions that a closed program may call if it ignores their results.
const RESULT_IGNORED: [&str; 4] = ["printf", "puts", "putchar", "abort"];
/// Undefined functions that a closed program may call: their results are always the same.
const DETERMINISTIC: [&str; 2] = ["fabs", "fabsf"];

/// Why nothing can be concluded about warnings on a program. Returns `None` if it is closed.
pub fn why_not_closed(program: &Program) -> Option<String> {
    let text = String::from_utf8_lossy(&program.text);
    if text.contains("volatile") {
        return Some("it has volatile objects".to_owned());
    }
    if has_folded_error(program) {
        return Some("a constant expression has an error, which no execution shows".to_owned());
    }
    if program.statements.iter().any(|it| matches!(it.kind, StatementKind::Asm(_))) {
        return Some("it has assembly code".to_owned());
    }
    why_nondeterministic(program, |_| false).or_else(|| why_unseen(program))
}

/// Why the program might have several executions, apart from the results of input functions.
pub fn why_nondeterministic(program: &Program, is_input: impl Fn(&str) -> bool) -> Option<String> {
    let ignored = ignored_calls(program);
    for id in program.expressions.ids() {
        let ExpressionKind::Name(entity) = program.expressions[id].kind else { continue };
        let entity = &program.entities[entity];
        let name = program.name(entity.name);
        let is_function = matches!(program.types.kind(entity.r#type), TypeKind::Function { .. });
        let is_harmless = is_input(&name)
            || DETERMINISTIC.contains(&name.as_ref())
            || RESULT_IGNORED.contains(&name.as_ref()) && ignored.contains(&id);
        if is_function && !entity.is_initialized && !is_harmless {
            return Some(format!("it uses {name}, whose result may vary"));
        }
    }
    unchecked_ub::why_unordered(program)
}

/// The names of functions in calls whose result is ignored.
fn ignored_calls(program: &Program) -> BTreeSet<ExpressionId> {
    let root = |it: &crate::syntax::Statement| match it.kind {
        StatementKind::Expression(root) => match program.expressions[root].kind {
            ExpressionKind::Call { function, .. } => Some(function),
            _ => None,
        },
        _ => None,
    };
    program.statements.iter().filter_map(root).collect()
}

/// Why an execution might not show an error: compilers drop code without effect, and sanitizers do not inspect
/// everything that is passed to the library.
fn why_unseen(program: &Program) -> Option<String> {
    let is_idle = |it: &crate::syntax::Statement| match it.kind {
        StatementKind::Expression(root) => program.is_pure(root) && program.constant(root).is_none(),
        _ => false,
    };
    if program.statements.iter().any(is_idle) {
        return Some("a statement has no effect".to_owned());
    }
    let prints_pointer = |it: &crate::syntax::Expression| {
        let ExpressionKind::Call { function, arguments } = it.kind else { return false };
        let is_pointer = |id: &ExpressionId| {
            let is_text = matches!(program.expressions[*id].kind, ExpressionKind::String(_));
            program.types.is_pointer(program.expressions[*id].r#type) && !is_text
        };
        let is_printf = matches!(program.expressions[function].kind, ExpressionKind::Name(entity)
            if RESULT_IGNORED.contains(&program.name(program.entities[entity].name).as_ref()));
        is_printf && program.expression_lists[arguments].iter().any(is_pointer)
    };
    let prints_pointers = program.expressions.iter().any(prints_pointer);
    prints_pointers.then(|| "it prints what a pointer points to".to_owned())
}

/// True if sanitizers detect an error of this kind in any execution of the program.
pub fn sanitizers_detect(program: &Program, kind: ErrorKind) -> bool {
    match kind {
        ErrorKind::UninitializedRead => unchecked_ub::is_surely_initialized(program),
        // A pointer may leave an array without leaving the enclosing object, which sanitizers do not detect.
        ErrorKind::OutOfBounds => !has_pointer_arithmetic(program),
        // The harness looks for neither.
        ErrorKind::UseAfterReturn | ErrorKind::Leak => false,
        _ => true,
    }
}

fn has_pointer_arithmetic(program: &Program) -> bool {
    program.expressions.iter().any(|expression| match expression.kind {
        ExpressionKind::Index { base, index } => {
            [base, index].iter().any(|id| program.types.is_pointer(program.expressions[*id].r#type))
        }
        ExpressionKind::Binary { .. }
        | ExpressionKind::Assign { operator: Some(_), .. }
        | ExpressionKind::Cast(_) => program.types.is_pointer(expression.r#type),
        ExpressionKind::Unary { operator: crate::syntax::UnaryOperator::AddressOf, operand } => {
            matches!(program.expressions[operand].kind, ExpressionKind::Index { .. })
        }
        ExpressionKind::Unary { operator, .. } => {
            use crate::syntax::UnaryOperator as U;
            let steps = [U::PreIncrement, U::PreDecrement, U::PostIncrement, U::PostDecrement];
            steps.contains(&operator) && program.types.is_pointer(expression.r#type)
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DataModel, parse};

    fn parsed(text: &str) -> Program {
        parse("test", text, DataModel::Lp64).expect("the program parses")
    }

    #[test]
    fn programs_with_several_executions_or_hidden_errors_are_not_closed() {
        let declared = "int printf(const char *, ...); void *malloc(unsigned long); int shared;";
        for (rest, reason) in [
            ("int main(void) { int x = 1; printf(\"%d\", x); return 0; }", None),
            ("int f(void) { return shared++; } int main(void) { int x = f(); return x + f(); }", None),
            ("int f(int x) { return x + 1; } int main(void) { return f(1) + f(2); }", None),
            ("int main(void) { volatile int x = 1; return x; }", Some("it has volatile objects")),
            (
                "int main(void) { int r = printf(\"a\"); return r; }",
                Some("it uses printf, whose result may vary"),
            ),
            (
                "int main(void) { void *(*get)(unsigned long) = malloc; return get(4) != 0; }",
                Some("it uses malloc, whose result may vary"),
            ),
            (
                "int f(void) { return shared++; } int g(int a, int b) { return a - b; } int main(void) { return g(f(), f()); }",
                Some("the order of two calls in one expression could matter"),
            ),
            (
                "int f(void) { return shared++; } int main(void) { return f() + f(); }",
                Some("the order of two calls in one expression could matter"),
            ),
            ("int f(void) { return shared++; } int main(void) { return f() && f(); }", None),
            ("int main(void) { int *p = 0; *p; return 0; }", Some("a statement has no effect")),
            (
                "int main(void) { char *p = 0; printf(\"%s\", p); return 0; }",
                Some("it prints what a pointer points to"),
            ),
            ("int main(void) { __asm__(\"nop\"); return 0; }", Some("it has assembly code")),
        ] {
            assert_eq!(why_not_closed(&parsed(&format!("{declared}{rest}"))).as_deref(), reason, "{rest}");
        }
    }

    #[test]
    fn errors_that_sanitizers_overlook_are_not_taken_for_absent() {
        for (text, is_seen_there) in [
            ("int main(void) { int a[3] = {0}; int i = 1; return a[i]; }", true),
            ("struct { int a[3]; int b; } s; int main(void) { int *p = &s.a[2]; return *p; }", false),
            ("struct { int a[3]; int b; } s; int main(void) { return *(long *)&s; }", false),
            ("int main(void) { int a[3] = {0}; int *p = a; p++; return *p; }", false),
        ] {
            assert_eq!(sanitizers_detect(&parsed(text), ErrorKind::OutOfBounds), is_seen_there, "{text}");
            assert!(!sanitizers_detect(&parsed(text), ErrorKind::UseAfterReturn), "{text}");
        }
    }
}
