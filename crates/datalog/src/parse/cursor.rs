//! A position among the tokens, and the basic operations that all parsers use.

use super::error::{Failure, Parse, StatementError};
use super::lexer::{Kind, Source, Token};

/// A cursor over the tokens up to an end.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'s, 'a> {
    pub(super) source: &'s Source<'a>,
    pub(super) place: usize,
    pub(super) end: usize,
    /// The number of aggregates around the next token, which need no brackets to nest.
    pub(super) aggregates: usize,
}

impl<'s, 'a> Cursor<'s, 'a> {
    /// A cursor over the tokens from `place` up to `end`.
    pub(super) fn new(source: &'s Source<'a>, place: usize, end: usize) -> Cursor<'s, 'a> {
        Cursor { source, place, end, aggregates: 0 }
    }

    /// Returns the next token, or one of kind `End` if there is none.
    pub(super) fn token(&self) -> Token {
        let mut token = self.source.token(self.place.min(self.end));
        if self.is_done() {
            token.kind = Kind::End;
        }
        token
    }

    pub(super) fn is_done(&self) -> bool {
        self.place >= self.end
    }

    /// Returns the text of the next token, or an empty string if there is none.
    pub(super) fn text(&self) -> &'a str {
        if self.is_done() { "" } else { self.source.text(self.place) }
    }

    pub(super) fn offset(&self) -> usize {
        self.token().start()
    }

    /// Returns true if the token `ahead` places further on is this mark.
    pub(super) fn is_mark_ahead(&self, ahead: usize, mark: &str) -> bool {
        self.place + ahead < self.end && self.source.is_mark(self.place + ahead, mark)
    }

    pub(super) fn is_mark(&self, mark: &str) -> bool {
        self.is_mark_ahead(0, mark)
    }

    /// Skips a mark if it is next.
    pub(super) fn take(&mut self, mark: &str) -> bool {
        let is_next = self.is_mark(mark);
        self.place += usize::from(is_next);
        is_next
    }

    /// Skips a mark, which must be next.
    pub(super) fn expect(&mut self, mark: &str) -> Parse<()> {
        match self.take(mark) {
            true => Ok(()),
            false => self.unexpected(&format!("`{mark}`")),
        }
    }

    /// Skips a word if it is next.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let is_next = self.token().kind == Kind::Name && self.text() == word;
        self.place += usize::from(is_next);
        is_next
    }

    /// Reads a name, which must be next.
    pub(super) fn name(&mut self, what: &str) -> Parse<&'a str> {
        let text = self.text();
        match self.token().kind {
            Kind::Name => {
                self.place += 1;
                Ok(text)
            }
            _ => self.unexpected(what),
        }
    }

    /// Returns the position after the bracket that closes the next one.
    pub(super) fn after_group(&self) -> usize {
        self.token().partner().max(self.place) + 1
    }

    /// Returns an error that says what was expected and what was found.
    pub(super) fn unexpected<T>(&self, what: &str) -> Parse<T> {
        let message = match self.token().kind {
            Kind::End if self.end >= self.source.count() => {
                format!("expected {what}, found the end of the text")
            }
            Kind::End => format!("expected {what}, found the end of the statement"),
            _ => format!("expected {what}, found `{}`; is a `.` or a `,` missing before it?", self.text()),
        };
        Err(StatementError::Invalid(Failure::new(self.offset(), message)))
    }
}
