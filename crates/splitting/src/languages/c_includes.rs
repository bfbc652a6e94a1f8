//! C and C++: the `#include` directives of a file.

use super::{MentionKind, References};

/// Finds all `#include`, `#include_next` and `#import` directives, whether or not conditions of the preprocessor hold.
///
/// The preprocessor knows lines, comments and literals but no syntax, and so does this: directives are found in the middle of
/// declarations too, where no grammar expects them. A name that a macro gives is mentioned as the macro.
pub(super) fn find(text: &[u8], found: &mut References) {
    let mut reader = Reader { text, at: 0, line: 1, is_line_start: true };
    while let Some(byte) = reader.peek() {
        match byte {
            b'\n' => reader.new_line(),
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => reader.at += 1,
            b'#' if reader.is_line_start => reader.directive(found),
            _ => reader.token(),
        }
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
    is_line_start: bool,
}

impl<'a> Reader<'a> {
    /// The next byte, after comments and continued lines.
    fn peek(&mut self) -> Option<u8> {
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            match rest {
                [b'\\', b'\n', ..] => self.skip(2),
                [b'\\', b'\r', b'\n', ..] => self.skip(3),
                [b'/', b'*', ..] => self.skip(2 + end_of(&rest[2..], b"*/")),
                [b'/', b'/', ..] => self.line_comment(),
                [first, ..] => return Some(*first),
                [] => return None,
            }
        }
    }

    fn skip(&mut self, count: usize) {
        let end = (self.at + count).min(self.text.len());
        self.line += self.text[self.at..end].iter().filter(|&&byte| byte == b'\n').count();
        self.at = end;
    }

    fn new_line(&mut self) {
        self.skip(1);
        self.is_line_start = true;
    }

    /// A comment that ends with the line, unless the line is continued.
    fn line_comment(&mut self) {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\n' => return,
                b'\\' if self.text[self.at..].starts_with(b"\\\r\n") => self.skip(3),
                b'\\' => self.skip(2),
                _ => self.at += 1,
            }
        }
    }

    /// Anything that is no directive: a word, a literal or a sign.
    fn token(&mut self) {
        self.is_line_start = false;
        match self.text[self.at] {
            b'R' if self.text[self.at..].starts_with(b"R\"") => self.raw_literal(),
            quote @ (b'"' | b'\'') => self.quoted(quote),
            byte if is_word(byte) => {
                let word = self.word();
                // `LR"(`, `u8R"(` and the like.
                if word.ends_with(b"R") && word.len() <= 3 && self.text.get(self.at) == Some(&b'"') {
                    self.at -= 1;
                    self.raw_literal();
                }
            }
            _ => self.at += 1,
        }
    }

    fn word(&mut self) -> &'a [u8] {
        let rest = &self.text[self.at..];
        let length = rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
        self.at += length;
        // The sign in a number such as 1'000 begins no literal.
        if rest.first().is_some_and(u8::is_ascii_digit) && self.text.get(self.at) == Some(&b'\'') {
            self.at += 1;
        }
        &rest[..length]
    }

    /// A literal; it ends at the end of the line at the latest.
    fn quoted(&mut self, quote: u8) {
        self.at += 1;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\n' => return,
                b'\\' => self.skip(2),
                _ => self.at += 1,
            }
            if byte == quote {
                return;
            }
        }
    }

    /// `R"mark(…)mark"`
    fn raw_literal(&mut self) {
        let rest = &self.text[self.at + 2..];
        match rest.iter().take(17).position(|&byte| byte == b'(') {
            Some(length) => {
                let end = [b")", &rest[..length], b"\""].concat();
                self.skip(2 + end_of(rest, &end));
            }
            None => self.at += 2,
        }
    }

    fn directive(&mut self, found: &mut References) {
        self.is_line_start = false;
        self.at += 1;
        self.blanks();
        let line = self.line;
        let name = self.word();
        if matches!(name, b"include" | b"include_next" | b"import") {
            self.blanks();
            self.included(name, line, found);
        } else if matches!(name, b"error" | b"warning") {
            // What follows is prose, in which an apostrophe begins no literal.
            self.line_comment();
        }
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    fn included(&mut self, directive: &[u8], line: usize, found: &mut References) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let rest = &rest[..rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())];
        let (kind, target) = match rest.first() {
            Some(b'"') => (MentionKind::Quoted, until(&rest[1..], b'"')),
            Some(b'<') => (MentionKind::Angled, until(&rest[1..], b'>')),
            Some(&byte) if is_word(byte) && directive != b"import" => {
                (MentionKind::Quoted, Some(self.word()))
            }
            _ => return,
        };
        let Some(target) = target.filter(|target| !target.is_empty()) else { return };
        let kind = if directive == b"include_next" { MentionKind::Next } else { kind };
        found.mention(kind, line, &String::from_utf8_lossy(target));
        if matches!(rest.first(), Some(b'"' | b'<')) {
            self.at += target.len() + 2;
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn until(text: &[u8], end: u8) -> Option<&[u8]> {
    text.iter().position(|&byte| byte == end).map(|length| &text[..length])
}

/// How many bytes there are up to and including the mark; all, if it is missing.
fn end_of(text: &[u8], mark: &[u8]) -> usize {
    let found = text.windows(mark.len()).position(|window| window == mark);
    found.map_or(text.len(), |position| position + mark.len())
}
