//! Sites: where a check may stand and what it may read.

#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing test says so by a panic"
)]

use c::{DataModel, Program};

fn parse(text: &str) -> Program {
    c::parse("test.c", text, DataModel::Lp64).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The text with the variables of each site written at the site: `[x y]`, pointers behind a bar.
fn marked(text: &str) -> String {
    let program = parse(text);
    let names = |entities: &[c::syntax::EntityId]| -> String {
        let name = |entity: &c::syntax::EntityId| program.name(program.entities[*entity].name).into_owned();
        entities.iter().map(name).collect::<Vec<_>>().join(" ")
    };
    let mut result = text.to_owned();
    for site in c::sites(&program).iter().rev() {
        let pointers = names(&site.pointers);
        let bar = if pointers.is_empty() { "" } else { " | " };
        result.insert_str(site.place as usize, &format!("[{}{bar}{pointers}]", names(&site.numbers)));
    }
    result
}

/// Rows: a program, and the same with its sites. Variables of the file are left out of the rows by having none.
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
    ] {
        assert_eq!(marked(text), expected);
    }
}
