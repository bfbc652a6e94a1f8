//! Points inside of expressions: before the operands of `&&`, `||` and `?:` that are evaluated only sometimes.

use super::context::Context;
use super::fact::{Fact, facts};
use super::prepared::Origin;
use c::Program;
use c::syntax::{BinaryOperator, EntityKind, ExpressionId, ExpressionKind};

/// How many operators of one whole expression are examined.
const MOST_OPERATORS: usize = 40;

/// How many such operands may be inside of each other: each gets parentheses, and compilers count them.
const DEEPEST: usize = 24;

/// An operand before which something is known.
#[derive(Clone, Debug)]
pub struct Operand {
    /// The operand.
    pub expression: ExpressionId,
    /// Which operator it belongs to.
    pub origin: Origin,
    /// What is known.
    pub facts: Vec<Fact>,
}

/// The operands in a whole expression before which something is known, outer ones first.
pub fn operands(context: &mut Context<'_>, root: ExpressionId) -> Vec<Operand> {
    let mut found = Vec::new();
    let calls_in_root = calls(context.program, root);
    let mut operators = 0;
    let mut waiting = vec![(root, 0)];
    while let Some((expression, depth)) = waiting.pop() {
        if operators >= MOST_OPERATORS {
            break;
        }
        let before = waiting.len();
        let candidates = if depth < DEEPEST { candidates(context.program, expression) } else { Vec::new() };
        operators += usize::from(!candidates.is_empty());
        // What a call elsewhere in the expression changes, it may change between the condition and the operand.
        let is_disturbed = !candidates.is_empty() && calls_in_root > calls(context.program, expression);
        let is_inner = |operand| candidates.iter().any(|candidate| candidate.operand == operand);
        for_each_evaluated(context.program, expression, |operand| {
            waiting.push((operand, depth + usize::from(is_inner(operand))));
        });
        waiting[before..].reverse();
        for Candidate { operand, origin, condition, holds } in candidates {
            if is_disturbed && !context.is_private(condition) {
                continue;
            }
            let facts = facts(context, condition, holds);
            if !facts.is_empty() {
                found.push(Operand { expression: operand, origin, facts });
            }
        }
    }
    found
}

/// An operand that is evaluated only if a condition holds, or fails.
struct Candidate {
    operand: ExpressionId,
    origin: Origin,
    condition: ExpressionId,
    holds: bool,
}

/// The operands of one operator that are evaluated only sometimes, and can have something put before them.
fn candidates(program: &Program, expression: ExpressionId) -> Vec<Candidate> {
    match program.expressions[expression].kind {
        ExpressionKind::Binary { operator: BinaryOperator::And, left, right } => {
            vec![Candidate { operand: right, origin: Origin::And, condition: left, holds: true }]
        }
        ExpressionKind::Binary { operator: BinaryOperator::Or, left, right } => {
            vec![Candidate { operand: right, origin: Origin::Or, condition: left, holds: false }]
        }
        ExpressionKind::Conditional { condition, then, otherwise } => {
            let then = then.map(|operand| (operand, true));
            let both = then.into_iter().chain([(otherwise, false)]);
            both.filter(|(operand, _)| keeps_its_type(program, expression, *operand))
                .map(|(operand, holds)| Candidate { operand, origin: Origin::Conditional, condition, holds })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// True if an operand of `?:` has the same type after a comma. Bit-fields may lose their width, and a null pointer
/// constant is none after a comma, which changes the type of the whole.
fn keeps_its_type(program: &Program, conditional: ExpressionId, operand: ExpressionId) -> bool {
    let types = &program.types;
    let is_number = types.is_arithmetic(program.expressions[conditional].r#type);
    let is_void = program.expressions[conditional].r#type == c::Type::VOID;
    let may_be_null = match program.expressions[operand].kind {
        ExpressionKind::Cast(inner) => program.constant(inner).is_some(),
        _ => types.is_integer(program.expressions[operand].r#type),
    };
    program.bit_width(operand).is_none() && (is_number || is_void || !may_be_null)
}

/// The number of calls and the like in an expression.
fn calls(program: &Program, expression: ExpressionId) -> usize {
    let is_call = |id: &ExpressionId| {
        matches!(
            program.expressions[*id].kind,
            ExpressionKind::Call { .. } | ExpressionKind::StatementExpression(_)
        )
    };
    program.walk(expression).filter(is_call).count()
}

/// Calls `visit` with the operands of an expression that are evaluated when the program runs, if it is.
fn for_each_evaluated(program: &Program, expression: ExpressionId, mut visit: impl FnMut(ExpressionId)) {
    match program.expressions[expression].kind {
        ExpressionKind::SizeofExpression(_)
        | ExpressionKind::AlignofExpression(_)
        | ExpressionKind::Offsetof { .. }
        | ExpressionKind::HasAttribute(_)
        | ExpressionKind::Generic { .. }
        | ExpressionKind::Choose { .. } => {}
        ExpressionKind::Call { function, .. } if is_builtin(program, function) => {}
        _ => program.for_each_operand(expression, &mut visit),
    }
}

/// True for built-in functions, of which some do not evaluate their arguments and others want constants.
fn is_builtin(program: &Program, function: ExpressionId) -> bool {
    let ExpressionKind::Name(entity) = program.expressions[function].kind else { return false };
    let info = &program.entities[entity];
    let is_function = matches!(info.kind, EntityKind::Function | EntityKind::ImplicitFunction);
    let name = program.names.bytes(info.name);
    let prefixes: [&[u8]; 3] = [b"__builtin_", b"__atomic_", b"__sync_"];
    is_function && prefixes.iter().any(|prefix| name.starts_with(prefix))
}
