//! The reference engine: exact, stratified, semi-naive evaluation with indices.
//!
//! Relations are computed group by group. Within a group that depends on itself, a round looks only at what the last
//! round has brought. The result is the least one that makes all rules true, and with it comes, for each row, the round
//! in which it was found, from which [`Evaluation::explain`] makes a derivation.

mod explain;
mod floats;
mod plan;
mod rows;
mod run;

pub use explain::{Derivation, Failure, Premise};

use crate::program::{Literal, Program, RelationId, Tuple};
use crate::strata::Strata;
use plan::{Part, Plan, Planner, Symbols};
use rows::Rows;
use run::{Flow, LastRound, Stop, Walk};
use std::collections::BTreeSet;

/// Why a program has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// More rows were looked at than allowed.
    OutOfFuel,
    /// Engines do not agree on the value of an operation.
    Undefined(&'static str),
}

/// The result of a program.
#[derive(Clone, Debug)]
pub struct Evaluation<'a> {
    program: &'a Program,
    strata: &'a Strata,
    tables: Tables,
}

/// Computes all relations of a program that [`crate::check`] has taken. `fuel` is how many rows may be looked at.
pub fn evaluate<'a>(program: &'a Program, strata: &'a Strata, mut fuel: u64) -> Result<Evaluation<'a>, Halt> {
    let mut tables = Tables::default();
    tables.load(program);
    for (members, rules) in strata.groups.iter().zip(strata.rules(program)) {
        tables.compute(program, members, &rules, &mut fuel)?;
    }
    // Facts alone are not computed.
    if let Some(why) = tables.symbols.doubtful {
        return Err(Halt::Undefined(why));
    }
    Ok(Evaluation { program, strata, tables })
}

impl Evaluation<'_> {
    /// The rows of a relation, sorted.
    pub fn rows(&self, relation: RelationId) -> BTreeSet<Tuple> {
        let rows = &self.tables.rows[relation.index()];
        let tuple = |number| self.tables.tuple(self.program, relation, rows.row(number));
        (0..rows.count()).map(tuple).collect()
    }

    /// How many rows a relation has.
    pub fn count(&self, relation: RelationId) -> usize {
        self.tables.count(relation)
    }
}

/// The rows of relations while a program grows: what was computed stays as more relations and rules come.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    rows: Vec<Rows>,
    symbols: Symbols,
}

impl Tables {
    /// Loads the facts of the relations that are new.
    pub fn load(&mut self, program: &Program) {
        let mut row = Vec::new();
        for relation in &program.relations[self.rows.len()..] {
            let mut own = Rows::new(relation.columns.len());
            for fact in &relation.facts {
                row.clear();
                row.extend(fact.iter().map(|constant| self.symbols.word(constant)));
                own.insert(&row);
            }
            own.end_round();
            self.rows.push(own);
        }
    }

    /// Forgets all relations from a place on.
    pub fn forget_from(&mut self, place: usize) {
        self.rows.truncate(place);
    }

    /// How many relations were loaded.
    pub fn relations(&self) -> usize {
        self.rows.len()
    }

    /// How many rows a relation has.
    pub fn count(&self, relation: RelationId) -> usize {
        self.rows[relation.index()].count() as usize
    }

