//! The types of built-in functions, by a small table.

use crate::parse::parser::Parser;
use crate::syntax::name::Name;
use crate::syntax::{EntityId, ExpressionId};
use crate::types::{DataModel, FunctionStyle, Qualifiers, RealKind, Type, TypeKind};

/// Functions of the library and of gcc, by result and parameters. With the prefix `__builtin_`, all of them are
/// built in; without it, a call declares them with this type.
///
/// v void, b _Bool, i int, u unsigned, l long, m unsigned long, x long long, y unsigned long long, f float,
/// d double, e long double, p void *, q const void *, s char *, c const char *, z size_t, h unsigned short,
/// w a 64-bit unsigned, a va_list, and `.` for further arguments.
const LIBRARY: &[(&str, &[&str])] = &[
    ("v", &["abort"]),
    ("vi", &["exit", "_exit", "_Exit"]),
    ("pz", &["malloc", "alloca"]),
    ("pzz", &["calloc", "aligned_alloc"]),
    ("ppz", &["realloc"]),
    ("vp", &["free"]),
    ("ppqz", &["memcpy", "memmove", "mempcpy"]),
    ("ppiz", &["memset"]),
    ("iqqz", &["memcmp", "bcmp"]),
    ("pqiz", &["memchr"]),
    ("zc", &["strlen"]),
    ("zcz", &["strnlen"]),
    ("icc", &["strcmp", "strcasecmp"]),
    ("iccz", &["strncmp", "strncasecmp"]),
    ("ssc", &["strcpy", "strcat", "stpcpy"]),
    ("sscz", &["strncpy", "strncat", "stpncpy"]),
    ("sci", &["strchr", "strrchr", "index", "rindex"]),
    ("scc", &["strstr", "strpbrk"]),
    ("zcc", &["strspn", "strcspn"]),
    ("sc", &["strdup"]),
    ("scz", &["strndup"]),
    ("ic.", &["printf", "scanf"]),
    ("isc.", &["sprintf"]),
    ("icc.", &["sscanf"]),
    ("iszc.", &["snprintf"]),
    ("ipc.", &["fprintf", "fscanf"]),
    ("ica", &["vprintf", "vscanf"]),
    ("isca", &["vsprintf"]),
    ("iszca", &["vsnprintf"]),
    (
        "ii",
        &[
            "putchar", "abs", "isalpha", "isdigit", "isspace", "isupper", "islower", "isalnum", "toupper",
            "tolower",
        ],
    ),
    ("ic", &["puts", "atoi"]),
    ("ll", &["labs"]),
    ("xx", &["llabs"]),
    (
        "dd",
        &[
            "fabs",
            "sqrt",
            "sin",
            "cos",
            "tan",
            "asin",
            "acos",
            "atan",
            "sinh",
            "cosh",
            "tanh",
            "exp",
            "exp2",
            "log",
            "log2",
            "log10",
            "floor",
            "ceil",
            "trunc",
            "round",
            "rint",
            "nearbyint",
            "cbrt",
            "expm1",
            "log1p",
            "logb",
        ],
    ),
    (
        "ff",
        &[
            "fabsf",
            "sqrtf",
            "sinf",
            "cosf",
            "tanf",
            "expf",
            "exp2f",
            "logf",
            "log2f",
            "log10f",
            "floorf",
            "ceilf",
            "truncf",
            "roundf",
            "rintf",
            "nearbyintf",
            "cbrtf",
        ],
    ),
    (
        "ee",
        &[
            "fabsl", "sqrtl", "sinl", "cosl", "tanl", "expl", "logl", "floorl", "ceill", "truncl", "roundl",
            "rintl",
        ],
    ),
    ("ddd", &["pow", "fmod", "atan2", "copysign", "fmin", "fmax", "hypot", "nextafter", "fdim", "remainder"]),
    ("fff", &["powf", "fmodf", "atan2f", "copysignf", "fminf", "fmaxf", "hypotf"]),
    ("eee", &["powl", "fmodl", "atan2l", "copysignl", "fminl", "fmaxl", "hypotl"]),
    ("dddd", &["fma"]),
    ("ffff", &["fmaf"]),
    ("eeee", &["fmal"]),
    ("ddi", &["ldexp", "scalbn"]),
    ("ffi", &["ldexpf", "scalbnf"]),
    ("ld", &["lround", "lrint"]),
    ("xd", &["llround", "llrint"]),
    ("ii", &["ffs"]),
];

