//! Parses `asm` in all its forms.

use crate::parse::error::Parse;
use crate::parse::parser::Parser;
use crate::parse::token::TokenKind as T;
use crate::syntax::arena::List;
use crate::syntax::{Asm, AsmOperand, LabelId, StatementId, StatementKind, StringId};

impl Parser<'_> {
    /// Parses an `asm` statement, or one at file scope.
    pub(crate) fn asm_statement(&mut self) -> Parse<StatementId> {
        let start = self.advance()?.span.start;
        let mut is_volatile = false;
        loop {
            match self.token.kind {
                T::Volatile => is_volatile = true,
                T::Inline | T::Goto | T::Const => {}
                _ => break,
            }
            self.advance()?;
        }
        self.expect(T::LeftParenthesis)?;
        let mut asm = Asm {
            is_volatile,
            template: self.string_literal()?,
            outputs: List::EMPTY,
            inputs: List::EMPTY,
            clobbers: List::EMPTY,
            labels: List::EMPTY,
        };
        self.asm_sections(&mut asm)?;
        self.expect(T::RightParenthesis)?;
        self.expect(T::Semicolon)?;
        let asm = self.program.asms.push(asm);
        Ok(self.push_statement(StatementKind::Asm(asm), start))
    }

    fn asm_sections(&mut self, asm: &mut Asm) -> Parse<()> {
        if self.accept(T::Colon)? {
            asm.outputs = self.asm_operands()?;
        }
        if self.accept(T::Colon)? {
            asm.inputs = self.asm_operands()?;
        }
        if self.accept(T::Colon)? {
            asm.clobbers = self.asm_clobbers()?;
        }
        if self.accept(T::Colon)? {
            asm.labels = self.asm_labels()?;
        }
        Ok(())
    }

    fn at_section_end(&self) -> bool {
        self.at(T::Colon) || self.at(T::RightParenthesis)
    }

    fn asm_operands(&mut self) -> Parse<List<AsmOperand>> {
        let mut operands = Vec::new();
        while !self.at_section_end() {
            let mut name = None;
            if self.accept(T::LeftBracket)? {
                // A keyword may be the symbolic name, too.
                if !self.token.kind.is_word() {
                    return self.expected("the name of an operand");
                }
                name = Some(self.advance()?.name);
                self.expect(T::RightBracket)?;
            }
            let constraint = self.string_literal()?;
            self.expect(T::LeftParenthesis)?;
            let value = self.expression()?;
            self.value_type(value);
            self.expect(T::RightParenthesis)?;
            operands.push(AsmOperand { name, constraint, value });
            if !self.accept(T::Comma)? {
                break;
            }
        }
        Ok(self.program.asm_operands.push_list(operands))
    }

    fn asm_clobbers(&mut self) -> Parse<List<StringId>> {
        let mut clobbers = Vec::new();
        while !self.at_section_end() {
            clobbers.push(self.string_literal()?);
            if !self.accept(T::Comma)? {
                break;
            }
        }
        Ok(self.program.string_lists.push_list(clobbers))
    }

    fn asm_labels(&mut self) -> Parse<List<LabelId>> {
        let mut labels = Vec::new();
        while !self.at_section_end() {
            let token = self.expect_name()?;
            labels.push(self.mentioned_label(token.name, token.span));
            if !self.accept(T::Comma)? {
                break;
            }
        }
        Ok(self.program.label_lists.push_list(labels))
    }
}
