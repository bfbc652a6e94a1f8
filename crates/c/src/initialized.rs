//! Definite initialization: which local variables have a value at a place, whatever way led there.
//!
//! The answer is on the safe side. A variable counts as initialized behind its initializer, or behind an assignment
//! that is a statement of the same block as its declaration, unless a jump could enter its scope behind that.

use crate::mentions::Mentions;
use crate::program::Program;
use crate::span::Span;
use crate::syntax::{
    EntityId, EntityKind, ExpressionId, ExpressionKind, FunctionId, Linkage, StatementId, StatementKind,
    Storage,
};
use crate::types::TypeKind;
use std::collections::BTreeMap;

/// The local variables of one function that get a value which no jump can bypass.
pub(crate) struct Initialized {
    /// For each such variable, where it has the value.
    values: BTreeMap<EntityId, Value>,
    jumps: Jumps,
}

/// Where a variable has a value.
struct Value {
    /// From behind the initializer or assignment to the end of the block.
    valid: Span,
    /// Whether each member and element was given a value, so that none was copied from what may have none.
    in_parts: bool,
}

/// Where control may go from one place of a function to another.
#[derive(Default)]
struct Jumps {
    /// Jumps to labels: where to, and from where.
    gotos: Vec<(u32, u32)>,
    /// Cases: where each stands, and where its switch begins.
    cases: Vec<(u32, u32)>,
    /// True if control may go anywhere: computed jumps, `asm goto`, `setjmp`.
    anywhere: bool,
}

