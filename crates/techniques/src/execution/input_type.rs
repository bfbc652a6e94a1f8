//! The types of inputs that executions support.

/// A type of inputs: the word after `__VERIFIER_nondet_`, and a C type that needs no headers.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct InputType {
    pub name: &'static str,
    pub c_type: &'static str,
    pub format: Format,
}

/// The representation of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Integer,
    Float,
    Double,
    /// The extended format of the x87, with an explicit leading bit.
    LongDouble,
}

/// Finds a type by its name.
pub(super) fn input_type(name: &str) -> Option<&'static InputType> {
    INPUT_TYPES.iter().find(|known| known.name == name)
}

const fn integer(name: &'static str, c_type: &'static str) -> InputType {
    InputType { name, c_type, format: Format::Integer }
}

/// All types, as in `values.h` of the harness.
const INPUT_TYPES: &[InputType] = &[
    integer("bool", "_Bool"),
    integer("char", "char"),
    integer("schar", "signed char"),
    integer("uchar", "unsigned char"),
    integer("unsigned_char", "unsigned char"),
    integer("short", "short"),
    integer("ushort", "unsigned short"),
    integer("int", "int"),
    integer("uint", "unsigned"),
    integer("unsigned", "unsigned"),
    integer("unsigned_int", "unsigned"),
    integer("long", "long"),
    integer("ulong", "unsigned long"),
    integer("unsigned_long", "unsigned long"),
    integer("longlong", "long long"),
    integer("ulonglong", "unsigned long long"),
    integer("size_t", "__SIZE_TYPE__"),
    integer("loff_t", "long long"),
    integer("sector_t", "unsigned long"),
    integer("pthread_t", "unsigned long"),
    integer("s8", "signed char"),
    integer("s16", "short"),
    integer("s32", "int"),
    integer("s64", "long long"),
    integer("u8", "unsigned char"),
    integer("u16", "unsigned short"),
    integer("u32", "unsigned"),
    integer("u64", "unsigned long long"),
    InputType { name: "float", c_type: "float", format: Format::Float },
    InputType { name: "double", c_type: "double", format: Format::Double },
    InputType { name: "long_double", c_type: "long double", format: Format::LongDouble },
    integer("int128", "__int128"),
    integer("uint128", "unsigned __int128"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_equal_those_of_the_harness() {
        let harness = include_str!("../../../analyzers/harness/values.h");
        let names: Vec<&str> = harness
            .split("X(")
            .skip(1)
            .filter_map(|row| row.split_once(','))
            .map(|(name, _)| name)
            .filter(|name| name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_'))
            .filter(|name| *name != "name")
            .collect();
        assert!(names.len() > 30, "{names:?}");
        assert!(names.iter().all(|name| input_type(name).is_some()), "{names:?}");
        assert!(INPUT_TYPES.iter().all(|known| names.contains(&known.name)));
    }
}
