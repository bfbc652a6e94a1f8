//! The machine that executes instructions.

use super::code::{Block, CallSite, Code, LocalObject, Operation};
use super::compile::{self, is_constant};
use super::input::Input;
use super::library::{self, LibraryFunction};
use super::memory::{Access, Memory, NewObject, Origin, size_of};
use super::stop::{Step, Stop, undefined, unsupported};
use super::value::{Address, Byte, ObjectName, Pointer, Scalar, Tag, Value};
use super::{arithmetic, pointers};
use crate::Program;
use crate::syntax::{BinaryOperator, EntityId, FunctionId, Storage, StringId};
use crate::types::{FunctionStyle, Type, TypeKind, Types};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How many calls may be open at the same time.
const DEEPEST_CALLS: usize = 10_000;

/// A program that is being interpreted.
pub(super) struct Machine<'a> {
    pub program: &'a Program,
    pub memory: Memory,
    /// The inputs that were not yet asked for, the next one last.
    pub inputs: Vec<Input>,
    pub fuel: u64,
    pub stops_at_check: bool,
    /// The checks that failed, in order of their first failure.
    pub violated: Vec<u32>,
    stack: Vec<Value>,
    frames: Vec<Frame>,
    functions: FxHashMap<EntityId, FunctionId>,
    codes: FxHashMap<FunctionId, Rc<Code>>,
    libraries: FxHashMap<EntityId, Option<&'static LibraryFunction>>,
    statics: FxHashMap<EntityId, ObjectName>,
    strings: FxHashMap<StringId, ObjectName>,
}

