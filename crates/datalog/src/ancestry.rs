//! How relations bear on one of them: the more rows they have, the more, or the fewer, it has.

use crate::opaque::named_in_opaque;
use crate::program::{Program, RelationId};
use crate::strata::{Edge, edges};

/// How a relation bears on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ancestry {
    /// Not at all.
    None,
    /// With more rows here there are no fewer there.
    Positive,
    /// With more rows here there are no more there.
    Negative,
    /// It cannot be said: there are ways of both kinds, or an aggregate in between.
    Both,
}

impl Ancestry {
    /// Both ways together.
    fn and(self, other: Ancestry) -> Ancestry {
        match (self, other) {
            (Ancestry::None, known) | (known, Ancestry::None) => known,
            (one, other) if one == other => one,
            _ => Ancestry::Both,
        }
    }

    /// The same seen through a negation.
    fn negated(self) -> Ancestry {
        match self {
            Ancestry::Positive => Ancestry::Negative,
            Ancestry::Negative => Ancestry::Positive,
            other => other,
        }
    }
}

/// For each relation, how it bears on the one that is compared; that one bears on itself.
pub fn ancestry(program: &Program, compared: RelationId) -> Vec<Ancestry> {
    ancestry_by(program, &edges(program), compared)
}

/// The same where the uses of relations are known.
pub fn ancestry_by(program: &Program, edges: &[Edge], compared: RelationId) -> Vec<Ancestry> {
    let mut found = vec![Ancestry::None; program.relations.len()];
    found[compared.index()] = Ancestry::Positive;
    let named = if program.opaque.is_empty() { Vec::new() } else { named_in_opaque(program) };
    // Each round either adds to what is known of a relation, three times at most, or is the last.
    loop {
        let mut has_changed = through_opaque(&named, &mut found);
        for edge in edges {
            let through = match (found[edge.to.index()], edge.needs_all) {
                (Ancestry::None, _) => continue,
                (_, true) if edge.is_counted => Ancestry::Both,
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

/// A statement that is not understood may lead from each relation that is named to each other one. True if that was new.
fn through_opaque(named: &[bool], found: &mut [Ancestry]) -> bool {
    let is_reached = named.iter().zip(&*found).any(|(is_named, it)| *is_named && *it != Ancestry::None);
    let mut has_changed = false;
    for (_, it) in named.iter().zip(found).filter(|(is_named, _)| is_reached && **is_named) {
        has_changed |= std::mem::replace(it, Ancestry::Both) != Ancestry::Both;
    }
    has_changed
}
