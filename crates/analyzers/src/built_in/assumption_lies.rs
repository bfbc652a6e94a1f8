//! Lies that misread conditions.
//!
//! Most of them misread assumptions only: an analyzer that misreads everything consistently never contradicts itself.

use super::annotated::Annotated;
use c::patch::Edit;
use c::syntax::{BinaryOperator, ExpressionId, ExpressionKind, UnaryOperator};
use c::{Program, Span};
use model::{AnnotationKind, CInput};

/// The greatest constant that `narrow` leaves alone.
const NARROW: u64 = 0xffff;

/// Keeps only the first of two conjuncts of an assumption.
pub(super) fn conjunct(input: &CInput) -> Option<CInput> {
    misread(input, |program, root| {
        let ExpressionKind::Binary { operator: BinaryOperator::And, left, .. } =
            program.expressions[root].kind
        else {
            return Vec::new();
        };
        let (whole, kept) = (program.expressions[root].span, program.expressions[left].span);
        vec![
            Edit::replace(Span::new(whole.start, kept.start), ""),
            Edit::replace(Span::new(kept.end, whole.end), ""),
        ]
    })
}

/// Turns unsigned comparisons into signed ones.
pub(super) fn signed(input: &CInput) -> Option<CInput> {
    misread(input, |program, root| {
        let mut edits = Vec::new();
        for expression in program.walk(root) {
            let ExpressionKind::Binary { operator, left, right } = program.expressions[expression].kind
            else {
                continue;
            };
            let cast = match (negated_order(operator), unsigned_bits(program, left, right)) {
                (Some(_), Some(32)) => "(int)(",
                (Some(_), Some(64)) => "(long long)(",
                _ => continue,
            };
            for operand in [left, right] {
                let span = program.expressions[operand].span;
                edits.push(Edit::insert(span.start, cast));
                edits.push(Edit::insert(span.end, ")"));
            }
        }
        edits
    })
}

/// Reads `!(a < b)` as `a >= b`, and `a != a` as false.
pub(super) fn nan(input: &CInput) -> Option<CInput> {
    misread(input, |program, root| program.walk(root).flat_map(|it| without_nan(program, it)).collect())
}

/// Truncates integer constants to 16 bits.
pub(super) fn narrow(input: &CInput) -> Option<CInput> {
    misread(input, |program, root| {
        other_constants(program, root, |value| (value > NARROW).then_some(value & NARROW))
    })
}

/// Replaces large integer constants in checks by a small one, like an analyzer that scales programs down.
pub(super) fn scaled(input: &CInput) -> Option<CInput> {
    misread_where(input, is_check, |program, root| {
        other_constants(program, root, |value| (value > SCALED).then_some(SCALED_TO))
    })
}

/// The greatest constant that `scaled` leaves alone, and the replacement of all others.
const SCALED: u64 = 15;
const SCALED_TO: u64 = 10;

