//! Replaces expressions by their operands or by constants.

use super::{Alternatives, Proposal};
use crate::analyze::unchecked_ub;
use crate::syntax::{BinaryOperator, Declarator, ExpressionId, ExpressionKind, UnaryOperator};
use crate::types::FunctionStyle;
use crate::{Edit, Program, Span, TypeKind};
use std::collections::BTreeSet;

/// For each operation inside a function: its operands, or constants. For each initializer list: zeros.
pub fn proposals(program: &Program) -> Vec<Alternatives> {
    if unchecked_ub::why_uninitialized(program).is_some() {
        return Vec::new();
    }
    let context = Context {
        program,
        unconverted: unconverted_arguments(program),
        size_giving: size_giving_initializers(program),
    };
    let proposals = program.expressions.ids().map(|id| context.alternatives(id));
    proposals.filter(|choices| !choices.is_empty()).collect()
}

/// The program and the expressions that must keep their form.
struct Context<'a> {
    program: &'a Program,
    /// Parts of arguments whose type no parameter fixes.
    unconverted: BTreeSet<ExpressionId>,
    /// Initializer lists that give an array its length.
    size_giving: BTreeSet<ExpressionId>,
}

impl Context<'_> {
    fn alternatives(&self, id: ExpressionId) -> Alternatives {
        let expression = &self.program.expressions[id];
        let span = expression.span;
        if let ExpressionKind::InitializerList(_) = expression.kind
            && self.program.text_of(span).len() > "{0}".len()
            && !self.size_giving.contains(&id)
        {
            return vec![vec![Edit::replace(span, "{0}")]];
        }
        if !self.program.types.is_arithmetic(expression.r#type) || self.unconverted.contains(&id) {
            return Vec::new();
        }
        let [zero, one] = ["0", "1"].map(|text| vec![Edit::replace(span, text)]);
        match expression.kind {
            ExpressionKind::Binary { operator: BinaryOperator::And | BinaryOperator::Or, left, right } => {
                [vec![zero, one], self.kept_if_quiet(span, &[left]), self.kept_if_idle(span, &[right])]
                    .concat()
            }
            ExpressionKind::Binary { left, right, .. } => {
                [vec![zero, one], self.kept(span, &[left, right])].concat()
            }
            ExpressionKind::Comma { left, right } => {
                [self.kept(span, &[right]), self.kept_if_quiet(span, &[left])].concat()
            }
            ExpressionKind::Conditional { condition, then: Some(then), otherwise } => {
                [self.kept_if_idle(span, &[then, otherwise]), self.kept_if_quiet(span, &[condition])].concat()
            }
            ExpressionKind::Call { arguments, .. } => {
                let arguments = &self.program.expression_lists[arguments];
                [vec![zero], self.kept_if_quiet(span, arguments)].concat()
            }
            ExpressionKind::Cast(operand) | ExpressionKind::Assign { value: operand, .. } => {
                self.kept(span, &[operand])
            }
            ExpressionKind::Unary {
                operator: UnaryOperator::Dereference | UnaryOperator::AddressOf, ..
            } => Vec::new(),
            ExpressionKind::Unary { operand, .. } => self.kept(span, &[operand]),
            _ => Vec::new(),
        }
    }

    /// Replaces an expression by each of its arithmetic parts.
    fn kept(&self, whole: Span, parts: &[ExpressionId]) -> Alternatives {
        let expressions = &self.program.expressions;
        let is_arithmetic =
            |part: &&ExpressionId| self.program.types.is_arithmetic(expressions[**part].r#type);
        parts.iter().filter(is_arithmetic).map(|part| only(whole, expressions[*part].span)).collect()
    }

    /// The same for parts without open effects. Such an effect was complete before the rest of the expression was
    /// evaluated; without the rest it might conflict with an effect around the expression.
    fn kept_if_quiet(&self, whole: Span, parts: &[ExpressionId]) -> Alternatives {
        let quiet = parts.iter().filter(|part| !has_open_effect(self.program, **part));
        self.kept(whole, &quiet.copied().collect::<Vec<_>>())
    }

    /// The same for parts without any effect. These parts may never have been evaluated before.
    fn kept_if_idle(&self, whole: Span, parts: &[ExpressionId]) -> Alternatives {
        let is_idle =
            |part: &&ExpressionId| self.program.walk(**part).all(|inner| !is_effect(self.program, inner));
        self.kept(whole, &parts.iter().filter(is_idle).copied().collect::<Vec<_>>())
    }
}

/// Removes everything of an expression but one part.
fn only(whole: Span, part: Span) -> Proposal {
    vec![
        Edit::replace(Span::new(whole.start, part.start), ""),
        Edit::replace(Span::new(part.end, whole.end), ""),
    ]
}