/// Functions that are built in only with the prefix `__builtin_`, which is left out here.
const BUILTIN: &[(&str, &[&str])] = &[
    ("v", &["trap", "unreachable", "cpu_init"]),
    ("lll", &["expect"]),
    ("llld", &["expect_with_probability"]),
    (
        "i.",
        &[
            "constant_p",
            "classify_type",
            "isgreater",
            "isless",
            "isgreaterequal",
            "islessequal",
            "islessgreater",
        ],
    ),
    ("i.", &["isunordered", "isnan", "isinf", "isfinite", "isnormal", "signbit", "fpclassify", "isinf_sign"]),
    ("i.", &["va_arg_pack", "va_arg_pack_len", "eh_return_data_regno", "cpu_is", "cpu_supports", "setjmp"]),
    ("v.", &["va_start", "va_end", "va_copy", "prefetch", "stack_restore", "longjmp", "init_trampoline"]),
    ("v.", &["__clear_cache", "unwind_init", "return", "clear_padding"]),
    ("v.", &["ia32_pause", "ia32_emms", "ia32_lfence", "ia32_mfence", "ia32_sfence", "ia32_clflush"]),
    ("pu", &["frame_address", "return_address"]),
    ("pp", &["extract_return_addr", "frob_return_addr", "launder"]),
    ("p", &["stack_save", "dwarf_cfa"]),
    ("pzz", &["alloca_with_align"]),
    ("pqz.", &["assume_aligned"]),
    ("zqi", &["object_size", "dynamic_object_size"]),
    ("iu", &["popcount", "clz", "ctz", "parity"]),
    ("ii", &["clrsb"]),
    ("il", &["clrsbl", "ffsl"]),
    ("ix", &["clrsbll", "ffsll"]),
    ("im", &["popcountl", "clzl", "ctzl", "parityl"]),
    ("iy", &["popcountll", "clzll", "ctzll", "parityll"]),
    ("hh", &["bswap16"]),
    ("uu", &["bswap32"]),
    ("ww", &["bswap64"]),
    ("d", &["huge_val", "inf"]),
    ("f", &["huge_valf", "inff"]),
    ("e", &["huge_vall", "infl"]),
    ("dc", &["nan", "nans"]),
    ("fc", &["nanf", "nansf"]),
    ("ec", &["nanl", "nansl"]),
    ("ppqzz", &["__memcpy_chk", "__memmove_chk", "__mempcpy_chk"]),
    ("ppizz", &["__memset_chk"]),
    ("sscz", &["__strcpy_chk", "__strcat_chk", "__stpcpy_chk"]),
    ("ssczz", &["__strncpy_chk", "__strncat_chk", "__stpncpy_chk"]),
    ("iszizc.", &["__snprintf_chk"]),
    ("isizc.", &["__sprintf_chk"]),
    ("iszizca", &["__vsnprintf_chk"]),
    ("isizca", &["__vsprintf_chk"]),
    ("biip", &["sadd_overflow", "ssub_overflow", "smul_overflow"]),
    ("bllp", &["saddl_overflow", "ssubl_overflow", "smull_overflow"]),
    ("bxxp", &["saddll_overflow", "ssubll_overflow", "smulll_overflow"]),
    ("buup", &["uadd_overflow", "usub_overflow", "umul_overflow"]),
    ("bmmp", &["uaddl_overflow", "usubl_overflow", "umull_overflow"]),
    ("byyp", &["uaddll_overflow", "usubll_overflow", "umulll_overflow"]),
    ("b.", &["add_overflow", "sub_overflow", "mul_overflow"]),
    ("b.", &["add_overflow_p", "sub_overflow_p", "mul_overflow_p"]),
];

/// Functions of other prefixes, by whole name.
const OTHER: &[(&str, &[&str])] = &[
    ("v", &["__sync_synchronize"]),
    (
        "v.",
        &["__sync_lock_release", "__atomic_load", "__atomic_store", "__atomic_store_n", "__atomic_exchange"],
    ),
    ("v.", &["__atomic_clear", "__atomic_thread_fence", "__atomic_signal_fence"]),
    ("b.", &["__sync_bool_compare_and_swap", "__atomic_compare_exchange", "__atomic_compare_exchange_n"]),
    ("b.", &["__atomic_test_and_set", "__atomic_always_lock_free", "__atomic_is_lock_free"]),
];

