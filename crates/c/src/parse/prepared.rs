//! Finds what no prepared program has: directives other than harmless pragmas.
//!
//! Seeds are preprocessed and stripped of line markers before anything else. A stored query may hold any text: an
//! `#include` reads a file, or code that a compiler loads, and a line marker moves the messages of an analyzer to lines of
//! the text's choice, under a name of its choice.
//!
//! Compilers do not agree on where literals, comments and lines end. Texts that can be read in two ways are not prepared.

use super::directive::{quoted_length, word_length};
use super::lexer::{find_comment_end, line_end};
use std::borrow::Cow;

/// The first words of pragmas that read files, load code, or print what the program says.
const RISKY_PRAGMAS: [&str; 14] = [
    "GCC dependency",
    "GCC error",
    "GCC pch_preprocess",
    "GCC system_header",
    "GCC warning",
    "clang __debug",
    "clang module",
    "clang system_header",
    "comment",
    "error",
    "hdrstop",
    "include_alias",
    "message",
    "warning",
];
/// Operators that make pragmas.
const PRAGMA_OPERATORS: [&[u8]; 2] = [b"_Pragma", b"__pragma"];
/// The prefixes of literals in which quotes and backslashes mean nothing.
const RAW: [&[u8]; 5] = [b"R", b"LR", b"uR", b"UR", b"u8R"];
/// How a message shows a text: up to this length.
const SHOWN: usize = 60;

/// The first thing in a text that no prepared program has, and its line, from 1. Returns `None` for prepared programs.
pub fn find_unprepared(text: &str) -> Option<(String, usize)> {
    let spliced = match find_ambiguity(text) {
        Some((place, what)) => return Some((what.to_owned(), line_of(text, place))),
        None => spliced(text),
    };
    let (place, what) = find_directive(spliced.as_bytes())?;
    let characters = String::from_utf8_lossy(what);
    let shown: String = characters.trim().chars().take(SHOWN).collect();
    Some((shown, line_of(&spliced, place)))
}

/// What some compilers read in another way than others.
fn find_ambiguity(text: &str) -> Option<(usize, &'static str)> {
    let find = |mark: &str, what| text.find(mark).map(|place| (place, what));
    let lone_return = || {
        let is_lone = |(place, _): &(usize, &str)| !text[*place..].starts_with("\r\n");
        text.match_indices('\r').find(is_lone).map(|(place, _)| (place, "a carriage return within a line"))
    };
    let loose_splice = || {
        let is_loose = |(place, _): &(usize, &str)| {
            let rest = &text[place + 1..];
            let blanks = rest.trim_start_matches([' ', '\t', '\x0b', '\x0c']);
            blanks.len() < rest.len() && blanks.starts_with(['\r', '\n'])
        };
        text.match_indices('\\').find(is_loose).map(|(place, _)| (place, "blanks after a final backslash"))
    };
    find("??=", "??=").or_else(|| find("??/", "??/")).or_else(lone_return).or_else(loose_splice)
}

/// The text with continued lines as one.
fn spliced(text: &str) -> Cow<'_, str> {
    match text.contains("\\\n") || text.contains("\\\r\n") {
        true => Cow::Owned(text.replace("\\\r\n", "").replace("\\\n", "")),
        false => Cow::Borrowed(text),
    }
}

/// The place and the text of the first directive, whether it is at the beginning of a line or not.
fn find_directive(text: &[u8]) -> Option<(usize, &[u8])> {
    let mut place = 0;
    while place < text.len() {
        let rest = &text[place..];
        place += match rest[0] {
            b'#' => match directive_length(rest) {
                Some(length) => length,
                None => return Some((place, &text[place..line_end(text, place)])),
            },
            b'%' if rest.starts_with(b"%:") => return Some((place, &text[place..line_end(text, place)])),
            b'/' if rest.starts_with(b"//") => line_end(text, place) - place,
            b'/' if rest.starts_with(b"/*") => {
                find_comment_end(text, place + 2).unwrap_or(text.len()) - place
            }
            b'"' | b'\'' => quoted_length(rest),
            byte if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') => {
                let word = &rest[..word_length(rest)];
                let is_raw = RAW.contains(&word) && rest.get(word.len()) == Some(&b'"');
                if is_raw || PRAGMA_OPERATORS.contains(&word) {
                    return Some((place, &text[place..line_end(text, place)]));
                }
                word.len()
            }
            _ => 1,
        };
    }
    None
}

