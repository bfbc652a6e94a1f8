//! A seed without its own assertions, with a place before every statement.
//!
//! Calls of functions that report an error are replaced by nothing, and calls of functions that test a condition by the
//! condition alone, which is evaluated once as before. Then branches and bodies get braces. Everything else stays byte
//! for byte; definitions of such functions stay as well, but nothing calls them any more.

use c::edit::braced;
use c::patch::Edit;
use c::syntax::{EntityKind, ExpressionId, ExpressionKind, StatementId, StatementKind};
use c::{Program, Span, Type};
use model::{CInput, UNPARSED_PROGRAM};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Functions whose call reports an error.
pub const REPORTS: [&str; 6] = [
    "reach_error",
    "__VERIFIER_error",
    "__assert_fail",
    "__assert_rtn",
    "__assert_func",
    "__assert_perror_fail",
];

/// Functions whose first argument must not be zero.
pub const TESTS: [&str; 3] = ["__VERIFIER_assert", "assert", "__CPROVER_assert"];

/// A program without its assertions.
#[derive(Clone, Debug)]
pub struct Stripped {
    /// The text.
    pub text: Arc<str>,
    /// The same, parsed.
    pub program: Program,
    /// How many assertions and reports of errors are gone.
    pub removed: usize,
}

/// Why a seed gives nothing: a few words to be counted, and what exactly.
type Refusal = (&'static str, String);

/// Strips a program; an error says in one sentence why that is impossible.
pub fn stripped(name: &str, seed: &CInput) -> Result<Stripped, Refusal> {
    let program = parsed(name, seed)?;
    let (edits, removed) = removals(&program, &|_| false);
    let bare = with_text(name, seed, c::patch::apply(&program.text, &edits))?;
    let program = parsed(name, &bare)?;
    let bare = with_text(name, seed, braced(&program))?;
    let program = parsed(name, &bare)?;
    Ok(Stripped { text: bare.base, program, removed })
}

pub(super) fn parsed(name: &str, input: &CInput) -> Result<Program, Refusal> {
    c::parse_input(name, input).map_err(|error| not_understood(error.to_string()))
}

pub(super) fn with_text(
    name: &str,
    seed: &CInput,
    text: Result<Vec<u8>, c::patch::PatchError>,
) -> Result<CInput, Refusal> {
    let text = text.map_err(|error| not_understood(format!("{name}: {error}")))?;
    let text = String::from_utf8(text).map_err(|error| not_understood(format!("{name}: {error}")))?;
    Ok(CInput { base: text.into(), data_model: seed.data_model, annotations: Vec::new() })
}

fn not_understood(detail: String) -> Refusal {
    (UNPARSED_PROGRAM, detail)
}

/// What to replace, and how many calls that concerns, apart from what is replaced anyway. Outer calls come before inner ones,
/// since what an outer one drops takes the inner ones along.
pub(super) fn removals(program: &Program, is_replaced: &dyn Fn(Span) -> bool) -> (Vec<Edit>, usize) {
    let mut edits = Vec::new();
    let mut dropped = Dropped::default();
    let mut removed = 0;
    for (whole, condition) in library_assertions(program) {
        if is_replaced(whole) {
            dropped.add(whole);
            continue;
        }
        let text = program.text_of(condition);
        edits.push(Edit::replace(whole, format!("((void)({text}))")));
        dropped.add(whole);
        removed += 1;
    }
    for call in program.expressions.ids().rev() {
        let span = program.expressions[call].span;
        let Some((name, arguments)) = called(program, call) else { continue };
        if dropped.holds(span) || is_replaced(span) {
            continue;
        }
        let is_report = REPORTS.iter().any(|report| report.as_bytes() == name);
        let is_test = TESTS.iter().any(|test| test.as_bytes() == name);
        match arguments.first().map(|first| program.expressions[*first].span) {
            Some(first) if is_test => {
                let before = Span::new(span.start, first.start);
                let after = Span::new(first.end, span.end);
                // Comments between the parentheses and the condition are dropped, too.
                edits.push(Edit::replace(before, "((void)("));
                edits.push(Edit::replace(after, "))"));
                dropped.add(before);
                dropped.add(after);
            }
            _ if is_report => {
                let is_void = program.expressions[call].r#type.unqualified() == Type::VOID;
                // The result may be used, so it stays a number.
                edits.push(Edit::replace(span, if is_void { "((void)0)" } else { "(0)" }));
                dropped.add(span);
            }
            _ => continue,
        }
        removed += 1;
    }
    (edits, removed)
}

/// What the C library makes of `assert`: `((void) sizeof …, ({ if (condition) ; else __assert_fail(…); }))`, with the bytes
/// of the condition.
pub(super) fn library_assertions(program: &Program) -> Vec<(Span, Span)> {
    let mut found = Vec::new();
    for id in program.expressions.ids() {
        let ExpressionKind::StatementExpression(block) = program.expressions[id].kind else { continue };
        let Some(condition) = tested_condition(program, block) else { continue };
        let is_around = |it: &&c::syntax::Expression| match it.kind {
            ExpressionKind::Comma { left, right } => right == id && is_size(program, left),
            _ => false,
        };
        let whole =
            program.expressions.iter().find(is_around).map_or(program.expressions[id].span, |it| it.span);
        found.push((whole, program.expressions[condition].span));
    }
    found
}

/// The condition of a block that holds `if (condition) ; else report();` and nothing else.
fn tested_condition(program: &Program, block: StatementId) -> Option<ExpressionId> {
    let StatementKind::Compound { items, .. } = program.statements[block].kind else { return None };
    let [only] = &program.statement_lists[items] else { return None };
    let StatementKind::If { condition, then, otherwise: Some(otherwise) } = program.statements[*only].kind
    else {
        return None;
    };
    let StatementKind::Expression(report) = program.statements[otherwise].kind else { return None };
    let (name, _) = called(program, report)?;
    let is_empty = matches!(program.statements[then].kind, StatementKind::Empty);
    (is_empty && REPORTS.iter().any(|report| report.as_bytes() == name)).then_some(condition)
}

/// True for the size of something, which is not evaluated.
fn is_size(program: &Program, id: ExpressionId) -> bool {
    match program.expressions[id].kind {
        ExpressionKind::Cast(operand) => is_size(program, operand),
        ExpressionKind::SizeofExpression(_) => true,
        _ => false,
    }
}

/// The name of the function that an expression calls directly, and the arguments.
pub(super) fn called(program: &Program, call: ExpressionId) -> Option<(&[u8], &[ExpressionId])> {
    let ExpressionKind::Call { function, arguments } = program.expressions[call].kind else { return None };
    let ExpressionKind::Name(entity) = program.expressions[function].kind else { return None };
    let info = &program.entities[entity];
    let is_function = matches!(info.kind, EntityKind::Function | EntityKind::ImplicitFunction);
    is_function.then(|| (program.names.bytes(info.name), &program.expression_lists[arguments]))
}

/// Ranges that are replaced, none of which overlaps another: the end of each by its start.
#[derive(Default)]
struct Dropped(BTreeMap<u32, u32>);

impl Dropped {
    fn add(&mut self, span: Span) {
        self.0.insert(span.start, span.end);
    }

    fn holds(&self, span: Span) -> bool {
        self.0.range(..=span.start).next_back().is_some_and(|(_, end)| span.end <= *end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::DataModel;

    const DECLARATIONS: &str = "void reach_error(void); void __VERIFIER_assert(int); void abort(void); void __assert_fail(const char *, const char *, unsigned, const char *); void assert(int); void __CPROVER_assert(_Bool, const char *); int __VERIFIER_error(); int next(void);";

    fn strip(body: &str) -> (String, usize) {
        let base = format!("{DECLARATIONS} int main(void) {{ int x = next(); {body} return x; }}");
        let seed = CInput { base: base.into(), data_model: DataModel::Lp64, annotations: Vec::new() };
        let stripped = stripped("row.c", &seed).unwrap();
        let body = stripped.text.split_once("int x = next(); ").unwrap().1;
        (body.strip_suffix(" return x; }").unwrap().to_owned(), stripped.removed)
    }

    #[test]
    fn assertions_go_and_everything_else_stays() {
        for (body, expected, removed) in [
            ("if (x) reach_error();", "if (x) { ((void)0); }", 1),
            ("if (x) { reach_error(); abort(); }", "if (x) { ((void)0); abort(); }", 1),
            (
                r#"((x > 1) ? (void)0 : __assert_fail("x", "a.c", 3, "main"));"#,
                "((x > 1) ? (void)0 : ((void)0));",
                1,
            ),
            (
                r#"((void) sizeof ((x > 1) ? 1 : 0), __extension__ ({ if (x > 1) ; else __assert_fail ("x > 1", "a.c", 3, "main"); }));"#,
                "((void)(x > 1));",
                1,
            ),
            ("__VERIFIER_assert(x < 3 || next());", "((void)(x < 3 || next()));", 1),
            ("assert( x ); /* assert(y) */", "((void)(x)); /* assert(y) */", 1),
            (r#"__CPROVER_assert(x != 0, "no");"#, "((void)(x != 0));", 1),
            ("assert((assert(x), x));", "((void)((((void)(x)), x)));", 2),
            ("x = x || __VERIFIER_error();", "x = x || (0);", 1),
            ("(reach_error)(), x++;", "((void)0), x++;", 1),
            ("{ int assert = 3; x = assert; }", "{ int assert = 3; x = assert; }", 0),
            ("while (x--) ; do x++; while (x < 3);", "while (x--) { ; } do { x++; } while (x < 3);", 0),
        ] {
            assert_eq!(strip(body), (expected.to_owned(), removed), "{body}");
        }
    }

    #[test]
    fn definitions_stay_and_report_nothing() {
        let base = "void reach_error(void) { __assert_fail(); } void __VERIFIER_assert(int c) { if (!c) { E: reach_error(); } } int main(void) { __VERIFIER_assert(1); }";
        let seed = CInput { base: base.into(), data_model: DataModel::Lp64, annotations: Vec::new() };
        let stripped = stripped("row.c", &seed).unwrap();
        let expected = "void reach_error(void) { (0); } void __VERIFIER_assert(int c) { if (!c) { E: ((void)0); } } int main(void) { ((void)(1)); }";
        assert_eq!((stripped.text.as_ref(), stripped.removed), (expected, 3));
    }
}
