//! The interpreter stops at undefined behaviour and says which it is.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use c::interpret::{Conditions, Outcome, interpret};
use c::{DataModel, parse};
use model::FailingCheck;

const DECLARATIONS: &str = "typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t); \
    void *realloc(void *, size_t); void free(void *); void *memcpy(void *, const void *, size_t); \
    void *memset(void *, int, size_t); size_t strlen(const char *); char *strcpy(char *, const char *); int abs(int); \
    int printf(const char *, ...); int zero; unsigned one = 1; int least = -2147483647 - 1; int most = 2147483647;\n";

fn outcome(text: &str) -> Outcome {
    let whole = format!("{DECLARATIONS}{text}");
    let program = parse("test.c", &whole, DataModel::Lp64).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let conditions = Conditions { inputs: Vec::new(), failing_check: FailingCheck::Ends, fuel: 100_000 };
    interpret(&program, &conditions).outcome
}

/// The body of `main` must stop at undefined behaviour that is described with these words.
fn undefined(body: &str, words: &str) {
    undefined_program(&format!("int main(void) {{ {body} return 0; }}"), words);
}

fn undefined_program(text: &str, words: &str) {
    match outcome(text) {
        Outcome::Undefined(what) if what.contains(words) => {}
        other => panic!("{text}\nexpected {words}, found {other:?}"),
    }
}

#[test]
fn arithmetic() {
    for (body, words) in [
        ("most + 1;", "signed overflow"),
        ("least - 1;", "signed overflow"),
        ("most * 2;", "signed overflow"),
        ("-least;", "signed overflow"),
        ("most++;", "signed overflow"),
        ("--least;", "signed overflow"),
        ("most += 1;", "signed overflow"),
        ("1 / zero;", "division by zero"),
        ("1 % zero;", "division by zero"),
        ("one / (unsigned)zero;", "division by zero"),
        ("least / -1;", "signed overflow"),
        ("least % (zero - 1);", "signed overflow"),
        ("1 << (zero - 1);", "negative number of bits"),
        ("1 << (zero + 32);", "as many bits"),
        ("one >> 32 * (zero + 1);", "as many bits"),
        ("(zero - 1) << 1;", "left shift of a negative"),
        ("most << 1;", "loses bits"),
        ("double d = 1e10; int i = d;", "cannot hold it"),
        ("float f = -1.0f; unsigned u = f;", "cannot hold it"),
        ("double d = 1e308; d *= 10; d = d - d; long l = (long)d;", "cannot hold it"),
        ("abs(least);", "absolute value"),
        ("__builtin_clz(zero);", "leading zeros"),
        ("__builtin_unreachable();", "unreachable"),
        ("long l = 9223372036854775807L; l = l + 1;", "signed overflow"),
        ("struct { int b : 3; } s; s.b = 1; int x = s.b << 31;", "loses bits"),
    ] {
        undefined(body, words);
    }
}

#[test]
fn bounds() {
    for (body, words) in [
        ("int a[3] = {0}; int i = 3; a[i] = 1;", "outside of its object"),
        ("int a[3] = {0}; int i = -1; return a[i];", "leaves the array"),
        ("int a[3] = {0}; int *p = a + 4;", "leaves the array"),
        ("int a[3] = {0}; int *p = a + 3; return *p;", "outside of its object"),
        ("int a[2][3] = {{0}}; int i = 3; return a[0][i];", "array or member"),
        ("int a[2][3] = {{0}}; int i = 4; return a[0][i];", "leaves the array"),
        ("struct { int a[2]; int b; } s = {{0}, 1}; int i = 2; return s.a[i];", "array or member"),
        ("int x = 1; int *p = &x; p = p + 2;", "leaves the array"),
        ("int x = 1; int *p = &x; p++; return *p;", "outside of its object"),
        ("int x = 1; int *p = &x; p--;", "leaves the array"),
        ("int *p = 0; return *p;", "null pointer is dereferenced"),
        ("int *p = 0; *p = 1;", "null pointer is dereferenced"),
        ("struct s { int a; } *p = 0; return p->a;", "member of a null pointer"),
        ("int *p = 0; p = p + 1;", "null pointer is moved"),
        ("char *p = malloc(4); p[4] = 1;", "outside of its object"),
        ("char a[3]; memset(a, 0, 4);", "outside of its object"),
        ("char a[3] = {1, 2, 3}; strlen(a);", "outside of its object"),
        ("char a[3]; strcpy(a, \"abc\");", "outside of its object"),
        ("char a[4] = {0}; memcpy(a + 1, a, 2);", "overlap"),
        ("int n = zero; int a[n];", "without elements"),
        ("int a[2] = {0}; int *p = (int *)((char *)a + 1); return *p;", "misaligned"),
        ("int *a = malloc(8); a[0] = 1; long *p = (long *)(a + 1); return *p;", "outside of its object"),
    ] {
        undefined(body, words);
    }
}

