//! The normal form of a program: branches and bodies are compound statements, every `if` has an `else`, and selected
//! operands are in parentheses. Nothing else changes, and the program behaves as before.

use super::patch::{Edit, PatchError, apply};
use crate::analyze::{for_each_inner, instrumentable_functions};
use crate::syntax::{ExpressionId, FunctionId, StatementId, StatementKind};
use crate::{Program, Span};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// How deep inserted braces may nest. A long chain of `else if` becomes deep, and compilers have limits.
const DEEPEST: usize = 32;

/// A program in normal form.
#[derive(Clone, Debug)]
pub struct NormalForm {
    /// The text.
    pub text: Vec<u8>,
    /// Where a parenthesis was opened around an operand.
    pub opened: BTreeSet<u32>,
}

/// An insertion before a byte, with the fields that order insertions at the same byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Insertion {
    offset: u32,
    /// Of the insertions that end at the same byte, the inner one comes first: it starts later.
    start: Reverse<u32>,
    kind: Kind,
}

/// The inserted text. For a branch that is an `if` without `else`, the `else` comes before the brace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    OpenParenthesis,
    /// Nothing: the parenthesis is there already.
    Opened,
    CloseParenthesis,
    OpenBrace,
    Else,
    CloseBrace,
}

impl Kind {
    fn text(self) -> &'static str {
        match self {
            Kind::OpenParenthesis => "(",
            Kind::Opened => "",
            Kind::CloseParenthesis => ")",
            Kind::OpenBrace => "{ ",
            Kind::Else => " else { }",
            Kind::CloseBrace => " }",
        }
    }
}

/// Brings a program into normal form. `operands` are the expressions that get parentheses.
pub fn normal_form(
    program: &Program,
    operands: impl IntoIterator<Item = ExpressionId>,
) -> Result<NormalForm, PatchError> {
    let mut insertions = Vec::new();
    for function in instrumentable_functions(program) {
        brace_statements(program, function, &mut insertions);
    }
    for operand in operands {
        let span = program.expressions[operand].span;
        if is_in_parentheses(program, span) {
            let start = Reverse(span.start);
            insertions.push(Insertion { offset: span.start, start, kind: Kind::Opened });
        } else {
            around(span, Kind::OpenParenthesis, Kind::CloseParenthesis, &mut insertions);
        }
    }
    insertions.sort_unstable();
    let added = insertions.iter().filter(|insertion| insertion.kind != Kind::Opened);
    let edits: Vec<Edit> =
        added.map(|insertion| Edit::insert(insertion.offset, insertion.kind.text())).collect();
    let text = apply(&program.text, &edits)?;
    Ok(NormalForm { text, opened: opened(&insertions) })
}

/// The text with braces around branches and bodies, and nothing else.
pub fn braced(program: &Program) -> Result<Vec<u8>, PatchError> {
    let mut insertions = Vec::new();
    for function in instrumentable_functions(program) {
        brace_statements(program, function, &mut insertions);
    }
    insertions.retain(|insertion| insertion.kind != Kind::Else);
    insertions.sort_unstable();
    let edits: Vec<Edit> =
        insertions.iter().map(|insertion| Edit::insert(insertion.offset, insertion.kind.text())).collect();
    apply(&program.text, &edits)
}

fn around(span: Span, open: Kind, close: Kind, insertions: &mut Vec<Insertion>) {
    let start = Reverse(span.start);
    insertions.push(Insertion { offset: span.start, start, kind: open });
    insertions.push(Insertion { offset: span.end, start, kind: close });
}

/// True if one pair of parentheses encloses an entire expression. With this, the normal form of a normal form is
/// itself. Expressions with quotation marks do not count, because a literal may contain a parenthesis, and neither do
/// statement expressions.
fn is_in_parentheses(program: &Program, span: Span) -> bool {
    let bytes = program.bytes(span);
    if !bytes.starts_with(b"(") || bytes.starts_with(b"({") || bytes.iter().any(|byte| b"\"'".contains(byte))
    {
        return false;
    }
    let mut depth = 0;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1 == bytes.len();
        }
    }
    false
}

/// Where the opened parentheses are in the new text.
fn opened(insertions: &[Insertion]) -> BTreeSet<u32> {
    let mut added = 0;
    let mut opened = BTreeSet::new();
    for insertion in insertions {
        if matches!(insertion.kind, Kind::OpenParenthesis | Kind::Opened) {
            opened.insert(insertion.offset + added);
        }
        added += insertion.kind.text().len() as u32;
    }
    opened
}

/// Puts braces around the branches and bodies of a function.
fn brace_statements(program: &Program, function: FunctionId, insertions: &mut Vec<Insertion>) {
    let mut waiting = vec![(program.functions[function].body, 0)];
    while let Some((statement, depth)) = waiting.pop() {
        let bodies = bodies(program, statement);
        let is_braced =
            |body: StatementId| matches!(program.statements[body].kind, StatementKind::Compound { .. });
        let mut braced = Vec::new();
        for (body, before) in bodies {
            let span = program.statements[body].span;
            if !is_braced(body) && depth < DEEPEST && !has_pragma(program, before, span.start) {
                around(span, Kind::OpenBrace, Kind::CloseBrace, insertions);
                braced.push(body);
            }
        }
        let node = &program.statements[statement];
        if let StatementKind::If { then, otherwise: None, .. } = node.kind
            // Without braces, the `else` could attach to an inner `if`.
            && (is_braced(then) || braced.contains(&then))
        {
            let start = Reverse(node.span.start);
            insertions.push(Insertion { offset: node.span.end, start, kind: Kind::Else });
        }
        for_each_inner(program, statement, |inner| {
            waiting.push((inner, depth + usize::from(braced.contains(&inner))));
        });
    }
}

/// The branches or the body of a statement, each with an earlier offset such that only the statement's own tokens lie
/// in between.
fn bodies(program: &Program, statement: StatementId) -> Vec<(StatementId, u32)> {
    let start = program.statements[statement].span.start;
    match program.statements[statement].kind {
        StatementKind::If { then, otherwise, .. } => {
            let after_then = program.statements[then].span.end;
            let mut bodies = vec![(then, start)];
            bodies.extend(otherwise.map(|otherwise| (otherwise, after_then)));
            bodies
        }
        StatementKind::While { body, .. } | StatementKind::DoWhile { body, .. } => vec![(body, start)],
        StatementKind::For(id) => vec![(program.for_loops[id].body, start)],
        _ => Vec::new(),
    }
}

/// True if there may be a pragma between two offsets. Some pragmas must directly precede a loop, without a brace in
/// between.
fn has_pragma(program: &Program, from: u32, to: u32) -> bool {
    program.bytes(Span::new(from, to)).windows(6).any(|window| window == b"pragma")
}
