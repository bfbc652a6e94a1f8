//! SMT-LIB 2.6: parses, sort-checks, evaluates and prints scripts over hash-consed terms, and reads models.

mod evaluate;
mod file_access;
pub mod model;
mod parse;
pub mod print;
mod script;
pub mod search;
mod term;
mod value;

pub use crate::model::assignment::{Assignment, FunctionTable, Interpretation};
pub use evaluate::Evaluator;
pub use file_access::{FileAccess, file_access};
pub use parse::{SyntaxError, parse};
pub use script::{Command, Constructor, Datatype, Script, Selector};
pub use term::function::{Definition, FunctionInfo, FunctionKind};
pub use term::head::{Attribute, AttributeListId, AttributeValue, Head, MatchCase, MatchId, Quantifier};
pub use term::literal::{Decimal, DecimalId, IntegerId};
pub use term::opaque_theory::is_builtin_name;
pub use term::operator::Operator;
pub use term::rebuild::{rebuild, same_head};
pub use term::sort::{Sort, SortId};
pub use term::sort_check::SortError;
pub use term::symbol::{SymbolId, SymbolListId};
pub use term::{TermId, Terms};
pub use value::domain::Domains;
pub use value::pool::{Flavour, ValuePool};
pub use value::text::{element_name, value_text};
pub use value::{ArrayValue, Value};
