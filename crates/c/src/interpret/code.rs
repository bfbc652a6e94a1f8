//! The instructions that functions are translated into.

use super::memory::Access;
use super::value::Scalar;
use crate::syntax::span::Span;
use crate::syntax::{BinaryOperator, EntityId, LabelId, StringId, UnaryOperator};
use crate::types::Type;

/// A function as instructions.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub operations: Vec<Operation>,
    /// The text that each instruction comes from.
    pub spans: Vec<Span>,
    /// The position of each target of a jump.
    pub targets: Vec<usize>,
    pub blocks: Vec<Block>,
    pub jumps: Vec<BlockJump>,
    pub switches: Vec<Switch>,
    pub calls: Vec<CallSite>,
    /// Sentences for what the interpreter does not support.
    pub refusals: Vec<String>,
    /// The number of objects that an activation has.
    pub slots: usize,
    /// The parameters come first in the slots.
    pub parameters: Vec<LocalObject>,
    /// The type of the result.
    pub result: Option<Type>,
}

/// Names the target of a jump: see [`Code::targets`].
pub(super) type Target = usize;

/// An object of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalObject {
    pub slot: usize,
    pub r#type: Type,
    pub alignment: u64,
    /// Whether its size is computed when its declaration is reached.
    pub is_variable: bool,
}

/// The objects that exist while a block is executed.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub objects: Vec<LocalObject>,
}

/// A jump that leaves and enters blocks.
#[derive(Clone, Debug)]
pub(super) struct BlockJump {
    pub label: Option<LabelId>,
    pub leave: Vec<usize>,
    pub enter: Vec<usize>,
    pub target: Target,
}

/// The cases of a `switch`.
#[derive(Clone, Debug)]
pub(super) struct Switch {
    /// The least and greatest value of each case, and its jump.
    pub cases: Vec<(i128, i128, usize)>,
    /// The jump for all other values.
    pub default: Option<usize>,
    pub end: Target,
}

/// What is known about a call from its text.
#[derive(Clone, Debug)]
pub(super) struct CallSite {
    /// The type of the function.
    pub r#type: Type,
    /// The types of the arguments after their conversions.
    pub arguments: Vec<Type>,
}

/// An instruction of the stack machine. Operands are taken from the stack, the last one first.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    Integer(i128),
    Float(f32),
    Double(f64),
    Null,
    Void,
    /// The address of a function.
    Function(EntityId),
    /// The address of a string literal.
    String(StringId),
    /// The address of a variable of this activation.
    Local(usize),
    /// The address of a variable that always exists.
    Static(EntityId),
    /// Pointer → value.
    Load(Access),
    /// Pointer, value → value.
    Store(Access),
    /// Pointer, value → nothing.
    Initialize(Access),
    /// Pointer, right operand → the new value of the object. The operation is computed in the second type.
    Modify {
        access: Access,
        operator: BinaryOperator,
        stored: Scalar,
        common: Scalar,
    },
    /// Pointer, number → the new pointer, moved by a number of elements, also stored.
    ModifyPointer {
        access: Access,
        size: i64,
    },
    /// Pointer → the value before or after adding one step.
    StepBy {
        access: Access,
        stored: Scalar,
        computed: Scalar,
        amount: i64,
        is_before: bool,
    },
    /// Pointer → pointer to a member, and limited to it.
    Member {
        offset: i64,
        size: Option<u64>,
    },
    /// Pointer → the same pointer, limited to a number of bytes.
    Narrow(u64),
    /// Pointer → the same pointer, limited to the record that it points to.
    Recast(Type),
    /// Pointer, number → pointer, moved by elements of this size, which is negative for a subtraction.
    Index(i64),
    Convert(Scalar, Scalar),
    Unary(UnaryOperator, Scalar),
    Not,
    Binary(BinaryOperator, Scalar),
    /// Pointer, pointer → truth.
    ComparePointers(BinaryOperator),
    /// Pointer, pointer → number of elements of this size.
    PointerDifference(i64),
    /// Pointer to result, number, number → whether the result does not fit.
    Overflow(BinaryOperator, Type),
    Swap,
    Pop,
    Duplicate,
    Jump(Target),
    JumpIfZero(Target),
    JumpIfNotZero(Target),
    /// A jump between blocks: see [`Code::jumps`].
    JumpOut(usize),
    Switch(usize),
    Enter(usize),
    Leave(usize),
    /// Takes the value of a variable away, whose declaration has no initializer.
    Forget(usize),
    /// Number of elements → nothing; makes an array of variable length.
    CreateVariable {
        slot: usize,
        element: Type,
    },
    /// Pointer → nothing; sets all members to zero.
    Zero(Type),
    /// Pointer → nothing; writes a string into an array of this type.
    WriteString(StringId, Type),
    /// Value of a structure → pointer to a temporary object with it.
    Materialize(Type),
    /// Ends the temporary objects.
    EndFullExpression,
    /// Function, arguments → result: see [`Code::calls`].
    Call(usize),
    /// Value → leaves the function.
    Return,
    /// Leaves a function at its closing brace.
    FallOff,
    /// Stops: see [`Code::refusals`].
    Refuse(usize),
}
