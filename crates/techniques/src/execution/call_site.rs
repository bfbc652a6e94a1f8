//! The calls of input functions in a program's text.

use c::Program;
use c::syntax::ExpressionKind;

/// The prefix of the names of input functions; the type of the input follows.
pub(super) const INPUT_FUNCTION: &str = "__VERIFIER_nondet_";

/// A call of an input function.
pub(super) struct CallSite {
    /// The span of the call, including parentheses around it.
    pub span: c::Span,
    /// The name of the type after the function's prefix.
    pub type_name: String,
    /// The offset of the closing parenthesis; `None` for calls with arguments.
    pub closing: Option<u32>,
}

/// Returns the calls of input functions in source order. Call number n is at index n - 1.
pub(super) fn call_sites(program: &Program) -> Vec<CallSite> {
    let mut sites: Vec<CallSite> = Vec::new();
    for expression in program.expressions.iter() {
        let ExpressionKind::Call { function, arguments } = expression.kind else { continue };
        let callee = &program.expressions[function];
        let ExpressionKind::Name(entity) = callee.kind else { continue };
        let name = program.name(program.entities[entity].name);
        let Some(type_name) = name.strip_prefix(INPUT_FUNCTION) else { continue };
        let is_plain = program.expression_lists[arguments].is_empty();
        let closing = if is_plain { closing_parenthesis(&program.text, callee.span.end) } else { None };
        sites.push(CallSite { span: expression.span, type_name: type_name.to_owned(), closing });
    }
    sites.sort_by_key(|site| site.span);
    // The parser may have parsed a place twice, as an expression and as something else.
    sites.dedup_by_key(|site| site.span);
    sites
}

/// Finds the parenthesis that closes `()` after an offset, with nothing but white space and comments in between.
fn closing_parenthesis(text: &[u8], after: u32) -> Option<u32> {
    let opening = skip_blanks(text, after as usize);
    if text.get(opening) != Some(&b'(') {
        return None;
    }
    let closing = skip_blanks(text, opening + 1);
    if text.get(closing) == Some(&b')') { u32::try_from(closing).ok() } else { None }
}

fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    loop {
        let rest = text.get(at..).unwrap_or_default();
        at += match rest {
            [b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, ..] => 1,
            [b'\\', b'\n', ..] => 2,
            [b'/', b'/', ..] => length_up_to(rest, b"\n"),
            [b'/', b'*', body @ ..] => 2 + length_up_to(body, b"*/"),
            _ => return at,
        }
    }
}

/// Returns the number of bytes up to the end of a mark, or of the whole text if the mark is missing.
fn length_up_to(text: &[u8], mark: &[u8]) -> usize {
    text.windows(mark.len()).position(|window| window == mark).map_or(text.len(), |start| start + mark.len())
}
