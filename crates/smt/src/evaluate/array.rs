//! The operators of ArraysEx, and constant arrays, on known values.

use crate::term::Terms;
use crate::term::operator::Operator;
use crate::term::sort::{Sort, SortId};
use crate::value::Value;
use crate::value::domain::Domains;
use std::collections::BTreeMap;

/// The value of an application of an array operator.
pub(crate) fn apply(
    terms: &Terms,
    domains: Domains<'_>,
    operator: Operator,
    arguments: &[Value],
) -> Option<Value> {
    match (operator, arguments) {
        (Operator::Select, [Value::Array(array), index]) => {
            Some(array.select(&index.clone().promoted(array.index_sort())).clone())
        }
        (Operator::Store, [Value::Array(array), index, element]) => {
            let index = index.clone().promoted(array.index_sort());
            Some(domains.store(array, index, element.clone().promoted(array.element_sort())))
        }
        (Operator::ConstArray(sort), [element]) => constant(terms, domains, sort, element),
        _ => None,
    }
}

fn constant(terms: &Terms, domains: Domains<'_>, sort: SortId, element: &Value) -> Option<Value> {
    let Sort::Array(index_sort, element_sort) = *terms.sort_of(sort) else { return None };
    // Arrays over an index sort that is not evaluated have no normal form.
    domains.default_value(sort)?;
    let element = element.clone().promoted(element_sort);
    Some(domains.array(index_sort, element_sort, element, BTreeMap::new()))
}
