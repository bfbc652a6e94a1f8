//! Parses programs in Soufflé's dialect.
//!
//! A printed program is read back unchanged. Statements that this crate does not model go verbatim into
//! [`Program::opaque`], and the relations that they define are marked as opaque. Everything else can still be changed and
//! printed.

mod assemble;
pub mod bddbddb;
mod clause;
mod cursor;
mod directive;
mod error;
mod expand;
mod facts;
mod lexer;
mod lower;
mod settle;
mod statement;
mod syntax;
mod term;
mod types;

pub use model::SyntaxError;

use crate::program::Program;
use error::Failure;
use lexer::{Dialect, Source};

/// Parses a program. `name` appears in messages. Relations with fact files are opaque.
pub fn parse(name: &str, text: &str) -> Result<Program, SyntaxError> {
    parse_with_facts(name, text, &|_| None)
}

/// Parses a program and the fact files that it names.
///
/// `facts` returns the text of a file by the name in the program, which is `RELATION.facts` by default. A relation whose
/// file is missing or is not a plain table is opaque.
pub fn parse_with_facts(
    name: &str,
    text: &str,
    facts: &dyn Fn(&str) -> Option<String>,
) -> Result<Program, SyntaxError> {
    read(text, facts).map_err(|failure| failure.locate(name, text))
}

fn read(text: &str, facts: &dyn Fn(&str) -> Option<String>) -> Result<Program, Failure> {
    let source = Source::new(text, Dialect::Souffle)?;
    let statements = statement::statements(&source)?;
    assemble::assemble(&statements, facts)
}
