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
    let mut into: Vec<Vec<&Edge>> = vec![Vec::new(); program.relations.len()];
    for edge in edges {
        into[edge.to.index()].push(edge);
    }
    let mut search = Search {
        found: vec![Ancestry::None; program.relations.len()],
        named: if program.opaque.is_empty() { Vec::new() } else { named_in_opaque(program) },
        waiting: Vec::new(),
    };
    search.add(compared, Ancestry::Positive);
    while let Some(relation) = search.waiting.pop() {
        search.pass_opaque(relation);
        for edge in &into[relation.index()] {
            let through = match (search.found[relation.index()], edge.needs_all) {
                (_, true) if edge.is_aggregated => Ancestry::Both,
                (there, true) => there.negated(),
                (there, false) => there,
            };
            search.add(edge.from, through);
        }
    }
    search.found
}

/// The influences found so far.
struct Search {
    found: Vec<Ancestry>,
    /// The relations that opaque statements mention, until one of them is reached.
    named: Vec<bool>,
    /// The relations whose influence has changed, at most three times each.
    waiting: Vec<RelationId>,
}

impl Search {
    fn add(&mut self, relation: RelationId, through: Ancestry) {
        let place = &mut self.found[relation.index()];
        let both = place.and(through);
        if *place != both {
            *place = both;
            self.waiting.push(relation);
        }
    }

    /// Propagates through opaque statements, which may lead from each relation that they mention to each other one.
    fn pass_opaque(&mut self, relation: RelationId) {
        if self.named.get(relation.index()) != Some(&true) {
            return;
        }
        for (place, is_named) in std::mem::take(&mut self.named).into_iter().enumerate() {
            if is_named {
                self.add(RelationId(place as u32), Ancestry::Both);
            }
        }
    }
}
