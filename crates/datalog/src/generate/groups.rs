//! Groups of relations with rules, which are drawn again if they turn out empty, and the choice of the output.

use super::rules::RuleScope;
use super::{Generator, Side};
use crate::program::{Atom, Literal, RelationId, Rule, Term, Type, Variable};

/// The number of attempts to draw a group or rule that is not empty.
const TRIES: usize = 6;

impl Generator<'_> {
    pub(super) fn add_groups(&mut self) {
        let most = self.options.groups.max(1);
        let groups = self.random.between(1, most).max(self.random.between(1, most));
        self.tables_end = self.program.relations.len();
        (0..groups).for_each(|_| self.add_group());
    }

    /// Adds one relation with rules, or a few that depend on each other.
    fn add_group(&mut self) {
        let (start, rules) = (self.program.relations.len(), self.program.rules.len());
        let size = if self.random.percent(25) { self.random.between(2, 3) } else { 1 };
        for _ in 0..TRIES {
            if self.draw_group(start, size) && self.compute(start, rules) {
                return;
            }
            self.program.relations.truncate(start);
            self.program.rules.truncate(rules);
            self.sides.truncate(start);
            self.groups.truncate(start);
            if let Some(tables) = &mut self.tables {
                tables.forget_from(start);
            }
        }
        self.add_copy();
        self.compute(start, rules);
    }

    /// Draws relations and their rules. Returns false if one of them turns out empty.
    fn draw_group(&mut self, start: usize, size: usize) -> bool {
        let side = Side::draw(self.random);
        for _ in 0..size {
            let columns = self.columns();
            let place = self.add_relation(columns, side);
            if self.random.percent(8) {
                let columns = self.program.relations[place].columns.clone();
                self.program.relations[place].facts = self.few_facts(&columns);
            }
        }
        self.groups[start..].fill(start);
        if let Some(tables) = &mut self.tables {
            tables.load(&self.program);
        }
        let members = (start..start + size).map(|place| RelationId(place as u32));
        if !members.clone().all(|member| self.add_first_rule(member, start)) {
            return false;
        }
        members.for_each(|member| self.add_more_rules(member, start, size));
        true
    }

    /// Adds the first rule of a relation, which uses only earlier groups. It is drawn again while it derives no rows, except
    /// that some relations may stay empty, since engines must get these right, too.
    fn add_first_rule(&mut self, head: RelationId, group: usize) -> bool {
        let rule = self.program.rules.len();
        let may_be_empty = self.random.percent(8);
        for _ in 0..TRIES {
            self.add_rule(head, RuleScope { group, own: None });
            let Some(tables) = &mut self.tables else { return true };
            if may_be_empty || tables.gives_rows(&self.program, rule, self.fuel) {
                return true;
            }
            self.program.rules.truncate(rule);
        }
        false
    }

    /// Computes the last relations, which do not negate each other, as one group. Returns false if that takes too long.
    fn compute(&mut self, start: usize, first_rule: usize) -> bool {
        let Some(tables) = &mut self.tables else { return true };
        tables.load(&self.program);
        let members: Vec<RelationId> = self.program.ids().skip(start).collect();
        let rules: Vec<usize> = (first_rule..self.program.rules.len()).collect();
        let mut fuel = self.fuel;
        tables.compute(&self.program, &members, &rules, &mut fuel).is_ok()
    }

    /// Adds more rules to a relation, which may use its own group. In a group of several relations they usually form a
    /// cycle, so that the relations do depend on each other.
    fn add_more_rules(&mut self, head: RelationId, group: usize, size: usize) {
        let next = RelationId((group + (head.index() + 1 - group) % size) as u32);
        let is_circle = size > 1 && self.random.percent(80);
        if is_circle {
            self.add_rule(head, RuleScope { group, own: self.options.recursion.then_some(next) });
        }
        for _ in usize::from(is_circle)..self.random.between(0, self.options.rules) {
            let own = RelationId((group + self.random.below(size)) as u32);
            let own = (self.options.recursion && self.random.percent(45)).then_some(own);
            self.add_rule(head, RuleScope { group, own });
        }
    }

    /// Adds a copy of an earlier relation that is not empty, or of some of its columns.
    fn add_copy(&mut self) {
        let mut from = self.pick(self.program.relations.len());
        for _ in 0..self.program.relations.len() {
            if !self.is_empty(from) {
                break;
            }
            from = RelationId((from.0 + 1) % self.program.relations.len() as u32);
        }
        let columns = self.program.relation(from).columns.clone();
        let variables = (0..columns.len() as u32).map(|number| Term::Variable(Variable(number)));
        let arguments: Vec<Term> = variables.collect();
        let mut kept: Vec<(Type, Term)> = columns.into_iter().zip(arguments.clone()).collect();
        self.random.shuffle(&mut kept);
        kept.truncate(self.options.columns.max(1));
        let (columns, head): (Vec<Type>, Vec<Term>) = kept.into_iter().unzip();
        let side = self.sides[from.index()];
        let relation = RelationId(self.add_relation(columns, side) as u32);
        let body = vec![Literal::Positive(Atom { relation: from, arguments })];
        self.program.rules.push(Rule { head: Atom { relation, arguments: head }, body });
    }

    /// Chooses one of the last relations as the output, and rarely one with fewer than two rows.
    pub(super) fn choose_output(&mut self) -> RelationId {
        let count = self.program.relations.len();
        let near = 3.min(count - self.tables_end);
        let mut place = count - 1;
        for _ in 0..3 {
            place = count - 1 - self.random.below(near).min(self.random.below(near));
            let rows = self.tables.as_ref().map(|tables| tables.count(RelationId(place as u32)));
            if rows.is_none_or(|rows| rows > 1) {
                break;
            }
        }
        self.program.relations[place].is_output = true;
        RelationId(place as u32)
    }
}
