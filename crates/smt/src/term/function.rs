//! Functions: what is known of every declared or defined name.

use crate::term::TermId;
use crate::term::sort::SortId;
use crate::term::symbol::SymbolId;

/// Where a function came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// `declare-fun` or `declare-const`: a free symbol.
    Declared,
    /// `define-fun`, `define-const`, `define-fun-rec` or `define-funs-rec`.
    Defined,
    /// A term named by `:named`; its definition is that term.
    Named,
    /// A constructor, selector or tester of a datatype; it heads terms as [`crate::Head::Opaque`].
    Datatype,
}

/// The body of a defined function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The formal parameters; they occur in the body as [`crate::Head::Bound`].
    pub variables: Box<[SymbolId]>,
    /// The body.
    pub body: TermId,
}

/// A function: signature, definition if it has one, and kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionInfo {
    /// The sorts of the parameters; a constant has none.
    pub parameters: Box<[SortId]>,
    /// The sort of the result.
    pub result: SortId,
    /// Where it came from.
    pub kind: FunctionKind,
    /// The body, if it is defined.
    pub definition: Option<Definition>,
    /// Defined by `define-fun-rec` or `define-funs-rec`.
    pub recursive: bool,
    /// Another function of the script has the same name: declared again after a pop, or overloaded.
    pub name_reused: bool,
}
