//! Monotonicity: whether more rows in one relation mean more or fewer rows in another.

use crate::opaque::named_in_opaque;
use crate::program::{Program, RelationId};
use crate::strata::{Edge, edges};

/// How a relation influences another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ancestry {
    /// Not at all.
    None,
    /// Adding rows here never removes rows there.
    Positive,
    /// Adding rows here never adds rows there.
    Negative,
    /// Unknown: there are paths of both kinds, or an aggregate lies in between.
    Both,
}

impl Ancestry {
    /// Combines the influences along two paths.
    fn and(self, other: Ancestry) -> Ancestry {
        match (self, other) {
            (Ancestry::None, known) | (known, Ancestry::None) => known,
            (one, other) if one == other => one,
            _ => Ancestry::Both,
        }
    }

    /// Returns the influence through a negation.
    fn negated(self) -> Ancestry {
        match self {
            Ancestry::Positive => Ancestry::Negative,
            Ancestry::Negative => Ancestry::Positive,
            other => other,
        }
    }
}

/// Returns, for each relation, how it influences `compared`, which influences itself positively.
pub fn ancestry(program: &Program, compared: RelationId) -> Vec<Ancestry> {
    ancestry_by(program, &edges(program), compared)
}

/// Does the same as [`ancestry`] with dependencies that the caller has computed.
pub fn ancestry_by(program: &Program, edges: &[Edge], compared: RelationId) -> Vec<Ancestry> {
    let mut found = vec![Ancestry::None; program.relations.len()];
    found[compared.index()] = Ancestry::Positive;
    let named = if program.opaque.is_empty() { Vec::new() } else { named_in_opaque(program) };
    // Each round changes the value of a relation, at most three times each, or is the last.
    loop {
        let mut has_changed = through_opaque(&named, &mut found);
        for edge in edges {
            let through = match (found[edge.to.index()], edge.needs_all) {
                (Ancestry::None, _) => continue,
                (_, true) if edge.is_aggregated => Ancestry::Both,
                (there, true) => there.negated(),
                (there, false) => there,
            };
            let place = &mut found[edge.from.index()];
            let both = place.and(through);
            has_changed |= *place != both;
            *place = both;
        }
        if !has_changed {
            return found;
        }
    }
}

/// Propagates through opaque statements, which may lead from each relation that they mention to each other one. Returns
/// true if anything changed.
fn through_opaque(named: &[bool], found: &mut [Ancestry]) -> bool {
    let is_reached = named.iter().zip(&*found).any(|(is_named, it)| *is_named && *it != Ancestry::None);
    let mut has_changed = false;
    for (_, it) in named.iter().zip(found).filter(|(is_named, _)| is_reached && **is_named) {
        has_changed |= std::mem::replace(it, Ancestry::Both) != Ancestry::Both;
    }
    has_changed
}
