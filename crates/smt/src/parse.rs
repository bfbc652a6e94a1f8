//! Reads SMT-LIB 2.6 scripts and checks their sorts.

pub(crate) mod annotation;
pub(crate) mod binder;
pub(crate) mod command;
pub(crate) mod datatype;
pub(crate) mod identifier;
pub(crate) mod lexer;
pub(crate) mod parser;
pub(crate) mod scope;
pub(crate) mod sort;
pub(crate) mod term;

pub use model::SyntaxError;
pub use parser::parse;
