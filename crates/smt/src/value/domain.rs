//! Domains: which values the sorts have under given universes of the declared sorts.

use crate::term::Terms;
use crate::term::sort::{Sort, SortId};
use crate::value::{ArrayValue, Value};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::Zero;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bit-vectors wider than this are not evaluated.
pub(crate) const WIDEST_BITVECTOR: u32 = 1_000_000;

/// Array sorts that nest deeper than this have no values here, which keeps values from nesting deeply.
const DEEPEST_ARRAY: u32 = 32;

/// The domains of the sorts of a store, with the sizes of the universes of declared sorts.
#[derive(Clone, Copy, Debug)]
pub struct Domains<'a> {
    terms: &'a Terms,
    universes: &'a BTreeMap<SortId, u32>,
}

impl<'a> Domains<'a> {
    /// A declared sort that `universes` does not name has one element.
    pub fn new(terms: &'a Terms, universes: &'a BTreeMap<SortId, u32>) -> Domains<'a> {
        Domains { terms, universes }
    }

    /// The number of elements of a declared sort.
    pub fn universe(&self, sort: SortId) -> u32 {
        self.universes.get(&sort).copied().unwrap_or(1).max(1)
    }

    /// The number of values of a sort, or `None` if it is infinite, above 2^62 or not evaluated.
    pub fn cardinality(&self, sort: SortId) -> Option<u64> {
        self.cardinality_within(sort, DEEPEST_ARRAY)
    }

    fn cardinality_within(&self, sort: SortId, depth: u32) -> Option<u64> {
        match self.terms.sort_of(sort) {
            Sort::Bool => Some(2),
            Sort::BitVec(width) if *width <= 62 => Some(1 << width),
            Sort::Declared { .. } => Some(u64::from(self.universe(sort))),
            Sort::Array(index, element) if depth > 0 => {
                let elements = self.cardinality_within(*element, depth - 1)?;
                if elements == 1 {
                    return Some(1);
                }
                let indices = u32::try_from(self.cardinality_within(*index, depth - 1)?).ok()?;
                elements.checked_pow(indices).filter(|count| *count <= 1 << 62)
            }
            _ => None,
        }
    }

    /// The value of a sort with this number, below its cardinality. Distinct numbers give distinct values.
    pub fn value(&self, sort: SortId, number: u64) -> Option<Value> {
        if number >= self.cardinality(sort)? {
            return None;
        }
        match self.terms.sort_of(sort) {
            Sort::Bool => Some(Value::Bool(number == 1)),
            Sort::BitVec(width) => Some(Value::BitVec { width: *width, bits: BigUint::from(number) }),
            Sort::Declared { .. } => Some(Value::Element { sort, index: u32::try_from(number).ok()? }),
            Sort::Array(index, element) => self.array_with_number(*index, *element, number),
            _ => None,
        }
    }

    /// The digits of the number, in base of the elements' cardinality, are the elements.
    fn array_with_number(&self, index: SortId, element: SortId, number: u64) -> Option<Value> {
        let base = self.cardinality(element)?;
        let default = self.value(element, 0)?;
        let mut entries = BTreeMap::new();
        let (mut rest, mut position) = (number, 0);
        while rest > 0 {
            entries.insert(self.value(index, position)?, self.value(element, rest % base)?);
            rest /= base;
            position += 1;
        }
        Some(self.array(index, element, default, entries))
    }

    /// Some value of a sort, always the same: false, zero, the first element, the array of these.
    pub fn default_value(&self, sort: SortId) -> Option<Value> {
        self.default_within(sort, DEEPEST_ARRAY)
    }

    fn default_within(&self, sort: SortId, depth: u32) -> Option<Value> {
        match self.terms.sort_of(sort) {
            Sort::Bool => Some(Value::Bool(false)),
            Sort::Int => Some(Value::Int(BigInt::zero())),
            Sort::Real => Some(Value::Real(BigRational::zero())),
            Sort::BitVec(width) if (1..=WIDEST_BITVECTOR).contains(width) => {
                Some(Value::BitVec { width: *width, bits: BigUint::zero() })
            }
            Sort::Declared { .. } => Some(Value::Element { sort, index: 0 }),
            Sort::Array(index, element) if depth > 0 => {
                self.default_within(*index, depth - 1)?;
                let default = self.default_within(*element, depth - 1)?;
                Some(self.array(*index, *element, default, BTreeMap::new()))
            }
            _ => None,
        }
    }

    /// Whether the values of a sort are evaluated at all.
    pub fn is_evaluated(&self, sort: SortId) -> bool {
        self.default_value(sort).is_some()
    }

    /// The array with these entries, and the default at every other index.
    ///
    /// In the normal form no entry equals the default. Over a finite index sort several defaults can describe one
    /// array, so there the default is the most frequent element, and the least of those.
    pub fn array(
        &self,
        index_sort: SortId,
        element_sort: SortId,
        default: Value,
        mut entries: BTreeMap<Value, Value>,
    ) -> Value {
        entries.retain(|_, element| *element != default);
        let mut array = ArrayValue { index_sort, element_sort, default, entries };
        // While more than half of the indices have the default, it is the most frequent element; else the whole
        // table is at most twice as long as the entries that already exist.
        if let Some(count) = self.cardinality(index_sort)
            && count <= array.entries.len() as u64 * 2
        {
            self.choose_default(&mut array, count);
        }
        Value::Array(Arc::new(array))
    }

    fn choose_default(&self, array: &mut ArrayValue, count: u64) {
        let mut frequencies: BTreeMap<&Value, u64> = BTreeMap::new();
        for element in array.entries.values() {
            *frequencies.entry(element).or_default() += 1;
        }
        let rest = count - array.entries.len() as u64;
        if rest > 0 {
            *frequencies.entry(&array.default).or_default() += rest;
        }
        // The map is in ascending order, so the first of the most frequent elements is the least.
        let mut best: Option<(&Value, u64)> = None;
        for (element, frequency) in frequencies {
            if best.is_none_or(|(_, most)| frequency > most) {
                best = Some((element, frequency));
            }
        }
        let Some(default) = best.map(|(element, _)| element.clone()) else { return };
        if default == array.default {
            return;
        }
        for number in 0..count {
            if let Some(index) = self.value(array.index_sort, number) {
                array.entries.entry(index).or_insert_with(|| array.default.clone());
            }
        }
        array.entries.retain(|_, element| *element != default);
        array.default = default;
    }

    /// The array that differs from `array` only at `index`.
    pub fn store(&self, array: &ArrayValue, index: Value, element: Value) -> Value {
        let mut entries = array.entries.clone();
        entries.insert(index, element);
        self.array(array.index_sort, array.element_sort, array.default.clone(), entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every function from a finite index sort has one representation, regardless of its default.
    #[test]
    fn arrays_over_finite_sorts_are_equal_exactly_if_their_elements_are() {
        let mut terms = Terms::new();
        let name = terms.intern_symbol("S");
        let declared = terms.intern_sort(Sort::Declared { name, arguments: Box::new([]) });
        let bits = terms.bitvec_sort(2);
        let nested = terms.array_sort(SortId::BOOL, SortId::BOOL);
        let universes = BTreeMap::from([(declared, 3)]);
        let domains = Domains::new(&terms, &universes);
        for index_sort in [SortId::BOOL, bits, declared, nested] {
            check_index_sort(&domains, index_sort);
        }
    }

    fn check_index_sort(domains: &Domains<'_>, index_sort: SortId) {
        let count = domains.cardinality(index_sort).unwrap();
        let mut seen: BTreeMap<Value, Vec<i32>> = BTreeMap::new();
        for code in 0..3i32.pow(count as u32) {
            let elements: Vec<i32> = (0..count).map(|place| code / 3i32.pow(place as u32) % 3).collect();
            let mut forms = Vec::new();
            for default in 0..4 {
                let entries = elements
                    .iter()
                    .enumerate()
                    .filter(|(_, element)| **element != default)
                    .map(|(place, element)| {
                        (domains.value(index_sort, place as u64).unwrap(), Value::integer(*element))
                    })
                    .collect();
                forms.push(domains.array(index_sort, SortId::INT, Value::integer(default), entries));
            }
            assert!(forms.iter().all(|form| *form == forms[0]), "{elements:?}: {forms:?}");
            if let Some(other) = seen.insert(forms[0].clone(), elements.clone()) {
                panic!("{other:?} and {elements:?} have one form");
            }
            let Value::Array(array) = &forms[0] else { panic!("an array") };
            for (place, element) in elements.iter().enumerate() {
                let index = domains.value(index_sort, place as u64).unwrap();
                assert_eq!(*array.select(&index), Value::integer(*element));
            }
        }
    }

    #[test]
    fn sizes_of_sorts() {
        let mut terms = Terms::new();
        let name = terms.intern_symbol("S");
        let one = terms.intern_sort(Sort::Declared { name, arguments: Box::new([]) });
        let bits = terms.bitvec_sort(3);
        let wide = terms.bitvec_sort(64);
        let table = terms.array_sort(bits, SortId::BOOL);
        let single = terms.array_sort(SortId::INT, one);
        let endless = terms.array_sort(bits, SortId::INT);
        let universes = BTreeMap::new();
        let domains = Domains::new(&terms, &universes);
        let rows =
            [(SortId::BOOL, Some(2)), (bits, Some(8)), (wide, None), (table, Some(256)), (single, Some(1))];
        for (sort, expected) in rows {
            assert_eq!(domains.cardinality(sort), expected);
        }
        assert_eq!(domains.cardinality(endless), None);
        let all: std::collections::BTreeSet<Value> =
            (0..256).map(|number| domains.value(table, number).unwrap()).collect();
        assert_eq!(all.len(), 256);
    }
}
