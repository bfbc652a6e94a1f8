//! Parses GNU and C23 attributes and keeps those that affect types.

use crate::parse::error::{Parse, fail};
use crate::parse::parser::Parser;
use crate::parse::token::TokenKind as T;
use crate::syntax::Attribute;
use crate::syntax::arena::List;
use crate::syntax::name::Name;
use crate::syntax::span::Span;
use crate::types::{FunctionStyle, IntegerKind, RealKind, Type, TypeKind};

/// The attributes of one declaration, declarator, record or statement.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attributes {
    /// All of them, by name.
    pub(crate) list: Vec<Attribute>,
    /// The greatest alignment demanded, or 0.
    pub(crate) aligned: u64,
    pub(crate) packed: bool,
    pub(crate) transparent_union: bool,
    vector_size: Option<u64>,
    mode: Option<Mode>,
}

/// The type that an attribute `mode` demands.
#[derive(Debug, Clone, Copy)]
enum Mode {
    Integer(IntegerKind),
    Real(RealKind),
    Complex(RealKind),
}

impl Attributes {
    fn changes_type(&self) -> bool {
        self.vector_size.is_some() || self.mode.is_some()
    }
}

impl Parser<'_> {
    /// Whether attributes begin here.
    pub(crate) fn at_attributes(&mut self) -> Parse<bool> {
        Ok(match self.token.kind {
            T::Attribute => true,
            T::LeftBracket => self.peek()?.kind == T::LeftBracket,
            _ => false,
        })
    }

    /// Parses any number of attribute specifiers.
    pub(crate) fn attributes(&mut self, into: &mut Attributes) -> Parse<()> {
        while self.at_attributes()? {
            if self.accept(T::Attribute)? {
                self.expect(T::LeftParenthesis)?;
                self.expect(T::LeftParenthesis)?;
                self.attribute_list(into, T::RightParenthesis)?;
                self.expect(T::RightParenthesis)?;
                self.expect(T::RightParenthesis)?;
            } else {
                self.expect(T::LeftBracket)?;
                self.expect(T::LeftBracket)?;
                self.attribute_list(into, T::RightBracket)?;
                self.expect(T::RightBracket)?;
                self.expect(T::RightBracket)?;
            }
        }
        Ok(())
    }

    /// Stores the attributes in the program.
    pub(crate) fn keep_attributes(&mut self, attributes: &Attributes) -> List<Attribute> {
        if attributes.list.is_empty() {
            return List::EMPTY;
        }
        self.program.attributes.push_list(attributes.list.iter().copied())
    }

    fn attribute_list(&mut self, into: &mut Attributes, end: T) -> Parse<()> {
        while !self.at(end) {
            if self.accept(T::Comma)? {
                continue;
            }
            self.attribute(into)?;
        }
        Ok(())
    }

    fn attribute(&mut self, into: &mut Attributes) -> Parse<()> {
        let start = self.token.span.start;
        let mut name = self.attribute_word()?;
        // A prefix such as `gnu::`, whose two colons are two tokens.
        if self.at(T::Colon) {
            self.advance()?;
            self.expect(T::Colon)?;
            name = self.attribute_word()?;
        }
        let stripped = self.strip_underscores(name);
        if self.at(T::LeftParenthesis) {
            self.attribute_arguments(stripped, into)?;
        } else {
            self.attribute_without_arguments(stripped, into);
        }
        let span = self.span_from(start);
        into.list.push(Attribute { name: stripped, span });
        self.program.attribute_names.insert(stripped);
        Ok(())
    }

    /// An identifier or a keyword: `const` is an attribute, too.
    fn attribute_word(&mut self) -> Parse<Name> {
        if self.token.kind.is_word() {
            Ok(self.advance()?.name)
        } else {
            self.expected("the name of an attribute")
        }
    }

    fn strip_underscores(&mut self, name: Name) -> Name {
        let bytes = self.lexer.names.bytes(name);
        match bytes.strip_prefix(b"__").and_then(|rest| rest.strip_suffix(b"__")) {
            Some(inner) if !inner.is_empty() => {
                let inner = inner.to_vec();
                self.lexer.names.intern(&inner)
            }
            _ => name,
        }
    }

    fn attribute_without_arguments(&mut self, name: Name, into: &mut Attributes) {
        match self.lexer.names.bytes(name) {
            b"packed" => into.packed = true,
            b"aligned" => into.aligned = into.aligned.max(16),
            b"transparent_union" => into.transparent_union = true,
            _ => {}
        }
    }

    fn attribute_arguments(&mut self, name: Name, into: &mut Attributes) -> Parse<()> {
        let kind = self.lexer.names.bytes(name).to_vec();
        match kind.as_slice() {
            b"aligned" | b"vector_size" => {
                self.advance()?;
                let value = self.attribute_number()?;
                if kind == b"aligned" {
                    into.aligned = into.aligned.max(value);
                } else {
                    into.vector_size = Some(value);
                }
                self.expect(T::RightParenthesis)?;
                Ok(())
            }
            b"mode" => {
                self.advance()?;
                let word = self.attribute_word()?;
                let word = self.strip_underscores(word);
                into.mode = self.mode(word);
                self.expect(T::RightParenthesis)?;
                Ok(())
            }
            _ => self.skip_parentheses().map(|_| ()),
        }
    }

    fn attribute_number(&mut self) -> Parse<u64> {
        let start = self.token.span.start;
        let expression = self.assignment_expression()?;
        match self.program.constant(expression).and_then(|value| u64::try_from(value).ok()) {
            Some(value) if value <= 1 << 28 => Ok(value),
            _ => fail(start, "expected a constant that is not negative and at most 2^28"),
        }
    }

    fn mode(&self, name: Name) -> Option<Mode> {
        use {IntegerKind as I, RealKind as R};
        let is_64 = self.program.types.data_model == crate::types::DataModel::Lp64;
        Some(match self.lexer.names.bytes(name) {
            b"QI" | b"byte" => Mode::Integer(I::SignedChar),
            b"HI" => Mode::Integer(I::Short),
            b"SI" => Mode::Integer(I::Int),
            b"DI" if is_64 => Mode::Integer(I::Long),
            b"DI" => Mode::Integer(I::LongLong),
            b"TI" => Mode::Integer(I::Int128),
            b"word" | b"pointer" | b"unwind_word" if is_64 => Mode::Integer(I::Long),
            b"word" | b"pointer" | b"unwind_word" => Mode::Integer(I::Int),
            b"HF" => Mode::Real(R::Float16),
            b"SF" => Mode::Real(R::Float),
            b"DF" => Mode::Real(R::Double),
            b"XF" => Mode::Real(R::LongDouble),
            b"TF" => Mode::Real(R::Float128),
            b"SC" => Mode::Complex(R::Float),
            b"DC" => Mode::Complex(R::Double),
            b"XC" => Mode::Complex(R::LongDouble),
            b"TC" => Mode::Complex(R::Float128),
            _ => return None,
        })
    }

    /// Skips from a parenthesis to the one that closes it.
    pub(crate) fn skip_parentheses(&mut self) -> Parse<Span> {
        let start = self.expect(T::LeftParenthesis)?.span;
        let mut open = 1;
        while open > 0 {
            match self.token.kind {
                T::LeftParenthesis => open += 1,
                T::RightParenthesis => open -= 1,
                T::End => return self.expected("`)`"),
                _ => {}
            }
            self.advance()?;
        }
        Ok(self.span_from(start.start))
    }

    /// The type that results from applying attributes. Those that change it reach through pointers, arrays and
    /// functions to the innermost type.
    pub(crate) fn apply_to_type(&mut self, r#type: Type, attributes: &Attributes) -> Type {
        if !attributes.changes_type() {
            return r#type;
        }
        enum Layer {
            Pointer,
            Array(crate::types::ArrayLength),
            Function(Vec<Type>, FunctionStyle),
        }
        let mut layers = Vec::new();
        let mut bottom = r#type;
        loop {
            let (layer, inner) = match self.program.types.kind(bottom) {
                TypeKind::Pointer(target) => (Layer::Pointer, target),
                TypeKind::Array { element, length } => (Layer::Array(length), element),
                TypeKind::Function { result, parameters, style } => {
                    (Layer::Function(self.program.types.parameters(parameters).to_vec(), style), result)
                }
                _ => break,
            };
            layers.push((layer, bottom.qualifiers()));
            bottom = inner;
        }
        let mut result = self.change_scalar(bottom, attributes);
        while let Some((layer, qualifiers)) = layers.pop() {
            let types = &mut self.program.types;
            result = match layer {
                Layer::Pointer => types.pointer_to(result),
                Layer::Array(length) => types.array_of(result, length),
                Layer::Function(parameters, style) => types.function(result, &parameters, style),
            }
            .with(qualifiers);
        }
        result
    }

    fn change_scalar(&mut self, scalar: Type, attributes: &Attributes) -> Type {
        let types = &mut self.program.types;
        let qualifiers = scalar.qualifiers();
        let mut result = scalar.unqualified();
        if let Some(mode) = attributes.mode {
            result = match mode {
                Mode::Integer(kind) if types.is_integer(result) && !types.is_signed(result) => {
                    Type::integer(kind.to_unsigned())
                }
                Mode::Integer(kind) => Type::integer(kind),
                Mode::Real(kind) if matches!(types.kind(result), TypeKind::Complex(_)) => {
                    types.intern(TypeKind::Complex(Type::real(kind)))
                }
                Mode::Real(kind) => Type::real(kind),
                Mode::Complex(kind) => types.intern(TypeKind::Complex(Type::real(kind))),
            };
        }
        if let Some(bytes) = attributes.vector_size {
            let size = types.size(result).unwrap_or(0);
            if size > 0 && bytes >= size {
                result = types.intern(TypeKind::Vector { element: result, lanes: (bytes / size) as u32 });
            }
        }
        result.with(qualifiers)
    }
}
