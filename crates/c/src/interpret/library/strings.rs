//! Copies, comparisons and strings.

use super::super::code::CallSite;
use super::super::machine::Machine;
use super::super::pointers::moved;
use super::super::stop::{Step, undefined};
use super::super::value::{Pointer, Value};
use super::{LibraryFunction, argument, pointer, size};
use crate::syntax::EntityId;

pub(super) const FUNCTIONS: &[LibraryFunction] = &[
    LibraryFunction { name: "memcpy", run: memcpy },
    LibraryFunction { name: "memmove", run: memmove },
    LibraryFunction { name: "memset", run: memset },
    LibraryFunction { name: "memcmp", run: memcmp },
    LibraryFunction { name: "memchr", run: memchr },
    LibraryFunction { name: "strlen", run: strlen },
    LibraryFunction { name: "strcpy", run: strcpy },
    LibraryFunction { name: "strncpy", run: strncpy },
    LibraryFunction { name: "strcat", run: strcat },
    LibraryFunction { name: "strcmp", run: strcmp },
    LibraryFunction { name: "strncmp", run: strncmp },
    LibraryFunction { name: "strchr", run: strchr },
    LibraryFunction { name: "strrchr", run: strrchr },
];

fn memcpy(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    let (to, from, bytes) = (pointer(arguments, 0)?, pointer(arguments, 1)?, size(arguments, 2)?);
    if let (Pointer::Object(left), Pointer::Object(right)) = (to, from)
        && left.object == right.object
        && (left.offset - right.offset).unsigned_abs() < bytes
    {
        return undefined("a copy between places that overlap");
    }
    machine.memory.copy(machine.types(), to, from, bytes)?;
    Ok(Value::Pointer(to))
}

fn memmove(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    let to = pointer(arguments, 0)?;
    machine.memory.copy(machine.types(), to, pointer(arguments, 1)?, size(arguments, 2)?)?;
    Ok(Value::Pointer(to))
}

fn memset(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    let to = pointer(arguments, 0)?;
    let value = argument(arguments, 1)?.integer()? as u8;
    machine.memory.fill(&machine.program.types, to, size(arguments, 2)?, value)?;
    Ok(Value::Pointer(to))
}

/// The byte at a distance from a pointer. Every byte costs a step, since a string may be long.
fn byte_at(machine: &mut Machine<'_>, pointer: Pointer, index: u64) -> Step<u8> {
    machine.fuel = machine.fuel.saturating_sub(1);
    machine.memory.byte(moved(&machine.memory, pointer, i128::from(index), 1)?)
}

/// The sign of the first difference, which is all that the standard fixes of these results. The value is -1, 0 or 1.
fn compared(left: u8, right: u8) -> Value {
    Value::Integer(i128::from(left.cmp(&right) as i8))
}

fn memcmp(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    let (left, right) = (pointer(arguments, 0)?, pointer(arguments, 1)?);
    for index in 0..size(arguments, 2)? {
        let (one, other) = (byte_at(machine, left, index)?, byte_at(machine, right, index)?);
        if one != other {
            return Ok(compared(one, other));
        }
    }
    Ok(Value::Integer(0))
}

fn memchr(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    let (from, wanted) = (pointer(arguments, 0)?, argument(arguments, 1)?.integer()? as u8);
    for index in 0..size(arguments, 2)? {
        if byte_at(machine, from, index)? == wanted {
            return Ok(Value::Pointer(moved(&machine.memory, from, i128::from(index), 1)?));
        }
    }
    Ok(Value::Pointer(Pointer::Null))
}

/// The number of bytes before the zero at the end of a string.
pub(super) fn length(machine: &mut Machine<'_>, string: Pointer) -> Step<u64> {
    let mut index = 0;
    while byte_at(machine, string, index)? != 0 {
        index += 1;
    }
    Ok(index)
}

fn strlen(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    Ok(Value::Integer(i128::from(length(machine, pointer(arguments, 0)?)?)))
}

fn strcpy(machine: &mut Machine<'_>, entity: EntityId, site: &CallSite, arguments: &[Value]) -> Step<Value> {
    let bytes = length(machine, pointer(arguments, 1)?)? + 1;
    let sized = [arguments, &[Value::Integer(i128::from(bytes))]].concat();
    memcpy(machine, entity, site, &sized)
}

fn strncpy(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    let (to, from, bytes) = (pointer(arguments, 0)?, pointer(arguments, 1)?, size(arguments, 2)?);
    let mut ended = false;
    for index in 0..bytes {
        let byte = if ended { 0 } else { byte_at(machine, from, index)? };
        ended |= byte == 0;
        let place = moved(&machine.memory, to, i128::from(index), 1)?;
        machine.memory.fill(&machine.program.types, place, 1, byte)?;
    }
    Ok(Value::Pointer(to))
}

fn strcat(machine: &mut Machine<'_>, entity: EntityId, site: &CallSite, arguments: &[Value]) -> Step<Value> {
    let to = pointer(arguments, 0)?;
    let end = length(machine, to)?;
    let place = Value::Pointer(moved(&machine.memory, to, i128::from(end), 1)?);
    strcpy(machine, entity, site, &[place, argument(arguments, 1)?.clone()])?;
    Ok(Value::Pointer(to))
}

fn compare_strings(machine: &mut Machine<'_>, left: Pointer, right: Pointer, most: u64) -> Step<Value> {
    for index in 0..most {
        let (one, other) = (byte_at(machine, left, index)?, byte_at(machine, right, index)?);
        if one != other || one == 0 {
            return Ok(compared(one, other));
        }
    }
    Ok(Value::Integer(0))
}

fn strcmp(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    compare_strings(machine, pointer(arguments, 0)?, pointer(arguments, 1)?, u64::MAX)
}

fn strncmp(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    compare_strings(machine, pointer(arguments, 0)?, pointer(arguments, 1)?, size(arguments, 2)?)
}

/// The places of a byte in a string, its end included.
fn find(machine: &mut Machine<'_>, arguments: &[Value], takes_last: bool) -> Step<Value> {
    let (string, wanted) = (pointer(arguments, 0)?, argument(arguments, 1)?.integer()? as u8);
    let mut found = Pointer::Null;
    for index in 0.. {
        let byte = byte_at(machine, string, index)?;
        if byte == wanted {
            found = moved(&machine.memory, string, i128::from(index), 1)?;
        }
        if byte == 0 || byte == wanted && !takes_last {
            break;
        }
    }
    Ok(Value::Pointer(found))
}

fn strchr(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    find(machine, arguments, false)
}

fn strrchr(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    find(machine, arguments, true)
}
