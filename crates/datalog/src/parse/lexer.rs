//! Splits a text into tokens and matches brackets.

use super::error::Failure;

/// The maximum depth of brackets, which bounds the recursion of the parsers.
pub(super) const MAX_DEPTH: usize = 200;
/// The maximum depth of operations. It is lower, because operations are printed in brackets within those of atoms and
/// aggregates.
pub(super) const MAX_OPERATION_DEPTH: usize = 190;
/// The maximum depth of aggregates. They nest without brackets, and operations nest anew within each of them.
pub(super) const MAX_AGGREGATE_DEPTH: usize = 10;

/// The languages that share this lexer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Comments as in C, and statements that begin with a dot.
    Souffle,
    /// Comments after `#`, and lines that begin with a dot, which are ignored.
    Bddbddb,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or keyword.
    Name,
    /// A dot and the word that begins a statement.
    Directive,
    /// An integer with its prefix and suffix.
    Integer,
    /// A floating-point number.
    Float,
    /// An IPv4 address, whose sign as a number depends on the word size of the engine.
    Address,
    /// A quoted string.
    Text,
    /// Anything else.
    Mark,
    /// The end of the text.
    End,
}

/// A token. Texts are smaller than 4 GiB, which keeps tokens small.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Whether it is the first of its line.
    pub(super) starts_line: bool,
    start: u32,
    end: u32,
    /// For a bracket, the index of the token that matches it.
    partner: u32,
}

impl Token {
    pub(super) fn start(self) -> usize {
        self.start as usize
    }

    pub(super) fn end(self) -> usize {
        self.end as usize
    }

    pub(super) fn partner(self) -> usize {
        self.partner as usize
    }
}

/// A text and its tokens.
pub(super) struct Source<'a> {
    text: &'a str,
    tokens: Vec<Token>,
}

impl<'a> Source<'a> {
    /// Splits a text into tokens. All brackets must match.
    pub(super) fn new(text: &'a str, dialect: Dialect) -> Result<Source<'a>, Failure> {
        if text.len() >= u32::MAX as usize {
            return Err(Failure::new(0, "expected a text smaller than 4 GiB; try splitting it"));
        }
        let mut lexer = Lexer { text, place: 0, starts_line: true, dialect, tokens: Vec::new() };
        while lexer.step()? {}
        let mut source = Source { text, tokens: lexer.tokens };
        source.match_brackets()?;
        Ok(source)
    }

    /// Returns the number of tokens.
    pub(super) fn count(&self) -> usize {
        self.tokens.len()
    }

    /// Returns a token, or an empty one of kind `End` after the last.
    pub(super) fn token(&self, place: usize) -> Token {
        let end = self.text.len() as u32;
        let last = Token { kind: Kind::End, starts_line: true, start: end, end, partner: 0 };
        self.tokens.get(place).copied().unwrap_or(last)
    }

    /// Returns the text of a token.
    pub(super) fn text(&self, place: usize) -> &'a str {
        let token = self.token(place);
        self.between(token.start(), token.end())
    }

    /// Returns the text between two offsets.
    pub(super) fn between(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Returns the text of the tokens from `first` up to but not including `end`.
    pub(super) fn range(&self, first: usize, end: usize) -> &'a str {
        match end > first {
            true => self.between(self.token(first).start(), self.token(end - 1).end()),
            false => "",
        }
    }

    /// Returns true if the token is this mark.
    pub(super) fn is_mark(&self, place: usize, mark: &str) -> bool {
        self.token(place).kind == Kind::Mark && self.text(place) == mark
    }

    fn match_brackets(&mut self) -> Result<(), Failure> {
        let mut open: Vec<(usize, &str)> = Vec::new();
        for place in 0..self.tokens.len() {
            let (text, offset) = (self.text(place), self.token(place).start());
            let closing = match (self.token(place).kind, text) {
                (Kind::Mark, "(") => ")",
                (Kind::Mark, "[") => "]",
                (Kind::Mark, "{") => "}",
                (Kind::Mark, ")" | "]" | "}") => {
                    let first = self.opening(&mut open, text, offset)?;
                    self.join(first, place);
                    continue;
                }
                _ => continue,
            };
            if open.len() >= MAX_DEPTH {
                let message =
                    format!("expected at most {MAX_DEPTH} nested brackets; try flattening this one");
                return Err(Failure::new(offset, message));
            }
            open.push((place, closing));
        }
        match open.pop() {
            None => Ok(()),
            Some((place, closing)) => {
                let message = format!("`{}` is never closed; try adding `{closing}`", self.text(place));
                Err(Failure::new(self.token(place).start(), message))
            }
        }
    }

