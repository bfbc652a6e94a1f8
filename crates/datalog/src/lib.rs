//! Datalog: programs as plain data, parsing and printing, well-formedness, dialects of engines, and exact evaluation.
//!
//! A [`Program`] has typed relations with facts, and rules with negation, comparisons, arithmetic and aggregates.
//! [`check()`] decides whether every engine must accept a program. [`parse()`] reads Soufflé's language, which is also
//! what programs print as; [`parse::bddbddb`] reads the language of bddbddb.

mod ancestry;
mod check;
pub mod dialect;
mod file_access;
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
pub use file_access::file_access;
pub use opaque::{is_nondeterministic, named_in_opaque};
pub use parse::{SyntaxError, parse, parse_with_facts};
pub use program::{
    Aggregate, Atom, Comparison, Constant, Literal, Operator, Program, Relation, RelationId, Rule, Storage,
    Term, Tuple, Type, Variable,
};
