//! The values of constant expressions, and expressions that are not constant.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use c::syntax::StatementKind;
use c::{DataModel, parse};

/// Returns the value of the expression that a text returns.
fn value(expression: &str, data_model: DataModel) -> Option<i128> {
    let text = format!("struct s {{ char c; int m[3]; }}; int n; int f(void) {{ return {expression}; }}");
    let program = parse("t.c", &text, data_model).unwrap_or_else(|error| panic!("{error}: {expression}"));
    let returned = program.statements.iter().find_map(|statement| match statement.kind {
        StatementKind::Return(value) => value,
        _ => None,
    });
    program.constant(returned.unwrap())
}

#[test]
fn values() {
    let rows = [
        ("1 + 2 * 3", Some(7)),
        ("2147483647 + 1", None),
        ("-2147483647 - 2", None),
        ("2147483647 + 1u", Some(2_147_483_648)),
        ("2147483647 + 1l", Some(2_147_483_648)),
        ("0u - 1", Some(4_294_967_295)),
        ("0ul - 1", Some(18_446_744_073_709_551_615)),
        ("1 / 0", None),
        ("1 % 0", None),
        ("(-2147483647 - 1) / -1", None),
        ("(-2147483647 - 1) % -1", None),
        ("-(-2147483647 - 1)", None),
        ("1 << 31", Some(-2_147_483_648)),
        ("1 << 32", None),
        ("1 << -1", None),
        ("1ull << 63", Some(9_223_372_036_854_775_808)),
        ("-8 >> 1", Some(-4)),
        ("~0", Some(-1)),
        ("~0u", Some(4_294_967_295)),
        ("(unsigned char)-1", Some(255)),
        ("(signed char)200", Some(-56)),
        ("(_Bool)256", Some(1)),
        ("(int)3.99", Some(3)),
        ("(int)1e20", None),
        ("(unsigned)-1 > 0", Some(1)),
        ("-1 < 1u", Some(0)),
        ("-1 < 1l", Some(1)),
        ("n", None),
        ("n * 0", None),
        ("0 && n", Some(0)),
        ("1 || n", Some(1)),
        ("1 && n", None),
        ("1 ? 2 : n", Some(2)),
        ("0 ? n : 3", Some(3)),
        ("5 ?: n", Some(5)),
        ("1, 2", None),
        ("sizeof(struct s)", Some(16)),
        ("sizeof n + sizeof(long)", Some(12)),
        ("sizeof(\"abc\")", Some(4)),
        ("__builtin_offsetof(struct s, m[2])", Some(12)),
        ("(unsigned long)&((struct s *)0)->m[1]", Some(8)),
        ("(char *)&((struct s *)0)->m - (char *)0", Some(4)),
        ("__builtin_constant_p(3)", Some(1)),
        ("__builtin_constant_p(n)", None),
        ("__builtin_expect(4, 0)", Some(4)),
        ("__builtin_types_compatible_p(int, const int)", Some(1)),
        ("_Generic(1u, unsigned: 7, default: n)", Some(7)),
        ("(__int128)1 << 100", Some(1 << 100)),
        ("(unsigned __int128)-1", None),
        ("(unsigned __int128)-1 >> 1", Some(i128::MAX)),
        ("(unsigned __int128)-1 / 2 == (unsigned __int128)-1 >> 1", Some(1)),
        ("'a'", Some(97)),
        ("'\\377'", Some(-1)),
        ("'ab'", Some(97 * 256 + 98)),
        ("L'\\xffffffff'", Some(-1)),
        ("u'\\xffff'", Some(65535)),
        ("0b1011", Some(11)),
        ("1'000'000", Some(1_000_000)),
        ("0777", Some(511)),
        ("3.0", None),
        ("(1, 2) + 1", None),
    ];
    for (expression, expected) in rows {
        assert_eq!(value(expression, DataModel::Lp64), expected, "{expression}");
    }
}

#[test]
fn data_models_differ() {
    let rows = [
        ("sizeof(long)", 8, 4),
        ("sizeof(void *)", 8, 4),
        ("sizeof(long double)", 16, 12),
        ("_Alignof(double)", 8, 4),
        ("__alignof__(double)", 8, 8),
        ("0ul - 1", 18_446_744_073_709_551_615, 4_294_967_295),
        ("sizeof(2147483648)", 8, 8),
        ("sizeof(__builtin_va_list)", 24, 4),
        ("sizeof(L'x')", 4, 4),
        ("-1l < 1u", 1, 0),
    ];
    for (expression, wide, narrow) in rows {
        assert_eq!(value(expression, DataModel::Lp64), Some(wide), "{expression}");
        assert_eq!(value(expression, DataModel::Ilp32), Some(narrow), "{expression}");
    }
}
