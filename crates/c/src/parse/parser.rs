//! The parser's state: the current token, the program being built, the open scopes, and the limit on nesting.

use crate::parse::error::{Failure, Parse, fail};
use crate::parse::lexer::Lexer;
use crate::parse::scope::{Closed, ScopeTable, Tag};
use crate::parse::token::{Token, TokenKind};
use crate::syntax::arena::{Arena, List};
use crate::syntax::line_map::LineMap;
use crate::syntax::name::{Name, NameMap, Names};
use crate::syntax::program::Program;
use crate::syntax::span::Span;
use crate::syntax::{
    EntityId, Expression, ExpressionId, ExpressionKind, FunctionId, LabelId, Scope, ScopeId, ScopeKind,
    Statement, StatementId, StatementKind,
};
use crate::types::{DataModel, Type, Types};
use model::SyntaxError;

/// How deep parentheses, blocks, initializers and declarators may nest together. A level takes less than 2 KB of stack,
/// so a thread of 2 MB suffices.
const DEEPEST: u32 = 1000;

/// Reads a text.
pub(crate) struct Parser<'a> {
    pub(crate) lexer: Lexer<'a>,
    /// The token to look at.
    pub(crate) token: Token,
    /// The token after it, if it was peeked at.
    ahead: Option<Token>,
    /// Where the token before the current one ends.
    pub(crate) previous_end: u32,
    depth: u32,
    pub(crate) program: Program,
    pub(crate) scopes: ScopeTable,
    /// The declarations of the scope closed last, kept to reuse its memory.
    pub(crate) closed: Closed,
    /// Tags declared in parameter lists, for the body that may follow.
    pub(crate) prototype_tags: Vec<(ScopeId, Name, Tag)>,
    /// Variables and functions with linkage, by name.
    pub(crate) externals: NameMap<Option<EntityId>>,
    /// The function around the current place.
    pub(crate) function: Option<FunctionId>,
    /// Labels of the current function that are not declared by `__label__`.
    pub(crate) function_labels: Vec<LabelId>,
    /// Operators and left operands that wait for their right operand.
    pub(crate) waiting_operators: Vec<crate::parse::expression::WaitingOperator>,
    /// Scratch for the units of strings.
    pub(crate) units: Vec<u32>,
}

/// Reads a preprocessed C program.
pub(crate) fn parse(name: &str, text: &[u8], data_model: DataModel) -> Result<Program, SyntaxError> {
    if u32::try_from(text.len()).is_err() {
        let message = "the text is larger than 4 GB".to_owned();
        return Err(SyntaxError { file: name.to_owned(), line: 1, column: 1, message });
    }
    let mut parser = Parser::new(name, text, data_model);
    let result = parser.translation_unit();
    parser.lexer.lines.measure(text);
    match result {
        Ok(()) => Ok(parser.finish()),
        Err(failure) => Err(locate(&parser.lexer.lines, &failure)),
    }
}

fn locate(lines: &LineMap, failure: &Failure) -> SyntaxError {
    let position = lines.position(failure.offset);
    SyntaxError {
        file: position.file.to_owned(),
        line: position.line,
        column: position.column,
        message: failure.message.clone(),
    }
}

