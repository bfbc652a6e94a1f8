//! The interpreter gives the results that the C standard defines.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use c::interpret::{Conditions, Input, Interpretation, Outcome, interpret};
use c::{DataModel, parse};
use model::FailingCheck;

const DECLARATIONS: &str = "typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t); \
    void *realloc(void *, size_t); void free(void *); void *memcpy(void *, const void *, size_t); \
    void *memset(void *, int, size_t); int memcmp(const void *, const void *, size_t); size_t strlen(const char *); \
    int strcmp(const char *, const char *); int printf(const char *, ...); double sqrt(double); double fabs(double); \
    void juvenal_violated(unsigned); void juvenal_assumption_failed(void); int __VERIFIER_nondet_int(void); \
    unsigned char __VERIFIER_nondet_uchar(void); double __VERIFIER_nondet_double(void); void exit(int); \
    void reach_error(void); int zero;\n";

fn run(text: &str, inputs: &[(&str, u128)], failing_check: FailingCheck) -> Interpretation {
    run_with(text, inputs, failing_check, DataModel::Lp64, 200_000)
}

fn run_with(
    text: &str,
    inputs: &[(&str, u128)],
    failing_check: FailingCheck,
    data_model: DataModel,
    fuel: u64,
) -> Interpretation {
    let whole = format!("{DECLARATIONS}{text}").replace(
        "unsigned long size_t",
        match data_model {
            DataModel::Lp64 => "unsigned long size_t",
            DataModel::Ilp32 => "unsigned int size_t",
        },
    );
    let program = parse("test.c", &whole, data_model).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let inputs = inputs.iter().map(|(name, bits)| Input { name: (*name).to_owned(), bits: *bits }).collect();
    interpret(&program, &Conditions { inputs, failing_check, fuel })
}

/// The body of `main` must end with this status.
fn ends(body: &str, status: i64) {
    let text = format!("int main(void) {{ {body} }}");
    let found = run(&text, &[], FailingCheck::Ends);
    assert_eq!(found.outcome, Outcome::Ended(status), "{body}");
}

#[test]
fn expressions() {
    for (body, status) in [
        ("return 7 / 2 + -7 / 2 * 10 + -7 % 3 * 100;", 3 - 30 - 100),
        ("unsigned x = 0; x--; return x == 4294967295u;", 1),
        ("unsigned char c = 255; c++; return c;", 0),
        ("char c = 200; return c;", -56),
        ("return -1 < 1u;", 0),
        ("return (1 ? -1 : 1u) > 0;", 1),
        ("return -8 >> 1;", -4),
        ("int x = 5; x <<= 2; x |= 3; x ^= 1; return x;", 22),
        ("int i = 3; int j = i++ * 10 + 0; return j + i;", 34),
        ("_Bool b = 5; b--; return b * 10 + (b = 0.5);", 1),
        ("float f = 0.1f; double d = 0.1; return f == d;", 0),
        ("return (float)16777217 == 16777216.0f;", 1),
        ("double z = zero; return 1 / z > 1e308 && z / z != z / z;", 1),
        ("return sizeof(int[3]) + _Alignof(double) + sizeof \"abc\";", 12 + 8 + 4),
        ("return zero || (zero && 1 / zero) || 3;", 1),
        ("return zero ?: 4;", 4),
        ("return ({ int x = 2; x * x; }) + 1;", 5),
        ("return (1, 2) + (int){3};", 5),
        ("__int128 x = 1; x <<= 100; return (int)(x >> 98);", 4),
        ("unsigned __int128 x = 0; x--; return (x >> 127) == 1 && x / 3 > 5;", 1),
        ("int r; return __builtin_add_overflow(2147483647, 1, &r) * 2 + (r < 0);", 3),
        (
            "return __builtin_popcount(255) + __builtin_ctz(8) + (int)fabs(-2.0) + (int)sqrt(16.0);",
            8 + 3 + 2 + 4,
        ),
        ("enum e { A = -1, B } x = B; return x - A;", 1),
        ("return 'a' + L'b' - 97;", 98),
        ("return _Generic(1.0, double: 3, default: 4);", 3),
    ] {
        ends(body, status);
    }
}

