//! Reading programs in Soufflé's dialect.
//!
//! What was printed is read as the same program. What is not modelled here does not stop the reading: such a statement
//! goes as it is into [`Program::opaque`], and the relations that it gives rows are marked, so that all else can still be
//! changed and printed again.

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

pub use error::SyntaxError;

use crate::program::Program;
use error::Failure;
use lexer::{Dialect, Source};

/// Reads a program. `name` is for messages only. Relations that are read from files are opaque.
pub fn parse(name: &str, text: &str) -> Result<Program, SyntaxError> {
    parse_with_facts(name, text, &|_| None)
}

/// Reads a program and the files of facts that it names. `facts` gives the text of a file by the name that the program
/// has for it, which is that of the relation with `.facts` behind it unless it says otherwise. Relations whose file is
/// not given, or is no plain table, are opaque.
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
