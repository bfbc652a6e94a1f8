//! Parses expressions, from the comma operator down to the unary operators.

use crate::parse::error::{Parse, fail};
use crate::parse::parser::Parser;
use crate::parse::token::TokenKind as T;
use crate::syntax::span::Span;
use crate::syntax::{BinaryOperator, ExpressionId, ExpressionKind, UnaryOperator};
use crate::types::Type;

/// An operator that waits for its right operand.
pub(crate) struct WaitingOperator {
    operator: BinaryOperator,
    precedence: u8,
    left: ExpressionId,
}

impl Parser<'_> {
    /// Parses an expression, with the comma operator.
    pub(crate) fn expression(&mut self) -> Parse<ExpressionId> {
        let mut left = self.assignment_expression()?;
        while self.accept(T::Comma)? {
            self.value_type(left);
            let right = self.assignment_expression()?;
            let r#type = self.value_type(right);
            let span = self.joined(left, right);
            left = self.push(ExpressionKind::Comma { left, right }, span, r#type);
        }
        Ok(left)
    }

    /// Parses an expression without the comma operator.
    pub(crate) fn assignment_expression(&mut self) -> Parse<ExpressionId> {
        let target = self.conditional_expression()?;
        let Some(operator) = assignment_operator(self.token.kind) else {
            return Ok(target);
        };
        self.require_lvalue(target, "on the left of an assignment")?;
        self.advance()?;
        let value = self.nested(Parser::assignment_expression)?;
        self.value_type(value);
        if let Some(operator) = operator {
            self.binary_type(operator, target, value)?;
        }
        let target_type = self.type_of(target);
        let r#type = self.types().plain(target_type);
        let span = self.joined(target, value);
        Ok(self.push(ExpressionKind::Assign { operator, target, value }, span, r#type))
    }

    /// Parses a conditional expression, or one that binds tighter.
    pub(crate) fn conditional_expression(&mut self) -> Parse<ExpressionId> {
        let condition = self.binary_expression()?;
        if !self.at(T::Question) {
            return Ok(condition);
        }
        self.advance()?;
        self.nested(|parser| parser.conditional_rest(condition))
    }

    fn conditional_rest(&mut self, condition: ExpressionId) -> Parse<ExpressionId> {
        self.value_type(condition);
        let then = if self.at(T::Colon) { None } else { Some(self.expression()?) };
        self.expect(T::Colon)?;
        let otherwise = self.conditional_expression()?;
        let r#type = self.conditional_type(condition, then.unwrap_or(condition), otherwise)?;
        let span = self.joined(condition, otherwise);
        Ok(self.push(ExpressionKind::Conditional { condition, then, otherwise }, span, r#type))
    }

    /// Parses binary operators by their precedence, with a stack of those that wait for their right operand.
    fn binary_expression(&mut self) -> Parse<ExpressionId> {
        let base = self.waiting_operators.len();
        let mut right = self.cast_expression()?;
        while let Some((operator, precedence)) = binary_operator(self.token.kind) {
            right = self.reduce(base, precedence, right)?;
            self.advance()?;
            self.waiting_operators.push(WaitingOperator { operator, precedence, left: right });
            right = self.cast_expression()?;
        }
        self.reduce(base, 0, right)
    }

    /// Builds the waiting operators that bind at least as tightly.
    fn reduce(&mut self, base: usize, precedence: u8, operand: ExpressionId) -> Parse<ExpressionId> {
        let mut right = operand;
        while self.waiting_operators.len() > base {
            let Some(waiting) = self.waiting_operators.pop_if(|waiting| waiting.precedence >= precedence)
            else {
                break;
            };
            let WaitingOperator { operator, left, .. } = waiting;
            let r#type = self.binary_type(operator, left, right)?;
            let span = self.joined(left, right);
            right = self.push(ExpressionKind::Binary { operator, left, right }, span, r#type);
        }
        Ok(right)
    }

    pub(crate) fn joined(&self, left: ExpressionId, right: ExpressionId) -> Span {
        self.node(left).span.to(self.node(right).span)
    }

    /// Parses a cast, a unary operator, or a postfix expression.
    pub(crate) fn cast_expression(&mut self) -> Parse<ExpressionId> {
        self.nested(|parser| match parser.token.kind {
            // The most frequent beginnings first.
            T::Name | T::Number => parser.postfix_expression(),
            T::LeftParenthesis => parser.parenthesis(),
            _ => parser.unary_expression(),
        })
    }

    /// Parses what begins with a parenthesis: a cast, a compound literal, or a parenthesized expression.
    fn parenthesis(&mut self) -> Parse<ExpressionId> {
        let next = self.peek()?;
        if !self.begins_type_name(next) {
            return self.postfix_expression();
        }
        let start = self.advance()?.span.start;
        let r#type = self.type_name()?;
        self.expect(T::RightParenthesis)?;
        if self.at(T::LeftBrace) {
            let literal = self.compound_literal(r#type, start)?;
            return self.postfix_operators(literal);
        }
        let operand = self.cast_expression()?;
        self.value_type(operand);
        let r#type = self.types().plain(r#type);
        let span = Span::new(start, self.node(operand).span.end);
        Ok(self.push(ExpressionKind::Cast(operand), span, r#type))
    }

    fn unary_expression(&mut self) -> Parse<ExpressionId> {
        let operator = match self.token.kind {
            T::Plus => UnaryOperator::Plus,
            T::Minus => UnaryOperator::Minus,
            T::Not => UnaryOperator::Not,
            T::Tilde => UnaryOperator::Complement,
            T::Star => UnaryOperator::Dereference,
            T::And => UnaryOperator::AddressOf,
            T::PlusPlus => UnaryOperator::PreIncrement,
            T::MinusMinus => UnaryOperator::PreDecrement,
            T::RealPart => UnaryOperator::RealPart,
            T::ImaginaryPart => UnaryOperator::ImaginaryPart,
            T::AndAnd => return self.label_address(),
            T::Sizeof => return self.sizeof(),
            T::Alignof | T::MinimumAlignof => return self.alignof(),
            T::Extension => {
                let start = self.advance()?.span.start;
                let operand = self.cast_expression()?;
                self.program.expressions[operand].span.start = start;
                return Ok(operand);
            }
            _ => return self.postfix_expression(),
        };
        let start = self.advance()?.span.start;
        let operand = self.cast_expression()?;
        let span = Span::new(start, self.node(operand).span.end);
        self.unary(operator, operand, span)
    }

    fn label_address(&mut self) -> Parse<ExpressionId> {
        let start = self.advance()?.span.start;
        let token = self.expect_name()?;
        let label = self.mentioned_label(token.name, token.span);
        self.program.labels[label].address_taken = true;
        let pointer = self.types().pointer_to(Type::VOID);
        let span = self.span_from(start);
        Ok(self.push(ExpressionKind::LabelAddress(label), span, pointer))
    }

    fn sizeof(&mut self) -> Parse<ExpressionId> {
        let start = self.advance()?.span.start;
        let kind = match self.operand_or_type()? {
            Ok(operand) => ExpressionKind::SizeofExpression(operand),
            Err(r#type) => ExpressionKind::SizeofType(r#type),
        };
        let r#type = self.program.types.size_type();
        let span = self.span_from(start);
        Ok(self.push(kind, span, r#type))
    }

    pub(crate) fn alignof(&mut self) -> Parse<ExpressionId> {
        let keyword = self.token.kind;
        let start = self.advance()?.span.start;
        let operand = self.operand_or_type()?;
        let size_type = self.program.types.size_type();
        let span = self.span_from(start);
        let (kind, of) = match operand {
            Ok(operand) => (ExpressionKind::AlignofExpression(operand), self.type_of(operand)),
            Err(r#type) => (ExpressionKind::AlignofType(r#type), r#type),
        };
        let types = &self.program.types;
        let alignment = if keyword == T::Alignof { types.alignment(of) } else { types.member_alignment(of) };
        let id = self.push(kind, span, size_type);
        self.set_constant(id, i128::from(alignment));
        Ok(id)
    }

    /// An operand of `sizeof`: an expression, or a type in parentheses.
    fn operand_or_type(&mut self) -> Parse<Result<ExpressionId, Type>> {
        if self.at(T::LeftParenthesis) {
            let next = self.peek()?;
            if self.begins_type_name(next) {
                let start = self.advance()?.span.start;
                let r#type = self.type_name()?;
                self.expect(T::RightParenthesis)?;
                if !self.at(T::LeftBrace) {
                    return Ok(Err(r#type));
                }
                let literal = self.compound_literal(r#type, start)?;
                return Ok(Ok(self.postfix_operators(literal)?));
            }
        }
        Ok(Ok(self.nested(Parser::unary_or_postfix)?))
    }

    fn unary_or_postfix(&mut self) -> Parse<ExpressionId> {
        if self.at(T::LeftParenthesis) { self.postfix_expression() } else { self.unary_expression() }
    }

    pub(crate) fn require_lvalue(&self, expression: ExpressionId, place: &str) -> Parse<()> {
        let node = self.node(expression);
        if node.is_lvalue {
            return Ok(());
        }
        fail(node.span.start, format!("expected something that can be assigned to {place}"))
    }
}

/// The operator before `=`. The outer `None` means that the token is not an assignment.
fn assignment_operator(kind: T) -> Option<Option<BinaryOperator>> {
    use BinaryOperator as B;
    Some(match kind {
        T::Assign => None,
        T::StarAssign => Some(B::Multiply),
        T::SlashAssign => Some(B::Divide),
        T::PercentAssign => Some(B::Remainder),
        T::PlusAssign => Some(B::Add),
        T::MinusAssign => Some(B::Subtract),
        T::ShiftLeftAssign => Some(B::ShiftLeft),
        T::ShiftRightAssign => Some(B::ShiftRight),
        T::AndAssign => Some(B::BitAnd),
        T::CaretAssign => Some(B::BitXor),
        T::OrAssign => Some(B::BitOr),
        _ => return None,
    })
}

fn binary_operator(kind: T) -> Option<(BinaryOperator, u8)> {
    use BinaryOperator as B;
    Some(match kind {
        T::Star => (B::Multiply, 10),
        T::Slash => (B::Divide, 10),
        T::Percent => (B::Remainder, 10),
        T::Plus => (B::Add, 9),
        T::Minus => (B::Subtract, 9),
        T::ShiftLeft => (B::ShiftLeft, 8),
        T::ShiftRight => (B::ShiftRight, 8),
        T::Less => (B::Less, 7),
        T::Greater => (B::Greater, 7),
        T::LessEqual => (B::LessEqual, 7),
        T::GreaterEqual => (B::GreaterEqual, 7),
        T::Equal => (B::Equal, 6),
        T::NotEqual => (B::NotEqual, 6),
        T::And => (B::BitAnd, 5),
        T::Caret => (B::BitXor, 4),
        T::Or => (B::BitOr, 3),
        T::AndAnd => (B::And, 2),
        T::OrOr => (B::Or, 1),
        _ => return None,
    })
}
