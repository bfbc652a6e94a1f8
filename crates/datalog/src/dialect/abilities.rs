//! The features of a dialect. Programs that need more are rewritten where that is exact, and otherwise rejected.

use crate::program::{Aggregate, Atom, Comparison, Constant, Literal, Operator, Program, Term, Type};
use crate::strata::{Strata, edges};
use std::ops::RangeInclusive;

/// All operators, for dialects that support every one of them.
pub(super) const ALL_OPERATORS: [Operator; 8] = [
    Operator::Add,
    Operator::Subtract,
    Operator::Multiply,
    Operator::Divide,
    Operator::Remainder,
    Operator::Negate,
    Operator::Minimum,
    Operator::Maximum,
];
/// All aggregates, for dialects that support every one of them.
pub(super) const ALL_AGGREGATES: [Aggregate; 4] =
    [Aggregate::Count, Aggregate::Sum, Aggregate::Minimum, Aggregate::Maximum];

/// Which strings a dialect can read and print unambiguously.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Texts {
    /// Strings are replaced by numbers, which is exact because they are compared for equality only.
    Numbered,
    /// Strings without quotes, backslashes and control characters.
    Plain,
    /// Strings whose only control characters are line breaks and tabs.
    Any,
}

/// The meaning of `_` in a negated atom of a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NegatedWildcard {
    /// No row matches, which is the intended meaning.
    NoRow,
    /// No row matches, unless all arguments are `_`; then a helper relation is needed.
    NoRowIfPartial,
    /// Something else, or an error: a helper relation is always needed.
    Helper,
}

/// The features of a dialect.
#[derive(Clone, Debug)]
pub(super) struct Abilities {
    /// The name for messages.
    pub title: &'static str,
    /// The supported strings.
    pub texts: Texts,
    /// The supported integers.
    pub numbers: RangeInclusive<i128>,
    /// Whether rules may use negation.
    pub negation: bool,
    /// Whether recursion is supported, to any depth.
    pub recursion: bool,
    /// The operators with the same meaning as in this crate.
    pub operators: &'static [Operator],
    /// The aggregates with the same meaning as in this crate.
    pub aggregates: &'static [Aggregate],
    /// Whether relations may be nullary; if not, they get a column that is always zero.
    pub flags: bool,
    /// Whether positive atoms may contain `_`; if not, it becomes a variable.
    pub wildcards: bool,
    /// The meaning of `_` in a negated atom.
    pub negated_wildcards: NegatedWildcard,
    /// Whether a variable may occur twice in a positive atom; if not, equalities are added.
    pub repeated_variables: bool,
    /// Whether a variable may occur only once in a rule; if not, it becomes `_`.
    pub single_variables: bool,
    /// Whether `<=` and `>=` exist; if not, a rule becomes two.
    pub or_equal: bool,
    /// Whether a head may have constants and repeated variables; if not, equalities are added.
    pub free_heads: bool,
    /// Whether rules may have constants; if not, they move into relations with a single fact.
    pub constants_in_rules: bool,
    /// Whether a body may lack positive atoms; if not, it gets one over a relation with a single fact.
    pub bodies_without_atoms: bool,
    /// Whether the minimum and the maximum of two numbers are expressed by two rules each.
    pub min_max_by_rules: bool,
}

impl Abilities {
    /// Returns the features that most dialects have: everything except arithmetic and aggregates.
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
            wildcards: true,
            negated_wildcards: NegatedWildcard::NoRow,
            repeated_variables: true,
            single_variables: true,
            or_equal: true,
            free_heads: true,
            constants_in_rules: true,
            bodies_without_atoms: true,
            min_max_by_rules: false,
        }
    }

    /// Returns an error if the program uses a feature that the dialect lacks and that cannot be rewritten.
    pub(super) fn check(&self, program: &Program) -> Result<(), String> {
        if !program.opaque.is_empty() {
            return Err(format!("{} cannot run statements that only Soufflé supports", self.title));
        }
        for relation in &program.relations {
            if relation.columns.contains(&Type::Float) {
                return Err(format!("{} does not support floating-point numbers", self.title));
            }
            relation.facts.iter().flatten().try_for_each(|value| self.check_constant(value))?;
        }
        if !self.recursion && is_recursive(program) {
            return Err(format!("{} does not support unbounded recursion", self.title));
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
            Literal::Negative(_) if !self.negation => {
                Err(format!("{} does not support negation", self.title))
            }
            Literal::Negative(atom) => self.check_atom(atom),
            Literal::Compare(_, left, right) => {
                self.check_term(left)?;
                self.check_term(right)
            }
            Literal::Aggregate { function, term, body, .. } => {
                if !self.aggregates.contains(function) {
                    return Err(format!("{} does not support the aggregate {function}", self.title));
                }
                let is_min_max =
                    |term: &Term| matches!(term, Term::Apply(Operator::Minimum | Operator::Maximum, _));
                if self.min_max_by_rules && term.iter().any(is_min_max) {
                    return Err(format!("{} does not support min or max inside an aggregate", self.title));
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
            Term::Variable(_) | Term::Wildcard => Ok(()),
            Term::Constant(constant) => self.check_constant(constant),
            Term::Apply(operator, operands) => {
                if !self.operators.contains(operator) {
                    return Err(format!(
                        "{} does not support the operator {}",
                        self.title,
                        operator_name(*operator)
                    ));
                }
                operands.iter().try_for_each(|operand| self.check_term(operand))
            }
        }
    }

    fn check_constant(&self, constant: &Constant) -> Result<(), String> {
        let number = match constant {
            Constant::Signed(number) => i128::from(*number),
            Constant::Unsigned(number) => i128::from(*number),
            Constant::Float(_) => {
                return Err(format!("{} does not support floating-point numbers", self.title));
            }
            Constant::Symbol(text) => return self.check_text(text),
        };
        match self.numbers.contains(&number) {
            true => Ok(()),
            false => Err(format!("{} does not support the number {number}", self.title)),
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
            false => Err(format!("{} does not support the symbol {text:?}", self.title)),
        }
    }
}

/// Returns true if a relation depends on itself.
pub(super) fn is_recursive(program: &Program) -> bool {
    let edges = edges(program);
    let strata = Strata::ignoring_negation(program.relations.len(), &edges);
    edges.iter().any(|edge| strata.are_together(edge.from, edge.to))
}

/// Returns the name of an operator for messages.
fn operator_name(operator: Operator) -> &'static str {
    match operator {
        Operator::Negate => "negative",
        Operator::Minimum => "min",
        Operator::Maximum => "max",
        other => other.sign().unwrap_or("?"),
    }
}

/// Returns true for `<=` and `>=`.
pub(super) fn is_or_equal(comparison: Comparison) -> bool {
    matches!(comparison, Comparison::LessOrEqual | Comparison::GreaterOrEqual)
}
