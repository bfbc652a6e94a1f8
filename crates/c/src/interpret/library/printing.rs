//! Printing, which has no effect here. Its arguments must fit the format.

use super::super::code::CallSite;
use super::super::machine::Machine;
use super::super::pointers::moved;
use super::super::stop::{Step, undefined, unsupported};
use super::super::value::{Pointer, Value};
use super::{LibraryFunction, pointer, strings};
use crate::syntax::EntityId;
use crate::types::Type;

pub(super) const FUNCTIONS: &[LibraryFunction] = &[
    LibraryFunction { name: "printf", run: printf },
    LibraryFunction { name: "puts", run: puts },
    LibraryFunction { name: "putchar", run: putchar },
];

fn printf(machine: &mut Machine<'_>, _: EntityId, site: &CallSite, arguments: &[Value]) -> Step<Value> {
    let format = text(machine, pointer(arguments, 0)?)?;
    let mut given = arguments.iter().zip(&site.arguments).skip(1);
    let mut rest = format.as_slice();
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        let (length, letter, after) = conversion(&rest[at + 1..])?;
        rest = after;
        if letter == b'%' {
            continue;
        }
        let Some((value, r#type)) = given.next() else {
            return undefined("a format has more conversions than there are arguments");
        };
        check(machine, &length, letter, value, *r#type)?;
    }
    Ok(Value::Unspecified)
}

/// The length modifier and the letter of a conversion, and what follows.
fn conversion(text: &[u8]) -> Step<(Vec<u8>, u8, &[u8])> {
    let is_flag = |byte: &&u8| matches!(**byte, b'-' | b'+' | b' ' | b'#' | b'.' | b'0'..=b'9');
    let flags = text.iter().take_while(is_flag).count();
    let is_length = |byte: &&u8| matches!(**byte, b'h' | b'l' | b'j' | b'z' | b't' | b'L');
    let length: Vec<u8> = text[flags..].iter().take_while(is_length).copied().collect();
    match text[flags + length.len()..].split_first() {
        Some((letter, after)) => Ok((length, *letter, after)),
        None => undefined("a format ends in the middle of a conversion"),
    }
}

fn check(machine: &mut Machine<'_>, length: &[u8], letter: u8, value: &Value, given: Type) -> Step<()> {
    let types = machine.types();
    match letter {
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' => {
            let expected = match length {
                b"" | b"h" | b"hh" => Type::INT,
                b"l" => Type::LONG,
                b"ll" | b"j" => Type::LONG_LONG,
                b"z" => types.size_type(),
                b"t" => types.difference_type(),
                _ => return unsupported("a length in a format"),
            };
            value.integer()?;
            match types.size(given) == types.size(expected) {
                true => Ok(()),
                false => undefined("an argument does not fit its conversion in a format"),
            }
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' if length.is_empty() || length == b"l" => {
            value.real().map(|_| ())
        }
        b's' if length.is_empty() => strings::length(machine, value.pointer()?).map(|_| ()),
        b'p' => value.pointer().map(|_| ()),
        _ => unsupported("a conversion in a format"),
    }
}

/// The bytes of a string.
fn text(machine: &mut Machine<'_>, string: Pointer) -> Step<Vec<u8>> {
    let length = strings::length(machine, string)?;
    (0..length)
        .map(|index| machine.memory.byte(moved(&machine.memory, string, i128::from(index), 1)?))
        .collect()
}

fn puts(machine: &mut Machine<'_>, _: EntityId, _: &CallSite, arguments: &[Value]) -> Step<Value> {
    strings::length(machine, pointer(arguments, 0)?)?;
    Ok(Value::Unspecified)
}

fn putchar(_: &mut Machine<'_>, _: EntityId, _: &CallSite, _: &[Value]) -> Step<Value> {
    Ok(Value::Unspecified)
}
