//! What a solver printed, cut into words, lists, strings and comments. Hostile output is cut too, never refused.

/// One piece of output at top level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item<'a> {
    /// A run of bytes without white space, parentheses, quotation marks or semicolons.
    Word(&'a [u8]),
    /// A balanced list, with its parentheses.
    List(&'a [u8]),
    /// A string, with its quotation marks.
    Text(&'a [u8]),
    /// A comment, from its semicolon to the end of the line.
    Comment(&'a [u8]),
    /// A list or string that does not end.
    Unfinished(&'a [u8]),
}

/// An item and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed<'a> {
    pub(crate) item: Item<'a>,
    /// True if only white space stands before it on its line.
    pub(crate) first_in_line: bool,
    /// The byte position of its first byte.
    pub(crate) start: usize,
}

/// Iterates over the items of an output, in one pass and without recursion.
pub(crate) struct Scanner<'a> {
    bytes: &'a [u8],
    position: usize,
    at_line_start: bool,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Scanner<'a> {
        Scanner { bytes, position: 0, at_line_start: true }
    }

    fn skip_white_space(&mut self) {
        while let Some(byte) = self.bytes.get(self.position) {
            match byte {
                b'\n' => self.at_line_start = true,
                b' ' | b'\t' | b'\r' => {}
                _ => return,
            }
            self.position += 1;
        }
    }
}

impl<'a> Iterator for Scanner<'a> {
    type Item = Placed<'a>;

    fn next(&mut self) -> Option<Placed<'a>> {
        self.skip_white_space();
        let start = self.position;
        let rest = &self.bytes[start..];
        let item = match rest.first()? {
            b'(' => end_of_list(rest).map_or(Item::Unfinished(rest), |end| Item::List(&rest[..end])),
            b'"' => end_of_string(rest).map_or(Item::Unfinished(rest), |end| Item::Text(&rest[..end])),
            b';' => Item::Comment(&rest[..end_of_line(rest)]),
            b')' => Item::Word(&rest[..1]),
            _ => Item::Word(&rest[..end_of_word(rest)]),
        };
        self.position += item.bytes().len();
        let first_in_line = std::mem::replace(&mut self.at_line_start, false);
        Some(Placed { item, first_in_line, start })
    }
}

impl<'a> Item<'a> {
    /// The item as it was printed.
    pub(crate) fn bytes(self) -> &'a [u8] {
        match self {
            Item::Word(bytes)
            | Item::List(bytes)
            | Item::Text(bytes)
            | Item::Comment(bytes)
            | Item::Unfinished(bytes) => bytes,
        }
    }
}

/// The position after the list that starts here. Strings, quoted symbols and comments hide parentheses.
fn end_of_list(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    let mut position = 0;
    while let Some(byte) = bytes.get(position) {
        let rest = &bytes[position..];
        position += match byte {
            b'"' => end_of_string(rest)?,
            b'|' => end_of_symbol(rest)?,
            b';' => end_of_line(rest),
            _ => 1,
        };
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(position),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The position after the string that starts here. A doubled quotation mark inside it is read as two strings side
/// by side, which end at the same place.
fn end_of_string(bytes: &[u8]) -> Option<usize> {
    let length = bytes.iter().skip(1).position(|byte| *byte == b'"')?;
    Some(length + 2)
}

fn end_of_symbol(bytes: &[u8]) -> Option<usize> {
    let length = bytes.iter().skip(1).position(|byte| *byte == b'|')?;
    Some(length + 2)
}

fn end_of_line(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len())
}

fn end_of_word(bytes: &[u8]) -> usize {
    let ends = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'(' | b')' | b'"' | b';');
    bytes.iter().position(ends).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &[u8], expected: &[&str]) {
        let found: Vec<String> = Scanner::new(input)
            .map(|placed| {
                let kind = match placed.item {
                    Item::Word(_) => "word",
                    Item::List(_) => "list",
                    Item::Text(_) => "text",
                    Item::Comment(_) => "comment",
                    Item::Unfinished(_) => "unfinished",
                };
                let mark = if placed.first_in_line { "" } else { "+" };
                format!("{mark}{kind} {}", String::from_utf8_lossy(placed.item.bytes()))
            })
            .collect();
        assert_eq!(found, expected, "{}", String::from_utf8_lossy(input));
    }

    #[test]
    fn outputs_are_cut_at_top_level() {
        check(b"sat\nunsat\r\n", &["word sat", "word unsat"]);
        check(b"unknown (TIMEOUT)\n", &["word unknown", "+list (TIMEOUT)"]);
        check(b"(a \")\" |)| ; )\n)x", &["list (a \")\" |)| ; )\n)", "+word x"]);
        check(b"\"mark\" ; note\n)", &["text \"mark\"", "+comment ; note", "word )"]);
        check(b"(a (b)", &["unfinished (a (b)"]);
        check(b"\"open", &["unfinished \"open"]);
        check(b"(\"a\"\"b\")", &["list (\"a\"\"b\")"]);
        check(b"sat\0\n", &["word sat\0"]);
        check(b"", &[]);
    }
}
