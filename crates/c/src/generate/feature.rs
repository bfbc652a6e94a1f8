//! The features of generated programs, each of which can be switched on and off.

use model::Random;

/// A part of C that a program may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// Functions beside `main`, with parameters and results.
    Functions,
    /// Functions that call themselves with a decreasing depth.
    Recursion,
    /// Variables at file scope.
    Globals,
    /// `static` variables, in functions and at file scope, and `static` functions.
    Statics,
    /// `const` variables.
    Constants,
    /// Pointers.
    Pointers,
    /// Pointers that may be null and are tested before they are used.
    NullPointers,
    /// Arrays of one dimension.
    Arrays,
    /// Arrays of two and three dimensions.
    NestedArrays,
    /// Structures.
    Structures,
    /// Structures within structures.
    NestedStructures,
    /// Structures that are assigned, passed and returned as values.
    StructureValues,
    /// Unions whose members have the same size.
    Unions,
    /// Bit-fields.
    BitFields,
    /// `for` loops.
    For,
    /// `while` loops.
    While,
    /// `do` loops.
    Do,
    /// `break` in loops.
    Break,
    /// `continue`.
    Continue,
    /// `return` from the middle of a function.
    EarlyReturn,
    /// `switch`.
    Switch,
    /// Cases that fall through to the next.
    FallThrough,
    /// `goto` to a later label.
    Goto,
    /// `goto` to an earlier label, counted.
    BackwardGoto,
    /// `float` and `double`.
    Floats,
    /// `char` and `short` types.
    SmallIntegers,
    /// `long` and `long long` types.
    LongIntegers,
    /// Unsigned types.
    Unsigned,
    /// `_Bool`.
    Booleans,
    /// Casts.
    Casts,
    /// `?:`.
    Conditional,
    /// `&&`, `||` and `!`.
    Logical,
    /// The comma operator.
    Comma,
    /// `+=` and its like.
    CompoundAssignment,
    /// `++` and `--`.
    Increments,
    /// Side effects within larger expressions.
    EmbeddedEffects,
    /// `*`.
    Multiplication,
    /// `/` and `%`.
    Division,
    /// `<<` and `>>`.
    Shifts,
    /// `&`, `|`, `^` and `~`.
    BitOperators,
    /// Variables that are declared without a value and get one on every path before they are read.
    LateInitialization,
    /// Functions that write through a pointer and return whether they did.
    OutParameters,
    /// Loops that walk an array with a pointer.
    PointerWalks,
    /// A condition that is tested twice, where the second branch relies on what the first one did.
    Correlation,
}

use Feature as F;

impl Feature {
    /// Every feature.
    pub const ALL: [Feature; 44] = [
        F::Functions,
        F::Recursion,
        F::Globals,
        F::Statics,
        F::Constants,
        F::Pointers,
        F::NullPointers,
        F::Arrays,
        F::NestedArrays,
        F::Structures,
        F::NestedStructures,
        F::StructureValues,
        F::Unions,
        F::BitFields,
        F::For,
        F::While,
        F::Do,
        F::Break,
        F::Continue,
        F::EarlyReturn,
        F::Switch,
        F::FallThrough,
        F::Goto,
        F::BackwardGoto,
        F::Floats,
        F::SmallIntegers,
        F::LongIntegers,
        F::Unsigned,
        F::Booleans,
        F::Casts,
        F::Conditional,
        F::Logical,
        F::Comma,
        F::CompoundAssignment,
        F::Increments,
        F::EmbeddedEffects,
        F::Multiplication,
        F::Division,
        F::Shifts,
        F::BitOperators,
        F::LateInitialization,
        F::OutParameters,
        F::PointerWalks,
        F::Correlation,
    ];

    /// The name that users type.
    pub fn name(self) -> &'static str {
        match self {
            F::Functions => "functions",
            F::Recursion => "recursion",
            F::Globals => "globals",
            F::Statics => "statics",
            F::Constants => "constants",
            F::Pointers => "pointers",
            F::NullPointers => "null-pointers",
            F::Arrays => "arrays",
            F::NestedArrays => "nested-arrays",
            F::Structures => "structures",
            F::NestedStructures => "nested-structures",
            F::StructureValues => "structure-values",
            F::Unions => "unions",
            F::BitFields => "bit-fields",
            F::For => "for",
            F::While => "while",
            F::Do => "do",
            F::Break => "break",
            F::Continue => "continue",
            F::EarlyReturn => "early-return",
            F::Switch => "switch",
            F::FallThrough => "fall-through",
            F::Goto => "goto",
            F::BackwardGoto => "backward-goto",
            F::Floats => "floats",
            F::SmallIntegers => "small-integers",
            F::LongIntegers => "long-integers",
            F::Unsigned => "unsigned",
            F::Booleans => "booleans",
            F::Casts => "casts",
            F::Conditional => "conditional",
            F::Logical => "logical",
            F::Comma => "comma",
            F::CompoundAssignment => "compound-assignment",
            F::Increments => "increments",
            F::EmbeddedEffects => "embedded-effects",
            F::Multiplication => "multiplication",
            F::Division => "division",
            F::Shifts => "shifts",
            F::BitOperators => "bit-operators",
            F::LateInitialization => "late-initialization",
            F::OutParameters => "out-parameters",
            F::PointerWalks => "pointer-walks",
            F::Correlation => "correlation",
        }
    }

    /// The feature of this name.
    pub fn named(name: &str) -> Option<Feature> {
        Feature::ALL.into_iter().find(|feature| feature.name() == name)
    }
}

/// A set of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Features(u64);

impl Features {
    /// None: straight code on `int` with branches.
    pub fn none() -> Features {
        Features(0)
    }

    /// All of them.
    pub fn all() -> Features {
        Feature::ALL.into_iter().fold(Features(0), Features::with)
    }

    /// A random subset. Programs that lack some features show bugs that others hide, because the remaining features
    /// get more room.
    pub fn drawn(random: &mut Random) -> Features {
        if random.percent(10) {
            return Features::all();
        }
        let percent = random.between(40, 90);
        let chosen = Feature::ALL.into_iter().filter(|_| random.percent(percent));
        chosen.fold(Features(0), Features::with)
    }

    /// The set with this feature.
    #[must_use]
    pub fn with(self, feature: Feature) -> Features {
        Features(self.0 | 1 << feature as u64)
    }

    /// The set without this feature.
    #[must_use]
    pub fn without(self, feature: Feature) -> Features {
        Features(self.0 & !(1 << feature as u64))
    }

    /// Whether the feature is in the set.
    pub fn has(self, feature: Feature) -> bool {
        self.0 >> feature as u64 & 1 == 1
    }
}
