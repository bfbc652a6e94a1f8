//! Parses declarators: pointers, arrays, functions and their parameters, around a name or without one.

use crate::parse::attribute::Attributes;
use crate::parse::error::{Parse, fail};
use crate::parse::parser::Parser;
use crate::parse::token::TokenKind as T;
use crate::syntax::name::Name;
use crate::syntax::span::Span;
use crate::syntax::{EntityId, EntityKind, Linkage, ScopeId, ScopeKind};
use crate::types::{ArrayLength, FunctionStyle, Qualifiers, Type, TypeKind};

/// The most types in a type, each counted as often as it occurs when the type is written out.
const LARGEST_TYPE: u32 = 100_000;

/// Whether a declarator has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameMode {
    Required,
    Optional,
    Forbidden,
}

/// A declarator that was read.
pub(crate) struct ParsedDeclarator {
    pub(crate) name: Option<Name>,
    pub(crate) name_span: Span,
    pub(crate) r#type: Type,
    pub(crate) span: Span,
    /// The parameters, if it declares a function.
    pub(crate) head: Option<FunctionHead>,
    /// The qualifiers in the brackets of an outermost array.
    array_qualifiers: Qualifiers,
}

/// The parameter list of a function.
pub(crate) struct FunctionHead {
    pub(crate) scope: ScopeId,
    pub(crate) parameters: Vec<EntityId>,
    /// The names in a list in the style of K&R.
    pub(crate) old_style_names: Vec<(Name, Span)>,
}

/// One step from the type of the specifiers to the type of the name.
enum Layer {
    Pointer(Qualifiers),
    Array { length: ArrayLength, qualifiers: Qualifiers },
    Function { parameters: Vec<Type>, style: FunctionStyle, head: FunctionHead },
}

/// The name inside a declarator.
#[derive(Default)]
struct Inner {
    name: Option<Name>,
    span: Span,
}

