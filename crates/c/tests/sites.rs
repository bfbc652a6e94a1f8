//! Sites: where checks can be inserted and what they can read.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use c::{DataModel, Program, Readable};

fn parse(text: &str) -> Program {
    c::parse("test.c", text, DataModel::Lp64).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Returns the text with the readable variables of each site inserted there: `[x y]`, with pointers after a bar.
fn marked(text: &str) -> String {
    let program = parse(text);
    let names = |readables: &[Readable]| -> String {
        readables.iter().map(|readable| &*readable.text).collect::<Vec<_>>().join(" ")
    };
    let mut result = text.to_owned();
    for site in c::sites(&program).iter().rev() {
        let pointers = names(&site.pointers);
        let bar = if pointers.is_empty() { "" } else { " | " };
        result.insert_str(site.place as usize, &format!("[{}{bar}{pointers}]", names(&site.numbers)));
    }
    result
}

/// Returns the readable variables of the last site of a text, with types.
fn last(text: &str) -> String {
    let program = parse(text);
    let sites = c::sites(&program);
    let site = sites.last().expect("the text has a site");
    let describe = |readable: &Readable| {
        let width = readable.width.map(|width| format!(":{width}")).unwrap_or_default();
        format!("{} {}{width}", program.type_text(readable.r#type), readable.text)
    };
    site.numbers.iter().chain(site.pointers.iter()).map(describe).collect::<Vec<_>>().join(", ")
}

/// Rows: definitions of variables, statements of `main`, and the variables that are readable at its end.
#[test]
fn readables_have_text_and_type() {
    for (file, inside, expected) in [
        ("int a; const char b = 1; double c;", "", "double c, const char b, int a"),
        ("int a; extern int b; extern int a;", "", "int a"),
        ("extern int a; int a;", "", "int a"),
        ("extern int a = 3;", "", "int a"),
        ("void f(void) { extern int g; g = 1; }", "f();", ""),
        ("void f(void) { extern int g; g = 1; } int g;", "f();", "int g"),
        ("int g = 1;", "long g = 2; { extern int g; g++; }", "long g"),
        ("register long r asm(\"r12\");", "", ""),
        ("volatile int a; _Atomic int b; int *volatile c;", "", ""),
        ("_Decimal64 a; _Complex double b; long double c; _Bool d;", "", "_Bool d, long double c"),
        ("enum e { A } a; typedef unsigned short t; t b;", "", "unsigned short b, enum e a"),
        ("struct s { int a; char *b; } s;", "", "int s.a, char * s.b"),
        ("struct s { unsigned a : 3; int : 2; long b : 40; } s;", "", "unsigned int s.a:3, long s.b:40"),
        ("struct s { volatile int a; int b; } s; const struct s t = {0};", "", "const int t.b, int s.b"),
        ("volatile struct s { int a; int b[2]; } s;", "", ""),
        (
            "struct s { struct { int a; union { int b; int c; }; }; union { int d; } e; int f; } s;",
            "",
            "int s.a, int s.f",
        ),
        ("struct s { struct { int a; } b[4]; } s;", "", "int s.b[0].a, int s.b[1].a, int s.b[3].a"),
        ("union u { int a; float b; } u;", "", ""),
        (
            "int a[3], b[1], c[2][9], d[0]; extern int e[];",
            "",
            "int c[0][0], int c[0][1], int c[0][8], int c[1][0], \
            int c[1][1], int c[1][8], int b[0], int a[0], int a[1], int a[2]",
        ),
        (
            "",
            "int a[2] = {1}; int b[2]; b[0] = 1; char c[4] = \"ab\";",
            "char c[0], char c[1], char c[3], int a[0], int a[1]",
        ),
        (
            "",
            "static int a[2]; static struct { int b; } s; int n = 2; int v[n];",
            "int n, int s.b, int a[0], int a[1]",
        ),
        ("struct s { int a; };", "struct s v = {1}; struct s w; struct s x = v;", "int v.a"),
        ("struct s { int a; } g;", "struct s v; v.a = 1; g = v;", ""),
        (
            "struct s { int a; }; struct t { struct s s; int b; } g; struct s h;",
            "struct s v; h = v;",
            "int g.b",
        ),
        ("struct s { int a; }; struct t { struct s s; int b; };", "struct s w; struct t v = { w, 1 };", ""),
        ("void *memcpy(); int a[2], b[2], c;", "memcpy(a, &c, 4);", "int c, int b[0], int b[1]"),
        ("struct s { struct s *next; int a; } s;", "", "int s.a, struct s * s.next"),
    ] {
        let text = format!("{file} int main(void) {{ {inside} ; }}");
        assert_eq!(last(&text), expected, "{text}");
    }
}

/// A site has at most 100 variables of the file: first those that the function mentions.
#[test]
fn the_number_of_readable_variables_is_limited() {
    let globals: String = (0..5000).map(|index| format!("int g{index}; int a{index}[3];\n")).collect();
    let program = parse(&format!("{globals} int main(void) {{ int x = g7 + a9[1]; ; }}"));
    let sites = c::sites(&program);
    let site = sites.last().expect("there is a site");
    let texts: Vec<&str> = site.numbers.iter().map(|number| &*number.text).collect();
    assert_eq!(texts[..3], ["x", "g7", "g4999"]);
    // 50 numbers including those that `x` refers to, and 50 arrays of three elements.
    assert_eq!(texts.len(), 1 + 50 + 3 * 50);
    assert_eq!(texts[51..55], ["a9[0]", "a9[1]", "a9[2]", "a4999[0]"]);
}

/// Of the local variables, the nearest 100 are considered. One that is left out still hides a variable of the file.
#[test]
fn the_number_of_considered_locals_is_limited() {
    let locals: String = (0..300).map(|index| format!("int x{index} = 1; ")).collect();
    let program = parse(&format!("int x0; int g; int main(void) {{ {locals} ; }}"));
    let sites = c::sites(&program);
    let texts_of = |site: &c::Site| site.numbers.iter().map(|it| it.text.to_string()).collect::<Vec<_>>();
    let last = sites.last().map(texts_of).expect("there is a site");
    assert_eq!(last.len(), 100 + 1);
    assert_eq!((&*last[0], &*last[99], &*last[100]), ("x299", "x200", "g"));
    let early = sites.get(2).map(texts_of);
    assert_eq!(early.map(|texts| texts.join(" ")).as_deref(), Some("x1 x0 g"));
}

/// Rows: texts with functions, and the names of those that have sites.
#[test]
fn only_reachable_functions_have_sites() {
    for (text, expected) in [
        ("void f(void) { } void g(void) { f(); }", "f g"),
        ("void f(void) { } void g(void) { f(); } int main(void) { }", "main"),
        ("void f(void) { } void g(void) { f(); } int main(void) { g(); }", "f g main"),
        ("void f(void) { } void (*p)(void) = f; int main(void) { p(); }", "f main"),
        ("void f(void); int main(void) { f(); } void f(void) { main(); }", "main f"),
        ("void f(void) { } int main(void) { void g(void) { f(); } g(); }", "f main g"),
        ("# 1 \"h.h\" 1 3\nstatic void f(void) { }\n# 1 \"a.c\" 2\nint main(void) { f(); }", "main"),
        ("__attribute__((naked)) void f(void) { asm(\"ret\"); } int main(void) { f(); }", "main"),
    ] {
        let program = parse(text);
        let mut names: Vec<String> = Vec::new();
        for site in c::sites(&program) {
            let entity = program.functions[site.function].entity;
            let name = program.name(program.entities[entity].name).into_owned();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        assert_eq!(names.join(" "), expected, "{text}");
    }
}

/// Rows: a program, and the same with its sites. The programs have no variables at file scope.
#[test]
fn sites_are_between_statements_and_know_what_has_a_value() {
    for (text, expected) in [
        ("int main(void){int x; x = 1; return x;}", "int main(void){[]int x; []x = 1; [x]return x;}"),
        (
            "int main(void){int x = 1; {int x; x++;} }",
            "int main(void){[]int x = 1; [x]{[x]int x; []x++;[]} [x]}",
        ),
        ("int g; int main(void){ if (g) g = 2; }", "int g; int main(void){ [g]if (g) g = 2; [g]}"),
        (
            "int f(int a){ volatile int v = 1; float *p = 0; return a; } int main(void){ f(1); }",
            "int f(int a){ [a]volatile int v = 1; [a]float *p = 0; [a | p]return a; } int main(void){ []f(1); []}",
        ),
        (
            "int h(int a){ return a; } int main(void){ ; }",
            "int h(int a){ return a; } int main(void){ []; []}",
        ),
        (
            "int main(void){ int i; for (i = 0; i < 3; i++) { int j = i; j++; } return i; }",
            "int main(void){ []int i; []for (i = 0; i < 3; i++) { [i]int j = i; [j i]j++; [j i]} [i]return i; }",
        ),
        (
            "int main(int c){ switch (c) { int y = 1; case 1: y = 2; break; default: c = 1; } }",
            "int main(int c){ [c]switch (c) { int y = 1; case 1: y = 2; [c]break; default: c = 1; [c]} [c]}",
        ),
        (
            "int main(int c){ if (c) goto in; int x = 1; c = x; in: c = 2; return c; }",
            "int main(int c){ [c]if (c) goto in; [c]int x = 1; [c]c = x; [c]in: c = 2; [c]return c; }",
        ),
        (
            "int main(int c){ again: ; int x = 1; if (c) goto again; return x; }",
            "int main(int c){ [c]again: ; [c]int x = 1; [x c]if (c) goto again; [x c]return x; }",
        ),
        (
            "int main(int c){ int x; if (c) { x = 1; c = 2; } return 0; }",
            "int main(int c){ [c]int x; [c]if (c) { [c]x = 1; [c]c = 2; [c]} [c]return 0; }",
        ),
        ("int main(int c){ c = ({ int z = 1; z; }); }", "int main(int c){ [c]c = ({ int z = 1; z; }); [c]}"),
        (
            "int main(int c){\n#pragma GCC unroll 2\nwhile (c) c--; }",
            "int main(int c){\n#pragma GCC unroll 2\nwhile (c) c--; [c]}",
        ),
        (
            "int main(int c){\n# 7 \"a.c\"\nwhile (c) c--; }",
            "int main(int c){\n# 7 \"a.c\"\n[c]while (c) c--; [c]}",
        ),
        (
            "int main(int c){ int x = ({ if (c) goto out; 1; }); c = x; out: return c; }",
            "int main(int c){ [c]int x = ({ if (c) goto out; 1; }); [c]c = x; [c]out: return c; }",
        ),
        (
            "int setjmp(); int b; int main(int c){ int x = 1; setjmp(&b); }",
            "int setjmp(); int b; int main(int c){ [c b]int x = 1; [c b]setjmp(&b); [c b]}",
        ),
        (
            "int main(int c){ for (int i = 0, n; i < 3; i++) { } while (c) { int y; y = c; } do ; while (0); }",
            "int main(int c){ [c]for (int i = 0, n; i < 3; i++) { [i c]} [c]while (c) { [c]int y; [c]y = c; [y c]} \
            [c]do ; while (0); [c]}",
        ),
    ] {
        assert_eq!(marked(text), expected);
    }
}

#[test]
fn an_if_after_an_else_is_a_separate_statement() {
    let text = "int main(void) { int x = 1; if (x) { } else { } if (x) { x = 2; } }";
    let expected =
        "int main(void) { []int x = 1; [x]if (x) { [x]} else { [x]} [x]if (x) { [x]x = 2; [x]} [x]}";
    assert_eq!(marked(text), expected);
}
