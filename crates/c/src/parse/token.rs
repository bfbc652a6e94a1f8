//! Tokens: their kinds, and how keywords and punctuators are spelled.

use crate::syntax::name::{Name, Names};
use crate::syntax::span::Span;

/// A token with its byte range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its bytes.
    pub span: Span,
    /// The identifier, for names and keywords.
    pub name: Name,
}

macro_rules! kinds {
    ($(#[$meta:meta])* $vis:vis enum $enum:ident {
        plain { $($plain:ident = $description:literal,)* }
        keywords { $($keyword:ident = $($spelling:literal)+,)* }
    }) => {
        $(#[$meta])*
        $vis enum $enum { $($plain,)* $($keyword,)* }

        /// Every spelling of every keyword.
        const KEYWORDS: &[(&str, $enum)] = &[$($(($spelling, $enum::$keyword),)+)*];

        impl $enum {
            /// How messages call it.
            pub fn description(self) -> &'static str {
                match self {
                    $($enum::$plain => $description,)*
                    $($enum::$keyword => first(&[$(concat!("`", $spelling, "`")),+]),)*
                }
            }
        }
    };
}

const fn first(spellings: &[&'static str]) -> &'static str {
    spellings[0]
}

kinds! {
    /// The kinds of tokens.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub(crate) enum TokenKind {
        plain {
            End = "the end of the text",
            Name = "an identifier",
            Number = "a number",
            Character = "a character constant",
            String = "a string",
            LeftParenthesis = "`(`",
            RightParenthesis = "`)`",
            LeftBracket = "`[`",
            RightBracket = "`]`",
            LeftBrace = "`{`",
            RightBrace = "`}`",
            Comma = "`,`",
            Semicolon = "`;`",
            Colon = "`:`",
            Question = "`?`",
            Dot = "`.`",
            Arrow = "`->`",
            Ellipsis = "`...`",
            Assign = "`=`",
            Equal = "`==`",
            Not = "`!`",
            NotEqual = "`!=`",
            Less = "`<`",
            LessEqual = "`<=`",
            ShiftLeft = "`<<`",
            ShiftLeftAssign = "`<<=`",
            Greater = "`>`",
            GreaterEqual = "`>=`",
            ShiftRight = "`>>`",
            ShiftRightAssign = "`>>=`",
            Plus = "`+`",
            PlusPlus = "`++`",
            PlusAssign = "`+=`",
            Minus = "`-`",
            MinusMinus = "`--`",
            MinusAssign = "`-=`",
            Star = "`*`",
            StarAssign = "`*=`",
            Slash = "`/`",
            SlashAssign = "`/=`",
            Percent = "`%`",
            PercentAssign = "`%=`",
            And = "`&`",
            AndAnd = "`&&`",
            AndAssign = "`&=`",
            Or = "`|`",
            OrOr = "`||`",
            OrAssign = "`|=`",
            Caret = "`^`",
            CaretAssign = "`^=`",
            Tilde = "`~`",
        }
        keywords {
            Void = "void",
            Char = "char",
            Short = "short",
            Int = "int",
            Long = "long",
            Float = "float",
            Double = "double",
            Signed = "signed" "__signed" "__signed__",
            Unsigned = "unsigned",
            Bool = "_Bool",
            Complex = "_Complex" "__complex" "__complex__",
            Int128 = "__int128",
            Float16 = "_Float16",
            Float32 = "_Float32",
            Float64 = "_Float64",
            Float128 = "_Float128" "__float128",
            Float32x = "_Float32x",
            Float64x = "_Float64x",
            Float80 = "__float80",
            Decimal32 = "_Decimal32",
            Decimal64 = "_Decimal64",
            Decimal128 = "_Decimal128",
            Struct = "struct",
            Union = "union",
            Enum = "enum",
            Typeof = "typeof" "__typeof" "__typeof__",
            TypeofUnqualified = "__typeof_unqual" "__typeof_unqual__",
            AutoType = "__auto_type",
            Typedef = "typedef",
            Extern = "extern",
            Static = "static",
            Auto = "auto",
            Register = "register",
            ThreadLocal = "_Thread_local" "__thread",
            Inline = "inline" "__inline" "__inline__",
            Noreturn = "_Noreturn",
            Const = "const" "__const" "__const__",
            Volatile = "volatile" "__volatile" "__volatile__",
            Restrict = "restrict" "__restrict" "__restrict__",
            Atomic = "_Atomic",
            SegFs = "__seg_fs",
            SegGs = "__seg_gs",
            Alignas = "_Alignas",
            Attribute = "__attribute__" "__attribute",
            Extension = "__extension__",
            Asm = "asm" "__asm" "__asm__",
            StaticAssert = "_Static_assert",
            Sizeof = "sizeof",
            Alignof = "__alignof__" "__alignof",
            MinimumAlignof = "_Alignof",
            Generic = "_Generic",
            RealPart = "__real__" "__real",
            ImaginaryPart = "__imag__" "__imag",
            FunctionName = "__func__" "__FUNCTION__" "__PRETTY_FUNCTION__",
            VaArg = "__builtin_va_arg",
            Offsetof = "__builtin_offsetof",
            TypesCompatible = "__builtin_types_compatible_p",
            Choose = "__builtin_choose_expr",
            ConvertVector = "__builtin_convertvector",
            HasAttribute = "__builtin_has_attribute",
            If = "if",
            Else = "else",
            While = "while",
            Do = "do",
            For = "for",
            Switch = "switch",
            Case = "case",
            Default = "default",
            Goto = "goto",
            Break = "break",
            Continue = "continue",
            Return = "return",
            Label = "__label__",
        }
    }
}

impl TokenKind {
    /// Whether it is an identifier or a keyword.
    pub fn is_word(self) -> bool {
        self == TokenKind::Name || self as u8 >= TokenKind::Void as u8
    }
}

/// Words that are keywords in C23 and may be identifiers before. They follow the keywords among the names.
pub(crate) const CONTEXTUAL: [(&str, TokenKind); 7] = [
    ("bool", TokenKind::Bool),
    ("static_assert", TokenKind::StaticAssert),
    ("alignas", TokenKind::Alignas),
    ("alignof", TokenKind::MinimumAlignof),
    ("thread_local", TokenKind::ThreadLocal),
    ("typeof_unqual", TokenKind::TypeofUnqualified),
    ("constexpr", TokenKind::Const),
];

/// The names that every program begins with. A keyword is recognized by its number.
pub(crate) fn initial_names() -> (Names, Vec<TokenKind>) {
    let mut names = Names::new();
    let mut kinds = Vec::new();
    for (spelling, kind) in KEYWORDS {
        names.intern(spelling.as_bytes());
        kinds.push(*kind);
    }
    for (spelling, _) in CONTEXTUAL {
        names.intern(spelling.as_bytes());
    }
    (names, kinds)
}

/// The keyword that an identifier is in C23, unless the program declares it.
pub(crate) fn contextual_keyword(name: Name) -> Option<TokenKind> {
    let index = (name.0 as usize).checked_sub(KEYWORDS.len())?;
    CONTEXTUAL.get(index).map(|(_, kind)| *kind)
}