impl Initialized {
    /// Looks through a function.
    pub(crate) fn of(program: &Program, mentions: &Mentions, function: FunctionId) -> Initialized {
        let jumps = Jumps::of(program, mentions, function);
        let mut initialized = Initialized { values: BTreeMap::new(), jumps };
        let function = &program.functions[function];
        let mut waiting = vec![(function.body, function.span)];
        while let Some((statement, switch)) = waiting.pop() {
            initialized.look(program, statement, switch, &mut waiting);
        }
        let mut jumps = std::mem::take(&mut initialized.jumps);
        jumps.gotos.sort_unstable();
        jumps.cases.sort_unstable();
        initialized.values.retain(|_, value| !jumps.enter(value.valid));
        initialized
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
                self.jumps.cases.push((node.span.start, switch.start));
                waiting.push((body, switch));
            }
            StatementKind::Label { body, .. } => waiting.push((body, switch)),
            _ => {}
        }
    }

    /// The variables that an item of a block gives a value, unconditionally.
    fn values_of(&mut self, program: &Program, item: StatementId, block_end: u32) {
        match program.statements[item].kind {
            StatementKind::Declaration(declaration) => {
                for declarator in &program.declarators[program.declarations[declaration].declarators] {
                    if let Some(initializer) = declarator.initializer {
                        let valid = Span::new(program.statements[item].span.end, block_end);
                        let in_parts = gives_parts(program, initializer);
                        self.values.entry(declarator.entity).or_insert(Value { valid, in_parts });
                    }
                }
            }
            StatementKind::Expression(expression) => {
                let end = program.statements[item].span.end;
                for entity in assigned(program, expression) {
                    // Only an assignment in the block of the declaration is behind every way to the rest of the block.
                    if program.scopes[program.entities[entity].scope].span.end == block_end {
                        let valid = Span::new(end, block_end);
                        self.values.entry(entity).or_insert(Value { valid, in_parts: false });
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
    pub(crate) fn has_value(&self, program: &Program, entity: EntityId, place: u32) -> bool {
        program.entities[entity].kind == EntityKind::Parameter
            || self.values.get(&entity).is_some_and(|value| value.holds(place))
    }

    /// True if every member and element of the variable has a value there.
    pub(crate) fn has_parts(&self, entity: EntityId, place: u32) -> bool {
        self.values.get(&entity).is_some_and(|value| value.in_parts && value.holds(place))
    }
}

/// Which local variables have a value where, for each function that is asked about.
pub struct Values<'a> {
    program: &'a Program,
    mentions: Mentions,
    known: BTreeMap<FunctionId, Initialized>,
}

impl<'a> Values<'a> {
    /// Gets ready to answer questions about a program.
    pub fn of(program: &'a Program) -> Values<'a> {
        Values { program, mentions: Mentions::of(program), known: BTreeMap::new() }
    }

    /// True if a variable has a value at a place that its scope holds, whatever way led there; of a structure or an
    /// array, some parts may have none.
    pub fn has_value(&mut self, entity: EntityId, place: u32) -> bool {
        let program = self.program;
        self.initialized(entity).is_none_or(|initialized| initialized.has_value(program, entity, place))
    }

    /// True if a variable has a value from its declaration on, which no jump can bypass.
    pub fn is_always_initialized(&mut self, entity: EntityId) -> bool {
        let is_parameter = self.program.entities[entity].kind == EntityKind::Parameter;
        let has_initializer = self.program.entities[entity].is_initialized;
        self.initialized(entity).is_none_or(|initialized| {
            is_parameter || has_initializer && initialized.values.contains_key(&entity)
        })
    }

    /// What is known of the function of a variable; none for a variable that lives as long as the program.
    fn initialized(&mut self, entity: EntityId) -> Option<&Initialized> {
        let info = &self.program.entities[entity];
        let is_automatic = info.linkage == Linkage::None && info.storage != Storage::Static;
        let function = info.function.filter(|_| is_automatic)?;
        let (program, mentions) = (self.program, &self.mentions);
        Some(self.known.entry(function).or_insert_with(|| Initialized::of(program, mentions, function)))
    }
}

impl Value {
    fn holds(&self, place: u32) -> bool {
        self.valid.start <= place && place < self.valid.end
    }
}

impl Jumps {
    /// The jumps of a function apart from its cases.
    fn of(program: &Program, mentions: &Mentions, function: FunctionId) -> Jumps {
        let mut jumps = Jumps { anywhere: mentions.returns_twice(function), ..Jumps::default() };
        for jump in mentions.jumps(function) {
            let from = program.statements[*jump];
            let target = match from.kind {
                StatementKind::Goto(label) => program.labels[label].statement,
                _ => None,
            };
            match target {
                Some(target) => jumps.gotos.push((program.statements[target].span.start, from.span.start)),
                None => jumps.anywhere = true,
            }
        }
        jumps
    }

    /// True if a jump from outside of a part of a block may enter it, and so come without the value given before it.
    fn enter(&self, part: Span) -> bool {
        let is_outside = |from: u32| from < part.start || part.end <= from;
        self.anywhere
            || within(&self.gotos, part).iter().any(|(_, from)| is_outside(*from))
            || within(&self.cases, part).iter().any(|(_, switch)| is_outside(*switch))
    }
}

/// The jumps that go into a part of the text.
fn within(jumps: &[(u32, u32)], part: Span) -> &[(u32, u32)] {
    let first = jumps.partition_point(|(to, _)| *to < part.start);
    let rest = &jumps[first..];
    &rest[..rest.partition_point(|(to, _)| *to < part.end)]
}

/// True if an initializer gives each part a value of its own: a string, or braces around what is no structure. The
/// members of a structure that is copied may have no value.
fn gives_parts(program: &Program, initializer: ExpressionId) -> bool {
    let mut waiting = vec![initializer];
    while let Some(expression) = waiting.pop() {
        match program.expressions[expression].kind {
            ExpressionKind::InitializerList(items) => {
                waiting.extend(program.initializer_items[items].iter().map(|item| item.value));
            }
            ExpressionKind::String(_) => {}
            _ => {
                let r#type = program.expressions[expression].r#type;
                if matches!(program.types.kind(r#type), TypeKind::Record(_) | TypeKind::Array { .. }) {
                    return false;
                }
            }
        }
    }
    true
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
