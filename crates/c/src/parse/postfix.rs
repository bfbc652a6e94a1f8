//! Parses primary and postfix expressions.

use crate::parse::error::{Parse, fail};
use crate::parse::literal::{Number, character_value, decode, number, unquote};
use crate::parse::parser::Parser;
use crate::parse::token::{Token, TokenKind as T};
use crate::syntax::arena::List;
use crate::syntax::span::Span;
use crate::syntax::{
    Encoding, EntityId, EntityKind, ExpressionId, ExpressionKind, Linkage, StatementKind, StringId,
    StringLiteral, UnaryOperator,
};
use crate::types::{ArrayLength, FunctionStyle, Qualifiers, Type, TypeKind};

impl Parser<'_> {
    pub(crate) fn postfix_expression(&mut self) -> Parse<ExpressionId> {
        let primary = self.primary_expression()?;
        self.postfix_operators(primary)
    }

    pub(crate) fn postfix_operators(&mut self, primary: ExpressionId) -> Parse<ExpressionId> {
        let mut expression = primary;
        loop {
            expression = match self.token.kind {
                T::LeftBracket => self.index(expression)?,
                T::LeftParenthesis => self.call(expression)?,
                T::Dot | T::Arrow => self.member_access(expression)?,
                T::PlusPlus | T::MinusMinus => {
                    let is_increment = self.advance()?.kind == T::PlusPlus;
                    let operator = if is_increment {
                        UnaryOperator::PostIncrement
                    } else {
                        UnaryOperator::PostDecrement
                    };
                    let span = self.span_from(self.node(expression).span.start);
                    self.unary(operator, expression, span)?
                }
                _ => return Ok(expression),
            };
        }
    }

    fn index(&mut self, base: ExpressionId) -> Parse<ExpressionId> {
        self.advance()?;
        let index = self.expression()?;
        self.expect(T::RightBracket)?;
        let span = self.span_from(self.node(base).span.start);
        let Some(element) = self.element_type(base, index) else {
            return self.type_error(span.start, "an array or a pointer in front of `[`", &[base]);
        };
        Ok(self.push_lvalue(ExpressionKind::Index { base, index }, span, element))
    }

    /// The type of `base[index]`. Indexing an array does not expose its address.
    fn element_type(&mut self, base: ExpressionId, index: ExpressionId) -> Option<Type> {
        for (pointer, number) in [(base, index), (index, base)] {
            let r#type = self.type_of(pointer);
            let element = match self.program.types.kind(r#type) {
                TypeKind::Array { element, .. } | TypeKind::Pointer(element) => element,
                TypeKind::Vector { element, .. } => element.with(r#type.qualifiers()),
                _ => continue,
            };
            self.value_type(number);
            return Some(element);
        }
        None
    }

    fn call(&mut self, function: ExpressionId) -> Parse<ExpressionId> {
        self.advance()?;
        let mut arguments = Vec::new();
        while !self.at(T::RightParenthesis) {
            let argument = self.assignment_expression()?;
            self.value_type(argument);
            arguments.push(argument);
            if !self.accept(T::Comma)? {
                break;
            }
        }
        self.expect(T::RightParenthesis)?;
        let span = self.span_from(self.node(function).span.start);
        let r#type = self.call_type(function, &arguments, span)?;
        let arguments = self.program.expression_lists.push_list(arguments);
        Ok(self.push(ExpressionKind::Call { function, arguments }, span, r#type))
    }

    fn call_type(&mut self, function: ExpressionId, arguments: &[ExpressionId], span: Span) -> Parse<Type> {
        if let ExpressionKind::Name(entity) = self.node(function).kind
            && self.program.entities[entity].kind == EntityKind::ImplicitFunction
            && let Some(r#type) = self.generic_builtin_type(entity, arguments)
        {
            return Ok(r#type);
        }
        let r#type = self.type_of(function);
        let types = &mut self.program.types;
        let called = types.pointee(r#type).unwrap_or(r#type);
        match types.kind(called) {
            TypeKind::Function { result, .. } => Ok(types.plain(result)),
            _ => self.type_error(span.start, "a function in front of `(`", &[function]),
        }
    }

    fn member_access(&mut self, base: ExpressionId) -> Parse<ExpressionId> {
        let arrow = self.advance()?.kind == T::Arrow;
        let name = self.expect_name()?;
        let span = self.span_from(self.node(base).span.start);
        let base_type = self.type_of(base);
        let record_type = match (arrow, self.program.types.kind(base_type)) {
            (false, _) => base_type,
            (true, TypeKind::Pointer(target) | TypeKind::Array { element: target, .. }) => target,
            (true, _) => return self.type_error(span.start, "a pointer in front of `->`", &[base]),
        };
        let TypeKind::Record(record) = self.program.types.kind(record_type) else {
            return self.type_error(span.start, "a structure or union in front of the member", &[base]);
        };
        let Some(found) = self.program.types.find_member(record, name.name) else {
            return self.no_member(record_type, name);
        };
        let kept = Qualifiers::ATOMIC.and(Qualifiers::RESTRICT);
        let qualifiers = record_type.qualifiers().without(kept);
        let r#type = self.types().qualified(found.r#type, qualifiers);
        let kind = ExpressionKind::Member { base, record: found.record, index: found.index, arrow };
        let is_lvalue = arrow || self.node(base).is_lvalue;
        Ok(if is_lvalue { self.push_lvalue(kind, span, r#type) } else { self.push(kind, span, r#type) })
    }

    pub(crate) fn no_member<R>(&self, record: Type, name: Token) -> Parse<R> {
        let (record, name_text) = (self.type_text(record), self.name_text(name.name));
        fail(name.span.start, format!("expected a member of `{record}`, found `{name_text}`"))
    }

    fn primary_expression(&mut self) -> Parse<ExpressionId> {
        match self.token.kind {
            T::Name => self.name_expression(),
            T::Number => self.number_expression(),
            T::Character => self.character_expression(),
            T::String => self.string_expression(),
            T::LeftParenthesis => self.parenthesized(),
            T::FunctionName => self.function_name(),
            T::Generic => self.generic(),
            T::VaArg | T::Offsetof | T::TypesCompatible | T::Choose | T::ConvertVector | T::HasAttribute => {
                self.builtin_form()
            }
            _ => self.expected("an expression"),
        }
    }

    fn name_expression(&mut self) -> Parse<ExpressionId> {
        let token = self.advance()?;
        let entity = match self.scopes.entity(token.name) {
            Some(entity) => entity,
            None => match self.undeclared(token)? {
                Ok(entity) => entity,
                Err(constant) => return Ok(constant),
            },
        };
        let node = self.program.entities[entity];
        let kind = ExpressionKind::Name(entity);
        match node.kind {
            EntityKind::Typedef => {
                let name = self.name_text(token.name);
                fail(token.span.start, format!("expected an expression, found the type `{name}`"))
            }
            EntityKind::Variable | EntityKind::Parameter => {
                if node.function.is_some() && node.function != self.function {
                    self.program.entities[entity].address_taken = true;
                }
                Ok(self.push_lvalue(kind, token.span, node.r#type))
            }
            _ => Ok(self.push(kind, token.span, node.r#type)),
        }
    }

    /// The meaning of an undeclared name: a constant of C23, a built-in function, or a function that its call
    /// declares.
    fn undeclared(&mut self, token: Token) -> Parse<Result<EntityId, ExpressionId>> {
        let constant = match self.lexer.names.bytes(token.name) {
            b"true" => Some((ExpressionKind::Integer(1), Type::BOOL)),
            b"false" => Some((ExpressionKind::Integer(0), Type::BOOL)),
            b"nullptr" => Some((ExpressionKind::Character(0), Type::NULL_POINTER)),
            _ => None,
        };
        if let Some((kind, r#type)) = constant {
            return Ok(Err(self.push(kind, token.span, r#type)));
        }
        if self.lexer.names.bytes(token.name) == b"alignof" && self.at(T::LeftParenthesis) {
            return self.contextual_alignof(token).map(Err);
        }
        let known = self.builtin_type(token.name);
        let is_reserved = [b"__builtin_".as_slice(), b"__sync_", b"__atomic_"]
            .iter()
            .any(|prefix| self.lexer.names.bytes(token.name).starts_with(prefix));
        if known.is_none() && !is_reserved && !self.at(T::LeftParenthesis) {
            let name = self.name_text(token.name);
            return fail(token.span.start, format!("expected a declared identifier, found `{name}`"));
        }
        let r#type = match known {
            Some(r#type) => r#type,
            None => self.types().function(Type::INT, &[], FunctionStyle::Unspecified),
        };
        let entity = self.new_entity(token.name, EntityKind::ImplicitFunction, r#type, Span::default());
        let file_scope = self.program.file_scope;
        let node = &mut self.program.entities[entity];
        node.linkage = Linkage::External;
        node.function = None;
        node.scope = file_scope;
        self.scopes.bind_implicit(token.name, entity);
        self.externals.set(token.name, Some(entity));
        Ok(Ok(entity))
    }

    fn contextual_alignof(&mut self, token: Token) -> Parse<ExpressionId> {
        self.advance()?;
        let of = self.type_name()?;
        self.expect(T::RightParenthesis)?;
        let span = self.span_from(token.span.start);
        let size_type = self.program.types.size_type();
        let alignment = self.program.types.member_alignment(of);
        let id = self.push(ExpressionKind::AlignofType(of), span, size_type);
        self.set_constant(id, i128::from(alignment));
        Ok(id)
    }

    fn number_expression(&mut self) -> Parse<ExpressionId> {
        let token = self.advance()?;
        let text = &self.lexer.text[token.span.range()];
        let number = match number(text, self.program.types.data_model) {
            Ok(number) => number,
            Err(message) => return fail(token.span.start, message),
        };
        let (kind, r#type, imaginary) = match number {
            Number::Integer { value, r#type, imaginary } => {
                (ExpressionKind::Integer(value), r#type, imaginary)
            }
            Number::Real { value, r#type, imaginary } => (ExpressionKind::Real(value), r#type, imaginary),
        };
        let r#type = if imaginary { self.types().intern(TypeKind::Complex(r#type)) } else { r#type };
        Ok(self.push(kind, token.span, r#type))
    }

    fn character_expression(&mut self) -> Parse<ExpressionId> {
        let token = self.advance()?;
        let (encoding, inside) = unquote(&self.lexer.text[token.span.range()]);
        self.units.clear();
        if let Err(message) = decode(inside, encoding, &mut self.units) {
            return fail(token.span.start, message);
        }
        if self.units.is_empty() {
            return fail(token.span.start, "expected a character between the quotes");
        }
        let r#type = match encoding {
            Encoding::Plain => Type::INT,
            Encoding::Utf8 => Type::UNSIGNED_CHAR,
            Encoding::Utf16 => Type::UNSIGNED_SHORT,
            Encoding::Utf32 => Type::UNSIGNED_INT,
            Encoding::Wide => self.program.types.wide_character_type(),
        };
        let value = character_value(&self.units, encoding);
        Ok(self.push(ExpressionKind::Character(value), token.span, r#type))
    }

    fn string_expression(&mut self) -> Parse<ExpressionId> {
        let start = self.token.span.start;
        let string = self.string_literal()?;
        let StringLiteral { encoding, units } = self.program.strings[string];
        let element = match encoding {
            Encoding::Plain | Encoding::Utf8 => Type::CHAR,
            Encoding::Utf16 => Type::UNSIGNED_SHORT,
            Encoding::Utf32 => Type::UNSIGNED_INT,
            Encoding::Wide => self.program.types.wide_character_type(),
        };
        let r#type = self.types().array_of(element, ArrayLength::Known(units.len() as u64 + 1));
        let span = self.span_from(start);
        Ok(self.push_lvalue(ExpressionKind::String(string), span, r#type))
    }

    /// Parses adjacent string literals into one.
    pub(crate) fn string_literal(&mut self) -> Parse<StringId> {
        let first = self.expect(T::String)?;
        let mut encoding = unquote(&self.lexer.text[first.span.range()]).0;
        let mut spans = vec![first.span];
        while self.at(T::String) {
            let span = self.advance()?.span;
            let another = unquote(&self.lexer.text[span.range()]).0;
            encoding = if another == Encoding::Plain { encoding } else { another };
            spans.push(span);
        }
        self.units.clear();
        for span in spans {
            let inside = unquote(&self.lexer.text[span.range()]).1;
            if let Err(message) = decode(inside, encoding, &mut self.units) {
                return fail(span.start, message);
            }
        }
        let units: List<u32> = self.program.string_units.push_list(self.units.iter().copied());
        Ok(self.program.strings.push(StringLiteral { encoding, units }))
    }

    fn function_name(&mut self) -> Parse<ExpressionId> {
        let token = self.advance()?;
        let name = self.function.map(|function| {
            let entity = self.program.functions[function].entity;
            self.lexer.names.bytes(self.program.entities[entity].name).to_vec()
        });
        let name = name.unwrap_or_else(|| b"top level".to_vec());
        let units = self.program.string_units.push_list(name.iter().map(|byte| u32::from(*byte)));
        let string = self.program.strings.push(StringLiteral { encoding: Encoding::Plain, units });
        let element = Type::CHAR.with(Qualifiers::CONST);
        let r#type = self.types().array_of(element, ArrayLength::Known(name.len() as u64 + 1));
        Ok(self.push_lvalue(ExpressionKind::FunctionName(string), token.span, r#type))
    }

    /// Parses `(expression)` or `({ … })`.
    fn parenthesized(&mut self) -> Parse<ExpressionId> {
        let start = self.advance()?.span.start;
        if self.at(T::LeftBrace) {
            return self.statement_expression(start);
        }
        let inner = self.expression()?;
        self.expect(T::RightParenthesis)?;
        let span = self.span_from(start);
        self.program.expressions[inner].span = span;
        Ok(inner)
    }

    fn statement_expression(&mut self, start: u32) -> Parse<ExpressionId> {
        let body = self.compound_statement()?;
        self.expect(T::RightParenthesis)?;
        let r#type = self.last_value_type(body);
        let span = self.span_from(start);
        Ok(self.push(ExpressionKind::StatementExpression(body), span, r#type))
    }

    /// The type of the last statement of a block, if it is an expression.
    fn last_value_type(&mut self, body: crate::syntax::StatementId) -> Type {
        let StatementKind::Compound { items, .. } = self.program.statements[body].kind else {
            return Type::VOID;
        };
        let mut last = self.program.statement_lists[items].last().copied();
        while let Some(statement) = last {
            match self.program.statements[statement].kind {
                StatementKind::Expression(value) => return self.value_type(value),
                StatementKind::Label { body, .. } => last = Some(body),
                _ => break,
            }
        }
        Type::VOID
    }

    /// Parses the braces of a compound literal.
    pub(crate) fn compound_literal(&mut self, r#type: Type, start: u32) -> Parse<ExpressionId> {
        let list = self.initializer(r#type)?;
        let completed = match self.program.types.kind(r#type) {
            TypeKind::Array { length: ArrayLength::Unknown, .. } => self.type_of(list),
            _ => r#type,
        };
        let span = self.span_from(start);
        Ok(self.push_lvalue(ExpressionKind::CompoundLiteral(list), span, completed))
    }
}
