//! Proposals for smaller seed texts, and which of their results are refused.
//!
//! Sanitizers see most undefined behaviour when a candidate is executed, but neither a variable that is read without
//! ever being written, nor the result of a function that returned none, nor two effects of one expression that meet.
//! Results in which there could be any of these are refused (`crate::doubt`).

use crate::{front_end, unchecked_ub};
use c::patch::Edit;
use c::syntax::{
    BinaryOperator, EntityKind, ExpressionKind, FunctionId, StatementId, StatementKind, Storage,
    UnaryOperator,
};
use c::types::FunctionStyle;
use c::{Program, Span, TypeKind};
use model::CInput;
use std::collections::BTreeSet;

/// Several edits that belong together, as one choice for a place.
pub type Proposal = Vec<Edit>;

/// The program, if it is one.
pub fn parsed(base: &CInput) -> Option<Program> {
    front_end::parse("reduced", base).ok()
}

/// For each statement, function and declaration: how it might go, or be replaced by its body.
pub fn removals(base: &CInput) -> Vec<Vec<Proposal>> {
    let Some(program) = parsed(base) else { return Vec::new() };
    let bodies: BTreeSet<usize> = program.functions.iter().map(|function| function.body.index()).collect();
    if unchecked_ub::why_unfollowed(&program).is_some() {
        return unfollowed_blocks(&program, &bodies);
    }
    let items = items_of_blocks(&program);
    let statements = program.statements.ids().filter(|id| !bodies.contains(&id.index()));
    let proposals = statements.map(|id| removal(&program, id, items.contains(&id.index())));
    proposals.filter(|choices| !choices.is_empty()).collect()
}

/// The blocks of variables whose values cannot be followed. With all of them gone, everything else may go.
fn unfollowed_blocks(program: &Program, bodies: &BTreeSet<usize>) -> Vec<Vec<Proposal>> {
    let mut blocks = BTreeSet::new();
    for declarator in unchecked_ub::unfollowed(program) {
        let around = program.statements.ids().filter(|id| {
            let statement = &program.statements[*id];
            let is_block = matches!(statement.kind, StatementKind::Compound { .. });
            is_block && !bodies.contains(&id.index()) && statement.span.contains(declarator.span)
        });
        let spans = around.map(|id| program.statements[id].span);
        blocks.extend(spans.min_by_key(|span| span.end - span.start).map(|span| (span.start, span.end)));
    }
    let empty = |(start, end): (u32, u32)| vec![vec![Edit::replace(Span::new(start, end), "{ }")]];
    blocks.into_iter().map(empty).collect()
}

/// True if a statement that is an item of a block begins at a place, so that others may stand before it.
pub fn is_item_at(program: &Program, place: u32) -> bool {
    let items = items_of_blocks(program);
    program
        .statements
        .ids()
        .any(|id| program.statements[id].span.start == place && items.contains(&id.index()))
}

/// True if a declaration stands directly behind a label or a case, which only newer versions of C allow.
fn has_labelled_declaration(program: &Program) -> bool {
    let is_declaration =
        |body: StatementId| matches!(program.statements[body].kind, StatementKind::Declaration(_));
    program.statements.iter().any(|it| match it.kind {
        StatementKind::Label { body, .. } | StatementKind::Default(body) => is_declaration(body),
        StatementKind::Case { body, .. } => is_declaration(body),
        _ => false,
    })
}

/// The statements that are items of a block or of the file, where nothing at all may stand.
fn items_of_blocks(program: &Program) -> BTreeSet<usize> {
    let mut items: BTreeSet<usize> = program.items.iter().map(|id| id.index()).collect();
    for statement in program.statements.iter() {
        if let StatementKind::Compound { items: inner, .. } = statement.kind {
            items.extend(program.statement_lists[inner].iter().map(|id| id.index()));
        }
    }
    items
}

