//! Parses initializers, and finds which object each entry of a list initializes.

use crate::parse::error::{Parse, fail};
use crate::parse::parser::Parser;
use crate::parse::token::TokenKind as T;
use crate::syntax::{Designator, ExpressionId, ExpressionKind, InitializedPart, InitializerItem};
use crate::types::{ArrayLength, RecordId, Type, TypeKind};

/// A place inside the object that a list initializes: an array or record, and the element that comes next.
struct Frame {
    r#type: Type,
    next: u64,
    /// Where it begins, in bits from the beginning of the whole object.
    offset: u64,
}

impl Parser<'_> {
    /// Parses the initializer of an object of a type.
    pub(crate) fn initializer(&mut self, r#type: Type) -> Parse<ExpressionId> {
        if self.at(T::LeftBrace) {
            let list = self.nested(Parser::initializer_list)?;
            self.give_type(list, r#type)?;
            return Ok(list);
        }
        let value = self.assignment_expression()?;
        if !matches!(self.program.types.kind(r#type), TypeKind::Array { .. }) {
            self.value_type(value);
        }
        Ok(value)
    }

    fn initializer_list(&mut self) -> Parse<ExpressionId> {
        let start = self.expect(T::LeftBrace)?.span.start;
        let mut items = Vec::new();
        while !self.at(T::RightBrace) {
            items.push(self.initializer_item()?);
            if !self.accept(T::Comma)? {
                break;
            }
        }
        self.expect(T::RightBrace)?;
        let items = self.program.initializer_items.push_list(items);
        let span = self.span_from(start);
        Ok(self.push(ExpressionKind::InitializerList(items), span, Type::VOID))
    }

    fn initializer_item(&mut self) -> Parse<InitializerItem> {
        let start = self.token.span.start;
        let mut designators = Vec::new();
        if self.at(T::Name) && self.peek()?.kind == T::Colon {
            designators.push(Designator::Member(self.advance()?.name));
            self.advance()?;
        } else {
            self.designators(&mut designators)?;
        }
        let designators = self.program.designators.push_list(designators);
        let value = if self.at(T::LeftBrace) {
            self.nested(Parser::initializer_list)?
        } else {
            let value = self.assignment_expression()?;
            self.value_type(value);
            value
        };
        Ok(InitializerItem { designators, value, part: None, span: self.span_from(start) })
    }

    fn designators(&mut self, into: &mut Vec<Designator>) -> Parse<()> {
        loop {
            if self.accept(T::Dot)? {
                into.push(Designator::Member(self.expect_name()?.name));
            } else if self.accept(T::LeftBracket)? {
                let first = self.conditional_expression()?;
                let designator = match self.accept(T::Ellipsis)? {
                    true => Designator::Range(first, self.conditional_expression()?),
                    false => Designator::Index(first),
                };
                self.expect(T::RightBracket)?;
                into.push(designator);
            } else {
                break;
            }
        }
        // GNU C allows the `=` after an index to be omitted.
        self.accept(T::Assign)?;
        Ok(())
    }

    /// Gives a list the type of the object that it initializes, and does the same for the lists inside it.
    fn give_type(&mut self, list: ExpressionId, r#type: Type) -> Parse<()> {
        let ExpressionKind::InitializerList(items) = self.node(list).kind else {
            return Ok(());
        };
        self.program.expressions[list].r#type = r#type;
        let mut frames = vec![Frame { r#type, next: 0, offset: 0 }];
        let mut length = 0;
        for id in items.ids() {
            let item = self.program.initializer_items[id];
            if !item.designators.is_empty() {
                frames.truncate(1);
                self.designate(&mut frames, &item)?;
            }
            let part = self.place(&mut frames, item.value)?;
            self.program.initializer_items[id].part = part;
            length = length.max(frames[0].next);
        }
        if let TypeKind::Array { element, length: ArrayLength::Unknown } = self.program.types.kind(r#type) {
            // `char s[] = { "text" }` has the length of the string.
            let only = self.program.initializer_items[items].first().map(|item| item.value);
            let known = match only {
                Some(value) if items.len() == 1 && self.initializes_whole(value, r#type) => {
                    match self.program.types.kind(self.type_of(value)) {
                        TypeKind::Array { length, .. } => length,
                        _ => ArrayLength::Known(length),
                    }
                }
                _ => ArrayLength::Known(length),
            };
            self.program.expressions[list].r#type = self.types().array_of(element, known);
        }
        Ok(())
    }

    /// Moves to the element that designators name.
    fn designate(&mut self, frames: &mut Vec<Frame>, item: &InitializerItem) -> Parse<()> {
        for (position, id) in item.designators.ids().enumerate() {
            if position > 0 {
                self.descend(frames);
            }
            let start = item.span.start;
            let Some(frame) = frames.last() else {
                return Ok(());
            };
            let r#type = frame.r#type;
            let next = match self.program.designators[id] {
                Designator::Member(name) => {
                    let TypeKind::Record(record) = self.program.types.kind(r#type) else {
                        return fail(start, "expected a structure or union for this designator");
                    };
                    let Some(found) = self.program.types.find_member(record, name) else {
                        let (name, record) = (self.name_text(name), self.type_text(r#type));
                        return fail(start, format!("expected a member of `{record}`, found `{name}`"));
                    };
                    self.designate_member(frames, record, name, found.outer_index);
                    continue;
                }
                Designator::Index(index) | Designator::Range(_, index) => {
                    match self.program.constant(index).and_then(|index| u64::try_from(index).ok()) {
                        Some(index) => index,
                        None => return fail(start, "expected a constant index that is not negative"),
                    }
                }
            };
            if let Some(frame) = frames.last_mut() {
                frame.next = next;
            }
        }
        Ok(())
    }

    /// Moves to a member, into the anonymous records around it.
    fn designate_member(
        &self,
        frames: &mut Vec<Frame>,
        record: RecordId,
        name: crate::syntax::name::Name,
        first: u32,
    ) {
        let (mut record, mut index) = (record, first);
        loop {
            if let Some(frame) = frames.last_mut() {
                frame.next = u64::from(index);
            }
            let member = &self.program.types.records[record].members[index as usize];
            let TypeKind::Record(inner) = self.program.types.kind(member.r#type) else {
                return;
            };
            let found = self.program.types.find_member(inner, name).filter(|_| member.name.is_none());
            let Some(found) = found else {
                return;
            };
            self.descend(frames);
            (record, index) = (inner, found.outer_index);
        }
    }

    /// Opens the element that comes next; the one after it is next in the outer object.
    fn descend(&self, frames: &mut Vec<Frame>) {
        if let Some(inner) = frames.last().and_then(|frame| self.part_at(frame)) {
            self.step(frames);
            frames.push(Frame { r#type: inner.r#type, next: 0, offset: inner.offset });
        }
    }

    /// Moves the innermost frame to its next element; a union has only one.
    fn step(&self, frames: &mut [Frame]) {
        if let Some(frame) = frames.last_mut() {
            frame.next = match self.program.types.kind(frame.r#type) {
                TypeKind::Record(id) if self.program.types.records[id].is_union => u64::MAX,
                _ => frame.next.saturating_add(1),
            };
        }
    }

    /// The type of the element that comes next, if there is one.
    fn element_at(&self, frame: &Frame) -> Option<Type> {
        let types = &self.program.types;
        match types.kind(frame.r#type) {
            TypeKind::Array { element, length: ArrayLength::Known(length) } => {
                (frame.next < length).then_some(element)
            }
            TypeKind::Array { element, .. } => Some(element),
            TypeKind::Vector { element, lanes } => (frame.next < u64::from(lanes)).then_some(element),
            TypeKind::Complex(part) => (frame.next < 2).then_some(part),
            TypeKind::Record(id) => {
                let index = usize::try_from(frame.next).ok()?;
                types.records[id].members.get(index).map(|member| member.r#type)
            }
            _ => (frame.next == 0).then_some(frame.r#type),
        }
    }

    /// The element that comes next, with its place in the whole object.
    fn part_at(&self, frame: &Frame) -> Option<InitializedPart> {
        let r#type = self.element_at(frame)?;
        let types = &self.program.types;
        let (distance, width) = match types.kind(frame.r#type) {
            TypeKind::Record(id) => {
                let member = types.records[id].members.get(usize::try_from(frame.next).ok()?)?;
                (member.offset, member.width)
            }
            _ => (types.size(r#type).unwrap_or(0).saturating_mul(8).saturating_mul(frame.next), None),
        };
        Some(InitializedPart { offset: frame.offset.saturating_add(distance), r#type, width })
    }

    /// Passes over unnamed bit-fields, which are not initialized.
    fn skip_unnamed(&self, frames: &mut [Frame]) {
        let Some(frame) = frames.last_mut() else {
            return;
        };
        let TypeKind::Record(id) = self.program.types.kind(frame.r#type) else {
            return;
        };
        let members = &self.program.types.records[id].members;
        let is_skipped = |index: u64| {
            let member = usize::try_from(index).ok().and_then(|index| members.get(index));
            member.is_some_and(|member| member.name.is_none() && member.width.is_some())
        };
        while is_skipped(frame.next) {
            frame.next += 1;
        }
    }

    /// Finds the part of the object that a value initializes, gives its type to a list, and moves on.
    fn place(&mut self, frames: &mut Vec<Frame>, value: ExpressionId) -> Parse<Option<InitializedPart>> {
        loop {
            self.skip_unnamed(frames);
            let Some(frame) = frames.last() else {
                return Ok(None);
            };
            let Some(part) = self.part_at(frame) else {
                // This object is full: continue in the enclosing one. Values beyond the outermost object are ignored,
                // as in gcc.
                if frames.len() == 1 {
                    return Ok(None);
                }
                frames.pop();
                continue;
            };
            if matches!(self.node(value).kind, ExpressionKind::InitializerList(_)) {
                self.step(frames);
                self.nested(|parser| parser.give_type(value, part.r#type))?;
                return Ok(Some(part));
            }
            let before = frames.len();
            if !self.is_aggregate(part.r#type) || self.initializes_whole(value, part.r#type) {
                self.step(frames);
                return Ok(Some(part));
            }
            self.descend(frames);
            let is_empty = frames.last().is_some_and(|frame| self.element_at(frame).is_none());
            if frames.len() == before || is_empty {
                return Ok(None);
            }
        }
    }

    fn is_aggregate(&self, r#type: Type) -> bool {
        matches!(self.program.types.kind(r#type), TypeKind::Array { .. } | TypeKind::Record(_))
    }

    /// Whether a value initializes an object as a whole: a string an array, a structure a structure.
    fn initializes_whole(&self, value: ExpressionId, r#type: Type) -> bool {
        let types = &self.program.types;
        match (types.kind(r#type), types.kind(self.type_of(value))) {
            (TypeKind::Array { element, .. }, TypeKind::Array { .. }) => {
                let is_literal = matches!(
                    self.node(value).kind,
                    ExpressionKind::String(_)
                        | ExpressionKind::CompoundLiteral(_)
                        | ExpressionKind::FunctionName(_)
                );
                is_literal && !self.is_aggregate(element) && types.is_integer(element)
            }
            (TypeKind::Record(left), TypeKind::Record(right)) => left == right,
            _ => false,
        }
    }
}
