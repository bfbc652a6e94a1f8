//! Texts that repeat one piece, for tests and measurements of how the work grows with the text.

/// What is repeated, between the beginning and the end of the text.
pub const REPEATED: &[(&str, &str, &str)] = &[
    ("", "int x; ", ""),
    ("", "\n", ""),
    ("", " ", ""),
    ("", "#pragma x\n", ""),
    ("", "# 1 \"a.c\"\n", ""),
    ("", "\u{e9}", ""),
    ("", "\0", ""),
    ("", "(", ""),
    ("", "\"", ""),
    ("", "\\\n", ""),
    ("/*", "*", ""),
    ("/*", "/* ", ""),
    ("char *s = \"", "a", "\";"),
    ("char *s = \"", "\\", ""),
    ("int x = 1", "0", ";"),
    ("int ", "x", ";"),
    ("int main(void) { int a = 1, b[3] = { 1 }; ", "a = 2; ", "}"),
    ("int main(void) { ", "{ int a = 1; a++; } ", "}"),
    ("int main(void) { int a = 1; switch (a) { ", "case 1: a = 2; break; ", "} }"),
    ("int main(void) { int a = 1; ", "if (a) goto out; ", "out: ; }"),
    ("int f(void) { return 1; } int main(void) { ", "f(); ", "}"),
    ("int f(void) { return 1; } int (*t[])(void) = { ", "f, ", "}; int main(void) { }"),
    ("int main(void) { return 0", " + 1", "; }"),
];

/// A text of about this many bytes.
pub fn repeated(before: &str, piece: &str, after: &str, bytes: usize) -> String {
    format!("{before}{}{after}", piece.repeat(bytes / piece.len()))
}
