//! Parses datatype declarations, in the standard syntax and in z3's old one.

use crate::parse::lexer::{ErrorAt, Token, TokenKind};
use crate::parse::parser::{Parser, SortMeaning};
use crate::script::{Command, Constructor, Datatype, Selector};
use crate::term::function::{FunctionInfo, FunctionKind};
use crate::term::sort::{Sort, SortId};
use crate::term::symbol::SymbolId;

/// A datatype whose constructors are still to be read.
struct Header {
    symbol: SymbolId,
    arity: u32,
}

impl<'a> Parser<'a> {
    /// `(declare-datatype D body)`.
    pub(crate) fn declare_datatype(&mut self, start: usize) -> Result<Command, ErrorAt> {
        let name = self.expect_name("the name of a datatype")?;
        // The arity is known only after `par` has been read, and the body may mention the datatype.
        let arity = self.peek_parameter_count()?;
        let header = self.datatype_header(name, arity);
        let datatype = self.datatype_body(&header)?;
        self.finish_datatypes(start, vec![datatype])
    }

    /// `(declare-datatypes ((D n) ...) (body ...))`, or the old `(declare-datatypes (T ...) ((D c ...) ...))`.
    pub(crate) fn declare_datatypes(&mut self, start: usize) -> Result<Command, ErrorAt> {
        self.expect_open("`(` before the names of the datatypes")?;
        if self.lexer.peek()?.kind != TokenKind::Open {
            return self.old_datatypes(start);
        }
        let mut headers = Vec::new();
        while !self.accept(TokenKind::Close)? {
            self.expect_open("`(` before the name of a datatype")?;
            let name = self.expect_name("the name of a datatype")?;
            let arity = self.expect_number("the number of sort parameters")?;
            self.expect_close("`)` after the number of sort parameters")?;
            headers.push(self.datatype_header(name, arity));
        }
        self.expect_open("`(` before the bodies of the datatypes")?;
        let mut datatypes = Vec::new();
        for header in &headers {
            datatypes.push(self.datatype_body(header)?);
        }
        self.expect_close("`)` after as many bodies as there are names")?;
        self.finish_datatypes(start, datatypes)
    }

    fn finish_datatypes(&mut self, start: usize, datatypes: Vec<Datatype>) -> Result<Command, ErrorAt> {
        let close = self.expect_close("`)` after the datatypes")?;
        let text = self.lexer.slice(start, close.end).to_owned();
        Ok(Command::DeclareDatatypes { datatypes, text })
    }

    fn datatype_header(&mut self, name: Token<'a>, arity: u32) -> Header {
        let base = self.terms.intern_symbol(name.text);
        let symbol = self.terms.new_sort_symbol(base);
        self.sorts.add(base, SortMeaning::Datatype { symbol, arity });
        Header { symbol, arity }
    }

    /// How many parameters a `par` that comes next has.
    fn peek_parameter_count(&mut self) -> Result<u32, ErrorAt> {
        let position = self.lexer.position();
        let mut count = 0;
        if self.accept(TokenKind::Open)?
            && self.lexer.next()?.is_word("par")
            && self.accept(TokenKind::Open)?
        {
            while self.lexer.next()?.is_name() {
                count += 1;
            }
        }
        self.lexer.return_to(position);
        Ok(count)
    }

    /// `((c (s S) ...) ...)` or `(par (T ...) ((c ...) ...))`.
    fn datatype_body(&mut self, header: &Header) -> Result<Datatype, ErrorAt> {
        self.expect_open("`(` before the constructors")?;
        let mark = self.sorts.mark();
        let is_parametric = self.lexer.peek()?.is_word("par");
        if is_parametric {
            self.lexer.next()?;
            self.expect_open("`(` before the sort parameters")?;
            self.datatype_parameters()?;
            self.expect_open("`(` before the constructors")?;
        }
        let mut constructors = Vec::new();
        while !self.accept(TokenKind::Close)? {
            constructors.push(self.constructor_declaration(header)?);
        }
        if is_parametric {
            self.expect_close("`)` after `par`")?;
        }
        self.sorts.cut(mark);
        Ok(Datatype { name: header.symbol, arity: header.arity, constructors })
    }

