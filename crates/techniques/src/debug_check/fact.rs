//! Facts: what is known where a condition has just held or failed, and what follows.

use super::context::Context;
use super::form::{Body, Form, Meaning, Operands, literal};
use super::prepared::Derived;
use super::rule::transitive::{self, Link};
use super::rule::{
    Connective, DE_MORGAN, Junction, RULES, TRANSITIVE, WHOLE, de_morgan, first_element, whole,
};
use super::shape::{Domain, IntegerType, Relation, Shape};
use c::edit::operand_text;
use c::syntax::{BinaryOperator, EntityKind, ExpressionId, ExpressionKind, UnaryOperator};
use c::types::{ArrayLength, IntegerKind};
use c::{Type, TypeKind};
use std::collections::BTreeSet;

/// How many facts are taken from one condition.
const MOST_FACTS: usize = 16;

/// Something that is known.
#[derive(Clone, Debug)]
pub enum Fact {
    /// A comparison holds or fails.
    Comparison {
        /// All but the operands.
        shape: Shape,
        /// The left operand.
        left: String,
        /// The right operand.
        right: String,
        /// Other spellings of the operands, where they have one.
        respelled: [Option<String>; 2],
    },
    /// A conjunction or disjunction holds or fails.
    Junction {
        /// What is known.
        junction: Junction,
        /// The left condition.
        left: String,
        /// The right condition.
        right: String,
    },
}

/// A part of a condition that is still to be examined.
#[derive(Clone, Copy)]
struct Waiting {
    expression: ExpressionId,
    holds: bool,
    is_part: bool,
}

/// What is known where a condition has just held or failed; nothing if the condition does not count.
pub fn facts(context: &mut Context<'_>, condition: ExpressionId, holds: bool) -> Vec<Fact> {
    if !context.counts(condition) {
        return Vec::new();
    }
    let mut facts = Vec::new();
    let mut waiting = vec![Waiting { expression: condition, holds, is_part: false }];
    while let Some(part) = waiting.pop() {
        if facts.len() >= MOST_FACTS {
            break;
        }
        look(context, part, &mut waiting, &mut facts);
    }
    facts
}

/// Turns a part into a fact, or takes it apart.
fn look(context: &mut Context<'_>, part: Waiting, waiting: &mut Vec<Waiting>, facts: &mut Vec<Fact>) {
    match context.program.expressions[part.expression].kind {
        ExpressionKind::Unary { operator: UnaryOperator::Not, operand } => {
            waiting.push(Waiting { expression: operand, holds: !part.holds, ..part });
        }
        ExpressionKind::Binary { operator: BinaryOperator::And, left, right } => {
            look_at_junction(context, part, Connective::And, [left, right], waiting, facts);
        }
        ExpressionKind::Binary { operator: BinaryOperator::Or, left, right } => {
            look_at_junction(context, part, Connective::Or, [left, right], waiting, facts);
        }
        ExpressionKind::Binary { operator, left, right } => match relation(operator) {
            Some(relation) => facts.extend(compared(context, part, relation, [left, right])),
            None => facts.extend(truth(context, part)),
        },
        _ => facts.extend(truth(context, part)),
    }
}

/// A conjunction that holds and a disjunction that fails say something of both parts; the others only as a whole.
fn look_at_junction(
    context: &Context<'_>,
    part: Waiting,
    connective: Connective,
    operands: [ExpressionId; 2],
    waiting: &mut Vec<Waiting>,
    facts: &mut Vec<Fact>,
) {
    let tells_parts = part.holds == (connective == Connective::And);
    if tells_parts {
        let inner = |expression| Waiting { expression, is_part: true, ..part };
        waiting.extend(operands.into_iter().rev().map(inner));
    }
    if !tells_parts || !part.is_part {
        let texts = operands.map(|operand| operand_text(context.program, operand));
        if let [Some(left), Some(right)] = texts {
            facts.push(Fact::Junction { junction: Junction { connective, holds: part.holds }, left, right });
        }
    }
}

fn relation(operator: BinaryOperator) -> Option<Relation> {
    use BinaryOperator as B;
    Some(match operator {
        B::Less => Relation::Less,
        B::LessEqual => Relation::AtMost,
        B::Greater => Relation::Greater,
        B::GreaterEqual => Relation::AtLeast,
        B::Equal => Relation::Equal,
        B::NotEqual => Relation::Unequal,
        _ => return None,
    })
}

/// The fact that a comparison holds or fails.
fn compared(
    context: &mut Context<'_>,
    part: Waiting,
    relation: Relation,
    [left, right]: [ExpressionId; 2],
) -> Option<Fact> {
    if context.program.constant_bits(part.expression).is_some() {
        return None;
    }
    let domain = domain(context, left, right)?;
    let (is_negated, is_part) = (!part.holds, part.is_part);
    let shape = Shape { relation, is_negated, is_truth: false, is_part, domain };
    let respelled = [left, right].map(|operand| first_element::respelled(context.program, operand));
    let (left, right) = (operand_text(context.program, left)?, operand_text(context.program, right)?);
    Some(Fact::Comparison { shape, left, right, respelled })
}