    fn tuple(&self, program: &Program, relation: RelationId, row: &[rows::Word]) -> Tuple {
        let columns = &program.relation(relation).columns;
        row.iter().zip(columns).map(|(word, r#type)| self.symbols.constant(*word, *r#type)).collect()
    }

    /// Computes relations together by their rules; what these use beside them must have been computed.
    pub fn compute(
        &mut self,
        program: &Program,
        members: &[RelationId],
        rules: &[usize],
        fuel: &mut u64,
    ) -> Result<(), Halt> {
        match self.compute_group(program, members, rules, fuel) {
            Ok(()) | Err(Stop::Enough) => Ok(()),
            Err(Stop::Halt(halt)) => Err(halt),
        }
    }

    /// True if a rule gives a row; what it uses must have been computed.
    pub fn gives_rows(&mut self, program: &Program, rule: usize, mut fuel: u64) -> bool {
        let mut planner = Planner { program, rows: &mut self.rows, symbols: &mut self.symbols };
        let plan = planner.plan(rule, &[], &[]);
        let last = self.everything();
        let mut walk = Walk { rows: &self.rows, last: &last, before: None, fuel: &mut fuel, furthest: 0 };
        let mut values = vec![0; plan.variables];
        let walked = walk.through(&plan.steps, &mut values, &mut |_| Err(Stop::Enough));
        matches!(walked, Err(Stop::Enough))
    }

    /// All rows of each relation.
    fn everything(&self) -> Vec<LastRound> {
        self.rows.iter().map(|rows| LastRound { start: 0, end: rows.count() }).collect()
    }

    fn compute_group(
        &mut self,
        program: &Program,
        members: &[RelationId],
        rules: &[usize],
        fuel: &mut u64,
    ) -> Flow {
        let (once, again) = self.plans(program, members, rules);
        if let Some(why) = self.symbols.doubtful {
            return Err(Stop::Halt(Halt::Undefined(why)));
        }
        if rules.is_empty() {
            return Ok(());
        }
        let mut last = self.everything();
        self.round(&once, &last, fuel)?;
        members.iter().for_each(|member| self.rows[member.index()].end_round());
        let mut has_more = !again.is_empty();
        members.iter().for_each(|member| last[member.index()] = LastRound::default());
        while has_more {
            for member in members {
                let range = &mut last[member.index()];
                *range = LastRound { start: range.end, end: self.rows[member.index()].count() };
            }
            self.round(&again, &last, fuel)?;
            members.iter().for_each(|member| self.rows[member.index()].end_round());
            has_more =
                members.iter().any(|member| self.rows[member.index()].count() > last[member.index()].end);
        }
        Ok(())
    }

    /// The plans of a group's rules: those that are applied once, and those that look at new rows again and again.
    fn plans(
        &mut self,
        program: &Program,
        members: &[RelationId],
        rules: &[usize],
    ) -> (Vec<Plan>, Vec<Plan>) {
        let (mut once, mut again) = (Vec::new(), Vec::new());
        let mut planner = Planner { program, rows: &mut self.rows, symbols: &mut self.symbols };
        for rule in rules {
            let body = &program.rules[*rule].body;
            let recursive = recursive_literals(body, members);
            if recursive.is_empty() {
                once.push(planner.plan(*rule, &[], &[]));
            }
            for new in &recursive {
                let mut parts = vec![Part::All; body.len()];
                // Each pair of new rows is met once: what stands before is old.
                recursive.iter().filter(|place| *place < new).for_each(|place| parts[*place] = Part::Old);
                parts[*new] = Part::New;
                again.push(planner.plan(*rule, &parts, &[]));
            }
        }
        (once, again)
    }

    /// Applies rules to what there is, and adds what follows.
    fn round(&mut self, plans: &[Plan], last: &[LastRound], fuel: &mut u64) -> Flow {
        let mut found: Vec<rows::Word> = Vec::new();
        let mut row = Vec::new();
        for plan in plans {
            found.clear();
            let mut count = 0usize;
            let mut walk = Walk { rows: &self.rows, last, before: None, fuel, furthest: 0 };
            let mut values = vec![0; plan.variables];
            walk.through(&plan.steps, &mut values, &mut |values| {
                run::head(plan, values, &mut row)?;
                found.extend_from_slice(&row);
                count += 1;
                Ok(())
            })?;
            let rows = &mut self.rows[plan.relation];
            let arity = plan.head.len();
            for number in 0..count {
                rows.insert(&found[number * arity..(number + 1) * arity]);
            }
        }
        Ok(())
    }
}

/// The literals of a body whose relations are computed together with the head; members are in order.
fn recursive_literals(body: &[Literal], members: &[RelationId]) -> Vec<usize> {
    let is_recursive = |literal: &Literal| match literal {
        Literal::Positive(atom) => members.binary_search(&atom.relation).is_ok(),
        _ => false,
    };
    let places = body.iter().enumerate().filter(|(_, literal)| is_recursive(literal));
    places.map(|(place, _)| place).collect()
}
