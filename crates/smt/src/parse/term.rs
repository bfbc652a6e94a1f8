//! Parses terms, with an explicit stack: terms nest as deep as memory allows.

use crate::parse::lexer::{ErrorAt, Token, TokenKind};
use crate::parse::parser::Parser;
use crate::term::TermId;
use crate::term::head::{Head, Quantifier};
use crate::term::symbol::{SymbolId, SymbolListId};
use num_bigint::BigInt;

/// The function of an application, before its arguments are known.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PendingHead {
    /// A plain name, whose meaning may depend on the sorts of the arguments.
    Name(SymbolId),
    /// A head that is already decided.
    Decided(Head),
}

/// A term that has been opened and not yet closed.
pub(crate) enum Frame {
    /// `(f ...`: the arguments are the values from `first_value` on.
    Application { head: PendingHead, first_value: usize, position: usize },
    /// `(let ((x t) ...`: one value and one name for each binding so far.
    LetBindings { first_value: usize, first_name: usize },
    /// `(let (...) ...`.
    LetBody { first_shadowed: usize },
    /// `(forall (...) ...`.
    Binder { quantifier: Quantifier, variables: SymbolListId, first_shadowed: usize, position: usize },
    /// `(! t ...`: the attributes so far and the values from `first_value` on.
    Annotation { first_value: usize, first_attribute: usize, position: usize },
    /// The list of terms of a `:pattern`; it stands above its annotation.
    AttributeTerms { first_value: usize, keyword: SymbolId },
    /// The one term of a `:no-pattern`; it stands above its annotation.
    AttributeTerm { keyword: SymbolId },
    /// `(match t ((p t) ...`: the scrutinee and bodies are the values from `first_value` on.
    Match { first_value: usize, first_case: usize, first_shadowed: usize, position: usize },
}

/// The result of a step: a value for the frame below, or nothing yet.
pub(crate) type Step = Result<Option<TermId>, ErrorAt>;

impl<'a> Parser<'a> {
    /// Reads a term.
    pub(crate) fn term(&mut self) -> Result<TermId, ErrorAt> {
        let base = self.frames.len();
        loop {
            let token = self.lexer.next()?;
            let mut value = self.term_token(token, base)?;
            while let Some(term) = value {
                if self.frames.len() == base {
                    return Ok(term);
                }
                value = self.deliver(term)?;
            }
        }
    }

    /// Reads terms up to a closing parenthesis.
    pub(crate) fn terms_to_close(&mut self) -> Result<Vec<TermId>, ErrorAt> {
        let mut terms = Vec::new();
        while !self.accept(TokenKind::Close)? {
            terms.push(self.term()?);
        }
        Ok(terms)
    }

    fn term_token(&mut self, token: Token<'a>, base: usize) -> Step {
        match token.kind {
            TokenKind::Open => self.open_term(token),
            TokenKind::Close if self.frames.len() > base => self.close_term(token),
            TokenKind::Symbol | TokenKind::QuotedSymbol => self.name_atom(token).map(Some),
            _ => self.literal(token).map(Some),
        }
    }

    fn name_atom(&mut self, token: Token<'a>) -> Result<TermId, ErrorAt> {
        let name = self.terms.intern_symbol(token.text);
        if let Some(term) = self.locals.get(name.index()).copied().flatten() {
            return self.without_open_binders(term);
        }
        self.apply_name(name, &[], token.start)
    }

    fn literal(&mut self, token: Token<'a>) -> Result<TermId, ErrorAt> {
        match token.kind {
            TokenKind::Numeral => {
                let number = parse_digits(token, 10)?;
                let value = self.terms.intern_integer(&number);
                self.make(Head::Numeral { value, real: self.numerals_are_real }, &[], token.start)
            }
            TokenKind::Decimal => match self.terms.intern_decimal(token.text) {
                Some(decimal) => self.make(Head::Decimal(decimal), &[], token.start),
                None => Err(token.unexpected("a decimal")),
            },
            TokenKind::Hexadecimal => {
                Ok(self.terms.bitvec(4 * token.text.len() as u32, &parse_digits(token, 16)?))
            }
            TokenKind::Binary => Ok(self.terms.bitvec(token.text.len() as u32, &parse_digits(token, 2)?)),
            TokenKind::String => {
                let text = self.terms.intern_symbol(token.text);
                self.make(Head::StringLiteral(text), &[], token.start)
            }
            _ => Err(token.unexpected("a term")),
        }
    }

