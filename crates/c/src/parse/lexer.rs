//! The lexer: reads one token at a time from the bytes of the text.

use crate::parse::directive::{Directive, Packing};
use crate::parse::error::{Parse, fail};
use crate::parse::token::{Token, TokenKind, initial_names};
use crate::syntax::line_map::LineMap;
use crate::syntax::name::{Name, Names};
use crate::syntax::span::Span;

/// The state of reading a text.
pub(crate) struct Lexer<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) position: usize,
    pub(crate) names: Names,
    pub(crate) lines: LineMap,
    pub(crate) packing: Packing,
    /// The keyword of each of the first names.
    keywords: Vec<TokenKind>,
    /// Whether there is only white space between the beginning of the line and the position.
    at_line_start: bool,
}

/// The roles of a byte in a token.
const START: u8 = 1;
const CONTINUE: u8 = 2;
const SPACE: u8 = 4;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => START | CONTINUE,
            b'0'..=b'9' => CONTINUE,
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => SPACE,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

fn is(byte: u8, class: u8) -> bool {
    CLASSES[byte as usize] & class != 0
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(name: &str, text: &'a [u8]) -> Lexer<'a> {
        let (names, keywords) = initial_names();
        // The text may start with a byte order mark.
        let position = if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let (lines, packing) = (LineMap::new(name), Packing::default());
        Lexer { text, position, names, lines, packing, keywords, at_line_start: true }
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.get(self.position + ahead).copied().unwrap_or(0)
    }

    /// Reads the next token.
    pub(crate) fn next(&mut self) -> Parse<Token> {
        self.skip_to_token()?;
        let start = self.position;
        let Some(&first) = self.text.get(start) else {
            return Ok(self.token(TokenKind::End, start));
        };
        if is(first, START) {
            return self.word(start);
        }
        match first {
            b'0'..=b'9' => Ok(self.number(start)),
            b'.' if self.byte(1).is_ascii_digit() => Ok(self.number(start)),
            b'"' => self.quoted(start, b'"'),
            b'\'' => self.quoted(start, b'\''),
            b'\\' if matches!(self.byte(1), b'u' | b'U') => self.word(start),
            _ => self.punctuator(start),
        }
    }

    fn token(&mut self, kind: TokenKind, start: usize) -> Token {
        self.at_line_start = false;
        Token { kind, span: Span::new(start as u32, self.position as u32), name: Name(0) }
    }

    /// Skips white space, comments and directives.
    fn skip_to_token(&mut self) -> Parse<()> {
        loop {
            match self.byte(0) {
                byte if is(byte, SPACE) => self.position += 1,
                b'\n' => {
                    self.position += 1;
                    self.at_line_start = true;
                }
                b'/' if self.byte(1) == b'*' => self.skip_comment()?,
                b'/' if self.byte(1) == b'/' => self.skip_line(),
                b'\\' if self.byte(1) == b'\n' => self.position += 2,
                b'\\' if self.byte(1) == b'\r' && self.byte(2) == b'\n' => self.position += 3,
                b'#' if self.at_line_start => self.directive()?,
                b'%' if self.at_line_start && self.byte(1) == b':' => self.directive()?,
                _ => return Ok(()),
            }
        }
    }

    fn skip_comment(&mut self) -> Parse<()> {
        let start = self.position;
        match find_comment_end(self.text, start + 2) {
            Some(end) => self.position = end,
            None => {
                return fail(
                    start as u32,
                    "expected `*/` at the end of this comment, found the end of the text",
                );
            }
        }
        Ok(())
    }

    /// Moves to the newline that ends the line; a backslash before a newline continues the line.
    pub(crate) fn skip_line(&mut self) {
        self.position = line_end(self.text, self.position);
    }

    fn directive(&mut self) -> Parse<()> {
        let start = self.position;
        self.skip_line();
        let line = &self.text[start..self.position];
        match Directive::read(line) {
            Directive::LineMarker { line, file, system } => {
                // The number is that of the line after the marker.
                let next = (self.position + 1).min(self.text.len());
                self.lines.mark(next as u32, line, file.as_deref(), system);
            }
            Directive::Pack(change) => self.packing.apply(change),
            Directive::Skipped => {}
            Directive::NeedsPreprocessor(name) => {
                let message =
                    format!("found `#{name}`: the text must be preprocessed first, for example by `gcc -E`");
                return fail(start as u32, message);
            }
            Directive::Unknown => {
                return fail(start as u32, "expected a line marker or `#pragma`, found an unknown directive");
            }
        }
        Ok(())
    }

    fn word(&mut self, start: usize) -> Parse<Token> {
        while is(self.byte(0), CONTINUE) {
            self.position += 1;
        }
        let quote = self.byte(0);
        if (quote == b'"' || quote == b'\'') && is_encoding(&self.text[start..self.position]) {
            return self.quoted(start, quote);
        }
        while self.byte(0) == b'\\' && matches!(self.byte(1), b'u' | b'U') {
            self.position += 2;
            while is(self.byte(0), CONTINUE) {
                self.position += 1;
            }
        }
        let name = self.names.intern(&self.text[start..self.position]);
        let kind = self.keywords.get(name.0 as usize).copied().unwrap_or(TokenKind::Name);
        Ok(Token { name, ..self.token(kind, start) })
    }

    fn number(&mut self, start: usize) -> Token {
        loop {
            let byte = self.byte(0);
            let is_exponent =
                matches!(byte, b'e' | b'E' | b'p' | b'P') && matches!(self.byte(1), b'+' | b'-');
            let is_separator = byte == b'\'' && self.byte(1).is_ascii_alphanumeric();
            if is_exponent || is_separator {
                self.position += 2;
            } else if byte == b'.' || is(byte, CONTINUE) {
                self.position += 1;
            } else {
                return self.token(TokenKind::Number, start);
            }
        }
    }

    /// Reads a string or character constant, from its opening quote.
    fn quoted(&mut self, start: usize, quote: u8) -> Parse<Token> {
        self.position += 1;
        loop {
            match self.text.get(self.position) {
                Some(byte) if *byte == quote => break,
                Some(b'\\') if self.byte(1) == b'\r' && self.byte(2) == b'\n' => self.position += 3,
                Some(b'\\') if self.position + 1 < self.text.len() => self.position += 2,
                Some(b'\n') | None => {
                    let quote = char::from(quote);
                    return fail(
                        start as u32,
                        format!("expected a closing `{quote}`, found the end of the line"),
                    );
                }
                Some(_) => self.position += 1,
            }
        }
        self.position += 1;
        let kind = if quote == b'"' { TokenKind::String } else { TokenKind::Character };
        Ok(self.token(kind, start))
    }

    fn punctuator(&mut self, start: usize) -> Parse<Token> {
        let bytes = [self.byte(0), self.byte(1), self.byte(2), self.byte(3)];
        let Some((kind, length)) = punctuator(bytes) else {
            return fail(start as u32, format!("expected a token, found {}", describe_byte(self.byte(0))));
        };
        self.position += length;
        Ok(self.token(kind, start))
    }
}

/// The end of the line that holds a position: its newline, or the end of the text. A backslash continues a line.
pub(crate) fn line_end(text: &[u8], from: usize) -> usize {
    let mut position = from;
    while position < text.len() {
        if text[position] == b'\n' {
            let before = text[from..position].strip_suffix(b"\r").unwrap_or(&text[from..position]);
            if before.last() != Some(&b'\\') {
                break;
            }
        }
        position += 1;
    }
    position
}

/// One past the `*/` that ends a comment.
pub(crate) fn find_comment_end(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    rest.windows(2).position(|pair| pair == b"*/").map(|index| from + index + 2)
}

fn is_encoding(prefix: &[u8]) -> bool {
    matches!(prefix, b"L" | b"u" | b"U" | b"u8")
}

fn describe_byte(byte: u8) -> String {
    if byte.is_ascii_graphic() { format!("`{}`", char::from(byte)) } else { format!("the byte {byte:#04x}") }
}

/// The longest punctuator that begins the bytes, and its length.
fn punctuator(bytes: [u8; 4]) -> Option<(TokenKind, usize)> {
    use TokenKind as T;
    let [first, second, third, _] = bytes;
    // The same with `=` after a single operator.
    let assigning = |plain, assign| if second == b'=' { (assign, 2) } else { (plain, 1) };
    Some(match first {
        b'(' => (T::LeftParenthesis, 1),
        b')' => (T::RightParenthesis, 1),
        b'[' => (T::LeftBracket, 1),
        b']' => (T::RightBracket, 1),
        b'{' => (T::LeftBrace, 1),
        b'}' => (T::RightBrace, 1),
        b',' => (T::Comma, 1),
        b';' => (T::Semicolon, 1),
        b':' if second == b'>' => (T::RightBracket, 2),
        b':' => (T::Colon, 1),
        b'?' => (T::Question, 1),
        b'~' => (T::Tilde, 1),
        b'.' if second == b'.' && third == b'.' => (T::Ellipsis, 3),
        b'.' => (T::Dot, 1),
        b'=' => assigning(T::Assign, T::Equal),
        b'!' => assigning(T::Not, T::NotEqual),
        b'*' => assigning(T::Star, T::StarAssign),
        b'/' => assigning(T::Slash, T::SlashAssign),
        b'%' if second == b'>' => (T::RightBrace, 2),
        b'%' => assigning(T::Percent, T::PercentAssign),
        b'^' => assigning(T::Caret, T::CaretAssign),
        b'+' if second == b'+' => (T::PlusPlus, 2),
        b'+' => assigning(T::Plus, T::PlusAssign),
        b'-' if second == b'-' => (T::MinusMinus, 2),
        b'-' if second == b'>' => (T::Arrow, 2),
        b'-' => assigning(T::Minus, T::MinusAssign),
        b'&' if second == b'&' => (T::AndAnd, 2),
        b'&' => assigning(T::And, T::AndAssign),
        b'|' if second == b'|' => (T::OrOr, 2),
        b'|' => assigning(T::Or, T::OrAssign),
        b'<' if second == b'<' && third == b'=' => (T::ShiftLeftAssign, 3),
        b'<' if second == b'<' => (T::ShiftLeft, 2),
        b'<' if second == b':' => (T::LeftBracket, 2),
        b'<' if second == b'%' => (T::LeftBrace, 2),
        b'<' => assigning(T::Less, T::LessEqual),
        b'>' if second == b'>' && third == b'=' => (T::ShiftRightAssign, 3),
        b'>' if second == b'>' => (T::ShiftRight, 2),
        b'>' => assigning(T::Greater, T::GreaterEqual),
        _ => return None,
    })
}
