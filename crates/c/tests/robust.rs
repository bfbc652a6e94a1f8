//! No input causes a panic or a stack overflow.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use c::{DataModel, parse};
use support::{Numbers, files};

/// Constructs that nest, as an opening, an inner and a closing part. Test threads have stacks of 2 MB.
const NESTED: &[(&str, &str, &str, &str, &str)] = &[
    ("int x = ", "(", "1", ")", ";"),
    ("int x = ", "-", "1", "", ";"),
    ("int x = ", "~(int)", "1", "", ";"),
    ("int x = ", "1 + (2 * (3 | ", "1", "))", ";"),
    ("int x = ", "1 ? ", "1", " : 2", ";"),
    ("int x = ", "1 ? 1 : ", "1", "", ";"),
    ("int x = ", "1 ?: ", "1", "", ";"),
    ("int x; void f(void) { ", "x = ", "1", "", "; }"),
    ("int x = ", "sizeof(int[", "1", "])", ";"),
    ("int x = ", "sizeof ", "1", "", ";"),
    ("int x = ", "(int (*)(__typeof__(", "1", ")))0", ";"),
    ("int x = ", "_Generic(1, default: ", "1", ")", ";"),
    ("int x = ", "__builtin_choose_expr(1, ", "1", ", 0)", ";"),
    ("int f(); int x() { return ", "f(", "1", ")", "; }"),
    ("int f(void) { return ", "({ ", "1", "; })", "; }"),
    ("int x[] = ", "{", "1", "}", ";"),
    ("int x[] = ", "{ [0] = ", "1", "}", ";"),
    ("struct s *x = ", "&(struct s { void *p; }) { ", "0", "}", ";"),
    ("void f(void) ", "{", ";", "}", ""),
    ("void f(int a) { ", "if (a) ", ";", "", "}"),
    ("void f(int a) { ", "if (a) ; else { ", ";", "}", "}"),
    ("void f(int a) { ", "while (a) ", ";", "", "}"),
    ("void f(int a) { ", "do ", ";", " while (a);", "}"),
    ("void f(int a) { ", "for (;;) ", ";", "", "}"),
    ("void f(int a) { ", "switch (a) { case 1: ", ";", "}", "}"),
    ("void f(void) { ", "int g(void) { ", "return 1;", "} ", "}"),
    ("int ", "(", "x", ")", ";"),
    ("int ", "(*", "x", ")(void)", ";"),
    ("int ", "*", "x", "", ";"),
    ("int x", "[1]", "", "", ";"),
    ("int ", "f(int ", "x", ")", ";"),
    ("", "struct { ", "int x;", "} y;", " int z;"),
    ("", "struct { union { ", "int x;", "}; };", " int z;"),
    ("enum { A = ", "sizeof(enum { B", "C", "})", "};"),
    ("__attribute__((aligned(", "(", "8", ")", "))) int x;"),
    ("__attribute__((unknown(", "(", "8", ")", "))) int x;"),
    ("_Alignas(", "_Alignof(int[", "1", "])", ") int x;"),
];

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    for (before, open, inside, close, after) in NESTED {
        for depth in [10, 150, 400, 800, 1200, 100_000] {
            let text = format!("{before}{}{inside}{}{after}", open.repeat(depth), close.repeat(depth));
            // Deep texts may also be invalid for other reasons, such as a redeclaration; they only must not crash.
            let result = parse("deep.c", &text, DataModel::Lp64);
            if depth == 100_000
                && let Err(error) = result
            {
                let is_limit =
                    error.message.contains("nested levels") || error.message.contains("at most 1000");
                let is_other = error.message.starts_with("expected") || error.message.contains("again");
                assert!(is_limit || is_other, "{error}");
            }
        }
    }
}

