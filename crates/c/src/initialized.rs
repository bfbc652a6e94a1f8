//! Definite initialization: which local variables have a value at a place, whatever way led there.
//!
//! The answer is on the safe side. A variable counts as initialized behind its initializer, or behind an assignment
//! that is a statement of the same block as its declaration, unless a jump could enter its scope behind that.

use crate::program::Program;
use crate::span::Span;
use crate::syntax::{
    EntityId, EntityKind, ExpressionId, ExpressionKind, FunctionId, StatementId, StatementKind,
};
use std::collections::BTreeMap;

/// What decides about the variables of one function.
pub(crate) struct Jumps {
    /// For each local variable that gets a value: where that is done, and where its block ends.
    values: BTreeMap<usize, Span>,
    /// Jumps to labels: from where to where.
    gotos: Vec<(u32, u32)>,
    /// Cases: where each stands, and the bytes of its switch.
    cases: Vec<(u32, Span)>,
    /// True if control may go anywhere: computed jumps, `asm goto`, `setjmp`.
    anywhere: bool,
}

impl Jumps {
    /// Looks through a function.
    pub(crate) fn of(program: &Program, function: FunctionId) -> Jumps {
        let mut jumps =
            Jumps { values: BTreeMap::new(), gotos: Vec::new(), cases: Vec::new(), anywhere: false };
        let function = &program.functions[function];
        jumps.anywhere = calls_setjmp(program, function.span);
        let mut waiting = vec![(function.body, function.span)];
        while let Some((statement, switch)) = waiting.pop() {
            jumps.look(program, statement, switch, &mut waiting);
        }
        jumps
    }

    fn look(
        &mut self,
        program: &Program,
        statement: StatementId,
        switch: Span,
        waiting: &mut Vec<(StatementId, Span)>,
    ) {
        let node = &program.statements[statement];
        match node.kind {
            StatementKind::Compound { items, .. } => {
                for item in &program.statement_lists[items] {
                    self.values_of(program, *item, node.span.end);
                    waiting.push((*item, switch));
                }
            }
            StatementKind::If { then, otherwise, .. } => {
                waiting.push((then, switch));
                waiting.extend(otherwise.map(|branch| (branch, switch)));
            }
            StatementKind::While { body, .. } | StatementKind::DoWhile { body, .. } => {
                waiting.push((body, switch))
            }
            StatementKind::For(id) => {
                let parts = program.for_loops[id];
                if let Some(first) = parts.first.filter(|first| !is_expression(program, *first)) {
                    self.values_of(program, first, node.span.end);
                }
                waiting.push((parts.body, switch));
            }
            StatementKind::Switch { body, .. } => waiting.push((body, node.span)),
            StatementKind::Case { body, .. } | StatementKind::Default(body) => {
                self.cases.push((node.span.start, switch));
                waiting.push((body, switch));
            }
            StatementKind::Label { body, .. } => waiting.push((body, switch)),
            StatementKind::Goto(label) => {
                let target = program.labels[label].statement;
                match target {
                    Some(target) => self.gotos.push((node.span.start, program.statements[target].span.start)),
                    None => self.anywhere = true,
                }
            }
            StatementKind::ComputedGoto(_) => self.anywhere = true,
            StatementKind::Asm(asm) => self.anywhere |= !program.asms[asm].labels.is_empty(),
            _ => {}
        }
    }

    /// The variables that an item of a block gives a value, unconditionally.
    fn values_of(&mut self, program: &Program, item: StatementId, block_end: u32) {
        match program.statements[item].kind {
            StatementKind::Declaration(declaration) => {
                for declarator in &program.declarators[program.declarations[declaration].declarators] {
                    if declarator.initializer.is_some() {
                        let end = program.statements[item].span.end;
                        self.values.entry(declarator.entity.index()).or_insert(Span::new(end, block_end));
                    }
                }
            }
            StatementKind::Expression(expression) => {
                let end = program.statements[item].span.end;
                for entity in assigned(program, expression) {
                    // Only an assignment in the block of the declaration is behind every way to the rest of the block.
                    if program.scopes[program.entities[entity].scope].span.end == block_end {
                        self.values.entry(entity.index()).or_insert(Span::new(end, block_end));
                    }
                }
            }
            // The first part of a loop is executed whether the body is or not.
            StatementKind::For(id) => {
                if let Some(first) =
                    program.for_loops[id].first.filter(|first| is_expression(program, *first))
                {
                    self.values_of(program, first, block_end);
                }
            }
            _ => {}
        }
    }

    /// True if the variable has a value at a place that its scope holds.
    pub(crate) fn is_initialized(&self, program: &Program, entity: EntityId, place: u32) -> bool {
        if program.entities[entity].kind == EntityKind::Parameter {
            return true;
        }
        let Some(valid) = self.values.get(&entity.index()) else { return false };
        let is_inside = |position: u32| valid.start <= position && position < valid.end;
        if self.anywhere || !is_inside(place) {
            return false;
        }
        // A jump into the part of the block behind the value, from outside of it, may come without the value.
        let entered = self.gotos.iter().any(|(from, to)| is_inside(*to) && !is_inside(*from));
        let is_entered_by_case = |(case, switch): &(u32, Span)| is_inside(*case) && !is_inside(switch.start);
        !entered && !self.cases.iter().any(is_entered_by_case)
    }
}

fn is_expression(program: &Program, statement: StatementId) -> bool {
    matches!(program.statements[statement].kind, StatementKind::Expression(_))
}

/// The variables that an expression statement assigns as a whole: `x = 1`, `x = y = 1`, `x = 1, y = 2`.
fn assigned(program: &Program, expression: ExpressionId) -> Vec<EntityId> {
    let mut found = Vec::new();
    let mut waiting = vec![expression];
    while let Some(expression) = waiting.pop() {
        match program.expressions[expression].kind {
            ExpressionKind::Assign { operator: None, target, value } => {
                if let ExpressionKind::Name(entity) = program.expressions[target].kind {
                    found.push(entity);
                }
                waiting.push(value);
            }
            ExpressionKind::Comma { left, right } => waiting.extend([left, right]),
            _ => {}
        }
    }
    found
}

/// A second return of `setjmp` finds locals with values that nobody can tell.
fn calls_setjmp(program: &Program, span: Span) -> bool {
    let known = ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp"];
    program.expressions.iter().filter(|expression| span.contains(expression.span)).any(|expression| {
        match expression.kind {
            ExpressionKind::Name(entity) => known.contains(&&*program.name(program.entities[entity].name)),
            _ => false,
        }
    })
}
