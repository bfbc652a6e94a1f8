//! Parses preprocessed GNU C into a [`Program`](crate::Program). One file for each family of constructs.

pub(crate) mod asm;
pub(crate) mod attribute;
pub(crate) mod builtin_form;
pub(crate) mod declaration;
pub(crate) mod declarator;
pub(crate) mod directive;
pub(crate) mod entity_table;
pub(crate) mod error;
pub(crate) mod expression;
pub(crate) mod function;
pub(crate) mod initializer;
pub(crate) mod lexer;
pub(crate) mod literal;
pub(crate) mod parser;
pub(crate) mod postfix;
pub(crate) mod prepared;
pub(crate) mod record;
pub(crate) mod scope;
pub(crate) mod specifier;
pub(crate) mod statement;
pub(crate) mod token;

pub use directive::needs_preprocessor;
pub use model::SyntaxError;
pub use prepared::find_unprepared;

pub(crate) use parser::parse;
