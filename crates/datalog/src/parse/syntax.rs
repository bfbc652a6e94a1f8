//! Statements as they are written, before names are resolved.

use crate::program::{Aggregate, Comparison, Constant, Operator};

/// An argument, or a side of a comparison.
#[derive(Debug)]
pub(super) enum Expression<'a> {
    Name(&'a str),
    Anything,
    Constant(Constant),
    Apply(Operator, Vec<Expression<'a>>),
    Aggregate(Box<Aggregation<'a>>),
}

/// An aggregate, which stands where a value is needed.
#[derive(Debug)]
pub(super) struct Aggregation<'a> {
    pub(super) function: Aggregate,
    pub(super) term: Option<Expression<'a>>,
    pub(super) body: Formula<'a>,
}

/// A relation with arguments.
#[derive(Debug)]
pub(super) struct WrittenAtom<'a> {
    pub(super) name: &'a str,
    pub(super) offset: usize,
    pub(super) arguments: Vec<Expression<'a>>,
}

/// What stands in a body.
#[derive(Debug)]
pub(super) enum Formula<'a> {
    Atom(WrittenAtom<'a>),
    Compare(Comparison, Expression<'a>, Expression<'a>),
    Truth(bool),
    Not(Box<Formula<'a>>),
    All(Vec<Formula<'a>>),
    Any(Vec<Formula<'a>>),
}

/// A fact or a rule.
#[derive(Debug)]
pub(super) struct Clause<'a> {
    pub(super) heads: Vec<WrittenAtom<'a>>,
    pub(super) body: Option<Formula<'a>>,
}

/// The declaration of relations with the same columns.
#[derive(Debug)]
pub(super) struct Declaration<'a> {
    /// The names and where they stand.
    pub(super) names: Vec<(&'a str, usize)>,
    /// What stands between the parentheses.
    pub(super) columns_text: &'a str,
    /// The names of the types and where they stand; none if there is more to a column than that.
    pub(super) columns: Option<Vec<(&'a str, usize)>>,
    /// Words behind the columns, without those that ask for input and output.
    pub(super) qualifiers: Vec<&'a str>,
    pub(super) is_input: bool,
    pub(super) is_output: bool,
    /// What restricts the rows by a choice.
    pub(super) choice: Option<&'a str>,
}

/// The definition of a type.
#[derive(Debug)]
pub(super) struct TypeDefinition<'a> {
    pub(super) name: &'a str,
    /// The types that it is made of, all of which must be the same underneath; none if it is a record or the like.
    pub(super) parts: Option<Vec<&'a str>>,
    pub(super) text: &'a str,
}

/// What is asked for with a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Input,
    Output,
    PrintSize,
    LimitSize,
}

impl Request {
    /// The word for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Request::Input => ".input",
            Request::Output => ".output",
            Request::PrintSize => ".printsize",
            Request::LimitSize => ".limitsize",
        }
    }
}

/// The relations that something is asked for.
#[derive(Debug)]
pub(super) struct Requests<'a> {
    pub(super) request: Request,
    /// The names and where they stand.
    pub(super) names: Vec<(&'a str, usize)>,
    /// Parameters with their values, as they are written.
    pub(super) parameters: Vec<(&'a str, &'a str)>,
    /// The parameters with their parentheses.
    pub(super) parameters_text: &'a str,
}

/// A statement.
#[derive(Debug)]
pub(super) enum Statement<'a> {
    Declaration(Declaration<'a>),
    Type(TypeDefinition<'a>),
    Requests(Requests<'a>),
    Clause {
        clause: Clause<'a>,
        text: &'a str,
    },
    /// A clause with something that is not modelled, and the relations of its heads.
    OpaqueClause {
        heads: Vec<&'a str>,
        text: &'a str,
    },
    /// Anything else that is not modelled.
    Opaque(&'a str),
    /// Something that brings statements from elsewhere, so that names need not be declared here.
    Include(&'a str),
    /// Advice to the engine, which changes no row.
    Advice,
}