impl Parser<'_> {
    /// The type of a function known to the compiler.
    pub(crate) fn builtin_type(&mut self, name: Name) -> Option<Type> {
        let name = String::from_utf8_lossy(self.lexer.names.bytes(name)).into_owned();
        let signature = match name.strip_prefix("__builtin_") {
            Some(rest) => signature_in(BUILTIN, rest).or_else(|| signature_in(LIBRARY, rest))?,
            None => signature_in(LIBRARY, &name).or_else(|| signature_in(OTHER, &name))?,
        };
        let (result, parameters) = signature.split_at(1);
        let result = result.chars().next().map(|letter| self.letter_type(letter))?;
        let is_variadic = parameters.ends_with('.');
        let letters = parameters.trim_end_matches('.');
        let parameters: Vec<Type> = letters.chars().map(|letter| self.letter_type(letter)).collect();
        let style = match (is_variadic, parameters.is_empty()) {
            (true, true) => FunctionStyle::Unspecified,
            (true, false) => FunctionStyle::Variadic,
            (false, _) => FunctionStyle::Fixed,
        };
        Some(self.types().function(result, &parameters, style))
    }

    fn letter_type(&mut self, letter: char) -> Type {
        let types = &mut self.program.types;
        match letter {
            'v' => Type::VOID,
            'b' => Type::BOOL,
            'u' => Type::UNSIGNED_INT,
            'l' => Type::LONG,
            'm' => Type::UNSIGNED_LONG,
            'x' => Type::LONG_LONG,
            'y' => Type::UNSIGNED_LONG_LONG,
            'w' if types.data_model == DataModel::Lp64 => Type::UNSIGNED_LONG,
            'w' => Type::UNSIGNED_LONG_LONG,
            'f' => Type::FLOAT,
            'd' => Type::DOUBLE,
            'e' => Type::LONG_DOUBLE,
            'h' => Type::UNSIGNED_SHORT,
            'z' => types.size_type(),
            'p' => types.pointer_to(Type::VOID),
            'q' => types.pointer_to(Type::VOID.with(Qualifiers::CONST)),
            's' => types.pointer_to(Type::CHAR),
            'c' => types.pointer_to(Type::CHAR.with(Qualifiers::CONST)),
            'a' => {
                let va_list = types.va_list();
                types.decayed(va_list)
            }
            _ => Type::INT,
        }
    }

    /// The type of a call whose arguments determine it.
    pub(crate) fn generic_builtin_type(
        &mut self,
        entity: EntityId,
        arguments: &[ExpressionId],
    ) -> Option<Type> {
        let name = self.program.entities[entity].name;
        let name = String::from_utf8_lossy(self.lexer.names.bytes(name)).into_owned();
        let first = *arguments.first()?;
        let is_atomic = name.starts_with("__atomic_") || name.starts_with("__sync_");
        if is_atomic {
            let is_known = signature_in(OTHER, &name).is_some();
            return if is_known { None } else { self.target_of_argument(first) };
        }
        match name.strip_prefix("__builtin_")? {
            "complex" => {
                let part = self.value_type(first);
                Some(self.types().intern(TypeKind::Complex(part)))
            }
            "shuffle" | "assoc_barrier" | "speculation_safe_value" => Some(self.value_type(first)),
            "shufflevector" => self.shuffled_type(first, arguments.len()),
            "tgmath" => Some(self.type_generic_result(arguments)),
            _ => None,
        }
    }

    fn shuffled_type(&mut self, vector: ExpressionId, arguments: usize) -> Option<Type> {
        let r#type = self.value_type(vector);
        match self.program.types.kind(r#type) {
            TypeKind::Vector { element, .. } => {
                let lanes = arguments.saturating_sub(2) as u32;
                Some(self.types().intern(TypeKind::Vector { element, lanes }))
            }
            _ => None,
        }
    }

    /// `__builtin_tgmath (functions…, arguments…)`: the type of the function whose type fits the arguments.
    fn type_generic_result(&mut self, arguments: &[ExpressionId]) -> Type {
        let mut wanted = Type::INT;
        let mut results = Vec::new();
        for argument in arguments {
            let value = self.value_type(*argument);
            let types = &mut self.program.types;
            match types.pointee(value).map(|target| types.kind(target)) {
                Some(TypeKind::Function { result, .. }) => results.push(result),
                _ => {
                    let value = if types.is_integer(value) { Type::DOUBLE } else { value };
                    wanted = types.arithmetic(wanted, value).unwrap_or(Type::real(RealKind::Double));
                }
            }
        }
        let part = match self.program.types.kind(wanted) {
            TypeKind::Complex(part) => part,
            _ => wanted,
        };
        let fits = |result: &&Type| **result == wanted || **result == part;
        results.iter().find(fits).or(results.first()).copied().unwrap_or(wanted)
    }
}

fn signature_in(table: &[(&'static str, &[&str])], name: &str) -> Option<&'static str> {
    table.iter().find(|(_, names)| names.contains(&name)).map(|(signature, _)| *signature)
}