fn removal(program: &Program, id: StatementId, is_item: bool) -> Vec<Proposal> {
    let statement = &program.statements[id];
    let whole = vec![Edit::replace(statement.span, if is_item { "" } else { ";" })];
    match statement.kind {
        StatementKind::Empty if is_item => vec![whole],
        StatementKind::Expression(_)
        | StatementKind::Declaration(_)
        | StatementKind::StaticAssert(_)
        | StatementKind::Asm(_)
        | StatementKind::Goto(_)
        | StatementKind::Break
        | StatementKind::Continue
        | StatementKind::Return(_)
        | StatementKind::Switch { .. } => vec![whole],
        StatementKind::Label { body, .. } => {
            let body = program.statements[body].span;
            vec![vec![Edit::replace(Span::new(statement.span.start, body.start), "")]]
        }
        StatementKind::Function(function) if !is_main(program, function) => vec![whole],
        StatementKind::Compound { .. } => vec![whole, keep(program, statement.span, id)],
        StatementKind::If { then, otherwise, .. } => {
            let mut choices = vec![whole, keep(program, statement.span, then)];
            choices.extend(otherwise.map(|branch| keep(program, statement.span, branch)));
            choices
        }
        StatementKind::While { body, .. } | StatementKind::DoWhile { body, .. } => {
            vec![whole, keep(program, statement.span, body)]
        }
        StatementKind::For(parts) => {
            let parts = program.for_loops[parts];
            let mut choices = vec![whole, keep(program, statement.span, parts.body)];
            if let Some(first) = parts.first.map(|first| program.statements[first].span) {
                let inner = inside(program, parts.body);
                choices.push(vec![
                    Edit::replace(Span::new(statement.span.start, first.start), ""),
                    Edit::replace(Span::new(first.end, inner.start), " "),
                    Edit::replace(Span::new(inner.end, statement.span.end), ""),
                ]);
            }
            choices
        }
        _ => Vec::new(),
    }
}

/// Everything of a statement goes but the inside of a part.
fn keep(program: &Program, whole: Span, part: StatementId) -> Proposal {
    let inner = inside(program, part);
    vec![
        Edit::replace(Span::new(whole.start, inner.start), ""),
        Edit::replace(Span::new(inner.end, whole.end), ""),
    ]
}

/// The bytes of a statement without its braces.
fn inside(program: &Program, id: StatementId) -> Span {
    let statement = &program.statements[id];
    match statement.kind {
        StatementKind::Compound { .. } => Span::new(statement.span.start + 1, statement.span.end - 1),
        _ => statement.span,
    }
}

fn is_main(program: &Program, function: FunctionId) -> bool {
    program.find("main") == Some(program.functions[function].entity)
}

