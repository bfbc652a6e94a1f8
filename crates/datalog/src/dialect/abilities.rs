//! What a dialect can say. Programs that need more are refused with a sentence, or rewritten where that is exact.

use crate::program::{Aggregate, Atom, Comparison, Constant, Literal, Operator, Program, Term, Type};
use crate::strata::{Strata, edges};
use std::ops::RangeInclusive;

/// Which texts a dialect can write and print so that they can be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Texts {
    /// Texts are replaced by numbers, which is exact because they are compared for equality only.
    Numbered,
    /// Texts without quotes, backslashes and control characters.
    Plain,
    /// Texts with line breaks and tabs as the only control characters.
    Any,
}

/// What `_` in a negated atom means in a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NegatedAnything {
    /// There is no row at all, as it should be.
    NoRow,
    /// The same if something else than `_` stands in the atom; otherwise there is a helper relation.
    NoRowIfPartial,
    /// Something else, or nothing: there always is a helper relation.
    Helper,
}

/// What a dialect can say.
#[derive(Clone, Debug)]
pub(super) struct Abilities {
    /// The name for messages.
    pub title: &'static str,
    /// Which texts it takes.
    pub texts: Texts,
    /// Which whole numbers it takes.
    pub numbers: RangeInclusive<i128>,
    /// Whether rules may negate.
    pub negation: bool,
    /// Whether relations may depend on themselves, to any depth.
    pub recursion: bool,
    /// The operations that mean the same as here.
    pub operators: &'static [Operator],
    /// The aggregates that mean the same as here.
    pub aggregates: &'static [Aggregate],
    /// Whether relations may have no columns; if not, they get one that always holds zero.
    pub flags: bool,
    /// Whether `_` may stand in positive atoms; if not, it becomes a variable.
    pub anything: bool,
    /// What `_` in a negated atom means.
    pub negated_anything: NegatedAnything,
    /// Whether a variable may stand twice in a positive atom; if not, equalities say so.
    pub repeated_variables: bool,
    /// Whether a variable may stand once in a rule; if not, it becomes `_`.
    pub single_variables: bool,
    /// Whether "less or the same" can be written; if not, a rule becomes two.
    pub or_equal: bool,
    /// Whether a head may have constants, and a variable twice; if not, equalities say so.
    pub free_heads: bool,
    /// Whether rules may have constants; if not, relations with one fact hold them.
    pub constants_in_rules: bool,
    /// Whether a body may have no positive atom; if not, one over a relation with one fact is put in.
    pub bodies_without_atoms: bool,
    /// Whether the lesser and the greater of two numbers are written as two rules each.
    pub extremes_by_rules: bool,
}

impl Abilities {
    /// What most dialects can say: everything but computing.
    pub(super) fn usual(title: &'static str) -> Abilities {
        Abilities {
            title,
            texts: Texts::Any,
            numbers: i128::from(i64::MIN)..=i128::from(i64::MAX),
            negation: true,
            recursion: true,
            operators: &[],
            aggregates: &[],
            flags: true,
            anything: true,
            negated_anything: NegatedAnything::NoRow,
            repeated_variables: true,
            single_variables: true,
            or_equal: true,
            free_heads: true,
            constants_in_rules: true,
            bodies_without_atoms: true,
            extremes_by_rules: false,
        }
    }

    /// Says what in a program cannot be said and cannot be rewritten either.
    pub(super) fn check(&self, program: &Program) -> Result<(), String> {
        if !program.opaque.is_empty() {
            return Err(format!("{} cannot run what only Soufflé understands", self.title));
        }
        for relation in &program.relations {
            if relation.columns.contains(&Type::Float) {
                return Err(format!("{} gets no floating-point numbers", self.title));
            }
            relation.facts.iter().flatten().try_for_each(|value| self.check_constant(value))?;
        }
        if !self.recursion && is_recursive(program) {
            return Err(format!("{} does not follow recursion to any depth", self.title));
        }
        for rule in &program.rules {
            self.check_atom(&rule.head)?;
            rule.body.iter().try_for_each(|literal| self.check_literal(literal))?;
        }
        Ok(())
    }

    fn check_literal(&self, literal: &Literal) -> Result<(), String> {
        match literal {
            Literal::Positive(atom) => self.check_atom(atom),
            Literal::Negative(_) if !self.negation => Err(format!("{} has no negation", self.title)),
            Literal::Negative(atom) => self.check_atom(atom),
            Literal::Compare(_, left, right) => {
                self.check_term(left)?;
                self.check_term(right)
            }
            Literal::Aggregate { function, term, body, .. } => {
                if !self.aggregates.contains(function) {
                    return Err(format!("{} gets no aggregate {function}", self.title));
                }
                let is_extreme =
                    |term: &Term| matches!(term, Term::Apply(Operator::Minimum | Operator::Maximum, _));
                if self.extremes_by_rules && term.iter().any(is_extreme) {
                    return Err(format!("{} gets no aggregate of min or max", self.title));
                }
                term.iter().try_for_each(|term| self.check_term(term))?;
                body.iter().try_for_each(|literal| self.check_literal(literal))
            }
        }
    }

    fn check_atom(&self, atom: &Atom) -> Result<(), String> {
        atom.arguments.iter().try_for_each(|argument| self.check_term(argument))
    }

    fn check_term(&self, term: &Term) -> Result<(), String> {
        match term {
            Term::Variable(_) | Term::Anything => Ok(()),
            Term::Constant(constant) => self.check_constant(constant),
            Term::Apply(operator, operands) => {
                if !self.operators.contains(operator) {
                    return Err(format!("{} gets no operation {}", self.title, operator_name(*operator)));
                }
                operands.iter().try_for_each(|operand| self.check_term(operand))
            }
        }
    }

    fn check_constant(&self, constant: &Constant) -> Result<(), String> {
        let number = match constant {
            Constant::Signed(number) => i128::from(*number),
            Constant::Unsigned(number) => i128::from(*number),
            Constant::Float(_) => return Err(format!("{} gets no floating-point numbers", self.title)),
            Constant::Symbol(text) => return self.check_text(text),
        };
        match self.numbers.contains(&number) {
            true => Ok(()),
            false => Err(format!("{} does not take the number {number}", self.title)),
        }
    }

    fn check_text(&self, text: &str) -> Result<(), String> {
        let is_taken = |letter: char| match self.texts {
            Texts::Numbered => true,
            Texts::Plain => !letter.is_control() && letter != '"' && letter != '\\',
            Texts::Any => !letter.is_control() || letter == '\n' || letter == '\t',
        };
        match text.chars().all(is_taken) {
            true => Ok(()),
            false => Err(format!("{} does not take the symbol {text:?}", self.title)),
        }
    }
}

/// True if a relation depends on itself.
pub(super) fn is_recursive(program: &Program) -> bool {
    let edges = edges(program);
    let strata = Strata::ignoring_negation(program.relations.len(), &edges);
    edges.iter().any(|edge| strata.are_together(edge.from, edge.to))
}

/// The word for an operation in messages.
fn operator_name(operator: Operator) -> &'static str {
    match operator {
        Operator::Negate => "negative",
        Operator::Minimum => "min",
        Operator::Maximum => "max",
        other => other.sign().unwrap_or("?"),
    }
}

/// True for comparisons that hold for equal values, apart from equality.
pub(super) fn is_or_equal(comparison: Comparison) -> bool {
    matches!(comparison, Comparison::LessOrEqual | Comparison::GreaterOrEqual)
}