    /// What follows an open parenthesis.
    fn open_term(&mut self, open: Token<'a>) -> Step {
        let token = self.lexer.next()?;
        match token.kind {
            TokenKind::Symbol => match token.text {
                "let" => self.open_let(),
                "forall" => self.open_binder(Quantifier::Forall, open.start),
                "exists" => self.open_binder(Quantifier::Exists, open.start),
                "lambda" => self.open_binder(Quantifier::Lambda, open.start),
                "choice" => self.open_binder(Quantifier::Choice, open.start),
                "!" => self.open_annotation(open.start),
                "match" => self.open_match(open.start),
                "_" | "as" => {
                    let head = self.compound_identifier(open, token)?;
                    self.apply(head, &[], open.start).map(Some)
                }
                _ => self.open_application(token, open.start),
            },
            TokenKind::QuotedSymbol => self.open_application(token, open.start),
            TokenKind::Open => {
                let word = self.lexer.next()?;
                if !word.is_word("_") && !word.is_word("as") {
                    return Err(word.unexpected("`_` or `as`"));
                }
                let head = self.compound_identifier(token, word)?;
                self.frames.push(Frame::Application {
                    head,
                    first_value: self.values.len(),
                    position: open.start,
                });
                Ok(None)
            }
            _ => Err(token.unexpected("the name of a function")),
        }
    }

    fn open_application(&mut self, name: Token<'a>, position: usize) -> Step {
        let head = PendingHead::Name(self.terms.intern_symbol(name.text));
        self.frames.push(Frame::Application { head, first_value: self.values.len(), position });
        Ok(None)
    }

    /// A closing parenthesis where a term could also begin.
    fn close_term(&mut self, close: Token<'a>) -> Step {
        match self.frames.pop() {
            Some(Frame::Application { head, first_value, position }) => {
                let arguments = std::mem::take(&mut self.values);
                let result = match arguments.get(first_value..) {
                    Some(own) if !own.is_empty() => self.apply(head, own, position),
                    _ => Err(close.unexpected("an argument")),
                };
                self.values = arguments;
                self.values.truncate(first_value);
                result.map(Some)
            }
            Some(Frame::AttributeTerms { first_value, keyword }) => {
                let count = (self.values.len() - first_value) as u32;
                self.attribute_terms_done(keyword, count)
            }
            _ => Err(close.unexpected("a term")),
        }
    }

    /// Passes a finished term to the innermost open one.
    fn deliver(&mut self, term: TermId) -> Step {
        match self.frames.last() {
            Some(Frame::Application { .. } | Frame::AttributeTerms { .. }) => {
                self.values.push(term);
                Ok(None)
            }
            Some(Frame::LetBindings { .. }) => self.let_value(term),
            Some(Frame::LetBody { .. }) => self.close_let(term),
            Some(Frame::Binder { .. }) => self.close_binder(term),
            Some(Frame::Annotation { .. }) => self.annotated_value(term),
            Some(Frame::AttributeTerm { .. }) => self.attribute_value(term),
            Some(Frame::Match { .. }) => self.match_value(term),
            None => Ok(Some(term)),
        }
    }

    /// The term with this head, or the error with its position.
    pub(crate) fn make(
        &mut self,
        head: Head,
        children: &[TermId],
        position: usize,
    ) -> Result<TermId, ErrorAt> {
        self.terms.make(head, children).map_err(|error| ErrorAt::new(position, error.message))
    }

    fn apply(&mut self, head: PendingHead, arguments: &[TermId], position: usize) -> Result<TermId, ErrorAt> {
        match head {
            PendingHead::Name(name) => self.apply_name(name, arguments, position),
            PendingHead::Decided(head) => self.make(head, arguments, position),
        }
    }
}

/// The value of digits that the lexer has checked.
fn parse_digits(token: Token<'_>, radix: u32) -> Result<BigInt, ErrorAt> {
    if token.text.len() <= 15
        && let Ok(small) = u64::from_str_radix(token.text, radix)
    {
        return Ok(BigInt::from(small));
    }
    BigInt::parse_bytes(token.text.as_bytes(), radix).ok_or_else(|| token.unexpected("a number"))
}
