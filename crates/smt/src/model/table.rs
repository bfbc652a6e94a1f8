//! Turns the body of a function in a model into a finite table, where that is exact.

use crate::evaluate::Evaluator;
use crate::model::assignment::{Assignment, FunctionTable};
use crate::script::Script;
use crate::term::operator::Operator;
use crate::term::sort::{Sort, SortId};
use crate::term::symbol::SymbolId;
use crate::term::{Head, TermId, Terms};
use crate::value::Value;
use crate::value::domain::Domains;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::One;
use std::collections::{BTreeMap, BTreeSet};

/// Bodies that distinguish more cells than this stay definitions.
const MOST_CELLS: usize = 4096;

/// Parameters of sorts with at most this many values are enumerated.
const FEW_VALUES: u64 = 16;

/// The values of one parameter that a body can tell apart.
struct Probe {
    /// The values that the body names, or all values.
    named: Vec<Value>,
    /// A value that stands for all others, if there are others.
    other: Option<Value>,
}

/// The table of a function given by its body, or `None` if it may not be a finite table.
///
/// A body that mentions a parameter only in equalities with closed terms depends only on which of them hold. It is
/// therefore evaluated for each combination of the values named there and one value that stands for all the others.
pub(crate) fn tabulate(
    script: &Script,
    assignment: &Assignment,
    variables: &[SymbolId],
    body: TermId,
) -> Option<FunctionTable> {
    let mut evaluator = Evaluator::new(script, assignment);
    let domains = assignment.domains(script);
    let named = named_values(&script.terms, &domains, &mut evaluator, variables, body)?;
    let probes: Vec<Probe> = named
        .into_iter()
        .map(|(symbol, values)| probe(script, &domains, symbol, values))
        .collect::<Option<_>>()?;
    let sizes: Vec<usize> =
        probes.iter().map(|probe| probe.named.len() + probe.other.iter().count()).collect();
    let cells = sizes.iter().try_fold(1usize, |count, size| count.checked_mul(*size))?;
    if cells > MOST_CELLS {
        return None;
    }
    let mut default = None;
    let mut entries = BTreeMap::new();
    for cell in 0..cells {
        let (arguments, is_named) = cell_arguments(&probes, &sizes, cell);
        let environment = variables.iter().copied().zip(arguments.iter().cloned()).collect();
        let result = evaluator.value_with(environment, body)?.promoted(script.terms.sort(body));
        if is_named {
            entries.insert(arguments, result);
        } else if *default.get_or_insert_with(|| result.clone()) != result {
            return None;
        }
    }
    let default = default.or_else(|| entries.values().next().cloned())?;
    entries.retain(|_, result| *result != default);
    Some(FunctionTable { default, entries })
}

/// The arguments of a cell, and whether the body names all of them.
fn cell_arguments(probes: &[Probe], sizes: &[usize], cell: usize) -> (Vec<Value>, bool) {
    let (mut rest, mut is_named) = (cell, true);
    let mut arguments = Vec::new();
    for (probe, size) in probes.iter().zip(sizes) {
        match probe.named.get(rest % size) {
            Some(value) => arguments.push(value.clone()),
            None => {
                is_named = false;
                arguments.extend(probe.other.clone());
            }
        }
        rest /= size;
    }
    (arguments, is_named)
}

/// For each variable the closed values that it is compared with; `None` if it occurs in any other way.
fn named_values(
    terms: &Terms,
    domains: &Domains<'_>,
    evaluator: &mut Evaluator<'_>,
    variables: &[SymbolId],
    body: TermId,
) -> Option<Vec<(SymbolId, BTreeSet<Value>)>> {
    let mut named: Vec<(SymbolId, BTreeSet<Value>)> =
        variables.iter().map(|symbol| (*symbol, BTreeSet::new())).collect();
    let is_small = |symbol: SymbolId| {
        let size = terms.bound_sort(symbol).and_then(|sort| domains.cardinality(sort));
        size.is_some_and(|size| size <= FEW_VALUES)
    };
    let mut seen = BTreeSet::new();
    let mut pending = vec![body];
    while let Some(term) = pending.pop() {
        if terms.is_closed(term) || !seen.insert(term) {
            continue;
        }
        match (terms.head(term), terms.children(term)) {
            (Head::Bound(symbol), _) if is_small(symbol) => {}
            (Head::Operator(Operator::Equal), &[left, right]) if compared(terms, left, right).is_some() => {
                let (symbol, other) = compared(terms, left, right)?;
                let value = evaluator.value(other)?.promoted(terms.bound_sort(symbol)?);
                let (_, values) = named.iter_mut().find(|(variable, _)| *variable == symbol)?;
                values.insert(value);
            }
            (Head::Bound(_) | Head::Quantifier { .. } | Head::Match(_), _) => return None,
            (_, children) => pending.extend(children),
        }
    }
    Some(named)
}

/// The variable and the closed term of an equality between the two.
fn compared(terms: &Terms, left: TermId, right: TermId) -> Option<(SymbolId, TermId)> {
    match (terms.head(left), terms.head(right)) {
        (Head::Bound(symbol), _) if terms.is_closed(right) => Some((symbol, right)),
        (_, Head::Bound(symbol)) if terms.is_closed(left) => Some((symbol, left)),
        _ => None,
    }
}

fn probe(
    script: &Script,
    domains: &Domains<'_>,
    symbol: SymbolId,
    mut values: BTreeSet<Value>,
) -> Option<Probe> {
    let sort = script.terms.bound_sort(symbol)?;
    // An integer next to a real variable is a real that no value of an Int variable equals; the sorts differ then.
    if script.terms.sort_of(sort) == &Sort::Int && values.iter().any(|value| !matches!(value, Value::Int(_)))
    {
        return None;
    }
    let size = domains.cardinality(sort);
    if let Some(size) = size
        && size <= FEW_VALUES.max(values.len() as u64)
    {
        for number in 0..size {
            values.insert(domains.value(sort, number)?);
        }
        return Some(Probe { named: values.into_iter().collect(), other: None });
    }
    let other = other_value(script, domains, sort, &values)?;
    Some(Probe { named: values.into_iter().collect(), other: Some(other) })
}

/// A value of the sort that is not among these.
pub(crate) fn other_value(
    script: &Script,
    domains: &Domains<'_>,
    sort: SortId,
    values: &BTreeSet<Value>,
) -> Option<Value> {
    match script.terms.sort_of(sort) {
        Sort::Int => match values.last() {
            Some(Value::Int(greatest)) => Some(Value::Int(greatest + BigInt::one())),
            _ => domains.default_value(sort),
        },
        Sort::Real => match values.last() {
            Some(Value::Real(greatest)) => Some(Value::Real(greatest + BigRational::one())),
            _ => domains.default_value(sort),
        },
        Sort::BitVec(width) => {
            let candidates = (0..=values.len()).map(|number| Value::bitvec(*width, BigUint::from(number)));
            candidates.into_iter().find(|candidate| !values.contains(candidate))
        }
        Sort::Array(index_sort, element_sort) => {
            // Arrays that are constant have different values for different elements.
            let mut elements = BTreeSet::new();
            for _ in 0..=values.len() {
                let element = other_value(script, domains, *element_sort, &elements)?;
                let array = domains.array(*index_sort, *element_sort, element.clone(), BTreeMap::new());
                if !values.contains(&array) {
                    return Some(array);
                }
                elements.insert(element);
            }
            None
        }
        _ => {
            let mut candidates = (0..=values.len() as u64).map_while(|number| domains.value(sort, number));
            candidates.find(|candidate| !values.contains(candidate))
        }
    }
}
