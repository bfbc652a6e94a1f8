//! The syntax tree of statements, before names are resolved.

use crate::program::{Aggregate, Comparison, Constant, Operator};

/// An argument, or a side of a comparison.
#[derive(Debug)]
pub(super) enum Expression<'a> {
    Name(&'a str),
    Wildcard,
    Constant(Constant),
    Apply(Operator, Vec<Expression<'a>>),
    Aggregate(Box<Aggregation<'a>>),
}

/// An aggregate, which is a term in Soufflé.
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

/// A formula in a body.
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
    /// The names and their offsets.
    pub(super) names: Vec<(&'a str, usize)>,
    /// The text between the parentheses.
    pub(super) columns_text: &'a str,
    /// The type names and their offsets; `None` if a column is more than a name and a type name.
    pub(super) columns: Option<Vec<(&'a str, usize)>>,
    /// The qualifiers after the columns, except for input and output.
    pub(super) qualifiers: Vec<&'a str>,
    pub(super) is_input: bool,
    pub(super) is_output: bool,
    /// The `choice-domain` clause.
    pub(super) choice: Option<&'a str>,
}

/// The definition of a type.
#[derive(Debug)]
pub(super) struct TypeDefinition<'a> {
    pub(super) name: &'a str,
    /// The types of which it is the union; `None` for records and algebraic data types.
    pub(super) parts: Option<Vec<&'a str>>,
    pub(super) text: &'a str,
}

/// The kind of an I/O directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    Input,
    Output,
    PrintSize,
    LimitSize,
}

impl Request {
    /// Returns the directive.
    pub(super) fn word(self) -> &'static str {
        match self {
            Request::Input => ".input",
            Request::Output => ".output",
            Request::PrintSize => ".printsize",
            Request::LimitSize => ".limitsize",
        }
    }
}

/// An I/O directive.
#[derive(Debug)]
pub(super) struct Requests<'a> {
    pub(super) request: Request,
    /// The names and their offsets.
    pub(super) names: Vec<(&'a str, usize)>,
    /// The parameters and their values, as written.
    pub(super) parameters: Vec<(&'a str, &'a str)>,
    /// The text of the parameters with their parentheses.
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
    /// A clause that is not modelled, and the relations of its heads.
    OpaqueClause {
        heads: Vec<&'a str>,
        text: &'a str,
    },
    /// Any other statement that is not modelled.
    Opaque(&'a str),
    /// A statement that includes other files, in which names may be declared.
    Include(&'a str),
    /// A hint to the engine that does not change rows.
    Hint,
}