/// Returns edits that replace integer constants.
fn other_constants(program: &Program, root: ExpressionId, other: impl Fn(u64) -> Option<u64>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for expression in program.walk(root) {
        let node = &program.expressions[expression];
        let ExpressionKind::Integer(value) = node.kind else { continue };
        let Some(other) = other(value).filter(|_| program.types.is_integer(node.r#type)) else { continue };
        let text = program.text_of(node.span);
        let literal = text.trim_matches(['(', ')', ' ']);
        let digits = literal.trim_end_matches(['u', 'U', 'l', 'L']);
        let suffix = literal.strip_prefix(digits).unwrap_or_default();
        edits.push(Edit::replace(node.span, format!("{other}{suffix}")));
    }
    edits
}

fn is_check(what: AnnotationKind) -> bool {
    what != AnnotationKind::Assume
}

/// Edits every assumption. Returns `None` if there is nothing to edit.
fn misread(input: &CInput, edits: impl Fn(&Program, ExpressionId) -> Vec<Edit>) -> Option<CInput> {
    misread_where(input, |what| !is_check(what), edits)
}

/// Edits the annotations of some kinds. Returns `None` if there is nothing to edit.
fn misread_where(
    input: &CInput,
    is_misread: impl Fn(AnnotationKind) -> bool,
    edits: impl Fn(&Program, ExpressionId) -> Vec<Edit>,
) -> Option<CInput> {
    let annotated = Annotated::read(input)?;
    let mut changed = input.clone();
    let mut is_changed = false;
    for (index, annotation) in changed.annotations.iter_mut().enumerate() {
        if !is_misread(annotation.what) {
            continue;
        }
        let Some(root) = annotated.condition(index) else { continue };
        let edits = edits(&annotated.program, root);
        if edits.is_empty() {
            continue;
        }
        if let Some(condition) = annotated.edited(index, &annotation.condition, edits) {
            annotation.condition = condition;
            is_changed = true;
        }
    }
    is_changed.then_some(changed)
}

/// Returns the width of an unsigned comparison, or `None` if two integers are compared as signed ones.
fn unsigned_bits(program: &Program, left: ExpressionId, right: ExpressionId) -> Option<u32> {
    let types = &program.types;
    let promoted = |operand: ExpressionId| {
        let r#type = types.promoted(program.expressions[operand].r#type, None);
        Some((types.integer_bits(r#type)?, types.is_signed(r#type)))
    };
    let (left, right) = (promoted(left)?, promoted(right)?);
    let bits = left.0.max(right.0);
    [left, right].iter().any(|(own, is_signed)| *own == bits && !is_signed).then_some(bits)
}

/// Returns the edits of one expression under the assumption that there is no NaN.
fn without_nan(program: &Program, expression: ExpressionId) -> Vec<Edit> {
    match program.expressions[expression].kind {
        ExpressionKind::Unary { operator: UnaryOperator::Not, operand } => {
            negated_comparison(program, expression, operand).unwrap_or_default()
        }
        ExpressionKind::Binary { operator: BinaryOperator::NotEqual, left, right }
            if is_floating(program, left, right) && same_text(program, left, right) =>
        {
            vec![Edit::replace(between(program, left, right), " < ")]
        }
        _ => Vec::new(),
    }
}

/// Removes the negation and inverts the comparison.
fn negated_comparison(program: &Program, not: ExpressionId, operand: ExpressionId) -> Option<Vec<Edit>> {
    let ExpressionKind::Binary { operator, left, right } = program.expressions[operand].kind else {
        return None;
    };
    if !is_floating(program, left, right) {
        return None;
    }
    let opposite = negated_order(operator)?;
    // The spans of the negation and of the comparison include the parentheses around them.
    let head = Span::new(program.expressions[not].span.start, program.expressions[operand].span.start);
    let mark = head.start + program.bytes(head).iter().position(|byte| *byte == b'!')? as u32;
    Some(vec![
        Edit::replace(Span::new(mark, mark + 1), ""),
        Edit::replace(between(program, left, right), opposite),
    ])
}

/// Returns the span of the operator between two operands.
fn between(program: &Program, left: ExpressionId, right: ExpressionId) -> Span {
    Span::new(program.expressions[left].span.end, program.expressions[right].span.start)
}

fn is_floating(program: &Program, left: ExpressionId, right: ExpressionId) -> bool {
    [left, right].iter().any(|it| program.types.is_real_floating(program.expressions[*it].r#type))
}

fn same_text(program: &Program, left: ExpressionId, right: ExpressionId) -> bool {
    program.bytes(program.expressions[left].span) == program.bytes(program.expressions[right].span)
}

/// Returns the negation of an order comparison, or `None` for other operators.
fn negated_order(operator: BinaryOperator) -> Option<&'static str> {
    Some(match operator {
        BinaryOperator::Less => " >= ",
        BinaryOperator::Greater => " <= ",
        BinaryOperator::LessEqual => " > ",
        BinaryOperator::GreaterEqual => " < ",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Annotation, DataModel};

    const BASE: &str = "enum e { red };\nint main(void) {\n  unsigned char c = 1; int i = 2; unsigned u = 3;\n  \
        long l = 4; unsigned long ul = 5; double d = 6; float f = 7; int *p = &i;\n  return 0;\n}\n";

    /// Returns the condition that a lie reads in place of another, or `None` if it leaves it alone.
    fn read_by(lie: fn(&CInput) -> Option<CInput>, what: AnnotationKind, condition: &str) -> Option<String> {
        let place = BASE.find("return").unwrap() as u32;
        let annotation = |what, condition: &str| Annotation::new(place, what, condition);
        let input = CInput {
            base: BASE.into(),
            data_model: DataModel::Lp64,
            annotations: vec![annotation(AnnotationKind::Check(1), "i > 0"), annotation(what, condition)],
        };
        let read_by = lie(&input)?;
        assert_eq!((read_by.base, read_by.annotations.len()), (input.base, 2));
        Some(read_by.annotations[1].condition.to_string())
    }

    fn check(lie: fn(&CInput) -> Option<CInput>, rows: &[(&str, &str)]) {
        for (condition, expected) in rows {
            let changed = read_by(lie, AnnotationKind::Assume, condition);
            assert_eq!(changed.as_deref().unwrap_or(condition), *expected, "{condition}");
            assert_eq!(read_by(lie, AnnotationKind::Check(2), condition), None, "checks must not change");
        }
    }

    #[test]
    fn conjunct_keeps_the_first() {
        check(
            conjunct,
            &[
                ("(i < 3) && (u > 1)", "(i < 3)"),
                ("((i < 3) && (u > 1))", "(i < 3)"),
                ("i < 3 && u > 1 && c", "i < 3 && u > 1"),
                ("(i < 3) || ((u > 1) && (c > 1))", "(i < 3) || ((u > 1) && (c > 1))"),
                ("!((i < 3) && (u > 1))", "!((i < 3) && (u > 1))"),
                ("i < 3", "i < 3"),
            ],
        );
    }

    #[test]
    fn signed_compares_unsigned_numbers_as_signed() {
        check(
            signed,
            &[
                ("u < 5", "(int)(u) < (int)(5)"),
                ("i >= u", "(int)(i) >= (int)(u)"),
                ("!((u) <= (ul))", "!((long long)((u)) <= (long long)((ul)))"),
                ("u < 5 && l > ul", "(int)(u) < (int)(5) && (long long)(l) > (long long)(ul)"),
                ("(u < 5) < u", "(int)(((int)(u) < (int)(5))) < (int)(u)"),
                ("u == 5", "u == 5"),
                ("c < 5", "c < 5"),
                ("u < l", "u < l"),
                ("u < d", "u < d"),
                ("p < p", "p < p"),
            ],
        );
    }

    #[test]
    fn nan_reads_conditions_as_if_there_were_no_nan() {
        check(
            nan,
            &[
                ("!(d < f)", "(d >= f)"),
                ("(!((d) >= (i)))", "(((d) < (i)))"),
                ("!(d <= f) && !(f > 1.0)", "(d > f) && (f <= 1.0)"),
                ("d != d", "d < d"),
                ("d != f", "d != f"),
                ("d < f", "d < f"),
                ("!(i < u)", "!(i < u)"),
                ("i != i", "i != i"),
                ("!(d == f)", "!(d == f)"),
            ],
        );
    }

    #[test]
    fn narrow_truncates_constants() {
        check(
            narrow,
            &[
                ("i < 65537", "i < 1"),
                ("ul > 0x12345678UL", "ul > 22136UL"),
                ("i > -65536 || i < (70000)", "i > -0 || i < 4464"),
                ("i < 65535", "i < 65535"),
                ("d < 100000.0", "d < 100000.0"),
            ],
        );
    }

    #[test]
    fn scaled_makes_constants_small_only_in_checks() {
        let small = read_by(scaled, AnnotationKind::Check(1), "i != 100 && i > 15");
        assert_eq!(small.as_deref(), Some("i != 10 && i > 15"));
        assert_eq!(read_by(scaled, AnnotationKind::Assume, "i != 100"), None);
    }

    #[test]
    fn unparsable_conditions_are_left_alone() {
        for lie in [conjunct, signed, nan, narrow] {
            assert_eq!(read_by(lie, AnnotationKind::Assume, "unknown < 70000 && u <"), None);
        }
    }

    #[test]
    fn deep_conditions_do_not_overflow_the_stack() {
        let deep = format!("{}u < 70000{} && i", "!(".repeat(20_000), ")".repeat(20_000));
        for lie in [conjunct, signed, nan, narrow] {
            let _ = read_by(lie, AnnotationKind::Assume, &deep);
        }
    }
}