#[test]
fn statements() {
    for (body, status) in [
        (
            "int s = 0; for (int i = 0; i < 10; i++) { if (i == 2) continue; if (i == 5) break; s += i; } return s;",
            8,
        ),
        ("int i = 0; do { i++; } while (i < 7); return i;", 7),
        (
            "int s = 0; switch (3) { case 1: s = 1; case 3: s += 10; case 4: s += 100; break; default: s = 5; } return s;",
            110,
        ),
        ("int s = 0; switch (zero + 9) { case 1 ... 5: s = 1; break; default: s = 2; } return s;", 2),
        ("int i = 0; again: i++; if (i < 5) goto again; return i;", 5),
        ("int n = 0; { int x = 1; goto inside; { int y; inside: y = 7; n = y; } } return n;", 7),
        (
            "int n = 5, s = 0; switch (n % 4) { case 0: do { s++; case 3: s++; case 2: s++; case 1: s++; } while ((n -= 4) > 0); } return s;",
            5,
        ),
        ("int n = 3; int a[n]; for (int i = 0; i < n; i++) a[i] = i; return a[0] + a[1] + a[2];", 3),
        ("exit(9); return 0;", 9),
    ] {
        ends(body, status);
    }
}

#[test]
fn memory() {
    for (body, status) in [
        ("int a[2][3] = {1, 2, 3, 4}; return a[1][0] + a[1][2];", 4),
        ("int a[] = {[2] = 5, 6, [0] = 1}; return a[0] + a[3] + (int)(sizeof a / sizeof a[0]);", 11),
        ("int a[5] = {[1 ... 3] = 7}; return a[0] + a[1] + a[3] + a[4];", 14),
        (
            "struct { int a; struct { char b[4]; int c; } d; } s = {1, {\"ab\", .c = 3}}; return s.d.b[1] + s.d.c + s.d.b[3];",
            101,
        ),
        (
            "struct p { int x, y; } a[2] = {{1, 2}, {.y = 4}}; struct p b = a[1]; b.x = 9; return a[1].x + b.y + b.x;",
            13,
        ),
        (
            "struct { unsigned a : 3; int b : 4; _Bool c : 1; } s = {9, -3, 1}; s.a += 7; return s.a * 100 + s.b * 10 + s.c;",
            -29,
        ),
        ("union { unsigned u; unsigned char b[4]; } u; u.u = 0x01020304; return u.b[0] * 10 + u.b[3];", 41),
        ("union { float f; unsigned u; } u = {1.0f}; return u.u == 0x3f800000;", 1),
        ("int x = 258; char *p = (char *)&x; return p[0] + p[1];", 3),
        ("int *p = malloc(12); p[2] = 5; p = realloc(p, 24); int r = p[2]; free(p); return r;", 5),
        ("long *p = calloc(2, sizeof *p); return p[0] + p[1];", 0),
        ("char s[8] = \"abc\"; s[3] = 'd'; return strlen(s) * 10 + (strcmp(s, \"abcd\") == 0);", 41),
        ("int x = 1, y = 2; int *p = &x, **q = &p; *q = &y; **q = 7; return x + y + (p == &y);", 9),
        (
            "struct n { int v; struct n *next; } a = {1, 0}, b = {2, &a}; int s = 0; for (struct n *p = &b; p; p = p->next) s += p->v; return s;",
            3,
        ),
        ("struct s { int a; int b; } s = {1, 2}; int *p = &s.a; return ((struct s *)p)->b;", 2),
        ("struct f { int n; int a[]; } *p = malloc(12); p->a[1] = 4; return p->a[1];", 4),
        (
            "int a[4] = {1, 2, 3, 4}; int *p = a + 1, *q = &a[3]; return (int)(q - p) * 10 + (p < q) + *--q;",
            24,
        ),
        (
            "struct s { int a[3]; } s = {{1, 2, 3}}, t; memcpy(&t, &s, sizeof s); return t.a[2] + memcmp(&s, &t, sizeof s);",
            3,
        ),
        ("static int n = 3; n++; return n + *(int[]){4};", 8),
        ("struct { int (*f)(const char *, const char *); } s = {strcmp}; return s.f(\"a\", \"a\");", 0),
        ("printf(\"%d %s %lu %5.2f%%\\n\", 1, \"x\", 2UL, 3.0); return 1;", 1),
    ] {
        ends(body, status);
    }
}

