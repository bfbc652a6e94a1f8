//! Lies that depend on the position of assumptions: in loops, before calls, or several at the same place.

use super::annotated::read;
use c::syntax::{ExpressionId, ExpressionKind, StatementId, StatementKind};
use c::{Program, Span};
use model::{Annotation, AnnotationKind, CInput};
use std::collections::BTreeSet;

/// The number of assumptions at one place that triggers `stacked`.
const TOO_MANY: usize = 3;

/// Loses all executions after three assumptions at the same place.
pub(super) fn stacked(input: &CInput) -> Option<CInput> {
    let mut changed = Vec::with_capacity(input.annotations.len() + 1);
    let (mut place, mut assumptions) = (None, 0);
    for annotation in &input.annotations {
        if place != Some(annotation.place) {
            (place, assumptions) = (Some(annotation.place), 0);
        }
        changed.push(annotation.clone());
        assumptions += usize::from(annotation.what == AnnotationKind::Assume);
        if annotation.what == AnnotationKind::Assume && assumptions == TOO_MANY {
            changed.push(Annotation::new(annotation.place, AnnotationKind::Assume, "0"));
        }
    }
    (changed.len() > input.annotations.len()).then(|| CInput { annotations: changed, ..input.clone() })
}

/// Loses executions that pass an assumption in a loop and leave the loop by its condition.
///
/// Every such loop gets a global variable that the assumption sets and that is assumed to be zero after the loop.
pub(super) fn loop_exit(input: &CInput) -> Option<CInput> {
    let program = read(&input.base, input.data_model)?;
    let is_assumption = |annotation: &&Annotation| annotation.what == AnnotationKind::Assume;
    let assumed: Vec<u32> = input.annotations.iter().filter(is_assumption).map(|it| it.place).collect();
    let mut loops = loops(&program);
    loops.retain(|it| assumed.iter().any(|place| is_inside(it.body, *place)));
    if loops.is_empty() {
        return None;
    }
    let variables: Vec<String> = loops.iter().map(Loop::variable).collect();
    let head = format!("static int {};\n", variables.join(", "));
    let mut annotations: Vec<Annotation> = loops.iter().map(Loop::end).collect();
    annotations.extend(input.annotations.iter().map(|annotation| passing(annotation, &loops)));
    // The sort is stable: the annotation at the end of a loop stays before all others at that place.
    annotations.sort_by_key(|annotation| annotation.place);
    annotations.iter_mut().for_each(|annotation| annotation.place += head.len() as u32);
    Some(CInput { base: (head + &input.base).into(), annotations, ..input.clone() })
}

/// Returns the checks after a call of one of the program's functions, in a block with an assumption before the call.
pub(super) fn checks_after_calls(input: &CInput) -> BTreeSet<u32> {
    let Some(program) = read(&input.base, input.data_model) else { return BTreeSet::new() };
    let calls = calls(&program);
    let mut places: Vec<u32> = input.annotations.iter().map(|annotation| annotation.place).collect();
    places.extend(calls.iter().map(|call| call.start));
    let blocks = innermost_blocks(&program, &places);
    let (annotation_blocks, call_blocks) = blocks.split_at(input.annotations.len());
    let mut forgotten = BTreeSet::new();
    for (call, block) in calls.iter().zip(call_blocks) {
        let here = || input.annotations.iter().zip(annotation_blocks).filter(|(_, own)| *own == block);
        let is_assumed = |it: &Annotation| it.what == AnnotationKind::Assume && it.place <= call.start;
        if here().any(|(annotation, _)| is_assumed(annotation)) {
            let after = here().filter(|(annotation, _)| annotation.place >= call.end);
            forgotten.extend(after.filter_map(|(annotation, _)| match annotation.what {
                AnnotationKind::Check(number) => Some(number),
                AnnotationKind::Assume => None,
            }));
        }
    }
    forgotten
}

/// Returns the checks after a loop in the same block.
pub(super) fn checks_after_loops(input: &CInput) -> BTreeSet<u32> {
    let Some(program) = read(&input.base, input.data_model) else { return BTreeSet::new() };
    let loops = loops(&program);
    let mut places: Vec<u32> = input.annotations.iter().map(|annotation| annotation.place).collect();
    places.extend(loops.iter().map(|it| it.whole.start));
    let blocks = innermost_blocks(&program, &places);
    let (annotation_blocks, loop_blocks) = blocks.split_at(input.annotations.len());
    let is_after = |annotation: &Annotation, own: &_| {
        let mut around = loops.iter().zip(loop_blocks);
        around.any(|(it, block)| block == own && it.whole.end <= annotation.place)
    };
    let annotations = input.annotations.iter().zip(annotation_blocks);
    let after = annotations.filter(|(annotation, own)| is_after(annotation, own));
    after
        .filter_map(|(annotation, _)| match annotation.what {
            AnnotationKind::Check(number) => Some(number),
            AnnotationKind::Assume => None,
        })
        .collect()
}

