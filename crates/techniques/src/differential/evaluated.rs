//! What a statement evaluates first, whatever happens: the expressions that have, directly before the statement, the
//! value that they have in it.
//!
//! An expression counts if nothing that the statement does can come before it, and if no other value decides whether it
//! is evaluated. Reading such an expression once more before the statement is defined wherever the statement is.
//!
//! Discarded lvalues do not count: programs write `(void)x;` for variables without a value.

use c::analyze::Purity;
use c::syntax::{
    BinaryOperator, DeclarationId, Declarator, ExpressionId, ExpressionKind, StatementId, StatementKind,
    Storage, UnaryOperator,
};
use c::types::ArrayLength;
use c::{Program, Type, TypeKind};

/// An expression that is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// The expression.
    pub expression: ExpressionId,
    /// False if it only designates an object, which is not read.
    pub is_read: bool,
    /// How far below its statement it is.
    pub depth: u32,
    /// The number of elements of the array in which it selects one.
    pub length: Option<u64>,
}

impl Evaluated {
    fn new(expression: ExpressionId, is_read: bool, depth: u32) -> Evaluated {
        Evaluated { expression, is_read, depth, length: None }
    }
}

/// Finds what the statements of a program evaluate.
pub struct Evaluation<'a> {
    program: &'a Program,
    purity: Purity,
}

