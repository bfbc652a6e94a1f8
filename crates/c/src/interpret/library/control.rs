//! Inputs, checks, and the ends of a program.

use super::super::code::CallSite;
use super::super::input::{PREFIX, input_type, is_passed_alike};
use super::super::machine::Machine;
use super::super::stop::{Step, Stop, undefined, unsupported};
use super::super::value::{Pointer, Scalar, Value};
use super::{LibraryFunction, argument, result_type};
use crate::syntax::EntityId;
use crate::types::{Type, TypeKind, Types};

pub(super) const FUNCTIONS: &[LibraryFunction] = &[
    LibraryFunction { name: "juvenal_violated", run: violated },
    LibraryFunction { name: "juvenal_reached", run: nothing },
    LibraryFunction { name: "juvenal_call", run: nothing },
    LibraryFunction { name: "juvenal_note_condition", run: nothing },
    LibraryFunction { name: "juvenal_note_signed", run: nothing },
    LibraryFunction { name: "juvenal_note_unsigned", run: nothing },
    LibraryFunction { name: "juvenal_note_real", run: nothing },
    LibraryFunction { name: "juvenal_assumption_failed", run: assumption_failed },
    LibraryFunction { name: "reach_error", run: error },
    LibraryFunction { name: "__VERIFIER_error", run: error },
    LibraryFunction { name: "__VERIFIER_assert", run: assert },
    LibraryFunction { name: "__VERIFIER_assume", run: assume },
    LibraryFunction { name: "__VERIFIER_atomic_begin", run: nothing },
    LibraryFunction { name: "__VERIFIER_atomic_end", run: nothing },
    LibraryFunction { name: "__VERIFIER_nondet_pointer", run: null },
    LibraryFunction { name: "__VERIFIER_nondet_pchar", run: null },
    LibraryFunction { name: "__VERIFIER_nondet_charp", run: null },
    LibraryFunction { name: "__VERIFIER_nondet_const_char_pointer", run: null },
    LibraryFunction { name: "exit", run: exit },
    LibraryFunction { name: "_exit", run: exit },
    LibraryFunction { name: "_Exit", run: exit },
    LibraryFunction { name: "abort", run: abort },
    LibraryFunction { name: "trap", run: abort },
    LibraryFunction { name: "__assert_fail", run: abort },
    LibraryFunction { name: "unreachable", run: unreachable },
    LibraryFunction { name: "__builtin_expect", run: first_argument },
    LibraryFunction { name: "__builtin_expect_with_probability", run: first_argument },
];

/// The status of a program that aborts, as shells show it.
const ABORTED: i64 = 134;

/// Returns the next input.
pub(super) fn next_input(
    machine: &mut Machine<'_>,
    entity: EntityId,
    _: &CallSite,
    _: &[Value],
) -> Step<Value> {
    let program = machine.program;
    let types = &program.types;
    let name = program.name(program.entities[entity].name);
    let word = name.strip_prefix(PREFIX).unwrap_or_default();
    let declared = result_type(machine, entity);
    let Some(expected) = input_type(word) else { return unsupported(format!("{name} is not modelled")) };
    if !is_passed_alike(types, expected, declared) {
        return unsupported(format!("{name} is declared with another type than it has"));
    }
    let Some(input) = machine.inputs.pop() else {
        let name = word.to_owned();
        return Err(Stop::MissingInput { name, bits: bits_of(types, declared) });
    };
    if input.name != word {
        let what = format!(
            "the program asks for an input of type {word}, and the next one is of type {}",
            input.name
        );
        return Err(Stop::WrongInputs(what));
    }
    match Scalar::of(types, declared)? {
        Scalar::Integer(to) => match types.wrap(input.bits as i128, to) {
            Some(value) => Ok(Value::Integer(value)),
            None => unsupported("an input of an incomplete type"),
        },
        Scalar::Float => Ok(Value::Float(f32::from_bits(input.bits as u32))),
        Scalar::Double => Ok(Value::Double(f64::from_bits(input.bits as u64))),
        Scalar::Pointer => unsupported("an input that is a pointer"),
    }
}

/// How many bits tell the values of an input apart. Too many never hurt.
fn bits_of(types: &Types, r#type: Type) -> u32 {
    match types.kind(r#type) {
        TypeKind::Bool => 1,
        _ => types.size(r#type).map_or(u128::BITS, |bytes| bytes as u32 * 8),
    }
}

fn fail(machine: &mut Machine<'_>, check: u32) {
    if !machine.violated.contains(&check) {
        machine.violated.push(check);
    }
}

fn violated(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    let check = argument(arguments, 0)?.integer()? as u32;
    fail(machine, check);
    if machine.stops_at_check { Err(Stop::CheckFailed(check)) } else { Ok(Value::Void) }
}

fn assumption_failed(_: &mut Machine<'_>, _: EntityId, _: &CallSite, _: &[Value]) -> Step<Value> {
    Err(Stop::AssumptionFailed)
}

/// Nothing is defined after an error call, so it ends the execution in any case.
fn error(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, _: &[Value]) -> Step<Value> {
    fail(machine, 0);
    Err(Stop::CheckFailed(0))
}

fn assert(machine: &mut Machine<'_>, entity: EntityId, site: &CallSite, arguments: &[Value]) -> Step<Value> {
    match argument(arguments, 0)?.is_true()? {
        true => Ok(Value::Void),
        false => error(machine, entity, site, arguments),
    }
}

fn assume(_: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    match argument(arguments, 0)?.is_true()? {
        true => Ok(Value::Void),
        false => Err(Stop::AssumptionFailed),
    }
}

fn nothing(_: &mut Machine<'_>, _: EntityId, _: &CallSite, _: &[Value]) -> Step<Value> {
    Ok(Value::Void)
}

fn null(_: &mut Machine<'_>, _: EntityId, _: &CallSite, _: &[Value]) -> Step<Value> {
    Ok(Value::Pointer(Pointer::Null))
}

fn exit(_: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    Err(Stop::Ended(argument(arguments, 0)?.integer()? as i64))
}

fn abort(_: &mut Machine<'_>, _: EntityId, _: &CallSite, _: &[Value]) -> Step<Value> {
    Err(Stop::Ended(ABORTED))
}

fn unreachable(_: &mut Machine<'_>, _: EntityId, _: &CallSite, _: &[Value]) -> Step<Value> {
    undefined("a place is reached that the program declares unreachable")
}

fn first_argument(_: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    argument(arguments, 0).cloned()
}
