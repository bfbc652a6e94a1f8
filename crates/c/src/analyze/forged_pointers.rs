//! Programs that could make pointers out of something else: addresses of code, of the stack, or of the harness.
//!
//! Sanitizers do not see where a pointer to a function points, nor what a `jmp_buf` holds. So the bytes of both must
//! stay out of reach: no object that leads to one of them may be seen as anything else. Objects that hold a pointer to
//! a function or a `jmp_buf`, or lead to one by pointers, are called guarded here.

use super::functions_by_offset::FunctionsByOffset;
use crate::Program;
use crate::syntax::{ExpressionId, ExpressionKind, StatementKind, UnaryOperator};
use crate::types::{RecordId, Type, TypeKind};
use std::collections::{BTreeMap, BTreeSet};

/// The structure that `jmp_buf` is an array of.
const JUMP_BUFFER: &str = "__jmp_buf_tag";

/// Functions that save or restore the state of a call.
const JUMPS: [&str; 7] =
    ["setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "longjmp", "siglongjmp", "_longjmp"];

/// Functions of the library that may be given a guarded object as `void *`: they do not look into it, or treat its
/// elements as a whole. What `memset` writes is no address that a program could choose.
const TAKE_ANYTHING: [&str; 6] = ["free", "realloc", "memset", "qsort", "bsearch", "memcmp"];

/// Functions of the library that may be given guarded objects if both have the same type.
const COPY: [&str; 2] = ["memcpy", "memmove"];

/// Functions whose results are new objects.
const ALLOCATE: [&str; 6] = ["malloc", "calloc", "realloc", "aligned_alloc", "alloca", "__builtin_alloca"];

/// Why the program could make a pointer that no object or function gave it. Returns `None` if it cannot.
pub(super) fn why_forged_pointer(program: &Program) -> Option<String> {
    let mut check = Check { program, guarded: BTreeMap::new(), excused: BTreeSet::new() };
    // Operands are made before what they are operands of, so calls come first in the reverse order.
    for id in program.expressions.ids().collect::<Vec<_>>().into_iter().rev() {
        if let Some(problem) = check.expression(id) {
            return Some(problem.to_owned());
        }
    }
    let problem = check.declarations().or_else(|| check.returns()).or_else(|| check.unchecked_parameters());
    problem.map(str::to_owned)
}

const FROM_INTEGER: &str = "it makes a pointer of an integer";
const RETYPED: &str = "it reinterprets a pointer to a function, or a jmp_buf";

struct Check<'a> {
    program: &'a Program,
    /// What is known about records; one under analysis counts as not guarded.
    guarded: BTreeMap<RecordId, bool>,
    /// Arguments that may be converted.
    excused: BTreeSet<ExpressionId>,
}

