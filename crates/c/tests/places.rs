//! Spans, line markers and patches.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use c::patch::{Edit, PatchError, apply};
use c::syntax::{ExpressionKind, StatementKind};
use c::{DataModel, Program, Span, parse};

fn read(text: &str) -> Program {
    parse("t.c", text, DataModel::Lp64).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn spans_cover_the_text() {
    let text = "int f(int a) { /* c */ (a + 1) * (2); if (a) return -a; else { a = (a, 3); } \"x\" \"y\"; }";
    let program = read(text);
    let spans: Vec<String> = program
        .expressions
        .iter()
        .filter(|node| !matches!(node.kind, ExpressionKind::Name(_) | ExpressionKind::Integer(_)))
        .map(|node| program.text_of(node.span).into_owned())
        .collect();
    assert_eq!(spans, ["(a + 1)", "(a + 1) * (2)", "-a", "(a, 3)", "a = (a, 3)", "\"x\" \"y\""]);
    let statements: Vec<String> = program
        .statements
        .iter()
        .filter(|node| !matches!(node.kind, StatementKind::Compound { .. } | StatementKind::Function(_)))
        .map(|node| program.text_of(node.span).into_owned())
        .collect();
    let expected = [
        "(a + 1) * (2);",
        "return -a;",
        "a = (a, 3);",
        "if (a) return -a; else { a = (a, 3); }",
        "\"x\" \"y\";",
    ];
    assert_eq!(statements, expected);
}

#[test]
fn operands_come_before_their_expression() {
    let text = include_str!("samples/features.c");
    let program = read(text);
    for id in program.expressions.ids() {
        program.for_each_operand(id, |operand| assert!(operand < id));
        let outer = program.expressions[id].span;
        assert!(outer.start < outer.end, "{id:?}");
        program.for_each_operand(id, |operand| {
            assert!(outer.contains(program.expressions[operand].span), "{}", program.text_of(outer));
        });
    }
}

/// Texts in which `@`, which is removed before parsing, marks an offset, and the position of that offset.
#[test]
fn line_markers_determine_positions() {
    let rows = [
        ("int x;\n int @y;", "t.c:2:6"),
        ("# 5 \"a.h\"\nint @x;", "a.h:5:5"),
        ("# 5 \"a.h\" 1 3 4\nint\n\n@x;", "a.h:7:1"),
        ("int a = 1 +\n# 100 \"a\\\\b.c\"\n  @2;", "a\\b.c:100:3"),
        ("# 5 \"a.h\"\nint x;\n# 9 \"t.c\" 2\nint @y;", "t.c:9:5"),
        ("#line 30\nint @x;", "t.c:30:5"),
        ("int f(void) {\n#pragma GCC ivdep\n return @1; }", "t.c:3:9"),
        ("%:line 30\nint @x;", "t.c:30:5"),
    ];
    for (text, expected) in rows {
        let offset = text.find('@').unwrap() as u32;
        let program = read(&text.replace('@', ""));
        let position = program.lines.position(offset);
        assert_eq!(format!("{}:{}:{}", position.file, position.line, position.column), expected, "{text}");
    }
}

#[test]
fn patches_are_applied() {
    type Row<'a> = (&'a [(u32, u32, &'a str)], Result<&'a str, PatchError>);
    let rows: [Row; 9] = [
        (&[], Ok("0123456789")),
        (&[(0, 0, "a")], Ok("a0123456789")),
        (&[(10, 10, "a")], Ok("0123456789a")),
        (&[(5, 7, ""), (2, 3, "xyz")], Ok("01xyz34789")),
        (&[(2, 2, "a"), (2, 2, "b"), (2, 4, "c")], Ok("01abc456789")),
        (&[(2, 4, "a"), (4, 6, "b")], Ok("01ab6789")),
        (&[(2, 4, "a"), (3, 5, "b")], Err(PatchError::Overlap(Span::new(2, 4), Span::new(3, 5)))),
        (&[(2, 4, "a"), (3, 3, "b")], Err(PatchError::Overlap(Span::new(2, 4), Span::new(3, 3)))),
        (&[(9, 11, "a")], Err(PatchError::OutOfRange(Span::new(9, 11)))),
    ];
    for (edits, expected) in rows {
        let edits: Vec<Edit> =
            edits.iter().map(|(start, end, text)| Edit::replace(Span::new(*start, *end), *text)).collect();
        let result = apply(b"0123456789", &edits);
        assert_eq!(result, expected.map(|text| text.as_bytes().to_vec()), "{edits:?}");
    }
}

/// Bytes that are not UTF-8 stay as they are.
#[test]
fn other_encodings_are_preserved() {
    let text = b"/* \xe9 */ char *s = \"\xe9\"; int \xc3\xa9;";
    let program = parse("latin.c", text, DataModel::Lp64).unwrap();
    assert_eq!(apply(&program.text, &[]).unwrap(), text);
    assert_eq!(program.string_units.iter().copied().collect::<Vec<u32>>(), [0xE9]);
}
