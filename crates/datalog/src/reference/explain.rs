//! Why a row is in a relation, and why it is not.

use super::Evaluation;
use super::plan::{Part, Plan, Planner, Step, head_variables};
use super::rows::Word;
use super::run::{self, Flow, LastRound, Stop, Walk};
use crate::program::{Atom, Constant, Literal, RelationId, Term, Tuple, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// How a row follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Derivation {
    /// The relation of the row.
    pub relation: RelationId,
    /// The row.
    pub row: Tuple,
    /// The rule, by its place, and what makes its body true, literal by literal; none for a fact.
    pub from: Option<(usize, Vec<Premise>)>,
}

/// What makes a literal true.
#[derive(Clone, Debug, PartialEq)]
pub enum Premise {
    /// A row that follows.
    Row(Derivation),
    /// A row whose derivation stands before this one, as text.
    Known(String),
    /// There is no such row, or a comparison holds, or an aggregate has a value: the literal with its values, as text.
    Holds(String),
}

/// Why a rule does not give a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The rule, by its place.
    pub rule: usize,
    /// The literal that nothing makes true, as it stands in the rule; none if the head does not fit the row.
    pub literal: Option<usize>,
}

/// The rows whose derivations are shown already. Without them a derivation could be exponentially large.
type Seen = BTreeSet<(RelationId, Vec<Word>)>;

/// More looking than this is not done for one answer.
const FUEL: u64 = 50_000_000;

impl Evaluation<'_> {
    /// A derivation of a row; none if it is not there.
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

    /// For each rule of a relation, why it does not give a row.
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

    /// The steps of a rule when the row is given.
    fn plan_for(&mut self, rule: usize) -> Plan {
        let it = &self.program.rules[rule];
        let parts = vec![Part::All; it.body.len()];
        let given = head_variables(&it.head.arguments);
        let (program, rows, symbols) = (self.program, &mut self.tables.rows[..], &mut self.tables.symbols);
        Planner { program, rows, symbols }.plan(rule, &parts, &given)
    }

    /// Walks through the ways in which a rule gives a row. Says how far it came; none if the head does not fit.
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
                // An operation is compared at the end.
                Term::Apply(..) | Term::Anything => true,
            };
            if !fits {
                return (None, Ok(()));
            }
        }
        let last: Vec<LastRound> =
            self.tables.rows.iter().map(|rows| LastRound { start: 0, end: rows.count() }).collect();
        let mut fuel = FUEL;
        let mut walk = Walk { rows: &self.tables.rows, last: &last, before, fuel: &mut fuel, furthest: 0 };
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
                _ => Premise::Holds(self.filled_in(literal, plan, values)),
            });
        }
        Some(premises)
    }

    /// The oldest row that makes a positive literal true for these values, which leads to facts by the shortest way.
    fn row_of(&mut self, atom: &Atom, values: &[Word]) -> Option<Vec<Word>> {
        let columns = &self.program.relation(atom.relation).columns;
        let (program, rows, symbols) = (self.program, &mut self.tables.rows[..], &mut self.tables.symbols);
        let mut planner = Planner { program, rows, symbols };
        let mut wanted: Vec<Option<Word>> = Vec::with_capacity(columns.len());
        for (argument, column) in atom.arguments.iter().zip(columns) {
            wanted.push(match argument {
                Term::Anything => None,
                argument => Some(run::word(&planner.expression(argument, *column), values).ok()?),
            });
        }
        let rows = &self.tables.rows[atom.relation.index()];
        let fits = |row: &&[Word]| row.iter().zip(&wanted).all(|(word, it)| it.is_none_or(|it| it == *word));
        (0..rows.count()).map(|number| rows.row(number)).find(fits).map(<[Word]>::to_vec)
    }

    /// A literal with the values of its variables, as text. Those of an aggregate's own body keep their names.
    fn filled_in(&self, literal: &Literal, plan: &Plan, values: &[Word]) -> String {
        let value = |variable: Variable| {
            let r#type = (*plan.types.get(variable.0 as usize)?)?;
            Some(self.tables.symbols.constant(*values.get(variable.0 as usize)?, r#type))
        };
        let mut filled = literal.clone();
        match &mut filled {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                atom.arguments.iter_mut().for_each(|argument| fill(argument, &value));
            }
            Literal::Compare(_, left, right) => [left, right].into_iter().for_each(|term| fill(term, &value)),
            Literal::Aggregate { result, .. } => {
                let found = value(*result).map(|value| value.to_string()).unwrap_or_default();
                return format!("{} where {result} is {found}", self.program.literal_text(literal));
            }
        }
        self.program.literal_text(&filled)
    }
}

/// Puts values in the place of variables.
fn fill(term: &mut Term, value: &impl Fn(Variable) -> Option<Constant>) {
    match term {
        Term::Variable(variable) => {
            if let Some(value) = value(*variable) {
                *term = Term::Constant(value);
            }
        }
        Term::Apply(_, operands) => operands.iter_mut().for_each(|operand| fill(operand, value)),
        Term::Constant(_) | Term::Anything => {}
    }
}

fn literal_of(step: &Step) -> Option<usize> {
    match step {
        Step::Each { literal, .. }
        | Step::Unless { literal, .. }
        | Step::If { literal, .. }
        | Step::Aggregate { literal, .. } => Some(*literal),
        Step::Let { .. } => None,
    }
}
