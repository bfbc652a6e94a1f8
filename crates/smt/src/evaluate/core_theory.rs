//! The operators of Core on values that may be unknown, in Kleene's three-valued logic.

use crate::term::operator::Operator;
use crate::value::Value;
use num_rational::BigRational;
use std::collections::BTreeSet;

/// The value of an application of an operator of Core.
pub(crate) fn apply(operator: Operator, arguments: &[Option<Value>]) -> Option<Value> {
    let result = match operator {
        Operator::True => Some(true),
        Operator::False => Some(false),
        Operator::Not => truth(arguments.first()?).map(|value| !value),
        Operator::And => conjunction(arguments.iter().map(truth)),
        Operator::Or => disjunction(arguments.iter().map(truth)),
        Operator::Xor => parity(arguments),
        Operator::Implies => implication(arguments),
        Operator::Equal => all_equal(arguments),
        Operator::Distinct => all_distinct(arguments),
        Operator::Ite => return choice(arguments),
        _ => None,
    };
    result.map(Value::Bool)
}

/// False if one is false, else unknown if one is unknown.
pub(crate) fn conjunction(values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all_known = true;
    for value in values {
        match value {
            Some(false) => return Some(false),
            Some(true) => {}
            None => all_known = false,
        }
    }
    all_known.then_some(true)
}

/// True if one is true, else unknown if one is unknown.
pub(crate) fn disjunction(values: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    conjunction(values.map(|value| value.map(|value| !value))).map(|value| !value)
}

fn truth(value: &Option<Value>) -> Option<bool> {
    value.as_ref().and_then(Value::as_bool)
}

/// `xor` is left-associative, which makes it the parity.
fn parity(arguments: &[Option<Value>]) -> Option<bool> {
    arguments.iter().try_fold(false, |parity, argument| Some(parity != truth(argument)?))
}

/// `=>` is right-associative: some premise is false or the conclusion is true.
fn implication(arguments: &[Option<Value>]) -> Option<bool> {
    let (conclusion, premises) = arguments.split_last()?;
    let refuted = premises.iter().map(|premise| truth(premise).map(|value| !value));
    disjunction(refuted.chain([truth(conclusion)]))
}

/// An integer next to a real becomes that real.
fn joined(arguments: &[Option<Value>]) -> Vec<Option<Value>> {
    let has_real = arguments.iter().any(|argument| matches!(argument, Some(Value::Real(_))));
    let promote = |argument: &Option<Value>| match argument {
        Some(Value::Int(value)) if has_real => Some(Value::Real(BigRational::from_integer(value.clone()))),
        other => other.clone(),
    };
    arguments.iter().map(promote).collect()
}

/// A chain of equalities means that all are equal, so any two known values that differ refute it.
fn all_equal(arguments: &[Option<Value>]) -> Option<bool> {
    let arguments = joined(arguments);
    let mut known = arguments.iter().flatten();
    let first = known.next()?;
    if known.any(|value| value != first) {
        return Some(false);
    }
    arguments.iter().all(Option::is_some).then_some(true)
}

fn all_distinct(arguments: &[Option<Value>]) -> Option<bool> {
    let arguments = joined(arguments);
    let mut seen = BTreeSet::new();
    if !arguments.iter().flatten().all(|value| seen.insert(value)) {
        return Some(false);
    }
    arguments.iter().all(Option::is_some).then_some(true)
}

/// With an unknown condition the value is known if both branches agree.
fn choice(arguments: &[Option<Value>]) -> Option<Value> {
    let [condition, then, otherwise] = arguments else { return None };
    match truth(condition) {
        Some(true) => then.clone(),
        Some(false) => otherwise.clone(),
        None => then.clone().filter(|_| joined(&arguments[1..]).windows(2).all(|pair| pair[0] == pair[1])),
    }
}
