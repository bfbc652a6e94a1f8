//! Bodies with alternatives as lists of bodies without.

use super::error::Failure;
use super::syntax::{Clause, Expression, Formula};

/// A clause may become this many rules.
const MOST_RULES: usize = 256;
/// The rules that a clause becomes may have this many parts in all, if there are several.
const MOST_PARTS: usize = 1_000_000;

/// A part of a body that has no parts: an atom, a comparison or a truth value.
#[derive(Clone, Copy)]
pub(super) struct Part<'f, 'a> {
    pub(super) formula: &'f Formula<'a>,
    pub(super) is_negated: bool,
}

type Alternatives<'f, 'a> = Vec<Vec<Part<'f, 'a>>>;

/// There are more alternatives than allowed.
struct TooMany;

/// The bodies that a clause's body stands for.
pub(super) fn alternatives<'f, 'a>(clause: &'f Clause<'a>) -> Result<Alternatives<'f, 'a>, Failure> {
    let Some(body) = &clause.body else { return Ok(Vec::new()) };
    let heads = clause.heads.len();
    match expand(body, false) {
        Ok(alternatives) if heads * alternatives.len() == 1 => Ok(alternatives),
        Ok(alternatives) if heads.saturating_mul(parts(&alternatives)) <= MOST_PARTS => Ok(alternatives),
        _ => {
            let offset = clause.heads.first().map_or(0, |head| head.offset);
            let message = format!(
                "expected a clause that stands for at most {MOST_RULES} rules with {MOST_PARTS} parts; \
                 try to give alternatives a relation of their own"
            );
            Err(Failure::new(offset, message))
        }
    }
}

/// The only way to read the body of an aggregate.
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
                if all.len() > MOST_RULES {
                    return Err(TooMany);
                }
            }
            Ok(all)
        }
        _ => Ok(vec![vec![Part { formula, is_negated }]]),
    }
}

/// Every way to take one alternative of each member.
fn product<'f, 'a>(members: &'f [Formula<'a>], is_negated: bool) -> Result<Alternatives<'f, 'a>, TooMany> {
    let mut all: Alternatives<'f, 'a> = vec![Vec::new()];
    for member in members {
        let next = expand(member, is_negated)?;
        if let [only] = next.as_slice() {
            all.iter_mut().for_each(|alternative| alternative.extend(only));
        } else {
            let count = all.len() * next.len();
            let length = all.len() * parts(&next) + next.len() * parts(&all);
            if count > MOST_RULES || length > MOST_PARTS {
                return Err(TooMany);
            }
            let joined =
                all.iter().flat_map(|left| next.iter().map(move |right| [&left[..], right].concat()));
            all = joined.collect();
        }
        if all.len() > 1 && all.len() * all.first().map_or(0, Vec::len) > MOST_PARTS {
            return Err(TooMany);
        }
    }
    Ok(all)
}

/// True if the aggregates of a clause have bodies without alternatives and without aggregates.
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
        Expression::Name(_) | Expression::Anything | Expression::Constant(_) => true,
    }
}

fn has_aggregate(term: &Expression<'_>) -> bool {
    match term {
        Expression::Aggregate(_) => true,
        Expression::Apply(_, operands) => operands.iter().any(has_aggregate),
        Expression::Name(_) | Expression::Anything | Expression::Constant(_) => false,
    }
}

fn formula_has_aggregate(formula: &Formula<'_>) -> bool {
    terms_of(formula).any(has_aggregate)
        || members_of(formula).iter().any(formula_has_aggregate)
        || inside_of(formula).is_some_and(formula_has_aggregate)
}

/// The terms that stand directly in a formula.
pub(super) fn terms_of<'f, 'a>(formula: &'f Formula<'a>) -> impl Iterator<Item = &'f Expression<'a>> {
    let (arguments, sides): (&[Expression<'a>], [Option<&Expression<'a>>; 2]) = match formula {
        Formula::Atom(atom) => (&atom.arguments, [None, None]),
        Formula::Compare(_, left, right) => (&[], [Some(left), Some(right)]),
        Formula::Truth(_) | Formula::Not(_) | Formula::All(_) | Formula::Any(_) => (&[], [None, None]),
    };
    arguments.iter().chain(sides.into_iter().flatten())
}

/// The formulas that a formula joins.
pub(super) fn members_of<'f, 'a>(formula: &'f Formula<'a>) -> &'f [Formula<'a>] {
    match formula {
        Formula::All(members) | Formula::Any(members) => members,
        Formula::Atom(_) | Formula::Compare(..) | Formula::Truth(_) | Formula::Not(_) => &[],
    }
}

/// The formula that a formula negates.
pub(super) fn inside_of<'f, 'a>(formula: &'f Formula<'a>) -> Option<&'f Formula<'a>> {
    match formula {
        Formula::Not(inside) => Some(inside),
        _ => None,
    }
}
