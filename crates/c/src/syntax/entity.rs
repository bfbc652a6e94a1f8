//! What identifiers stand for, and the functions, scopes and labels that they belong to.

use crate::syntax::arena::List;
use crate::syntax::name::Name;
use crate::syntax::span::Span;
use crate::syntax::{Attribute, EntityId, FunctionId, ScopeId, StatementId};
use crate::types::Type;

/// What an identifier stands for.
#[derive(Debug, Clone, Copy)]
pub struct Entity {
    /// The name.
    pub name: Name,
    /// What it is.
    pub kind: EntityKind,
    /// The type; the composite type if it was declared several times.
    pub r#type: Type,
    /// The storage class as written; `extern` only if every declaration says so.
    pub storage: Storage,
    /// `_Thread_local` or `__thread`.
    pub thread_local: bool,
    /// The linkage.
    pub linkage: Linkage,
    /// The function that it belongs to; none for entities with linkage or at file scope.
    pub function: Option<FunctionId>,
    /// The scope that it belongs to.
    pub scope: ScopeId,
    /// The bytes of its defining declarator, or of the first one if none defines it. Empty for built-in functions.
    pub span: Span,
    /// Where it becomes visible.
    pub visible_from: u32,
    /// Whether it has an initializer, or, for a function, a body.
    pub is_initialized: bool,
    /// Whether its address may be known elsewhere: `&` was applied to it or to a part of it, it is an array used as a
    /// pointer, or a nested function uses it.
    pub address_taken: bool,
    /// Its attributes: see `Program::attributes`. Of those of repeated declarations, each name occurs once.
    pub attributes: List<Attribute>,
}

/// The kinds of entities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntityKind {
    /// A variable that is not a parameter.
    Variable,
    /// A parameter of a function definition or of a prototype.
    Parameter,
    /// A function.
    Function,
    /// A function known to the compiler, or one that is called without a declaration.
    ImplicitFunction,
    /// An enumeration constant with its value.
    EnumerationConstant(i64),
    /// A type.
    Typedef,
}

/// Storage classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// None is written.
    None,
    /// `auto`
    Auto,
    /// `extern`
    Extern,
    /// `register`
    Register,
    /// `static`
    Static,
    /// `typedef`
    Typedef,
}

/// Linkage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linkage {
    /// Known in its scope only.
    None,
    /// Known in this text.
    Internal,
    /// Known in the whole program.
    External,
}

/// A function definition.
#[derive(Debug, Clone, Copy)]
pub struct Function {
    /// The function.
    pub entity: EntityId,
    /// The function around it.
    pub nested_in: Option<FunctionId>,
    /// The scope of the parameters.
    pub scope: ScopeId,
    /// The parameters: see `Program::entity_lists`.
    pub parameters: List<EntityId>,
    /// The compound statement.
    pub body: StatementId,
    /// From the first specifier to the closing brace.
    pub span: Span,
    /// Whether the parameters are declared in the style of K&R.
    pub old_style: bool,
}

/// A scope.
#[derive(Debug, Clone, Copy)]
pub struct Scope {
    /// What opens it.
    pub kind: ScopeKind,
    /// The scope around it.
    pub parent: Option<ScopeId>,
    /// The function that it is part of.
    pub function: Option<FunctionId>,
    /// Its bytes.
    pub span: Span,
    /// The entities that it declares, in order: see `Program::entity_lists`. An entity with linkage may be in several
    /// scopes.
    pub entities: List<EntityId>,
}

/// The kinds of scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeKind {
    /// The whole text.
    File,
    /// The parameters of a function definition.
    Parameters,
    /// The parameters of a prototype.
    Prototype,
    /// A compound statement.
    Block,
    /// A `for` statement.
    For,
}

/// A label.
#[derive(Debug, Clone, Copy)]
pub struct Label {
    /// The name.
    pub name: Name,
    /// Where it was first mentioned.
    pub span: Span,
    /// The labelled statement.
    pub statement: Option<StatementId>,
    /// Whether `&&` is applied to it.
    pub address_taken: bool,
}
