//! Allocation. It never fails: an execution in which it does has other inputs.

use super::super::code::CallSite;
use super::super::machine::Machine;
use super::super::memory::{NewObject, Origin};
use super::super::stop::{Step, undefined};
use super::super::value::{Pointer, Value};
use super::{LibraryFunction, pointer, size};
use crate::syntax::EntityId;

pub(super) const FUNCTIONS: &[LibraryFunction] = &[
    LibraryFunction { name: "malloc", run: malloc },
    LibraryFunction { name: "calloc", run: calloc },
    LibraryFunction { name: "realloc", run: realloc },
    LibraryFunction { name: "free", run: free },
    LibraryFunction { name: "alloca", run: alloca },
];

/// The alignment of allocations.
const ALIGNMENT: u64 = 16;

fn allocate(machine: &mut Machine<'_>, size: u64) -> Step<Pointer> {
    let new =
        NewObject { size, declared: None, origin: Origin::Heap, is_constant: false, alignment: ALIGNMENT };
    let name = machine.memory.create(machine.types(), &new)?;
    Ok(machine.memory.address(name))
}

fn malloc(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    Ok(Value::Pointer(allocate(machine, size(arguments, 0)?)?))
}

fn calloc(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    let bytes = size(arguments, 0)?.saturating_mul(size(arguments, 1)?);
    let allocated = allocate(machine, bytes)?;
    machine.memory.fill(&machine.program.types, allocated, bytes, 0)?;
    Ok(Value::Pointer(allocated))
}

/// Ends an allocation.
fn release(machine: &mut Machine<'_>, pointer: Pointer) -> Step<()> {
    match pointer {
        Pointer::Null => Ok(()),
        Pointer::Function(_) => undefined("a function is freed"),
        Pointer::Object(address) => {
            let (_, origin) = machine.memory.whole(address)?;
            if origin != Origin::Heap {
                return undefined("something is freed that was not allocated");
            }
            machine.memory.end(address.object);
            Ok(())
        }
    }
}

fn free(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    release(machine, pointer(arguments, 0)?)?;
    Ok(Value::Void)
}

fn realloc(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    let (old, bytes) = (pointer(arguments, 0)?, size(arguments, 1)?);
    if let Pointer::Object(address) = old {
        let (length, origin) = machine.memory.whole(address)?;
        if origin != Origin::Heap || bytes == 0 {
            return undefined("something is reallocated that was not allocated, or to nothing");
        }
        let new = allocate(machine, bytes)?;
        let whole = machine.memory.address(address.object);
        machine.memory.copy(machine.types(), new, whole, bytes.min(length as u64))?;
        release(machine, old)?;
        return Ok(Value::Pointer(new));
    }
    Ok(Value::Pointer(allocate(machine, bytes)?))
}

fn alloca(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    Ok(Value::Pointer(machine.create_in_frame(size(arguments, 0)?)?))
}