#[test]
fn functions() {
    for (text, status) in [
        ("int f(int n) { return n < 2 ? 1 : n * f(n - 1); } int main(void) { return f(5); }", 120),
        (
            "int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); } int main(void) { return deep(3000) == 3000; }",
            1,
        ),
        ("static int n(void) { static int c; return ++c; } int main(void) { n(); n(); return n(); }", 3),
        (
            "struct p { int x, y; } f(struct p p) { p.x++; return p; } int main(void) { struct p p = {1, 2}; return f(p).x * 10 + p.x; }",
            21,
        ),
        (
            "int add(int a, int b) { return a + b; } int (*t[])(int, int) = {add}; int main(void) { return t[0](2, 3) + (*t[0])(1, 1); }",
            7,
        ),
        ("int f(char c) { return c; } int main(void) { return f(300); }", 44),
        ("int f(a, c) char c; double a; { return a + c; } int main(void) { return f(1.5, 2); }", 3),
        ("int v(int n, ...) { return n; } int main(void) { return v(4, 1.0f, \"x\"); }", 4),
        (
            "int g[3] = {1, 2, 3}, *p = &g[1]; const char *s = \"xyz\"; int main(void) { return *p + s[2]; }",
            124,
        ),
        ("double half(int x) { return x / 2.0; } int main(void) { return half(5) * 2; }", 5),
    ] {
        let found = run(text, &[], FailingCheck::Ends);
        assert_eq!(found.outcome, Outcome::Ended(status), "{text}");
    }
}

#[test]
fn inputs_and_checks() {
    let program = "int main(void) { int x = __VERIFIER_nondet_int(); unsigned char y = __VERIFIER_nondet_uchar(); \
        double z = __VERIFIER_nondet_double(); if (x == 99) juvenal_assumption_failed(); if (x < 0) juvenal_violated(1); \
        if (y > 7) juvenal_violated(2); if (z != z) reach_error(); return 3; }";
    let double = |value: f64| ("double", u128::from(value.to_bits()));
    let negative = ("int", u128::from(u32::MAX));
    for (inputs, failing_check, outcome, violated) in [
        (vec![("int", 5), ("uchar", 3), double(1.5)], FailingCheck::Ends, Outcome::Ended(3), vec![]),
        (vec![negative, ("uchar", 9), double(1.5)], FailingCheck::Ends, Outcome::CheckFailed(1), vec![1]),
        (vec![negative, ("uchar", 9), double(1.5)], FailingCheck::Continues, Outcome::Ended(3), vec![1, 2]),
        (
            vec![("int", 5), ("uchar", 3), double(f64::NAN)],
            FailingCheck::Continues,
            Outcome::CheckFailed(0),
            vec![0],
        ),
        (vec![("int", 99), ("uchar", 3), double(0.0)], FailingCheck::Ends, Outcome::AssumptionFailed, vec![]),
    ] {
        let found = run(program, &inputs, failing_check);
        assert_eq!((found.outcome, found.violated), (outcome, violated), "{inputs:?}");
    }
    for inputs in [vec![("int", 5)], vec![("uchar", 5)], vec![("int", 5), ("int", 5)]] {
        let found = run(program, &inputs, FailingCheck::Ends);
        assert!(matches!(found.outcome, Outcome::WrongInputs(_)), "{inputs:?}: {found:?}");
    }
}

#[test]
fn the_data_model_decides_sizes() {
    let text =
        "int main(void) { long x = 1; return (int)sizeof x * 10 + (int)sizeof(void *) + (x << 31 > 0); }";
    let run = |data_model| run_with(text, &[], FailingCheck::Ends, data_model, 1000).outcome;
    assert_eq!(run(DataModel::Lp64), Outcome::Ended(89));
    assert!(matches!(run(DataModel::Ilp32), Outcome::Undefined(what) if what.contains("left shift")));
}

#[test]
fn endless_programs_and_deep_programs_end_the_interpretation() {
    let endless = "int main(void) { for (;;) {} }";
    assert_eq!(run(endless, &[], FailingCheck::Ends).outcome, Outcome::OutOfFuel);
    let recursive = "int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }";
    assert!(matches!(run(recursive, &[], FailingCheck::Ends).outcome, Outcome::Unsupported(_)));
    let greedy = "int main(void) { for (;;) { char *p = malloc(1000000); *p = 1; } }";
    let outcome = run(greedy, &[], FailingCheck::Ends).outcome;
    assert!(matches!(outcome, Outcome::Unsupported(_) | Outcome::OutOfFuel));
    let sum = vec!["zero"; 50_000].join(" + ");
    let wide = format!("int main(void) {{ return {sum}; }}");
    assert!(matches!(run(&wide, &[], FailingCheck::Ends).outcome, Outcome::Unsupported(_)));
    // As deep as the parser allows.
    let nested = format!("int main(void) {{ return {}zero{}; }}", "(1 + ".repeat(900), ")".repeat(900));
    assert!(matches!(
        run(&nested, &[], FailingCheck::Ends).outcome,
        Outcome::Unsupported(_) | Outcome::Ended(900)
    ));
    let blocks = format!("int main(void) {{ {} return 4; {} }}", "{".repeat(500), "}".repeat(500));
    assert_eq!(run(&blocks, &[], FailingCheck::Ends).outcome, Outcome::Ended(4));
}
