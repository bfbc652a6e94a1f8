//! The constants of a program, by type.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use c::{ConstantValue, DataModel, constants, parse};

/// Returns the types and values of the constants of a text.
fn listed(text: &str) -> String {
    let program = parse("t.c", text, DataModel::Lp64).unwrap_or_else(|error| panic!("{error}: {text}"));
    let describe = |occurrence: &c::ConstantOccurrence| {
        let r#type = program.type_text(occurrence.r#type);
        match occurrence.value {
            ConstantValue::Integer(value) => format!("{type} {value}"),
            ConstantValue::Real(value) => format!("{type} {value:?}"),
        }
    };
    constants(&program).iter().map(describe).collect::<Vec<_>>().join(", ")
}

#[test]
fn literals_and_constant_expressions_are_found() {
    for (text, expected) in [
        ("", ""),
        ("int f(void) { return 7; }", "int 7"),
        ("int f(int a) { return a + 7 + 7 * a; }", "int 7"),
        ("int f(int a) { return a + (1 + 2) * 3; }", "int 9, int 1, int 2, int 3"),
        ("int f(int a) { return a < (2 << 3) + 1; }", "int 17, int 2, int 3, int 1"),
        ("int f(int a) { return a - -5; }", "int -5, int 5"),
        ("int f(int a) { return a == 'x'; }", "int 120"),
        ("int f(long a) { return a == 1 || a == 1u || a == 1ul; }", "int 1, unsigned int 1, unsigned long 1"),
        ("int f(long a) { return a > (signed char)200; }", "signed char -56, int 200"),
        ("int f(long a) { return a > 0xFFFFFFFFFFFFFFFF; }", "unsigned long 18446744073709551615"),
        (
            "double f(double a) { return a * 0.5 + 1e3f - -2.5L; }",
            "double 0.5, float 1000.0, \
            long double -2.5, long double 2.5",
        ),
        // Rounding to `double` first would give the next larger `float`.
        ("float f(void) { return 1.00000017881393432617187499f; }", "float 1.0000001192092896"),
        ("int f(double a) { return a == 0.0 || a == -0.0; }", "double 0.0, double -0.0"),
        ("enum e { A = 4, B }; int f(int a) { return a == B; }", "int 5"),
        (
            "enum e { A = 4, B }; int f(int a) { switch (a) { case A ... B: return 0; default: return 9; } }",
            "int 4, int 5, int 0, int 9",
        ),
        (
            "int a[12]; int f(void) { char b[4 * 5]; return sizeof b; }",
            "int 12, int 4, int 20, int 5, \
            unsigned long 20",
        ),
        ("int x = 3; extern int y[8]; typedef int t[9]; struct s { int m[10]; }; int g(int a[11]);", "int 3"),
        ("# 1 \"h.h\" 1 3\nstatic int f(void) { return 5; }\n# 2 \"a.c\" 2\nint x = 3;", "int 3"),
        ("# 1 \"h.h\" 1 3\n#line 9\nint f(void) { return 5; }\n# 2 \"a.c\" 2\nint x = 3;", "int 3"),
        ("int *p = (int *)8; void *q = 0;", "int 8, int 0"),
        ("_Complex double c = 2.0i; _Decimal64 d = 1.5dd;", ""),
    ] {
        assert_eq!(listed(text), expected, "{text}");
    }
}

#[test]
fn the_position_is_that_of_the_first_occurrence() {
    let text = "int f(int a) { return a + 3 - (3) * a - 3u; }";
    let program = parse("t.c", text, DataModel::Lp64).unwrap_or_else(|error| panic!("{error}"));
    let texts: Vec<String> =
        constants(&program).iter().map(|found| program.text_of(found.span).into_owned()).collect();
    assert_eq!(texts, ["3", "3u"]);
}
