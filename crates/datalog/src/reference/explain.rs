//! Explains why a row is in a relation or why it is not.

use super::plan::{Part, Plan, PlanStep, Planner, head_variables};
use super::rows::Word;
use super::run::{self, Flow, Stop, Walk};
use super::{Evaluation, Tables};
use crate::program::{Atom, Constant, Literal, RelationId, Term, Tuple, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// A derivation of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Derivation {
    /// The relation of the row.
    pub relation: RelationId,
    /// The row.
    pub row: Tuple,
    /// The index of the rule and a premise for each literal of its body; `None` for a fact.
    pub from: Option<(usize, Vec<Premise>)>,
}

/// The reason why a literal holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Premise {
    /// A derived row or a fact.
    Row(Derivation),
    /// A row whose derivation was shown before, as text.
    Known(String),
    /// A negation, comparison or aggregate that holds, with its values filled in, as text.
    Holds(String),
}

/// Why a rule does not derive a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The index of the rule.
    pub rule: usize,
    /// The index of the literal that cannot be satisfied; `None` if the head does not match the row.
    pub literal: Option<usize>,
}

/// The rows whose derivations were shown. Without it, a derivation could be exponentially large.
type Seen = BTreeSet<(RelationId, Vec<Word>)>;

/// The number of rows that one explanation may visit.
const FUEL: u64 = 50_000_000;

