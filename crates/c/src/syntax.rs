//! The syntax tree: nodes in arenas, each with an id and its byte range. Every expression has its type.

pub(crate) mod arena;
pub(crate) mod entity;
pub(crate) mod line_map;
pub(crate) mod name;
pub(crate) mod program;
pub(crate) mod span;

use crate::syntax::arena::{Id, List};
use crate::syntax::name::Name;
use crate::syntax::span::Span;
use crate::types::{RecordId, Type};

pub use crate::syntax::entity::{Entity, EntityKind, Function, Label, Linkage, Scope, ScopeKind, Storage};

/// Names an expression.
pub type ExpressionId = Id<Expression>;
/// Names a statement.
pub type StatementId = Id<Statement>;
/// Names what an identifier stands for.
pub type EntityId = Id<Entity>;
/// Names a function definition.
pub type FunctionId = Id<Function>;
/// Names a scope.
pub type ScopeId = Id<Scope>;
/// Names a label.
pub type LabelId = Id<Label>;
/// Names a declaration.
pub type DeclarationId = Id<Declaration>;
/// Names a string literal.
pub type StringId = Id<StringLiteral>;
/// Names an `asm`.
pub type AsmId = Id<Asm>;

/// An expression. Its operands were made before it, so their ids are smaller.
#[derive(Debug, Clone, Copy)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Its bytes, with the parentheses directly around it.
    pub span: Span,
    /// Its type as `typeof` gives it: arrays and functions are not yet pointers, and lvalues keep their qualifiers.
    pub r#type: Type,
    /// Whether it designates an object.
    pub is_lvalue: bool,
    /// Whether its value is in `Program::constants` or in the node itself.
    pub(crate) is_constant: bool,
}

/// The kinds of expressions.
#[derive(Debug, Clone, Copy)]
pub enum ExpressionKind {
    /// A variable, parameter, function or enumeration constant.
    Name(EntityId),
    /// An integer literal, `true` or `false`. With a complex type, it is the imaginary part.
    Integer(u64),
    /// A character constant, or `nullptr` as 0.
    Character(i64),
    /// A floating literal, rounded to `double`. With a complex type, it is the imaginary part.
    Real(f64),
    /// One or more adjacent string literals.
    String(StringId),
    /// `__func__` or one of its other spellings.
    FunctionName(StringId),
    /// `(type){ … }`; the operand is the initializer list.
    CompoundLiteral(ExpressionId),
    /// A call.
    Call {
        /// The function, or a pointer to it.
        function: ExpressionId,
        /// The arguments: see `Program::expression_lists`.
        arguments: List<ExpressionId>,
    },
    /// `base[index]`; either of them may be the pointer.
    Index {
        /// What stands before the bracket.
        base: ExpressionId,
        /// What stands in the brackets.
        index: ExpressionId,
    },
    /// `base.member` or `base->member`.
    Member {
        /// The structure, union or pointer.
        base: ExpressionId,
        /// The record that has the member itself: an anonymous one inside the base's, or the base's.
        record: RecordId,
        /// The position in the members of that record.
        index: u32,
        /// Whether it is written with `->`.
        arrow: bool,
    },
    /// An operator with one operand.
    Unary {
        /// The operator.
        operator: UnaryOperator,
        /// The operand.
        operand: ExpressionId,
    },
    /// An operator with two operands that are both values.
    Binary {
        /// The operator.
        operator: BinaryOperator,
        /// The left operand.
        left: ExpressionId,
        /// The right operand.
        right: ExpressionId,
    },
    /// `target = value`, or a compound assignment such as `target += value`.
    Assign {
        /// The operator in front of `=`.
        operator: Option<BinaryOperator>,
        /// The object that is written.
        target: ExpressionId,
        /// The right side.
        value: ExpressionId,
    },
    /// `left, right`.
    Comma {
        /// Evaluated first, and dropped.
        left: ExpressionId,
        /// The value.
        right: ExpressionId,
    },
    /// `condition ? then : otherwise`.
    Conditional {
        /// The condition.
        condition: ExpressionId,
        /// None for `condition ?: otherwise`.
        then: Option<ExpressionId>,
        /// The value if the condition is zero.
        otherwise: ExpressionId,
    },
    /// `(type) operand`.
    Cast(ExpressionId),
    /// `sizeof operand`.
    SizeofExpression(ExpressionId),
    /// `sizeof (type)`.
    SizeofType(Type),
    /// `__alignof__ operand`.
    AlignofExpression(ExpressionId),
    /// `_Alignof (type)`.
    AlignofType(Type),
    /// `&&label`.
    LabelAddress(LabelId),
    /// `({ … })`; the operand is the compound statement.
    StatementExpression(StatementId),
    /// `_Generic`.
    Generic {
        /// The controlling expression, which is not evaluated.
        control: ExpressionId,
        /// The association that was chosen.
        selected: ExpressionId,
    },
    /// `__builtin_choose_expr`.
    Choose {
        /// The constant.
        condition: ExpressionId,
        /// The expression that was chosen.
        selected: ExpressionId,
        /// The other one, which is not evaluated.
        other: ExpressionId,
    },
    /// `__builtin_va_arg (list, type)`.
    VaArg(ExpressionId),
    /// `__builtin_offsetof (type, member)`.
    Offsetof {
        /// The structure or union.
        of: Type,
        /// The indices in the member designator: see `Program::expression_lists`.
        indices: List<ExpressionId>,
    },
    /// `__builtin_types_compatible_p (first, second)`.
    TypesCompatible {
        /// The first type.
        first: Type,
        /// The second type.
        second: Type,
    },
    /// `__builtin_convertvector (operand, type)`.
    ConvertVector(ExpressionId),
    /// `__builtin_has_attribute (operand or type, attribute)`; the operand, if it is an expression.
    HasAttribute(Option<ExpressionId>),
    /// `{ … }` in an initializer; its type is that of what it initializes.
    InitializerList(List<InitializerItem>),
}

