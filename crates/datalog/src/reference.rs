//! The reference engine: exact, stratified, semi-naive evaluation with indices.
//!
//! Relations are computed group by group. Within a recursive group, each round joins only with the rows that the last
//! round added. The result is the least model. For each row it records the round that derived it, from which
//! [`Evaluation::explain`] reconstructs a derivation.

mod agenda;
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

/// A rule with more recursive literals joins all rows in every round: a plan for each of them would be too many.
const MOST_PLANS: usize = 16;

/// Each so many columns of a derived row cost as much as a visited row.
const CHEAP_COLUMNS: u64 = 4;

/// Why a program has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The evaluation visited more rows than allowed.
    OutOfFuel,
    /// Engines do not agree on the value of an operation or constant; the text says which.
    Undefined(&'static str),
}

/// The result of a program.
#[derive(Clone, Debug)]
pub struct Evaluation<'a> {
    program: &'a Program,
    strata: &'a Strata,
    tables: Tables,
}

/// Computes all relations of a program that [`crate::check`] accepts, visiting at most `fuel` rows.
pub fn evaluate<'a>(program: &'a Program, strata: &'a Strata, mut fuel: u64) -> Result<Evaluation<'a>, Halt> {
    let mut tables = Tables::default();
    tables.load(program);
    for (members, rules) in strata.groups.iter().zip(strata.rules(program)) {
        tables.compute(program, members, &rules, &mut fuel)?;
    }
    // A program of facts alone has no group that would report this.
    if let Some(why) = tables.symbols.unportable {
        return Err(Halt::Undefined(why));
    }
    Ok(Evaluation { program, strata, tables })
}

impl Evaluation<'_> {
    /// Returns the rows of a relation.
    pub fn rows(&self, relation: RelationId) -> BTreeSet<Tuple> {
        let rows = &self.tables.rows[relation.index()];
        let tuple = |number| self.tables.tuple(self.program, relation, rows.row(number));
        (0..rows.count()).map(tuple).collect()
    }

    /// Returns the number of rows of a relation.
    pub fn count(&self, relation: RelationId) -> usize {
        self.tables.count(relation)
    }
}

/// The rows of the relations of a growing program: computed rows stay valid when relations and rules are added.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    rows: Vec<Rows>,
    /// For each relation, all of its rows, or those of the last round while its group is computed.
    last: Vec<LastRound>,
    symbols: Symbols,
}

