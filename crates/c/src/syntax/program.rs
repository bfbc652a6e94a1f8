//! A parsed program: the arenas of its tree, its types, names and lines.

use crate::syntax::arena::{Arena, Id};
use crate::syntax::line_map::LineMap;
use crate::syntax::name::{Name, Names};
use crate::syntax::span::Span;
use crate::syntax::{
    Asm, AsmOperand, Attribute, Declaration, Declarator, Designator, Entity, EntityId, Expression,
    ExpressionId, ExpressionKind, ForLoop, Function, InitializerItem, Label, LabelId, Scope, ScopeId,
    Statement, StatementId, StringId, StringLiteral,
};
use crate::types::Types;
use std::collections::BTreeSet;

/// A program: the text and everything known about it.
#[derive(Debug, Clone)]
pub struct Program {
    /// The bytes of the text, unchanged.
    pub text: Vec<u8>,
    /// The items at file scope, in order.
    pub items: Vec<StatementId>,
    /// The scope of the whole text.
    pub file_scope: ScopeId,
    /// Identifiers.
    pub names: Names,
    /// Types.
    pub types: Types,
    /// Places of bytes.
    pub lines: LineMap,
    /// Expressions.
    pub expressions: Arena<Expression>,
    /// Lists of expressions: arguments and indices.
    pub expression_lists: Arena<ExpressionId>,
    /// Statements.
    pub statements: Arena<Statement>,
    /// Lists of statements.
    pub statement_lists: Arena<StatementId>,
    /// The parts of `for` statements.
    pub for_loops: Arena<ForLoop>,
    /// Declarations.
    pub declarations: Arena<Declaration>,
    /// The declarators of declarations.
    pub declarators: Arena<Declarator>,
    /// Variables, parameters, functions, enumeration constants and typedefs.
    pub entities: Arena<Entity>,
    /// Lists of entities: parameters, and the declarations of scopes.
    pub entity_lists: Arena<EntityId>,
    /// Function definitions.
    pub functions: Arena<Function>,
    /// Scopes.
    pub scopes: Arena<Scope>,
    /// Labels.
    pub labels: Arena<Label>,
    /// Lists of labels.
    pub label_lists: Arena<LabelId>,
    /// The entries of initializer lists.
    pub initializer_items: Arena<InitializerItem>,
    /// Designators.
    pub designators: Arena<Designator>,
    /// String literals.
    pub strings: Arena<StringLiteral>,
    /// The units of string literals.
    pub string_units: Arena<u32>,
    /// Lists of strings: clobbers.
    pub string_lists: Arena<StringId>,
    /// Attributes.
    pub attributes: Arena<Attribute>,
    /// `asm` statements.
    pub asms: Arena<Asm>,
    /// The names of all attributes in the text, wherever they stand.
    pub attribute_names: BTreeSet<Name>,
    /// The parentheses with the names in the object file that declarations give, as in `int f(void) asm("g")`.
    pub assembler_names: Vec<Span>,
    /// The operands of `asm` statements.
    pub asm_operands: Arena<AsmOperand>,
    /// The values of constant expressions that are not literals, in order of their ids.
    pub(crate) constants: Vec<(ExpressionId, i128)>,
}

impl Program {
    /// The bytes of a range.
    pub fn bytes(&self, span: Span) -> &[u8] {
        self.text.get(span.range()).unwrap_or(&[])
    }