impl Parser<'_> {
    /// Parses a declarator after its specifiers. Attributes inside it are added to `attributes`.
    pub(crate) fn declarator(
        &mut self,
        base: Type,
        mode: NameMode,
        attributes: &mut Attributes,
    ) -> Parse<ParsedDeclarator> {
        let start = self.token.span.start;
        let mut inner = Inner { name: None, span: Span::new(start, start) };
        let layers = self.layers(mode, &mut inner, attributes)?;
        let mut declarator = ParsedDeclarator {
            name: inner.name,
            name_span: inner.span,
            r#type: base,
            span: self.span_from(start),
            head: None,
            array_qualifiers: Qualifiers::NONE,
        };
        for layer in layers {
            self.apply_layer(&mut declarator, layer);
        }
        if self.program.types.depth(declarator.r#type) > 1000 {
            return fail(
                start,
                "expected a type with at most 1000 pointers, arrays and functions, found more",
            );
        }
        // A definition that uses the one before twice doubles it.
        if self.program.types.weight(declarator.r#type) > LARGEST_TYPE {
            let message = format!(
                "expected a type with at most {LARGEST_TYPE} parts when it is written out, found more"
            );
            return fail(start, message);
        }
        Ok(declarator)
    }

    fn apply_layer(&mut self, declarator: &mut ParsedDeclarator, layer: Layer) {
        let types = &mut self.program.types;
        declarator.head = None;
        declarator.array_qualifiers = Qualifiers::NONE;
        declarator.r#type = match layer {
            Layer::Pointer(qualifiers) => types.pointer_to(declarator.r#type).with(qualifiers),
            Layer::Array { length, qualifiers } => {
                declarator.array_qualifiers = qualifiers;
                types.array_of(declarator.r#type, length)
            }
            Layer::Function { parameters, style, head } => {
                declarator.head = Some(head);
                let result = match types.kind(declarator.r#type) {
                    TypeKind::Array { .. } => declarator.r#type,
                    _ => declarator.r#type.unqualified(),
                };
                types.function(result, &parameters, style)
            }
        };
    }

    /// The layers in the order in which they are applied to the type of the specifiers.
    fn layers(
        &mut self,
        mode: NameMode,
        inner: &mut Inner,
        attributes: &mut Attributes,
    ) -> Parse<Vec<Layer>> {
        self.attributes(attributes)?;
        let mut layers = Vec::new();
        while self.accept(T::Star)? {
            let qualifiers = self.pointer_qualifiers(attributes)?;
            layers.push(Layer::Pointer(qualifiers));
        }
        let mut inside = Vec::new();
        if self.at(T::LeftParenthesis) && self.is_grouping(mode)? {
            self.advance()?;
            inside = self.nested(|parser| parser.layers(mode, inner, attributes))?;
            self.expect(T::RightParenthesis)?;
        } else if self.at(T::Name) && mode != NameMode::Forbidden {
            let token = self.advance()?;
            *inner = Inner { name: Some(token.name), span: token.span };
        } else if mode == NameMode::Required {
            return self.expected("an identifier");
        }
        let first_suffix = layers.len();
        loop {
            if self.at(T::LeftBracket) && self.at_attributes()? {
                self.attributes(attributes)?;
            }
            match self.token.kind {
                T::LeftBracket => layers.push(self.nested(Parser::array_suffix)?),
                T::LeftParenthesis => layers.push(self.nested(Parser::function_suffix)?),
                _ => break,
            }
        }
        layers[first_suffix..].reverse();
        layers.append(&mut inside);
        Ok(layers)
    }

    fn pointer_qualifiers(&mut self, attributes: &mut Attributes) -> Parse<Qualifiers> {
        let mut qualifiers = Qualifiers::NONE;
        loop {
            if self.at_attributes()? {
                self.attributes(attributes)?;
            }
            let qualifier = match self.token.kind {
                T::Const => Qualifiers::CONST,
                T::Volatile => Qualifiers::VOLATILE,
                T::Restrict => Qualifiers::RESTRICT,
                T::Atomic => Qualifiers::ATOMIC,
                T::SegFs => Qualifiers::SEG_FS,
                T::SegGs => Qualifiers::SEG_GS,
                _ => return Ok(qualifiers),
            };
            qualifiers = qualifiers.and(qualifier);
            self.advance()?;
        }
    }

    /// Whether a parenthesis groups a declarator, rather than beginning parameters.
    fn is_grouping(&mut self, mode: NameMode) -> Parse<bool> {
        if mode == NameMode::Required {
            return Ok(true);
        }
        let next = self.peek()?;
        Ok(match next.kind {
            T::RightParenthesis | T::Ellipsis => false,
            T::Attribute => true,
            T::Name if mode == NameMode::Forbidden => false,
            _ => !self.begins_type_name(next),
        })
    }

    fn array_suffix(&mut self) -> Parse<Layer> {
        self.expect(T::LeftBracket)?;
        let mut qualifiers = Qualifiers::NONE;
        loop {
            let mut ignored = Attributes::default();
            let found = self.pointer_qualifiers(&mut ignored)?;
            qualifiers = qualifiers.and(found);
            if found.is_empty() && !self.accept(T::Static)? {
                break;
            }
        }
        let length = self.array_length()?;
        self.expect(T::RightBracket)?;
        Ok(Layer::Array { length, qualifiers })
    }

    fn array_length(&mut self) -> Parse<ArrayLength> {
        if self.at(T::RightBracket) {
            return Ok(ArrayLength::Unknown);
        }
        if self.at(T::Star) && self.peek()?.kind == T::RightBracket {
            self.advance()?;
            return Ok(ArrayLength::Star);
        }
        let start = self.token.span.start;
        let length = self.assignment_expression()?;
        match self.program.constant(length) {
            None => Ok(ArrayLength::Variable(length)),
            Some(value) => match u64::try_from(value) {
                Ok(value) => Ok(ArrayLength::Known(value)),
                Err(_) => {
                    fail(start, format!("expected an array length that is not negative, found {value}"))
                }
            },
        }
    }

    fn function_suffix(&mut self) -> Parse<Layer> {
        let start = self.expect(T::LeftParenthesis)?.span.start;
        let scope = self.open_scope(ScopeKind::Prototype, start);
        let mut head = FunctionHead { scope, parameters: Vec::new(), old_style_names: Vec::new() };
        let mut parameters = Vec::new();
        let style = self.parameters(&mut head, &mut parameters)?;
        self.expect(T::RightParenthesis)?;
        self.close_scope();
        Ok(Layer::Function { parameters, style, head })
    }

    fn parameters(&mut self, head: &mut FunctionHead, types: &mut Vec<Type>) -> Parse<FunctionStyle> {
        if self.at(T::RightParenthesis) {
            return Ok(FunctionStyle::Unspecified);
        }
        if self.at(T::Void) && self.peek()?.kind == T::RightParenthesis {
            self.advance()?;
            return Ok(FunctionStyle::Fixed);
        }
        if self.at(T::Name) && !self.at_specifiers() {
            self.old_style_names(head)?;
            return Ok(FunctionStyle::Unspecified);
        }
        loop {
            if self.accept(T::Ellipsis)? {
                return Ok(FunctionStyle::Variadic);
            }
            let r#type = self.parameter(head)?;
            types.push(r#type);
            if !self.accept(T::Comma)? {
                break;
            }
        }
        // `(void)` may also be written with a typedef of void.
        let is_void = types.len() == 1 && head.parameters.is_empty() && types[0] == Type::VOID;
        if is_void {
            types.clear();
        }
        Ok(FunctionStyle::Fixed)
    }

    fn old_style_names(&mut self, head: &mut FunctionHead) -> Parse<()> {
        loop {
            let name = self.expect_name()?;
            head.old_style_names.push((name.name, name.span));
            if !self.accept(T::Comma)? {
                return Ok(());
            }
        }
    }

    /// Parses one parameter and returns its type as the function type has it.
    fn parameter(&mut self, head: &mut FunctionHead) -> Parse<Type> {
        let start = self.token.span.start;
        let specifiers = self.specifiers()?;
        if specifiers.span.start == specifiers.span.end {
            return self.expected("the type of a parameter");
        }
        let mut attributes = specifiers.attributes;
        let declarator = self.declarator(specifiers.r#type, NameMode::Optional, &mut attributes)?;
        self.attributes(&mut attributes)?;
        let whole = self.apply_to_type(declarator.r#type, &attributes);
        let adjusted = self.types().adjusted_parameter(whole, declarator.array_qualifiers);
        if let Some(name) = declarator.name {
            let span = self.span_from(start).start..declarator.span.end;
            let span = Span::new(declarator.span.start, span.end);
            let kept = self.keep_attributes(&attributes);
            let entity = self.new_entity(name, EntityKind::Parameter, adjusted, span);
            let node = &mut self.program.entities[entity];
            node.attributes = kept;
            node.storage = specifiers.storage;
            node.linkage = Linkage::None;
            self.bind_new(name, entity, declarator.name_span.start)?;
            head.parameters.push(entity);
        }
        Ok(adjusted.unqualified())
    }

    /// Parses a type name: specifiers and a declarator without a name.
    pub(crate) fn type_name(&mut self) -> Parse<Type> {
        self.nested(|parser| {
            let specifiers = parser.specifiers()?;
            if !specifiers.has_type {
                return parser.expected("a type");
            }
            let mut attributes = Attributes::default();
            let declarator = parser.declarator(specifiers.r#type, NameMode::Forbidden, &mut attributes)?;
            parser.attributes(&mut attributes)?;
            Ok(parser.apply_to_type(declarator.r#type, &attributes))
        })
    }
}