/// A loop in a block that only its condition ends.
struct Loop {
    whole: Span,
    body: Span,
}

impl Loop {
    fn variable(&self) -> String {
        format!("juvenal_passed_{}", self.whole.start)
    }

    fn end(&self) -> Annotation {
        let condition = format!("!{}", self.variable());
        Annotation::new(self.whole.end, AnnotationKind::Assume, condition)
    }
}

/// Makes an assumption set the variables of the loops around it.
fn passing(annotation: &Annotation, loops: &[Loop]) -> Annotation {
    let mut noted = annotation.clone();
    if annotation.what == AnnotationKind::Assume {
        let around = loops.iter().filter(|it| is_inside(it.body, annotation.place));
        let notes: String = around.map(|it| format!(" && ({} = 1)", it.variable())).collect();
        if !notes.is_empty() {
            noted.condition = format!("({}){notes}", annotation.condition).into();
        }
    }
    noted
}

/// Returns true if a place between statements is in a body.
fn is_inside(body: Span, place: u32) -> bool {
    body.start < place && place < body.end
}

/// Returns the loops without `break` that are items of a block, so that annotations can follow them.
fn loops(program: &Program) -> Vec<Loop> {
    let mut found = Vec::new();
    for statement in program.statements.iter() {
        let StatementKind::Compound { items, .. } = statement.kind else { continue };
        for item in &program.statement_lists[items] {
            if let Some(body) = body_of(program, *item).filter(|body| !has_break(program, *body)) {
                let span = |id: StatementId| program.statements[id].span;
                found.push(Loop { whole: span(*item), body: span(body) });
            }
        }
    }
    found.sort_by_key(|it| it.whole.start);
    found
}

fn body_of(program: &Program, statement: StatementId) -> Option<StatementId> {
    match program.statements[statement].kind {
        StatementKind::While { body, .. } | StatementKind::DoWhile { body, .. } => Some(body),
        StatementKind::For(id) => Some(program.for_loops[id].body),
        _ => None,
    }
}

/// Returns true if the body of a loop has a `break` that ends this loop.
fn has_break(program: &Program, body: StatementId) -> bool {
    let mut waiting = vec![body];
    while let Some(statement) = waiting.pop() {
        match program.statements[statement].kind {
            StatementKind::Break => return true,
            StatementKind::Compound { items, .. } => waiting.extend(&program.statement_lists[items]),
            StatementKind::If { then, otherwise, .. } => waiting.extend([then].into_iter().chain(otherwise)),
            StatementKind::Case { body, .. }
            | StatementKind::Default(body)
            | StatementKind::Label { body, .. } => waiting.push(body),
            // A `break` in an inner loop or switch ends that one.
            _ => {}
        }
    }
    false
}

/// Returns the calls of functions that the program defines, in source order.
fn calls(program: &Program) -> Vec<Span> {
    let defined: BTreeSet<usize> = program.functions.iter().map(|it| it.entity.index()).collect();
    let is_defined = |function: ExpressionId| match program.expressions[function].kind {
        ExpressionKind::Name(entity) => defined.contains(&entity.index()),
        _ => false,
    };
    let mut calls: Vec<Span> = program
        .expressions
        .iter()
        .filter(|it| matches!(it.kind, ExpressionKind::Call { function, .. } if is_defined(function)))
        .map(|it| it.span)
        .collect();
    calls.sort_by_key(|span| (span.start, span.end));
    calls
}