    /// The bytes of a range as text; bytes that are not UTF-8 are replaced.
    pub fn text_of(&self, span: Span) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.bytes(span))
    }

    /// A name as text.
    pub fn name(&self, name: Name) -> std::borrow::Cow<'_, str> {
        self.names.text(name)
    }

    /// Whether an entity has an attribute, named without underscores: `noreturn`, `pure`.
    pub fn has_attribute(&self, entity: EntityId, name: &str) -> bool {
        let Some(name) = self.names.find(name.as_bytes()) else {
            return false;
        };
        self.attributes[self.entities[entity].attributes].iter().any(|attribute| attribute.name == name)
    }

    /// The entity at file scope with this name.
    pub fn find(&self, name: &str) -> Option<EntityId> {
        let name = self.names.find(name.as_bytes())?;
        let entities = &self.entity_lists[self.scopes[self.file_scope].entities];
        entities.iter().copied().find(|entity| self.entities[*entity].name == name)
    }

    /// Whether an entity is the function that a program begins with.
    pub fn is_main(&self, entity: EntityId) -> bool {
        // Few entities have the name, and looking through those of the file takes longer than comparing names.
        self.names.bytes(self.entities[entity].name) == b"main" && self.find("main") == Some(entity)
    }

    /// Calls `visit` with each direct operand of an expression, from left to right. The statements of a statement
    /// expression, and the lengths in types, are not operands.
    pub fn for_each_operand(&self, expression: ExpressionId, mut visit: impl FnMut(ExpressionId)) {
        use ExpressionKind as K;
        match self.expressions[expression].kind {
            K::Name(_)
            | K::Integer(_)
            | K::Character(_)
            | K::Real(_)
            | K::String(_)
            | K::FunctionName(_)
            | K::SizeofType(_)
            | K::AlignofType(_)
            | K::LabelAddress(_)
            | K::StatementExpression(_)
            | K::TypesCompatible { .. }
            | K::HasAttribute(None) => {}
            K::CompoundLiteral(operand)
            | K::Cast(operand)
            | K::SizeofExpression(operand)
            | K::AlignofExpression(operand)
            | K::VaArg(operand)
            | K::ConvertVector(operand)
            | K::HasAttribute(Some(operand))
            | K::Member { base: operand, .. }
            | K::Unary { operand, .. } => visit(operand),
            K::Call { function, arguments } => {
                visit(function);
                self.expression_lists[arguments].iter().copied().for_each(visit);
            }
            K::Offsetof { indices, .. } => self.expression_lists[indices].iter().copied().for_each(visit),
            K::Index { base: first, index: second }
            | K::Binary { left: first, right: second, .. }
            | K::Assign { target: first, value: second, .. }
            | K::Comma { left: first, right: second }
            | K::Generic { control: first, selected: second } => {
                visit(first);
                visit(second);
            }
            K::Conditional { condition, then, otherwise } => {
                visit(condition);
                then.into_iter().for_each(&mut visit);
                visit(otherwise);
            }
            K::Choose { condition, selected, other } => {
                visit(condition);
                visit(selected);
                visit(other);
            }
            K::InitializerList(items) => self.visit_initializer(items, visit),
        }
    }

    fn visit_initializer(
        &self,
        items: crate::syntax::arena::List<InitializerItem>,
        mut visit: impl FnMut(ExpressionId),
    ) {
        for item in &self.initializer_items[items] {
            for designator in &self.designators[item.designators] {
                match *designator {
                    Designator::Member(_) => {}
                    Designator::Index(index) => visit(index),
                    Designator::Range(first, last) => {
                        visit(first);
                        visit(last);
                    }
                }
            }
            visit(item.value);
        }
    }

    /// The expression and all expressions inside it, outer ones first. The stack is explicit, so a sum of 100,000
    /// terms is safe.
    pub fn walk(&self, root: ExpressionId) -> Walk<'_> {
        Walk { program: self, waiting: vec![root] }
    }

    /// For each expression, whether it or an expression inside it satisfies a predicate. This takes one pass over the
    /// program, where walking each expression would take the square of the length of a sum.
    pub(crate) fn expressions_with(&self, is_it: impl Fn(ExpressionId) -> bool) -> Vec<bool> {
        let mut found = vec![false; self.expressions.len()];
        // Operands are made before what they are operands of.
        for id in self.expressions.ids() {
            let mut is_found = is_it(id);
            self.for_each_operand(id, |operand| is_found |= found[operand.index()]);
            found[id.index()] = is_found;
        }
        found
    }

    /// The value of an integer constant expression. Returns `None` if it is not constant, is undefined, or is an
    /// `unsigned __int128` beyond the largest `i128`.
    pub fn constant(&self, expression: ExpressionId) -> Option<i128> {
        let bits = self.constant_bits(expression)?;
        let is_beyond = bits < 0 && !self.types.is_signed(self.expressions[expression].r#type);
        if is_beyond { None } else { Some(bits) }
    }

    /// The value of an integer constant expression, where an `unsigned __int128` beyond the largest `i128` is
    /// given as the negative number with the same bits.
    pub fn constant_bits(&self, expression: ExpressionId) -> Option<i128> {
        let node = &self.expressions[expression];
        if !node.is_constant {
            return None;
        }
        match node.kind {
            ExpressionKind::Integer(value) => Some(i128::from(value)),
            ExpressionKind::Character(value) => Some(i128::from(value)),
            _ => {
                let index = self.constants.binary_search_by_key(&expression, |(id, _)| *id).ok()?;
                Some(self.constants[index].1)
            }
        }
    }
}

/// An iterator over an expression and everything inside it.
pub struct Walk<'a> {
    program: &'a Program,
    waiting: Vec<ExpressionId>,
}

impl Iterator for Walk<'_> {
    type Item = Id<Expression>;

    fn next(&mut self) -> Option<ExpressionId> {
        let next = self.waiting.pop()?;
        let before = self.waiting.len();
        self.program.for_each_operand(next, |operand| self.waiting.push(operand));
        self.waiting[before..].reverse();
        Some(next)
    }
}