impl Tables {
    /// Loads the facts of new relations.
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
            self.last.push(LastRound { start: 0, end: own.count() });
            self.rows.push(own);
        }
    }

    /// Forgets all relations from an index on.
    pub fn forget_from(&mut self, index: usize) {
        self.rows.truncate(index);
        self.last.truncate(index);
    }

    /// Returns the number of loaded relations.
    pub fn relations(&self) -> usize {
        self.rows.len()
    }

    /// Returns the number of rows of a relation.
    pub fn count(&self, relation: RelationId) -> usize {
        self.rows[relation.index()].count() as usize
    }

    fn tuple(&self, program: &Program, relation: RelationId, row: &[rows::Word]) -> Tuple {
        let columns = &program.relation(relation).columns;
        row.iter().zip(columns).map(|(word, r#type)| self.symbols.constant(*word, *r#type)).collect()
    }

    /// Computes the relations of one group by their rules. All other relations that the rules use must be computed.
    pub fn compute(
        &mut self,
        program: &Program,
        members: &[RelationId],
        rules: &[usize],
        fuel: &mut u64,
    ) -> Result<(), Halt> {
        let computed = self.compute_group(program, members, rules, fuel);
        self.show_all(members);
        match computed {
            Ok(()) | Err(Stop::Enough) => Ok(()),
            Err(Stop::Halt(halt)) => Err(halt),
        }
    }

    /// Returns true if a rule derives a row. All relations that it uses must be computed.
    pub fn gives_rows(&mut self, program: &Program, rule: usize, mut fuel: u64) -> bool {
        let mut planner = Planner { program, rows: &mut self.rows, symbols: &mut self.symbols };
        let plan = planner.plan(rule, &[], &[]);
        let mut walk =
            Walk { rows: &self.rows, last: &self.last, before: None, fuel: &mut fuel, furthest: 0, depth: 0 };
        let mut values = vec![0; plan.variables];
        let walked = walk.through(&plan.steps, &mut values, &mut |_| Err(Stop::Enough));
        matches!(walked, Err(Stop::Enough))
    }

    /// Makes all rows of relations visible.
    fn show_all(&mut self, members: &[RelationId]) {
        for member in members {
            self.last[member.index()] = LastRound { start: 0, end: self.rows[member.index()].count() };
        }
    }

    fn compute_group(
        &mut self,
        program: &Program,
        members: &[RelationId],
        rules: &[usize],
        fuel: &mut u64,
    ) -> Flow {
        let (once, again) = self.plans(program, members, rules);
        if let Some(why) = self.symbols.unportable {
            return Err(Stop::Halt(Halt::Undefined(why)));
        }
        if rules.is_empty() {
            return Ok(());
        }
        self.round(&once, fuel)?;
        members.iter().for_each(|member| self.rows[member.index()].end_round());
        let mut has_more = !again.is_empty();
        members.iter().for_each(|member| self.last[member.index()] = LastRound::default());
        while has_more {
            for member in members {
                let range = &mut self.last[member.index()];
                *range = LastRound { start: range.end, end: self.rows[member.index()].count() };
            }
            self.round(&again, fuel)?;
            members.iter().for_each(|member| self.rows[member.index()].end_round());
            has_more = members
                .iter()
                .any(|member| self.rows[member.index()].count() > self.last[member.index()].end);
        }
        Ok(())
    }

    /// Returns the plans of a group's rules: those that run once, and those that run in every round.
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
            if recursive.len() > MOST_PLANS {
                again.push(planner.plan(*rule, &[], &[]));
                continue;
            }
            for new in &recursive {
                let mut parts = vec![Part::All; body.len()];
                // Earlier recursive literals see old rows only, so each combination of new rows is visited once.
                recursive.iter().filter(|place| *place < new).for_each(|place| parts[*place] = Part::Old);
                parts[*new] = Part::New;
                again.push(planner.plan(*rule, &parts, &[]));
            }
        }
        (once, again)
    }

    /// Runs plans on the current rows and adds the derived rows.
    fn round(&mut self, plans: &[Plan], fuel: &mut u64) -> Flow {
        let mut found: Vec<rows::Word> = Vec::new();
        let mut row = Vec::new();
        for plan in plans {
            found.clear();
            let mut count = 0usize;
            let (mut extra, most) = (0, *fuel);
            let mut walk =
                Walk { rows: &self.rows, last: &self.last, before: None, fuel, furthest: 0, depth: 0 };
            let mut values = vec![0; plan.variables];
            walk.through(&plan.steps, &mut values, &mut |values| {
                run::head(plan, values, &mut row)?;
                // Wide rows take memory, so they cost more than the visit that derived them.
                extra += row.len() as u64 / CHEAP_COLUMNS;
                found.extend_from_slice(&row);
                count += 1;
                if extra > most { Err(Stop::Halt(Halt::OutOfFuel)) } else { Ok(()) }
            })?;
            *fuel = fuel.saturating_sub(extra);
            let rows = &mut self.rows[plan.relation];
            let arity = plan.head.len();
            for number in 0..count {
                rows.insert(&found[number * arity..(number + 1) * arity]);
            }
        }
        Ok(())
    }
}

/// Returns the indices of the literals over relations of the head's group. `members` is sorted.
fn recursive_literals(body: &[Literal], members: &[RelationId]) -> Vec<usize> {
    let is_recursive = |literal: &Literal| match literal {
        Literal::Positive(atom) => members.binary_search(&atom.relation).is_ok(),
        _ => false,
    };
    let places = body.iter().enumerate().filter(|(_, literal)| is_recursive(literal));
    places.map(|(place, _)| place).collect()
}
