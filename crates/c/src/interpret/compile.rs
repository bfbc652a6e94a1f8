//! Translates functions into instructions.

mod call;
mod expression;
mod initializer;
mod place;
mod statement;

use super::code::{Block, BlockJump, Code, LocalObject, Operation, Target};
use super::stop::{Step, Stop, unsupported};
use crate::Program;
use crate::syntax::span::Span;
use crate::syntax::{EntityId, EntityKind, ExpressionId, FunctionId, LabelId, StatementKind, Storage};
use crate::types::{Qualifiers, Type, TypeKind};
use rustc_hash::FxHashMap;

/// How deep expressions and statements may nest. The translation calls itself, and its stack must suffice.
const DEEPEST: u32 = 600;

/// Translates one function.
pub(super) struct Compiler<'a> {
    program: &'a Program,
    code: Code,
    slots: FxHashMap<EntityId, usize>,
    /// The open blocks, outermost first.
    open: Vec<usize>,
    loops: Vec<Loop>,
    switches: Vec<OpenSwitch>,
    labels: FxHashMap<LabelId, (Target, Vec<usize>)>,
    /// The blocks that are open at each `goto`.
    sources: Vec<(usize, Vec<usize>)>,
    /// How many statement expressions are open: a jump out of one would leave values on the stack.
    inside_expression: u32,
    makes_temporaries: bool,
    depth: u32,
    span: Span,
}

/// Where `break` and `continue` lead.
struct Loop {
    end: Target,
    /// None in a `switch`.
    next: Option<Target>,
    open: usize,
    inside_expression: u32,
}

struct OpenSwitch {
    index: usize,
    open: usize,
    r#type: Type,
}

/// Translates a function.
pub(super) fn function(program: &Program, id: FunctionId) -> Step<Code> {
    let function = &program.functions[id];
    let mut compiler = Compiler::new(program);
    if function.nested_in.is_some() {
        return unsupported("a nested function is called");
    }
    let block = compiler.open_block();
    for parameter in &program.entity_lists[function.parameters] {
        let r#type = program.entities[*parameter].r#type;
        let object = compiler.new_object(block, Some(*parameter), r#type);
        compiler.code.parameters.push(object);
    }
    if let TypeKind::Function { result, .. } = program.types.kind(program.entities[function.entity].r#type) {
        compiler.code.result = Some(result);
    }
    compiler.statement(function.body);
    compiler.emit(Operation::FallOff);
    compiler.finish()
}

/// Translates the initialization of all variables that always exist.
pub(super) fn start(program: &Program) -> Step<Code> {
    let mut compiler = Compiler::new(program);
    compiler.open_block();
    for statement in program.statements.iter() {
        let StatementKind::Declaration(declaration) = statement.kind else { continue };
        for declarator in &program.declarators[program.declarations[declaration].declarators] {
            if let Some(initializer) = declarator.initializer
                && is_static(program, declarator.entity)
            {
                compiler.span = declarator.span;
                compiler.emit(Operation::Static(declarator.entity));
                let r#type = program.entities[declarator.entity].r#type;
                let initialized = compiler.initializer(r#type, initializer);
                compiler.or_refuse(initialized);
            }
        }
    }
    compiler.emit(Operation::FallOff);
    compiler.finish()
}

/// Whether a variable always exists.
pub(super) fn is_static(program: &Program, entity: EntityId) -> bool {
    let node = &program.entities[entity];
    node.kind == EntityKind::Variable && (node.function.is_none() || node.storage == Storage::Static)
}

impl<'a> Compiler<'a> {
    fn new(program: &'a Program) -> Compiler<'a> {
        Compiler {
            program,
            code: Code::default(),
            slots: FxHashMap::default(),
            open: Vec::new(),
            loops: Vec::new(),
            switches: Vec::new(),
            labels: FxHashMap::default(),
            sources: Vec::new(),
            inside_expression: 0,
            makes_temporaries: false,
            depth: 0,
            span: Span::default(),
        }
    }

    /// Completes the jumps between blocks, whose targets may have come later.
    fn finish(mut self) -> Step<Code> {
        for (jump, source) in std::mem::take(&mut self.sources) {
            let label = self.code.jumps[jump].label;
            let Some((target, blocks)) = label.and_then(|label| self.labels.get(&label)) else {
                return unsupported("a jump to a label in another function");
            };
            let common = source.iter().zip(blocks).take_while(|(left, right)| left == right).count();
            let leave = source[common..].iter().rev().copied().collect();
            let enter = blocks[common..].to_vec();
            self.code.jumps[jump] = BlockJump { label, leave, enter, target: *target };
        }
        Ok(self.code)
    }

    fn emit(&mut self, operation: Operation) {
        self.code.operations.push(operation);
        self.code.spans.push(self.span);
    }

    fn new_target(&mut self) -> Target {
        self.code.targets.push(usize::MAX);
        self.code.targets.len() - 1
    }

    fn place_target(&mut self, target: Target) {
        self.code.targets[target] = self.code.operations.len();
    }

    fn open_block(&mut self) -> usize {
        self.code.blocks.push(Block::default());
        let block = self.code.blocks.len() - 1;
        self.open.push(block);
        block
    }

    fn new_object(&mut self, block: usize, entity: Option<EntityId>, r#type: Type) -> LocalObject {
        let slot = self.code.slots;
        self.code.slots += 1;
        let is_variable = self.program.types.size(r#type).is_none();
        let alignment = self.program.types.alignment(r#type);
        let object = LocalObject { slot, r#type, alignment, is_variable };
        self.code.blocks[block].objects.push(object);
        if let Some(entity) = entity {
            self.slots.insert(entity, slot);
        }
        object
    }

    /// Stops the interpretation here if a part could not be translated.
    fn or_refuse(&mut self, result: Step<()>) {
        if let Err(stop) = result {
            let what = match stop {
                Stop::Unsupported(what) | Stop::Undefined(what) => what,
                _ => "a construct of C".to_owned(),
            };
            self.code.refusals.push(what);
            let refusal = self.code.refusals.len() - 1;
            self.emit(Operation::Refuse(refusal));
        }
    }

    fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Step<T>) -> Step<T> {
        if self.depth == DEEPEST {
            return unsupported(format!("more than {DEEPEST} nested levels"));
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    fn type_of(&self, expression: ExpressionId) -> Type {
        self.program.expressions[expression].r#type
    }

    fn is_record(&self, r#type: Type) -> bool {
        matches!(self.program.types.kind(r#type), TypeKind::Record(_))
    }

    fn size(&self, r#type: Type) -> Step<u64> {
        super::memory::size_of(&self.program.types, r#type)
    }
}

/// Whether an object of a type must not be written.
pub(super) fn is_constant(program: &Program, r#type: Type) -> bool {
    program.types.qualifiers(r#type).contains(Qualifiers::CONST)
}
