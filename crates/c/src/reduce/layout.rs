//! Drops comments, blank lines and line breaks within a statement.

use super::Alternatives;
use crate::{Edit, Span};

/// Every comment and every run of white space with superfluous newlines, with its replacement.
pub fn proposals(text: &str) -> Vec<Alternatives> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let (end, mut replacement) = stretch(bytes, at);
        let is_break = bytes[at..end].trim_ascii().is_empty() && bytes[at..end].contains(&b'\n');
        if is_break && is_within_statement(&bytes[..at], &bytes[end..]) {
            replacement = Some(" ");
        }
        if let Some(replacement) = replacement.filter(|new| text.get(at..end) != Some(new)) {
            found.push(vec![vec![Edit::replace(Span::new(at as u32, end as u32), replacement)]]);
        }
        at = end;
    }
    found
}

/// The end of the token or blank that begins at a byte, and its replacement; none if it must stay.
fn stretch(bytes: &[u8], start: usize) -> (usize, Option<&'static str>) {
    let rest = &bytes[start..];
    match rest {
        // Contracts and annotations of some analyzers are comments.
        [b'/', b'*' | b'/', b'@', ..] => (start + 3, None),
        [b'/', b'*', ..] => {
            let length =
                rest.windows(2).skip(2).position(|pair| pair == b"*/").map_or(rest.len(), |at| at + 4);
            (start + length, Some(" "))
        }
        [b'/', b'/', ..] => {
            let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            let goes_on = rest[..length].ends_with(b"\\");
            (start + length, (!goes_on).then_some(""))
        }
        [quote @ (b'"' | b'\''), ..] => (start + quoted(rest, *quote), None),
        [first, ..] if first.is_ascii_whitespace() => {
            let length = rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len());
            let newlines = rest[..length].iter().filter(|byte| **byte == b'\n').count();
            (start + length, (newlines > 1).then_some("\n"))
        }
        _ => (start + 1, None),
    }
}

/// True if the text around white space belongs to one statement or one pair of braces, and so can be on one line.
fn is_within_statement(before: &[u8], after: &[u8]) -> bool {
    let mut lines = before.rsplit(|byte| *byte == b'\n');
    let (last, one_before) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    // Directives and line comments end with their lines, and a line may continue one.
    let goes_on = one_before.trim_ascii_end().ends_with(b"\\");
    let ends_here = goes_on || last.contains(&b'#') || last.windows(2).any(|pair| pair == b"//");
    match (before.last(), after.first()) {
        _ if ends_here => false,
        (_, None | Some(b'#')) | (None | Some(b';' | b'}'), _) => false,
        (Some(b'{'), next) => next == Some(&b'}'),
        _ => true,
    }
}

/// The length of a string or character literal.
fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != quote {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_put_on_one_line() {
        let text = "#pragma a\nstatic int\n(f)(int a)\n{\n  return\n    a; // b\n\n}\nint main(void)\n#pragma b\n{\n}\n";
        let edits: Vec<Edit> = proposals(text).into_iter().flatten().flatten().collect();
        let left = crate::patch::apply(text.as_bytes(), &edits).expect("the edits do not overlap");
        let expected =
            "#pragma a\nstatic int (f)(int a) {\n  return a; \n}\nint main(void)\n#pragma b\n{ }\n";
        assert_eq!(String::from_utf8_lossy(&left), expected);
    }

    #[test]
    fn comments_and_blank_lines_go_and_literals_stay() {
        let text = "/* a */ int x; // b\n\n\n  char *s = \"/* no */\\\" \n\n\"; int y;/**/";
        let edits: Vec<Edit> = proposals(text).into_iter().flatten().flatten().collect();
        let left = crate::patch::apply(text.as_bytes(), &edits).expect("the edits do not overlap");
        let expected = "  int x; \nchar *s = \"/* no */\\\" \n\n\"; int y; ";
        assert_eq!(String::from_utf8_lossy(&left), expected);
    }
}
