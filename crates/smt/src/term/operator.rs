//! The operators of the theories that are sort-checked and evaluated.

/// An operator of Core, Ints, Reals, Reals_Ints, ArraysEx or FixedSizeBitVectors with its extensions.
///
/// Operators that are spelled differently in different versions of the standard are separate variants: a script prints
/// with its own spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(
    missing_docs,
    reason = "each variant is the CamelCase of its SMT-LIB name, listed in PLAIN and INDEXED"
)]
pub enum Operator {
    True,
    False,
    Not,
    And,
    Or,
    Xor,
    Implies,
    Equal,
    Distinct,
    Ite,
    Add,
    Subtract,
    Negate,
    Multiply,
    Divide,
    IntDiv,
    Mod,
    Abs,
    LessEqual,
    Less,
    GreaterEqual,
    Greater,
    ToReal,
    ToInt,
    IsInt,
    Divisible(u32),
    Concat,
    Extract {
        high: u32,
        low: u32,
    },
    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvNand,
    BvNor,
    BvXor,
    BvXnor,
    BvAdd,
    BvSub,
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvSmod,
    BvShl,
    BvLshr,
    BvAshr,
    Repeat(u32),
    ZeroExtend(u32),
    SignExtend(u32),
    RotateLeft(u32),
    RotateRight(u32),
    ExtRotateLeft,
    ExtRotateRight,
    BvComp,
    BvRedOr,
    BvRedAnd,
    BvUlt,
    BvUle,
    BvUgt,
    BvUge,
    BvSlt,
    BvSle,
    BvSgt,
    BvSge,
    BvNego,
    BvUaddo,
    BvSaddo,
    BvUmulo,
    BvSmulo,
    BvUsubo,
    BvSsubo,
    BvSdivo,
    Bv2Nat,
    Bv2Int,
    UbvToInt,
    SbvToInt,
    Int2Bv(u32),
    Nat2Bv(u32),
    IntToBv(u32),
    Select,
    Store,
    /// `(as const S)`: the array of sort S whose elements are all the one argument. The sort is in the head.
    ConstArray(crate::term::sort::SortId),
}

/// Makes the table of plain operators and the way back from an operator to its name.
macro_rules! plain_operators {
    ($($name:literal => $variant:ident,)*) => {
        /// Operators that are plain symbols. `Negate` is absent: it is `-` with one argument.
        pub(crate) const PLAIN: &[(&str, Operator)] = &[$(($name, Operator::$variant)),*];

        fn plain_name(operator: Operator) -> Option<&'static str> {
            match operator {
                $(Operator::$variant => Some($name),)*
                _ => None,
            }
        }
    };
}

plain_operators! {
    "true" => True,
    "false" => False,
    "not" => Not,
    "and" => And,
    "or" => Or,
    "xor" => Xor,
    "=>" => Implies,
    "=" => Equal,
    "distinct" => Distinct,
    "ite" => Ite,
    "+" => Add,
    "-" => Subtract,
    "*" => Multiply,
    "/" => Divide,
    "div" => IntDiv,
    "mod" => Mod,
    "abs" => Abs,
    "<=" => LessEqual,
    "<" => Less,
    ">=" => GreaterEqual,
    ">" => Greater,
    "to_real" => ToReal,
    "to_int" => ToInt,
    "is_int" => IsInt,
    "concat" => Concat,
    "bvnot" => BvNot,
    "bvneg" => BvNeg,
    "bvand" => BvAnd,
    "bvor" => BvOr,
    "bvnand" => BvNand,
    "bvnor" => BvNor,
    "bvxor" => BvXor,
    "bvxnor" => BvXnor,
    "bvadd" => BvAdd,
    "bvsub" => BvSub,
    "bvmul" => BvMul,
    "bvudiv" => BvUdiv,
    "bvurem" => BvUrem,
    "bvsdiv" => BvSdiv,
    "bvsrem" => BvSrem,
    "bvsmod" => BvSmod,
    "bvshl" => BvShl,
    "bvlshr" => BvLshr,
    "bvashr" => BvAshr,
    "ext_rotate_left" => ExtRotateLeft,
    "ext_rotate_right" => ExtRotateRight,
    "bvcomp" => BvComp,
    "bvredor" => BvRedOr,
    "bvredand" => BvRedAnd,
    "bvult" => BvUlt,
    "bvule" => BvUle,
    "bvugt" => BvUgt,
    "bvuge" => BvUge,
    "bvslt" => BvSlt,
    "bvsle" => BvSle,
    "bvsgt" => BvSgt,
    "bvsge" => BvSge,
    "bvnego" => BvNego,
    "bvuaddo" => BvUaddo,
    "bvsaddo" => BvSaddo,
    "bvumulo" => BvUmulo,
    "bvsmulo" => BvSmulo,
    "bvusubo" => BvUsubo,
    "bvssubo" => BvSsubo,
    "bvsdivo" => BvSdivo,
    "bv2nat" => Bv2Nat,
    "bv2int" => Bv2Int,
    "ubv_to_int" => UbvToInt,
    "sbv_to_int" => SbvToInt,
    "select" => Select,
    "store" => Store,
}

