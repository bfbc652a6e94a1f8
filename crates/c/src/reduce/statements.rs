//! Removes statements, functions and declarations, or replaces them by their bodies.

use super::{Alternatives, Proposal};
use crate::analyze::{block_items, unchecked_ub};
use crate::syntax::{FunctionId, StatementId, StatementKind};
use crate::{Edit, Program, Span};
use std::collections::BTreeSet;

/// For each statement, function and declaration: its removal, or its replacement by its body.
pub fn proposals(program: &Program) -> Vec<Alternatives> {
    let bodies: BTreeSet<usize> = program.functions.iter().map(|function| function.body.index()).collect();
    if unchecked_ub::why_uninitialized(program).is_some() {
        return blocks_of_uninitialized(program, &bodies);
    }
    let items = block_items(program);
    let statements = program.statements.ids().filter(|id| !bodies.contains(&id.index()));
    let proposals = statements.map(|id| removal(program, id, items.contains(&id.index())));
    proposals.filter(|choices| !choices.is_empty()).collect()
}

/// The innermost blocks with variables that may be read without a value. Only once all of these are gone can other
/// statements be removed safely.
fn blocks_of_uninitialized(program: &Program, bodies: &BTreeSet<usize>) -> Vec<Alternatives> {
    let mut blocks = BTreeSet::new();
    for declarator in unchecked_ub::possibly_uninitialized(program) {
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

/// Removes everything of a statement but the inside of a part.
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
    program.is_main(program.functions[function].entity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::patch;
    use crate::reduce::{is_safe, without_inner};
    use model::{CInput, DataModel};

    fn program(text: &str) -> CInput {
        CInput { base: text.into(), data_model: DataModel::Lp64, annotations: Vec::new() }
    }

    /// The results of all single removals that are safe.
    fn results(text: &str) -> Vec<String> {
        let base = program(text);
        let parsed = crate::parse_input("test", &base).expect("the program parses");
        let mut results = Vec::new();
        for proposal in proposals(&parsed).concat() {
            let edits = without_inner(&[proposal]);
            let bytes = patch::apply(text.as_bytes(), &edits).expect("edits of one proposal fit");
            let after = String::from_utf8(bytes).expect("the text is ASCII");
            if is_safe(&base, &program(&after)) {
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
        // A label that is the target of a jump stays.
        let has_both = |text: &String| text.contains("goto again") <= text.contains("again:");
        assert!(found.iter().all(|text| text.contains("return 1;") && has_both(text)), "{found:?}");
    }

    #[test]
    fn blocks_of_possibly_uninitialized_variables_go_first() {
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
}
