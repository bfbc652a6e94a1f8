//! Reading annotated terms.

use crate::parse::lexer::{ErrorAt, Token, TokenKind};
use crate::parse::parser::Parser;
use crate::parse::term::{Frame, Step};
use crate::term::TermId;
use crate::term::function::{Definition, FunctionInfo, FunctionKind};
use crate::term::head::{Attribute, AttributeValue, Head};
use crate::term::symbol::SymbolId;

impl<'a> Parser<'a> {
    pub(crate) fn open_annotation(&mut self, position: usize) -> Step {
        let (first_value, first_attribute) = (self.values.len(), self.attributes.len());
        self.frames.push(Frame::Annotation { first_value, first_attribute, position });
        Ok(None)
    }

    /// The term under the annotation has been read.
    pub(crate) fn annotated_value(&mut self, term: TermId) -> Step {
        self.values.push(term);
        self.read_attributes(term)
    }

    /// The one term of an attribute has been read.
    pub(crate) fn attribute_value(&mut self, term: TermId) -> Step {
        if let Some(Frame::AttributeTerm { keyword }) = self.frames.pop() {
            self.values.push(term);
            self.attributes.push(Attribute { keyword, value: AttributeValue::Term });
        }
        self.continue_attributes()
    }

    /// The list of terms of an attribute has been closed.
    pub(crate) fn attribute_terms_done(&mut self, keyword: SymbolId, count: u32) -> Step {
        self.attributes.push(Attribute { keyword, value: AttributeValue::Terms(count) });
        self.continue_attributes()
    }

    fn continue_attributes(&mut self) -> Step {
        match self.frames.last() {
            Some(&Frame::Annotation { first_value, .. }) => self.read_attributes(self.values[first_value]),
            _ => Ok(None),
        }
    }

    /// Reads attributes until one has terms in it, or until the annotation is closed.
    fn read_attributes(&mut self, subject: TermId) -> Step {
        loop {
            let token = self.lexer.next()?;
            match token.kind {
                TokenKind::Close => return self.close_annotation(token),
                TokenKind::Keyword => {}
                _ => return Err(token.unexpected("an attribute or `)`")),
            }
            let keyword = self.terms.intern_symbol(token.text);
            match token.text {
                ":pattern" => {
                    self.expect_open("`(` before the terms of a pattern")?;
                    self.frames.push(Frame::AttributeTerms { first_value: self.values.len(), keyword });
                    return Ok(None);
                }
                ":no-pattern" => {
                    self.frames.push(Frame::AttributeTerm { keyword });
                    return Ok(None);
                }
                ":named" => {
                    let value = AttributeValue::Name(self.name_term(subject)?);
                    self.attributes.push(Attribute { keyword, value });
                }
                _ => {
                    let value = match self.lexer.peek()?.kind {
                        TokenKind::Keyword | TokenKind::Close => AttributeValue::None,
                        _ => {
                            let text = self.lexer.skip_expression()?;
                            AttributeValue::Text(self.terms.intern_symbol(text))
                        }
                    };
                    self.attributes.push(Attribute { keyword, value });
                }
            }
        }
    }

    fn name_term(&mut self, subject: TermId) -> Result<SymbolId, ErrorAt> {
        let token = self.expect_name("the name of a term")?;
        if !self.terms.is_closed(subject) {
            let message = format!("expected a term without bound variables under the name `{}`", token.text);
            return Err(ErrorAt::new(token.start, message));
        }
        let info = FunctionInfo {
            parameters: Box::new([]),
            result: self.terms.sort(subject),
            kind: FunctionKind::Named,
            definition: Some(Definition { variables: Box::new([]), body: subject }),
            recursive: false,
            name_reused: false,
        };
        self.declare(token, info)
    }

    fn close_annotation(&mut self, close: Token<'a>) -> Step {
        let Some(Frame::Annotation { first_value, first_attribute, position }) = self.frames.pop() else {
            return Ok(None);
        };
        let attributes = self.attributes.split_off(first_attribute);
        if attributes.is_empty() {
            return Err(close.unexpected("an attribute"));
        }
        let list = self.terms.intern_attributes(&attributes);
        let children = self.values.split_off(first_value);
        self.make(Head::Annotated(list), &children, position).map(Some)
    }
}
