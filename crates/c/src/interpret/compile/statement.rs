//! Statements.

use super::super::code::{BlockJump, Operation, Switch, Target};
use super::super::stop::{Step, unsupported};
use super::super::value::Scalar;
use super::{Compiler, Loop, OpenSwitch, is_static};
use crate::syntax::arena::List;
use crate::syntax::{
    DeclarationId, Declarator, EntityKind, ExpressionId, ForLoop, LabelId, StatementId, StatementKind,
};
use crate::types::{ArrayLength, TypeKind};

impl Compiler<'_> {
    /// Translates a statement. What cannot be translated stops the interpretation when it is reached.
    pub(super) fn statement(&mut self, id: StatementId) {
        let outer = self.span;
        self.span = self.program.statements[id].span;
        let result = self.nested(|compiler| compiler.statement_kind(id));
        self.or_refuse(result);
        self.span = outer;
    }

    fn statement_kind(&mut self, id: StatementId) -> Step<()> {
        use StatementKind as S;
        match self.program.statements[id].kind {
            S::Empty | S::Attributes(_) | S::LabelDeclaration(_) | S::StaticAssert(_) | S::Function(_) => {
                Ok(())
            }
            S::Expression(expression) => {
                self.dropped(expression)?;
                self.end_full_expression();
                Ok(())
            }
            S::Compound { items, .. } => {
                self.compound(items);
                Ok(())
            }
            S::If { condition, then, otherwise } => self.if_statement(condition, then, otherwise),
            S::While { condition, body } => self.while_loop(condition, body),
            S::DoWhile { body, condition } => self.do_loop(body, condition),
            S::For(parts) => {
                let parts = self.program.for_loops[parts];
                self.for_loop(&parts)
            }
            S::Switch { value, body } => self.switch(value, body),
            S::Case { first, last, body } => {
                self.case(first, last)?;
                self.statement(body);
                Ok(())
            }
            S::Default(body) => {
                self.default_case()?;
                self.statement(body);
                Ok(())
            }
            S::Label { label, body } => {
                self.label(label);
                self.statement(body);
                Ok(())
            }
            S::Goto(label) => self.goto(label),
            S::ComputedGoto(_) => unsupported("a computed goto"),
            S::Break => self.leave_loop(|inner| Some(inner.end)),
            S::Continue => self.leave_loop(|inner| inner.next),
            S::Return(value) => self.return_statement(value),
            S::Asm(_) => unsupported("assembly code"),
            S::Declaration(declaration) => self.declaration(declaration),
        }
    }

    fn end_full_expression(&mut self) {
        if self.makes_temporaries {
            self.makes_temporaries = false;
            self.emit(Operation::EndFullExpression);
        }
    }

    /// A condition, whose truth decides the jump after it.
    fn condition(&mut self, condition: ExpressionId) -> Step<()> {
        self.scalar_value(condition)?;
        self.end_full_expression();
        Ok(())
    }

    fn compound(&mut self, items: List<StatementId>) {
        let block = self.open_block();
        self.emit(Operation::Enter(block));
        for item in &self.program.statement_lists[items] {
            self.statement(*item);
        }
        self.open.pop();
        self.emit(Operation::Leave(block));
    }

    /// The block of a statement expression, whose last statement gives the value.
    pub(super) fn compound_value(&mut self, body: StatementId) -> Step<()> {
        let StatementKind::Compound { items, .. } = self.program.statements[body].kind else {
            return unsupported("a statement expression without a block");
        };
        let items = &self.program.statement_lists[items];
        let block = self.open_block();
        self.inside_expression += 1;
        self.emit(Operation::Enter(block));
        let (last, first) = match items.split_last() {
            Some((last, first)) => (Some(*last), first),
            None => (None, items),
        };
        for item in first {
            self.statement(*item);
        }
        match last.map(|last| (last, self.program.statements[last].kind)) {
            Some((_, StatementKind::Expression(value))) => self.value(value)?,
            Some((_, StatementKind::Label { .. })) => {
                return unsupported("a label at the end of a statement expression");
            }
            Some((last, _)) => {
                self.statement(last);
                self.emit(Operation::Void);
            }
            None => self.emit(Operation::Void),
        }
        self.inside_expression -= 1;
        self.open.pop();
        self.emit(Operation::Leave(block));
        Ok(())
    }

    fn if_statement(
        &mut self,
        condition: ExpressionId,
        then: StatementId,
        otherwise: Option<StatementId>,
    ) -> Step<()> {
        self.condition(condition)?;
        let after = self.new_target();
        self.emit(Operation::JumpIfZero(after));
        self.statement(then);
        match otherwise {
            Some(otherwise) => {
                let end = self.new_target();
                self.emit(Operation::Jump(end));
                self.place_target(after);
                self.statement(otherwise);
                self.place_target(end);
            }
            None => self.place_target(after),
        }
        Ok(())
    }

    fn loop_body(&mut self, body: StatementId, end: Target, next: Target) {
        let inside_expression = self.inside_expression;
        self.loops.push(Loop { end, next: Some(next), open: self.open.len(), inside_expression });
        self.statement(body);
        self.loops.pop();
    }

    fn while_loop(&mut self, condition: ExpressionId, body: StatementId) -> Step<()> {
        let (again, end) = (self.new_target(), self.new_target());
        self.place_target(again);
        self.condition(condition)?;
        self.emit(Operation::JumpIfZero(end));
        self.loop_body(body, end, again);
        self.emit(Operation::Jump(again));
        self.place_target(end);
        Ok(())
    }

    fn do_loop(&mut self, body: StatementId, condition: ExpressionId) -> Step<()> {
        let (again, next, end) = (self.new_target(), self.new_target(), self.new_target());
        self.place_target(again);
        self.loop_body(body, end, next);
        self.place_target(next);
        self.condition(condition)?;
        self.emit(Operation::JumpIfNotZero(again));
        self.place_target(end);
        Ok(())
    }

    fn for_loop(&mut self, parts: &ForLoop) -> Step<()> {
        let block = self.open_block();
        self.emit(Operation::Enter(block));
        if let Some(first) = parts.first {
            self.statement(first);
        }
        let (again, next, end) = (self.new_target(), self.new_target(), self.new_target());
        self.place_target(again);
        if let Some(condition) = parts.condition {
            self.condition(condition)?;
            self.emit(Operation::JumpIfZero(end));
        }
        self.loop_body(parts.body, end, next);
        self.place_target(next);
        if let Some(step) = parts.step {
            self.dropped(step)?;
            self.end_full_expression();
        }
        self.emit(Operation::Jump(again));
        self.place_target(end);
        self.open.pop();
        self.emit(Operation::Leave(block));
        Ok(())
    }

    fn leave_loop(&mut self, target: impl Fn(&Loop) -> Option<Target>) -> Step<()> {
        let Some((found, open, inside)) = self
            .loops
            .iter()
            .rev()
            .find_map(|inner| Some((target(inner)?, inner.open, inner.inside_expression)))
        else {
            return unsupported("a jump out of a loop that is not there");
        };
        if inside != self.inside_expression {
            return unsupported("a jump out of a statement expression");
        }
        for index in (open..self.open.len()).rev() {
            self.emit(Operation::Leave(self.open[index]));
        }
        self.emit(Operation::Jump(found));
        Ok(())
    }

    fn switch(&mut self, value: ExpressionId, body: StatementId) -> Step<()> {
        self.scalar_value(value)?;
        let types = &self.program.types;
        let promoted = types.promoted(self.type_of(value), self.program.bit_width(value));
        let from = Scalar::of(types, self.type_of(value))?;
        self.emit(Operation::Convert(from, Scalar::Integer(promoted)));
        self.end_full_expression();
        let end = self.new_target();
        self.code.switches.push(Switch { cases: Vec::new(), default: None, end });
        let index = self.code.switches.len() - 1;
        self.emit(Operation::Switch(index));
        self.switches.push(OpenSwitch { index, open: self.open.len(), r#type: promoted });
        let inside_expression = self.inside_expression;
        self.loops.push(Loop { end, next: None, open: self.open.len(), inside_expression });
        self.statement(body);
        self.loops.pop();
        self.switches.pop();
        self.place_target(end);
        Ok(())
    }

    /// Adds a jump from the innermost `switch` to this place.
    fn switch_jump(&mut self) -> Step<(usize, usize)> {
        let Some(switch) = self.switches.last() else { return unsupported("a case outside of a switch") };
        let (index, enter) = (switch.index, self.open[switch.open..].to_vec());
        let target = self.new_target();
        self.place_target(target);
        self.code.jumps.push(BlockJump { label: None, leave: Vec::new(), enter, target });
        Ok((index, self.code.jumps.len() - 1))
    }

    fn case(&mut self, first: ExpressionId, last: Option<ExpressionId>) -> Step<()> {
        let r#type = self.switches.last().map(|switch| switch.r#type);
        let (index, jump) = self.switch_jump()?;
        let value = |expression| {
            let bits = self.program.constant_bits(expression)?;
            self.program.types.wrap(bits, r#type?)
        };
        let Some((least, greatest)) = value(first).zip(value(last.unwrap_or(first))) else {
            return unsupported("a case without a constant");
        };
        self.code.switches[index].cases.push((least, greatest, jump));
        Ok(())
    }

    fn default_case(&mut self) -> Step<()> {
        let (index, jump) = self.switch_jump()?;
        self.code.switches[index].default = Some(jump);
        Ok(())
    }

    fn label(&mut self, label: LabelId) {
        let target = self.new_target();
        self.place_target(target);
        self.labels.insert(label, (target, self.open.clone()));
    }

    fn goto(&mut self, label: LabelId) -> Step<()> {
        if self.inside_expression > 0 {
            return unsupported("a goto in a statement expression");
        }
        let jump = BlockJump { label: Some(label), leave: Vec::new(), enter: Vec::new(), target: 0 };
        self.code.jumps.push(jump);
        let index = self.code.jumps.len() - 1;
        self.sources.push((index, self.open.clone()));
        self.emit(Operation::JumpOut(index));
        Ok(())
    }

    fn return_statement(&mut self, value: Option<ExpressionId>) -> Step<()> {
        match value {
            Some(value) => {
                self.value(value)?;
                self.convert_result(value)?;
                self.emit(Operation::Return);
            }
            None => self.emit(Operation::FallOff),
        }
        Ok(())
    }

    fn declaration(&mut self, declaration: DeclarationId) -> Step<()> {
        let declarators = self.program.declarations[declaration].declarators;
        for id in declarators.ids() {
            let declarator = self.program.declarators[id];
            let kind = self.program.entities[declarator.entity].kind;
            if kind == EntityKind::Variable && !is_static(self.program, declarator.entity) {
                self.local_variable(&declarator)?;
            }
        }
        Ok(())
    }

    fn local_variable(&mut self, declarator: &Declarator) -> Step<()> {
        let r#type = self.program.entities[declarator.entity].r#type;
        let Some(block) = self.open.last().copied() else {
            return unsupported("a variable outside of a block");
        };
        let object = self.new_object(block, Some(declarator.entity), r#type);
        if object.is_variable {
            let TypeKind::Array { element, length: ArrayLength::Variable(length) } =
                self.program.types.kind(r#type)
            else {
                return unsupported("a variable of an incomplete type");
            };
            self.size(element)?;
            self.integer_value(length)?;
            self.emit(Operation::CreateVariable { slot: object.slot, element });
            return Ok(());
        }
        match declarator.initializer {
            Some(initializer) => {
                self.emit(Operation::Local(object.slot));
                self.initializer(r#type, initializer)?;
                self.end_full_expression();
            }
            None => self.emit(Operation::Forget(object.slot)),
        }
        Ok(())
    }
}