#[test]
fn lifetimes() {
    for (body, words) in [
        ("int *p; { int x = 1; p = &x; } return *p;", "no longer exists"),
        ("int *p = malloc(4); free(p); *p = 1;", "no longer exists"),
        ("int *p = malloc(4); free(p); free(p);", "no longer exists"),
        ("int *p = malloc(4); free(p); return p == 0;", "no longer exists"),
        ("int *p = malloc(4); int *q = realloc(p, 8); return *p;", "no longer exists"),
        ("int x; free(&x);", "was not allocated"),
        ("char *p = malloc(4); free(p + 1);", "beginning of an allocation"),
        (
            "int *p = 0; for (int i = 0; i < 2; i++) { int x = i; if (i) return *p; p = &x; }",
            "no longer exists",
        ),
        ("int *p; { p = (int[]){1, 2}; } return p[1];", "no longer exists"),
    ] {
        undefined(body, words);
    }
    undefined_program(
        "int *f(void) { int x = 1; return &x; } int main(void) { return *f(); }",
        "no longer exists",
    );
    undefined_program(
        "int *f(int x) { return &x; } int main(void) { int *p = f(1); f(2); return *p; }",
        "no longer exists",
    );
}

#[test]
fn values() {
    for (body, words) in [
        ("int x; return x;", "never written"),
        ("int a[2]; a[0] = 1; return a[1];", "never written"),
        ("int *p = malloc(4); return *p;", "never written"),
        ("struct { int a, b; } s; s.a = 1; return s.b;", "never written"),
        (
            "struct { unsigned a : 3, b : 5; } s; s.a = 1; return s.b;",
            "bit-field is read that was never written",
        ),
        ("struct s { int a, b; } s, t; s.a = 1; t = s; return t.b;", "never written"),
        ("for (int i = 0; i < 2; i++) { int x; if (i) return x; x = 1; }", "never written"),
        ("_Bool b = 1; *(unsigned char *)&b = 2; return b;", "neither 0 nor 1"),
        ("const int x = 1; *(int *)&x = 2;", "constant object is written"),
        ("char *s = \"abc\"; s[0] = 'x';", "string literal is written"),
        ("int x = 1, y = 2; return &x < &y;", "order between pointers"),
        ("int x = 1, y = 2; return &x - &y;", "different objects"),
        ("int (*f)(void) = 0; return f();", "null pointer is called"),
        ("printf(\"%d\", 1L);", "does not fit its conversion"),
        ("printf(\"%d %d\", 1);", "more conversions"),
    ] {
        undefined(body, words);
    }
}

#[test]
fn calls() {
    undefined_program(
        "int f(int x) { if (x) return 1; } int main(void) { return f(0) + 1; }",
        "without returning a value",
    );
    undefined_program(
        "int f(int x) { return x; } int main(void) { int (*g)(double) = (int (*)(double))f; return g(1.0); }",
        "another type than its own",
    );
    undefined_program(
        "int f(); int f(a, b) int a, b; { return a + b; } int main(void) { return f(1); }",
        "number of arguments",
    );
    undefined_program(
        "int f(); int f(a) int a; { return a; } int main(void) { return f(1.0); }",
        "another type than its parameter",
    );
}

#[test]
fn what_is_not_modelled_is_refused_and_not_guessed() {
    for (body, words) in [
        ("int x = 1; return (unsigned long)&x != 0x1000;", "converted to a number"),
        ("int *p = (int *)0x1000; return *p;", "converted to a pointer"),
        ("double d = 1; return *(long *)&d != 0;", "another type"),
        (
            "float f = 1; int i; memcpy(&i, &f, 4); union { float f; int i; } u; u.f = f; return (i != u.i) + *(int *)&u.f;",
            "another type",
        ),
        ("void *p = malloc(8); long l = 0; memcpy(&l, &p, 8); return l != 0;", "bytes of a pointer"),
        ("int r = printf(\"a\"); return r == 1;", "does not fix"),
        ("long double d = 1; return d > 0;", "extended floating type"),
        ("unknown_function();", "not modelled"),
        ("double d = 1e308; d *= 10; d = d - d; long l; memcpy(&l, &d, 8); return l != 0;", "not a number"),
        ("int x = 1, y = 2; return &x + 1 == &y;", "end of one object"),
    ] {
        let text = format!("int unknown_function(void); int main(void) {{ {body} }}");
        match outcome(&text) {
            Outcome::Unsupported(what) if what.contains(words) => {}
            other => panic!("{body}\nexpected {words}, found {other:?}"),
        }
    }
}