/// Operators with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of C's operators")]
pub enum UnaryOperator {
    Plus,
    Minus,
    Not,
    Complement,
    Dereference,
    AddressOf,
    RealPart,
    ImaginaryPart,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
}

/// Operators with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of C's operators")]
pub enum BinaryOperator {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

/// How the characters of a string are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// `"…"`: bytes.
    Plain,
    /// `u8"…"`: bytes of UTF-8.
    Utf8,
    /// `u"…"`: 16-bit units.
    Utf16,
    /// `U"…"`: 32-bit units.
    Utf32,
    /// `L"…"`: units of `wchar_t`.
    Wide,
}

/// The value of a string literal.
#[derive(Debug, Clone, Copy)]
pub struct StringLiteral {
    /// The encoding.
    pub encoding: Encoding,
    /// The units without the terminating zero: see `Program::string_units`.
    pub units: List<u32>,
}

/// One entry of a braced initializer.
#[derive(Debug, Clone, Copy)]
pub struct InitializerItem {
    /// The designators in front of the value: see `Program::designators`.
    pub designators: List<Designator>,
    /// The value: an expression or an initializer list.
    pub value: ExpressionId,
    /// What it initializes; none if it is beyond the end of the object.
    pub part: Option<InitializedPart>,
    /// All of it.
    pub span: Span,
}

/// The part of an object that an entry of its initializer list initializes.
#[derive(Debug, Clone, Copy)]
pub struct InitializedPart {
    /// Where it begins, in bits from the beginning of the object. For a range of elements, this is the last one.
    pub offset: u64,
    /// Its type. For a bit-field, the declared type.
    pub r#type: Type,
    /// The width of a bit-field.
    pub width: Option<u32>,
}

/// A designator.
#[derive(Debug, Clone, Copy)]
pub enum Designator {
    /// `.name`, or the old `name:`.
    Member(Name),
    /// `[index]`.
    Index(ExpressionId),
    /// `[first ... last]`.
    Range(ExpressionId, ExpressionId),
}

/// A statement, or an item at file scope.
#[derive(Debug, Clone, Copy)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Its bytes, with the closing semicolon or brace.
    pub span: Span,
}

