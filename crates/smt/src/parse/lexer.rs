//! Tokens of SMT-LIB, read from a text without copying.

use model::SyntaxError;

/// An error at a byte position, before lines are counted.
#[derive(Debug)]
pub(crate) struct ErrorAt {
    pub(crate) position: usize,
    pub(crate) message: String,
}

impl ErrorAt {
    pub(crate) fn new(position: usize, message: impl Into<String>) -> ErrorAt {
        ErrorAt { position, message: message.into() }
    }

    /// The error with its position turned into a line and a column.
    pub(crate) fn locate(self, file: &str, text: &str) -> SyntaxError {
        SyntaxError::at_offset(file, text, self.position, self.message)
    }
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Open,
    Close,
    /// A symbol without quotes: it may be a reserved word.
    Symbol,
    /// A symbol in bars; the text is between the bars.
    QuotedSymbol,
    /// A keyword; the text has its colon.
    Keyword,
    Numeral,
    Decimal,
    /// The text has the digits only.
    Hexadecimal,
    /// The text has the digits only.
    Binary,
    /// The text is between the quotes.
    String,
    End,
}

/// A token, with where it starts and ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) kind: TokenKind,
    pub(crate) text: &'a str,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Token<'_> {
    pub(crate) fn is_name(&self) -> bool {
        matches!(self.kind, TokenKind::Symbol | TokenKind::QuotedSymbol)
    }

    /// Whether it is this reserved word. In bars it would be an ordinary symbol.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.kind == TokenKind::Symbol && self.text == word
    }

    /// How messages call it.
    pub(crate) fn describe(&self) -> String {
        match self.kind {
            TokenKind::Open => "`(`".to_owned(),
            TokenKind::Close => "`)`".to_owned(),
            TokenKind::End => "the end of the file".to_owned(),
            TokenKind::Hexadecimal => format!("`#x{}`", self.text),
            TokenKind::Binary => format!("`#b{}`", self.text),
            TokenKind::String => "a string".to_owned(),
            _ => format!("`{}`", self.text),
        }
    }

    /// The error that something else was expected here.
    pub(crate) fn unexpected(&self, expected: &str) -> ErrorAt {
        ErrorAt::new(self.start, format!("expected {expected}, found {}", self.describe()))
    }
}

const SYMBOL_BYTES: [bool; 256] = {
    let mut table = [false; 256];
    let bytes = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789~!@$%^&*_-+=<>.?/";
    let mut position = 0;
    while position < bytes.len() {
        table[bytes[position] as usize] = true;
        position += 1;
    }
    table
};

