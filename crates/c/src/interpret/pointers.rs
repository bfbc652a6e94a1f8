//! Arithmetic on pointers, and comparisons.

use super::memory::Memory;
use super::stop::{Step, undefined, unsupported};
use super::value::{Address, Pointer};
use crate::syntax::BinaryOperator;
use crate::types::{Type, Types};

/// A pointer moved by elements. It must stay in its array, or at its end.
pub(super) fn moved(memory: &Memory, pointer: Pointer, count: i128, size: i64) -> Step<Pointer> {
    let address = match pointer {
        Pointer::Object(address) => address,
        Pointer::Null if count == 0 => return Ok(Pointer::Null),
        Pointer::Null => return undefined("a null pointer is moved"),
        Pointer::Function(_) => return unsupported("a pointer to a function is moved"),
    };
    memory.require_live(pointer)?;
    let distance = count.checked_mul(i128::from(size));
    let offset = distance.and_then(|distance| distance.checked_add(i128::from(address.offset)));
    let offset = offset.and_then(|offset| i64::try_from(offset).ok());
    match offset.filter(|offset| (address.low..=address.high).contains(offset)) {
        Some(offset) => Ok(Pointer::Object(Address { offset, ..address })),
        None => undefined("a pointer leaves the array or object that it points into"),
    }
}

/// A pointer to a member, limited to it. An array without a length reaches to the end.
pub(super) fn member(memory: &Memory, pointer: Pointer, offset: i64, size: Option<u64>) -> Step<Pointer> {
    let address = match pointer {
        Pointer::Object(address) => address,
        Pointer::Null => return undefined("a member of a null pointer is accessed"),
        Pointer::Function(_) => return undefined("a member of a function is accessed"),
    };
    memory.require_live(pointer)?;
    let start = address.offset.saturating_add(offset);
    if start < address.low || start > address.high {
        return undefined("a member outside of its object is accessed");
    }
    let moved = Address { offset: start, ..address };
    Ok(match size {
        Some(size) if size > 0 => narrowed(Pointer::Object(moved), size),
        _ => Pointer::Object(moved),
    })
}

/// The same pointer, limited to a number of bytes.
pub(super) fn narrowed(pointer: Pointer, size: u64) -> Pointer {
    match pointer {
        Pointer::Object(address) => {
            let high = address.offset.saturating_add_unsigned(size).min(address.high);
            Pointer::Object(Address { low: address.offset.max(address.low), high, ..address })
        }
        other => other,
    }
}

/// The same pointer as one to a record. The address of a first member is that of the record around it.
pub(super) fn recast(memory: &Memory, types: &Types, pointer: Pointer, record: Type) -> Pointer {
    let (Pointer::Object(address), Some(size)) = (pointer, types.size(record)) else { return pointer };
    let end = address.offset.saturating_add_unsigned(size);
    if end <= address.high || !memory.may_hold(types, address, record) {
        return pointer;
    }
    Pointer::Object(Address { low: address.low.min(address.offset), high: end, ..address })
}

/// The number of elements between two pointers into one array.
pub(super) fn difference(memory: &Memory, left: Pointer, right: Pointer, size: i64) -> Step<i128> {
    memory.require_live(left)?;
    memory.require_live(right)?;
    match (left, right) {
        (Pointer::Object(left), Pointer::Object(right)) if left.object == right.object => {
            let distance = left.offset - right.offset;
            match distance.checked_rem(size) {
                Some(0) => Ok(i128::from(distance / size)),
                _ => undefined("the distance of two pointers is not a number of elements"),
            }
        }
        (Pointer::Null, Pointer::Null) => Ok(0),
        _ => undefined("the distance of pointers into different objects"),
    }
}

/// Whether a comparison of two pointers holds.
pub(super) fn compare(
    memory: &Memory,
    operator: BinaryOperator,
    left: Pointer,
    right: Pointer,
) -> Step<bool> {
    use BinaryOperator as B;
    memory.require_live(left)?;
    memory.require_live(right)?;
    if matches!(operator, B::Equal | B::NotEqual) {
        let is_equal = equal(left, right)?;
        return Ok(is_equal == (operator == B::Equal));
    }
    match (left, right) {
        (Pointer::Object(left), Pointer::Object(right)) if left.object == right.object => {
            Ok(match operator {
                B::Less => left.offset < right.offset,
                B::Greater => left.offset > right.offset,
                B::LessEqual => left.offset <= right.offset,
                _ => left.offset >= right.offset,
            })
        }
        _ => undefined("an order between pointers into different objects"),
    }
}

fn equal(left: Pointer, right: Pointer) -> Step<bool> {
    match (left, right) {
        (Pointer::Object(left), Pointer::Object(right)) if left.object == right.object => {
            Ok(left.offset == right.offset)
        }
        (Pointer::Object(left), Pointer::Object(right)) => {
            // The end of one object may be the beginning of another.
            let meets = |end: Address, start: Address| end.offset == end.high && start.offset == 0;
            if meets(left, right) || meets(right, left) {
                return unsupported("the end of one object is compared with another");
            }
            Ok(false)
        }
        (left, right) => Ok(left == right),
    }
}