impl Evaluation<'_> {
    /// Returns a derivation of a row, or `None` if the relation does not have it.
    pub fn explain(&self, relation: RelationId, row: &[Constant]) -> Option<Derivation> {
        let mut copy = self.clone();
        let words: Vec<Word> = row.iter().map(|constant| copy.tables.symbols.word(constant)).collect();
        copy.derivation(relation, &words, &mut Seen::new())
    }

    fn derivation(&mut self, relation: RelationId, row: &[Word], seen: &mut Seen) -> Option<Derivation> {
        let rows = &self.tables.rows[relation.index()];
        let round = rows.round_of(rows.find(row)?);
        let tuple = self.tables.tuple(self.program, relation, row);
        if round == 0 {
            return Some(Derivation { relation, row: tuple, from: None });
        }
        let group = self.strata.group_of[relation.index()];
        let together: Vec<bool> = self.strata.group_of.iter().map(|other| *other == group).collect();
        let rules: Vec<usize> = self.program.rules_of(relation).collect();
        for rule in rules {
            let plan = self.plan_for(rule);
            let mut found = None;
            let walked = self.walk(&plan, row, Some((&together, round)), &mut |values| {
                found = Some(values.to_vec());
                Err(Stop::Enough)
            });
            if let (Err(Stop::Enough), Some(values)) = (walked.1, found) {
                let premises = self.premises(rule, &plan, &values, seen)?;
                return Some(Derivation { relation, row: tuple, from: Some((rule, premises)) });
            }
        }
        None
    }

    /// Returns, for each rule of a relation, why it does not derive a row.
    pub fn failures(&self, relation: RelationId, row: &[Constant]) -> Vec<Failure> {
        let mut copy = self.clone();
        let words: Vec<Word> = row.iter().map(|constant| copy.tables.symbols.word(constant)).collect();
        let rules: Vec<usize> = self.program.rules_of(relation).collect();
        let failure = |rule: usize| {
            let plan = copy.plan_for(rule);
            let (furthest, _) = copy.walk(&plan, &words, None, &mut |_| Ok(()));
            Failure { rule, literal: furthest.and_then(|step| literal_of(plan.steps.get(step)?)) }
        };
        rules.into_iter().map(failure).collect()
    }

    /// Returns the plan of a rule whose head is given.
    fn plan_for(&mut self, rule: usize) -> Plan {
        let it = &self.program.rules[rule];
        let parts = vec![Part::All; it.body.len()];
        let given = head_variables(&it.head.arguments);
        let (program, rows, symbols) = (self.program, &mut self.tables.rows[..], &mut self.tables.symbols);
        Planner { program, rows, symbols }.plan(rule, &parts, &given)
    }

    /// Visits the ways in which a rule derives a row. Returns the furthest step that it reached, or `None` if the head does
    /// not match.
    fn walk(
        &self,
        plan: &Plan,
        row: &[Word],
        before: Option<(&[bool], usize)>,
        found: &mut dyn FnMut(&[Word]) -> Flow,
    ) -> (Option<usize>, Flow) {
        let mut values = vec![0; plan.variables];
        let mut given: BTreeMap<Variable, Word> = BTreeMap::new();
        let head = &self.program.rules[plan.rule].head.arguments;
        for ((argument, column), word) in head.iter().zip(&plan.head).zip(row) {
            let fits = match argument {
                Term::Variable(variable) => {
                    values[variable.0 as usize] = *word;
                    *given.entry(*variable).or_insert(*word) == *word
                }
                Term::Constant(_) => run::word(column, &values) == Ok(*word),
                // Operations are compared when all variables have values.
                Term::Apply(..) | Term::Wildcard => true,
            };
            if !fits {
                return (None, Ok(()));
            }
        }
        let mut fuel = FUEL;
        let Tables { rows, last, .. } = &self.tables;
        let mut walk = Walk { rows, last, before, fuel: &mut fuel, furthest: 0, depth: 0 };
        let mut made = Vec::new();
        let flow = walk.through(&plan.steps, &mut values, &mut |values| {
            run::head(plan, values, &mut made)?;
            if made == row { found(values) } else { Ok(()) }
        });
        (Some(walk.furthest), flow)
    }

    fn premises(
        &mut self,
        rule: usize,
        plan: &Plan,
        values: &[Word],
        seen: &mut Seen,
    ) -> Option<Vec<Premise>> {
        let body = &self.program.rules[rule].body;
        let mut premises = Vec::with_capacity(body.len());
        for literal in body {
            premises.push(match literal {
                Literal::Positive(atom) => {
                    let row = self.row_of(atom, values)?;
                    let rows = &self.tables.rows[atom.relation.index()];
                    let is_fact = rows.round_of(rows.find(&row)?) == 0;
                    if !is_fact && !seen.insert((atom.relation, row.clone())) {
                        let tuple = self.tables.tuple(self.program, atom.relation, &row);
                        let name = &self.program.relation(atom.relation).name;
                        Premise::Known(self.program.row_text(name, &tuple))
                    } else {
                        Premise::Row(self.derivation(atom.relation, &row, seen)?)
                    }
                }
                _ => Premise::Holds(self.substituted(literal, plan, values)),
            });
        }
        Some(premises)
    }

    /// Returns the oldest row that satisfies a positive literal, because it has the shortest derivation.
    fn row_of(&mut self, atom: &Atom, values: &[Word]) -> Option<Vec<Word>> {
        let columns = &self.program.relation(atom.relation).columns;
        let (program, rows, symbols) = (self.program, &mut self.tables.rows[..], &mut self.tables.symbols);
        let mut planner = Planner { program, rows, symbols };
        let mut wanted: Vec<Option<Word>> = Vec::with_capacity(columns.len());
        for (argument, column) in atom.arguments.iter().zip(columns) {
            wanted.push(match argument {
                Term::Wildcard => None,
                argument => Some(run::word(&planner.expression(argument, *column), values).ok()?),
            });
        }
        let rows = &self.tables.rows[atom.relation.index()];
        let fits = |row: &&[Word]| row.iter().zip(&wanted).all(|(word, it)| it.is_none_or(|it| it == *word));
        (0..rows.count()).map(|number| rows.row(number)).find(fits).map(<[Word]>::to_vec)
    }

    /// Prints a literal with the values of its variables. Variables in the body of an aggregate keep their names.
    fn substituted(&self, literal: &Literal, plan: &Plan, values: &[Word]) -> String {
        let value = |variable: Variable| {
            let r#type = (*plan.types.get(variable.0 as usize)?)?;
            Some(self.tables.symbols.constant(*values.get(variable.0 as usize)?, r#type))
        };
        let mut printed = literal.clone();
        match &mut printed {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                atom.arguments.iter_mut().for_each(|argument| substitute(argument, &value));
            }
            Literal::Compare(_, left, right) => {
                [left, right].into_iter().for_each(|term| substitute(term, &value))
            }
            Literal::Aggregate { result, .. } => {
                let found = value(*result).map(|value| value.to_string()).unwrap_or_default();
                return format!("{} where {result} is {found}", self.program.literal_text(literal));
            }
        }
        self.program.literal_text(&printed)
    }
}

/// Replaces variables by their values.
fn substitute(term: &mut Term, value: &impl Fn(Variable) -> Option<Constant>) {
    match term {
        Term::Variable(variable) => {
            if let Some(value) = value(*variable) {
                *term = Term::Constant(value);
            }
        }
        Term::Apply(_, operands) => operands.iter_mut().for_each(|operand| substitute(operand, value)),
        Term::Constant(_) | Term::Wildcard => {}
    }
}

fn literal_of(step: &PlanStep) -> Option<usize> {
    match step {
        PlanStep::Each { literal, .. }
        | PlanStep::Unless { literal, .. }
        | PlanStep::If { literal, .. }
        | PlanStep::Aggregate { literal, .. } => Some(*literal),
        PlanStep::Let { .. } => None,
    }
}
