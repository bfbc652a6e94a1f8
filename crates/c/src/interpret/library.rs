//! The functions that programs use without defining them.

mod bits;
mod control;
mod heap;
mod mathematics;
mod printing;
mod strings;

use super::code::CallSite;
use super::input;
use super::machine::Machine;
use super::stop::{Step, unsupported};
use super::value::{Pointer, Value};
use crate::Program;
use crate::syntax::{Encoding, EntityId, StringId};
use crate::types::{Type, TypeKind};

/// A function of the library or of the harness.
pub(super) struct LibraryFunction {
    pub name: &'static str,
    pub run: fn(&mut Machine<'_>, EntityId, &CallSite, &[Value]) -> Step<Value>,
}

/// All functions, by file.
const FUNCTIONS: [&[LibraryFunction]; 6] = [
    control::FUNCTIONS,
    heap::FUNCTIONS,
    strings::FUNCTIONS,
    mathematics::FUNCTIONS,
    bits::FUNCTIONS,
    printing::FUNCTIONS,
];

/// Inputs have functions of many names.
static INPUT: LibraryFunction = LibraryFunction { name: input::PREFIX, run: control::next_input };

/// Finds a function by its name. The prefix `__builtin_` names the same function.
pub(super) fn find(name: &str) -> Option<&'static LibraryFunction> {
    if name.strip_prefix(input::PREFIX).is_some_and(|word| input::input_type(word).is_some()) {
        return Some(&INPUT);
    }
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let named = |wanted: &str| FUNCTIONS.iter().copied().flatten().find(|function| function.name == wanted);
    named(name).or_else(|| named(plain))
}

/// An argument of a call.
fn argument(arguments: &[Value], index: usize) -> Step<&Value> {
    match arguments.get(index) {
        Some(value) => Ok(value),
        None => unsupported("a library function is called with too few arguments"),
    }
}

fn pointer(arguments: &[Value], index: usize) -> Step<Pointer> {
    argument(arguments, index)?.pointer()
}

/// An argument that counts bytes.
fn size(arguments: &[Value], index: usize) -> Step<u64> {
    match u64::try_from(argument(arguments, index)?.integer()?) {
        Ok(size) => Ok(size),
        Err(_) => unsupported("a negative size"),
    }
}

/// The type that a library function returns, as the program declares it.
fn result_type(machine: &Machine<'_>, entity: EntityId) -> Type {
    match machine.types().kind(machine.program.entities[entity].r#type) {
        TypeKind::Function { result, .. } => result,
        _ => Type::VOID,
    }
}

/// The type of the units of a string literal.
pub(super) fn unit_type(program: &Program, string: StringId) -> Type {
    match program.strings[string].encoding {
        Encoding::Plain | Encoding::Utf8 => Type::CHAR,
        Encoding::Utf16 => Type::UNSIGNED_SHORT,
        Encoding::Utf32 => Type::UNSIGNED_INT,
        Encoding::Wide => program.types.wide_character_type(),
    }
}

/// The bytes of a string literal, with the zero at its end.
pub(super) fn string_bytes(program: &Program, string: StringId, unit: Type) -> Vec<u8> {
    let size = program.types.size(unit).unwrap_or(1) as usize;
    let units = program.string_units[program.strings[string].units].iter().chain(std::iter::once(&0));
    units.flat_map(|unit| unit.to_le_bytes().into_iter().take(size)).collect()
}