    /// Returns the index of the bracket that this one closes.
    fn opening(&self, open: &mut Vec<(usize, &str)>, found: &str, offset: usize) -> Result<usize, Failure> {
        match open.pop() {
            Some((first, wanted)) if wanted == found => Ok(first),
            Some((first, wanted)) => {
                let opening = self.text(first);
                let message = format!("expected `{wanted}` for the `{opening}` before it, found `{found}`");
                Err(Failure::new(offset, message))
            }
            None => Err(Failure::new(offset, format!("`{found}` closes nothing; try removing it"))),
        }
    }

    fn join(&mut self, first: usize, last: usize) {
        for (place, other) in [(first, last), (last, first)] {
            if let Some(token) = self.tokens.get_mut(place) {
                token.partner = other as u32;
            }
        }
    }
}

/// The words that begin a statement after a dot.
const DIRECTIVES: [&str; 17] = [
    "decl",
    "type",
    "number_type",
    "symbol_type",
    "input",
    "output",
    "printsize",
    "limitsize",
    "plan",
    "pragma",
    "comp",
    "init",
    "functor",
    "lattice",
    "override",
    "include",
    "once",
];

/// Marks of several characters, longer ones first.
const LONG_MARKS: [&str; 13] =
    ["<->", ":-", "!=", "<=", ">=", "<:", "->", "<-", "<<", ">>", "&&", "||", "^^"];
const SHORT_MARKS: &[u8] = b"()[]{},;:.|!=<>+-*/%^&~@$?\\";

struct Lexer<'a> {
    text: &'a str,
    place: usize,
    starts_line: bool,
    dialect: Dialect,
    tokens: Vec<Token>,
}