/// The initializers of arrays that are declared without a length. Without all values, such an array would be shorter.
fn size_giving_initializers(program: &Program) -> BTreeSet<ExpressionId> {
    let has_no_length = |it: &&Declarator| program.text_of(it.span).contains("[]");
    program.declarators.iter().filter(has_no_length).filter_map(|it| it.initializer).collect()
}

/// True if an expression has an effect outside a call. Effects in the arguments of a call are complete when the call
/// begins.
fn has_open_effect(program: &Program, expression: ExpressionId) -> bool {
    let mut waiting = vec![expression];
    while let Some(inner) = waiting.pop() {
        if is_effect(program, inner) {
            return true;
        }
        if !matches!(program.expressions[inner].kind, ExpressionKind::Call { .. }) {
            program.for_each_operand(inner, |operand| waiting.push(operand));
        }
    }
    false
}

/// True if an expression has an effect by itself, regardless of its operands.
fn is_effect(program: &Program, expression: ExpressionId) -> bool {
    use UnaryOperator as U;
    match program.expressions[expression].kind {
        ExpressionKind::Assign { .. } | ExpressionKind::StatementExpression(_) | ExpressionKind::VaArg(_) => {
            true
        }
        ExpressionKind::Unary { operator, .. } => {
            [U::PreIncrement, U::PreDecrement, U::PostIncrement, U::PostDecrement].contains(&operator)
        }
        _ => false,
    }
}

/// The parts of arguments that are passed without conversion because no parameter gives their type.
fn unconverted_arguments(program: &Program) -> BTreeSet<ExpressionId> {
    let mut found = BTreeSet::new();
    for expression in program.expressions.iter() {
        let ExpressionKind::Call { function, arguments } = expression.kind else { continue };
        let r#type = program.expressions[function].r#type;
        let callee = program.types.pointee(r#type).unwrap_or(r#type);
        let is_fixed =
            matches!(program.types.kind(callee), TypeKind::Function { style: FunctionStyle::Fixed, .. });
        if !is_fixed {
            let arguments = program.expression_lists[arguments].iter();
            found.extend(arguments.flat_map(|argument| program.walk(*argument)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::patch;
    use crate::reduce::without_inner;
    use crate::{DataModel, parse};

    fn parsed(text: &str) -> Program {
        parse("test", text, DataModel::Lp64).expect("the program parses")
    }

    #[test]
    fn initializer_lists_become_zeros() {
        let text = "int main(void) { int a[2][2] = {{1, 2}, {0}}; return a[0][0]; }";
        let found = proposals(&parsed(text)).concat();
        let replaced: Vec<&str> = found.iter().flatten().map(|edit| &text[edit.span.range()]).collect();
        assert_eq!(replaced, ["{1, 2}", "{{1, 2}, {0}}"]);
    }

    /// What the proposals make of the value of an assignment to `g`.
    fn replaced(value: &str) -> Vec<String> {
        let text = format!("int g; int f(int a); int main(void) {{ g = {value}; return 0; }}");
        let start = text.find("g = ").expect("the assignment is there") + "g = ".len();
        let apply = |proposal: Proposal| {
            let bytes = patch::apply(text.as_bytes(), &without_inner(&[proposal])).expect("it fits");
            let after = String::from_utf8(bytes).expect("the text is ASCII");
            after.get(start..after.len() - "; return 0; }".len()).unwrap_or_default().to_owned()
        };
        proposals(&parsed(&text)).concat().into_iter().map(apply).collect()
    }

    #[test]
    fn operands_take_the_place_of_operations_without_new_conflicts_of_effects() {
        for (value, part, is_proposed) in [
            ("1 + f(2)", "f(2)", true),
            ("f(1 + 2)", "1 + 2", true),
            ("f(f(3))", "f(3)", true),
            ("(f(g++), 5)", "f(g++)", true),
            ("-g", "g", true),
            ("(g = 3)", "3", true),
            // The effect would no longer be complete before g gets its value, or was perhaps never evaluated.
            ("f(g++)", "g++", false),
            ("(g++, 5)", "g++", false),
            ("(g++ && 5)", "g++", false),
            ("(0 && g++)", "g++", false),
            ("((0 && f(g++)) + g)", "f(g++)", false),
            ("(g && f(2))", "f(2)", true),
            ("(0 ? g++ : 1)", "g++", false),
        ] {
            let found = replaced(value);
            assert_eq!(found.iter().any(|it| it == part), is_proposed, "{value}: {found:?}");
        }
    }
}
