//! Datalog: programs as plain data, their text, what makes them well-formed, and exact evaluation.
//!
//! A [`Program`] has typed relations with facts, and rules with negation, comparisons, arithmetic and aggregates.
//! [`check()`] says whether every engine must take it. [`parse()`] reads what is printed, and what others wrote for
//! Soufflé; [`parse::bddbddb`] reads what they wrote for bddbddb.

mod ancestry;
mod check;
pub mod dialect;
pub mod generate;
mod inlining;
mod opaque;
pub mod parse;
mod print;
mod program;
pub mod reference;
pub mod strata;

pub use ancestry::{Ancestry, ancestry, ancestry_by};
pub use check::{bound_variables, check, check_rule, is_bound};
pub use dialect::Dialect;
pub use opaque::{is_unsteady, named_in_opaque};
pub use parse::{SyntaxError, parse, parse_with_facts};
pub use program::{
    Aggregate, Atom, Comparison, Constant, Literal, Operator, Program, Relation, RelationId, Rule, Storage,
    Term, Tuple, Type, Variable,
};
