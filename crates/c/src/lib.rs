//! C: reads preprocessed GNU C into a typed syntax tree whose nodes know their bytes, analyzes it, edits its text, and
//! generates programs.
//!
//! [`parse`] accepts C89 to C17 with GNU extensions and the commonly used parts of C23. Line markers are followed;
//! pragmas are skipped, apart from `#pragma pack`. A text with other directives must be preprocessed first: see
//! [`needs_preprocessor`].

pub mod analyze;
pub mod edit;
pub mod generate;
pub mod interpret;
mod parse;
pub mod reduce;
pub mod syntax;
pub mod types;

pub use analyze::{
    ConstantOccurrence, ConstantValue, Readable, Site, Values, constants, reachable_functions, sites,
};
pub use edit::patch::{self, Edit};
pub use parse::{SyntaxError, find_unprepared, needs_preprocessor};
pub use syntax::arena::{Arena, Id, List};
pub use syntax::line_map::{LineMap, Position};
pub use syntax::name::{Name, Names};
pub use syntax::program::{Program, Walk};
pub use syntax::span::Span;
pub use types::member::FoundMember;
pub use types::{DataModel, Type, TypeKind, Types};

/// Reads a preprocessed program. `name` is the file name in errors until a line marker changes it.
pub fn parse(name: &str, text: impl AsRef<[u8]>, data_model: DataModel) -> Result<Program, SyntaxError> {
    parse::parse(name, text.as_ref(), data_model)
}

/// Reads a program without its annotations.
pub fn parse_input(name: &str, input: &model::CInput) -> Result<Program, SyntaxError> {
    parse(name, input.base.as_bytes(), input.data_model)
}
