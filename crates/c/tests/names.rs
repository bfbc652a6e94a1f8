//! Name resolution: kinds, types, linkage, scopes and addresses of entities.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use c::syntax::{Entity, EntityKind, ExpressionKind, Linkage, ScopeKind, Storage};
use c::{DataModel, Program, parse};

fn read(text: &str) -> Program {
    parse("t.c", text, DataModel::Lp64).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Returns the last entity with a name.
fn last<'a>(program: &'a Program, name: &str) -> &'a Entity {
    program.entities.iter().rev().find(|entity| program.name(entity.name) == name).unwrap()
}

/// A text, a name in it, and the properties of the last entity of that name.
#[test]
fn entities() {
    let rows = [
        ("int x;", "x", "Variable int None External"),
        ("static int x;", "x", "Variable int Static Internal"),
        ("extern int x[]; int x[3];", "x", "Variable int [3] None External"),
        ("int x[3]; extern int x[];", "x", "Variable int [3] None External"),
        (
            "static int f(void); int f(void) { return 1; }",
            "f",
            "Function int (void) Static Internal initialized",
        ),
        ("int f(); int f(int x);", "f", "Function int (int) None External"),
        ("void f(int a[3], int g(void)) { }", "a", "Parameter int * None None in f"),
        ("void f(int a[const 3]) { }", "a", "Parameter int *const None None in f"),
        ("void f(int a[3], int g(void)) { }", "g", "Parameter int (*)(void) None None in f"),
        ("void f(int g) { { register char c = 1; } }", "c", "Variable char Register None in f initialized"),
        ("void f(void) { extern int e; e = 1; }", "e", "Variable int Extern External"),
        ("static int e; void f(void) { extern int e; }", "e", "Variable int Static Internal"),
        ("void f(void) { static int s = 1; }", "s", "Variable int Static None in f initialized"),
        ("typedef struct { int a; } T; T *v;", "v", "Variable T * None External"),
        ("enum e { A, B = 5, C };", "C", "EnumerationConstant(6) int None None"),
        ("_Thread_local int t;", "t", "Variable int None External"),
        ("void f(void) { g(1); }", "g", "ImplicitFunction int () None External"),
        ("int f(a, b) char b; { return a; }", "a", "Parameter int None None in f"),
        ("int f(a, b) char b; { return a; }", "b", "Parameter char None None in f"),
        ("void f(void) { __auto_type q = 1.5f; }", "q", "Variable float None None in f initialized"),
        ("void f(void) { int a; &a; }", "a", "Variable int None None in f address"),
        (
            "void f(void) { struct { int m[2]; } a; &a.m[1]; }",
            "a",
            "Variable struct (unnamed) None None in f address",
        ),
        (
            "void f(void) { struct { int m[2]; } a; a.m[1] = 2; }",
            "a",
            "Variable struct (unnamed) None None in f",
        ),
        ("void f(void) { int a[3]; a[1] = 2; *a; sizeof a; }", "a", "Variable int [3] None None in f"),
        ("void f(void) { int a[3]; int *p = a; }", "a", "Variable int [3] None None in f address"),
        ("void f(void) { int a[3][3]; int *p = a[1]; }", "a", "Variable int [3][3] None None in f address"),
        ("void f(void) { int *a; &a[1]; &*a; }", "a", "Variable int * None None in f"),
        ("void g(); void f(void) { int a[3]; g(a); }", "a", "Variable int [3] None None in f address"),
        ("int g(void); void f(void) { g(); }", "g", "Function int (void) None External"),
        ("int g(void); void *f(void) { return g; }", "g", "Function int (void) None External address"),
        ("void f(void) { int a; void n(void) { a = 1; } }", "a", "Variable int None None in f address"),
        (
            "void f(void) { auto void n(void); n(); void n(void) { } }",
            "n",
            "Function void (void) Auto None in f initialized",
        ),
    ];
    for (text, name, expected) in rows {
        let program = read(text);
        let entity = last(&program, name);
        let r#type = program.type_text(entity.r#type);
        let mut found = format!("{:?} {} {:?} {:?}", entity.kind, r#type, entity.storage, entity.linkage);
        if let Some(function) = entity.function {
            let function = program.entities[program.functions[function].entity];
            found.push_str(&format!(" in {}", program.name(function.name)));
        }
        found.push_str(if entity.is_initialized { " initialized" } else { "" });
        found.push_str(if entity.address_taken { " address" } else { "" });
        assert_eq!(found, expected, "{text}");
    }
}

/// Each use of `x` resolves to the declaration with the given number.
#[test]
fn uses_resolve_to_declarations() {
    let rows: [(&str, &[usize]); 7] = [
        ("int x; int f(int x) { return x; } int g(void) { return x; }", &[1, 0]),
        ("int f(void) { int x = 1; { int x = 2; x; } x; }", &[1, 0]),
        ("int f(void) { int x; for (int x = 0; x < 1; x++) { int x; x; } x; }", &[1, 1, 2, 0]),
        ("int x; int f(void) { int x = sizeof(x); return x; }", &[1, 1]),
        ("typedef int x; int f(void) { x x = 1; return x; }", &[1]),
        ("enum { x }; int f(void) { enum { x = x + 1 }; return x; }", &[0, 1]),
        ("int f(int x, int (*g)(int x)) { return x; }", &[0]),
    ];
    for (text, expected) in rows {
        let program = read(text);
        let declared: Vec<_> =
            program.entities.ids().filter(|id| program.name(program.entities[*id].name) == "x").collect();
        let mut used = Vec::new();
        for expression in program.expressions.iter() {
            if let ExpressionKind::Name(entity) = expression.kind
                && let Some(index) = declared.iter().position(|id| *id == entity)
            {
                used.push(index);
            }
        }
        assert_eq!(used, expected, "{text}");
    }
}

#[test]
fn scopes_contain_their_entities() {
    let text = "int f(int a) { int b; for (int c = 0; ; ) { int d; } }";
    let program = read(text);
    let mut found = Vec::new();
    for scope in program.scopes.iter() {
        let names: Vec<_> = program.entity_lists[scope.entities]
            .iter()
            .filter(|entity| program.entities[**entity].span.end > 0)
            .map(|entity| program.name(program.entities[*entity].name).into_owned())
            .collect();
        found.push((scope.kind, names.join(" "), program.text_of(scope.span).into_owned()));
    }
    let row = |kind, names: &str, text: &str| (kind, names.to_owned(), text.to_owned());
    let expected = [
        row(ScopeKind::File, "f", text),
        row(ScopeKind::Parameters, "a", "(int a) { int b; for (int c = 0; ; ) { int d; } }"),
        row(ScopeKind::Block, "b", "{ int b; for (int c = 0; ; ) { int d; } }"),
        row(ScopeKind::For, "c", "for (int c = 0; ; ) { int d; }"),
        row(ScopeKind::Block, "d", "{ int d; }"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn attributes_are_recorded() {
    let program = read(
        "__attribute__((__noreturn__)) void a(void); [[noreturn]] void b(void); _Noreturn void c(void); \
         int d(int) __attribute__((pure, nonnull(1))); int d(int) __attribute__((cold)); [[gnu::const]] int e(int);",
    );
    let rows = [
        ("a", "noreturn"),
        ("b", "noreturn"),
        ("c", "noreturn"),
        ("d", "pure"),
        ("d", "nonnull"),
        ("d", "cold"),
        ("e", "const"),
    ];
    for (entity, attribute) in rows {
        assert!(program.has_attribute(program.find(entity).unwrap(), attribute), "{entity} {attribute}");
    }
    assert!(!program.has_attribute(program.find("e").unwrap(), "pure"));
}

/// Keywords of C23 may be names of older programs, and are keywords if nothing declares them.
#[test]
fn words_of_c23() {
    let program = read(
        "bool a = true; static_assert(sizeof(bool) == 1); alignas(16) int b; thread_local int c; \
         typeof_unqual(const int) d; void *e = nullptr; constexpr int f = 3; unsigned long g = alignof(double);",
    );
    assert_eq!(program.type_text(program.entities[program.find("a").unwrap()].r#type), "_Bool");
    assert_eq!(program.type_text(program.entities[program.find("d").unwrap()].r#type), "int");
    read("typedef int bool; bool x; enum { false, true }; int nullptr = true; int alignas;");
    read("typedef enum { false, true } bool; bool f(bool bool) { return bool; } int static_assert(int);");
    read("int f(void) { int bool = 1; return bool + 1; } typedef unsigned char bool; bool g;");
}

#[test]
fn members_of_entities_are_plain_data() {
    let program = read("int x = 1;");
    let entity = program.entities[program.find("x").unwrap()];
    assert_eq!(
        (entity.kind, entity.storage, entity.linkage),
        (EntityKind::Variable, Storage::None, Linkage::External)
    );
    assert_eq!(program.text_of(entity.span), "x");
    assert_eq!(entity.visible_from, 5);
}
