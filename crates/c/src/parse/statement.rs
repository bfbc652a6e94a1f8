//! Parses statements.

use crate::parse::attribute::Attributes;
use crate::parse::error::{Parse, fail};
use crate::parse::parser::Parser;
use crate::parse::token::TokenKind as T;
use crate::syntax::arena::List;
use crate::syntax::name::Name;
use crate::syntax::span::Span;
use crate::syntax::{ExpressionId, ForLoop, Label, LabelId, ScopeKind, StatementId, StatementKind};

/// A label or case before a statement, up to its colon.
enum Prefix {
    Case { first: ExpressionId, last: Option<ExpressionId> },
    Default,
    Label(LabelId),
}

impl Parser<'_> {
    /// Parses `{ … }` with its own scope.
    pub(crate) fn compound_statement(&mut self) -> Parse<StatementId> {
        let start = self.token.span.start;
        if !self.at(T::LeftBrace) {
            return self.expected("`{`");
        }
        let scope = self.open_scope(ScopeKind::Block, start);
        self.advance()?;
        let mut items = Vec::new();
        while !self.at(T::RightBrace) {
            if self.at(T::End) {
                return self.expected("`}`");
            }
            items.push(self.block_item()?);
        }
        self.advance()?;
        self.close_scope();
        let items = self.program.statement_lists.push_list(items);
        Ok(self.push_statement(StatementKind::Compound { scope, items }, start))
    }

    /// Parses a declaration or a statement.
    fn block_item(&mut self) -> Parse<StatementId> {
        let start = self.token.span.start;
        if self.at(T::Label) {
            return self.label_declaration();
        }
        // `__extension__` begins a declaration or an expression; the token after it decides.
        while self.at(T::Extension) {
            let next = self.peek()?;
            if !self.begins_type_name(next) && next.kind != T::Extension {
                break;
            }
            self.advance()?;
        }
        if self.at_attributes()? {
            return self.attributed_item(start);
        }
        if self.at_declaration()? {
            self.block_declaration(start, Attributes::default())
        } else {
            self.statement()
        }
    }

    /// Whether a declaration begins here; a typedef name before a colon is a label.
    fn at_declaration(&mut self) -> Parse<bool> {
        if self.keyword_here() == T::StaticAssert {
            return Ok(!self.at(T::Name) || self.peek()?.kind == T::LeftParenthesis);
        }
        Ok(self.at_specifiers() && !(self.at(T::Name) && self.peek()?.kind == T::Colon))
    }

    /// Attributes before a declaration belong to it, and those before a semicolon are a statement of their own.
    /// Others belong to the statement after them.
    fn attributed_item(&mut self, start: u32) -> Parse<StatementId> {
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        if self.previous_end <= start {
            return self.expected("a statement");
        }
        if self.at(T::Semicolon) {
            self.advance()?;
            let attributes = self.keep_attributes(&attributes);
            return Ok(self.push_statement(StatementKind::Attributes(attributes), start));
        }
        if self.at_declaration()? {
            return self.block_declaration(start, attributes);
        }
        self.statement()
    }

    fn block_declaration(&mut self, start: u32, leading: Attributes) -> Parse<StatementId> {
        self.nested(|parser| parser.declaration(start, leading))
    }

    /// Parses a statement with the labels before it.
    pub(crate) fn statement(&mut self) -> Parse<StatementId> {
        let mut prefixes = Vec::new();
        while let Some(prefix) = self.prefix()? {
            prefixes.push(prefix);
        }
        let mut statement = match prefixes.last() {
            None => self.nested(Parser::unlabelled_statement)?,
            Some(_) => self.labelled_statement()?,
        };
        // The statement is wrapped from the inside out, so that a long list of cases does not nest while parsing.
        while let Some((prefix, start)) = prefixes.pop() {
            let kind = match prefix {
                Prefix::Case { first, last } => StatementKind::Case { first, last, body: statement },
                Prefix::Default => StatementKind::Default(statement),
                Prefix::Label(label) => StatementKind::Label { label, body: statement },
            };
            statement = self.push_statement(kind, start);
            if let Prefix::Label(label) = prefix {
                self.program.labels[label].statement = Some(statement);
            }
        }
        Ok(statement)
    }

    /// What follows a label: in C23 a declaration or nothing, too.
    fn labelled_statement(&mut self) -> Parse<StatementId> {
        let start = self.token.span.start;
        if self.at(T::RightBrace) {
            let start = self.previous_end;
            return Ok(self.push_statement(StatementKind::Empty, start));
        }
        if self.at_declaration()? {
            return self.block_declaration(start, Attributes::default());
        }
        self.nested(Parser::unlabelled_statement)
    }

    fn prefix(&mut self) -> Parse<Option<(Prefix, u32)>> {
        let start = self.token.span.start;
        let is_label = self.at(T::Name) && self.peek()?.kind == T::Colon;
        let prefix = match self.token.kind {
            T::Case => {
                self.advance()?;
                let first = self.conditional_expression()?;
                let mut last = None;
                if self.accept(T::Ellipsis)? {
                    last = Some(self.conditional_expression()?);
                }
                Prefix::Case { first, last }
            }
            T::Default => {
                self.advance()?;
                Prefix::Default
            }
            T::Name if is_label => {
                let token = self.advance()?;
                Prefix::Label(self.define_label(token.name, token.span)?)
            }
            _ => return Ok(None),
        };
        self.expect(T::Colon)?;
        if self.at_attributes()? {
            // Attributes of the label, unless a semicolon makes them a statement of their own. They change nothing.
            let mut attributes = Attributes::default();
            self.attributes(&mut attributes)?;
        }
        Ok(Some((prefix, start)))
    }

    fn unlabelled_statement(&mut self) -> Parse<StatementId> {
        let start = self.token.span.start;
        let kind = match self.token.kind {
            T::LeftBrace => return self.compound_statement(),
            T::If => return self.if_statement(),
            T::For => return self.for_statement(),
            T::Asm => return self.asm_statement(),
            T::Semicolon => {
                self.advance()?;
                StatementKind::Empty
            }
            T::While => {
                self.advance()?;
                let condition = self.parenthesized_value()?;
                let body = self.statement()?;
                StatementKind::While { condition, body }
            }
            T::Do => return self.do_statement(),
            T::Switch => {
                self.advance()?;
                let value = self.parenthesized_value()?;
                let body = self.statement()?;
                StatementKind::Switch { value, body }
            }
            T::Goto => return self.goto_statement(),
            T::Break | T::Continue => {
                let kind = self.advance()?.kind;
                self.expect(T::Semicolon)?;
                if kind == T::Break { StatementKind::Break } else { StatementKind::Continue }
            }
            T::Return => return self.return_statement(),
            T::Attribute | T::LeftBracket => return self.attributed_item(start),
            T::Else | T::Case | T::Default | T::RightBrace => return self.expected("a statement"),
            _ => {
                let value = self.expression()?;
                self.value_type(value);
                self.expect(T::Semicolon)?;
                StatementKind::Expression(value)
            }
        };
        Ok(self.push_statement(kind, start))
    }

    fn parenthesized_value(&mut self) -> Parse<ExpressionId> {
        self.expect(T::LeftParenthesis)?;
        let value = self.expression()?;
        self.value_type(value);
        self.expect(T::RightParenthesis)?;
        Ok(value)
    }

    /// Parses `if … else if … else …`; a long chain is not nested while parsing.
    fn if_statement(&mut self) -> Parse<StatementId> {
        let mut branches = Vec::new();
        let mut otherwise = None;
        while self.at(T::If) {
            let start = self.advance()?.span.start;
            let condition = self.parenthesized_value()?;
            let then = self.statement()?;
            branches.push((start, condition, then));
            if !self.accept(T::Else)? {
                break;
            }
            if !self.at(T::If) {
                // What follows this branch is a statement of its own, even if it is another `if`.
                otherwise = Some(self.statement()?);
                break;
            }
        }
        while let Some((start, condition, then)) = branches.pop() {
            let kind = StatementKind::If { condition, then, otherwise };
            otherwise = Some(self.push_statement(kind, start));
        }
        match otherwise {
            Some(statement) => Ok(statement),
            None => self.expected("`if`"),
        }
    }

    fn do_statement(&mut self) -> Parse<StatementId> {
        let start = self.advance()?.span.start;
        let body = self.statement()?;
        self.expect(T::While)?;
        let condition = self.parenthesized_value()?;
        self.expect(T::Semicolon)?;
        Ok(self.push_statement(StatementKind::DoWhile { body, condition }, start))
    }

    fn for_statement(&mut self) -> Parse<StatementId> {
        let start = self.advance()?.span.start;
        let scope = self.open_scope(ScopeKind::For, start);
        self.expect(T::LeftParenthesis)?;
        let first = self.for_first()?;
        let condition = self.optional_value(T::Semicolon)?;
        self.expect(T::Semicolon)?;
        let step = self.optional_value(T::RightParenthesis)?;
        self.expect(T::RightParenthesis)?;
        let body = self.statement()?;
        self.close_scope();
        let parts = self.program.for_loops.push(ForLoop { scope, first, condition, step, body });
        Ok(self.push_statement(StatementKind::For(parts), start))
    }

    fn for_first(&mut self) -> Parse<Option<StatementId>> {
        let start = self.token.span.start;
        if self.accept(T::Semicolon)? {
            return Ok(None);
        }
        while self.at(T::Extension) {
            let next = self.peek()?;
            if !self.begins_type_name(next) {
                break;
            }
            self.advance()?;
        }
        if self.at_specifiers() || self.at_attributes()? {
            return Ok(Some(self.declaration(start, Attributes::default())?));
        }
        let value = self.expression()?;
        self.value_type(value);
        self.expect(T::Semicolon)?;
        Ok(Some(self.push_statement(StatementKind::Expression(value), start)))
    }

    fn optional_value(&mut self, end: T) -> Parse<Option<ExpressionId>> {
        if self.at(end) {
            return Ok(None);
        }
        let value = self.expression()?;
        self.value_type(value);
        Ok(Some(value))
    }

    fn return_statement(&mut self) -> Parse<StatementId> {
        let start = self.advance()?.span.start;
        let value = self.optional_value(T::Semicolon)?;
        self.expect(T::Semicolon)?;
        Ok(self.push_statement(StatementKind::Return(value), start))
    }

    fn goto_statement(&mut self) -> Parse<StatementId> {
        let start = self.advance()?.span.start;
        let kind = if self.accept(T::Star)? {
            let target = self.expression()?;
            self.value_type(target);
            StatementKind::ComputedGoto(target)
        } else {
            let token = self.expect_name()?;
            StatementKind::Goto(self.mentioned_label(token.name, token.span))
        };
        self.expect(T::Semicolon)?;
        Ok(self.push_statement(kind, start))
    }

    /// Parses `__label__ a, b;`.
    fn label_declaration(&mut self) -> Parse<StatementId> {
        let start = self.advance()?.span.start;
        let mut labels = Vec::new();
        loop {
            let token = self.expect_name()?;
            let label = self.new_label(token.name, token.span);
            self.scopes.bind_block_label(token.name, label);
            labels.push(label);
            if !self.accept(T::Comma)? {
                break;
            }
        }
        self.expect(T::Semicolon)?;
        let labels: List<LabelId> = self.program.label_lists.push_list(labels);
        Ok(self.push_statement(StatementKind::LabelDeclaration(labels), start))
    }

    fn new_label(&mut self, name: Name, span: Span) -> LabelId {
        self.program.labels.push(Label { name, span, statement: None, address_taken: false })
    }

    /// The label of this name; a new one belongs to the whole function.
    pub(crate) fn mentioned_label(&mut self, name: Name, span: Span) -> LabelId {
        if let Some(label) = self.scopes.label(name) {
            return label;
        }
        let label = self.new_label(name, span);
        self.scopes.set_label(name, Some(label));
        self.function_labels.push(label);
        label
    }

    fn define_label(&mut self, name: Name, span: Span) -> Parse<LabelId> {
        let label = self.mentioned_label(name, span);
        if self.program.labels[label].statement.is_some() {
            let name = self.name_text(name);
            return fail(span.start, format!("the label `{name}` is defined again in the same function"));
        }
        Ok(label)
    }
}
