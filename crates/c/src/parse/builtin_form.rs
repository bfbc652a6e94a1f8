//! Parses `_Generic` and the built-in forms that take types.

use crate::parse::error::{Parse, fail};
use crate::parse::parser::Parser;
use crate::parse::token::TokenKind as T;
use crate::syntax::{ExpressionId, ExpressionKind};
use crate::types::{Type, TypeKind};

impl Parser<'_> {
    /// Parses `_Generic (control, type: expression, …)`.
    pub(crate) fn generic(&mut self) -> Parse<ExpressionId> {
        let start = self.advance()?.span.start;
        self.expect(T::LeftParenthesis)?;
        let control = self.assignment_expression()?;
        let control_type = self.type_of(control);
        let control_type = self.types().decayed(control_type);
        let mut selected = None;
        let mut default = None;
        while self.accept(T::Comma)? {
            let r#type = if self.accept(T::Default)? { None } else { Some(self.type_name()?) };
            self.expect(T::Colon)?;
            let value = self.assignment_expression()?;
            match r#type {
                None => default = Some(value),
                Some(r#type) if self.program.types.compatible(r#type, control_type) => selected = Some(value),
                Some(_) => {}
            }
        }
        self.expect(T::RightParenthesis)?;
        let Some(selected) = selected.or(default) else {
            return self.type_error(start, "an association for the type of the first operand", &[control]);
        };
        Ok(self.push_selected(ExpressionKind::Generic { control, selected }, selected, start))
    }

    /// Adds an expression that stands for another one.
    fn push_selected(&mut self, kind: ExpressionKind, selected: ExpressionId, start: u32) -> ExpressionId {
        let (span, r#type) = (self.span_from(start), self.type_of(selected));
        let is_lvalue = self.node(selected).is_lvalue;
        let id = self.push(kind, span, r#type);
        self.program.expressions[id].is_lvalue = is_lvalue;
        id
    }

    pub(crate) fn builtin_form(&mut self) -> Parse<ExpressionId> {
        let keyword = self.advance()?;
        let start = keyword.span.start;
        self.expect(T::LeftParenthesis)?;
        match keyword.kind {
            T::VaArg => self.va_arg(start),
            T::Offsetof => self.offsetof(start),
            T::TypesCompatible => self.types_compatible(start),
            T::Choose => self.choose(start),
            T::ConvertVector => self.convert_vector(start),
            _ => self.has_attribute_form(start),
        }
    }

    fn va_arg(&mut self, start: u32) -> Parse<ExpressionId> {
        let list = self.assignment_expression()?;
        self.value_type(list);
        self.expect(T::Comma)?;
        let r#type = self.type_name()?;
        self.expect(T::RightParenthesis)?;
        let r#type = self.types().plain(r#type);
        let span = self.span_from(start);
        Ok(self.push(ExpressionKind::VaArg(list), span, r#type))
    }

    fn types_compatible(&mut self, start: u32) -> Parse<ExpressionId> {
        let first = self.type_name()?;
        self.expect(T::Comma)?;
        let second = self.type_name()?;
        self.expect(T::RightParenthesis)?;
        let span = self.span_from(start);
        Ok(self.push(ExpressionKind::TypesCompatible { first, second }, span, Type::INT))
    }

    fn choose(&mut self, start: u32) -> Parse<ExpressionId> {
        let condition = self.assignment_expression()?;
        self.expect(T::Comma)?;
        let first = self.assignment_expression()?;
        self.expect(T::Comma)?;
        let second = self.assignment_expression()?;
        self.expect(T::RightParenthesis)?;
        // A condition that is not constant here is `__builtin_constant_p` of a variable, which counts as 0.
        let is_first = self.program.constant(condition).is_some_and(|value| value != 0);
        let (selected, other) = if is_first { (first, second) } else { (second, first) };
        Ok(self.push_selected(ExpressionKind::Choose { condition, selected, other }, selected, start))
    }

    fn convert_vector(&mut self, start: u32) -> Parse<ExpressionId> {
        let operand = self.assignment_expression()?;
        self.expect(T::Comma)?;
        let r#type = self.type_name()?;
        self.expect(T::RightParenthesis)?;
        let span = self.span_from(start);
        Ok(self.push(ExpressionKind::ConvertVector(operand), span, r#type.unqualified()))
    }

    /// `__builtin_has_attribute (expression or type, attribute)`.
    fn has_attribute_form(&mut self, start: u32) -> Parse<ExpressionId> {
        let mut operand = None;
        if self.at_type_name() {
            self.type_name()?;
        } else {
            operand = Some(self.assignment_expression()?);
        }
        self.expect(T::Comma)?;
        while !self.at(T::RightParenthesis) && !self.at(T::End) {
            if self.at(T::LeftParenthesis) {
                self.skip_parentheses()?;
            } else {
                self.advance()?;
            }
        }
        self.expect(T::RightParenthesis)?;
        let span = self.span_from(start);
        Ok(self.push(ExpressionKind::HasAttribute(operand), span, Type::BOOL))
    }

    /// `__builtin_offsetof (type, member.member[index]…)`.
    fn offsetof(&mut self, start: u32) -> Parse<ExpressionId> {
        let of = self.type_name()?;
        self.expect(T::Comma)?;
        let mut current = of;
        let mut offset = Some(0i128);
        let mut indices = Vec::new();
        let mut is_first = true;
        loop {
            if is_first || self.accept(T::Dot)? || self.accept(T::Arrow)? {
                let name = self.expect_name()?;
                let TypeKind::Record(record) = self.program.types.kind(current) else {
                    return fail(name.span.start, "expected a member of a structure or union");
                };
                let Some(found) = self.program.types.find_member(record, name.name) else {
                    return self.no_member(current, name);
                };
                offset = offset.map(|offset| offset + i128::from(found.offset / 8));
                current = found.r#type;
                is_first = false;
            } else if self.accept(T::LeftBracket)? {
                let index = self.expression()?;
                self.expect(T::RightBracket)?;
                let TypeKind::Array { element, .. } = self.program.types.kind(current) else {
                    return self.expected("a member that is an array before the index");
                };
                let size = self.program.types.size(element).map(i128::from);
                let step =
                    self.program.constant(index).zip(size).and_then(|(index, size)| index.checked_mul(size));
                offset = offset.zip(step).and_then(|(offset, step)| offset.checked_add(step));
                indices.push(index);
                current = element;
            } else {
                break;
            }
        }
        self.expect(T::RightParenthesis)?;
        let indices = self.program.expression_lists.push_list(indices);
        let (span, size_type) = (self.span_from(start), self.program.types.size_type());
        let id = self.push(ExpressionKind::Offsetof { of, indices }, span, size_type);
        if let Some(offset) = offset {
            self.set_constant(id, offset);
        }
        Ok(id)
    }
}
