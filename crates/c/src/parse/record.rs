//! Parses structures, unions and enumerations.

use crate::parse::attribute::Attributes;
use crate::parse::declarator::NameMode;
use crate::parse::error::{Parse, fail};
use crate::parse::parser::Parser;
use crate::parse::scope::Tag;
use crate::parse::token::TokenKind as T;
use crate::syntax::name::Name;
use crate::syntax::span::Span;
use crate::syntax::{EntityId, EntityKind, Linkage, Storage};
use crate::types::{Enumeration, EnumerationId, IntegerKind, Member, Record, RecordId, Type, TypeKind};

impl Parser<'_> {
    /// Parses `struct …` or `union …`.
    pub(crate) fn record_specifier(&mut self) -> Parse<Type> {
        let keyword = self.advance()?;
        let is_union = keyword.kind == T::Union;
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag = if self.at(T::Name) { Some(self.advance()?) } else { None };
        self.attributes(&mut attributes)?;
        let name = tag.map(|tag| tag.name);
        if !self.at(T::LeftBrace) {
            let Some(name) = name else {
                return self.expected("a tag or `{`");
            };
            // `struct s;` declares a new one if the tag belongs to an outer scope.
            let span = self.span_from(keyword.span.start);
            let id = self.mentioned_record(is_union, name, span)?;
            return Ok(self.types().intern(TypeKind::Record(id)));
        }
        let id = self.defined_record(is_union, name, keyword.span)?;
        self.advance()?;
        let mut members = Vec::new();
        while !self.at(T::RightBrace) {
            self.member_declaration(&mut members)?;
        }
        let pack = u64::from(self.lexer.packing.current);
        self.advance()?;
        let span = self.span_from(keyword.span.start);
        self.attributes(&mut attributes)?;
        let record = &mut self.types().records[id];
        record.packed = attributes.packed;
        record.transparent = attributes.transparent_union;
        record.span = span;
        self.types().lay_out(id, members, attributes.aligned, pack);
        Ok(self.types().intern(TypeKind::Record(id)))
    }

    fn mentioned_record(&mut self, is_union: bool, name: Name, span: Span) -> Parse<RecordId> {
        let known = if self.at(T::Semicolon) { self.scopes.tag_here(name) } else { self.scopes.tag(name) };
        match known {
            Some(Tag::Record(id)) if self.program.types.records[id].is_union == is_union => Ok(id),
            Some(_) => {
                let name = self.name_text(name);
                fail(span.start, format!("`{name}` is declared as another kind of tag"))
            }
            None => Ok(self.new_record(is_union, Some(name), span)),
        }
    }

    fn defined_record(&mut self, is_union: bool, name: Option<Name>, span: Span) -> Parse<RecordId> {
        let known = name.and_then(|name| self.scopes.tag_here(name).map(|tag| (name, tag)));
        match known {
            None => Ok(self.new_record(is_union, name, span)),
            Some((_, Tag::Record(id))) if self.is_open_record(id, is_union) => Ok(id),
            Some((name, _)) => {
                let name = self.name_text(name);
                fail(span.start, format!("the tag `{name}` is defined again in the same scope"))
            }
        }
    }

    fn is_open_record(&self, id: RecordId, is_union: bool) -> bool {
        let record = &self.program.types.records[id];
        !record.complete && record.is_union == is_union
    }

    fn new_record(&mut self, is_union: bool, tag: Option<Name>, span: Span) -> RecordId {
        let id = self.program.types.records.push(Record {
            is_union,
            tag,
            typedef_name: None,
            members: Vec::new(),
            complete: false,
            packed: false,
            transparent: false,
            weight: 1,
            size: None,
            alignment: 1,
            span,
        });
        if let Some(name) = tag {
            self.scopes.bind_tag(name, Tag::Record(id));
        }
        id
    }

    fn member_declaration(&mut self, members: &mut Vec<Member>) -> Parse<()> {
        if self.accept(T::Semicolon)? {
            return Ok(());
        }
        if self.keyword_here() == T::StaticAssert {
            self.static_assert()?;
            return Ok(());
        }
        let specifiers = self.specifiers()?;
        if !specifiers.has_type {
            return self.expected("the type of a member");
        }
        if self.at(T::Semicolon) || self.at(T::RightBrace) {
            self.end_of_members()?;
            self.anonymous_member(specifiers.r#type, &specifiers.attributes, members);
            return Ok(());
        }
        loop {
            self.member(specifiers.r#type, &specifiers.attributes, members)?;
            if !self.accept(T::Comma)? {
                break;
            }
        }
        self.end_of_members()
    }

    /// A semicolon, which GNU C allows to be omitted before the brace.
    fn end_of_members(&mut self) -> Parse<()> {
        if !self.at(T::RightBrace) {
            self.expect(T::Semicolon)?;
        }
        Ok(())
    }

    /// A structure or union without a name and a tag: its members count as those of the enclosing one.
    fn anonymous_member(&mut self, r#type: Type, attributes: &Attributes, members: &mut Vec<Member>) {
        let TypeKind::Record(id) = self.program.types.kind(r#type) else {
            return;
        };
        if self.program.types.records[id].tag.is_none() {
            let (aligned, packed) = (attributes.aligned, attributes.packed);
            members.push(Member { name: None, r#type, width: None, offset: 0, aligned, packed });
        }
    }

    fn member(&mut self, base: Type, shared: &Attributes, members: &mut Vec<Member>) -> Parse<()> {
        let mut attributes = shared.clone();
        self.attributes(&mut attributes)?;
        let (mut name, mut r#type) = (None, base);
        if !self.at(T::Colon) {
            let declarator = self.declarator(base, NameMode::Required, &mut attributes)?;
            name = declarator.name;
            r#type = declarator.r#type;
        }
        let mut width = None;
        if self.accept(T::Colon)? {
            let start = self.token.span.start;
            let value = self.conditional_expression()?;
            width = self.program.constant(value).and_then(|value| u32::try_from(value).ok());
            if width.is_none_or(|width| width > 128) {
                return fail(start, "expected a constant width of a bit-field");
            }
        }
        self.attributes(&mut attributes)?;
        let r#type = self.apply_to_type(r#type, &attributes);
        let (aligned, packed) = (attributes.aligned, attributes.packed);
        members.push(Member { name, r#type, width, offset: 0, aligned, packed });
        Ok(())
    }

    /// Parses `enum …`.
    pub(crate) fn enumeration_specifier(&mut self) -> Parse<Type> {
        let keyword = self.advance()?;
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let name = if self.at(T::Name) { Some(self.advance()?.name) } else { None };
        self.attributes(&mut attributes)?;
        let fixed = self.fixed_underlying_type()?;
        let span = self.span_from(keyword.span.start);
        if !self.at(T::LeftBrace) {
            let Some(name) = name else {
                return self.expected("a tag or `{`");
            };
            let id = self.mentioned_enumeration(name, span)?;
            self.fix_underlying(id, fixed);
            return Ok(self.types().intern(TypeKind::Enumeration(id)));
        }
        let id = self.defined_enumeration(name, span)?;
        self.fix_underlying(id, fixed);
        let constants = self.enumerators(id)?;
        let span = self.span_from(keyword.span.start);
        self.attributes(&mut attributes)?;
        let enumeration = &mut self.types().enumerations[id];
        enumeration.span = span;
        enumeration.packed = attributes.packed;
        self.complete_enumeration(id, &constants);
        Ok(self.types().intern(TypeKind::Enumeration(id)))
    }

    fn fixed_underlying_type(&mut self) -> Parse<Option<Type>> {
        if !self.at(T::Colon) {
            return Ok(None);
        }
        // In a member list a colon may begin a bit-field: `enum e : 3;`.
        let next = self.peek()?;
        if !self.begins_type_name(next) {
            return Ok(None);
        }
        self.advance()?;
        let r#type = self.specifiers()?.r#type.unqualified();
        Ok(Some(r#type))
    }

    fn fix_underlying(&mut self, id: EnumerationId, fixed: Option<Type>) {
        if fixed.is_some() {
            let enumeration = &mut self.types().enumerations[id];
            enumeration.underlying = fixed;
            enumeration.fixed = true;
        }
    }

    fn mentioned_enumeration(&mut self, name: Name, span: Span) -> Parse<EnumerationId> {
        match self.scopes.tag(name) {
            Some(Tag::Enumeration(id)) => Ok(id),
            Some(Tag::Record(_)) => {
                let name = self.name_text(name);
                fail(span.start, format!("`{name}` is declared as another kind of tag"))
            }
            None => Ok(self.new_enumeration(Some(name), span)),
        }
    }

    fn defined_enumeration(&mut self, name: Option<Name>, span: Span) -> Parse<EnumerationId> {
        match name.and_then(|name| self.scopes.tag_here(name)) {
            None => Ok(self.new_enumeration(name, span)),
            Some(Tag::Enumeration(id)) if !self.program.types.enumerations[id].complete => Ok(id),
            Some(_) => {
                let name = name.map(|name| self.name_text(name)).unwrap_or_default();
                fail(span.start, format!("the tag `{name}` is defined again in the same scope"))
            }
        }
    }

    fn new_enumeration(&mut self, tag: Option<Name>, span: Span) -> EnumerationId {
        let id = self.program.types.enumerations.push(Enumeration {
            tag,
            typedef_name: None,
            underlying: None,
            fixed: false,
            packed: false,
            complete: false,
            span,
        });
        if let Some(name) = tag {
            self.scopes.bind_tag(name, Tag::Enumeration(id));
        }
        id
    }

    fn enumerators(&mut self, id: EnumerationId) -> Parse<Vec<(EntityId, i128)>> {
        self.expect(T::LeftBrace)?;
        let mut constants = Vec::new();
        let mut next = 0i128;
        while !self.at(T::RightBrace) {
            let name = self.expect_name()?;
            let mut attributes = Attributes::default();
            self.attributes(&mut attributes)?;
            if self.accept(T::Assign)? {
                let start = self.token.span.start;
                let value = self.conditional_expression()?;
                match self.program.constant(value) {
                    Some(value) => next = value,
                    None => {
                        return fail(
                            start,
                            "expected an integer constant expression as value of the enumerator",
                        );
                    }
                }
            }
            let r#type = match self.program.types.enumerations[id].fixed {
                true => self.types().intern(TypeKind::Enumeration(id)),
                false => self.enumerator_type(next),
            };
            let entity =
                self.new_entity(name.name, EntityKind::EnumerationConstant(next as i64), r#type, name.span);
            let kept = self.keep_attributes(&attributes);
            let node = &mut self.program.entities[entity];
            node.attributes = kept;
            node.storage = Storage::None;
            node.linkage = Linkage::None;
            self.bind_new(name.name, entity, name.span.start)?;
            constants.push((entity, next));
            next += 1;
            if !self.accept(T::Comma)? {
                break;
            }
        }
        self.expect(T::RightBrace)?;
        Ok(constants)
    }

    /// The type of an enumerator inside its enumeration.
    fn enumerator_type(&self, value: i128) -> Type {
        let types = &self.program.types;
        let candidates = [Type::INT, Type::UNSIGNED_INT, Type::LONG, Type::UNSIGNED_LONG, Type::LONG_LONG];
        candidates.into_iter().find(|r#type| types.holds(*r#type, value)).unwrap_or(Type::UNSIGNED_LONG_LONG)
    }

    /// Chooses the underlying type; enumerators that do not fit an `int` get the type of the enumeration.
    fn complete_enumeration(&mut self, id: EnumerationId, constants: &[(EntityId, i128)]) {
        let types = &mut self.program.types;
        let enumeration = &types.enumerations[id];
        let values = constants.iter().map(|(_, value)| *value);
        let (minimum, maximum) =
            values.fold((0, 0), |(low, high): (i128, i128), value| (low.min(value), high.max(value)));
        let underlying = match enumeration.underlying {
            Some(fixed) if enumeration.fixed => fixed,
            _ => smallest_type(types, minimum, maximum, enumeration.packed),
        };
        let enumeration = &mut types.enumerations[id];
        enumeration.underlying = Some(underlying);
        enumeration.complete = true;
        let whole = types.intern(TypeKind::Enumeration(id));
        let fixed = types.enumerations[id].fixed;
        for (entity, value) in constants {
            let fits = types.holds(Type::INT, *value) && !fixed;
            self.program.entities[*entity].r#type = if fits { Type::INT } else { whole };
        }
    }
}

fn smallest_type(types: &crate::types::Types, minimum: i128, maximum: i128, packed: bool) -> Type {
    use IntegerKind as I;
    let signed = [I::SignedChar, I::Short, I::Int, I::Long, I::LongLong, I::Int128];
    let unsigned = [
        I::UnsignedChar,
        I::UnsignedShort,
        I::UnsignedInt,
        I::UnsignedLong,
        I::UnsignedLongLong,
        I::UnsignedInt128,
    ];
    let candidates = if minimum < 0 { signed } else { unsigned };
    let first = if packed { 0 } else { 2 };
    let fits = |kind: &&I| {
        let r#type = Type::integer(**kind);
        types.holds(r#type, minimum) && types.holds(r#type, maximum)
    };
    candidates[first..].iter().find(fits).map_or(Type::INT, |kind| Type::integer(*kind))
}