/// An activation of a function.
struct Frame {
    code: Rc<Code>,
    /// The next instruction.
    next: usize,
    /// The objects of the activation that exist.
    slots: Vec<Option<ObjectName>>,
    temporaries: Vec<ObjectName>,
    /// How many values the stack held before.
    base: usize,
    /// Whether the caller waits for it: the last frame of a run ends the loop.
    is_last: bool,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        program: &'a Program,
        inputs: Vec<Input>,
        fuel: u64,
        stops_at_check: bool,
    ) -> Machine<'a> {
        Machine {
            program,
            memory: Memory::default(),
            inputs,
            fuel,
            stops_at_check,
            violated: Vec::new(),
            stack: Vec::new(),
            frames: Vec::new(),
            functions: program.functions.ids().map(|id| (program.functions[id].entity, id)).collect(),
            codes: FxHashMap::default(),
            libraries: FxHashMap::default(),
            statics: FxHashMap::default(),
            strings: FxHashMap::default(),
        }
    }

    pub(super) fn types(&self) -> &'a Types {
        &self.program.types
    }

    /// Runs the whole program and returns its status.
    pub(super) fn run(&mut self) -> Step<i64> {
        let Some(main) = self.program.find("main").and_then(|main| self.functions.get(&main).copied()) else {
            return unsupported("a program without a function main");
        };
        if !self.program.entity_lists[self.program.functions[main].parameters].is_empty() {
            return unsupported("a function main with parameters");
        }
        let start = Rc::new(compile::start(self.program)?);
        self.push_frame(start, true)?;
        self.enter(0)?;
        self.execute()?;
        // What the initialization made lives as long as the program.
        self.stack.clear();
        let code = self.code_of(main)?;
        self.push_frame(code, true)?;
        self.execute()?;
        match self.stack.pop() {
            Some(Value::Integer(status)) => Ok(status as i64),
            _ => Ok(0),
        }
    }

    fn code_of(&mut self, function: FunctionId) -> Step<Rc<Code>> {
        if let Some(code) = self.codes.get(&function) {
            return Ok(Rc::clone(code));
        }
        let code = Rc::new(compile::function(self.program, function)?);
        self.codes.insert(function, Rc::clone(&code));
        Ok(code)
    }

    fn push_frame(&mut self, code: Rc<Code>, is_last: bool) -> Step<()> {
        if self.frames.len() == DEEPEST_CALLS {
            return unsupported(format!("more than {DEEPEST_CALLS} open calls"));
        }
        let slots = vec![None; code.slots];
        let base = self.stack.len();
        self.frames.push(Frame { code, next: 0, slots, temporaries: Vec::new(), base, is_last });
        Ok(())
    }

    /// Executes instructions until the first frame returns.
    fn execute(&mut self) -> Step<()> {
        while let Some(frame) = self.frames.last_mut() {
            let code = Rc::clone(&frame.code);
            loop {
                let Some(frame) = self.frames.last_mut() else { return Ok(()) };
                let at = frame.next;
                frame.next += 1;
                let Some(operation) = code.operations.get(at) else {
                    return unsupported("a function without an end");
                };
                if self.fuel == 0 {
                    return Err(Stop::OutOfFuel);
                }
                self.fuel = (self.fuel - 1).saturating_sub(self.memory.take_work());
                let depth = self.frames.len();
                let is_last = self.frames.last().is_some_and(|frame| frame.is_last);
                if let Err(stop) = self.operate(&code, operation) {
                    return Err(stop.at(&self.text_at(&code, at)));
                }
                if self.frames.len() != depth {
                    if self.frames.len() < depth && is_last {
                        return Ok(());
                    }
                    break;
                }
            }
        }
        Ok(())
    }

    /// The text that an instruction comes from, in one short line.
    fn text_at(&self, code: &Code, at: usize) -> String {
        let text = code.spans.get(at).map(|span| self.program.text_of(*span)).unwrap_or_default();
        let words: Vec<&str> = text.split_whitespace().collect();
        let line = words.join(" ");
        match line.char_indices().nth(60) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line,
        }
    }

    pub(super) fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    fn pop(&mut self) -> Step<Value> {
        match self.stack.pop() {
            Some(value) => Ok(value),
            None => unsupported("a value is missing"),
        }
    }

    fn pop_pointer(&mut self) -> Step<Pointer> {
        self.pop()?.pointer()
    }

    fn jump(&mut self, code: &Code, target: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.next = code.targets[target];
        }
    }

    fn operate(&mut self, code: &Code, operation: &Operation) -> Step<()> {
        use Operation as O;
        let types = self.types();
        match *operation {
            O::Integer(value) => self.push(Value::Integer(value)),
            O::Float(value) => self.push(Value::Float(value)),
            O::Double(value) => self.push(Value::Double(value)),
            O::Null => self.push(Value::Pointer(Pointer::Null)),
            O::Void => self.push(Value::Void),
            O::Function(entity) => self.push(Value::Pointer(Pointer::Function(entity))),
            O::String(string) => {
                let object = self.string(string)?;
                self.push(Value::Pointer(self.memory.address(object)));
            }
            O::Local(slot) => match self.frames.last().and_then(|frame| frame.slots[slot]) {
                Some(object) => self.push(Value::Pointer(self.memory.address(object))),
                None => return undefined("a variable is used before its declaration"),
            },
            O::Static(entity) => {
                let object = self.static_object(entity)?;
                self.push(Value::Pointer(self.memory.address(object)));
            }
            O::Load(access) => {
                let pointer = self.pop_pointer()?;
                let value = self.memory.load(types, pointer, &access)?;
                self.push(value);
            }
            O::Store(access) => {
                let value = self.pop()?;
                let pointer = self.pop_pointer()?;
                let stored = self.memory.store(types, pointer, &access, value)?;
                self.push(stored);
            }
            O::Initialize(access) => {
                let value = self.pop()?;
                let pointer = self.pop_pointer()?;
                self.memory.initialize(types, pointer, &access, value)?;
            }
            O::Modify { access, operator, stored, common } => {
                self.modify(&access, operator, stored, common)?;
            }
            O::ModifyPointer { access, size } => {
                let count = self.pop()?.integer()?;
                let pointer = self.pop_pointer()?;
                let old = self.memory.load(types, pointer, &access)?.pointer()?;
                let new = pointers::moved(&self.memory, old, count, size)?;
                self.memory.store(types, pointer, &access, Value::Pointer(new))?;
                self.push(Value::Pointer(new));
            }
            O::StepBy { access, stored, computed, amount, is_before } => {
                self.step_by(&access, stored, computed, amount, is_before)?;
            }
            O::Member { offset, size } => {
                let pointer = self.pop_pointer()?;
                let member = pointers::member(&self.memory, pointer, offset, size)?;
                self.push(Value::Pointer(member));
            }
            O::Narrow(size) => {
                let pointer = self.pop_pointer()?;
                self.push(Value::Pointer(pointers::narrowed(pointer, size)));
            }
            O::Recast(record) => {
                let pointer = self.pop_pointer()?;
                self.push(Value::Pointer(pointers::recast(&self.memory, types, pointer, record)));
            }
            O::Index(size) => {
                let count = self.pop()?.integer()?;
                let pointer = self.pop_pointer()?;
                let moved = pointers::moved(&self.memory, pointer, count, size)?;
                self.push(Value::Pointer(moved));
            }
            O::Convert(from, to) => {
                let value = self.pop()?;
                self.push(value.convert(types, from, to)?);
            }
            O::Unary(operator, scalar) => {
                let value = self.pop()?;
                self.push(arithmetic::unary(types, operator, scalar, value)?);
            }
            O::Not => {
                let truth = self.pop()?.is_true()?;
                self.push(Value::Integer(i128::from(!truth)));
            }
            O::Binary(operator, scalar) => {
                let right = self.pop()?;
                let left = self.pop()?;
                self.push(arithmetic::binary(types, operator, scalar, &left, &right)?);
            }
            O::ComparePointers(operator) => {
                let right = self.pop_pointer()?;
                let left = self.pop_pointer()?;
                let holds = pointers::compare(&self.memory, operator, left, right)?;
                self.push(Value::Integer(i128::from(holds)));
            }
            O::PointerDifference(size) => {
                let right = self.pop_pointer()?;
                let left = self.pop_pointer()?;
                let difference = pointers::difference(&self.memory, left, right, size)?;
                self.push(Value::Integer(difference));
            }
            O::Overflow(operator, to) => self.overflow(operator, to)?,
            O::Swap => {
                let (last, first) = (self.pop()?, self.pop()?);
                self.push(last);
                self.push(first);
            }
            O::Pop => {
                self.pop()?;
            }
            O::Duplicate => {
                let value = self.pop()?;
                self.push(value.clone());
                self.push(value);
            }
            O::Jump(target) => self.jump(code, target),
            O::JumpIfZero(target) => {
                if !self.truth()? {
                    self.jump(code, target);
                }
            }
            O::JumpIfNotZero(target) => {
                if self.truth()? {
                    self.jump(code, target);
                }
            }
            O::JumpOut(index) => self.jump_out(code, index)?,
            O::Switch(index) => self.switch(code, index)?,
            O::Enter(block) => self.enter(block)?,
            O::Leave(block) => self.leave(&code.blocks[block]),
            O::Forget(slot) => {
                if let Some(object) = self.frames.last().and_then(|frame| frame.slots[slot]) {
                    self.memory.forget(object);
                }
            }
            O::CreateVariable { slot, element } => self.create_variable(slot, element)?,
            O::Zero(of) => {
                let pointer = self.pop_pointer()?;
                self.memory.zero(types, pointer, of)?;
            }
            O::WriteString(string, of) => self.write_string(string, of)?,
            O::Materialize(of) => self.materialize(of)?,
            O::EndFullExpression => self.end_temporaries(),
            O::Call(index) => self.call(&code.calls[index])?,
            O::Return => {
                let value = self.pop()?;
                self.leave_function(value);
            }
            O::FallOff => {
                let is_void = code.result.is_some_and(|result| types.kind(result) == TypeKind::Void);
                self.leave_function(if is_void { Value::Void } else { Value::Missing });
            }
            O::Refuse(index) => return unsupported(code.refusals[index].clone()),
        }
        Ok(())
    }

    /// Takes a condition from the stack.
    fn truth(&mut self) -> Step<bool> {
        let value = self.pop()?;
        if let Value::Pointer(pointer) = value {
            self.memory.require_live(pointer)?;
        }
        value.is_true()
    }

    fn modify(
        &mut self,
        access: &Access,
        operator: BinaryOperator,
        stored: Scalar,
        common: Scalar,
    ) -> Step<()> {
        let types = self.types();
        let right = self.pop()?;
        let pointer = self.pop_pointer()?;
        let old = self.memory.load(types, pointer, access)?.convert(types, stored, common)?;
        let result =
            arithmetic::binary(types, operator, common, &old, &right)?.convert(types, common, stored)?;
        let result = self.memory.store(types, pointer, access, result)?;
        self.push(result);
        Ok(())
    }

    fn step_by(
        &mut self,
        access: &Access,
        stored: Scalar,
        computed: Scalar,
        amount: i64,
        is_before: bool,
    ) -> Step<()> {
        let types = self.types();
        let pointer = self.pop_pointer()?;
        let old = self.memory.load(types, pointer, access)?;
        let new = match computed {
            Scalar::Pointer => {
                let count = i128::from(amount.signum());
                Value::Pointer(pointers::moved(&self.memory, old.pointer()?, count, amount.abs())?)
            }
            Scalar::Integer(_) if matches!(stored, Scalar::Integer(it) if types.kind(it) == TypeKind::Bool) =>
            {
                // One more is true; one less is the other one.
                let value = if amount > 0 { 1 } else { 1 - old.integer()? };
                Value::Integer(value)
            }
            _ => {
                let one = Value::Integer(i128::from(amount)).convert(
                    types,
                    Scalar::Integer(Type::INT),
                    computed,
                )?;
                let before = old.clone().convert(types, stored, computed)?;
                let sum = match computed {
                    // Minus one is not a number of an unsigned type.
                    Scalar::Integer(_) if amount < 0 => {
                        let one = Value::Integer(1);
                        arithmetic::binary(types, BinaryOperator::Subtract, computed, &before, &one)?
                    }
                    _ => arithmetic::binary(types, BinaryOperator::Add, computed, &before, &one)?,
                };
                sum.convert(types, computed, stored)?
            }
        };
        let new = self.memory.store(types, pointer, access, new)?;
        self.push(if is_before { new } else { old });
        Ok(())
    }

    fn overflow(&mut self, operator: BinaryOperator, to: Type) -> Step<()> {
        let types = self.types();
        let right = self.pop()?.integer()?;
        let left = self.pop()?.integer()?;
        let pointer = self.pop_pointer()?;
        let exact = match operator {
            BinaryOperator::Add => left.checked_add(right),
            BinaryOperator::Subtract => left.checked_sub(right),
            _ => left.checked_mul(right),
        };
        let Some(exact) = exact else { return unsupported("an overflow check on wide integers") };
        let wrapped = types.wrap(exact, to).unwrap_or(0);
        let alignment = types.member_alignment(to).max(1);
        let access = Access { r#type: to, bits: None, is_checked: true, alignment };
        self.memory.store(types, pointer, &access, Value::Integer(wrapped))?;
        self.push(Value::Integer(i128::from(exact != wrapped)));
        Ok(())
    }

    fn jump_out(&mut self, code: &Code, index: usize) -> Step<()> {
        let jump = &code.jumps[index];
        for block in &jump.leave {
            self.leave(&code.blocks[*block]);
        }
        for block in &jump.enter {
            self.enter(*block)?;
        }
        self.jump(code, jump.target);
        Ok(())
    }

    fn switch(&mut self, code: &Code, index: usize) -> Step<()> {
        let value = self.pop()?.integer()?;
        let switch = &code.switches[index];
        let case = switch.cases.iter().find(|(least, greatest, _)| (*least..=*greatest).contains(&value));
        match case.map(|(_, _, jump)| *jump).or(switch.default) {
            Some(jump) => self.jump_out(code, jump),
            None => {
                self.jump(code, switch.end);
                Ok(())
            }
        }
    }

    /// Makes the objects of a block.
    fn enter(&mut self, block: usize) -> Step<()> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let code = Rc::clone(&frame.code);
        for object in code.blocks[block].objects.iter().filter(|object| !object.is_variable) {
            self.create_local(object)?;
        }
        Ok(())
    }

    fn create_local(&mut self, object: &LocalObject) -> Step<ObjectName> {
        let types = self.types();
        let new = NewObject {
            size: size_of(types, object.r#type)?,
            declared: Some(object.r#type),
            origin: Origin::Declared,
            is_constant: is_constant(self.program, object.r#type),
            alignment: object.alignment,
        };
        let name = self.memory.create(types, &new)?;
        if let Some(frame) = self.frames.last_mut()
            && let Some(old) = frame.slots[object.slot].replace(name)
        {
            self.memory.end(old);
        }
        Ok(name)
    }

    /// Ends the objects of a block.
    fn leave(&mut self, block: &Block) {
        let Some(frame) = self.frames.last_mut() else { return };
        for object in &block.objects {
            if let Some(name) = frame.slots[object.slot].take() {
                self.memory.end(name);
            }
        }
    }

    fn create_variable(&mut self, slot: usize, element: Type) -> Step<()> {
        let types = self.types();
        let count = self.pop()?.integer()?;
        if count <= 0 {
            return undefined("an array of variable length without elements");
        }
        let size = count.checked_mul(i128::from(size_of(types, element)?));
        let Some(size) = size.and_then(|size| u64::try_from(size).ok()) else {
            return unsupported("a huge array");
        };
        let alignment = types.alignment(element);
        let is_constant = is_constant(self.program, element);
        let declared = Some(element);
        let new = NewObject { size, declared, origin: Origin::Declared, is_constant, alignment };
        let name = self.memory.create(types, &new)?;
        if let Some(frame) = self.frames.last_mut()
            && let Some(old) = frame.slots[slot].replace(name)
        {
            self.memory.end(old);
        }
        Ok(())
    }

    fn materialize(&mut self, of: Type) -> Step<()> {
        let types = self.types();
        let value = self.pop()?;
        if matches!(value, Value::Missing) {
            return undefined("the result is used of a function that ended without returning a value");
        }
        let new = NewObject {
            size: size_of(types, of)?,
            declared: Some(of),
            origin: Origin::Declared,
            is_constant: false,
            alignment: types.alignment(of),
        };
        let name = self.memory.create(types, &new)?;
        let pointer = self.memory.address(name);
        let access = Access { r#type: of, bits: None, is_checked: false, alignment: 1 };
        self.memory.initialize(types, pointer, &access, value)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.temporaries.push(name);
        }
        self.push(Value::Pointer(pointer));
        Ok(())
    }

    fn end_temporaries(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            for name in frame.temporaries.drain(..) {
                self.memory.end(name);
            }
        }
    }

    /// Makes an array that lives until the function returns, as `alloca` does.
    pub(super) fn create_in_frame(&mut self, size: u64) -> Step<Pointer> {
        let new =
            NewObject { size, declared: None, origin: Origin::Declared, is_constant: false, alignment: 16 };
        let name = self.memory.create(self.types(), &new)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.slots.push(Some(name));
        }
        Ok(self.memory.address(name))
    }

    fn leave_function(&mut self, value: Value) {
        let Some(frame) = self.frames.pop() else { return };
        // The frame of the initialization has no result type, and its objects live on.
        if frame.code.result.is_some() {
            for name in frame.slots.into_iter().flatten().chain(frame.temporaries) {
                self.memory.end(name);
            }
        }
        self.stack.truncate(frame.base);
        self.stack.push(value);
    }

    fn call(&mut self, site: &CallSite) -> Step<()> {
        let first = self.stack.len().saturating_sub(site.arguments.len());
        let arguments = self.stack.split_off(first);
        let entity = match self.pop_pointer()? {
            Pointer::Function(entity) => entity,
            Pointer::Null => return undefined("a null pointer is called"),
            Pointer::Object(_) => return undefined("an object is called"),
        };
        match self.functions.get(&entity).copied() {
            Some(function) => self.call_defined(function, entity, site, arguments),
            None => {
                let Some(found) = self.library(entity) else {
                    let name = self.program.name(self.program.entities[entity].name);
                    return unsupported(format!("{name} is not modelled"));
                };
                let result = (found.run)(self, entity, site, &arguments)?;
                self.push(result);
                Ok(())
            }
        }
    }

    fn library(&mut self, entity: EntityId) -> Option<&'static LibraryFunction> {
        let program = self.program;
        let find = || library::find(&program.name(program.entities[entity].name));
        *self.libraries.entry(entity).or_insert_with(find)
    }

    fn call_defined(
        &mut self,
        function: FunctionId,
        entity: EntityId,
        site: &CallSite,
        arguments: Vec<Value>,
    ) -> Step<()> {
        let types = self.types();
        let defined = self.program.entities[entity].r#type.unqualified();
        let is_same = site.r#type == defined || types.compatible(site.r#type, defined);
        if !is_same {
            return undefined("a function is called with another type than its own");
        }
        let code = self.code_of(function)?;
        let is_variadic =
            matches!(types.kind(defined), TypeKind::Function { style: FunctionStyle::Variadic, .. });
        let count = code.parameters.len();
        if arguments.len() < count || arguments.len() > count && !is_variadic {
            return undefined("a function is called with another number of arguments than it has parameters");
        }
        self.push_frame(Rc::clone(&code), false)?;
        for ((parameter, value), given) in code.parameters.iter().zip(arguments).zip(&site.arguments) {
            self.pass(parameter, value, *given)?;
        }
        Ok(())
    }

    /// Gives a parameter its value.
    fn pass(&mut self, parameter: &LocalObject, value: Value, given: Type) -> Step<()> {
        let types = self.types();
        let value = match types.kind(parameter.r#type) {
            TypeKind::Record(_) => value,
            _ => {
                let (from, to) = (Scalar::of(types, given)?, Scalar::of(types, parameter.r#type)?);
                let promoted = Scalar::of(types, types.promoted_argument(parameter.r#type))?;
                let is_alike = match (from, to, promoted) {
                    (Scalar::Integer(from), Scalar::Integer(to), Scalar::Integer(promoted)) => {
                        let kind = |it| types.integer_kind(it).map(|kind| kind.to_unsigned());
                        from == to || types.kind(from) == types.kind(to) || kind(from) == kind(promoted)
                    }
                    _ => from == to || from == promoted,
                };
                if !is_alike {
                    return undefined("an argument has another type than its parameter");
                }
                value.convert(types, from, to)?
            }
        };
        let name = self.create_local(parameter)?;
        let pointer = self.memory.address(name);
        let access = Access { r#type: parameter.r#type, bits: None, is_checked: false, alignment: 1 };
        self.memory.initialize(types, pointer, &access, value)?;
        Ok(())
    }

    fn static_object(&mut self, entity: EntityId) -> Step<ObjectName> {
        if let Some(object) = self.statics.get(&entity) {
            return Ok(*object);
        }
        let node = &self.program.entities[entity];
        if node.storage == Storage::Extern && !node.is_initialized {
            let name = self.program.name(node.name);
            return unsupported(format!("{name} is defined elsewhere"));
        }
        let types = self.types();
        let new = NewObject {
            size: size_of(types, node.r#type)?,
            declared: Some(node.r#type),
            origin: Origin::Declared,
            is_constant: is_constant(self.program, node.r#type),
            alignment: types.alignment(node.r#type),
        };
        let object = self.memory.create(types, &new)?;
        // Such an object begins as zero, padding included.
        self.memory.zero_all(object);
        self.statics.insert(entity, object);
        Ok(object)
    }

    fn string(&mut self, string: StringId) -> Step<ObjectName> {
        if let Some(object) = self.strings.get(&string) {
            return Ok(*object);
        }
        let unit = library::unit_type(self.program, string);
        let bytes = library::string_bytes(self.program, string, unit);
        let types = self.types();
        let new = NewObject {
            size: bytes.len() as u64,
            declared: Some(unit),
            origin: Origin::Literal,
            is_constant: true,
            alignment: types.alignment(unit),
        };
        let object = self.memory.create(types, &new)?;
        if let Pointer::Object(address) = self.memory.address(object) {
            self.write_bytes(address, &bytes)?;
        }
        self.strings.insert(string, object);
        Ok(object)
    }

    fn write_bytes(&mut self, address: Address, bytes: &[u8]) -> Step<()> {
        let plain = |value: &u8| Byte { value: *value, known: 0xff, tag: Tag::Plain };
        let chunk = super::value::Chunk { bytes: bytes.iter().map(plain).collect(), ..Default::default() };
        self.memory.copy_in(self.types(), address, &chunk)
    }

    /// Writes a string into an array, without the final zero if there is no room, and zeros after it.
    fn write_string(&mut self, string: StringId, of: Type) -> Step<()> {
        let pointer = self.pop_pointer()?;
        let unit = library::unit_type(self.program, string);
        let mut bytes = library::string_bytes(self.program, string, unit);
        let size = size_of(self.types(), of)?;
        bytes.resize(size as usize, 0);
        let address = self.memory.place(pointer, size, 1)?;
        self.write_bytes(address, &bytes)
    }
}
