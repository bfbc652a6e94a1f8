//! Which relations depend on which, in what order they can be computed, and whether a negation stands in the way.

use crate::program::{Literal, Program, RelationId};

/// A use of a relation in a rule for another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// What is used.
    pub from: RelationId,
    /// Whose rule uses it.
    pub to: RelationId,
    /// The rule, by its place.
    pub rule: usize,
    /// Whether all of what is used must be known: it is negated, or an aggregate counts it.
    pub needs_all: bool,
    /// Whether it is an aggregate that needs it.
    pub is_counted: bool,
}

/// All uses of relations, rule by rule.
pub fn edges(program: &Program) -> Vec<Edge> {
    edges_from(program, 0)
}

/// The uses of relations in the rules from a place on.
pub fn edges_from(program: &Program, first_rule: usize) -> Vec<Edge> {
    let mut found = Vec::new();
    for (rule, it) in program.rules.iter().enumerate().skip(first_rule) {
        for literal in &it.body {
            let to = it.head.relation;
            let mut push =
                |from, needs_all, is_counted| found.push(Edge { from, to, rule, needs_all, is_counted });
            match literal {
                Literal::Positive(atom) => push(atom.relation, false, false),
                Literal::Negative(atom) => push(atom.relation, true, false),
                Literal::Compare(..) => {}
                Literal::Aggregate { body, .. } => {
                    body.iter().filter_map(Literal::atom).for_each(|atom| push(atom.relation, true, true));
                }
            }
        }
    }
    found
}

/// The relations in groups that depend on each other, each behind those that it depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strata {
    /// The groups, in an order in which they can be computed.
    pub groups: Vec<Vec<RelationId>>,
    /// For each relation, the place of its group.
    pub group_of: Vec<usize>,
}

/// A relation that depends on its own absence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unstratified(pub Edge);

impl Strata {
    /// Orders the relations; an error names a negation, or an aggregate, inside of a circle.
    pub fn of(program: &Program) -> Result<Strata, Unstratified> {
        let edges = edges(program);
        let strata = Strata::ignoring_negation(program.relations.len(), &edges);
        match edges.iter().find(|edge| edge.needs_all && strata.are_together(edge.from, edge.to)) {
            Some(edge) => Err(Unstratified(*edge)),
            None => Ok(strata),
        }
    }

    /// The groups whether or not there are negations inside of them.
    pub fn ignoring_negation(relations: usize, edges: &[Edge]) -> Strata {
        let mut uses: Vec<Vec<RelationId>> = vec![Vec::new(); relations];
        for edge in edges {
            uses[edge.to.index()].push(edge.from);
        }
        let mut search = Search {
            uses,
            number: vec![0; relations],
            lowest: vec![0; relations],
            next: 1,
            open: Vec::new(),
            strata: Strata { groups: Vec::new(), group_of: vec![usize::MAX; relations] },
        };
        (0..relations as u32).for_each(|relation| search.visit(RelationId(relation)));
        search.strata
    }

    /// The rules of each group, by their places.
    pub fn rules(&self, program: &Program) -> Vec<Vec<usize>> {
        let mut rules = vec![Vec::new(); self.groups.len()];
        for (place, rule) in program.rules.iter().enumerate() {
            rules[self.group_of[rule.head.relation.index()]].push(place);
        }
        rules
    }

    /// True if two relations depend on each other, or are the same.
    pub fn are_together(&self, one: RelationId, other: RelationId) -> bool {
        self.group_of[one.index()] == self.group_of[other.index()]
    }
}

/// The search for groups by R. Tarjan, «Depth-first search and linear graph algorithms», 1972, with a stack of its own:
/// programs may be long chains.
struct Search {
    uses: Vec<Vec<RelationId>>,
    /// The order in which relations were met; zero for those that were not.
    number: Vec<usize>,
    lowest: Vec<usize>,
    next: usize,
    /// What was met and belongs to no group yet.
    open: Vec<RelationId>,
    strata: Strata,
}

impl Search {
    fn visit(&mut self, start: RelationId) {
        if self.number[start.index()] != 0 {
            return;
        }
        let mut path = vec![(start, 0)];
        self.meet(start);
        while let Some((relation, done)) = path.last_mut() {
            let relation = *relation;
            if let Some(used) = self.uses[relation.index()].get(*done).copied() {
                *done += 1;
                if self.number[used.index()] == 0 {
                    self.meet(used);
                    path.push((used, 0));
                } else if self.strata.group_of[used.index()] == usize::MAX {
                    let lowest = self.lowest[relation.index()].min(self.number[used.index()]);
                    self.lowest[relation.index()] = lowest;
                }
                continue;
            }
            path.pop();
            if let Some((user, _)) = path.last() {
                let lowest = self.lowest[user.index()].min(self.lowest[relation.index()]);
                self.lowest[user.index()] = lowest;
            }
            if self.lowest[relation.index()] == self.number[relation.index()] {
                self.close(relation);
            }
        }
    }

    fn meet(&mut self, relation: RelationId) {
        self.number[relation.index()] = self.next;
        self.lowest[relation.index()] = self.next;
        self.next += 1;
        self.open.push(relation);
    }

    /// Everything that was met since a relation, itself included, is one group.
    fn close(&mut self, relation: RelationId) {
        let start = self.open.iter().rposition(|open| *open == relation).unwrap_or(0);
        let mut group = self.open.split_off(start);
        group.sort_unstable();
        for member in &group {
            self.strata.group_of[member.index()] = self.strata.groups.len();
        }
        self.strata.groups.push(group);
    }
}