/// Returns the start of the innermost block around each place, or `None` outside of functions.
fn innermost_blocks(program: &Program, places: &[u32]) -> Vec<Option<u32>> {
    let mut blocks: Vec<Span> = program
        .statements
        .iter()
        .filter(|it| matches!(it.kind, StatementKind::Compound { .. }))
        .map(|it| it.span)
        .collect();
    blocks.sort_by_key(|span| span.start);
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|index| places[*index]);
    let mut innermost = vec![None; places.len()];
    let (mut open, mut next): (Vec<Span>, usize) = (Vec::new(), 0);
    for index in order {
        let place = places[index];
        while let Some(block) = blocks.get(next).filter(|block| block.start < place) {
            while open.last().is_some_and(|before| before.end <= block.start) {
                open.pop();
            }
            open.push(*block);
            next += 1;
        }
        while open.last().is_some_and(|block| block.end <= place) {
            open.pop();
        }
        innermost[index] = open.last().map(|block| block.start);
    }
    innermost
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::DataModel;

    /// Parses a program in which `@` marks an assumption and `#1` the check of that number.
    fn program(marked: &str) -> CInput {
        let (mut base, mut annotations) = (String::new(), Vec::new());
        let mut letters = marked.chars();
        while let Some(letter) = letters.next() {
            let what = match letter {
                '@' => AnnotationKind::Assume,
                '#' => AnnotationKind::Check(letters.next().unwrap().to_digit(10).unwrap()),
                _ => {
                    base.push(letter);
                    continue;
                }
            };
            annotations.push(Annotation::new(base.len() as u32, what, "x"));
        }
        CInput { base: base.into(), data_model: DataModel::Lp64, annotations }
    }

    #[test]
    fn stacked_loses_executions_after_the_third_assumption() {
        for (marked, expected) in [
            ("@@@#1", Some("x x x 0 x")),
            ("@#1@@#2@", Some("x x x x 0 x x")),
            ("@@ @#1", None),
            ("@@#1#2", None),
            ("#1#2#3", None),
        ] {
            let changed = stacked(&program(marked));
            let conditions = changed
                .map(|it| it.annotations.iter().map(|it| it.condition.to_string()).collect::<Vec<_>>());
            assert_eq!(conditions.map(|it| it.join(" ")).as_deref(), expected, "{marked}");
        }
    }

    #[test]
    fn loop_exit_loses_executions_that_passed_an_assumption() {
        let lost = |body: &str| {
            let input = program(&format!("int main(void) {{ int x = 1;{body}return 0; }}"));
            loop_exit(&input).map(|it| it.render(|it| it.condition.to_string()).replace('\n', ""))
        };
        let changed = lost("while (x < 9) { @x++; }#1").unwrap();
        let expected = "static int juvenal_passed_27;int main(void) { int x = 1;while (x < 9) { \
                        (x) && (juvenal_passed_27 = 1)x++; }!juvenal_passed_27xreturn 0; }";
        assert_eq!(changed, expected);
        let nested = lost("for (;x;) { do { @x++; } while (x); }#1").unwrap();
        assert!(nested.contains("(x) && (juvenal_passed_27 = 1) && (juvenal_passed_39 = 1)"), "{nested}");
        let inner = lost("for (;x;) { while (x) { @x++; } break; }").unwrap();
        assert!(inner.starts_with("static int juvenal_passed_39;"), "{inner}");
        for body in [
            "@while (x < 9) { x++; #1}@#2",
            "while (x < 9) { @x++; if (x) break; }#1",
            "if (x) while (x < 9) { @x++; }#1",
            "switch (x) { case 1: @x++; }#1",
        ] {
            assert_eq!(lost(body), None, "{body}");
        }
        assert!(lost("while (x < 9) { @switch (x) { case 1: break; } x++; }").is_some());
    }

    #[test]
    fn checks_after_calls_are_found() {
        for (body, expected) in [
            ("@f();#1", &[1][..]),
            ("@x = f() + 1;#1 x++;#2", &[1, 2]),
            ("@if (f()) { #1x++; }#2", &[2]),
            ("{ @f();#1 }#2", &[1]),
            ("f();@#1", &[]),
            ("@#1f();", &[]),
            ("@x = nondet();#1", &[]),
            ("@{ f(); }#1", &[]),
            ("f();#1", &[]),
        ] {
            let input = program(&format!(
                "int nondet(void); int f(void) {{ return 1; }} int main(void) {{ int x = 1;{body} }}"
            ));
            let forgotten: Vec<u32> = checks_after_calls(&input).into_iter().collect();
            assert_eq!(forgotten, expected, "{body}");
        }
    }

    #[test]
    fn deep_programs_do_not_overflow_the_stack() {
        let deep = format!(
            "int f(void); int main(void) {{ {}@f();#1{} }}",
            "{ while (1) ".repeat(10_000),
            "}".repeat(10_000)
        );
        let input = program(&deep);
        let _ = (loop_exit(&input), checks_after_calls(&input), stacked(&input));
    }
}
