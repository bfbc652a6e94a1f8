//! Parses function definitions.

use crate::parse::attribute::Attributes;
use crate::parse::declarator::{NameMode, ParsedDeclarator};
use crate::parse::entity_table::NewEntity;
use crate::parse::error::{Parse, fail};
use crate::parse::parser::Parser;
use crate::parse::scope::Tag;
use crate::parse::specifier::Specifiers;
use crate::parse::token::TokenKind as T;
use crate::syntax::arena::List;
use crate::syntax::span::Span;
use crate::syntax::{
    EntityId, EntityKind, Function, FunctionId, LabelId, Linkage, ScopeId, ScopeKind, Statement, StatementId,
    StatementKind,
};
use crate::types::{Qualifiers, Type};

impl Parser<'_> {
    /// Parses the body of a function after its declarator.
    pub(crate) fn function_definition(
        &mut self,
        specifiers: &Specifiers,
        declarator: ParsedDeclarator,
        attributes: Attributes,
        start: u32,
    ) -> Parse<StatementId> {
        let entity = self.declare_function(specifiers, &declarator, &attributes)?;
        let Some(head) = declarator.head else {
            return self.expected("the parameters of the function");
        };
        // The body is not known before it is parsed. Until then the function's own statement takes its place.
        let statement = self.push_statement(StatementKind::Empty, start);
        let function = self.program.functions.push(Function {
            entity,
            nested_in: self.function,
            scope: head.scope,
            parameters: List::EMPTY,
            body: statement,
            span: Span::new(start, start),
            old_style: !head.old_style_names.is_empty(),
        });
        let outer_function = self.function.replace(function);
        let outer_labels = self.hide_labels();
        self.reopen_parameters(head.scope, function);
        let mut parameters = head.parameters;
        if !self.at(T::LeftBrace) || !head.old_style_names.is_empty() {
            parameters = self.old_style_parameters(&head.old_style_names)?;
        }
        for parameter in &parameters {
            self.program.entities[*parameter].function = Some(function);
        }
        let body = self.nested(|parser| parser.compound_statement())?;
        self.close_scope();
        self.show_labels(outer_labels)?;
        self.function = outer_function;
        let parameters = self.program.entity_lists.push_list(parameters);
        let span = self.span_from(start);
        let node = &mut self.program.functions[function];
        node.body = body;
        node.parameters = parameters;
        node.span = span;
        self.program.statements[statement] = Statement { kind: StatementKind::Function(function), span };
        Ok(statement)
    }

    fn declare_function(
        &mut self,
        specifiers: &Specifiers,
        declarator: &ParsedDeclarator,
        attributes: &Attributes,
    ) -> Parse<EntityId> {
        let Some(name) = declarator.name else {
            return fail(declarator.span.start, "expected the name of the function");
        };
        let r#type = self.apply_to_type(declarator.r#type, attributes);
        let attributes = self.keep_attributes(attributes);
        let entity = self.declare_entity(NewEntity {
            name,
            kind: EntityKind::Function,
            r#type,
            storage: specifiers.storage,
            thread_local: false,
            span: declarator.span,
            name_start: declarator.name_span.start,
            attributes,
            is_nested_definition: self.function.is_some(),
        })?;
        let node = &mut self.program.entities[entity];
        node.is_initialized = true;
        node.span = declarator.span;
        Ok(entity)
    }

    /// Turns the scope of the prototype into that of the definition, with everything that the parameter list
    /// declared.
    fn reopen_parameters(&mut self, scope: ScopeId, function: FunctionId) {
        let node = &mut self.program.scopes[scope];
        node.kind = ScopeKind::Parameters;
        node.function = Some(function);
        let entities = node.entities;
        self.scopes.open(scope);
        for index in 0..entities.len() {
            let entity = self.program.entity_lists[entities][index];
            self.scopes.bind_entity(self.program.entities[entity].name, entity);
        }
        let tags: Vec<(crate::syntax::name::Name, Tag)> = self
            .prototype_tags
            .iter()
            .filter(|(of, ..)| *of == scope)
            .map(|(_, name, tag)| (*name, *tag))
            .collect();
        for (name, tag) in tags {
            self.scopes.bind_tag(name, tag);
        }
    }

    /// Parses the declarations between a parameter list in the style of K&R and the body.
    fn old_style_parameters(&mut self, names: &[(crate::syntax::name::Name, Span)]) -> Parse<Vec<EntityId>> {
        while !self.at(T::LeftBrace) {
            self.old_style_declaration(names)?;
        }
        let mut parameters = Vec::new();
        for (name, span) in names {
            let entity = match self.scopes.entity_here(*name) {
                Some(entity) => entity,
                None => self.old_style_parameter(*name, Type::INT, *span)?,
            };
            parameters.push(entity);
        }
        Ok(parameters)
    }

    fn old_style_declaration(&mut self, names: &[(crate::syntax::name::Name, Span)]) -> Parse<()> {
        let specifiers = self.specifiers()?;
        if specifiers.span.start == specifiers.span.end {
            return self.expected("`{` or the declaration of a parameter");
        }
        while !self.at(T::Semicolon) {
            let mut attributes = specifiers.attributes.clone();
            let declarator = self.declarator(specifiers.r#type, NameMode::Required, &mut attributes)?;
            self.attributes(&mut attributes)?;
            let Some(name) = declarator.name.filter(|name| names.iter().any(|(listed, _)| listed == name))
            else {
                return fail(declarator.name_span.start, "expected the declaration of a listed parameter");
            };
            let whole = self.apply_to_type(declarator.r#type, &attributes);
            let adjusted = self.types().adjusted_parameter(whole, Qualifiers::NONE);
            self.old_style_parameter(name, adjusted, declarator.span)?;
            if !self.accept(T::Comma)? {
                break;
            }
        }
        self.expect(T::Semicolon)?;
        Ok(())
    }

    fn old_style_parameter(
        &mut self,
        name: crate::syntax::name::Name,
        r#type: Type,
        span: Span,
    ) -> Parse<EntityId> {
        let entity = self.new_entity(name, EntityKind::Parameter, r#type, span);
        self.program.entities[entity].linkage = Linkage::None;
        self.bind_new(name, entity, span.start)?;
        Ok(entity)
    }

    /// Removes the labels of the enclosing function from the scope, and returns them.
    fn hide_labels(&mut self) -> Vec<LabelId> {
        let outer = std::mem::take(&mut self.function_labels);
        for label in &outer {
            self.scopes.set_label(self.program.labels[*label].name, None);
        }
        outer
    }

    /// Ends the labels of a function, which must all be defined, and restores those of the enclosing function.
    fn show_labels(&mut self, outer: Vec<LabelId>) -> Parse<()> {
        let inner = std::mem::replace(&mut self.function_labels, outer);
        for label in inner {
            let node = self.program.labels[label];
            if node.statement.is_none() {
                let name = self.name_text(node.name);
                return fail(
                    node.span.start,
                    format!("expected a definition of the label `{name}` in this function"),
                );
            }
            self.scopes.set_label(node.name, None);
        }
        for index in 0..self.function_labels.len() {
            let label = self.function_labels[index];
            self.scopes.set_label(self.program.labels[label].name, Some(label));
        }
        Ok(())
    }
}
