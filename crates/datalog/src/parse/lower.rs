//! Lowers clauses to facts and rules: resolves names, turns aggregates into literals and infers the types of constants.

use super::error::Failure;
use super::expand::{Part, alternatives, inside_of, members_of, only_alternative, terms_of};
use super::settle::{settle_constant, settle_rule};
use super::syntax::{Aggregation, Clause, Expression, Formula, WrittenAtom};
use crate::program::{Atom, Comparison, Constant, Literal, Program, RelationId, Rule, Term, Tuple, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// A program to which clauses are added.
pub(super) struct Lowering<'a> {
    pub(super) program: Program,
    /// The relations by name.
    pub(super) places: BTreeMap<&'a str, RelationId>,
    /// The facts of each relation, to skip duplicates.
    seen: Vec<BTreeSet<Tuple>>,
}

impl<'a> Lowering<'a> {
    /// Starts with a program that has all its relations.
    pub(super) fn new(program: Program, places: BTreeMap<&'a str, RelationId>) -> Lowering<'a> {
        let seen = program.relations.iter().map(|relation| relation.facts.iter().cloned().collect());
        Lowering { seen: seen.collect(), program, places }
    }

    /// Adds a fact unless the relation has it.
    pub(super) fn add_fact(&mut self, id: RelationId, row: Tuple) {
        let relation = self.program.relations.get_mut(id.index());
        if let (Some(relation), Some(seen)) = (relation, self.seen.get_mut(id.index()))
            && seen.insert(row.clone())
        {
            relation.facts.push(row);
        }
    }

    /// Adds the facts or rules of a clause.
    pub(super) fn add_clause(&mut self, clause: &Clause<'a>) -> Result<(), Failure> {
        let bodies = alternatives(clause)?;
        for head in &clause.heads {
            if clause.body.is_none() {
                self.add_head(head)?;
            }
            for body in &bodies {
                let rule = self.rule(head, body)?;
                self.program.rules.push(rule);
            }
        }
        Ok(())
    }

    /// Adds a clause without a body: a fact, or a rule with a true body if an argument is an operation.
    fn add_head(&mut self, head: &WrittenAtom<'a>) -> Result<(), Failure> {
        let id = self.relation(head)?;
        let columns = &self.program.relation(id).columns;
        let mut row = Tuple::new();
        for (place, argument) in head.arguments.iter().enumerate() {
            match argument {
                Expression::Constant(constant) => {
                    row.push(settle_constant(constant.clone(), columns.get(place).copied()));
                }
                Expression::Name(_) | Expression::Wildcard => {
                    let message = "expected constants in a clause without a body; try adding `:-` and a body";
                    return Err(Failure::new(head.offset, message));
                }
                Expression::Apply(..) | Expression::Aggregate(_) => {
                    let truth = Formula::Truth(true);
                    let rule = self.rule(head, &[Part { formula: &truth, is_negated: false }])?;
                    self.program.rules.push(rule);
                    return Ok(());
                }
            }
        }
        self.add_fact(id, row);
        Ok(())
    }

    fn relation(&self, atom: &WrittenAtom<'a>) -> Result<RelationId, Failure> {
        self.places.get(atom.name).copied().ok_or_else(|| undeclared(atom.name, atom.offset))
    }

    fn rule(&self, head: &WrittenAtom<'a>, body: &[Part<'_, 'a>]) -> Result<Rule, Failure> {
        let mut draft = Draft { lowering: self, names: BTreeMap::new(), next: 0, literals: Vec::new() };
        let head = draft.atom(head)?;
        // Aggregates in the head come last, where their variables are known.
        let computed = std::mem::take(&mut draft.literals);
        for part in body {
            draft.add(*part)?;
        }
        draft.literals.extend(computed);
        let mut rule = Rule { head, body: draft.literals }.renumbered();
        settle_rule(&self.program, &mut rule);
        Ok(rule)
    }
}

/// Returns the error for an undeclared relation.
pub(super) fn undeclared(name: &str, offset: usize) -> Failure {
    Failure::new(offset, format!("the relation `{name}` is not declared; try adding `.decl {name}(…)`"))
}

/// A rule under construction.
struct Draft<'l, 'a> {
    lowering: &'l Lowering<'a>,
    names: BTreeMap<&'a str, Variable>,
    next: u32,
    literals: Vec<Literal>,
}

impl<'a> Draft<'_, 'a> {
    fn fresh(&mut self) -> Variable {
        self.next += 1;
        Variable(self.next - 1)
    }

