//! The assertions of a program as checks that analyzers are asked about.
//!
//! A call of a function that tests a condition, as a statement of its own, becomes a check of that condition, and a call of a
//! function that reports an error becomes a check that is never reached. Other assertions are removed as in [`stripped`].

use super::stripped::{
    REPORTS, Stripped, TESTS, called, library_assertions, parsed, removals, stripped, with_text,
};
use c::analyze::unchecked_ub;
use c::patch::Edit;
use c::syntax::{ExpressionId, ExpressionKind, StatementKind};
use c::{Program, Span};
use model::{Annotation, AnnotationKind, CInput, Seed};

/// Stands for a check until its place in the final text is known. No program contains such a text by chance.
const MARK: &str = "(void)\"juvenal check \"";

/// The program without its assertions, with a check for each of them that can be one. The checks are numbered by place, from
/// 1. An error says in one sentence why the program cannot be used.
pub fn own_checks(seed: &Seed) -> Result<CInput, (&'static str, String)> {
    let name: &str = &seed.name;
    let seed = &CInput { base: seed.text.clone(), data_model: seed.data_model, annotations: Vec::new() };
    let program = parsed(name, seed)?;
    let found = assertions(&program);
    let mut edits: Vec<Edit> =
        found.iter().map(|assertion| Edit::replace(assertion.statement, format!("{MARK};"))).collect();
    let is_inside =
        |span: Span| found.iter().any(|it| it.statement.start <= span.start && span.end <= it.statement.end);
    let (others, _) = removals(&program, &is_inside);
    edits.extend(others);
    edits.sort_by_key(|edit| edit.span.start);
    let marked = with_text(name, seed, c::patch::apply(&program.text, &edits))?;
    let Stripped { text, program: rest, removed } = stripped(name, &marked)?;
    c::analyze::refuse_unsuitable(name, &rest)?;
    // A report of an error may have been all that kept a function from ending without its result.
    if removed + found.len() > 0 && !unchecked_ub::is_surely_initialized(&rest) {
        let detail = format!("{name}: a variable or a function may lack its value");
        return Err(("values may be missing without the program's assertions", detail));
    }
    Ok(unmarked(&text, seed, &found))
}

/// An assertion that can be a check.
struct Assertion {
    statement: Span,
    condition: String,
}

/// The assertions that are statements of their own and have no side effects, in the order of the text.
fn assertions(program: &Program) -> Vec<Assertion> {
    let library = library_assertions(program);
    let bodies = definitions(program);
    let mut found = Vec::new();
    for statement in program.statements.ids() {
        let StatementKind::Expression(expression) = program.statements[statement].kind else { continue };
        let span = program.statements[statement].span;
        if bodies.iter().any(|body| body.start <= span.start && span.end <= body.end) {
            continue;
        }
        if let Some(condition) = condition_of(program, expression, &library) {
            found.push(Assertion { statement: span, condition });
        }
    }
    found.sort_by_key(|assertion| assertion.statement.start);
    // The library's `assert` is an expression with a statement inside.
    found.dedup_by(|later, earlier| later.statement.start < earlier.statement.end);
    found
}

/// The bodies of the functions that test or report, which are not checks themselves.
fn definitions(program: &Program) -> Vec<Span> {
    let is_own = |name: &[u8]| TESTS.iter().chain(&REPORTS).any(|known| known.as_bytes() == name);
    let functions = program.functions.iter();
    functions
        .filter(|function| is_own(program.names.bytes(program.entities[function.entity].name)))
        .map(|function| function.span)
        .collect()
}

/// What an assertion demands.
fn condition_of(program: &Program, expression: ExpressionId, library: &[(Span, Span)]) -> Option<String> {
    let span = program.expressions[expression].span;
    let is_around = |whole: &Span| span.start <= whole.start && whole.end <= span.end;
    if let Some((_, condition)) = library.iter().find(|(whole, _)| is_around(whole)) {
        let is_pure = program
            .expressions
            .ids()
            .any(|id| program.expressions[id].span == *condition && program.is_pure(id));
        let text = program.text_of(*condition);
        return (is_pure && is_plain(&text)).then(|| on_one_line(&text));
    }
    let call = without_casts(program, expression);
    let (name, arguments) = called(program, call)?;
    if REPORTS.iter().any(|report| report.as_bytes() == name) {
        return Some("0".to_owned());
    }
    let is_test = TESTS.iter().any(|test| test.as_bytes() == name);
    let condition = *arguments.first().filter(|_| is_test)?;
    let text = program.text_of(program.expressions[condition].span);
    (program.is_pure(condition) && is_plain(&text)).then(|| on_one_line(&text))
}

fn without_casts(program: &Program, expression: ExpressionId) -> ExpressionId {
    match program.expressions[expression].kind {
        ExpressionKind::Cast(operand) => without_casts(program, operand),
        _ => expression,
    }
}

/// True if the text holds no comment, which would hide the rest of a line.
fn is_plain(text: &str) -> bool {
    !text.contains("//") && !text.contains("/*")
}

/// A check stands on a line of its own.
fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// The text without the marks, with a check in the place of each.
fn unmarked(text: &str, seed: &CInput, found: &[Assertion]) -> CInput {
    let mut base = String::with_capacity(text.len());
    let mut annotations = Vec::new();
    for (index, part) in text.split(MARK).enumerate() {
        if let Some(assertion) = index.checked_sub(1).and_then(|index| found.get(index)) {
            let number = annotations.len() as u32 + 1;
            let place = base.len() as u32;
            annotations.push(Annotation::new(
                place,
                AnnotationKind::Check(number),
                assertion.condition.as_str(),
            ));
        }
        base.push_str(part);
    }
    CInput { base: base.into(), annotations, ..seed.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::DataModel;

    fn check(body: &str, expected: &[&str]) {
        let declarations = "void reach_error(void) { __assert_fail(); } void __VERIFIER_assert(int c) { if (!c) { reach_error(); } } void assert(int); int next(void);";
        let base = format!("{declarations} int main(void) {{ int x = next(); {body} return x; }}");
        let input = own_checks(&Seed::c("row.c", &base, DataModel::Lp64)).unwrap();
        let conditions: Vec<String> = input.annotations.iter().map(|it| it.condition.to_string()).collect();
        assert_eq!(conditions, expected, "{body}");
        assert_eq!(input.checks().collect::<Vec<_>>(), (1..=expected.len() as u32).collect::<Vec<_>>());
        assert!(!input.base.contains("juvenal"), "{}", input.base);
        let spelled = input.render(|annotation| format!("if (!({})) {{ }}", annotation.condition));
        let spelled = CInput { base: spelled.into(), annotations: Vec::new(), ..input };
        c::parse_input("row.c", &spelled).unwrap();
    }

    #[test]
    fn assertions_become_checks_and_the_rest_is_removed() {
        check("assert(x > 1); __VERIFIER_assert(x\n < 3);", &["x > 1", "x < 3"]);
        check("if (x) reach_error(); x++;", &["0"]);
        check("if (x) { reach_error(); } else assert(x == 0);", &["0", "x == 0"]);
        check("assert(next()); assert(x++);", &[]);
        check("x = (assert(x), 3);", &[]);
        check(
            r#"((void) sizeof ((x > 1) ? 1 : 0), __extension__ ({ if (x > 1) ; else __assert_fail ("x > 1", "a.c", 3, "main"); }));"#,
            &["x > 1"],
        );
        check("assert(x /* why */ > 1);", &[]);
        check("return 0;", &[]);
    }
}
