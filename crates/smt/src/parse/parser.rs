//! The state of the parser, and the small steps that all its parts use.

use crate::parse::lexer::{ErrorAt, Lexer, Token, TokenKind};
use crate::parse::scope::Scope;
use crate::parse::term::Frame;
use crate::print::binder_names::BinderNames;
use crate::script::{Command, Script};
use crate::term::head::{Attribute, MatchCase};
use crate::term::sort::SortId;
use crate::term::symbol::SymbolId;
use crate::term::{TermId, Terms};
use model::SyntaxError;

/// Parses a script and checks its sorts. `file_name` is used in messages only.
pub fn parse(file_name: &str, text: &str) -> Result<Script, SyntaxError> {
    if text.len() >= u32::MAX as usize {
        let message = format!("expected a file below 4 GiB, found {} bytes", text.len());
        return Err(SyntaxError { file: file_name.to_owned(), line: 1, column: 1, message });
    }
    let mut parser = Parser::new(text);
    match parser.script() {
        Ok(()) => Ok(Script { terms: parser.terms, commands: parser.commands, lines: parser.lines }),
        Err(error) => Err(error.locate(file_name, text)),
    }
}

/// The meaning of a sort name.
#[derive(Clone, Debug)]
pub(crate) enum SortMeaning {
    /// Made by `declare-sort`.
    Declared { symbol: SymbolId, arity: u32 },
    /// Made by `define-sort`. `keeps_name` means that uses cannot be expanded, because the parameters occur inside an
    /// opaque sort.
    Defined { parameters: Vec<SortId>, body: SortId, keeps_name: bool },
    /// A datatype.
    Datatype { symbol: SymbolId, arity: u32 },
    /// A sort parameter of the definition being read.
    Parameter(SortId),
}

/// Where `pop` returns to.
pub(crate) struct Level {
    functions: usize,
    sorts: usize,
}