    fn variable(&mut self, name: &'a str) -> Variable {
        match self.names.get(name) {
            Some(variable) => *variable,
            None => {
                let variable = self.fresh();
                self.names.insert(name, variable);
                variable
            }
        }
    }

    fn add(&mut self, part: Part<'_, 'a>) -> Result<(), Failure> {
        let literal = match part.formula {
            Formula::Atom(atom) if part.is_negated => Literal::Negative(self.atom(atom)?),
            Formula::Atom(atom) => Literal::Positive(self.atom(atom)?),
            Formula::Truth(truth) => constant_literal(*truth != part.is_negated),
            Formula::Compare(comparison, left, right) => {
                let comparison = if part.is_negated { opposite(*comparison) } else { *comparison };
                match (comparison, left, right) {
                    // A variable that also occurs in the aggregate cannot be its result.
                    (Comparison::Equal, Expression::Name(name), Expression::Aggregate(aggregation))
                    | (Comparison::Equal, Expression::Aggregate(aggregation), Expression::Name(name))
                        if !mentions_in_aggregate(aggregation, name) =>
                    {
                        let result = self.variable(name);
                        self.aggregate(result, aggregation)?
                    }
                    _ => Literal::Compare(comparison, self.term(left)?, self.term(right)?),
                }
            }
            // Expansion leaves no compound formulas.
            Formula::Not(_) | Formula::All(_) | Formula::Any(_) => return Ok(()),
        };
        self.literals.push(literal);
        Ok(())
    }

    fn atom(&mut self, atom: &WrittenAtom<'a>) -> Result<Atom, Failure> {
        let relation = self.lowering.relation(atom)?;
        let arguments = atom.arguments.iter().map(|argument| self.term(argument));
        Ok(Atom { relation, arguments: arguments.collect::<Result<_, _>>()? })
    }

    /// Lowers a term. An aggregate in it becomes a literal and the variable with its result.
    fn term(&mut self, expression: &Expression<'a>) -> Result<Term, Failure> {
        Ok(match expression {
            Expression::Name(name) => Term::Variable(self.variable(name)),
            Expression::Wildcard => Term::Wildcard,
            Expression::Constant(constant) => Term::Constant(constant.clone()),
            Expression::Apply(operator, operands) => {
                let operands = operands.iter().map(|operand| self.term(operand));
                Term::Apply(*operator, operands.collect::<Result<_, _>>()?)
            }
            Expression::Aggregate(aggregation) => {
                let result = self.fresh();
                let literal = self.aggregate(result, aggregation)?;
                self.literals.push(literal);
                Term::Variable(result)
            }
        })
    }

    fn aggregate(&mut self, result: Variable, aggregation: &Aggregation<'a>) -> Result<Literal, Failure> {
        let outside = std::mem::take(&mut self.literals);
        let term = aggregation.term.as_ref().map(|term| self.term(term)).transpose()?;
        for part in only_alternative(&aggregation.body).unwrap_or_default() {
            self.add(part)?;
        }
        let body = std::mem::replace(&mut self.literals, outside);
        Ok(Literal::Aggregate { result, function: aggregation.function, term, body })
    }
}

/// Returns a literal that always or never holds.
fn constant_literal(truth: bool) -> Literal {
    let number = |value| Term::Constant(Constant::Signed(value));
    Literal::Compare(Comparison::Equal, number(0), number(i64::from(!truth)))
}

fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Equal => Comparison::Different,
        Comparison::Different => Comparison::Equal,
        Comparison::Less => Comparison::GreaterOrEqual,
        Comparison::LessOrEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessOrEqual,
        Comparison::GreaterOrEqual => Comparison::Less,
    }
}

fn mentions_in_aggregate(aggregation: &Aggregation<'_>, name: &str) -> bool {
    aggregation.term.as_ref().is_some_and(|term| mentions_in_term(term, name))
        || mentions_in_formula(&aggregation.body, name)
}

fn mentions_in_formula(formula: &Formula<'_>, name: &str) -> bool {
    terms_of(formula).any(|term| mentions_in_term(term, name))
        || members_of(formula)
            .iter()
            .chain(inside_of(formula))
            .any(|member| mentions_in_formula(member, name))
}

fn mentions_in_term(term: &Expression<'_>, name: &str) -> bool {
    match term {
        Expression::Name(other) => *other == name,
        Expression::Apply(_, operands) => operands.iter().any(|operand| mentions_in_term(operand, name)),
        Expression::Aggregate(aggregation) => mentions_in_aggregate(aggregation, name),
        Expression::Wildcard | Expression::Constant(_) => false,
    }
}