impl<'a> Lexer<'a> {
    /// Reads a token, a comment or white space. Returns false at the end.
    fn step(&mut self) -> Result<bool, Failure> {
        let Some(byte) = self.byte(0) else { return Ok(false) };
        match byte {
            b'\n' => {
                self.starts_line = true;
                self.place += 1;
            }
            byte if byte.is_ascii_whitespace() => self.place += 1,
            b'\\' if self.continuation_length() > 0 => self.place += self.continuation_length(),
            _ if self.skip_comment()? => {}
            b'#' => self.skip_marker()?,
            b'"' => self.text_token()?,
            b'0'..=b'9' => self.number()?,
            byte if self.is_name_byte(byte) => {
                let length = self.name_length(0);
                self.push(Kind::Name, length);
            }
            b'.' => self.dot(),
            _ => self.mark()?,
        }
        Ok(true)
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.place + ahead).copied()
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.place..).unwrap_or_default()
    }

    fn push(&mut self, kind: Kind, length: usize) {
        let (start, end) = (self.place as u32, (self.place + length) as u32);
        self.tokens.push(Token { kind, starts_line: self.starts_line, start, end, partner: 0 });
        self.starts_line = false;
        self.place += length;
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, Failure> {
        Err(Failure::new(self.place, message))
    }

    /// Names may contain question marks in Soufflé; in bddbddb these end queries.
    fn is_name_byte(&self, byte: u8) -> bool {
        let is_question = byte == b'?' && self.dialect == Dialect::Souffle;
        byte.is_ascii_alphanumeric() || byte == b'_' || is_question
    }

    fn name_length(&self, ahead: usize) -> usize {
        let bytes = self.text.as_bytes().get(self.place + ahead..).unwrap_or_default();
        bytes.iter().take_while(|byte| self.is_name_byte(**byte)).count()
    }

    /// Returns the length of a line continuation, if the language has them.
    fn continuation_length(&self) -> usize {
        match (self.dialect, self.byte(1), self.byte(2)) {
            (Dialect::Bddbddb, Some(b'\n'), _) => 2,
            (Dialect::Bddbddb, Some(b'\r'), Some(b'\n')) => 3,
            _ => 0,
        }
    }

    fn skip_line(&mut self) {
        self.place += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    /// Skips a comment, if there is one.
    fn skip_comment(&mut self) -> Result<bool, Failure> {
        let rest = self.rest();
        if self.dialect == Dialect::Bddbddb {
            if self.starts_line && rest.starts_with(".include") {
                return self
                    .fail("expected all statements in one file; try inserting the included file here");
            }
            let is_setting = self.starts_line && rest.starts_with('.') && self.name_length(1) > 0;
            let is_comment = rest.starts_with('#') || is_setting;
            if is_comment {
                self.skip_line();
            }
            return Ok(is_comment);
        }
        if rest.starts_with("//") {
            self.skip_line();
            return Ok(true);
        }
        if !rest.starts_with("/*") {
            return Ok(false);
        }
        match rest.get(2..).and_then(|inside| inside.find("*/")) {
            Some(length) => self.place += length + 4,
            None => return self.fail("the comment is never closed; try adding `*/`"),
        }
        Ok(true)
    }

    /// Skips a line marker of a preprocessor.
    fn skip_marker(&mut self) -> Result<(), Failure> {
        let line = self.rest().lines().next().unwrap_or_default();
        let word = line.trim_start_matches('#').trim_start();
        if !self.starts_line
            || !(word.starts_with("line") || word.starts_with(|it: char| it.is_ascii_digit()))
        {
            return self.fail("expected a text without macros; try running a C preprocessor on it first");
        }
        self.skip_line();
        Ok(())
    }

    fn text_token(&mut self) -> Result<(), Failure> {
        let mut length = 1;
        loop {
            match self.byte(length) {
                Some(b'"') => break,
                Some(b'\\') if self.byte(length + 1).is_some_and(|it| it != b'\n') => length += 2,
                Some(b'\n') | None => return self.fail("the string is never closed; try adding `\"`"),
                Some(_) => length += 1,
            }
        }
        self.push(Kind::Text, length + 1);
        Ok(())
    }

    fn digits(&self, ahead: usize) -> usize {
        let bytes = self.text.as_bytes().get(self.place + ahead..).unwrap_or_default();
        bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
    }

    fn number(&mut self) -> Result<(), Failure> {
        let mut length = self.digits(0);
        let mut kind = Kind::Integer;
        let is_prefixed = length == 1 && matches!(self.byte(1), Some(b'x' | b'X' | b'b' | b'B'));
        if is_prefixed {
            length = self.name_length(0);
        } else {
            if self.byte(length) == Some(b'.') && self.digits(length + 1) > 0 {
                length += 1 + self.digits(length + 1);
                kind = Kind::Float;
            }
            let address = self.address_length(length);
            if kind == Kind::Float && address > 0 {
                length += address;
                kind = Kind::Address;
            }
            let exponent = if kind == Kind::Address { 0 } else { self.exponent_length(length) };
            if exponent > 0 {
                length += exponent;
                kind = Kind::Float;
            }
            if kind == Kind::Integer && matches!(self.byte(length), Some(b'u' | b'U')) {
                length += 1;
            }
        }
        if self.byte(length).is_some_and(|byte| self.is_name_byte(byte)) {
            return self.fail("expected a number, found one followed by letters; try a space between them");
        }
        self.push(kind, length);
        Ok(())
    }

    /// Returns the length of the last two numbers of an IPv4 address.
    fn address_length(&self, ahead: usize) -> usize {
        let mut length = 0;
        for _ in 0..2 {
            let digits = self.digits(ahead + length + 1);
            if self.byte(ahead + length) != Some(b'.') || digits == 0 {
                return 0;
            }
            length += 1 + digits;
        }
        length
    }

    fn exponent_length(&self, ahead: usize) -> usize {
        if !matches!(self.byte(ahead), Some(b'e' | b'E')) {
            return 0;
        }
        let sign = usize::from(matches!(self.byte(ahead + 1), Some(b'+' | b'-')));
        match self.digits(ahead + 1 + sign) {
            0 => 0,
            digits => 1 + sign + digits,
        }
    }

    fn dot(&mut self) {
        let length = self.name_length(1);
        let word = self.rest().get(1..=length).unwrap_or_default();
        match self.dialect == Dialect::Souffle && DIRECTIVES.contains(&word) {
            true => self.push(Kind::Directive, length + 1),
            false => self.push(Kind::Mark, 1),
        }
    }

    fn mark(&mut self) -> Result<(), Failure> {
        let rest = self.rest();
        if let Some(mark) = LONG_MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            self.push(Kind::Mark, mark.len());
            return Ok(());
        }
        match rest.chars().next() {
            Some(letter) if u8::try_from(letter).is_ok_and(|byte| SHORT_MARKS.contains(&byte)) => {
                self.push(Kind::Mark, 1);
                Ok(())
            }
            letter => {
                let letter = letter.unwrap_or_default().escape_debug().to_string();
                self.fail(format!("expected a name, a number or a sign, found `{letter}`"))
            }
        }
    }
}
