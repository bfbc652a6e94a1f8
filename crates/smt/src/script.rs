//! Scripts: the commands of a file over one store of terms.

use crate::term::function::FunctionInfo;
use crate::term::sort::SortId;
use crate::term::symbol::SymbolId;
use crate::term::{TermId, Terms};

/// A selector of a constructor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    /// Its name.
    pub name: SymbolId,
    /// The sort of the field; unknown if it mentions a sort parameter.
    pub sort: SortId,
}

/// A constructor of a datatype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constructor {
    /// Its name.
    pub name: SymbolId,
    /// Its fields.
    pub selectors: Vec<Selector>,
}

/// A datatype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datatype {
    /// Its name.
    pub name: SymbolId,
    /// How many sort parameters it has.
    pub arity: u32,
    /// Its constructors.
    pub constructors: Vec<Constructor>,
}

/// A command. Functions are named by symbol; their signatures and bodies are in [`Terms::function`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `(set-logic L)`.
    SetLogic(SymbolId),
    /// `(set-option :keyword value)`, with the value as text.
    SetOption {
        /// The keyword with its colon.
        keyword: String,
        /// The value as it was written; empty if there is none.
        value: String,
    },
    /// `(set-info :keyword value)`, with the value as text.
    SetInfo {
        /// The keyword with its colon.
        keyword: String,
        /// The value as it was written; empty if there is none.
        value: String,
    },
    /// `(declare-sort S n)`.
    DeclareSort {
        /// The name.
        name: SymbolId,
        /// The number of arguments.
        arity: u32,
    },
    /// `(define-sort S (parameters) body)`. Uses are expanded while reading.
    DefineSort {
        /// The name.
        name: SymbolId,
        /// The sort parameters.
        parameters: Vec<SymbolId>,
        /// The body as it was written.
        body: String,
    },
    /// `declare-datatype`, `declare-datatypes` or `declare-codatatypes`, in the syntax it was written in.
    DeclareDatatypes {
        /// The datatypes.
        datatypes: Vec<Datatype>,
        /// The command as it was written.
        text: String,
    },
    /// `declare-fun`.
    DeclareFun(SymbolId),
    /// `declare-const`.
    DeclareConst(SymbolId),
    /// `define-fun`.
    DefineFun(SymbolId),
    /// `define-const`.
    DefineConst(SymbolId),
    /// `define-fun-rec`.
    DefineFunRec(SymbolId),
    /// `define-funs-rec`.
    DefineFunsRec(Vec<SymbolId>),
    /// `assert`.
    Assert(TermId),
    /// `check-sat`.
    CheckSat,
    /// `check-sat-assuming`.
    CheckSatAssuming(Vec<TermId>),
    /// z3's `check-sat-using`, with the tactic and its parameters as text.
    CheckSatUsing(String),
    /// `push`; without a number it is one level.
    Push(u32),
    /// `pop`; without a number it is one level.
    Pop(u32),
    /// `get-assertions`.
    GetAssertions,
    /// `get-assignment`.
    GetAssignment,
    /// `get-info`, with its keyword.
    GetInfo(String),
    /// `get-model`.
    GetModel,
    /// `get-option`, with its keyword.
    GetOption(String),
    /// `get-proof`.
    GetProof,
    /// `get-unsat-assumptions`.
    GetUnsatAssumptions,
    /// `get-unsat-core`.
    GetUnsatCore,
    /// `get-value`.
    GetValue(Vec<TermId>),
    /// `echo`, with the string literal between its quotes.
    Echo(String),
    /// `exit`.
    Exit,
    /// `reset`.
    Reset,
    /// `reset-assertions`.
    ResetAssertions,
    /// A solver's own command, byte for byte as it was written.
    Other(String),
}

/// A script: commands in order, over one store of terms.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The terms, sorts, symbols and functions.
    pub terms: Terms,
    /// The commands in order.
    pub commands: Vec<Command>,
    /// The line where each command began; shorter than `commands` if commands were added by a program.
    pub lines: Vec<u32>,
}

impl Script {
    /// What is known of a function.
    pub fn function(&self, symbol: SymbolId) -> Option<&FunctionInfo> {
        self.terms.function(symbol)
    }

    /// The line where a command began, or `None` if the command was not read from a file.
    pub fn line(&self, command: usize) -> Option<u32> {
        self.lines.get(command).copied()
    }

    /// The name of the logic, if the script sets one.
    pub fn logic(&self) -> Option<&str> {
        self.commands.iter().find_map(|command| match command {
            Command::SetLogic(name) => Some(self.terms.symbol(*name)),
            _ => None,
        })
    }

    /// The asserted terms in order, regardless of the push level.
    pub fn assertions(&self) -> impl Iterator<Item = TermId> + '_ {
        self.commands.iter().filter_map(|command| match command {
            Command::Assert(term) => Some(*term),
            _ => None,
        })
    }
}
