//! Units: the smallest pieces of a program whose evaluation can be seen from outside.
//!
//! A unit is an expression that is evaluated as a whole or not at all: what a statement, a condition or an initializer
//! consists of, or an operand of `?:`, `&&` and `||` that is not always evaluated. Putting `(note, …)` around a unit
//! notes that its evaluation began and changes nothing else.

use c::syntax::{BinaryOperator, ExpressionId, ExpressionKind, FunctionId, StatementKind, Storage};
use c::{Program, Span, TypeKind};
use model::Position;

/// Where an evaluation begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// An expression; its bytes.
    Expression(Span),
    /// The body of a function; the byte of its opening brace.
    Body(u32),
}

impl Unit {
    /// A byte that finds the unit again.
    pub fn place(self) -> u32 {
        match self {
            Unit::Expression(span) => span.start,
            Unit::Body(place) => place,
        }
    }
}

/// The units of a program.
pub struct Units {
    /// Expressions that are evaluated as a whole, with the functions that they are in.
    roots: Vec<(Span, ExpressionId)>,
    /// Every function: its bytes, its name and the byte of its opening brace.
    functions: Vec<(Span, String, u32)>,
    line_starts: Vec<u32>,
}

impl Units {
    /// Looks through a program.
    pub fn of(program: &Program) -> Units {
        let function = |id: FunctionId| {
            let function = &program.functions[id];
            let name = program.name(program.entities[function.entity].name).into_owned();
            (function.span, name, program.statements[function.body].span.start)
        };
        let mut roots = Vec::new();
        for statement in program.statements.iter() {
            roots_of(program, &statement.kind, &mut roots);
        }
        let functions: Vec<_> = program.functions.ids().map(function).collect();
        let spanned = |id: ExpressionId| (program.expressions[id].span, id);
        let inside =
            |(span, _): &(Span, ExpressionId)| functions.iter().any(|(whole, _, _)| whole.contains(*span));
        let mut roots: Vec<(Span, ExpressionId)> = roots.into_iter().map(spanned).filter(inside).collect();
        roots.sort_by_key(|(span, _)| (span.start, u32::MAX - span.end));
        let newlines = program.text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        Units { roots, functions, line_starts }
    }

    /// The unit at a place that an analyzer names; `None` if nothing is evaluated there.
    pub fn at_place(&self, program: &Program, place: Position) -> Option<Unit> {
        let start = *self.line_starts.get((place.line as usize).checked_sub(1)?)?;
        if let Some(column) = place.column.checked_sub(1) {
            return self.at(program, start + column);
        }
        // Without a column the line must hold one unit alone.
        let end = self.line_starts.get(place.line as usize).copied().unwrap_or(u32::MAX);
        let mut here = self.roots.iter().filter(|(span, _)| start <= span.start && span.start < end);
        match (here.next(), here.next()) {
            (Some((span, _)), None) => Some(Unit::Expression(*span)),
            _ => None,
        }
    }

    /// The unit at a byte.
    pub fn at(&self, program: &Program, byte: u32) -> Option<Unit> {
        let here = Span::new(byte, byte + 1);
        // The last root that holds the byte is the innermost.
        let candidates = &self.roots[..self.roots.partition_point(|(span, _)| span.start <= byte)];
        if let Some((_, root)) = candidates.iter().rev().find(|(span, _)| span.contains(here)) {
            return Some(Unit::Expression(innermost(program, *root, here)));
        }
        let (_, _, body) =
            self.functions.iter().find(|(span, _, body)| span.start <= byte && byte <= *body)?;
        Some(Unit::Body(*body))
    }

    /// The name of the function around a unit.
    pub fn function(&self, unit: Unit) -> Option<&str> {
        let byte = unit.place();
        let around = |(span, _, _): &&(Span, String, u32)| span.start <= byte && byte < span.end;
        // The innermost of nested functions starts last.
        let function = self.functions.iter().filter(around).max_by_key(|(span, _, _)| span.start)?;
        Some(&function.1)
    }
}

/// The operand, not always evaluated, that holds a byte; the root if there is none.
fn innermost(program: &Program, root: ExpressionId, here: Span) -> Span {
    let mut unit = program.expressions[root].span;
    let mut next = Some(root);
    while let Some(current) = next {
        let holds = |id: &ExpressionId| program.expressions[*id].span.contains(here);
        match program.expressions[current].kind {
            ExpressionKind::Conditional { then, otherwise, .. } => {
                let operand = then.into_iter().chain([otherwise]).find(holds);
                unit = operand.map_or(unit, |operand| program.expressions[operand].span);
            }
            ExpressionKind::Binary { operator: BinaryOperator::And | BinaryOperator::Or, right, .. }
                if holds(&right) =>
            {
                unit = program.expressions[right].span;
            }
            _ => {}
        }
        next = None;
        program.for_each_operand(current, |operand| {
            if holds(&operand) {
                next = Some(operand);
            }
        });
    }
    unit
}

/// The expressions that a statement evaluates as a whole.
fn roots_of(program: &Program, statement: &StatementKind, roots: &mut Vec<ExpressionId>) {
    match *statement {
        StatementKind::Expression(root)
        | StatementKind::If { condition: root, .. }
        | StatementKind::While { condition: root, .. }
        | StatementKind::DoWhile { condition: root, .. }
        | StatementKind::Switch { value: root, .. }
        | StatementKind::Return(Some(root)) => roots.push(root),
        StatementKind::For(parts) => {
            let parts = &program.for_loops[parts];
            roots.extend(parts.condition.into_iter().chain(parts.step));
        }
        StatementKind::Declaration(declaration) => {
            for declarator in &program.declarators[program.declarations[declaration].declarators] {
                let entity = &program.entities[declarator.entity];
                let is_constant = matches!(entity.storage, Storage::Static | Storage::Extern);
                if let Some(initializer) = declarator.initializer.filter(|_| !is_constant) {
                    initializer_roots(program, declarator.r#type, initializer, roots);
                }
            }
        }
        _ => {}
    }
}

/// The values in an initializer. A string that fills an array is not a value that could follow a comma.
fn initializer_roots(
    program: &Program,
    r#type: c::Type,
    initializer: ExpressionId,
    roots: &mut Vec<ExpressionId>,
) {
    match program.expressions[initializer].kind {
        ExpressionKind::InitializerList(_) => {
            for value in program.walk(initializer) {
                let node = &program.expressions[value];
                let is_scalar =
                    program.types.is_arithmetic(node.r#type) || program.types.is_pointer(node.r#type);
                if is_scalar && !roots.iter().any(|root| program.expressions[*root].span.contains(node.span))
                {
                    roots.push(value);
                }
            }
        }
        _ if matches!(program.types.kind(r#type), TypeKind::Array { .. }) => {}
        _ => roots.push(initializer),
    }
}
