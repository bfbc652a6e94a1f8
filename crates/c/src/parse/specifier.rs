//! Parses declaration specifiers: storage classes, qualifiers, and the words that make a type.

use crate::parse::attribute::Attributes;
use crate::parse::error::{Parse, fail};
use crate::parse::parser::Parser;
use crate::parse::token::{TokenKind as T, contextual_keyword};
use crate::syntax::name::Name;
use crate::syntax::span::Span;
use crate::syntax::{EntityKind, Storage};
use crate::types::{IntegerKind, Qualifiers, RealKind, Type, TypeKind};

/// The parsed specifiers of a declaration.
#[derive(Debug)]
pub(crate) struct Specifiers {
    pub(crate) r#type: Type,
    /// Whether a type was written. Without one it is `int`.
    pub(crate) has_type: bool,
    /// Whether the initializer decides the type.
    pub(crate) inferred: bool,
    pub(crate) storage: Storage,
    pub(crate) thread_local: bool,
    pub(crate) attributes: Attributes,
    pub(crate) span: Span,
}

/// The specifiers while they are read.
#[derive(Default)]
struct Words {
    base: Option<T>,
    complete: Option<Type>,
    signed: bool,
    unsigned: bool,
    short: bool,
    longs: u32,
    complex: bool,
    auto_type: bool,
    qualifiers: Qualifiers,
}

impl Words {
    fn has_type(&self) -> bool {
        let has_word = self.base.is_some() || self.signed || self.unsigned || self.short;
        self.complete.is_some() || has_word || self.longs > 0 || self.complex || self.auto_type
    }
}

