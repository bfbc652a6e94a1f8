//! Programs whose executions depend on their inputs alone.
//!
//! Only for these does running every input prove something. In other programs, addresses, failing allocations,
//! uninitialized variables and the order of two calls may differ between executions, and an analyzer that allows for
//! that is right.

use super::closed::why_nondeterministic;
use super::unchecked_ub;
use crate::syntax::{BinaryOperator, ExpressionId, ExpressionKind, StatementKind};
use crate::{Program, TypeKind, parse_input};
use model::CInput;

/// True if the program, its checks included, behaves the same way on the same inputs under any compiler.
pub fn is_deterministic(program: &CInput) -> bool {
    let Ok(program) = parse_input("program", &with_checks_as_statements(program)) else { return false };
    let has_assembly = program.statements.iter().any(|it| matches!(it.kind, StatementKind::Asm(_)));
    let is_volatile = String::from_utf8_lossy(&program.text).contains("volatile");
    !has_assembly
        && !is_volatile
        && unchecked_ub::is_surely_initialized(&program)
        && unchecked_ub::why_possible_in(&program).is_none()
        && !shares_memory(&program)
        && why_nondeterministic(&program, |name| name.starts_with("__VERIFIER_nondet_")).is_none()
        && !program.expressions.ids().any(|id| exposes_address(&program, id))
}

/// The program with its checks as statements, which makes the analyses include what they read.
pub fn with_checks_as_statements(program: &CInput) -> CInput {
    let base = program.render(|annotation| format!("(void)({});", annotation.condition));
    CInput { base: base.into(), annotations: Vec::new(), ..program.clone() }
}

/// True if bytes may be read that no value fills: a union has members of several sizes, and a pointer may be cast to
/// another pointer type.
fn shares_memory(program: &Program) -> bool {
    let retypes = |it: &crate::syntax::Expression| match it.kind {
        ExpressionKind::Cast(operand) => {
            let (from, to) = (program.expressions[operand].r#type, it.r#type);
            let pointees = program.types.pointee(from).zip(program.types.pointee(to));
            pointees.is_some_and(|(from, to)| program.types.kind(from) != program.types.kind(to))
        }
        _ => false,
    };
    program.types.records.iter().any(|record| record.is_union) || program.expressions.iter().any(retypes)
}

/// True if a pointer is converted to a number, or two pointers are compared.
fn exposes_address(program: &Program, id: ExpressionId) -> bool {
    use BinaryOperator as B;
    let node = &program.expressions[id];
    let points = |operand: ExpressionId| {
        let r#type = program.expressions[operand].r#type;
        let is_null = program.constant(operand).is_some();
        let is_array = matches!(program.types.kind(r#type), TypeKind::Array { .. });
        (program.types.is_pointer(r#type) || is_array) && !is_null
    };
    match node.kind {
        ExpressionKind::Cast(operand) => program.types.is_integer(node.r#type) && points(operand),
        ExpressionKind::Binary { operator, left, right } => {
            let compares = matches!(
                operator,
                B::Less | B::LessEqual | B::Greater | B::GreaterEqual | B::Equal | B::NotEqual
            );
            compares && points(left) && points(right)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Annotation, AnnotationKind, DataModel};

    #[test]
    fn only_inputs_decide() {
        let head = "int __VERIFIER_nondet_int(void); void *malloc(unsigned long); int rand(void); int g;\n";
        for (body, condition, expected) in [
            ("int x = __VERIFIER_nondet_int(); int y = x;", "y != 3", true),
            ("int a[2] = {0}; int *p = a;", "p != 0", true),
            ("int *p = malloc(4);", "p != 0", false),
            ("int y = 1; unsigned long a = (unsigned long)&y;", "a != 4096", false),
            ("int y = 1; int z = 2; int *p = &y; int *q = &z;", "p != q", false),
            ("int x = rand();", "x != 3", false),
            ("int x; g = 1;", "g != 3", false),
            ("volatile int x = 1;", "g != 3", false),
            ("union { char b; int c; } x = {0}; x.b = 1;", "x.c != 3", false),
            ("int x = 1; char *p = (char *)&x;", "*p != 3", false),
        ] {
            let base = format!("{head}int main(void) {{ {body}\nreturn 0; }}");
            let place = base.find("return").unwrap() as u32;
            let annotations = vec![Annotation::new(place, AnnotationKind::Check(1), condition)];
            let input = CInput { base: base.into(), data_model: DataModel::Lp64, annotations };
            assert_eq!(is_deterministic(&input), expected, "{body} {condition}");
        }
    }
}
