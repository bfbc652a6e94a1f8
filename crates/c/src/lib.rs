//! C: reading preprocessed GNU C into a typed syntax tree whose nodes know their bytes, and editing the text.
//!
//! [`parse`] takes C89 to C17 with GNU extensions and the parts of C23 in use. Line markers are followed; pragmas
//! are skipped, apart from `#pragma pack`. A text with other directives must be preprocessed first: see
//! [`needs_preprocessor`].

pub mod analyze;
mod arena;
mod asm_parser;
mod attribute_parser;
mod builtin;
mod builtin_parser;
mod constant;
mod constant_occurrence;
mod conversion;
mod declaration_parser;
mod declarator_parser;
mod directive;
pub mod edit;
mod entity;
mod entity_table;
mod error;
mod expression_parser;
mod expression_types;
mod filled;
mod function_parser;
pub mod generate;
mod hash;
mod initialized;
mod initializer_parser;
mod layout;
mod lex;
mod line_map;
mod literal;
mod member;
mod mentions;
mod name;
mod parser;
mod postfix_parser;
mod program;
mod purity;
mod readable;
mod record_parser;
pub mod reduce;
mod scope;
mod sites;
mod span;
mod specifier_parser;
mod statement_parser;
pub mod syntax;
mod token;
mod type_table;
mod type_text;
pub mod types;

pub use arena::{Arena, Id, List};
pub use constant_occurrence::{ConstantOccurrence, ConstantValue, constants};
pub use directive::needs_preprocessor;
pub use edit::patch::{self, Edit};
pub use error::SyntaxError;
pub use initialized::Values;
pub use line_map::{LineMap, Position};
pub use member::FoundMember;
pub use mentions::reachable_functions;
pub use name::{Name, Names};
pub use program::{Program, Walk};
pub use readable::Readable;
pub use sites::{Site, sites};
pub use span::Span;
pub use types::{DataModel, Type, TypeKind, Types};

/// Reads a preprocessed program. `name` is the file that errors name until a line marker says otherwise.
pub fn parse(name: &str, text: impl AsRef<[u8]>, data_model: DataModel) -> Result<Program, SyntaxError> {
    parser::parse(name, text.as_ref(), data_model)
}

/// Reads a program without its annotations.
pub fn parse_input(name: &str, input: &model::CInput) -> Result<Program, SyntaxError> {
    parse(name, input.base.as_bytes(), input.data_model)
}
