//! Definite initialization: which local variables have a value at a place on every path to it.
//!
//! The answer errs on the safe side. A variable counts as initialized after its initializer, or after an assignment
//! that is a statement of the same block as its declaration, unless a jump could enter its scope after that. An array
//! also counts after a loop of that block that fills it.

use crate::analyze::filled::{Filled, filled};
use crate::analyze::jump_table::JumpTable;
use crate::analyze::mentions::Mentions;
use crate::syntax::program::Program;
use crate::syntax::span::Span;
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
}

/// A function that is being looked through.
struct Search<'a> {
    program: &'a Program,
    mentions: &'a Mentions,
    values: BTreeMap<EntityId, Value>,
    jumps: Jumps,
    /// Cases: where each stands, and where its switch begins.
    cases: Vec<(u32, u32)>,
}

/// Where a variable has a value.
struct Value {
    /// From the end of the initializer or assignment to the end of the block.
    valid: Span,
    /// Whether each member and element was given a value, and none was copied from an object that may lack one.
    in_parts: bool,
}

/// Where control may go from one place of a function to another.
struct Jumps {
    /// Jumps to labels.
    gotos: JumpTable,
    /// True if control may go anywhere: computed jumps, `asm goto`, `setjmp`.
    anywhere: bool,
}

impl Initialized {
    /// Looks through a function.
    pub(crate) fn of(program: &Program, mentions: &Mentions, function: FunctionId) -> Initialized {
        let jumps = Jumps::of(program, mentions, function);
        let mut search = Search { program, mentions, values: BTreeMap::new(), jumps, cases: Vec::new() };
        let function = &program.functions[function];
        let mut waiting = vec![(function.body, function.span)];
        while let Some((statement, switch)) = waiting.pop() {
            search.look(statement, switch, &mut waiting);
        }
        let Search { mut values, jumps, cases, .. } = search;
        let cases = JumpTable::of(cases);
        values.retain(|_, value| !jumps.bypass(value.valid) && !cases.enters_from_outside(value.valid));
        Initialized { values }
    }
}

impl Search<'_> {
    fn look(&mut self, statement: StatementId, switch: Span, waiting: &mut Vec<(StatementId, Span)>) {
        let program = self.program;
        let node = &program.statements[statement];
        match node.kind {
            StatementKind::Compound { items, .. } => {
                for item in &program.statement_lists[items] {
                    self.values_of(*item, node.span.end);
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
                    self.values_of(first, node.span.end);
                }
                waiting.push((parts.body, switch));
            }
            StatementKind::Switch { body, .. } => waiting.push((body, node.span)),
            StatementKind::Case { body, .. } | StatementKind::Default(body) => {
                self.cases.push((node.span.start, switch.start));
                waiting.push((body, switch));
            }
            StatementKind::Label { body, .. } => waiting.push((body, switch)),
            _ => {}
        }
    }

    /// The variables that an item of a block gives a value, unconditionally.
    fn values_of(&mut self, item: StatementId, block_end: u32) {
        let program = self.program;
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
                    // Only an assignment in the block of the declaration is on every path to the rest of the block.
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
                    self.values_of(first, block_end);
                }
                self.filled_by(item, block_end);
            }
            _ => {}
        }
    }

    /// The array that a loop of the block of its declaration fills.
    fn filled_by(&mut self, item: StatementId, block_end: u32) {
        let program = self.program;
        let Some(Filled { array, in_parts }) = filled(program, self.mentions, item) else { return };
        let scope = program.scopes[program.entities[array].scope].span;
        let end = program.statements[item].span.end;
        // Code that jumps back before the loop may have a pointer to the array.
        let is_jumped_to = self.jumps.gotos.enters(Span::new(scope.start, end));
        if scope.end == block_end && !is_jumped_to {
            let valid = Span::new(end, block_end);
            self.values.entry(array).or_insert(Value { valid, in_parts });
        }
    }
}

impl Initialized {
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

/// Which local variables have a value where. Functions are analyzed when they are first needed.
pub struct Values<'a> {
    program: &'a Program,
    mentions: Mentions,
    known: BTreeMap<FunctionId, Initialized>,
}