/// The kinds of statements and of items at file scope.
#[derive(Debug, Clone, Copy)]
pub enum StatementKind {
    /// `;`
    Empty,
    /// `[[fallthrough]];` and the like.
    Attributes(List<Attribute>),
    /// An expression and `;`
    Expression(ExpressionId),
    /// `{ … }`
    Compound {
        /// The scope that it opens. The body of a function has the scope of the parameters as parent.
        scope: ScopeId,
        /// Declarations and statements: see `Program::statement_lists`.
        items: List<StatementId>,
    },
    /// `if`.
    If {
        /// The condition.
        condition: ExpressionId,
        /// The first branch.
        then: StatementId,
        /// The branch after `else`.
        otherwise: Option<StatementId>,
    },
    /// `while`.
    While {
        /// The condition.
        condition: ExpressionId,
        /// The body.
        body: StatementId,
    },
    /// `do … while`.
    DoWhile {
        /// The body.
        body: StatementId,
        /// The condition.
        condition: ExpressionId,
    },
    /// `for`.
    For(Id<ForLoop>),
    /// `switch`.
    Switch {
        /// The value that is compared with the cases.
        value: ExpressionId,
        /// The body.
        body: StatementId,
    },
    /// `case first:` or `case first ... last:`
    Case {
        /// The value, or the first one of a range.
        first: ExpressionId,
        /// The last one of a range.
        last: Option<ExpressionId>,
        /// What follows the colon.
        body: StatementId,
    },
    /// `default:`
    Default(StatementId),
    /// `label:`
    Label {
        /// The label.
        label: LabelId,
        /// What follows the colon.
        body: StatementId,
    },
    /// `__label__ a, b;`
    LabelDeclaration(List<LabelId>),
    /// `goto label;`
    Goto(LabelId),
    /// `goto *expression;`
    ComputedGoto(ExpressionId),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return;` or `return value;`
    Return(Option<ExpressionId>),
    /// `asm`, inside a function or at file scope.
    Asm(AsmId),
    /// A declaration.
    Declaration(DeclarationId),
    /// `_Static_assert`.
    StaticAssert(ExpressionId),
    /// A function definition, at file scope or nested.
    Function(FunctionId),
}

/// The parts of a `for` statement.
#[derive(Debug, Clone, Copy)]
pub struct ForLoop {
    /// The scope of what the first part declares.
    pub scope: ScopeId,
    /// A declaration or an expression statement, with its semicolon.
    pub first: Option<StatementId>,
    /// The condition.
    pub condition: Option<ExpressionId>,
    /// The expression that is evaluated after each iteration.
    pub step: Option<ExpressionId>,
    /// The body.
    pub body: StatementId,
}

/// A declaration: specifiers and any number of declarators.
#[derive(Debug, Clone, Copy)]
pub struct Declaration {
    /// The bytes of the specifiers.
    pub specifiers: Span,
    /// The type that the specifiers give.
    pub base: Type,
    /// The declarators: see `Program::declarators`.
    pub declarators: List<Declarator>,
}

/// One declarator of a declaration.
#[derive(Debug, Clone, Copy)]
pub struct Declarator {
    /// The entity that it declares. Several declarators may declare the same entity.
    pub entity: EntityId,
    /// The bytes of the declarator, without the initializer.
    pub span: Span,
    /// The bytes of the name.
    pub name: Span,
    /// The type that this declarator gives.
    pub r#type: Type,
    /// The initializer.
    pub initializer: Option<ExpressionId>,
}

/// An attribute.
#[derive(Debug, Clone, Copy)]
pub struct Attribute {
    /// The name, without leading and trailing pairs of underscores and without a prefix such as `gnu::`.
    pub name: Name,
    /// Its bytes, with the arguments.
    pub span: Span,
}

/// An `asm` statement, or one at file scope.
#[derive(Debug, Clone, Copy)]
pub struct Asm {
    /// Whether it is `volatile`.
    pub is_volatile: bool,
    /// The instructions.
    pub template: StringId,
    /// The operands that are written: see `Program::asm_operands`.
    pub outputs: List<AsmOperand>,
    /// The operands that are read.
    pub inputs: List<AsmOperand>,
    /// The clobbers: see `Program::string_lists`.
    pub clobbers: List<StringId>,
    /// The labels of `asm goto`: see `Program::label_lists`.
    pub labels: List<LabelId>,
}

/// An operand of an `asm`.
#[derive(Debug, Clone, Copy)]
pub struct AsmOperand {
    /// The symbolic name.
    pub name: Option<Name>,
    /// The constraint.
    pub constraint: StringId,
    /// The operand itself.
    pub value: ExpressionId,
}
