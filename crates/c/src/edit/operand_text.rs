//! Expressions as text that can be used elsewhere.

use crate::Program;
use crate::syntax::{ExpressionId, ExpressionKind};

/// Longer operands are not repeated, because the resulting conditions would be unreadable.
const LONGEST: usize = 240;

/// The text of an expression on one line, in parentheses unless it can be an operand of any operator without them.
/// Returns `None` if it is too long or cannot be moved.
pub fn operand_text(program: &Program, expression: ExpressionId) -> Option<String> {
    let node = &program.expressions[expression];
    let text = std::str::from_utf8(program.bytes(node.span)).ok()?;
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    // A line comment, a continued line or a directive would change its meaning on one line.
    if text.contains(['\n', '\r']) && (text.contains("//") || text.contains(['#', '\\'])) {
        return None;
    }
    let lines: Vec<&str> = text.split(['\n', '\r']).map(str::trim).collect();
    let joined = lines.join(" ");
    let mut text = joined.as_str();
    while is_parenthesized(text) {
        text = text[1..text.len() - 1].trim();
    }
    let binds_tightly = matches!(
        node.kind,
        ExpressionKind::Name(_)
            | ExpressionKind::Integer(_)
            | ExpressionKind::Character(_)
            | ExpressionKind::Real(_)
            | ExpressionKind::Index { .. }
            | ExpressionKind::Member { .. }
    );
    // An expression that begins with `__extension__` binds less tightly than its kind suggests.
    let stands_alone = binds_tightly && !text.starts_with("__extension__") && !text.starts_with('(');
    Some(if stands_alone { text.to_owned() } else { format!("({text})") })
}

/// True if the text is enclosed in one pair of parentheses. False where quotation marks could hide others.
fn is_parenthesized(text: &str) -> bool {
    if !text.starts_with('(') || text.contains(['"', '\'']) || text.contains("/*") {
        return false;
    }
    let mut open = 0usize;
    for (position, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => open += 1,
            b')' => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            return position + 1 == text.len();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enclosing_parentheses_are_distinguished_from_others() {
        for (text, expected) in [
            ("(a + b)", true),
            ("((a) + (b))", true),
            ("(a) + (b)", false),
            ("(int)(b)", false),
            ("a[(1)]", false),
            ("(c == ')')", false),
            ("(", false),
        ] {
            assert_eq!(is_parenthesized(text), expected, "{text}");
        }
    }
}