impl<'a> Values<'a> {
    /// Prepares the analysis of a program.
    pub fn of(program: &'a Program) -> Values<'a> {
        Values { program, mentions: Mentions::of(program), known: BTreeMap::new() }
    }

    /// True if a variable has a value at a place in its scope, on every path to it. Some parts of a structure or an
    /// array may have none.
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

    /// True if an array gets its values before anything can read it: in its declaration, or in a loop that fills it.
    pub fn is_filled(&mut self, entity: EntityId) -> bool {
        let is_array =
            matches!(self.program.types.kind(self.program.entities[entity].r#type), TypeKind::Array { .. });
        is_array
            && self.initialized(entity).is_some_and(|initialized| initialized.values.contains_key(&entity))
    }

    /// The results for the function of a variable; none for a variable with static storage.
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
        let mut anywhere = mentions.returns_twice(function);
        let mut gotos = Vec::new();
        for jump in mentions.jumps(function) {
            let from = program.statements[*jump];
            let target = match from.kind {
                StatementKind::Goto(label) => program.labels[label].statement,
                _ => None,
            };
            match target {
                Some(target) => gotos.push((program.statements[target].span.start, from.span.start)),
                None => anywhere = true,
            }
        }
        Jumps { gotos: JumpTable::of(gotos), anywhere }
    }

    /// True if a jump from outside a part of a block may enter it, and so bypass the value given before it.
    fn bypass(&self, part: Span) -> bool {
        self.anywhere || self.gotos.enters_from_outside(part)
    }
}

/// True if an initializer gives each part a value of its own: a string, or braces around anything but structures. The
/// members of a copied structure may have no value.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_filled_by_loops_over_all_of_their_elements() {
        for (body, expected) in [
            ("int a[3]; int i; for (i = 0; i < 3; i++) a[i] = 1;", true),
            ("int a[3]; int i; for (i = 0; i < 3; ++i) { a[i] = 1; }", true),
            ("int a[2][3]; int i, j; for (i = 0; i < 2; i++) { for (j = 0; j < 3; j++) a[i][j] = 1; }", true),
            ("int a[3][2]; int i, j; for (i = 0; i < 2; i++) for (j = 0; j < 3; j++) a[j][i] = 1;", true),
            ("int a[3]; int *p = &a[1]; int i; for (i = 0; i < 3; i++) a[i] = 1;", true),
            (
                "int a[3], b[3]; int i; for (i = 0; i < 3; i++) b[i] = 1; for (i = 0; i < 3; i++) a[i] = 1;",
                true,
            ),
            // Some elements are left out.
            ("int a[3]; int i; for (i = 0; i < 2; i++) a[i] = 1;", false),
            ("int a[3]; int i; for (i = 1; i < 3; i++) a[i] = 1;", false),
            ("int a[3]; int i; for (i = 0; i < 3; i += 2) a[i] = 1;", false),
            ("int a[2][2]; int i; for (i = 0; i < 2; i++) a[i][i] = 1;", false),
            ("int a[2][2]; int i, j; for (i = 0; i < 2; i++) for (j = 0; j < 2; j++) a[i][i] = 1;", false),
            ("int a[2][2]; int i, j; for (i = 0; i < 2; i++) for (i = 0; i < 2; i++) a[i][i] = 1;", false),
            ("int a[3]; int i; for (i = 0; i < 3; i++) { if (i) a[i] = 1; }", false),
            ("int a[3]; int i; for (i = 0; i < 3; i++) a[i] += 1;", false),
            ("int a[3]; int i; for (i = 0; i < 3; i++) { a[i] = 1; if (i) break; }", false),
            ("int a[3]; int i; for (i = 0; i < 3; i++) a[i] = i++;", false),
            ("int a[3]; int i, *q = &i; for (i = 0; i < 3; i++) a[i] = 1;", false),
            ("int a[3]; if (g) { int i; for (i = 0; i < 3; i++) a[i] = 1; }", false),
            // An element may be read before the loop.
            ("int a[3]; int x = a[0]; int i; for (i = 0; i < 3; i++) a[i] = 1;", false),
            ("int a[3]; int *p = &a[1]; int x = *p; int i; for (i = 0; i < 3; i++) a[i] = 1;", false),
            ("int a[3]; int *p = &a[1]; int x = p[1]; int i; for (i = 0; i < 3; i++) a[i] = 1;", false),
            ("int a[3]; int *p = &a[1]; int i; for (i = 0; i < 3; i++) a[i] = *p;", false),
            ("int a[3]; int i; for (i = 0; i < 3; i++) a[i] = a[0];", false),
            ("int a[3]; int x = f(a); int i; for (i = 0; i < 3; i++) a[i] = 1;", false),
            ("again: g = 1; int a[3]; int i; for (i = 0; i < 3; i++) a[i] = 1; if (g) goto again;", false),
            ("if (g) goto end; int a[3]; int i; for (i = 0; i < 3; i++) a[i] = 1; end: g = 2;", false),
        ] {
            let text = format!("int f(int *p); int g; void h(void) {{ {body} }}");
            let program = crate::parse("filled.c", &text, crate::DataModel::Lp64).expect("the text is C");
            let array = program.entities.ids().find(|id| program.name(program.entities[*id].name) == "a");
            let is_filled = Values::of(&program).is_filled(array.expect("the text has an array"));
            assert_eq!(is_filled, expected, "{body}");
        }
    }
}