impl Check<'_> {
    fn expression(&mut self, id: ExpressionId) -> Option<&'static str> {
        let expression = &self.program.expressions[id];
        match expression.kind {
            ExpressionKind::Cast(operand) if self.excused.contains(&id) => {
                self.excused.insert(operand);
                None
            }
            ExpressionKind::Cast(operand) => self.conversion(operand, expression.r#type, true),
            ExpressionKind::Assign { operator: None, target, value } => {
                self.conversion(value, self.program.expressions[target].r#type, false)
            }
            ExpressionKind::Call { function, arguments } => {
                let arguments = self.program.expression_lists[arguments].to_vec();
                self.call(function, &arguments)
            }
            ExpressionKind::Member { record, .. } => self.member(record),
            ExpressionKind::LabelAddress(_) => Some("it computes where to jump"),
            ExpressionKind::VaArg(_) => self.is_guarded(expression.r#type).then_some(RETYPED),
            ExpressionKind::Unary { operator: UnaryOperator::AddressOf, operand } => {
                let is_function_pointer = self.is_function_pointer(self.program.expressions[operand].r#type);
                is_function_pointer.then_some(RETYPED)
            }
            ExpressionKind::InitializerList(items) => {
                let holds_void = self.holds_void_pointer(expression.r#type);
                let items = &self.program.initializer_items[items];
                let values: Vec<ExpressionId> = items.iter().map(|item| item.value).collect();
                values.into_iter().any(|value| holds_void && self.points_to_guarded(value)).then_some(RETYPED)
            }
            _ => None,
        }
    }

    /// Why a value must not become one of another type.
    fn conversion(&mut self, value: ExpressionId, to: Type, is_cast: bool) -> Option<&'static str> {
        if self.excused.contains(&value) {
            return None;
        }
        let types = &self.program.types;
        let from = self.program.expressions[value].r#type;
        if types.is_pointer(to) && types.is_integer(from) && self.program.constant(value) != Some(0) {
            return Some(FROM_INTEGER);
        }
        let is_function = |it: Type| match types.kind(it) {
            TypeKind::Pointer(target) => matches!(types.kind(target), TypeKind::Function { .. }),
            kind => matches!(kind, TypeKind::Function { .. }),
        };
        let is_null = self.program.constant(value) == Some(0) || self.is_null_pointer(value);
        if is_function(from) || is_function(to) {
            let is_dropped = matches!(types.kind(to), TypeKind::Void | TypeKind::Bool);
            let is_between_functions = is_function(from) && is_function(to);
            let is_same = is_between_functions && (!is_cast || self.is_same_function(from, to));
            return (!is_dropped && !is_same && !is_null).then_some(RETYPED);
        }
        let (Some(target), Some(source)) = (types.pointee(to), self.target_of(from)) else { return None };
        if is_null || self.is_same_object(target, source) {
            return None;
        }
        let is_new = matches!(types.kind(source), TypeKind::Void) && self.is_new_object(value);
        let is_guarded = self.is_guarded(target) || self.is_guarded(source);
        (is_guarded && !is_new).then_some(RETYPED)
    }

    fn call(&mut self, function: ExpressionId, arguments: &[ExpressionId]) -> Option<&'static str> {
        let (name, is_defined) = self.called(function);
        if JUMPS.contains(&name.as_str()) {
            let buffer =
                arguments.first().and_then(|first| self.target_of(self.program.expressions[*first].r#type));
            return (!buffer.is_some_and(|buffer| self.is_jump_buffer(buffer))).then_some(RETYPED);
        }
        let plain: Vec<ExpressionId> =
            arguments.iter().map(|argument| self.without_casts(*argument)).collect();
        let targets: Vec<Option<Type>> =
            plain.iter().map(|argument| self.target_of(self.program.expressions[*argument].r#type)).collect();
        let copies_same = COPY.contains(&name.as_str())
            && matches!(targets.as_slice(), [Some(to), Some(from), ..] if self.is_same_object(*to, *from));
        if !is_defined && (copies_same || TAKE_ANYTHING.contains(&name.as_str())) {
            self.excused.extend(arguments);
            return None;
        }
        let types = &self.program.types;
        let mut of_function = types.kind(self.program.expressions[function].r#type);
        if let TypeKind::Pointer(target) = of_function {
            of_function = types.kind(target);
        }
        let TypeKind::Function { parameters, .. } = of_function else { return None };
        let parameters = types.parameters(parameters).to_vec();
        for (number, argument) in arguments.iter().enumerate() {
            let problem = match parameters.get(number) {
                Some(parameter) => self.conversion(*argument, *parameter, false),
                // Without a parameter there is no telling what becomes of it.
                None => self.points_to_guarded(*argument).then_some(RETYPED),
            };
            if problem.is_some() {
                return problem;
            }
        }
        None
    }

    /// Looks at a member: the parts of a `jmp_buf`, and unions of pointers to functions with something else.
    fn member(&mut self, record: RecordId) -> Option<&'static str> {
        if self.is_tagged_jump_buffer(record) {
            return Some(RETYPED);
        }
        let found = &self.program.types.records[record];
        if !found.is_union {
            return None;
        }
        let members: Vec<Type> = found.members.iter().map(|member| member.r#type).collect();
        let is_only_functions = members.iter().all(|member| self.is_function_pointer(*member));
        let is_guarded = members.iter().any(|member| self.is_guarded(*member));
        (is_guarded && !is_only_functions).then_some(RETYPED)
    }

    fn declarations(&mut self) -> Option<&'static str> {
        for declarator in self.program.declarators.iter() {
            let Some(value) = declarator.initializer else { continue };
            let problem = self.conversion(value, declarator.r#type, false);
            if problem.is_some() {
                return problem;
            }
        }
        None
    }

    fn returns(&mut self) -> Option<&'static str> {
        let functions = FunctionsByOffset::of(self.program);
        for statement in self.program.statements.iter() {
            let StatementKind::Return(Some(value)) = statement.kind else { continue };
            let Some(function) = functions.innermost(statement.span.start) else { continue };
            let entity = self.program.functions[function].entity;
            let of_function = self.program.types.kind(self.program.entities[entity].r#type);
            let TypeKind::Function { result, .. } = of_function else { continue };
            let problem = self.conversion(value, result, false);
            if problem.is_some() {
                return problem;
            }
        }
        None
    }

    /// Looks for functions whose callers need not know the types of the parameters.
    fn unchecked_parameters(&mut self) -> Option<&'static str> {
        let old = self.program.functions.iter().filter(|function| function.old_style);
        let parameters = old.flat_map(|function| self.program.entity_lists[function.parameters].iter());
        let types: Vec<Type> = parameters.map(|id| self.program.entities[*id].r#type).collect();
        types.into_iter().any(|parameter| self.is_guarded(parameter)).then_some(RETYPED)
    }

    /// What a value points to after arrays have become pointers.
    fn target_of(&self, from: Type) -> Option<Type> {
        match self.program.types.kind(from) {
            TypeKind::Pointer(target) => Some(target),
            TypeKind::Array { element, .. } => Some(element),
            _ => None,
        }
    }

    fn points_to_guarded(&mut self, value: ExpressionId) -> bool {
        let target = self.target_of(self.program.expressions[value].r#type);
        let is_function = |it: Type| matches!(self.program.types.kind(it), TypeKind::Function { .. });
        target.is_some_and(|target| !is_function(target) && self.is_guarded(target))
    }

    fn is_guarded(&mut self, r#type: Type) -> bool {
        match self.program.types.kind(r#type) {
            TypeKind::Function { .. } => true,
            TypeKind::Pointer(inner) | TypeKind::Array { element: inner, .. } => self.is_guarded(inner),
            TypeKind::Record(record) => self.is_guarded_record(record),
            _ => false,
        }
    }

    fn is_guarded_record(&mut self, record: RecordId) -> bool {
        if let Some(known) = self.guarded.get(&record) {
            return *known;
        }
        self.guarded.insert(record, false);
        let members: Vec<Type> =
            self.program.types.records[record].members.iter().map(|member| member.r#type).collect();
        let is_guarded =
            self.is_tagged_jump_buffer(record) || members.into_iter().any(|member| self.is_guarded(member));
        self.guarded.insert(record, is_guarded);
        is_guarded
    }

    fn holds_void_pointer(&self, r#type: Type) -> bool {
        let types = &self.program.types;
        match types.kind(r#type) {
            TypeKind::Pointer(target) => matches!(types.kind(target), TypeKind::Void),
            TypeKind::Array { element, .. } => self.holds_void_pointer(element),
            TypeKind::Record(record) => {
                types.records[record].members.iter().any(|member| self.holds_void_pointer(member.r#type))
            }
            _ => false,
        }
    }

    fn is_function_pointer(&self, r#type: Type) -> bool {
        let target = self.program.types.pointee(r#type);
        target.is_some_and(|target| matches!(self.program.types.kind(target), TypeKind::Function { .. }))
    }

    fn is_jump_buffer(&self, r#type: Type) -> bool {
        matches!(self.program.types.kind(r#type), TypeKind::Record(record) if self.is_tagged_jump_buffer(record))
    }

    fn is_tagged_jump_buffer(&self, record: RecordId) -> bool {
        self.program.types.records[record].tag.is_some_and(|name| self.program.name(name) == JUMP_BUFFER)
    }

    /// Whether two types are the same apart from qualifiers.
    fn is_same_object(&self, left: Type, right: Type) -> bool {
        let types = &self.program.types;
        match (types.kind(left), types.kind(right)) {
            (TypeKind::Pointer(left), TypeKind::Pointer(right)) => self.is_same_object(left, right),
            (left_kind, right_kind) => left_kind == right_kind || types.compatible(left, right),
        }
    }

    fn is_same_function(&self, from: Type, to: Type) -> bool {
        let types = &self.program.types;
        let function = |it: Type| types.pointee(it).unwrap_or(it);
        types.compatible(function(from), function(to))
    }

    fn is_null_pointer(&self, value: ExpressionId) -> bool {
        let plain = self.without_casts(value);
        self.program.constant(plain) == Some(0)
    }

    /// Whether a value is the result of a function that makes objects.
    fn is_new_object(&self, value: ExpressionId) -> bool {
        match self.program.expressions[self.without_casts(value)].kind {
            ExpressionKind::Call { function, .. } => {
                let (name, is_defined) = self.called(function);
                !is_defined && ALLOCATE.contains(&name.as_str())
            }
            _ => false,
        }
    }

    fn without_casts(&self, mut value: ExpressionId) -> ExpressionId {
        while let ExpressionKind::Cast(operand) = self.program.expressions[value].kind {
            value = operand;
        }
        value
    }

    /// The name of the function that is called, and whether the program defines it.
    fn called(&self, function: ExpressionId) -> (String, bool) {
        match self.program.expressions[function].kind {
            ExpressionKind::Name(id) => {
                let entity = &self.program.entities[id];
                (self.program.name(entity.name).into_owned(), entity.is_initialized)
            }
            _ => (String::new(), true),
        }
    }
}
