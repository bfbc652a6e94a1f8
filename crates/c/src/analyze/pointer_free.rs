//! Programs that cannot reach memory outside of their objects without a sanitizer noticing.
//!
//! Sanitizers check every index into an array of known length, but not where a pointer goes: far enough away, it may reach
//! the harness, return addresses, or the sanitizer itself. A program without pointers cannot.

use crate::Program;
use crate::syntax::{
    Entity, EntityKind, Expression, ExpressionId, ExpressionKind, Linkage, StatementKind, Storage,
    UnaryOperator,
};
use crate::types::{ArrayLength, FunctionStyle, TypeKind};

/// Larger local variables could reach past the end of the stack.
const LARGEST_LOCAL: u64 = 1 << 20;

/// Why a program might reach memory outside of its objects. Returns `None` if it follows no pointer at all.
pub fn why_pointers_matter(program: &Program) -> Option<&'static str> {
    let is_computed = |it: &crate::syntax::Statement| matches!(it.kind, StatementKind::ComputedGoto(_));
    if program.statements.iter().any(is_computed) {
        return Some("it jumps to a computed address");
    }
    if program.entities.iter().any(|entity| is_large_local(program, entity)) {
        return Some("it has a local variable of more than a megabyte");
    }
    program.expressions.iter().find_map(|expression| why_expression(program, expression))
}

fn is_large_local(program: &Program, entity: &Entity) -> bool {
    let is_local = matches!(entity.kind, EntityKind::Variable)
        && entity.linkage == Linkage::None
        && entity.storage != Storage::Static;
    is_local && program.types.size(entity.r#type).is_some_and(|size| size > LARGEST_LOCAL)
}

fn why_expression(program: &Program, expression: &Expression) -> Option<&'static str> {
    match expression.kind {
        ExpressionKind::Unary { operator: UnaryOperator::Dereference, .. }
        | ExpressionKind::Member { arrow: true, .. } => Some("it follows a pointer"),
        ExpressionKind::Index { base, index } => {
            let is_checked = [base, index].into_iter().any(|id| is_checked_array(program, id));
            (!is_checked).then_some("it indexes a pointer, or an array whose length no sanitizer knows")
        }
        ExpressionKind::Call { function, arguments } => {
            why_call(program, function, &program.expression_lists[arguments])
        }
        ExpressionKind::VaArg(_) => Some("it reads variable arguments"),
        _ => None,
    }
}

/// Whether sanitizers check an index into this array. An array at the end of a record may be longer than it says.
fn is_checked_array(program: &Program, id: ExpressionId) -> bool {
    let node = &program.expressions[id];
    let is_known =
        matches!(program.types.kind(node.r#type), TypeKind::Array { length: ArrayLength::Known(_), .. });
    let is_last = match node.kind {
        ExpressionKind::Member { record, index, .. } => {
            index as usize + 1 >= program.types.records[record].members.len()
        }
        _ => false,
    };
    is_known && !is_last
}

fn why_call(program: &Program, function: ExpressionId, arguments: &[ExpressionId]) -> Option<&'static str> {
    let ExpressionKind::Name(entity) = program.expressions[function].kind else {
        return Some("it calls a function through a pointer");
    };
    let entity = &program.entities[entity];
    let TypeKind::Function { style, .. } = program.types.kind(entity.r#type) else {
        return Some("it calls a function through a pointer");
    };
    if style == FunctionStyle::Unspecified {
        return Some("it calls a function without a prototype");
    }
    if entity.is_initialized {
        return None;
    }
    let is_bad = |id: &ExpressionId| match program.expressions[*id].kind {
        ExpressionKind::String(string) => stores_count(program, string),
        _ => matches!(
            program.types.kind(program.expressions[*id].r#type),
            TypeKind::Pointer(_) | TypeKind::Array { .. } | TypeKind::NullPointer
        ),
    };
    arguments.iter().any(is_bad).then_some("it passes pointers to the library")
}

/// Whether a format has a conversion `%n`, which writes through an argument.
fn stores_count(program: &Program, string: crate::syntax::StringId) -> bool {
    let units = &program.string_units[program.strings[string].units];
    let is_letter = |unit: &&u32| {
        let letter = char::from_u32(**unit).unwrap_or(' ');
        letter.is_ascii_alphabetic() && !"hlLqjzt".contains(letter)
    };
    let starts = units.iter().enumerate().filter(|(_, unit)| **unit == u32::from(b'%'));
    starts.into_iter().any(|(at, _)| units[at + 1..].iter().find(is_letter) == Some(&u32::from(b'n')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DataModel, parse};

    #[test]
    fn only_programs_without_pointers_are_safe() {
        let head = "int printf(const char *, ...); double sin(double); void *malloc(unsigned long); int k();\
                    struct s { int a[2]; int b; int c[2]; } s, *p; int f(int x) { return x; } int (*t[2])(int);";
        for (body, is_safe) in [
            ("int a[3] = {0}; return a[1] + (int)sin(1.0) + f(2);", true),
            ("printf(\"%d\\n\", 1); return s.a[1] + s.b;", true),
            ("long double d = 1; return d > 0;", true),
            ("int x = 1; return *&x;", false),
            ("return p->b;", false),
            ("return s.c[1];", false),
            ("int x[2] = {0}; int *q = x; return q[1];", false),
            ("int n = 3; int v[n]; return v[0];", false),
            ("return t[0](1);", false),
            ("return k(1);", false),
            ("int x; printf(\"%n\", &x); return 0;", false),
            ("printf(\"%n\", 4096); return 0;", false),
            ("char c[9]; __builtin_memset(c, 0, 9); return 0;", false),
            ("void *l = &&end; goto *l; end: return 0;", false),
            ("char c[2000000]; c[0] = 1; return 0;", false),
            ("static char c[2000000]; c[0] = 1; return 0;", true),
            ("char c[2000]; c[0] = 1; return 0;", true),
        ] {
            let text = format!("{head} int main(void) {{ {body} }}");
            let program = parse("test", &text, DataModel::Lp64).expect("the program parses");
            assert_eq!(why_pointers_matter(&program).is_none(), is_safe, "{body}");
        }
    }
}