/// Reads tokens one after the other.
pub(crate) struct Lexer<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { text, position: 0 }
    }

    /// The length of the whole text.
    pub(crate) fn length(&self) -> usize {
        self.text.len()
    }

    /// The text between two positions.
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'a str {
        &self.text[start..end]
    }

    /// Where the first token at or after a position starts.
    pub(crate) fn position_after(&self, position: usize) -> usize {
        let mut lexer = Lexer { text: self.text, position };
        lexer.skip_space();
        lexer.position
    }

    /// The current position, for [`Lexer::return_to`].
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Returns to an earlier position.
    pub(crate) fn return_to(&mut self, position: usize) {
        self.position = position;
    }

    /// The next token, without passing it.
    pub(crate) fn peek(&mut self) -> Result<Token<'a>, ErrorAt> {
        let position = self.position;
        let token = self.next();
        self.position = position;
        token
    }

    /// The next token.
    pub(crate) fn next(&mut self) -> Result<Token<'a>, ErrorAt> {
        self.skip_space();
        let start = self.position;
        let bytes = self.text.as_bytes();
        let Some(&first) = bytes.get(start) else {
            return Ok(Token { kind: TokenKind::End, text: "", start, end: start });
        };
        match first {
            b'(' => Ok(self.finish(TokenKind::Open, start, start + 1, start + 1)),
            b')' => Ok(self.finish(TokenKind::Close, start, start + 1, start + 1)),
            b'|' => self.quoted(start),
            b'"' => self.string(start),
            b':' => self.keyword(start),
            b'#' => self.bits(start),
            b'0'..=b'9' => self.number(start),
            _ if SYMBOL_BYTES[first as usize] => {
                let end = self.symbol_end(start);
                Ok(self.finish(TokenKind::Symbol, start, end, end))
            }
            _ => Err(self.stray(start)),
        }
    }

    /// Skips one s-expression and returns its text.
    pub(crate) fn skip_expression(&mut self) -> Result<&'a str, ErrorAt> {
        let first = self.next()?;
        match first.kind {
            TokenKind::Open => {
                let end = self.skip_to_close(first.start)?;
                Ok(self.slice(first.start, end))
            }
            TokenKind::Close | TokenKind::End => Err(first.unexpected("an expression")),
            _ => Ok(self.slice(first.start, first.end)),
        }
    }

    /// Skips everything up to the parenthesis that closes the one at `opened`, and returns its end.
    pub(crate) fn skip_to_close(&mut self, opened: usize) -> Result<usize, ErrorAt> {
        let mut depth = 1usize;
        loop {
            let token = self.next()?;
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close if depth == 1 => return Ok(token.end),
                TokenKind::Close => depth -= 1,
                TokenKind::End => {
                    return Err(ErrorAt::new(
                        opened,
                        "expected a `)` for this `(`, found the end of the file",
                    ));
                }
                _ => {}
            }
        }
    }

    fn skip_space(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.position) {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => self.position += 1,
                b';' => {
                    let rest = &bytes[self.position..];
                    let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                    self.position += length;
                }
                _ => return,
            }
        }
    }

    /// A token whose text ends at `text_end` and which is consumed up to `end`.
    fn finish(&mut self, kind: TokenKind, text_start: usize, text_end: usize, end: usize) -> Token<'a> {
        let start = self.position;
        self.position = end;
        Token { kind, text: &self.text[text_start..text_end], start, end }
    }

    fn symbol_end(&self, start: usize) -> usize {
        let rest = &self.text.as_bytes()[start..];
        start + rest.iter().position(|byte| !SYMBOL_BYTES[*byte as usize]).unwrap_or(rest.len())
    }

    fn quoted(&mut self, start: usize) -> Result<Token<'a>, ErrorAt> {
        match self.text[start + 1..].find('|') {
            Some(length) => {
                let end = start + 1 + length;
                Ok(self.finish(TokenKind::QuotedSymbol, start + 1, end, end + 1))
            }
            None => {
                Err(ErrorAt::new(start, "expected a `|` that closes this symbol, found the end of the file"))
            }
        }
    }

    fn string(&mut self, start: usize) -> Result<Token<'a>, ErrorAt> {
        let bytes = self.text.as_bytes();
        let mut end = start + 1;
        loop {
            match bytes.get(end) {
                None => {
                    return Err(ErrorAt::new(
                        start,
                        "expected a `\"` that closes this string, found the end of the file",
                    ));
                }
                Some(b'"') if bytes.get(end + 1) == Some(&b'"') => end += 2,
                Some(b'"') => return Ok(self.finish(TokenKind::String, start + 1, end, end + 1)),
                Some(_) => end += 1,
            }
        }
    }

    fn keyword(&mut self, start: usize) -> Result<Token<'a>, ErrorAt> {
        let end = self.symbol_end(start + 1);
        if end == start + 1 {
            return Err(ErrorAt::new(start, "expected a keyword after `:`"));
        }
        Ok(self.finish(TokenKind::Keyword, start, end, end))
    }

    fn bits(&mut self, start: usize) -> Result<Token<'a>, ErrorAt> {
        let end = self.symbol_end(start + 1);
        let word = &self.text[start + 1..end];
        let digits = word.get(1..).unwrap_or_default();
        let is_binary = word.starts_with('b') && digits.bytes().all(|byte| matches!(byte, b'0' | b'1'));
        let is_hexadecimal = word.starts_with('x') && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if digits.is_empty() || !(is_binary || is_hexadecimal) {
            let message =
                format!("expected `#b` with binary digits or `#x` with hexadecimal digits, found `#{word}`");
            return Err(ErrorAt::new(start, message));
        }
        let kind = if is_binary { TokenKind::Binary } else { TokenKind::Hexadecimal };
        Ok(self.finish(kind, start + 2, end, end))
    }

    fn number(&mut self, start: usize) -> Result<Token<'a>, ErrorAt> {
        let end = self.symbol_end(start);
        let word = &self.text[start..end];
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(self.finish(TokenKind::Numeral, start, end, end));
        }
        let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        match word.split_once('.') {
            Some((whole, fraction)) if is_digits(whole) && is_digits(fraction) => {
                Ok(self.finish(TokenKind::Decimal, start, end, end))
            }
            _ => Err(ErrorAt::new(start, format!("expected a number or a symbol, found `{word}`"))),
        }
    }

    fn stray(&self, start: usize) -> ErrorAt {
        let found = self.text[start..].chars().next().unwrap_or(' ');
        ErrorAt::new(start, format!("expected a token, found the character {found:?}"))
    }
}

/// Words that cannot be symbols without quotes.
const RESERVED: &[&str] = &[
    "!",
    "_",
    "as",
    "BINARY",
    "DECIMAL",
    "exists",
    "forall",
    "HEXADECIMAL",
    "let",
    "match",
    "NUMERAL",
    "par",
    "STRING",
    "lambda",
    "choice",
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "define-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
    "echo",
    "exit",
    "get-assertions",
    "get-assignment",
    "get-info",
    "get-model",
    "get-option",
    "get-proof",
    "get-unsat-assumptions",
    "get-unsat-core",
    "get-value",
    "pop",
    "push",
    "reset",
    "reset-assertions",
    "set-info",
    "set-logic",
    "set-option",
];

/// Whether a name can be written without bars.
pub(crate) fn is_plain_symbol(name: &str) -> bool {
    let Some(first) = name.bytes().next() else { return false };
    !first.is_ascii_digit()
        && name.bytes().all(|byte| SYMBOL_BYTES[byte as usize])
        && !RESERVED.contains(&name)
}
