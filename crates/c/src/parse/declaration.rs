//! Parses declarations at file scope and in blocks.

use crate::parse::attribute::Attributes;
use crate::parse::declarator::{NameMode, ParsedDeclarator};
use crate::parse::entity_table::NewEntity;
use crate::parse::error::{Parse, fail};
use crate::parse::parser::Parser;
use crate::parse::specifier::Specifiers;
use crate::parse::token::TokenKind as T;
use crate::syntax::arena::List;
use crate::syntax::{
    Declaration, Declarator, EntityId, EntityKind, ExpressionId, Linkage, StatementId, StatementKind, Storage,
};
use crate::types::{ArrayLength, Type, TypeKind};

impl Parser<'_> {
    /// Parses one item at file scope.
    pub(crate) fn external_declaration(&mut self) -> Parse<StatementId> {
        let start = self.token.span.start;
        while self.accept(T::Extension)? {}
        self.prototype_tags.clear();
        match self.keyword_here() {
            T::Semicolon => {
                self.advance()?;
                Ok(self.push_statement(StatementKind::Empty, start))
            }
            T::Asm => self.asm_statement(),
            _ => self.declaration(start, Attributes::default()),
        }
    }

    /// Parses a declaration or a function definition after attributes that were already read.
    pub(crate) fn declaration(&mut self, start: u32, leading: Attributes) -> Parse<StatementId> {
        if self.keyword_here() == T::StaticAssert {
            let condition = self.static_assert()?;
            return Ok(self.push_statement(StatementKind::StaticAssert(condition), start));
        }
        let mut specifiers = self.specifiers_after(leading)?;
        if self.at(T::Semicolon) {
            return self.declaration_without_declarator(&specifiers, start);
        }
        let is_specified = specifiers.span.start != specifiers.span.end;
        let may_lack_specifiers = self.scopes.is_at_file_scope() && self.may_begin_declarator();
        if !is_specified && !may_lack_specifiers {
            return self.expected("a declaration");
        }
        let mut declarators = Vec::new();
        loop {
            let mut attributes = specifiers.attributes.clone();
            self.attributes(&mut attributes)?;
            let declarator = self.declarator(specifiers.r#type, NameMode::Required, &mut attributes)?;
            self.declarator_ending(&mut attributes)?;
            if declarators.is_empty() && declarator.head.is_some() && self.at_function_body() {
                return self.function_definition(&specifiers, declarator, attributes, start);
            }
            declarators.push(self.init_declarator(&mut specifiers, declarator, &attributes)?);
            if !self.accept(T::Comma)? {
                break;
            }
        }
        self.expect(T::Semicolon)?;
        Ok(self.push_declaration(&specifiers, declarators, start))
    }

    fn may_begin_declarator(&self) -> bool {
        matches!(self.token.kind, T::Name | T::Star | T::LeftParenthesis)
    }

    fn push_declaration(
        &mut self,
        specifiers: &Specifiers,
        declarators: Vec<Declarator>,
        start: u32,
    ) -> StatementId {
        let declarators = self.program.declarators.push_list(declarators);
        let declaration = Declaration { specifiers: specifiers.span, base: specifiers.r#type, declarators };
        let declaration = self.program.declarations.push(declaration);
        self.push_statement(StatementKind::Declaration(declaration), start)
    }

    fn declaration_without_declarator(&mut self, specifiers: &Specifiers, start: u32) -> Parse<StatementId> {
        self.advance()?;
        if specifiers.has_type || specifiers.attributes.list.is_empty() {
            return Ok(self.push_declaration(specifiers, Vec::new(), start));
        }
        // `[[fallthrough]];` and `__attribute__((fallthrough));` are statements.
        let attributes = self.keep_attributes(&specifiers.attributes);
        Ok(self.push_statement(StatementKind::Attributes(attributes), start))
    }

    /// What may follow a declarator: `asm("name")` and attributes.
    fn declarator_ending(&mut self, attributes: &mut Attributes) -> Parse<()> {
        self.attributes(attributes)?;
        if self.accept(T::Asm)? {
            let start = self.token.span.start;
            self.skip_parentheses()?;
            let span = self.span_from(start);
            self.program.assembler_names.push(span);
            self.attributes(attributes)?;
        }
        Ok(())
    }

    fn at_function_body(&self) -> bool {
        self.at(T::LeftBrace) || self.at_specifiers()
    }

    fn init_declarator(
        &mut self,
        specifiers: &mut Specifiers,
        declarator: ParsedDeclarator,
        attributes: &Attributes,
    ) -> Parse<Declarator> {
        if specifiers.inferred && self.at(T::Assign) {
            return self.inferred_declarator(specifiers, declarator, attributes);
        }
        let entity = self.declare(specifiers, &declarator, attributes)?;
        let r#type = self.program.entities[entity].r#type;
        let mut parsed = Declarator {
            entity,
            span: declarator.span,
            name: declarator.name_span,
            r#type: declarator.r#type,
            initializer: None,
        };
        if self.at(T::Assign) {
            if self.program.entities[entity].kind == EntityKind::Typedef {
                return self.expected("`;` after a typedef");
            }
            self.advance()?;
            self.mark_initialized(entity, &parsed);
            let initializer = self.initializer(r#type)?;
            parsed.initializer = Some(initializer);
            parsed.r#type = self.completed_by_initializer(r#type, initializer);
            self.program.entities[entity].r#type = parsed.r#type;
        }
        Ok(parsed)
    }

    /// `__auto_type name = value`: the value comes first, since it cannot mention the name.
    fn inferred_declarator(
        &mut self,
        specifiers: &mut Specifiers,
        mut declarator: ParsedDeclarator,
        attributes: &Attributes,
    ) -> Parse<Declarator> {
        self.advance()?;
        let initializer = self.assignment_expression()?;
        let value = self.value_type(initializer);
        let qualifiers = specifiers.r#type.qualifiers();
        declarator.r#type = value.with(qualifiers);
        let entity = self.declare(specifiers, &declarator, attributes)?;
        let parsed = Declarator {
            entity,
            span: declarator.span,
            name: declarator.name_span,
            r#type: declarator.r#type,
            initializer: Some(initializer),
        };
        self.mark_initialized(entity, &parsed);
        Ok(parsed)
    }

    fn mark_initialized(&mut self, entity: EntityId, declarator: &Declarator) {
        let node = &mut self.program.entities[entity];
        node.is_initialized = true;
        node.span = declarator.span;
    }

    /// An array of unknown length gets the length of its initializer.
    fn completed_by_initializer(&mut self, r#type: Type, initializer: ExpressionId) -> Type {
        let TypeKind::Array { element, length: ArrayLength::Unknown } = self.program.types.kind(r#type)
        else {
            return r#type;
        };
        match self.program.types.kind(self.type_of(initializer)) {
            TypeKind::Array { length, .. } => self.types().array_of(element, length),
            _ => r#type,
        }
    }

    /// Declares the entity of a declarator.
    pub(crate) fn declare(
        &mut self,
        specifiers: &Specifiers,
        declarator: &ParsedDeclarator,
        attributes: &Attributes,
    ) -> Parse<EntityId> {
        let Some(name) = declarator.name else {
            return fail(declarator.span.start, "expected an identifier in this declarator");
        };
        let mut r#type = self.apply_to_type(declarator.r#type, attributes);
        let is_function = matches!(self.program.types.kind(r#type), TypeKind::Function { .. });
        let kind = match specifiers.storage {
            Storage::Typedef => EntityKind::Typedef,
            _ if is_function => EntityKind::Function,
            _ => EntityKind::Variable,
        };
        if kind == EntityKind::Typedef {
            if attributes.aligned != 0 {
                r#type = self.types().aligned(r#type, attributes.aligned);
            }
            self.name_by_typedef(r#type, name);
        }
        let kept = self.keep_attributes(attributes);
        self.declare_entity(NewEntity {
            name,
            kind,
            r#type,
            storage: specifiers.storage,
            thread_local: specifiers.thread_local,
            span: declarator.span,
            name_start: declarator.name_span.start,
            attributes: kept,
            is_nested_definition: false,
        })
    }

    /// An unnamed record or enumeration takes the name of its first typedef.
    fn name_by_typedef(&mut self, r#type: Type, name: crate::syntax::name::Name) {
        let types = &mut self.program.types;
        match types.kind(r#type) {
            TypeKind::Record(id) => {
                types.records[id].typedef_name.get_or_insert(name);
            }
            TypeKind::Enumeration(id) => {
                types.enumerations[id].typedef_name.get_or_insert(name);
            }
            _ => {}
        }
    }

    /// Parses `_Static_assert (…);` and returns its condition.
    pub(crate) fn static_assert(&mut self) -> Parse<ExpressionId> {
        self.advance()?;
        self.expect(T::LeftParenthesis)?;
        let condition = self.conditional_expression()?;
        if self.accept(T::Comma)? {
            self.string_literal()?;
        }
        self.expect(T::RightParenthesis)?;
        self.expect(T::Semicolon)?;
        Ok(condition)
    }

    /// Declares the types that the compiler knows.
    pub(crate) fn declare_builtin_types(&mut self) {
        let va_list = self.program.types.va_list();
        let mut builtins = vec![("__builtin_va_list", va_list)];
        if self.program.types.data_model == crate::types::DataModel::Lp64 {
            let character_pointer = self.types().pointer_to(Type::CHAR);
            builtins.push(("__builtin_sysv_va_list", va_list));
            builtins.push(("__builtin_ms_va_list", character_pointer));
            builtins.push(("__int128_t", Type::INT128));
            builtins.push(("__uint128_t", Type::UNSIGNED_INT128));
        }
        for (name, r#type) in builtins {
            let name = self.lexer.names.intern(name.as_bytes());
            let entity =
                self.new_entity(name, EntityKind::Typedef, r#type, crate::syntax::span::Span::default());
            let node = &mut self.program.entities[entity];
            node.storage = Storage::Typedef;
            node.linkage = Linkage::None;
            node.attributes = List::EMPTY;
            self.scopes.bind_implicit(name, entity);
        }
    }
}
