//! Syntax errors with their messages and positions.
#![allow(clippy::panic, reason = "a test fails by panicking")]

use c::{DataModel, needs_preprocessor, parse};

/// A text and its error.
const ROWS: &[(&str, &str)] = &[
    ("int f(void) { return 1 }", "t.c:1:24: expected `;`, found `}`"),
    ("int x = ;", "t.c:1:9: expected an expression, found `;`"),
    ("int f(void) { if (1 { } }", "t.c:1:21: expected `)`, found `{`"),
    ("int f(void) {", "t.c:1:14: expected `}`, found the end of the text"),
    ("int a[3;", "t.c:1:8: expected `]`, found `;`"),
    ("struct { int a } b c;", "t.c:1:20: expected `;`, found `c`"),
    ("int x\nint y;", "t.c:2:1: expected `;`, found `int`"),
    ("int f(void) { y = 1; }", "t.c:1:15: expected a declared identifier, found `y`"),
    ("int f(void) { goto out; }", "t.c:1:20: expected a definition of the label `out` in this function"),
    ("int f(void) { a: ; a: ; }", "t.c:1:20: the label `a` is defined again in the same function"),
    (
        "struct s { int a; } v; int f(void) { return v.b; }",
        "t.c:1:47: expected a member of `struct s`, found `b`",
    ),
    (
        "int v; int f(void) { return v.b; }",
        "t.c:1:29: expected a structure or union in front of the member, found `int`",
    ),
    ("int v; int f(void) { return *v; }", "t.c:1:29: expected a pointer after `*`, found `int`"),
    ("int v; int f(void) { return v(); }", "t.c:1:29: expected a function in front of `(`, found `int`"),
    (
        "struct s { int a; } v; int f(void) { return v + 1; }",
        "t.c:1:45: expected operands of types that `+` takes, found `struct s` and `int`",
    ),
    (
        "int f(void) { 1 = 2; }",
        "t.c:1:15: expected something that can be assigned to on the left of an assignment",
    ),
    ("int f(int a, int a);", "t.c:1:18: `a` is declared again in the same scope"),
    ("int f(void) { int a; int a; }", "t.c:1:26: `a` is declared again in the same scope"),
    ("typedef int t; int t;", "t.c:1:20: `t` is declared again in the same scope"),
    ("struct s { int a; }; struct s { int b; };", "t.c:1:22: the tag `s` is defined again in the same scope"),
    ("struct s; union s u;", "t.c:1:11: `s` is declared as another kind of tag"),
    ("long float x;", "t.c:1:1: expected a type, found words that do not go together"),
    ("int a[-1];", "t.c:1:7: expected an array length that is not negative, found -1"),
    ("enum { A = f() };", "t.c:1:12: expected an integer constant expression as value of the enumerator"),
    ("int x = 0x;", "t.c:1:9: expected a number, found `0x`"),
    ("int x = 12abc;", "t.c:1:9: expected a number, found `12abc`"),
    ("char *s = \"abc;\n", "t.c:1:11: expected a closing `\"`, found the end of the line"),
    ("int c = '';", "t.c:1:9: expected a character between the quotes"),
    (
        "int x; /* never closed",
        "t.c:1:8: expected `*/` at the end of this comment, found the end of the text",
    ),
    ("int x = 1 @ 2;", "t.c:1:11: expected a token, found `@`"),
    ("int x = \u{1};", "t.c:1:9: expected a token, found the byte 0x01"),
    ("# 10 \"other.h\"\nint x\n# 20 \"t.c\" 2\n  int y;", "t.c:20:3: expected `;`, found `int`"),
    ("#line 7 \"seven.c\"\n\n  int ) x;", "seven.c:8:7: expected an identifier, found `)`"),
    (
        "int x;\n#include <stdio.h>\n",
        "t.c:2:1: found `#include`: the text must be preprocessed first, for example by `gcc -E`",
    ),
    (
        "#define A 1\n",
        "t.c:1:1: found `#define`: the text must be preprocessed first, for example by `gcc -E`",
    ),
    ("#if 1\n#endif\n", "t.c:1:1: found `#if`: the text must be preprocessed first, for example by `gcc -E`"),
    ("#nonsense\n", "t.c:1:1: expected a line marker or `#pragma`, found an unknown directive"),
    ("else;", "t.c:1:1: expected a declaration, found `else`"),
    ("int f(void) { else; }", "t.c:1:15: expected a statement, found `else`"),
    ("int f(void) { [1]; }", "t.c:1:15: expected a statement, found `[`"),
    ("int f(a, b) int c; { }", "t.c:1:17: expected the declaration of a listed parameter"),
    (
        "int f(void) { return _Generic(1, char: 2); }",
        "t.c:1:22: expected an association for the type of the first operand, found `int`",
    ),
    ("int a[2] = { .x = 1 };", "t.c:1:14: expected a structure or union for this designator"),
    ("\"text\";", "t.c:1:1: expected a declaration, found `\"text\"`"),
    ("}", "t.c:1:1: expected a declaration, found `}`"),
    // Invalid bytes and unterminated tokens.
    ("\0", "t.c:1:1: expected a token, found the byte 0x00"),
    ("\u{7f}ELF\u{2}\u{1}\0\0", "t.c:1:1: expected a token, found the byte 0x7f"),
    ("int x;\n\n  \0", "t.c:3:3: expected a token, found the byte 0x00"),
    ("char c = 'a", "t.c:1:10: expected a closing `'`, found the end of the line"),
    ("char *s = \"a", "t.c:1:11: expected a closing `\"`, found the end of the line"),
    ("char *s = \"a\\", "t.c:1:11: expected a closing `\"`, found the end of the line"),
    ("/*", "t.c:1:1: expected `*/` at the end of this comment, found the end of the text"),
    ("/*/", "t.c:1:1: expected `*/` at the end of this comment, found the end of the text"),
    ("int a[] = { 1, 2", "t.c:1:17: expected `}`, found the end of the text"),
    ("struct s { int a;", "t.c:1:18: expected the type of a member, found the end of the text"),
    ("enum e { A,", "t.c:1:12: expected an identifier, found the end of the text"),
    ("int f(int a", "t.c:1:12: expected `)`, found the end of the text"),
    ("int x = (1 + 2", "t.c:1:15: expected `)`, found the end of the text"),
    ("int x", "t.c:1:6: expected `;`, found the end of the text"),
    ("int f(void) { do ; while (1) }", "t.c:1:30: expected `;`, found `}`"),
    ("__attribute__((packed) int x;", "t.c:1:24: expected `)`, found `int`"),
    ("asm(\"nop\"", "t.c:1:10: expected `)`, found the end of the text"),
    (
        "# 99999999999 \"a.c\"\nint",
        "t.c:1:1: expected a line marker or `#pragma`, found an unknown directive",
    ),
    ("# 4294967295 \"a.c\"\n\n\nint", "a.c:4294967295:4: expected an identifier, found the end of the text"),
];

#[test]
fn errors_have_messages_and_positions() {
    for (text, expected) in ROWS {
        match parse("t.c", text, DataModel::Lp64) {
            Ok(_) => panic!("accepted: {text}"),
            Err(error) => assert_eq!(error.to_string(), *expected, "{text}"),
        }
    }
}

#[test]
fn texts_that_need_a_preprocessor_are_rejected() {
    let rows = [
        ("int x;", false),
        ("# 1 \"a.c\"\n#pragma once\n#ident \"x\"\nint x;", false),
        ("#include <stdio.h>\n", true),
        ("  #  define A\n", true),
        ("int x; /*\n#define A\n*/", false),
        ("// #define A\nchar *s = \"\\\"#if\";", false),
        ("int x;\n#ifdef A\n#endif\n", true),
        ("int x = __LINE__;", true),
        ("int x = __INT_MAX__;", true),
        ("char *f(void) { return __FUNCTION__; } __attribute__((__noreturn__)) void g(void);", false),
        ("int x = a /* # */ # b;", false),
    ];
    for (text, expected) in rows {
        assert_eq!(needs_preprocessor(text), expected, "{text}");
    }
}