impl<'a> Parser<'a> {
    fn new(name: &str, text: &'a [u8], data_model: DataModel) -> Parser<'a> {
        let program = empty_program(text, data_model);
        let scopes = ScopeTable::new(program.file_scope);
        Parser {
            lexer: Lexer::new(name, text),
            token: Token { kind: TokenKind::End, span: Span::default(), name: Name(0) },
            ahead: None,
            previous_end: 0,
            depth: 0,
            program,
            scopes,
            closed: Closed::default(),
            prototype_tags: Vec::new(),
            externals: NameMap::new(None),
            function: None,
            function_labels: Vec::new(),
            waiting_operators: Vec::new(),
            units: Vec::new(),
        }
    }

    fn translation_unit(&mut self) -> Parse<()> {
        self.declare_builtin_types();
        self.advance()?;
        while self.token.kind != TokenKind::End {
            let item = self.external_declaration()?;
            self.program.items.push(item);
        }
        Ok(())
    }

    fn finish(mut self) -> Program {
        let mut entities: Vec<EntityId> = Vec::new();
        for entity in self.program.entities.ids() {
            if self.program.entities[entity].scope == self.program.file_scope {
                entities.push(entity);
            }
        }
        let entities = self.program.entity_lists.push_list(entities);
        let file_scope = self.program.file_scope;
        self.program.scopes[file_scope].entities = entities;
        self.program.names = self.lexer.names;
        self.program.lines = self.lexer.lines;
        self.program.text = self.lexer.text.to_vec();
        self.program
    }

    /// Takes the current token and reads the next.
    pub(crate) fn advance(&mut self) -> Parse<Token> {
        let next = match self.ahead.take() {
            Some(token) => token,
            None => self.lexer.next()?,
        };
        self.previous_end = self.token.span.end;
        Ok(std::mem::replace(&mut self.token, next))
    }

    /// The token after the current one.
    pub(crate) fn peek(&mut self) -> Parse<Token> {
        match self.ahead {
            Some(token) => Ok(token),
            None => {
                let token = self.lexer.next()?;
                self.ahead = Some(token);
                Ok(token)
            }
        }
    }

    pub(crate) fn at(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }

    /// Takes the current token if it is of this kind.
    pub(crate) fn accept(&mut self, kind: TokenKind) -> Parse<bool> {
        if self.token.kind != kind {
            return Ok(false);
        }
        self.advance()?;
        Ok(true)
    }

    /// Takes the current token, which must be of this kind.
    pub(crate) fn expect(&mut self, kind: TokenKind) -> Parse<Token> {
        if self.token.kind == kind { self.advance() } else { self.expected(kind.description()) }
    }

    /// Takes an identifier.
    pub(crate) fn expect_name(&mut self) -> Parse<Token> {
        self.expect(TokenKind::Name)
    }

    /// The error that something else was expected here.
    pub(crate) fn expected<T>(&self, what: &str) -> Parse<T> {
        fail(self.token.span.start, format!("expected {what}, found {}", self.describe_token()))
    }

    fn describe_token(&self) -> String {
        if self.token.kind == TokenKind::End {
            return TokenKind::End.description().to_owned();
        }
        let text = String::from_utf8_lossy(&self.lexer.text[self.token.span.range()]);
        let shown: String =
            text.chars().take(40).map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        let dots = if text.chars().count() > 40 { "…" } else { "" };
        format!("`{shown}{dots}`")
    }

    /// The text of a name.
    pub(crate) fn name_text(&self, name: Name) -> String {
        self.lexer.names.text(name).into_owned()
    }

    /// Runs a part of the parser that may call itself. This is the only place where nesting is limited.
    pub(crate) fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth == DEEPEST {
            let message = format!(
                "expected at most {DEEPEST} nested levels, found more; split the expression or block"
            );
            return fail(self.token.span.start, message);
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// The bytes from an offset to the end of the last token taken.
    pub(crate) fn span_from(&self, start: u32) -> Span {
        Span::new(start, self.previous_end.max(start))
    }

    pub(crate) fn types(&mut self) -> &mut Types {
        &mut self.program.types
    }

    pub(crate) fn node(&self, expression: ExpressionId) -> &Expression {
        &self.program.expressions[expression]
    }

    pub(crate) fn type_of(&self, expression: ExpressionId) -> Type {
        self.program.expressions[expression].r#type
    }

    pub(crate) fn push_statement(&mut self, kind: StatementKind, start: u32) -> StatementId {
        let span = self.span_from(start);
        self.program.statements.push(Statement { kind, span })
    }

    /// Adds an expression that is not an lvalue, and evaluates it if it is constant.
    pub(crate) fn push(&mut self, kind: ExpressionKind, span: Span, r#type: Type) -> ExpressionId {
        let node = Expression { kind, span, r#type, is_lvalue: false, is_constant: false };
        let id = self.program.expressions.push(node);
        self.evaluate(id);
        id
    }

    /// Adds an expression that is an lvalue.
    pub(crate) fn push_lvalue(&mut self, kind: ExpressionKind, span: Span, r#type: Type) -> ExpressionId {
        let node = Expression { kind, span, r#type, is_lvalue: true, is_constant: false };
        self.program.expressions.push(node)
    }

    pub(crate) fn open_scope(&mut self, kind: ScopeKind, start: u32) -> ScopeId {
        let scope = self.program.scopes.push(Scope {
            kind,
            parent: Some(self.scopes.current()),
            function: self.function,
            span: Span::new(start, start),
            entities: List::EMPTY,
        });
        self.scopes.open(scope);
        scope
    }

    pub(crate) fn close_scope(&mut self) {
        let scope = self.scopes.current();
        let mut closed = std::mem::take(&mut self.closed);
        self.scopes.close(&mut closed);
        let entities = self.program.entity_lists.push_list(closed.entities.iter().copied());
        let end = self.previous_end;
        let node = &mut self.program.scopes[scope];
        node.entities = entities;
        node.span.end = end;
        if node.kind == ScopeKind::Prototype {
            self.prototype_tags.extend(closed.tags.iter().map(|(name, tag)| (scope, *name, *tag)));
        }
        self.closed = closed;
    }
}

fn empty_program(text: &[u8], data_model: DataModel) -> Program {
    let mut scopes = Arena::new();
    let file_scope = scopes.push(Scope {
        kind: ScopeKind::File,
        parent: None,
        function: None,
        span: Span::new(0, text.len() as u32),
        entities: List::EMPTY,
    });
    Program {
        text: Vec::new(),
        items: Vec::new(),
        file_scope,
        names: Names::default(),
        types: Types::new(data_model),
        lines: LineMap::new(""),
        expressions: Arena::new(),
        expression_lists: Arena::new(),
        statements: Arena::new(),
        statement_lists: Arena::new(),
        for_loops: Arena::new(),
        declarations: Arena::new(),
        declarators: Arena::new(),
        entities: Arena::new(),
        entity_lists: Arena::new(),
        functions: Arena::new(),
        scopes,
        labels: Arena::new(),
        label_lists: Arena::new(),
        initializer_items: Arena::new(),
        designators: Arena::new(),
        strings: Arena::new(),
        string_units: Arena::new(),
        string_lists: Arena::new(),
        attributes: Arena::new(),
        asms: Arena::new(),
        asm_operands: Arena::new(),
        assembler_names: Vec::new(),
        attribute_names: Default::default(),
        constants: Vec::new(),
    }
}