/// For each local variable without an initializer: one; for each function that may end without its result: a result.
pub fn initializations(base: &CInput) -> Vec<Vec<Proposal>> {
    let Some(program) = parsed(base) else { return Vec::new() };
    let value = |declarator: &c::syntax::Declarator| {
        let value = match program.types.kind(declarator.r#type) {
            // Of a union `{0}` fills the first member alone, and perhaps not all of its bytes.
            TypeKind::Array { .. } | TypeKind::Record(_) if program.types.has_union(declarator.r#type) => {
                return None;
            }
            TypeKind::Array { .. } | TypeKind::Record(_) => " = {0}",
            _ => " = 0",
        };
        Some(vec![vec![Edit::insert(declarator.span.end, value)]])
    };
    let result = |function: &c::syntax::Function| {
        let end = program.statements[function.body].span.end.checked_sub(1)?;
        let TypeKind::Function { result, .. } = program.types.kind(program.entities[function.entity].r#type)
        else {
            return None;
        };
        let has_zero = program.types.is_arithmetic(result) || program.types.is_pointer(result);
        (has_zero && !unchecked_ub::ends_in_result(&program, function))
            .then(|| vec![vec![Edit::insert(end, " return 0; ")]])
    };
    bare(&program).filter_map(value).chain(program.functions.iter().filter_map(result)).collect()
}

/// The declarators of local variables without a value.
fn bare(program: &Program) -> impl Iterator<Item = &c::syntax::Declarator> {
    locals(program).filter(|declarator| declarator.initializer.is_none())
}

/// The variables of functions that come and go with their blocks.
fn locals(program: &Program) -> impl Iterator<Item = &c::syntax::Declarator> {
    let is_local = |declarator: &&c::syntax::Declarator| {
        let entity = &program.entities[declarator.entity];
        entity.kind == EntityKind::Variable
            && entity.function.is_some()
            && !matches!(entity.storage, Storage::Static | Storage::Extern)
    };
    program.declarators.iter().filter(is_local)
}

/// For each operation inside a function: its operands, or constants; for each list of values: zeros.
pub fn replacements(base: &CInput) -> Vec<Vec<Proposal>> {
    let Some(program) = parsed(base).filter(|it| unchecked_ub::why_unfollowed(it).is_none()) else {
        return Vec::new();
    };
    let unconverted = unconverted_arguments(&program);
    // Without its values an array that they count would be shorter.
    let is_counted = |it: &&c::syntax::Declarator| program.text_of(it.span).contains("[]");
    let counted: BTreeSet<_> = program
        .declarators
        .iter()
        .filter(is_counted)
        .filter_map(|declarator| declarator.initializer)
        .collect();
    let proposals = program.expressions.ids().map(|id| {
        let expression = &program.expressions[id];
        let span = expression.span;
        let constant = |text: &str| vec![Edit::replace(span, text)];
        let only = |part: c::syntax::ExpressionId| {
            let part = program.expressions[part].span;
            vec![
                Edit::replace(Span::new(span.start, part.start), ""),
                Edit::replace(Span::new(part.end, span.end), ""),
            ]
        };
        if let ExpressionKind::InitializerList(_) = expression.kind
            && program.text_of(span).len() > "{0}".len()
            && !counted.contains(&id)
        {
            return vec![constant("{0}")];
        }
        if !program.types.is_arithmetic(expression.r#type) || unconverted.contains(&id) {
            return Vec::new();
        }
        let [first, second] = ["0", "1"].map(constant);
        let is_arithmetic =
            |part: &&c::syntax::ExpressionId| program.types.is_arithmetic(program.expressions[**part].r#type);
        let kept = |parts: &[c::syntax::ExpressionId]| -> Vec<Proposal> {
            parts.iter().filter(is_arithmetic).map(|part| only(*part)).collect()
        };
        // What was complete before something else began might now meet an effect around it.
        let kept_if_quiet = |parts: &[c::syntax::ExpressionId]| -> Vec<Proposal> {
            let quiet = parts.iter().filter(|part| !has_open_effect(&program, **part));
            kept(&quiet.copied().collect::<Vec<_>>())
        };
        // What was perhaps never evaluated must change nothing.
        let kept_if_idle = |parts: &[c::syntax::ExpressionId]| -> Vec<Proposal> {
            let is_idle = |part: &&c::syntax::ExpressionId| {
                program.walk(**part).all(|inner| !is_effect(&program, inner))
            };
            kept(&parts.iter().filter(is_idle).copied().collect::<Vec<_>>())
        };
        match expression.kind {
            ExpressionKind::Binary { operator: BinaryOperator::And | BinaryOperator::Or, left, right } => {
                [vec![first, second], kept_if_quiet(&[left]), kept_if_idle(&[right])].concat()
            }
            ExpressionKind::Binary { left, right, .. } => {
                [vec![first, second], kept(&[left, right])].concat()
            }
            ExpressionKind::Comma { left, right } => [kept(&[right]), kept_if_quiet(&[left])].concat(),
            ExpressionKind::Conditional { condition, then: Some(then), otherwise } => {
                [kept_if_idle(&[then, otherwise]), kept_if_quiet(&[condition])].concat()
            }
            ExpressionKind::Call { arguments, .. } => {
                [vec![first], kept_if_quiet(&program.expression_lists[arguments])].concat()
            }
            ExpressionKind::Cast(operand) | ExpressionKind::Assign { value: operand, .. } => kept(&[operand]),
            ExpressionKind::Unary {
                operator: UnaryOperator::Dereference | UnaryOperator::AddressOf, ..
            } => Vec::new(),
            ExpressionKind::Unary { operand, .. } => kept(&[operand]),
            _ => Vec::new(),
        }
    });
    proposals.filter(|choices| !choices.is_empty()).collect()
}

/// True if an expression changes something other than within a call, which is complete when the call begins.
fn has_open_effect(program: &Program, expression: c::syntax::ExpressionId) -> bool {
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

/// True if an expression changes something by itself, whatever its operands do.
fn is_effect(program: &Program, expression: c::syntax::ExpressionId) -> bool {
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

/// Arguments that are passed as they are, since no parameter says what type they must have.
fn unconverted_arguments(program: &Program) -> BTreeSet<c::syntax::ExpressionId> {
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

/// All edits of the proposals, without those inside of others and without repetitions.
pub fn without_inner(proposals: Vec<Proposal>) -> Vec<Edit> {
    let mut edits: Vec<Edit> = proposals.into_iter().flatten().collect();
    // The longest of those that begin at one place comes first and swallows the others.
    edits.sort_by_key(|edit| (edit.span.start, u32::MAX - edit.span.end));
    let mut kept: Vec<Edit> = Vec::new();
    for edit in edits {
        if kept.last().is_none_or(|last| edit.span.start >= last.span.end && *last != edit) {
            kept.push(edit);
        }
    }
    kept
}

/// Where a byte of the text goes; what is inside of something replaced goes to its beginning.
pub fn moved(place: u32, edits: &[Edit]) -> u32 {
    let mut shift: i64 = 0;
    for edit in edits {
        if edit.span.end <= place && edit.span.start < place {
            shift += edit.replacement.len() as i64 - i64::from(edit.span.end - edit.span.start);
        } else if edit.span.start < place {
            shift -= i64::from(place - edit.span.start);
        }
    }
    u32::try_from(i64::from(place) + shift).unwrap_or(0)
}

/// False if something could be read without a value, if effects of one expression could meet that did not before, or if
/// a function is left without a declaration. The program must be one of the C of analyzers, too: in older versions no
/// declaration stands behind a label.
pub fn is_safe(before: &Program, after: &Program) -> bool {
    unchecked_ub::why_unfollowed(after).is_none()
        && !unchecked_ub::brings_unsequenced(before, after)
        && implicit_functions(after) <= implicit_functions(before)
        && !has_labelled_declaration(after)
}

/// How many functions are called without a declaration.
fn implicit_functions(program: &Program) -> usize {
    program.entities.iter().filter(|entity| entity.kind == EntityKind::ImplicitFunction).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::DataModel;

    fn program(text: &str) -> CInput {
        CInput { base: text.into(), data_model: DataModel::Lp64, annotations: Vec::new() }
    }

    /// The results of all single removals that are safe and parse.
    fn results(text: &str) -> Vec<String> {
        let base = program(text);
        let mut results = Vec::new();
        for choice in removals(&base).into_iter().flatten() {
            let edits = without_inner(vec![choice]);
            let bytes = c::patch::apply(text.as_bytes(), &edits).expect("edits of one proposal fit");
            let after = String::from_utf8(bytes).expect("the text is ASCII");
            let before = parsed(&base).expect("the program parses");
            if parsed(&program(&after)).is_some_and(|after| is_safe(&before, &after)) {
                results.push(after);
            }
        }
        results
    }

    #[test]
    fn a_loop_goes_or_leaves_its_body() {
        let found = results("int main(void) { int x = 1; while (x < 3) { x = x + 1; } return 0; }");
        assert!(found.contains(&"int main(void) { int x = 1;  return 0; }".to_owned()), "{found:?}");
        assert!(
            found.contains(&"int main(void) { int x = 1;  x = x + 1;  return 0; }".to_owned()),
            "{found:?}"
        );
    }

    #[test]
    fn labels_and_jumps_go_but_not_the_last_return_of_a_function() {
        let found = results(
            "int f(int a) { again: a--; if (a) goto again; end: return 1; } int main(void) { return f(1); }",
        );
        for gone in [
            "int f(int a) { again: a--; if (a) ; end: return 1; } int main(void) { return f(1); }",
            "int f(int a) { again: a--; if (a) goto again; return 1; } int main(void) { return f(1); }",
        ] {
            assert!(found.contains(&gone.to_owned()), "{found:?}");
        }
        // A label to which somebody jumps stays.
        let has_both = |text: &String| text.contains("goto again") <= text.contains("again:");
        assert!(found.iter().all(|text| text.contains("return 1;") && has_both(text)), "{found:?}");
    }

    #[test]
    fn blocks_of_variables_that_cannot_be_followed_go_first() {
        let found = results(
            "int main(void) { int x = 1; if (x) { int a[2]; a[0] = 1; x = a[0]; } x = 2; return x; }",
        );
        assert_eq!(found, ["int main(void) { int x = 1; if (x) { } x = 2; return x; }"]);
    }

    #[test]
    fn arrays_that_a_loop_fills_keep_the_loop_while_they_are_read() {
        let fill = "for (i = 0; i < 2; i++) a[i] = 1;";
        let text =
            format!("int main(void) {{ int a[2]; int i; int x = 1; {fill} x = a[0]; x = 2; return x; }}");
        let found = results(&text);
        assert!(found.contains(&text.replace("x = 2;", "")), "{found:?}");
        assert!(found.contains(&text.replace("x = a[0];", "")), "{found:?}");
        assert!(found.iter().all(|after| after.contains(fill)), "{found:?}");
        let read = text.replace("x = a[0];", "");
        assert!(results(&read).contains(&read.replace(fill, "")), "{read}");
    }

    #[test]
    fn lists_of_values_become_zeros() {
        let base = program("int main(void) { int a[2][2] = {{1, 2}, {0}}; return a[0][0]; }");
        let found: Vec<Proposal> = replacements(&base).into_iter().flatten().collect();
        let replaced: Vec<&str> = found.iter().flatten().map(|edit| &base.base[edit.span.range()]).collect();
        assert_eq!(replaced, ["{1, 2}", "{{1, 2}, {0}}"]);
    }

    /// The right sides of an assignment to g that take the place of one.
    fn replaced(value: &str) -> Vec<String> {
        let text = format!("int g; int f(int a); int main(void) {{ g = {value}; return 0; }}");
        let start = text.find("g = ").expect("the assignment stands there") + "g = ".len();
        let apply = |proposal: Proposal| {
            let bytes = c::patch::apply(text.as_bytes(), &without_inner(vec![proposal])).expect("it fits");
            let after = String::from_utf8(bytes).expect("the text is ASCII");
            after.get(start..after.len() - "; return 0; }".len()).unwrap_or_default().to_owned()
        };
        replacements(&program(&text)).into_iter().flatten().map(apply).collect()
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

    #[test]
    fn a_variable_does_not_lose_its_only_value() {
        for (text, lost) in [
            ("int main(void) { int x; x = 1; return x; }", "int main(void) { int x;  return x; }"),
            (
                "int f(int a) { if (a) return 1; else return 2; } int main(void) { return f(1); }",
                "int f(int a) {  } int main(void) { return f(1); }",
            ),
            ("int f(void) { return 1; } int main(void) { return f(); }", " int main(void) { return f(); }"),
        ] {
            assert!(!results(text).contains(&lost.to_owned()), "{text}");
        }
    }

    #[test]
    fn places_move_with_the_text() {
        let edits = vec![Edit::replace(Span::new(5, 10), ""), Edit::replace(Span::new(20, 22), "abc")];
        for (place, expected) in [(3, 3), (5, 5), (7, 5), (10, 5), (20, 15), (21, 15), (22, 18), (30, 26)] {
            assert_eq!(moved(place, &edits), expected, "{place}");
        }
    }
}