/// Types share their parts, and whoever compares, prints or searches them meets each part as often as it occurs.
#[test]
fn types_that_double_are_errors() {
    let doubled = |first: &str, next: &str, last: &str| {
        let part = |number: usize| {
            next.replace("OLD", &format!("t{number}")).replace("NEW", &format!("t{}", number + 1)) + "\n"
        };
        format!("{first}\n{}{}", (0..60).map(part).collect::<String>(), last.replace("LAST", "t60"))
    };
    let pointers = "typedef OLD (*NEW)(OLD, OLD);";
    let records = "struct NEW { struct OLD p, q; };";
    let both = "typedef OLD (*NEW)(OLD, OLD); typedef uOLD (*uNEW)(uOLD, uOLD);";
    let texts = [
        doubled("typedef int (*t0)(int);", pointers, "LAST g; int x = g + 1.0;"),
        doubled("typedef int (*t0)(int); typedef int (*ut0)();", both, "extern LAST g; extern uLAST g;"),
        doubled("typedef int (*t0)(int); typedef int (*ut0)(long);", both, "extern LAST g; extern uLAST g;"),
        doubled("struct t0 { int a; };", records, "struct LAST g;"),
        doubled("struct t0 { };", records, "struct LAST g; void f(void) { g = g; }"),
        doubled(
            "struct t0 { }; extern struct t0 a0[2];",
            "struct NEW { struct OLD p[2], q; };",
            "struct LAST g;",
        ),
        doubled(
            "struct t0 { };",
            "extern struct NEW x[2]; struct NEW { struct OLD p[2], q[2]; };",
            "struct LAST g;",
        ),
        doubled("union t0 { int a; };", "union NEW { union OLD p, q; };", "union LAST g, h;"),
    ];
    for text in texts {
        let error = parse("doubled.c", &text, DataModel::Lp64).map(drop).unwrap_err();
        assert!(error.message.contains("at most 100000 parts when it is written out"), "{error}");
    }
    let wide: String = (0..20_000).map(|number| format!("int x{number}; ")).collect();
    assert!(parse("wide.c", format!("struct s {{ {wide} }} g;"), DataModel::Lp64).is_ok());
}

/// Chains that do not nest may have any length.
#[test]
fn long_chains_are_parsed() {
    let count = 50_000;
    let rows = [
        format!("int x = 0{};", " + 1".repeat(count)),
        format!("int x = 1{};", " && 1".repeat(count)),
        format!("void f(int a) {{ a{}; }}", ", a".repeat(count)),
        format!("void f(int a) {{ if (a) ; {} }}", "else if (a) ; ".repeat(count)),
        format!("void f(int a) {{ switch (a) {{ {} ; }} }}", "case 1: ".repeat(count)),
        format!("int f(); void g(void) {{ {} }}", "f(1, 2); ".repeat(count)),
        format!("struct s {{ struct s *n; }} *p; void f(void) {{ p{}; }}", "->n".repeat(count)),
        format!("int x[] = {{ {} }};", "1, ".repeat(count)),
        format!("char s[] = {};", "\"a\" ".repeat(count)),
        format!("int {};", (0..count).map(|index| format!("x{index}")).collect::<Vec<_>>().join(", ")),
        (0..count)
            .map(|index| format!("struct s{} {{ struct s{index} *p; }};\n", index + 1))
            .collect::<String>(),
        format!(
            "struct s0 {{ int x; }};\n{} struct s2000 v = {{ 1 }};",
            (0..2000)
                .map(|index| format!("struct s{} {{ struct s{index} m; }};\n", index + 1))
                .collect::<String>()
        ),
    ];
    for text in rows {
        let program = parse("long.c", &text, DataModel::Lp64);
        if let Err(error) = program {
            panic!("{error}: {}", &text[..60]);
        }
    }
    let sum = format!("int x[0{}];", " + 1".repeat(count));
    let program = parse("sum.c", &sum, DataModel::Lp64).unwrap();
    let array = program.entities[program.find("x").unwrap()].r#type;
    assert_eq!(program.types.size(array), Some(4 * count as u64));
}

/// Empty texts are programs without sites and constants.
#[test]
fn empty_texts_are_parsed() {
    for text in
        ["", "\n", " \t\r\n", "/* */", "// no newline", ";", "\u{feff}", "# 1 \"a.c\"\n", "#pragma once"]
    {
        let program =
            parse("empty.c", text, DataModel::Lp64).unwrap_or_else(|error| panic!("{error}: {text:?}"));
        assert_eq!((c::sites(&program).len(), c::constants(&program).len()), (0, 0), "{text:?}");
    }
}

