//! The names that the functions of a program mention and the jumps in them, collected in one pass over the program.

use crate::analyze::filled::Reads;
use crate::analyze::functions_by_offset::FunctionsByOffset;
use crate::syntax::name::Name;
use crate::syntax::program::Program;
use crate::syntax::{EntityId, EntityKind, ExpressionKind, FunctionId, Linkage, StatementId, StatementKind};
use crate::types::TypeKind;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// Functions that return a second time, when locals have indeterminate values.
const RETURN_TWICE: [&str; 7] =
    ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp", "vfork", "getcontext"];

/// Functions that copy bytes which may have no value yet.
const COPY_MEMORY: [&str; 8] = [
    "memcpy",
    "memmove",
    "mempcpy",
    "memccpy",
    "bcopy",
    "__builtin_memcpy",
    "__builtin_memmove",
    "__builtin_mempcpy",
];

/// What the functions of a program name, and where they jump.
pub(crate) struct Mentions {
    /// For each function, the functions that it names.
    functions: Vec<Vec<EntityId>>,
    /// For each function, the variables of the file that it names.
    variables: Vec<Vec<EntityId>>,
    /// For each function, whether it names one that returns twice.
    returns_twice: Vec<bool>,
    /// For each function, the `goto` statements and the like in it, in its nested functions and in its expressions.
    jumps: Vec<Vec<StatementId>>,
    /// The functions that are named outside functions, mostly in initializers.
    outside: Vec<EntityId>,
    /// The structures and unions that are assigned as a whole, by their positions in the types.
    pub(crate) assigned_records: BTreeSet<usize>,
    /// Whether a function that copies memory is named.
    pub(crate) copies_memory: bool,
    /// Where objects may be read, once that was asked.
    reads: OnceCell<Reads>,
}

impl Mentions {
    /// Looks through a program.
    pub(crate) fn of(program: &Program) -> Mentions {
        let mut mentions = Mentions {
            functions: vec![Vec::new(); program.functions.len()],
            variables: vec![Vec::new(); program.functions.len()],
            returns_twice: vec![false; program.functions.len()],
            jumps: vec![Vec::new(); program.functions.len()],
            outside: Vec::new(),
            assigned_records: BTreeSet::new(),
            copies_memory: false,
            reads: OnceCell::new(),
        };
        let functions = FunctionsByOffset::of(program);
        mentions.look_at_expressions(program, &functions);
        mentions.look_at_jumps(program, &functions);
        mentions
    }

    fn look_at_expressions(&mut self, program: &Program, functions: &FunctionsByOffset<'_>) {
        let twice = known_names(program, &RETURN_TWICE);
        let copying = known_names(program, &COPY_MEMORY);
        for expression in program.expressions.iter() {
            match expression.kind {
                ExpressionKind::Name(entity) => {
                    let info = &program.entities[entity];
                    let function = functions.innermost(expression.span.start);
                    match (info.kind, function) {
                        (EntityKind::Function | EntityKind::ImplicitFunction, Some(function)) => {
                            self.functions[function.index()].push(entity);
                            self.returns_twice[function.index()] |= twice.contains(&info.name);
                            self.copies_memory |= copying.contains(&info.name);
                        }
                        (EntityKind::Function, None) => {
                            self.outside.push(entity);
                            self.copies_memory |= copying.contains(&info.name);
                        }
                        (EntityKind::Variable, Some(function)) if info.linkage != Linkage::None => {
                            self.variables[function.index()].push(entity);
                        }
                        _ => {}
                    }
                }
                ExpressionKind::Assign { target, .. } => {
                    let target = program.expressions[target].r#type;
                    if let TypeKind::Record(record) = program.types.kind(target) {
                        self.assigned_records.insert(record.index());
                    }
                }
                _ => {}
            }
        }
    }

    fn look_at_jumps(&mut self, program: &Program, functions: &FunctionsByOffset<'_>) {
        for id in program.statements.ids() {
            let statement = &program.statements[id];
            let is_jump = match statement.kind {
                StatementKind::Goto(_) | StatementKind::ComputedGoto(_) => true,
                StatementKind::Asm(asm) => !program.asms[asm].labels.is_empty(),
                _ => false,
            };
            if !is_jump {
                continue;
            }
            // A nested function may jump to a label of the functions around it.
            for function in functions.around(statement.span.start) {
                self.jumps[function.index()].push(id);
            }
        }
    }

    /// Where the objects of the program may be read. Few programs need it.
    pub(crate) fn reads(&self, program: &Program) -> &Reads {
        self.reads.get_or_init(|| Reads::of(program))
    }

    /// The variables of the file that a function names, some several times.
    pub(crate) fn variables(&self, function: FunctionId) -> &[EntityId] {
        &self.variables[function.index()]
    }

    /// True if a function names one that returns twice.
    pub(crate) fn returns_twice(&self, function: FunctionId) -> bool {
        self.returns_twice[function.index()]
    }

    /// The `goto` statements and the like of a function.
    pub(crate) fn jumps(&self, function: FunctionId) -> &[StatementId] {
        &self.jumps[function.index()]
    }

    /// The functions that `main` or the initializers of the file may call; all if there is no `main`.
    pub(crate) fn reachable_functions(&self, program: &Program) -> Vec<FunctionId> {
        let definitions: BTreeMap<EntityId, FunctionId> =
            program.functions.ids().map(|id| (program.functions[id].entity, id)).collect();
        let Some(main) = program.find("main").filter(|main| definitions.contains_key(main)) else {
            return program.functions.ids().collect();
        };
        let mut found = BTreeSet::new();
        let mut waiting = self.outside.clone();
        waiting.push(main);
        while let Some(entity) = waiting.pop() {
            if let Some(function) = definitions.get(&entity).filter(|function| found.insert(**function)) {
                waiting.extend(&self.functions[function.index()]);
            }
        }
        found.into_iter().collect()
    }
}

/// The functions that `main` may call, by way of any mention of their names in functions that may be called or in
/// the initializers of the file; all if there is no `main`.
pub fn reachable_functions(program: &Program) -> Vec<FunctionId> {
    Mentions::of(program).reachable_functions(program)
}

fn known_names(program: &Program, texts: &[&str]) -> Vec<Name> {
    texts.iter().filter_map(|text| program.names.find(text.as_bytes())).collect()
}