/// The fact that a value is zero or not.
fn truth(context: &mut Context<'_>, part: Waiting) -> Option<Fact> {
    let program = context.program;
    if program.constant_bits(part.expression).is_some() {
        return None;
    }
    let r#type = program.expressions[part.expression].r#type;
    let domain = match program.types.kind(r#type) {
        TypeKind::Pointer(_) => Domain::Pointer,
        _ if !context.is_scalar(r#type) => return None,
        TypeKind::Real(_) => Domain::Real,
        _ if program.types.is_integer(r#type) => integer_domain(context, part.expression, None)?,
        // The address of an array or a function is never null, which compilers warn about.
        _ => return None,
    };
    let (is_negated, is_part) = (!part.holds, part.is_part);
    let shape = Shape { relation: Relation::Unequal, is_negated, is_truth: true, is_part, domain };
    let left = operand_text(program, part.expression)?;
    Some(Fact::Comparison { shape, left, right: "0".to_owned(), respelled: [None, None] })
}

/// The fact that the value of a `switch` is in this relation to a constant of one of its cases, without its negation;
/// `None` if the value does not count.
pub fn case_fact(
    context: &mut Context<'_>,
    value: ExpressionId,
    relation: Relation,
    constant: ExpressionId,
) -> Option<Fact> {
    let program = context.program;
    if !context.counts(value) || !program.types.is_integer(program.expressions[value].r#type) {
        return None;
    }
    // A case is converted to the promoted type of the value, not to a type that would hold both.
    let domain = integer_domain(context, value, None)?;
    let promoted = domain.common()?;
    let right = literal(promoted.wrapped(program.constant(constant)?), promoted);
    let left = operand_text(program, value)?;
    let shape = Shape { relation, is_negated: false, is_truth: false, is_part: false, domain };
    Some(Fact::Comparison { shape, left, right, respelled: [None, None] })
}

/// What a comparison of two expressions compares; `None` if nothing can be said about it.
fn domain(context: &mut Context<'_>, left: ExpressionId, right: ExpressionId) -> Option<Domain> {
    let types = [left, right].map(|operand| context.program.expressions[operand].r#type);
    if !types.iter().all(|r#type| context.is_scalar(*r#type)) {
        return None;
    }
    let is_integer = types.map(|r#type| context.types.is_integer(r#type));
    let is_number = types.map(|r#type| context.types.is_arithmetic(r#type));
    let is_null = |operand| context.program.constant(operand) == Some(0);
    match (is_number, is_integer) {
        (_, [true, true]) => integer_domain(context, left, Some(right)),
        ([true, true], _) => Some(Domain::Real),
        ([false, false], _) => {
            let element = element(context, left, types[1]).or_else(|| element(context, right, types[0]));
            Some(element.unwrap_or(Domain::Pointer))
        }
        (_, [true, false]) => is_null(left).then_some(Domain::Pointer),
        (_, [false, true]) => is_null(right).then_some(Domain::Pointer),
        _ => None,
    }
}

/// The domain of a comparison of integers, or of one integer with 0.
fn integer_domain(
    context: &mut Context<'_>,
    left: ExpressionId,
    right: Option<ExpressionId>,
) -> Option<Domain> {
    let left_type = promoted(context, left);
    let right_type = right.map_or(Type::INT, |right| promoted(context, right));
    let common = context.types.arithmetic(left_type, right_type)?;
    // Compilers do not agree on the type of bit-fields that are wider than `int`.
    let is_wide_field = |id| context.program.bit_width(id).is_some_and(|width| width > 32);
    if [Some(left), right].into_iter().flatten().any(|side| context.program.walk(side).any(is_wide_field)) {
        return Some(Domain::OddInteger);
    }
    let bits = context.types.integer_bits(common)?;
    let is_signed = context.types.is_signed(common);
    Some(match context.types.integer_kind(common).and_then(spelling) {
        Some((name, suffix)) => Domain::Integer(IntegerType { bits, is_signed, name, suffix }),
        None => Domain::OddInteger,
    })
}

fn promoted(context: &Context<'_>, operand: ExpressionId) -> Type {
    let width = context.program.bit_width(operand);
    context.types.promoted(context.program.expressions[operand].r#type, width)
}

/// How a promoted type is written, and what makes a literal one of that type.
fn spelling(kind: IntegerKind) -> Option<(&'static str, &'static str)> {
    use IntegerKind as I;
    Some(match kind {
        I::Int => ("int", ""),
        I::UnsignedInt => ("unsigned int", "u"),
        I::Long => ("long", "l"),
        I::UnsignedLong => ("unsigned long", "ul"),
        I::LongLong => ("long long", "ll"),
        I::UnsignedLongLong => ("unsigned long long", "ull"),
        _ => return None,
    })
}

/// The domain if an operand is the address of an element of an array of scalars and the other is a pointer of the same
/// type.
fn element(context: &Context<'_>, operand: ExpressionId, other: Type) -> Option<Domain> {
    let program = context.program;
    let ExpressionKind::Unary { operator: UnaryOperator::AddressOf, operand } =
        program.expressions[operand].kind
    else {
        return None;
    };
    let ExpressionKind::Index { base, index } = program.expressions[operand].kind else { return None };
    let ExpressionKind::Name(entity) = program.expressions[base].kind else { return None };
    let info = &program.entities[entity];
    let TypeKind::Array { element, length: ArrayLength::Known(length) } = program.types.kind(info.r#type)
    else {
        return None;
    };
    let index = u64::try_from(program.constant(index)?).ok().filter(|index| (0..length).contains(index))?;
    let is_same = program.types.pointee(other).map(Type::unqualified) == Some(element.unqualified());
    let is_scalar = program.types.is_arithmetic(element) || program.types.is_pointer(element);
    let steps = |steps: u64| u32::try_from(steps).unwrap_or(u32::MAX);
    let found = Domain::Element { before: steps(index), after: steps(length - index) };
    (info.kind == EntityKind::Variable && is_same && is_scalar).then_some(found)
}

/// Everything that follows from facts; guarded conditions only if they are wanted.
pub fn derive(facts: &[Fact], with_guards: bool) -> Vec<Derived> {
    let mut derived = Vec::new();
    for (number, fact) in facts.iter().enumerate() {
        match fact {
            Fact::Comparison { shape, left, right, respelled } => {
                derive_comparison(number, shape, left, right, &mut derived);
                let [other_left, other_right] = respelled;
                let spellings = [
                    (other_left.as_deref(), Some(right.as_str())),
                    (Some(left.as_str()), other_right.as_deref()),
                ];
                for (left, right) in spellings {
                    if let (Some(left), Some(right)) = (left, right) {
                        derived.push(first_element::derive(number, shape, left, right));
                    }
                }
            }
            Fact::Junction { junction, left, right } => {
                for (rule, proposition) in [(WHOLE, whole(*junction)), (DE_MORGAN, de_morgan(*junction))] {
                    let condition = proposition.text(left, right);
                    let class = number.to_string();
                    derived.push(Derived { rule, guard: None, condition, class, needs_execution: false });
                }
            }
        }
    }
    derive_in_a_row(facts, &mut derived);
    let mut seen = BTreeSet::new();
    derived.retain(|it| {
        (with_guards || it.guard.is_none()) && seen.insert((it.guard.clone(), it.condition.clone()))
    });
    derived
}

/// The comparison that a fact is, as far as it says what holds.
fn link(fact: &Fact) -> Option<Link<'_>> {
    match fact {
        Fact::Comparison { shape, left, right, .. } => Link::of(shape, left, right),
        Fact::Junction { .. } => None,
    }
}

/// What follows from two facts at once.
fn derive_in_a_row(facts: &[Fact], derived: &mut Vec<Derived>) {
    for (number, fact) in facts.iter().enumerate() {
        let Some(first) = link(fact) else { continue };
        for second in facts[number + 1..].iter().filter_map(link) {
            for condition in transitive::derive(first, second) {
                let class = format!("{TRANSITIVE} {condition}");
                let (rule, guard) = (TRANSITIVE, None);
                derived.push(Derived { rule, guard, condition, class, needs_execution: false });
            }
        }
    }
}

/// True for a value without a comparison. An evaluation takes an `int`, so it might be converted, and engines know
/// less of what is converted.
fn is_bare(form: &Form) -> bool {
    form.body == Body::Truth && form.negations == 0
}

fn derive_comparison(number: usize, shape: &Shape, left: &str, right: &str, derived: &mut Vec<Derived>) {
    let operands = Operands { left, right, common: shape.domain.common() };
    for rule in RULES {
        let mut forms: Vec<Form> = Vec::new();
        (rule.derive)(shape, &mut forms);
        for form in forms.iter().filter(|form| !is_bare(form) && !operands.excludes(form)) {
            let condition = operands.condition(form);
            let class = match form.meaning {
                Meaning::Same => number.to_string(),
                Meaning::Weaker(relation) => format!("{number} {}", relation.text()),
                Meaning::Own => format!("{number} {condition}"),
            };
            // What is equal to the address of the first element may point past the end of another object, where no
            // step is defined. With the red zones of a sanitizer it cannot.
            let needs_execution =
                form.meaning == Meaning::Own && matches!(shape.domain, Domain::Element { before: 0, .. });
            let guard = operands.guard(form);
            derived.push(Derived { rule: rule.name, guard, condition, class, needs_execution });
        }
    }
}