/// Old spellings that z3 reads; they print as the standard operator.
pub(crate) const ALIASES: &[(&str, Operator)] =
    &[("implies", Operator::Implies), ("iff", Operator::Equal), ("if", Operator::Ite)];

impl Operator {
    /// The operator of a plain symbol, an alias included.
    pub fn from_name(name: &str) -> Option<Operator> {
        let find = |list: &[(&str, Operator)]| list.iter().find(|(text, _)| *text == name).map(|(_, op)| *op);
        find(PLAIN).or_else(|| find(ALIASES))
    }

    /// The operator of an indexed identifier such as `(_ extract 7 0)`.
    pub fn from_indexed(name: &str, indices: &[u32]) -> Option<Operator> {
        Some(match (name, indices) {
            ("divisible", &[n]) => Operator::Divisible(n),
            ("extract", &[high, low]) => Operator::Extract { high, low },
            ("repeat", &[n]) => Operator::Repeat(n),
            ("zero_extend", &[n]) => Operator::ZeroExtend(n),
            ("sign_extend", &[n]) => Operator::SignExtend(n),
            ("rotate_left", &[n]) => Operator::RotateLeft(n),
            ("rotate_right", &[n]) => Operator::RotateRight(n),
            ("int2bv", &[n]) => Operator::Int2Bv(n),
            ("nat2bv", &[n]) => Operator::Nat2Bv(n),
            ("int_to_bv", &[n]) => Operator::IntToBv(n),
            _ => return None,
        })
    }

    /// The plain operator whose symbol has this number in a new store of terms.
    pub(crate) fn from_symbol_number(number: usize) -> Option<Operator> {
        let entry = PLAIN.get(number).or_else(|| ALIASES.get(number.checked_sub(PLAIN.len())?));
        entry.map(|(_, operator)| *operator)
    }

    /// Whether the name is that of an indexed operator, regardless of its indices.
    pub(crate) fn is_indexed_name(name: &str) -> bool {
        Operator::from_indexed(name, &[1]).or_else(|| Operator::from_indexed(name, &[1, 1])).is_some()
    }

    /// The symbol that the operator prints with, without its indices.
    pub fn name(self) -> &'static str {
        match self {
            Operator::Negate => "-",
            Operator::Divisible(_) => "divisible",
            Operator::Extract { .. } => "extract",
            Operator::Repeat(_) => "repeat",
            Operator::ZeroExtend(_) => "zero_extend",
            Operator::SignExtend(_) => "sign_extend",
            Operator::RotateLeft(_) => "rotate_left",
            Operator::RotateRight(_) => "rotate_right",
            Operator::Int2Bv(_) => "int2bv",
            Operator::Nat2Bv(_) => "nat2bv",
            Operator::IntToBv(_) => "int_to_bv",
            Operator::ConstArray(_) => "const",
            _ => plain_name(self).unwrap_or_default(),
        }
    }

    /// The indices that the operator prints with, if it is indexed; unused places are `None`.
    pub fn indices(self) -> [Option<u32>; 2] {
        match self {
            Operator::Extract { high, low } => [Some(high), Some(low)],
            Operator::Divisible(n)
            | Operator::Repeat(n)
            | Operator::ZeroExtend(n)
            | Operator::SignExtend(n)
            | Operator::RotateLeft(n)
            | Operator::RotateRight(n)
            | Operator::Int2Bv(n)
            | Operator::Nat2Bv(n)
            | Operator::IntToBv(n) => [Some(n), None],
            _ => [None, None],
        }
    }
}