/// The state of the parser.
pub(crate) struct Parser<'a> {
    pub(crate) lexer: Lexer<'a>,
    pub(crate) terms: Terms,
    commands: Vec<Command>,
    lines: Vec<u32>,
    /// Functions in scope, by the interned symbol of their name.
    pub(crate) functions: Scope<SymbolId>,
    pub(crate) sorts: Scope<SortMeaning>,
    pub(crate) levels: Vec<Level>,
    pub(crate) global_declarations: bool,
    /// The logic has Real and no Int, which makes numerals Real.
    pub(crate) numerals_are_real: bool,
    /// The logic has functions as values, which allows fewer arguments than parameters.
    pub(crate) is_higher_order: bool,
    /// An opaque sort was built from a sort parameter of the definition being read.
    pub(crate) opaque_parameter: bool,
    /// The length of the texts of all sorts so far, written out.
    pub(crate) sorts_length: u64,
    /// The meaning of each name that a let or a binder binds; may be shorter than the symbols.
    pub(crate) locals: Vec<Option<TermId>>,
    /// The previous entries of `locals`, restored at the end of a let or binder.
    pub(crate) shadowed: Vec<(SymbolId, Option<TermId>)>,
    /// For each name how many open binders bind a variable that prints like it.
    pub(crate) binder_counts: Vec<u32>,
    /// How many binders are open.
    pub(crate) open_binders: usize,
    pub(crate) binder_names: BinderNames,
    pub(crate) frames: Vec<Frame>,
    pub(crate) values: Vec<TermId>,
    pub(crate) let_names: Vec<SymbolId>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) cases: Vec<MatchCase>,
    counted_to: usize,
    line: u32,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parser<'a> {
        Parser {
            lexer: Lexer::new(text),
            terms: Terms::new(),
            commands: Vec::new(),
            lines: Vec::new(),
            functions: Scope::new(),
            sorts: Scope::new(),
            levels: Vec::new(),
            global_declarations: false,
            numerals_are_real: false,
            is_higher_order: false,
            opaque_parameter: false,
            sorts_length: 0,
            locals: Vec::new(),
            shadowed: Vec::new(),
            binder_counts: Vec::new(),
            open_binders: 0,
            binder_names: BinderNames::default(),
            frames: Vec::new(),
            values: Vec::new(),
            let_names: Vec::new(),
            attributes: Vec::new(),
            cases: Vec::new(),
            counted_to: 0,
            line: 1,
        }
    }

    fn script(&mut self) -> Result<(), ErrorAt> {
        loop {
            let token = self.lexer.next()?;
            match token.kind {
                TokenKind::End => return Ok(()),
                TokenKind::Open => {
                    let line = self.line_at(token.start);
                    let command = self.command(token.start)?;
                    self.commands.push(command);
                    self.lines.push(line);
                }
                _ => return Err(token.unexpected("a command that starts with `(`")),
            }
        }
    }

    fn line_at(&mut self, position: usize) -> u32 {
        let passed = self.lexer.slice(self.counted_to, position);
        self.line += passed.bytes().filter(|byte| *byte == b'\n').count() as u32;
        self.counted_to = position;
        self.line
    }

    // Small steps.

    pub(crate) fn expect_open(&mut self, what: &str) -> Result<Token<'a>, ErrorAt> {
        self.expect(TokenKind::Open, what)
    }

    pub(crate) fn expect_close(&mut self, what: &str) -> Result<Token<'a>, ErrorAt> {
        self.expect(TokenKind::Close, what)
    }

    pub(crate) fn expect_name(&mut self, what: &str) -> Result<Token<'a>, ErrorAt> {
        let token = self.lexer.next()?;
        if token.is_name() { Ok(token) } else { Err(token.unexpected(what)) }
    }

    /// A numeral that fits 32 bits.
    pub(crate) fn expect_number(&mut self, what: &str) -> Result<u32, ErrorAt> {
        let token = self.expect(TokenKind::Numeral, what)?;
        token.text.parse().map_err(|_| token.unexpected(&format!("{what} below 2^32")))
    }

    pub(crate) fn expect(&mut self, kind: TokenKind, what: &str) -> Result<Token<'a>, ErrorAt> {
        let token = self.lexer.next()?;
        if token.kind == kind { Ok(token) } else { Err(token.unexpected(what)) }
    }

    /// Consumes the next token if it is of this kind.
    pub(crate) fn accept(&mut self, kind: TokenKind) -> Result<bool, ErrorAt> {
        let is_there = self.lexer.peek()?.kind == kind;
        if is_there {
            self.lexer.next()?;
        }
        Ok(is_there)
    }

    // Levels.

    pub(crate) fn push_levels(&mut self, count: u32) {
        for _ in 0..count {
            self.levels.push(Level { functions: self.functions.mark(), sorts: self.sorts.mark() });
        }
    }

    pub(crate) fn pop_levels(&mut self, count: u32, position: usize) -> Result<(), ErrorAt> {
        let Some(left) = self.levels.len().checked_sub(count as usize) else {
            let message = format!("expected at most {} levels to pop, found {count}", self.levels.len());
            return Err(ErrorAt::new(position, message));
        };
        let popped = self.levels.drain(left..).next();
        if let Some(level) = popped
            && !self.global_declarations
        {
            self.functions.cut(level.functions);
            self.sorts.cut(level.sorts);
        }
        Ok(())
    }

    /// Forgets all levels, and all declarations unless they are global.
    pub(crate) fn reset_assertions(&mut self) {
        self.levels.clear();
        if !self.global_declarations {
            self.functions.cut(0);
            self.sorts.cut(0);
        }
    }

    /// Forgets everything but the terms.
    pub(crate) fn reset(&mut self) {
        self.global_declarations = false;
        self.numerals_are_real = false;
        self.is_higher_order = false;
        self.reset_assertions();
    }
}
