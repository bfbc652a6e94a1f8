//! Rebuilds terms from the leaves up, without recursion.

use crate::term::{TermId, Terms};
use std::collections::BTreeMap;

/// Rebuilds the terms below some roots.
///
/// `redirect` may name another term to be rebuilt in a term's place; the chain of redirections must end. `remake` makes
/// the new term from the old one and its new children; returning nothing gives up. Bound variables and binders are kept
/// unchanged.
pub fn rebuild(
    terms: &mut Terms,
    roots: &[TermId],
    redirect: impl Fn(&Terms, TermId) -> Option<TermId>,
    mut remake: impl FnMut(&mut Terms, TermId, &[TermId]) -> Option<TermId>,
) -> Option<Vec<TermId>> {
    let mut done: BTreeMap<TermId, TermId> = BTreeMap::new();
    let mut stack: Vec<TermId> = roots.to_vec();
    while let Some(&term) = stack.last() {
        if done.contains_key(&term) {
            stack.pop();
            continue;
        }
        let elsewhere = redirect(terms, term);
        let needed = match elsewhere {
            Some(other) => vec![other],
            None => terms.children(term).to_vec(),
        };
        let missing: Vec<TermId> = needed.iter().copied().filter(|child| !done.contains_key(child)).collect();
        if !missing.is_empty() {
            stack.extend(missing);
            continue;
        }
        let children: Vec<TermId> = needed.iter().filter_map(|child| done.get(child).copied()).collect();
        let result = match (elsewhere, children.first()) {
            (Some(_), Some(other)) => *other,
            _ => remake(terms, term, &children)?,
        };
        done.insert(term, result);
        stack.pop();
    }
    roots.iter().map(|root| done.get(root).copied()).collect()
}

/// The usual way to remake a term: the same head over the new children.
pub fn same_head(terms: &mut Terms, term: TermId, children: &[TermId]) -> Option<TermId> {
    if terms.children(term) == children {
        return Some(term);
    }
    terms.make(terms.head(term), children).ok()
}
