//! Stratification: how relations depend on each other and in which order they can be computed.

use crate::program::{Literal, Program, RelationId};

/// A dependency between relations: a rule of `to` uses `from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The relation that is used.
    pub from: RelationId,
    /// The relation whose rule uses it.
    pub to: RelationId,
    /// The index of the rule.
    pub rule: usize,
    /// Whether all rows of `from` must be known first, because it is negated or aggregated.
    pub needs_all: bool,
    /// Whether an aggregate uses it.
    pub is_aggregated: bool,
}

/// Returns the dependencies of all rules.
pub fn edges(program: &Program) -> Vec<Edge> {
    edges_from(program, 0)
}

/// Returns the dependencies of the rules from `first_rule` on.
pub fn edges_from(program: &Program, first_rule: usize) -> Vec<Edge> {
    let mut found = Vec::new();
    for (rule, it) in program.rules.iter().enumerate().skip(first_rule) {
        for literal in &it.body {
            let to = it.head.relation;
            let mut push = |from, needs_all, is_aggregated| {
                found.push(Edge { from, to, rule, needs_all, is_aggregated })
            };
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

/// Groups of mutually dependent relations, each after the groups that it depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strata {
    /// The groups in an order in which they can be computed; members are sorted.
    pub groups: Vec<Vec<RelationId>>,
    /// For each relation, the index of its group.
    pub group_of: Vec<usize>,
}

/// The error of a program in which a relation depends on its own negation or on an aggregate over itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unstratified(pub Edge);

impl Strata {
    /// Computes the strata. An error holds a negation or an aggregate that is part of a cycle.
    pub fn of(program: &Program) -> Result<Strata, Unstratified> {
        let edges = edges(program);
        let strata = Strata::ignoring_negation(program.relations.len(), &edges);
        match edges.iter().find(|edge| edge.needs_all && strata.are_together(edge.from, edge.to)) {
            Some(edge) => Err(Unstratified(*edge)),
            None => Ok(strata),
        }
    }

    /// Computes the groups even if there are negations within them.
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

    /// Returns the indices of the rules of each group.
    pub fn rules(&self, program: &Program) -> Vec<Vec<usize>> {
        let mut rules = vec![Vec::new(); self.groups.len()];
        for (place, rule) in program.rules.iter().enumerate() {
            rules[self.group_of[rule.head.relation.index()]].push(place);
        }
        rules
    }

    /// Returns true if two relations depend on each other or are the same.
    pub fn are_together(&self, one: RelationId, other: RelationId) -> bool {
        self.group_of[one.index()] == self.group_of[other.index()]
    }
}

/// The algorithm for strongly connected components of R. Tarjan, “Depth-first search and linear graph algorithms”, 1972.
/// It keeps its own stack, because relations may form long chains.
struct Search {
    uses: Vec<Vec<RelationId>>,
    /// The order in which relations were visited; zero for unvisited ones.
    number: Vec<usize>,
    lowest: Vec<usize>,
    next: usize,
    /// The visited relations that belong to no group yet.
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

    /// Makes a group of all open relations that were visited since `relation`, including itself.
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
