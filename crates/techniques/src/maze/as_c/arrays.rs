//! Helper functions of small arrays, which are C arrays in structs by value.

use super::machine::CType;

/// The name of the helper function of an operation on a type: `store`, `fill` or `equal`.
pub(super) fn function_name(operation: &str, c_type: &CType) -> String {
    format!("{operation}_{}", c_type.tag())
}

/// The array with another element at an index.
pub(super) fn store(array: &CType, element: &CType) -> String {
    format!(
        "static {0} {1}({0} x, unsigned int y, {2} z) {{\n  x.at[y] = z;\n  return x;\n}}\n",
        array.name(),
        function_name("store", array),
        element.name(),
    )
}

/// The array whose elements are all the same.
pub(super) fn fill(array: &CType, length: u32, element: &CType) -> String {
    format!(
        "static {0} {1}({2} x) {{\n  {0} filled;\n  unsigned int i;\n  for (i = 0U; i < {length}U; i++)\n    \
         filled.at[i] = x;\n  return filled;\n}}\n",
        array.name(),
        function_name("fill", array),
        element.name(),
    )
}

/// Whether all elements are equal.
pub(super) fn equal(array: &CType, length: u32, element: &CType) -> String {
    let differ = match element {
        CType::Limbs(_) => format!("!{}(x.at[i], y.at[i])", function_name("equal", element)),
        _ => "x.at[i] != y.at[i]".to_owned(),
    };
    format!(
        "static int {1}({0} x, {0} y) {{\n  unsigned int i;\n  for (i = 0U; i < {length}U; i++)\n    if ({differ})\n      \
         return 0;\n  return 1;\n}}\n",
        array.name(),
        function_name("equal", array),
    )
}