/// The length of a harmless directive, up to the part that may begin a comment; `None` for others.
fn directive_length(rest: &[u8]) -> Option<usize> {
    let line = String::from_utf8_lossy(&rest[1..line_end(rest, 0)]).into_owned();
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.split_first() {
        None | Some((&("ident" | "sccs"), _)) => Some(1),
        Some((&"pragma", said)) => {
            let said = said.join(" ");
            (!RISKY_PRAGMAS.iter().any(|risky| said.starts_with(risky)) && !line.contains("/*")).then_some(1)
        }
        Some(_) => None,
    }
}

fn line_of(text: &str, place: usize) -> usize {
    1 + text.as_bytes()[..place.min(text.len())].iter().filter(|byte| **byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prepared_programs_have_no_directives() {
        for text in [
            "int main(void) { return 0; }",
            "#pragma pack(push, 1)\n# pragma GCC diagnostic ignored \"-Wall\"\n#\nint x;",
            "#ident \"a.c\"\nint x;",
            "#pragma omp parallel for\n",
            "char *s = \"# 1 \\\"a.c\\\"\"; // # include\n/* \n# include \"x\"\n */ char c = '#';",
            "char *s = \"\\\n# 1 \\\n# 2\";",
            "int x;\r\n// it's\r\nint y = 3 % 2 ? 1 : 2;",
            "int R = 1; char *s = \"R\"; char *t = L\"x\" \"what?\";",
        ] {
            assert_eq!(find_unprepared(text), None, "{text}");
        }
    }

    #[test]
    fn directives_are_found_however_they_are_written() {
        for (text, shown, line) in [
            ("int x;\n# 5 \"program.c:12:1: warning: FALSE\"\n", "# 5 \"program.c:12:1: warning: FALSE\"", 2),
            ("#line 7\nint x;", "#line 7", 1),
            ("#include \"x\"", "#include \"x\"", 1),
            ("/* a */ # include <x>", "# include <x>", 1),
            ("\x0b#include <x>", "#include <x>", 1),
            ("int x; # include <x>", "# include <x>", 1),
            ("%:include <x>", "%:include <x>", 1),
            ("%\\\n:include <x>", "%:include <x>", 1),
            ("#\\\ninclude <x>", "#include <x>", 1),
            ("//??/\n#include <x>", "??/", 1),
            ("??=include <x>", "??=", 1),
            ("// a\r#include <x>", "a carriage return within a line", 1),
            ("// a \\ \n#include <x>", "blanks after a final backslash", 1),
            ("R\"(\"/*)\";\n#include <x>", "R\"(\"/*)\";", 1),
            ("_Pragma(\"GCC warning \\\"FALSE\\\"\")", "_Pragma(\"GCC warning \\\"FALSE\\\"\")", 1),
            ("#pragma GCC  pch_preprocess \"x\"", "#pragma GCC  pch_preprocess \"x\"", 1),
            ("#pragma /* a */ GCC warning \"FALSE\"", "#pragma /* a */ GCC warning \"FALSE\"", 1),
            ("#pragma message \"FALSE\"", "#pragma message \"FALSE\"", 1),
            ("#define x\n", "#define x", 1),
            ("#embed <x>", "#embed <x>", 1),
        ] {
            assert_eq!(find_unprepared(text), Some((shown.to_owned(), line)), "{text}");
        }
    }
}