/// Long repetitions, in programs and in texts that are not C. Where the work grows with the square of the text, this
/// test does not end; `cargo run --release -p c --example scaling` measures the growth.
#[test]
fn long_repetitions_end_well() {
    for (before, repeated, after) in support::repeated::REPEATED {
        let text = support::repeated::repeated(before, repeated, after, 800_000);
        if let Ok(program) = parse("large.c", &text, DataModel::Lp64) {
            let _ = (c::sites(&program), c::constants(&program));
        }
        let _ = c::needs_preprocessor(text.as_bytes());
    }
}

/// Texts of 50 MB are handled, whether they are C or not.
#[test]
fn fifty_megabytes_are_handled() {
    let function = |number: usize| {
        format!(
            "int f{number}(int a) {{ int b = a + {number}; while (b > 3) {{ b = b / 2; a--; }} return a * b; }}\n"
        )
    };
    let mut text = String::new();
    for number in 0.. {
        if text.len() >= 50_000_000 {
            break;
        }
        text.push_str(&function(number));
    }
    let program = parse("large.c", &text, DataModel::Lp64).unwrap_or_else(|error| panic!("{error}"));
    assert!(program.functions.len() > 400_000);
    drop(program);
    text.push('@');
    let error = parse("large.c", &text, DataModel::Lp64).err().unwrap();
    assert!(error.message.contains("found `@`") && error.line > 400_000, "{error}");
    let mut numbers = Numbers(9);
    let garbage: Vec<u8> = (0..50_000_000).map(|_| numbers.below(256) as u8).collect();
    assert!(parse("garbage.c", &garbage, DataModel::Lp64).is_err());
}

#[test]
fn truncated_and_changed_files_do_not_crash() {
    let mut numbers = Numbers(7);
    let mut texts: Vec<Vec<u8>> = files("micro").iter().map(|file| std::fs::read(file).unwrap()).collect();
    let samples: Vec<Vec<u8>> = files("samples").iter().map(|file| std::fs::read(file).unwrap()).collect();
    for text in &texts {
        for end in 0..text.len() {
            let _ = parse("cut.c", &text[..end], DataModel::Lp64);
        }
    }
    texts.extend(samples);
    let joined: Vec<u8> = texts.concat();
    for _ in 0..30_000 {
        let mut text = texts[numbers.below(texts.len() as u64) as usize].clone();
        if text.len() > 4000 {
            let start = numbers.below(text.len() as u64 - 2000) as usize;
            text = text[start..start + 2000].to_vec();
        }
        for _ in 0..=numbers.below(4) {
            let at = numbers.below(text.len() as u64 + 1) as usize;
            let length = (numbers.below(12) as usize).min(text.len() - at);
            let from = numbers.below(joined.len() as u64 - 12) as usize;
            let insertion = joined[from..from + numbers.below(12) as usize].to_vec();
            text.splice(at..at + length, insertion);
        }
        let _ = parse("changed.c", &text, DataModel::Ilp32);
    }
}

#[test]
fn random_bytes_do_not_crash() {
    let mut numbers = Numbers(3);
    let pieces: Vec<&str> = "int char struct s { } ( ) [ ] ; , * & = + - 1 0x 'a' \"b\" x y f typedef T if else while \
        for do return case default : ? . -> ... sizeof _Generic __attribute__ (( )) # \n pragma pack(1) enum static \
        extern __typeof__ ({ }) && || << >> ++ -- /* */ // _Alignas asm __label__ goto union unsigned long _Complex \
        __builtin_offsetof __builtin_va_arg [[ ]] %: <: :> \\ @ $ \u{e9} L' u8\" __func__ 1.5e+ .5 0b1"
        .split(' ')
        .collect();
    for _ in 0..60_000 {
        let mut text = Vec::new();
        for _ in 0..numbers.below(40) {
            if numbers.below(12) == 0 {
                text.push(numbers.below(256) as u8);
            } else {
                text.extend_from_slice(pieces[numbers.below(pieces.len() as u64) as usize].as_bytes());
                text.push(b' ');
            }
        }
        let _ = parse("random.c", &text, DataModel::Lp64);
        let _ = c::needs_preprocessor(&text);
    }
}