impl Parser<'_> {
    /// The kind of the current token, where a word of C23 counts as the keyword unless the program declares it.
    pub(crate) fn keyword_here(&self) -> T {
        match self.token.kind {
            T::Name => self.keyword_of(self.token.name).unwrap_or(T::Name),
            kind => kind,
        }
    }

    fn keyword_of(&self, name: Name) -> Option<T> {
        contextual_keyword(name).filter(|_| self.scopes.entity(name).is_none())
    }

    pub(crate) fn is_typedef_name(&self, name: Name) -> bool {
        self.scopes
            .entity(name)
            .is_some_and(|entity| self.program.entities[entity].kind == EntityKind::Typedef)
    }

    /// Whether the current token begins declaration specifiers.
    pub(crate) fn at_specifiers(&self) -> bool {
        match self.keyword_here() {
            T::Name => self.is_typedef_name(self.token.name),
            T::Extension | T::StaticAssert => false,
            kind => starts_specifiers(kind),
        }
    }

    /// Whether the current token begins a type name, as in a cast.
    pub(crate) fn at_type_name(&self) -> bool {
        self.at_specifiers() || self.at(T::Extension)
    }

    /// Whether a peeked token begins a type name.
    pub(crate) fn begins_type_name(&self, token: crate::parse::token::Token) -> bool {
        match token.kind {
            T::Name => match self.keyword_of(token.name) {
                Some(kind) => starts_specifiers(kind),
                None => self.is_typedef_name(token.name),
            },
            kind => starts_specifiers(kind),
        }
    }

    /// Parses declaration specifiers, which may be empty.
    pub(crate) fn specifiers(&mut self) -> Parse<Specifiers> {
        self.specifiers_after(Attributes::default())
    }

    /// Parses declaration specifiers after attributes that were already read.
    pub(crate) fn specifiers_after(&mut self, attributes: Attributes) -> Parse<Specifiers> {
        let start = self.token.span.start;
        let mut words = Words::default();
        let mut specifiers = Specifiers {
            r#type: Type::INT,
            has_type: false,
            inferred: false,
            storage: Storage::None,
            thread_local: false,
            attributes,
            span: Span::new(start, start),
        };
        while self.specifier(&mut words, &mut specifiers)? {}
        specifiers.span = self.span_from(start);
        specifiers.has_type = words.has_type();
        specifiers.inferred = words.auto_type || specifiers.storage == Storage::Auto && !specifiers.has_type;
        let bare = self.combine(&words, start)?;
        let bare = self.apply_to_type(bare, &specifiers.attributes);
        specifiers.r#type = self.types().qualified(bare, words.qualifiers);
        Ok(specifiers)
    }

    /// Parses one specifier; false if none is here.
    fn specifier(&mut self, words: &mut Words, specifiers: &mut Specifiers) -> Parse<bool> {
        // A word that is a keyword only in C23 is the declared name where it follows a type.
        let kind = if words.has_type() { self.token.kind } else { self.keyword_here() };
        match kind {
            T::Name => return self.typedef_name(words),
            T::Const => words.qualifiers = words.qualifiers.and(Qualifiers::CONST),
            T::Volatile => words.qualifiers = words.qualifiers.and(Qualifiers::VOLATILE),
            T::Restrict => words.qualifiers = words.qualifiers.and(Qualifiers::RESTRICT),
            T::SegFs => words.qualifiers = words.qualifiers.and(Qualifiers::SEG_FS),
            T::SegGs => words.qualifiers = words.qualifiers.and(Qualifiers::SEG_GS),
            T::Typedef => specifiers.storage = Storage::Typedef,
            T::Extern => specifiers.storage = Storage::Extern,
            T::Static => specifiers.storage = Storage::Static,
            T::Auto => specifiers.storage = Storage::Auto,
            T::Register => specifiers.storage = Storage::Register,
            T::ThreadLocal => specifiers.thread_local = true,
            T::Inline | T::Noreturn | T::Extension => {}
            T::Signed => words.signed = true,
            T::Unsigned => words.unsigned = true,
            T::Short => words.short = true,
            T::Long => words.longs += 1,
            T::Complex => words.complex = true,
            T::AutoType => words.auto_type = true,
            _ if is_base(kind) => {
                if words.base.is_some() || words.complete.is_some() {
                    return self.expected("`;` or a declarator after the type");
                }
                words.base = Some(kind);
            }
            _ => return self.long_specifier(kind, words, specifiers),
        }
        if kind == T::Noreturn {
            self.note_noreturn(&mut specifiers.attributes);
        }
        self.advance()?;
        Ok(true)
    }

    fn note_noreturn(&mut self, attributes: &mut Attributes) {
        let name = self.lexer.names.intern(b"noreturn");
        attributes.list.push(crate::syntax::Attribute { name, span: self.token.span });
    }

    fn typedef_name(&mut self, words: &mut Words) -> Parse<bool> {
        if words.has_type() || !self.is_typedef_name(self.token.name) {
            return Ok(false);
        }
        let entity = self.scopes.entity(self.token.name);
        words.complete = entity.map(|entity| self.program.entities[entity].r#type);
        self.advance()?;
        Ok(true)
    }

    /// Parses the specifiers that are more than one token.
    fn long_specifier(&mut self, kind: T, words: &mut Words, specifiers: &mut Specifiers) -> Parse<bool> {
        match kind {
            T::Attribute | T::LeftBracket => {
                if !self.at_attributes()? {
                    return Ok(false);
                }
                self.attributes(&mut specifiers.attributes)?;
            }
            T::Alignas => {
                self.advance()?;
                let alignment = self.alignas()?;
                specifiers.attributes.aligned = specifiers.attributes.aligned.max(alignment);
            }
            T::Atomic => {
                self.advance()?;
                if !self.at(T::LeftParenthesis) || words.has_type() {
                    words.qualifiers = words.qualifiers.and(Qualifiers::ATOMIC);
                    return Ok(true);
                }
                self.advance()?;
                let inner = self.type_name()?;
                self.expect(T::RightParenthesis)?;
                words.complete = Some(self.types().qualified(inner, Qualifiers::ATOMIC));
            }
            _ if words.has_type() => return Ok(false),
            T::Struct | T::Union => words.complete = Some(self.nested(Parser::record_specifier)?),
            T::Enum => words.complete = Some(self.nested(Parser::enumeration_specifier)?),
            T::Typeof | T::TypeofUnqualified => words.complete = Some(self.type_of_operand(kind)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn alignas(&mut self) -> Parse<u64> {
        self.expect(T::LeftParenthesis)?;
        let start = self.token.span.start;
        let alignment = if self.at_type_name() {
            let r#type = self.type_name()?;
            self.types().alignment(r#type)
        } else {
            let value = self.conditional_expression()?;
            match self.program.constant(value).and_then(|value| u64::try_from(value).ok()) {
                Some(value) if value <= 1 << 28 => value,
                _ => return fail(start, "expected a constant alignment"),
            }
        };
        self.expect(T::RightParenthesis)?;
        Ok(alignment)
    }

    fn type_of_operand(&mut self, kind: T) -> Parse<Type> {
        self.advance()?;
        self.expect(T::LeftParenthesis)?;
        let r#type = if self.at_type_name() {
            self.type_name()?
        } else {
            let operand = self.expression()?;
            self.type_of(operand)
        };
        self.expect(T::RightParenthesis)?;
        Ok(if kind == T::TypeofUnqualified { r#type.unqualified() } else { r#type })
    }

    /// The type that the words make together.
    fn combine(&mut self, words: &Words, start: u32) -> Parse<Type> {
        let has_size = words.signed || words.unsigned || words.short || words.longs > 0;
        if let Some(complete) = words.complete {
            if has_size || words.complex || words.base.is_some() {
                return fail(start, "expected a type, found words that do not go together");
            }
            return Ok(complete);
        }
        let Some(bare) = arithmetic_type(words) else {
            return fail(start, "expected a type, found words that do not go together");
        };
        if words.complex {
            return Ok(self.types().intern(TypeKind::Complex(bare)));
        }
        Ok(bare)
    }
}

fn arithmetic_type(words: &Words) -> Option<Type> {
    use {IntegerKind as I, RealKind as R};
    if words.signed && words.unsigned || words.short && words.longs > 0 || words.longs > 2 {
        return None;
    }
    let is_plain = !words.signed && !words.unsigned && !words.short && words.longs == 0;
    let signed = |signed, unsigned| Some(Type::integer(if words.unsigned { unsigned } else { signed }));
    let real = |kind| if is_plain { Some(Type::real(kind)) } else { None };
    match words.base {
        None if words.complex && is_plain => Some(Type::DOUBLE),
        None | Some(T::Int) => match (words.short, words.longs) {
            (true, _) => signed(I::Short, I::UnsignedShort),
            (_, 0) => signed(I::Int, I::UnsignedInt),
            (_, 1) => signed(I::Long, I::UnsignedLong),
            _ => signed(I::LongLong, I::UnsignedLongLong),
        },
        Some(T::Char) if words.short || words.longs > 0 => None,
        Some(T::Char) if words.signed => Some(Type::SIGNED_CHAR),
        Some(T::Char) => signed(I::Char, I::UnsignedChar),
        Some(T::Int128) if !words.short && words.longs == 0 => signed(I::Int128, I::UnsignedInt128),
        Some(T::Double) if words.longs == 1 && !words.signed && !words.unsigned => Some(Type::LONG_DOUBLE),
        Some(T::Double) => real(R::Double),
        Some(T::Void) => is_plain.then_some(Type::VOID),
        Some(T::Bool) => is_plain.then_some(Type::BOOL),
        Some(T::Float) => real(R::Float),
        Some(T::Float16) => real(R::Float16),
        Some(T::Float32) => real(R::Float32),
        Some(T::Float64) => real(R::Float64),
        Some(T::Float128) => real(R::Float128),
        Some(T::Float32x) => real(R::Float32x),
        Some(T::Float64x) => real(R::Float64x),
        Some(T::Float80) => real(R::LongDouble),
        Some(T::Decimal32) => real(R::Decimal32),
        Some(T::Decimal64) => real(R::Decimal64),
        Some(T::Decimal128) => real(R::Decimal128),
        Some(_) => None,
    }
}

fn is_base(kind: T) -> bool {
    matches!(
        kind,
        T::Void
            | T::Char
            | T::Int
            | T::Float
            | T::Double
            | T::Bool
            | T::Int128
            | T::Float16
            | T::Float32
            | T::Float64
            | T::Float128
            | T::Float32x
            | T::Float64x
            | T::Float80
            | T::Decimal32
            | T::Decimal64
            | T::Decimal128
    )
}

/// Whether a keyword begins declaration specifiers: those between `void` and `__attribute__` in the list do.
fn starts_specifiers(kind: T) -> bool {
    kind as u8 >= T::Void as u8 && kind as u8 <= T::Attribute as u8
}
