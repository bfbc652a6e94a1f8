//! The types of C that hold values of terms.

use super::Wide;
use smt::{Sort, SortId, Terms};

/// Bit-vectors with more bits than this are not said in C.
pub(super) const WIDEST: u32 = 4096;

/// Arrays with more elements than this are not C arrays: their elements are inputs.
const MOST_ELEMENTS: u32 = 64;

/// A type of C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CType {
    /// An unsigned type of 8, 16, 32, 64 or 128 bits.
    Unsigned(u32),
    /// A signed type of 8, 16, 32, 64 or 128 bits.
    Signed(u32),
    /// A struct of limbs for so many bits.
    Limbs(u32),
    /// A struct of so many elements.
    Array { index: String, length: u32, element: Box<CType> },
}

impl CType {
    /// The type of truth values in expressions.
    pub(super) const INT: CType = CType::Signed(32);

    /// The least type for a bit-vector. The width must not be refused by [`check_width`].
    pub(super) fn storage(width: u32, wide: Wide) -> CType {
        match width {
            0..=8 => CType::Unsigned(8),
            9..=16 => CType::Unsigned(16),
            17..=32 => CType::Unsigned(32),
            33..=64 => CType::Unsigned(64),
            _ if wide == Wide::Limbs => CType::Limbs(width),
            _ => CType::Unsigned(128),
        }
    }

    /// The type in which operators work on a bit-vector: types below `int` would be promoted to it, and overflow.
    pub(super) fn working(width: u32, wide: Wide) -> CType {
        match CType::storage(width, wide) {
            CType::Unsigned(bits) => CType::Unsigned(bits.max(32)),
            limbs => limbs,
        }
    }

    /// Its name.
    pub(super) fn name(&self) -> String {
        match self {
            CType::Unsigned(8) => "unsigned char".to_owned(),
            CType::Unsigned(16) => "unsigned short".to_owned(),
            CType::Unsigned(32) => "unsigned int".to_owned(),
            CType::Unsigned(64) => "unsigned long long".to_owned(),
            CType::Unsigned(_) => "unsigned __int128".to_owned(),
            CType::Signed(8) => "signed char".to_owned(),
            CType::Signed(16) => "short".to_owned(),
            CType::Signed(32) => "int".to_owned(),
            CType::Signed(64) => "long long".to_owned(),
            CType::Signed(_) => "__int128".to_owned(),
            CType::Limbs(_) | CType::Array { .. } => format!("struct {}", self.tag()),
        }
    }

    /// The part of a name that stands for it.
    pub(super) fn tag(&self) -> String {
        match self {
            CType::Unsigned(bits) => format!("u{bits}"),
            CType::Signed(bits) => format!("s{bits}"),
            CType::Limbs(width) => format!("bits_{width}"),
            CType::Array { index, element, .. } => format!("array_{index}_{}", element.tag()),
        }
    }

    /// Its definition, if it is not a type of the language.
    pub(super) fn definition(&self) -> Option<String> {
        match self {
            CType::Limbs(width) => {
                Some(format!("{} {{ unsigned int limb[{}]; }};\n", self.name(), limb_count(*width)))
            }
            CType::Array { length, element, .. } => {
                Some(format!("{} {{ {} at[{length}]; }};\n", self.name(), element.name()))
            }
            _ => None,
        }
    }

    /// The number of bits of an integer type, 0 for structs.
    pub(super) fn bits(&self) -> u32 {
        match self {
            CType::Unsigned(bits) | CType::Signed(bits) => *bits,
            _ => 0,
        }
    }
}

/// The number of limbs for so many bits.
pub(super) fn limb_count(width: u32) -> u32 {
    width.div_ceil(32)
}

/// The C type of a sort, or the construct that has none.
pub(super) fn type_of_sort(terms: &Terms, sort: SortId, wide: Wide) -> Result<CType, String> {
    match terms.sort_of(sort) {
        Sort::Bool | Sort::Int | Sort::Real => Ok(CType::INT),
        Sort::BitVec(width) => check_width(*width, wide).map(|()| CType::storage(*width, wide)),
        Sort::Declared { .. } => Ok(CType::Unsigned(32)),
        Sort::Array(index, element) => {
            let (index_name, length) = few_elements(terms, *index)
                .ok_or_else(|| format!("an array with the indices of {}", smt::print::sort(terms, *index)))?;
            if matches!(terms.sort_of(*element), Sort::Array(..)) {
                return Err("an array of arrays".to_owned());
            }
            let element = Box::new(type_of_sort(terms, *element, wide)?);
            Ok(CType::Array { index: index_name, length, element })
        }
        Sort::Opaque(_) => Err(format!("the sort {}", smt::print::sort(terms, sort))),
    }
}

/// Whether a C array holds the arrays of this sort: few indices, and elements that are no arrays.
pub(super) fn is_small_array(terms: &Terms, sort: SortId) -> bool {
    match terms.sort_of(sort) {
        Sort::Array(index, element) => {
            few_elements(terms, *index).is_some() && !matches!(terms.sort_of(*element), Sort::Array(..))
        }
        _ => false,
    }
}

/// The name and the number of the indices of a sort, if they are few.
fn few_elements(terms: &Terms, index: SortId) -> Option<(String, u32)> {
    match terms.sort_of(index) {
        Sort::Bool => Some(("bool".to_owned(), 2)),
        Sort::BitVec(width) if *width < 32 && 1 << width <= MOST_ELEMENTS => {
            Some((width.to_string(), 1 << width))
        }
        _ => None,
    }
}

/// Refuses widths that C does not hold.
pub(super) fn check_width(width: u32, wide: Wide) -> Result<(), String> {
    let (widest, reason) = match wide {
        Wide::Refuse => (64, " without wide values"),
        Wide::Int128 => (128, " as `__int128`"),
        Wide::Limbs => (WIDEST, ""),
    };
    if width <= widest { Ok(()) } else { Err(format!("a bit-vector of {width} bits{reason}")) }
}
