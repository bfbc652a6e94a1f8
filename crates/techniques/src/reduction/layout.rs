//! Comments and blank lines, which nobody misses in a report.

use super::statements::Proposal;
use c::Span;
use c::patch::Edit;

/// Every comment, and every stretch of white space that holds more than one newline, with what may take its place.
pub fn blanks(text: &str) -> Vec<Vec<Proposal>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let (end, replacement) = stretch(bytes, at);
        if let Some(replacement) = replacement.filter(|new| text.get(at..end) != Some(new)) {
            found.push(vec![vec![Edit::replace(Span::new(at as u32, end as u32), replacement)]]);
        }
        at = end;
    }
    found
}

/// The end of what begins at a byte, and what may replace it: none for everything that counts.
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
    fn comments_and_blank_lines_go_and_literals_stay() {
        let text = "/* a */ int x; // b\n\n\n  char *s = \"/* no */\\\" \n\n\"; int y;/**/";
        let edits: Vec<Edit> = blanks(text).into_iter().flatten().flatten().collect();
        let left = c::patch::apply(text.as_bytes(), &edits).expect("the edits do not overlap");
        let expected = "  int x; \nchar *s = \"/* no */\\\" \n\n\"; int y; ";
        assert_eq!(String::from_utf8_lossy(&left), expected);
    }
}
