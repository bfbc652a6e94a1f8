//! Expands bodies with alternatives to lists of bodies without (disjunctive normal form).

use super::error::Failure;
use super::syntax::{Clause, Expression, Formula};

/// The maximum number of rules to which a clause may expand.
const MAX_RULES: usize = 256;
/// The maximum total number of literals in these rules, if there are several.
const MAX_PARTS: usize = 1_000_000;

/// A literal of an expanded body: an atom, a comparison or a truth value.
#[derive(Clone, Copy)]
pub(super) struct Part<'f, 'a> {
    pub(super) formula: &'f Formula<'a>,
    pub(super) is_negated: bool,
}

type Alternatives<'f, 'a> = Vec<Vec<Part<'f, 'a>>>;

/// There are more alternatives than allowed.
struct TooMany;

/// Returns the bodies to which a clause's body expands.
pub(super) fn alternatives<'f, 'a>(clause: &'f Clause<'a>) -> Result<Alternatives<'f, 'a>, Failure> {
    let Some(body) = &clause.body else { return Ok(Vec::new()) };
    let heads = clause.heads.len();
    match expand(body, false) {
        Ok(alternatives) if heads * alternatives.len() == 1 => Ok(alternatives),
        Ok(alternatives) if heads.saturating_mul(parts(&alternatives)) <= MAX_PARTS => Ok(alternatives),
        _ => {
            let offset = clause.heads.first().map_or(0, |head| head.offset);
            let message = format!(
                "expected a clause that expands to at most {MAX_RULES} rules with {MAX_PARTS} parts; \
                                 try moving alternatives into a relation of their own"
            );
            Err(Failure::new(offset, message))
        }
    }
}

/// Expands the body of an aggregate, which must not have alternatives.
pub(super) fn only_alternative<'f, 'a>(body: &'f Formula<'a>) -> Option<Vec<Part<'f, 'a>>> {
    let mut alternatives = expand(body, false).ok()?;
    let first = alternatives.pop()?;
    alternatives.is_empty().then_some(first)
}

fn parts(alternatives: &Alternatives<'_, '_>) -> usize {
    alternatives.iter().map(Vec::len).sum()
}

fn expand<'f, 'a>(formula: &'f Formula<'a>, is_negated: bool) -> Result<Alternatives<'f, 'a>, TooMany> {
    match (formula, is_negated) {
        (Formula::Not(inside), _) => expand(inside, !is_negated),
        (Formula::All(members), false) | (Formula::Any(members), true) => product(members, is_negated),
        (Formula::All(members), true) | (Formula::Any(members), false) => {
            let mut all = Vec::new();
            for member in members {
                all.extend(expand(member, is_negated)?);
                if all.len() > MAX_RULES {
                    return Err(TooMany);
                }
            }
            Ok(all)
        }
        _ => Ok(vec![vec![Part { formula, is_negated }]]),
    }
}

/// Returns all combinations of one alternative of each member.
fn product<'f, 'a>(members: &'f [Formula<'a>], is_negated: bool) -> Result<Alternatives<'f, 'a>, TooMany> {
    let mut all: Alternatives<'f, 'a> = vec![Vec::new()];
    for member in members {
        let next = expand(member, is_negated)?;
        if let [only] = next.as_slice() {
            all.iter_mut().for_each(|alternative| alternative.extend(only));
        } else {
            let count = all.len() * next.len();
            let length = all.len() * parts(&next) + next.len() * parts(&all);
            if count > MAX_RULES || length > MAX_PARTS {
                return Err(TooMany);
            }
            let joined =
                all.iter().flat_map(|left| next.iter().map(move |right| [&left[..], right].concat()));
            all = joined.collect();
        }
        if all.len() > 1 && all.len() * all.first().map_or(0, Vec::len) > MAX_PARTS {
            return Err(TooMany);
        }
    }
    Ok(all)
}

/// Returns true if the bodies of a clause's aggregates have neither alternatives nor aggregates.
pub(super) fn is_modelled(clause: &Clause<'_>) -> bool {
    let is_head_modelled = clause.heads.iter().all(|head| head.arguments.iter().all(is_term_modelled));
    is_head_modelled && clause.body.as_ref().is_none_or(is_formula_modelled)
}

fn is_formula_modelled(formula: &Formula<'_>) -> bool {
    terms_of(formula).all(is_term_modelled)
        && members_of(formula).iter().all(is_formula_modelled)
        && inside_of(formula).is_none_or(is_formula_modelled)
}

fn is_term_modelled(term: &Expression<'_>) -> bool {
    match term {
        Expression::Apply(_, operands) => operands.iter().all(is_term_modelled),
        Expression::Aggregate(aggregation) => {
            !aggregation.term.as_ref().is_some_and(has_aggregate)
                && !formula_has_aggregate(&aggregation.body)
                && only_alternative(&aggregation.body).is_some()
        }
        Expression::Name(_) | Expression::Wildcard | Expression::Constant(_) => true,
    }
}

fn has_aggregate(term: &Expression<'_>) -> bool {
    match term {
        Expression::Aggregate(_) => true,
        Expression::Apply(_, operands) => operands.iter().any(has_aggregate),
        Expression::Name(_) | Expression::Wildcard | Expression::Constant(_) => false,
    }
}

fn formula_has_aggregate(formula: &Formula<'_>) -> bool {
    terms_of(formula).any(has_aggregate)
        || members_of(formula).iter().any(formula_has_aggregate)
        || inside_of(formula).is_some_and(formula_has_aggregate)
}

/// Iterates over the terms directly in a formula.
pub(super) fn terms_of<'f, 'a>(formula: &'f Formula<'a>) -> impl Iterator<Item = &'f Expression<'a>> {
    let (arguments, sides): (&[Expression<'a>], [Option<&Expression<'a>>; 2]) = match formula {
        Formula::Atom(atom) => (&atom.arguments, [None, None]),
        Formula::Compare(_, left, right) => (&[], [Some(left), Some(right)]),
        Formula::Truth(_) | Formula::Not(_) | Formula::All(_) | Formula::Any(_) => (&[], [None, None]),
    };
    arguments.iter().chain(sides.into_iter().flatten())
}

/// Returns the members of a conjunction or disjunction.
pub(super) fn members_of<'f, 'a>(formula: &'f Formula<'a>) -> &'f [Formula<'a>] {
    match formula {
        Formula::All(members) | Formula::Any(members) => members,
        Formula::Atom(_) | Formula::Compare(..) | Formula::Truth(_) | Formula::Not(_) => &[],
    }
}

/// Returns the formula inside a negation.
pub(super) fn inside_of<'f, 'a>(formula: &'f Formula<'a>) -> Option<&'f Formula<'a>> {
    match formula {
        Formula::Not(inside) => Some(inside),
        _ => None,
    }
}