    fn datatype_parameters(&mut self) -> Result<u32, ErrorAt> {
        let mut count = 0;
        while !self.accept(TokenKind::Close)? {
            let name = self.expect_name("a sort parameter")?;
            let name = self.terms.intern_symbol(name.text);
            self.sorts.add(name, SortMeaning::Parameter(SortId::UNKNOWN));
            count += 1;
        }
        Ok(count)
    }

    /// `(c (s S) ...)`, or a bare `c`.
    fn constructor_declaration(&mut self, header: &Header) -> Result<Constructor, ErrorAt> {
        let token = self.lexer.next()?;
        let is_bare = token.is_name();
        let name = match token.kind {
            TokenKind::Open => self.expect_name("the name of a constructor")?,
            _ if is_bare => token,
            _ => return Err(token.unexpected("a constructor")),
        };
        let result = match header.arity {
            0 => self.terms.intern_sort(Sort::Opaque(header.symbol)),
            _ => SortId::UNKNOWN,
        };
        let mut selectors = Vec::new();
        while !is_bare && !self.accept(TokenKind::Close)? {
            self.expect_open("`(` before a selector")?;
            let selector = self.expect_name("the name of a selector")?;
            let sort = self.sort()?;
            self.expect_close("`)` after the sort of a selector")?;
            let symbol = self.declare(selector, datatype_function(&[result], sort))?;
            selectors.push(Selector { name: symbol, sort });
        }
        let fields: Vec<SortId> = selectors.iter().map(|selector| selector.sort).collect();
        let name = self.declare(name, datatype_function(&fields, result))?;
        Ok(Constructor { name, selectors })
    }

    /// The old syntax; the parenthesis before the parameters has been read.
    fn old_datatypes(&mut self, start: usize) -> Result<Command, ErrorAt> {
        let mark = self.sorts.mark();
        let arity = self.datatype_parameters()?;
        self.expect_open("`(` before the datatypes")?;
        let names = self.peek_old_names()?;
        let headers: Vec<Header> = names.into_iter().map(|name| self.datatype_header(name, arity)).collect();
        let mut datatypes = Vec::new();
        for header in &headers {
            self.expect_open("`(` before a datatype")?;
            self.expect_name("the name of a datatype")?;
            let mut constructors = Vec::new();
            while !self.accept(TokenKind::Close)? {
                constructors.push(self.constructor_declaration(header)?);
            }
            datatypes.push(Datatype { name: header.symbol, arity, constructors });
        }
        self.expect_close("`)` after the datatypes")?;
        // The parameters end here; the datatypes, which came after them, stay.
        self.sorts.cut(mark);
        for header in headers {
            let base = self.terms.symbol(header.symbol).to_owned();
            let base = self.terms.intern_symbol(&base);
            self.sorts.add(base, SortMeaning::Datatype { symbol: header.symbol, arity });
        }
        self.finish_datatypes(start, datatypes)
    }

    /// The names of the datatypes that follow, declared first because the datatypes may mention each other.
    fn peek_old_names(&mut self) -> Result<Vec<Token<'a>>, ErrorAt> {
        let position = self.lexer.position();
        let mut names = Vec::new();
        while self.lexer.peek()?.kind == TokenKind::Open {
            let open = self.lexer.next()?;
            names.push(self.expect_name("the name of a datatype")?);
            self.lexer.skip_to_close(open.start)?;
        }
        self.lexer.return_to(position);
        Ok(names)
    }
}

fn datatype_function(parameters: &[SortId], result: SortId) -> FunctionInfo {
    FunctionInfo {
        parameters: parameters.into(),
        result,
        kind: FunctionKind::Datatype,
        definition: None,
        recursive: false,
        name_reused: false,
    }
}
