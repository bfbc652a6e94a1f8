//! The inputs of a program.

use crate::types::{Type, Types};

/// An input that an execution consumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The word after `__VERIFIER_nondet_` in the name of the function that returned it.
    pub name: String,
    /// Its bits, the lowest ones first.
    pub bits: u128,
}

/// The prefix of the names of functions that return inputs.
pub(super) const PREFIX: &str = "__VERIFIER_nondet_";

/// The types of inputs, by the word after the prefix.
const TYPES: [(&str, Type); 32] = [
    ("bool", Type::BOOL),
    ("char", Type::CHAR),
    ("schar", Type::SIGNED_CHAR),
    ("uchar", Type::UNSIGNED_CHAR),
    ("unsigned_char", Type::UNSIGNED_CHAR),
    ("short", Type::SHORT),
    ("ushort", Type::UNSIGNED_SHORT),
    ("int", Type::INT),
    ("uint", Type::UNSIGNED_INT),
    ("unsigned", Type::UNSIGNED_INT),
    ("unsigned_int", Type::UNSIGNED_INT),
    ("long", Type::LONG),
    ("ulong", Type::UNSIGNED_LONG),
    ("unsigned_long", Type::UNSIGNED_LONG),
    ("longlong", Type::LONG_LONG),
    ("ulonglong", Type::UNSIGNED_LONG_LONG),
    ("size_t", Type::UNSIGNED_LONG),
    ("loff_t", Type::LONG_LONG),
    ("sector_t", Type::UNSIGNED_LONG),
    ("pthread_t", Type::UNSIGNED_LONG),
    ("s8", Type::SIGNED_CHAR),
    ("s16", Type::SHORT),
    ("s32", Type::INT),
    ("s64", Type::LONG_LONG),
    ("u8", Type::UNSIGNED_CHAR),
    ("u16", Type::UNSIGNED_SHORT),
    ("u32", Type::UNSIGNED_INT),
    ("u64", Type::UNSIGNED_LONG_LONG),
    ("float", Type::FLOAT),
    ("double", Type::DOUBLE),
    ("int128", Type::INT128),
    ("uint128", Type::UNSIGNED_INT128),
];

/// The type of an input, by the word after the prefix.
pub(super) fn input_type(name: &str) -> Option<Type> {
    TYPES.iter().find(|(known, _)| *known == name).map(|(_, r#type)| *r#type)
}

/// Whether a program may declare an input function of the first type with the second one: values are passed alike.
pub(super) fn is_passed_alike(types: &Types, expected: Type, declared: Type) -> bool {
    let shape = |it| (types.size(it), types.is_integer(it), types.kind(it) == crate::TypeKind::Bool);
    shape(expected) == shape(declared)
}