impl<'a> Evaluation<'a> {
    /// Looks through a program.
    pub fn of(program: &'a Program) -> Evaluation<'a> {
        Evaluation { program, purity: Purity::of(program) }
    }

    /// Everything that a statement evaluates unconditionally in the state before it, outer expressions first.
    pub fn before(&self, statement: StatementId) -> Vec<Evaluated> {
        let mut found = Vec::new();
        let mut waiting = self.beginnings(statement);
        waiting.reverse();
        while let Some(next) = waiting.pop() {
            found.push(next);
            let before = waiting.len();
            push_operands(self.program, next, &mut waiting);
            waiting[before..].reverse();
        }
        found
    }

    /// The outermost expressions that come before all effects of a statement.
    fn beginnings(&self, statement: StatementId) -> Vec<Evaluated> {
        match self.program.statements[statement].kind {
            StatementKind::Expression(value) => self.before_effects(value, true),
            StatementKind::Return(Some(value))
            | StatementKind::If { condition: value, .. }
            | StatementKind::While { condition: value, .. }
            | StatementKind::Switch { value, .. } => self.before_effects(value, false),
            StatementKind::Declaration(declaration) => self.before_declared(declaration),
            StatementKind::For(id) => {
                let parts = &self.program.for_loops[id];
                match parts.first.map(|first| self.program.statements[first].kind) {
                    Some(StatementKind::Expression(value)) => self.before_effects(value, true),
                    Some(StatementKind::Declaration(declaration)) => self.before_declared(declaration),
                    None | Some(StatementKind::Empty) => {
                        parts.condition.map(|value| self.before_effects(value, false)).unwrap_or_default()
                    }
                    Some(_) => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// The initializers of a declaration, up to the first one that has an effect.
    fn before_declared(&self, declaration: DeclarationId) -> Vec<Evaluated> {
        let mut found = Vec::new();
        for declarator in &self.program.declarators[self.program.declarations[declaration].declarators] {
            if has_variable_length(self.program, declarator.r#type) {
                break;
            }
            let Some(initializer) = declarator.initializer else { continue };
            if is_automatic_scalar(self.program, declarator) {
                found.append(&mut self.before_effects(initializer, false));
            }
            if !self.purity.is_pure(initializer) {
                break;
            }
        }
        found
    }

    /// The parts of a full expression that come before all its effects.
    fn before_effects(&self, root: ExpressionId, is_discarded: bool) -> Vec<Evaluated> {
        let (mut current, mut is_discarded, mut depth) = (root, is_discarded, 1);
        loop {
            let node = &self.program.expressions[current];
            match node.kind {
                ExpressionKind::Cast(operand) if node.r#type.unqualified() == Type::VOID => {
                    (current, is_discarded) = (operand, true);
                }
                ExpressionKind::Comma { left, .. } if !self.purity.is_pure(current) => {
                    (current, is_discarded) = (left, true);
                }
                _ => break,
            }
            depth += 1;
        }
        let node = &self.program.expressions[current];
        match node.kind {
            ExpressionKind::Assign { operator, target, value } => {
                self.before_assignment((target, operator.is_some()), value, depth + 1)
            }
            ExpressionKind::Call { .. } => self.before_call(current, depth + 1),
            ExpressionKind::Unary { operator, operand }
                if changes(operator) && self.purity.is_pure(operand) =>
            {
                vec![Evaluated::new(operand, true, depth + 1)]
            }
            _ if self.purity.is_pure(current) => {
                vec![Evaluated::new(current, !(is_discarded && node.is_lvalue), depth)]
            }
            _ => Vec::new(),
        }
    }

    /// Both sides of an assignment, or what comes before the call that gives its value. The target is read if its old value
    /// counts.
    fn before_assignment(
        &self,
        (target, is_read): (ExpressionId, bool),
        value: ExpressionId,
        depth: u32,
    ) -> Vec<Evaluated> {
        // The target itself may be volatile: it is written last.
        let mut is_steady = !is_read || self.purity.is_pure(target);
        self.program.for_each_operand(target, |operand| is_steady &= self.purity.is_pure(operand));
        if !is_steady {
            return Vec::new();
        }
        if self.purity.is_pure(value) {
            return vec![Evaluated::new(target, is_read, depth), Evaluated::new(value, true, depth)];
        }
        let (mut call, mut depth) = (value, depth);
        while let ExpressionKind::Cast(operand) = self.program.expressions[call].kind {
            call = operand;
            depth += 1;
        }
        self.before_call(call, depth + 1)
    }

    /// The arguments of a call, and the expression that designates the function.
    fn before_call(&self, call: ExpressionId, depth: u32) -> Vec<Evaluated> {
        let ExpressionKind::Call { function, arguments } = self.program.expressions[call].kind else {
            return Vec::new();
        };
        let arguments = &self.program.expression_lists[arguments];
        let all = || std::iter::once(function).chain(arguments.iter().copied());
        if !evaluates_arguments(self.program, function) || !all().all(|operand| self.purity.is_pure(operand))
        {
            return Vec::new();
        }
        all().map(|operand| Evaluated::new(operand, true, depth)).collect()
    }
}

fn is_automatic_scalar(program: &Program, declarator: &Declarator) -> bool {
    let info = &program.entities[declarator.entity];
    matches!(info.storage, Storage::None | Storage::Auto | Storage::Register)
        && !info.thread_local
        && program.types.is_scalar(declarator.r#type)
}

/// True if the length of an array in the type is computed when the program runs.
pub fn has_variable_length(program: &Program, r#type: Type) -> bool {
    let mut current = r#type;
    loop {
        current = match program.types.kind(current) {
            TypeKind::Array { length: ArrayLength::Variable(_) | ArrayLength::Star, .. } => return true,
            TypeKind::Array { element: inner, .. } | TypeKind::Pointer(inner) => inner,
            TypeKind::Function { result, .. } => result,
            _ => return false,
        };
    }
}

fn changes(operator: UnaryOperator) -> bool {
    use UnaryOperator as U;
    matches!(operator, U::PreIncrement | U::PreDecrement | U::PostIncrement | U::PostDecrement)
}

/// False for built-in functions, many of which inspect their arguments without evaluating them.
fn evaluates_arguments(program: &Program, function: ExpressionId) -> bool {
    let ExpressionKind::Name(entity) = program.expressions[function].kind else { return true };
    let name = program.names.bytes(program.entities[entity].name);
    !name.starts_with(b"__builtin_") || name == b"__builtin_expect"
}

/// The operands of a pure expression that are evaluated whenever it is.
fn push_operands(program: &Program, outer: Evaluated, waiting: &mut Vec<Evaluated>) {
    use ExpressionKind as K;
    let depth = outer.depth + 1;
    let mut push = |operand: ExpressionId, is_read: bool, length: Option<u64>| {
        waiting.push(Evaluated { expression: operand, is_read, depth, length });
    };
    match program.expressions[outer.expression].kind {
        K::Binary { operator: BinaryOperator::And | BinaryOperator::Or, left, .. } => push(left, true, None),
        K::Conditional { condition, .. } => push(condition, true, None),
        K::Generic { selected, .. } | K::Choose { selected, .. } => push(selected, outer.is_read, None),
        K::Unary { operator: UnaryOperator::AddressOf, operand } => push(operand, false, None),
        K::Index { base, index } => {
            push(base, true, known_length(program, index));
            push(index, true, known_length(program, base));
        }
        // What is thrown away may be a variable without a value.
        K::Cast(operand) if program.expressions[outer.expression].r#type.unqualified() == Type::VOID => {
            push(operand, !program.expressions[operand].is_lvalue, None);
        }
        K::Comma { left, right } => {
            push(left, !program.expressions[left].is_lvalue, None);
            push(right, outer.is_read, None);
        }
        K::Name(_)
        | K::SizeofExpression(_)
        | K::AlignofExpression(_)
        | K::HasAttribute(_)
        | K::Offsetof { .. }
        | K::StatementExpression(_)
        | K::CompoundLiteral(_)
        | K::InitializerList(_) => {}
        _ => program.for_each_operand(outer.expression, |operand| push(operand, true, None)),
    }
}

/// The number of elements of an array.
fn known_length(program: &Program, array: ExpressionId) -> Option<u64> {
    match program.types.kind(program.expressions[array].r#type) {
        TypeKind::Array { length: ArrayLength::Known(length), .. } => Some(length),
        _ => None,
    }
}
